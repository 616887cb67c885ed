# shellcheck shell=sh disable=SC2154 # run.sh gives expect, contains, lacks
# Regressions as KCIDB reads them.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/cli/keep_alive.sh"

valid() {
	/usr/bin/python3 "$REGTRAIL_SOURCE/tests/cli/kcidb.py" out "$@" || { cat out; exit 1; }
}

start 3 </dev/null
expect 0 "$REGTRAIL" ingest "$examples"/mails/*
cat >fsmark.json <<'END'
{"testcase": "fsmark", "machine": "box 1", "columns": [
	{"commit": {"id": "fedcba9876543210fedcba9876543210fedcba98"}},
	{"commit": {"id": "0123456789abcdef0123456789abcdef01234567",
		"subject": "xfs: Look \"twice\"", "tree": "next", "branch": "master",
		"author": {"name": "Ada Author", "address": "ada@example.org"}}}],
	"metrics": [{"name": "fsmark.files_per_sec",
		"samples": [[100, 102, 98, 100], [80, 81, 79, 80]]}]}
END
expect 0 "$REGTRAIL" report fsmark.json
expect 0 "$REGTRAIL" export --format kcidb
valid 2
expect 0 "$REGTRAIL" outbox approve 2
expect 0 "$REGTRAIL" send --via dir:sent
expect 0 "$REGTRAIL" export --format kcidb
valid 3
contains out '"number":{"value":80.0,"unit":"files/s"}'
contains out '"number":{"value":100.0,"unit":"files/s"}'
contains out '"samples":[80.0,81.0,79.0,80.0]'
contains out '"path":"fsmark.files_per_sec"'
contains out '"origin":"regtrail"'
contains out '"status":"DONE"'
contains out "\"report_url\":\"https://lore.example.org/r/$message_id\""

# A status is a new version of the issue; one that is none says so.
expect 0 "$REGTRAIL" export --format kcidb 0222
valid 1
before=$(sed -n 's/.*"issues":\[{[^]]*"version":\([0-9]*\).*/\1/p' out)
expect 0 "$REGTRAIL" set 0222 invalid --reason 'a broken disk'
expect 0 "$REGTRAIL" export --format kcidb 0222
valid 1
contains out '"code":false'
after=$(sed -n 's/.*"issues":\[{[^]]*"version":\([0-9]*\).*/\1/p' out)
[ "$after" -gt "$before" ] || { echo "version $before, then $after"; exit 1; }

# The name of the origin is checked.
sed -i 's/^#kcidb-origin =.*/kcidb-origin = my_robot/' regtrail.conf
expect 0 "$REGTRAIL" export --format kcidb
valid 3
contains out '"id":"my_robot:'
sed -i 's/^kcidb-origin =.*/kcidb-origin = My Robot/' regtrail.conf
expect 1 "$REGTRAIL" export --format kcidb
contains err "kcidb-origin: 'My Robot'"
expect 2 "$REGTRAIL" export --format xml

# Nothing is known: an empty report is one too.
rm -f regtrail.conf regtrail.db*
expect 0 "$REGTRAIL" init
expect 0 "$REGTRAIL" export --format kcidb
valid 0
