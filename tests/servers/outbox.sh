# shellcheck shell=sh disable=SC2154
# An outbox with approved mail, for tests of `regtrail send`.
examples=$REGTRAIL_SOURCE/docs/examples
root=$(echo "$examples"/results/unixbench/*/*/*/*/*)

# outbox_make LISTS: in ./fresh, a configuration and a database with one approved mail to
# these addresses alone.
outbox_make() {
	mkdir fresh
	(
		cd fresh || exit 1
		"$REGTRAIL" init && printf '%s\n' '[regtrail]' 'from = robot@example.org' \
			'database = regtrail.db' '[recipients]' "lists = $1" \
			'stop = mara@example.org, nia@example.org, pavel@example.org, tomas@example.org' \
			'[send]' 'timeout = 60' 'via = smtp://127.0.0.1:1' >regtrail.conf &&
			"$REGTRAIL" report --date 2026-11-30T12:00:00Z \
				--commits "$examples/commits.json" \
				"$root/aa6e427d334b832d952d658cae44f65f99ffaf74" \
				"$root/8f3ab2a3b2ce14772811945b1f7ea036b769932e" &&
			"$REGTRAIL" outbox approve 1
	) >made 2>&1 || { cat made; exit 1; }
}

# outbox_fresh: ./regtrail.conf and ./regtrail.db as outbox_make left them.
outbox_fresh() {
	rm -f regtrail.*
	cp fresh/regtrail.conf fresh/regtrail.db .
}

# outbox_state: of the one mail.
outbox_state() {
	"$REGTRAIL" outbox --json | sed 's/.*"state":"\([a-z]*\)","kind_of_mail.*/\1/'
}

# kept NAME: how many mails that server has.
kept() {
	if [ -e "$1/mails.jsonl" ]; then
		wc -l <"$1/mails.jsonl"
	else
		echo 0
	fi
}

# same WHAT GOT WANTED
same() {
	if [ "$2" != "$3" ]; then
		printf '%s: %s, not %s\n' "$1" "$2" "$3"
		cat out err
		exit 1
	fi
}
