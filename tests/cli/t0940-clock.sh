# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh give what stands here
# A clock that jumps back, between commands and with every look at it.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/faults/lib.sh"
faults_base
cd base || exit 2

mails() {
	find sent -name '*.eml' | wc -l
}

# The clock was right; now it is a month behind.
expect 0 regtrail send --via dir:sent
[ "$(mails)" -eq 5 ] || exit 1
right=$FAULTS_CLOCK
FAULTS_CLOCK=$((right - 30 * 86400))
expect 0 regtrail send --via dir:sent
contains out 'nothing to send'

# What the operator does now counts after what he did before.
expect 0 regtrail reopen "$closed" --reason 'it is back'
expect 0 regtrail show "$closed" --json
contains out '"status":"reported"'
expect 0 regtrail confirm "$suggested"
expect 0 regtrail list --status expected --json
contains out "\"regression\":\"$suggested"
expect 0 regtrail undo "$suggested"
expect 0 regtrail list --json
contains out "\"regression\":\"$suggested"

# A digest would tell news that the last one told.
FAULTS_CLOCK=$right
expect 0 regtrail digest --mail all
number=$(sed -n 's/^draft \([0-9]*\):.*/\1/p' out)
expect 0 regtrail outbox approve "$number"
expect 0 regtrail send --via dir:sent
[ "$(mails)" -eq 6 ] || exit 1
FAULTS_CLOCK=$((right - 30 * 86400))
expect 1 regtrail digest --mail all
contains err 'the clock says'

# Approved now, made when the clock was right.
expect 0 regtrail outbox approve "$drafted"
expect 0 regtrail send --via dir:sent
contains out "$drafted: sent"
[ "$(mails)" -eq 7 ] || exit 1
expect 0 regtrail ingest more.mbox
contains out '14 replies'
FAULTS_CLOCK=$right
expect 0 regtrail ingest --again more.mbox
contains out '40 known already'

# A minute back at every look: what is not due yet leaves when the clock has caught up.
FAULTS_STEP=-60
export FAULTS_STEP
# shellcheck disable=SC2086 # words
expect 0 regtrail report --commits "$examples/commits.json" $unixbench -o mail.eml
number=$(sed -n 's/^draft \([0-9]*\):.*/\1/p' out)
expect 0 regtrail outbox approve "$number"
expect 0 regtrail send --via dir:sent
FAULTS_CLOCK=$((right + 3600))
expect 0 regtrail send --via dir:sent
[ "$(mails)" -eq 8 ] || exit 1
expect 0 regtrail send --via dir:sent
contains out 'nothing to send'
[ "$(mails)" -eq 8 ] || exit 1
expect 0 regtrail ingest "$examples/mails/thread.mbox"
expect 0 regtrail set "$open" ignored --reason 'nobody uses it'
expect 0 regtrail list --all --status ignored --json
contains out "\"regression\":\"$open"
expect 1 regtrail check
grep -v "^outbox $unknown: " out && exit 1
exit 0
