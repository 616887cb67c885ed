# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh give what stands here
# A full disk and one that fails, at every durable write; one that cannot be written or
# read: a clear word, nothing half done, and the next run goes on.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/faults/lib.sh"
faults_base
mkdir empty
sorts='ENOSPC+ EIO'
[ "${REGTRAIL_FAULTS_ALL-}" != 1 ] || sorts='ENOSPC ENOSPC+ EIO EIO+ EACCES EACCES+'
faults() {
	# shellcheck disable=SC2086 # words
	python3 "$REGTRAIL_SOURCE/tests/faults/errors.py" "$REGTRAIL" "$FAULTS_LIBRARY" \
		"$1" $sorts || exit 1
}
faults empty <<END
once init
END
faults base <<END
again report --commits $examples/commits.json $unixbench --date @$FAULTS_CLOCK -o mail.eml
again ingest more.mbox
once confirm $suggested
alike digest --mail
settle send --via dir:sent
END

# A file system that is mounted read-only: every command says so, nothing is sent.
cp -r base read-only
cd read-only || exit 2
mails=$(find sent -name '*.eml' | wc -l)
while read -r work; do
	# shellcheck disable=SC2086 # words
	FAULTS=readonly@1+ expect 1 regtrail $work
	contains err 'regtrail.db'
	grep -qE 'readonly|[Rr]ead-only' err || { cat err; exit 1; }
done <<END
report --commits $examples/commits.json $unixbench
ingest more.mbox
confirm $suggested
note $open words
forget ann@example.org
digest --mail
remind
outbox approve $drafted
send --via dir:sent
END
cmp regtrail.db ../base/regtrail.db || exit 1
[ "$(find sent -name '*.eml' | wc -l)" -eq "$mails" ] || exit 1

# What is kept elsewhere: a mail that cannot be filed there leaves later, once.
rm -rf sent
FAULTS=readonly@1+ FAULTS_ONLY=sent expect 1 regtrail send --via dir:sent
contains err 'dir:sent: Read-only file system'
expect 0 regtrail send --via dir:sent
[ "$(find sent -name '*.eml' | wc -l)" -eq 1 ] || exit 1

# What cannot be read: the file of mails, the store.
FAULTS=EIO@1+ FAULTS_ONLY=more.mbox FAULTS_READS=1 expect 1 regtrail ingest more.mbox
contains err 'more.mbox: Input/output error'
contains out '0 messages'
for number in 1 2 3 4 5 6; do
	for question in list "show $open" "note $open words" check; do
		# shellcheck disable=SC2086 # words
		FAULTS=EIO@$number+ FAULTS_ONLY=regtrail.db FAULTS_READS=1 \
			regtrail $question >out 2>err && continue
		[ $? -eq 1 ] || { cat err; exit 1; }
		# SQLite's words for a file that cannot be read.
		grep -qE 'regtrail\.db: (disk I/O error|database disk image is malformed)' \
			err || { cat err; exit 1; }
	done
done
expect 0 regtrail ingest more.mbox
contains out '14 replies'
