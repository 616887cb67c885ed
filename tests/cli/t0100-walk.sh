# shellcheck shell=sh disable=SC2154 # run.sh gives expect, contains, lacks, DATA
# From benchmark results to a list of unresolved regressions, as an operator walks.

examples=$REGTRAIL_SOURCE/docs/examples
root=$(echo "$examples"/results/unixbench/*/*/*/*/*)
base=$root/aa6e427d334b832d952d658cae44f65f99ffaf74
head=$root/8f3ab2a3b2ce14772811945b1f7ea036b769932e

# report STATUS [OPTION]: makes the report of the examples.
report() {
	status=$1
	shift
	expect "$status" "$REGTRAIL" report --date 2026-11-30T12:00:00Z \
		--commits "$examples/commits.json" "$base" "$head" "$@"
}

expect 0 "$REGTRAIL" init

# The table.
expect 0 "$REGTRAIL" compare "$base" "$head"
contains out '24712            -6.6%      23084        unixbench.score'
contains out '95% interval'

# Nobody to write from: no mail.
report 1 --dry-run
contains err 'who is the mail from?'
sed -i 's/^from =.*/from = example test robot <robot@example.org>/' regtrail.conf

# A look at the mail leaves nothing behind.
report 0 --dry-run
contains out 'Subject: [linux-next:master] [sched/fair]  8f3ab2a3b2:  unixbench.score -6.6%'
contains out 'To: Mara Lindqvist <mara@example.org>'
contains out 'Message-ID: <202611301200.10d135d2-robot@example.org>'
expect 0 "$REGTRAIL" outbox
contains out 'nothing waits'

# The draft; made again, it is the same one.
report 0
contains out 'draft 1:'
contains out '202611301200.10d135d2-robot@example.org'
report 0
contains out 'there already as mail 1'
expect 0 "$REGTRAIL" report --commits "$examples/commits.json" "$base" "$head"
contains out 'there already as mail 1'

# Not sent, so nobody can have an opinion.
expect 0 "$REGTRAIL" show 02222725
contains out 'Report (ours, not sent yet)'
expect 0 "$REGTRAIL" list
contains out 'nothing unresolved'

# Nothing leaves without approval.
expect 0 "$REGTRAIL" send --via dir:sent
contains out 'nothing to send'
expect 0 "$REGTRAIL" outbox show 1
contains out 'unixbench.score'
expect 0 "$REGTRAIL" outbox approve 1
expect 0 "$REGTRAIL" send --via dir:sent
contains out '1: sent'
[ "$(find sent -name '*.eml' | wc -l)" -eq 1 ] || exit 1
expect 0 "$REGTRAIL" send --via dir:sent
contains out 'nothing to send'

# As it goes on the wire: CRLF, and the program reads its own mail.
[ "$(tr -cd '\r' <"$(echo sent/*.eml)" | wc -c)" -eq "$(wc -l <"$(echo sent/*.eml)")" ] || exit 1
expect 0 "$REGTRAIL" parse sent/*.eml
contains out '"metric":"unixbench.score"'
contains out '"commit":"8f3ab2a3b2ce14772811945b1f7ea036b769932e"'

# Unresolved from here on.
expect 0 "$REGTRAIL" list
contains out 'unixbench.score'
contains out 'reported'

# Reports of others and replies come in, ours among them.
expect 0 "$REGTRAIL" ingest "$examples"/mails/*
contains out '1 new report'
expect 0 "$REGTRAIL" list
contains out '4b7d1e90c2'
contains out 'ignored? Priya Raman'
expect 0 "$REGTRAIL" replies 4b7d1e90c2
contains out 'Hana Okafor'
contains out 'lock-contention'
expect 0 "$REGTRAIL" replies 8f3ab2a3b2
contains out 'Mara Lindqvist'
expect 0 "$REGTRAIL" show 02222725
contains out 'acknowledged'

# A second time changes nothing.
expect 0 "$REGTRAIL" list --all --json
cp out before
expect 0 "$REGTRAIL" ingest "$examples"/mails/*
contains out ' 0 new reports, 0 replies'
expect 0 "$REGTRAIL" list --all --json
cmp out before || exit 1

# The operator decides.
expect 0 "$REGTRAIL" list --json --commit 4b7d1e90c2
id=$(sed 's/.*"short_id":"\([0-9a-f]*\)".*/\1/' out)
expect 0 "$REGTRAIL" confirm "$id"
contains out ignored
expect 1 "$REGTRAIL" confirm "$id"
contains err 'no suggestion is open'
expect 0 "$REGTRAIL" list
lacks out 4b7d1e90c2
expect 0 "$REGTRAIL" list --closed
contains out 4b7d1e90c2
expect 0 "$REGTRAIL" undo "$id"
contains out '(takes back: confirm by '
expect 0 "$REGTRAIL" list
contains out 'ignored? Priya Raman'
expect 0 "$REGTRAIL" set "$id" expected --reason 'micro-benchmark only'
expect 1 "$REGTRAIL" note "$id" ''
contains err 'words are needed'
expect 0 "$REGTRAIL" note "$id" 'talked to Priya'
expect 0 "$REGTRAIL" show "$id"
contains out 'micro-benchmark only'
contains out 'talked to Priya'
expect 0 "$REGTRAIL" reopen "$id" --reason 'seen in production'
expect 0 "$REGTRAIL" list
contains out 4b7d1e90c2
expect 0 "$REGTRAIL" check
contains out 'all is well'

# Taken back one by one: what the operator did, and only then what a mail decided.
expect 0 "$REGTRAIL" undo "$id"
contains out 'expected (takes back: reopen by '
expect 0 "$REGTRAIL" undo "$id"
contains out '(takes back: set by '
expect 0 "$REGTRAIL" undo "$id"
contains out '(takes back what the mail of '
