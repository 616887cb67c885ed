# shellcheck shell=sh disable=SC2034,SC2120,SC2154 # for the tests that read this file
# Results of the examples, and the golden mails' comparisons, for tests of reports.

examples=$REGTRAIL_SOURCE/docs/examples
root=$(echo "$examples"/results/unixbench/*/*/*/*/*)
base=$root/aa6e427d334b832d952d658cae44f65f99ffaf74
head=$root/8f3ab2a3b2ce14772811945b1f7ea036b769932e

# start [LINES]: a new directory with a configuration that has those lines too.
start() {
	rm -rf regtrail.* sent
	expect 0 "$REGTRAIL" init
	rm regtrail.conf
	{
		printf '[regtrail]\nfrom = perf robot <robot@example.org>\n'
		printf 'archive-url = https://lore.example.org/r/%%s\n'
		printf '%s\n' "$@"
	} >regtrail.conf
}

# report STATUS ARGUMENT...: makes the mail of the examples' results.
report() {
	status=$1
	shift
	expect "$status" "$REGTRAIL" report --date 2026-11-30T12:00:00Z \
		--commits "$examples/commits.json" "$base" "$head" "$@"
}

# json_report STATUS FILE ARGUMENT...: that of a file.
json_report() {
	status=$1
	shift
	expect "$status" "$REGTRAIL" report --date 2026-11-30T12:00:00Z "$@"
}

# send_all: everything that waits leaves.
send_all() {
	"$REGTRAIL" outbox --json --state draft | sed 's/.*"outbox":\([0-9]*\).*/\1/' |
		while read -r n; do
			"$REGTRAIL" outbox approve "$n" || exit 1
		done >/dev/null
	expect 0 "$REGTRAIL" send --via dir:sent
}

# comparison NAME [PYTHON]: the comparison of a golden mail, changed by statements that
# know it as c, to standard output.
comparison() {
	python3 - "$GOLDEN/mail/$1.json" "${2:-pass}" <<'END'
import json, sys
c = json.load(open(sys.argv[1]))["comparison"]
exec(sys.argv[2])
json.dump(c, sys.stdout)
END
}

# header NAME: that header of the mail in ./mail.eml, unfolded and decoded.
header() {
	python3 - "$1" <<'END'
import email, email.policy, sys
mail = email.message_from_binary_file(open("mail.eml", "rb"), policy=email.policy.strict)
print(mail[sys.argv[1]])
END
}
