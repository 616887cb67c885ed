# shellcheck shell=sh disable=SC2154 # run.sh gives expect, contains, REGTRAIL_SOURCE
# For tests of digests and reminders: a report of ours that left some days ago.
examples=$REGTRAIL_SOURCE/docs/examples
root=$(echo "$examples"/results/unixbench/*/*/*/*/*)

# ago DAYS: that time, as --date takes it.
ago() {
	echo "@$(($(date +%s) - $1 * 86400))"
}

# start DAYS [LINES]: configuration and database, and a report that was sent so long ago.
start() {
	expect 0 "$REGTRAIL" init
	sed -i 's/^from =.*/from = example test robot <robot@example.org>/
		s|^#archive-url =.*|archive-url = https://lore.example.org/r/%s|
		0,/^#lists =/s|^#lists =.*|lists = perf@lists.example.org|
		s|^#require-dkim =.*|require-dkim = no|' regtrail.conf
	cat >>regtrail.conf
	expect 0 "$REGTRAIL" report --date "$(ago "$1")" --commits "$examples/commits.json" \
		"$root/aa6e427d334b832d952d658cae44f65f99ffaf74" \
		"$root/8f3ab2a3b2ce14772811945b1f7ea036b769932e"
	message_id=$(sed -n 's/.*Message-ID <\(.*\)>.*/\1/p' out)
	expect 0 "$REGTRAIL" outbox approve 1
	expect 0 "$REGTRAIL" send --via dir:sent
}

# deliver N: approves that mail and sends it.
deliver() {
	expect 0 "$REGTRAIL" outbox approve "$1"
	expect 0 "$REGTRAIL" send --via dir:sent
	contains out "$1: sent"
}

# answer FROM LINE: a reply to the report comes in.
answers=0
answer() {
	answers=$((answers + 1))
	printf 'From: %s\nTo: robot@example.org\nSubject: Re: it\nDate: %s\nMessage-ID: <a%s@example.org>\nIn-Reply-To: <%s>\n\n%s\n' \
		"$1" "$(date -R)" "$answers" "$message_id" "$2" >"answer$answers.eml"
	expect 0 "$REGTRAIL" ingest "answer$answers.eml"
}

# narrow FILE: no line has more than 80 columns.
narrow() {
	/usr/bin/python3 - "$1" <<'END'
import sys, unicodedata
for line in open(sys.argv[1], encoding='utf-8'):
    line = line.rstrip('\n')
    cells = sum(0 if unicodedata.combining(c) else
                2 if unicodedata.east_asian_width(c) in 'WF' else 1 for c in line)
    if cells > 80:
        sys.exit('more than 80 columns: ' + line)
END
}

# die_everywhere COMMAND...: the command is killed at every durable write, in a copy of
# this directory, and run again; the outbox must always end as it does undisturbed.
die_everywhere() {
	cp -r . "$dir.kill" && mkdir "$dir.kill/w" || exit 2
	trap 'rm -rf "$dir" "$dir.kill"' EXIT
	writes=0
	while :; do
		writes=$((writes + 1))
		rm -rf "$dir.kill/w" && cp -r . "$dir.kill/w" || exit 2
		(cd "$dir.kill/w" && REGTRAIL_DIE_AFTER=$writes "$@" >/dev/null 2>&1)
		died=$?
		[ "$died" -eq 137 ] || [ "$died" -eq 0 ] || { echo "exit $died"; exit 1; }
		(cd "$dir.kill/w" && "$@" && "$REGTRAIL" check) >kill.out 2>&1 ||
			{ echo "after write $writes:"; cat kill.out; exit 1; }
		(cd "$dir.kill/w" && "$REGTRAIL" outbox --json) >kill.now
		[ -e kill.want ] || cp kill.now kill.want
		cmp kill.now kill.want || { echo "after write $writes"; exit 1; }
		[ "$died" -eq 137 ] || break
	done
	rm -f kill.*
	printf 'killed at %s durable writes\n' $((writes - 1))
	[ "$writes" -gt 2 ] || exit 1
}
