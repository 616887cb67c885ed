# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh give what stands here
# kill -9 at every durable write of every command that changes something.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/faults/lib.sh"
faults_base
mkdir empty
echo 'once init' | python3 "$REGTRAIL_SOURCE/tests/faults/kill.py" "$REGTRAIL" \
	"$FAULTS_LIBRARY" empty || exit 1
python3 "$REGTRAIL_SOURCE/tests/faults/kill.py" "$REGTRAIL" "$FAULTS_LIBRARY" base <<END || exit 1
again report --commits $examples/commits.json $unixbench --date @$FAULTS_CLOCK -o mail.eml
again ingest more.mbox
again ingest $examples/mails/thread.mbox pending.eml
once confirm $suggested
once reject $suggested
once set $open ignored --reason 'nobody uses it'
once note $open 'asked again'
once dup $open $suggested
once undup $twin
once reopen $closed
once undo $closed
once forget ann@example.org
again digest --mail
again remind
once outbox approve $drafted
once outbox cancel $drafted
once outbox retry $unknown
once outbox sent $unknown
settle send --via dir:sent
END
