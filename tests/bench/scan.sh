#!/bin/sh
# scan.sh BUILD [COMMITS]: commits a second of `regtrail scan` over a synthetic history,
# beside `git log` alone with the same format to /dev/null.  Medians of three runs, taken
# in turn; the peak memory is that of each program without git's.
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
measure() { # WHAT COMMAND...
	what=$1
	shift
	/usr/bin/time -o time -f '%e %M' "$@" >"$what.out"
	cat time >>"$what.times"
}
for _ in 1 2 3; do
	measure git git --no-replace-objects -C tree.git log -z --no-color --no-notes \
		--no-mailmap --encoding=UTF-8 "--format=$format" master --
	rm -f git.out
	cp fresh.db regtrail.db
	measure regtrail "$regtrail" scan
	grep -q 'reported -> fixed' regtrail.out
done
median() {
	sort -n "$1.times" | sed -n 2p
}
echo "$(median git) $(median regtrail)" | awk -v n="$commits" '{
	printf "%d commits, %s reports looked for\n", n, "20"
	printf "  git log     %6.2f s %9.0f a second\n", $1, n / $1
	printf "  scan        %6.2f s %9.0f a second %7.1f MB\n", $3, n / $3, $4 / 1024
	printf "  ratio       %6.2f\n", $3 / $1 }'
# Nothing new: what a timer pays each time.
measure again "$regtrail" scan
awk '{ printf "  scan again  %6.2f s\n", $1 }' again.times
