# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh give what stands here
# SIGINT and SIGTERM at every durable write, and at random moments while others work.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/faults/lib.sh"
faults_base
faults=$REGTRAIL_SOURCE/tests/faults
python3 "$faults/mails.py" "$mid" 2000 >base/many.mbox
cat >commands <<END
again report --commits $examples/commits.json $unixbench --date @$FAULTS_CLOCK -o mail.eml
again ingest many.mbox
settle send --via dir:sent
END
python3 "$faults/kill.py" "$REGTRAIL" "$FAULTS_LIBRARY" base INT <<END || exit 1
again ingest more.mbox
settle send --via dir:sent
END

# Others who work: readers of the same store, over and over.
load() {
	while [ ! -e enough ]; do
		"$REGTRAIL" --config base.work/regtrail.conf list >list.out 2>&1
	done
}
load &
loader=$!
python3 "$faults/signals.py" "$REGTRAIL" "$FAULTS_LIBRARY" base "${REGTRAIL_SIGNALS-5}" <commands
done=$?
: >enough
wait $loader
exit $done
