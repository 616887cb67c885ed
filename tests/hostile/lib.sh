# shellcheck shell=sh disable=SC2154 # run.sh gives expect, contains, lacks, DATA
# A report of ours that went out, for attacks: its Message-ID in $report, its ID in $id.
HOSTILE=$REGTRAIL_SOURCE/tests/hostile
results="$REGTRAIL_SOURCE/docs/examples/results/unixbench/performance-100%-300s-spawn"
results="$results/example-2s-48c/debian-12-x86_64.cgz/x86_64-server-6.9/gcc-13"

expect 0 "$REGTRAIL" init
sed -i -e 's|^#* *from *=.*|from = test robot <robot@bench.example.org>|' \
	-e 's|^#* *trusted-hosts *=.*|trusted-hosts = mx.example.org|' regtrail.conf
expect 0 "$REGTRAIL" report "$results/aa6e427d334b832d952d658cae44f65f99ffaf74" \
	"$results/8f3ab2a3b2ce14772811945b1f7ea036b769932e" --date 2026-11-20T08:00:00Z \
	--commits "$REGTRAIL_SOURCE/docs/examples/commits.json"
expect 0 "$REGTRAIL" outbox approve 1
expect 0 "$REGTRAIL" send --via dir:sent
sent=$(echo sent/*.eml)
id=$(tr -d '\r' <"$sent" | sed -n 's/^X-Regtrail-Regression: //p')
report=$(tr -d '\r' <"$sent" | tr '\n' ' ' | sed -n 's/.*Message-I[Dd]: *<\([^>]*\)>.*/\1/p')

# attack NAME [ARGUMENT]: its mails go in, and nothing goes out.
attack() {
	python3 "$HOSTILE/attacks.py" "$1" "$report" "$id" ${2+"$2"} >"$1.mbox"
	expect 0 "$REGTRAIL" ingest "$1.mbox"
	cp out ingested
	expect 0 "$REGTRAIL" check
	expect 0 "$REGTRAIL" send --via dir:sent
	[ "$(echo sent/*.eml)" = "$sent" ] || exit 1
}

# status WORD: the regression has it.
status() {
	expect 0 "$REGTRAIL" list --all --json
	/usr/bin/python3 -c 'import json, sys
rows = [json.loads(line) for line in open("out", encoding="utf-8")]
found = [row["status"] for row in rows if row["regression"] == sys.argv[1]]
if found != [sys.argv[2]]:
    sys.exit(f"status {found}, not {sys.argv[2]}")' "$id" "$1" || exit 1
}
