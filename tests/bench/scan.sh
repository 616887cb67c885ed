#!/bin/sh
# scan.sh BUILD [COMMITS]: commits a second of `regtrail scan` over a synthetic history,
# beside `git log` alone with the same format to /dev/null.  Medians of three runs, taken
# in turn.  The scan runs git log, too: on a machine that has nothing else to do, both work
# at the same time, and the seconds of all processors tell what it costs beside it.
set -eu
build=$1
commits=${2:-1000000}
here=$(cd "$(dirname "$0")" && pwd)
cmake --build "$build" --target regtrail >/dev/null
regtrail=$build/cli/regtrail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

git init -q --bare -b master tree.git
/usr/bin/python3 "$here/scan.py" history "$commits" | git -C tree.git fast-import --quiet
culprit=$(git -C tree.git rev-list --reverse master | sed -n 10p)
[ "$(git -C tree.git rev-list --count master)" -eq "$commits" ]

"$regtrail" init >/dev/null
printf '%s\n' '[regtrail]' 'from = robot <robot@example.org>' 'database = regtrail.db' \
	'[report]' 'approval = no' '[send]' 'per-hour = 0' 'per-day = 0' \
	'per-recipient-day = 0' '[tree linus]' "path = $dir/tree.git" 'branch = master' \
	'order = mainline' >regtrail.conf
/usr/bin/python3 "$here/scan.py" reports "$culprit"
for report in report*.json; do
	"$regtrail" report --kind regression --date 2020-01-01 "$report" >/dev/null
done
"$regtrail" send --via dir:sent >/dev/null
# What closes one of them, at the very end.
mid=$("$regtrail" list --json | sed -n '1s/.*"regression":"\([0-9a-f]*\)".*/\1/p')
mid=$("$regtrail" show "$mid" --json | sed 's/.*"report":"\([^"]*\)".*/\1/')
closing=$(printf 'mm: Do it well\n\nCloses: https://lore.example.org/r/%s\n' "$mid" |
	GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a \
		GIT_COMMITTER_EMAIL=a@example.org git -C tree.git commit-tree \
		'master^{tree}' -p master)
git -C tree.git update-ref refs/heads/master "$closing"
mv regtrail.db fresh.db

format='%H%n%ct%n%at%n%an <%ae>%n%B'
measure() { # WHAT OUTPUT COMMAND...: seconds, and seconds of all processors
	what=$1 output=$2
	shift 2
	/usr/bin/time -o time -f '%e %U %S' "$@" >"$output"
	awk '{ print $1, $2 + $3 }' time >>"$what.times"
}
for _ in 1 2 3; do
	measure git /dev/null git --no-replace-objects -C tree.git log -z --no-color \
		--no-notes --no-mailmap --encoding=UTF-8 "--format=$format" master --
	cp fresh.db regtrail.db
	measure scan scan.out "$regtrail" scan
	grep -q 'reported -> fixed' scan.out
done
# Nothing new: what a timer pays each time.
for _ in 1 2 3; do
	measure again again.out "$regtrail" scan
	grep -q 'nothing new' again.out
done
# Our own peak; that of git would hide it.
cp fresh.db regtrail.db
"$regtrail" scan >scan.out &
peak=0
while now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) .*/\1/p' "/proc/$!/status" 2>/dev/null) && [ -n "$now" ]; do
	peak=$now
	sleep 0.05
done
wait $!

median() {
	sort -n "$1.times" | sed -n 2p
}
echo "$(median git) $(median scan) $(median again) $peak" | awk -v n="$commits" '{
	printf "%d commits, 20 reports looked for; medians of three\n", n
	printf "  git log     %6.2f s %9.0f a second  processors %6.2f s\n", $1, n / $1, $2
	printf "  scan        %6.2f s %9.0f a second  processors %6.2f s  own peak %.1f MB\n",
		$3, n / $3, $4, $7 / 1024
	printf "  ratio       %6.2f                       %15.2f\n", $3 / $1, $4 / $2
	printf "  scan again  %6.2f s\n", $5 }'
