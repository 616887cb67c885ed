# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh give what stands here
# Commits, patches and other robots' reports that attack: no output steers a terminal, no
# file appears elsewhere, nothing runs, and no header is forged.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/hostile/lib.sh"
steer=$(printf '\033[31m\033]0;owned\007\302\2332J\342\200\256evil\342\201\246\342\200\217\010\177')
printf '%s\n' '[tree linux-next]' 'path = next' 'branch = master' 'order = next' \
	'[digest all]' 'to = perf@lists.example.org' '[remind sched]' 'subsystems = sched' \
	'after-days = 1' >>regtrail.conf

# clean STATUS COMMAND...: that exit code, and clean words.
clean() {
	status=$1
	shift
	expect "$status" "$REGTRAIL" "$@"
	python3 "$HOSTILE/clean.py" out err || exit 1
	[ -s out ] || [ -s err ] || exit 1
}

# seen COMMAND...: what it shows on a terminal.
seen() {
	NO_COLOR=1 python3 - "$REGTRAIL" "$@" >seen <<'END'
import os, pty, sys
pty.spawn(sys.argv[1:], lambda fd: os.read(fd, 65536))
END
	tr -d '\r' <seen >out
	[ -s out ] || exit 1
	python3 "$HOSTILE/clean.py" out || exit 1
}

# ---- commits
GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
export GIT_CONFIG_NOSYSTEM GIT_CONFIG_GLOBAL
git init -q -b master next
{
	printf 'commit refs/heads/master\nauthor M%s <m%s@evil.example> 1795950000 +0000\n' "$steer" "$steer"
	printf 'committer C%s <c@evil.example> 1795950000 +0000\n' "$steer"
	printf 'sched: Fix %s it\n\nwords %s\n\nReported-by: test robot <robot@bench.example.org>\nCloses: https://lore.example.org/r/%s\nFixes: 8f3ab2a3b2ce ("x%s")\nLink: %s\n' \
		"$steer" "$steer" "$report" "$steer" "$steer" >message
	printf 'data %s\n' "$(wc -c <message)"
	cat message
	printf 'M 100644 inline file\ndata 2\nx\n\n'
} | git -C next fast-import --quiet || exit 1
"$REGTRAIL" scan --json >out 2>err
python3 "$HOSTILE/clean.py" out err || exit 1
contains out 'sched: Fix'
clean 0 scan
clean 0 show "$id"
contains out 'sched: Fix'
clean 0 list --all
expect 0 "$REGTRAIL" reopen "$id" --reason 'for more'

# ---- the report of another robot
python3 "$HOSTILE/attacks.py" foreign "$report" "$id" \
	"$REGTRAIL_SOURCE/docs/examples/mails/foreign-report.eml" >foreign.mbox
clean 0 ingest foreign.mbox
contains out '1 new report'
other=$("$REGTRAIL" list --all --json | sed -n 's/.*"regression":"\([0-9a-f]*\)".*will-it-scale.*/\1/p')
[ -n "$other" ] || exit 1

# ---- patches
python3 "$HOSTILE/attacks.py" patches "$report" "$id" >patches.mbox
clean 0 ingest patches.mbox
for format in '' --json --csv; do
	clean 0 patches ${format:+"$format"}
done
for name in 0 1 2 3 4 header scissors; do
	"$REGTRAIL" patch "patch-$name@evil.example" >out 2>err
	[ $? -le 1 ] || exit 1
	python3 "$HOSTILE/clean.py" err || exit 1
	if [ -s out ]; then
		# One mail with what git am reads, and nothing that a name has forged.
		sed '/^$/q' out >top
		[ "$(grep -c '^From ' out)" -eq 1 ] || { cat out; exit 1; }
		grep -qiE '^(Bcc|X-Owned|forged)' out && { cat out; exit 1; }
		grep -vqE '^(From |From:|Date:|Subject:|Message-I[Dd]:|MIME-Version:|In-Reply-To:|References:|Content-|[ 	]|$)' top && { cat top; exit 1; }
		seen patch "patch-$name@evil.example"
		"$REGTRAIL" patch --check next "patch-$name@evil.example" >out 2>err
		[ $? -eq 1 ] || { cat err; exit 1; }
		python3 "$HOSTILE/clean.py" out err || exit 1
	fi
done
clean 1 patch patch-pull@evil.example
[ -z "$(find . /tmp/owned /etc/owned -name '*owned*' 2>/dev/null)" ] || exit 1

# ---- whatever asks about them
for one in "$id" "$other"; do
	clean 0 show "$one"
	clean 0 show "$one" --json
	clean 0 similar "$one"
	seen show "$one"
	seen export --format mbox "$one"
done
clean 0 replies 8f3ab2a3b2ce
clean 0 search expected OR 'fix*'
clean 0 digest
clean 0 digest --json
clean 0 digest --dry-run all
clean 0 remind --dry-run
clean 0 remind --dry-run --json
for format in json csv kcidb; do
	clean 0 export --format $format
done
clean 0 digest --mail
clean 0 outbox
clean 0 outbox show 2
# A word of an attack as an argument comes back clean, too.
for command in show explain patch replies forget confirm similar 'outbox show' 'export --format' \
	ingest scan compare 'digest' 'list --status' 'list --owes' 'search' 'parse'; do
	# shellcheck disable=SC2086 # words
	"$REGTRAIL" $command "x$steer" >out 2>err
	python3 "$HOSTILE/clean.py" out err || { echo "$command"; exit 1; }
done
expect 0 "$REGTRAIL" check
