# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh give what stands here
# Every file beside the database is whole or not there, whenever the power fails.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/faults/lib.sh"

# durable COMMAND...: writes its files so.
durable() {
	rm -f calls
	FAULTS_LOG=calls expect 0 regtrail "$@"
	python3 "$REGTRAIL_SOURCE/tests/faults/order.py" calls || { echo "$*"; exit 1; }
}

durable init
sed -i 's/^from =.*/from = robot@example.org/' regtrail.conf
printf '[send]\nfcc = maildir:copies\n' >>regtrail.conf
# shellcheck disable=SC2086 # words
durable report --commits "$examples/commits.json" -o mail.eml $unixbench
mid=$(sed -n 's/.*Message-ID <\([^>]*\)>.*/\1/p' out)
# shellcheck disable=SC2086 # words
durable compare --svg plot.svg $unixbench
expect 0 regtrail outbox approve 1
durable send --via dir:sent
grep -q 'rename .*sent/.*\.eml$' calls && grep -q 'rename .*copies/cur/' calls || exit 1
says ann 'Mara Lindqvist <mara@example.org>' "$mid" 'Try this:

diff --git a/f b/f
--- a/f
+++ b/f
@@ -1 +1 @@
-one
+two'
expect 0 regtrail ingest ann.eml
durable patch ann@example.org -o one.mbox
contains one.mbox '+two'

# What was there stays there when the new one cannot be written.
cp one.mbox before
FAULTS=ENOSPC@1+ FAULTS_ONLY=one.mbox expect 1 regtrail patch ann@example.org -o one.mbox
contains err 'one.mbox: cannot be written: No space left on device'
cmp one.mbox before || exit 1
[ -z "$(find . -name 'one.mbox.*')" ] || exit 1
