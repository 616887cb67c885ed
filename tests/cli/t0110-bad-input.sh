# shellcheck shell=sh disable=SC2154 # run.sh gives expect, contains, lacks, DATA
# Bad input: one clear line that names the thing, the documented exit code, and nothing
# half-written.

examples=$REGTRAIL_SOURCE/docs/examples
root=$(echo "$examples"/results/unixbench/*/*/*/*/*)
base=$root/aa6e427d334b832d952d658cae44f65f99ffaf74
head=$root/8f3ab2a3b2ce14772811945b1f7ea036b769932e

# refused STATUS TEXT COMMAND...: it fails so, with one line that holds that text.
refused() {
	status=$1
	text=$2
	shift 2
	expect "$status" "$REGTRAIL" "$@"
	contains err "$text"
	if [ "$(wc -l <err)" -ne 1 ] || [ -s out ]; then
		printf 'not one line: %s\n' "$*"
		cat err out
		exit 1
	fi
}

expect 0 "$REGTRAIL" init
sed -i 's/^from =.*/from = robot@example.org/' regtrail.conf
cp regtrail.db before.db

# ---- results
refused 1 'none: No such file' compare none "$head"
mkdir empty
refused 1 'empty: not a result root: no matrix.json' compare empty "$head"
refused 1 'several commits, give one of them: 8f3ab2a3b2' compare "$root" "$head"
refused 2 'one result root alone' compare "$base"

mkdir broken
printf '{\n "unixbench.score": [1, 2,, 3]\n}\n' >broken/matrix.json
cp -r "$base/0" broken/
refused 1 'matrix.json:2:' compare broken "$head"
printf '{"unixbench.score": [1, 2]}' | gzip | head -c 30 >broken/matrix.json.gz
refused 1 'matrix.json.gz: gzip data is truncated' compare broken "$head"
rm broken/matrix.json.gz
cp "$base/matrix.json" broken/
chmod u+w broken/0 broken/0/job.yaml
printf 'a: [1,\nb: }\n' >broken/0/job.yaml
refused 1 'job.yaml:2:' compare broken "$head"
refused 1 'are the same column' compare "$base" "$base"

printf '{"commits": 3}' >bad.json
refused 1 'bad.json' compare bad.json
printf '{\n  "commits": [\n' >bad.json
refused 1 'bad.json:3' compare bad.json
printf 'neither JSON nor a table\n' >bad.txt
refused 1 'bad.txt' compare bad.txt
refused 1 'no.metric' compare --metric no.metric "$base" "$head"
refused 1 '0000000' compare --culprit 0000000 "$base" "$head"
refused 2 'only lkp is known' compare --compat=perl "$base" "$head"
refused 2 '--ratio: of the larger to the smaller, 1 or more, not 0.9' \
	compare --ratio 0.9 "$base" "$head"
expect 2 "$REGTRAIL" compare --json --plot "$base" "$head"
contains err '--json and --plot: one of them'
refused 1 'none.json' compare --commits none.json "$base" "$head"
printf '[{"id": 5}]' >bad.json
refused 1 'bad.json: $[0].id' compare --commits bad.json "$base" "$head"

# ---- reports
refused 1 'none: No such file' report none "$head"
refused 2 '--kind is regression, improvement or failure, not slow' \
	report --kind slow --commits "$examples/commits.json" "$base" "$head"
refused 2 'not a date' report --date yesterday "$base" "$head"
refused 2 '--force needs NAME=REASON' \
	report --force runs --commits "$examples/commits.json" "$base" "$head"
refused 2 '--force: no check named nothing' \
	report --force nothing=really --commits "$examples/commits.json" "$base" "$head"
refused 2 'not an address' \
	report --to nobody --commits "$examples/commits.json" "$base" "$head"
refused 1 'gone.txt: No such file' \
	report --attach gone.txt --commits "$examples/commits.json" "$base" "$head"
refused 1 '0123: no such regression' \
	report --followup 0123 --commits "$examples/commits.json" "$base" "$head"
refused 1 'style' report --style fancy --commits "$examples/commits.json" "$base" "$head"
cmp regtrail.db before.db || exit 1

# ---- outbox
refused 1 'mail 7: not in the outbox' outbox approve 7
expect 2 "$REGTRAIL" outbox approve one
contains err 'not a number of the outbox: one'
expect 2 "$REGTRAIL" outbox burn 1
expect 2 "$REGTRAIL" send
contains err '--via URL'
refused 2 'carrier:pigeon' send --via carrier:pigeon

# ---- mail
refused 1 'none.eml: No such file' parse none.eml
: >empty.eml
expect 0 "$REGTRAIL" parse empty.eml
contains err 'empty.eml: empty'
expect 1 "$REGTRAIL" ingest none.eml
contains err 'none.eml: No such file'
expect 2 "$REGTRAIL" ingest empty
contains err 'neither a Maildir'
expect 2 "$REGTRAIL" ingest
contains err 'no source given'
refused 1 '0123: no such regression' show 0123
refused 1 '0123: no such regression' confirm 0123
expect 2 "$REGTRAIL" set 0123 sleeping --reason x
contains err 'no status named sleeping'
expect 2 "$REGTRAIL" set 0123 fixed
contains err '--reason'
expect 2 "$REGTRAIL" list --older-than soon
contains err 'not a span of time'
expect 2 "$REGTRAIL" list --status sleeping
expect 2 "$REGTRAIL" list --change-over much

# ---- the database
chmod a-r regtrail.conf
if ! cat regtrail.conf >out 2>&1; then
	refused 1 'regtrail.conf: Permission denied' list
fi
chmod a+r regtrail.conf
python3 -c 'import sqlite3; c = sqlite3.connect("regtrail.db"); c.execute("PRAGMA user_version = 9999"); c.commit()'
cp regtrail.db newer.db
refused 1 'newer' list
refused 1 'newer' ingest "$examples/mails/foreign-report.eml"
cmp regtrail.db newer.db || exit 1

# ---- mail that is refused is named, with its place and why; the rest is read
mkdir refusing
cd refusing || exit 1
expect 0 "$REGTRAIL" init
{
	printf 'From a@example.org Mon Dec  1 10:00:00 2025\nFrom: ann@example.org\n'
	printf 'Message-ID: <long@example.org>\nX-Long: '
	head -c 1100000 /dev/zero | tr '\0' x
	printf '\n\nhello\n\nFrom b@example.org Mon Dec  1 10:00:01 2025\n'
	printf 'From: bob@example.org\nMessage-ID: <two@example.org>\n\nhello\n'
} >many.mbox
expect 0 "$REGTRAIL" ingest many.mbox
contains out '1 of no tracked thread, 1 refused'
contains err "refused: $PWD/many.mbox, message 1 at byte 44: header block exceeds the limit"
expect 0 "$REGTRAIL" ingest many.mbox
lacks err refused
