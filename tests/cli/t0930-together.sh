# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh give what stands here
# Several at once: who reads is never kept waiting, who writes waits and is then told to
# come back, and what two do at once is done once.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/faults/lib.sh"
faults=$REGTRAIL_SOURCE/tests/faults
faults_base
python3 "$faults/mails.py" "$mid" 500 >base/many.mbox
cp -r base locked
cd locked || exit 2

# Somebody writes, and goes on writing.
mkfifo holding
python3 "$faults/hold.py" regtrail.db held <holding &
holder=$!
exec 9>holding
until [ -e held ]; do
	kill -0 $holder || exit 1
done
for question in list 'list --all --json' "show $suggested" 'replies ff87bd67a9' \
	'search lock' "similar $open" 'explain ann@example.org' 'export --format csv' \
	"export --format mbox $open" 'outbox' 'patches' 'digest' 'remind --dry-run'; do
	# shellcheck disable=SC2086 # words
	expect 0 regtrail $question
done
expect 1 regtrail check # it has a mail to settle
contains out 'outbox 5'
lacks out search
[ ! -s err ] || exit 1

# All wait at the same time.
n=0
while read -r work; do
	n=$((n + 1))
	(
		# shellcheck disable=SC2086 # words
		regtrail $work >"out.$n" 2>"err.$n" </dev/null
		echo "$? $work" >"exit.$n"
	) &
done <<END
confirm $suggested
set $open ignored --reason unused
note $open words
ingest more.mbox
send --via dir:sent
report --commits $examples/commits.json $unixbench
digest --mail
remind
outbox approve $drafted
forget ann@example.org
END
while [ "$n" -gt 0 ]; do
	until [ -s "exit.$n" ]; do
		kill -0 $holder || exit 1
		sleep 0.1
	done
	case $(cat "exit.$n") in
	'75 '*) ;;
	*) cat "exit.$n" "err.$n"; exit 1 ;;
	esac
	contains "err.$n" 'another process is writing'
	contains "err.$n" 'regtrail.db'
	n=$((n - 1))
done

# It is not kept from its work by who lets go in time.
(
	exec 9>&-
	regtrail note "$open" 'in the end' >out 2>err
) &
writer=$!
exec 9>&-
wait $holder
wait $writer || { cat err; exit 1; }
expect 0 regtrail show "$open"
contains out 'in the end'
cd ..

python3 "$faults/together.py" "$REGTRAIL" "$FAULTS_LIBRARY" base "${REGTRAIL_RACES-3}" <<END
ingest many.mbox | ingest many.mbox
ingest many.mbox | list | send --via dir:sent | show $open
send --via dir:sent | send --via dir:sent
report --commits $examples/commits.json $unixbench | report --commits $examples/commits.json $unixbench
confirm $suggested | confirm $suggested
digest --mail | digest --mail
remind | remind
undo $closed | note $closed words | ingest more.mbox
END
