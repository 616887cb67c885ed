#!/bin/sh
# valgrind.sh targets | BUILD: the core of a release build under valgrind: optimised code
# without sanitizers, and with the libraries that they do not see into.  `targets` prints
# what has to be built.
set -eu
units='test_parser_head test_parser_report test_render_compose test_tracker_ingest'

if [ "$1" = targets ]; then
	echo "regtrail $units"
	exit
fi
build=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export TZ=UTC LC_ALL=C.UTF-8 HOME=/nonexistent G_SLICE=always-malloc
export REGTRAIL_SOURCE="$root"
memcheck='valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite
	--errors-for-leak-kinds=definite --num-callers=20'

# finish WHAT STATUS: what valgrind says, or how it ended.
finish() {
	if [ "$2" -ne 0 ] || grep -qs '^==.* at 0x' "$dir"/log.*; then
		printf '%s: exit %s\n' "$1" "$2"
		cat "$dir/out" "$dir"/log.* 2>/dev/null
		exit 1
	fi
	rm -f "$dir"/log.*
	printf '    %s\n' "$1"
}

for unit in $units; do
	status=0
	# shellcheck disable=SC2086 # words
	$memcheck --log-file="$dir/log.%p" "$build/tests/unit/$unit" >"$dir/out" 2>&1 || status=$?
	finish "$unit" "$status"
done

# The program: the walk through its main job, with the programs that it starts left alone.
mkdir "$dir/bin"
printf '#!/bin/sh\nexec %s --log-file=%s/log.%%p %s/cli/regtrail "$@"\n' \
	"$(echo "$memcheck" | tr -s '\n\t' ' ')" "$dir" "$build" >"$dir/bin/regtrail"
chmod +x "$dir/bin/regtrail"
status=0
PATH=$dir/bin:$PATH sh "$root/docs/examples/demo.sh" >"$dir/out" 2>&1 || status=$?
finish "the main job, $(grep -c '^\$ regtrail' "$dir/out") commands" "$status"
