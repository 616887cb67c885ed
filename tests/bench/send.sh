#!/bin/sh
# send.sh BUILD [MAILS]: mails a second to a scripted server and to a private postfix:
# `regtrail send` with its outbox, the transport alone, msmtp run once a mail, and swaks.
# All send the same mail over loopback without TLS; postfix needs root.
set -eu
build=$1
mails=${2:-200}
here=$(dirname "$0")
REGTRAIL_SOURCE=$(cd "$here/../.." && pwd)
regtrail=$build/cli/regtrail
deliver=$build/tests/servers/deliver
cmake --build "$build" --target regtrail deliver >/dev/null
for program in msmtp swaks; do
	command -v "$program" >/dev/null || { echo "$program is not installed" >&2; exit 1; }
done
"$REGTRAIL_SOURCE/tests/servers/packages.sh"
dir=$(mktemp -d)
cd "$dir"
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/servers/lib.sh"

# An outbox of so many approved reports on as many commits.
make_outbox() {
	"$regtrail" init >/dev/null
	printf '%s\n' '[regtrail]' 'from = bot@example.org' '[report]' 'approval = no' '[send]' \
		'per-hour = 0' 'per-day = 0' 'per-recipient-day = 0' >regtrail.conf
	/usr/bin/python3 - "$mails" <<'END'
import json, sys
for n in range(int(sys.argv[1])):
    commit = {"id": f"{n:08x}" * 5, "subject": "sched: change", "tree": "next", "branch": "master",
              "author": {"name": "Ann", "address": "ann@example.org"}}
    json.dump({
        "testcase": "unixbench", "machine": "box", "parameters": {"runtime": "300s"},
        "columns": [{"commit": {"id": "f" * 40}}, {"commit": commit}],
        "metrics": [{"name": "unixbench.score",
                     "samples": [[100, 101, 99, 100], [90, 91, 89, 90]]}],
    }, open(f"{n}.json", "w"))
END
	for n in $(seq 0 $((mails - 1))); do
		"$regtrail" report -o mail.eml "$n.json" >/dev/null
	done
	mv regtrail.db full.db
}

now() {
	date +%s.%N
}

# row WHAT COUNT COMMAND...: how many mails a second that is.
row() {
	what=$1
	count=$2
	shift 2
	start=$(now)
	"$@" >row.log 2>&1 || { cat row.log; exit 1; }
	end=$(now)
	echo "$start $end" | awk -v what="$what" -v n="$count" \
		'{ printf "  %-34s %5d mails %8.1f a second %8.2f ms a mail\n", what, n,
		n / ($2 - $1), ($2 - $1) * 1000 / n }'
}

many() {
	times=$1
	shift
	for _ in $(seq "$times"); do
		"$@" <mail.eml
	done
}

# beside SERVER PORT
beside() {
	printf '%s (mail of %s bytes)\n' "$1" "$(wc -c <mail.eml)"
	cp full.db regtrail.db
	row 'regtrail send, one connection' "$mails" "$regtrail" send --via "smtp://127.0.0.1:$2"
	row 'transport alone, one connection' "$mails" "$deliver" --times "$mails" \
		"smtp://127.0.0.1:$2" bot@example.org mail.eml ann@example.org
	row 'msmtp, once a mail' "$mails" many "$mails" msmtp --host=127.0.0.1 --port="$2" \
		--tls=off --auth=off --from=bot@example.org ann@example.org
	row 'swaks, once a mail' $((mails / 10)) many $((mails / 10)) swaks --silent 3 \
		--server 127.0.0.1 --port "$2" --from bot@example.org --to ann@example.org \
		--data @mail.eml
}

port=''
make_outbox
# shellcheck disable=SC2154 # lib.sh sets $port
smtpd scripted --light
beside 'scripted server' "$port"
if [ "$(id -u)" -eq 0 ]; then
	postfix private
	beside 'private postfix' "$port"
fi
