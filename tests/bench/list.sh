#!/bin/sh
# list.sh BUILD [REGRESSIONS OPEN MESSAGES]: time and memory of list, show, replies and
# search over a big store, process start included, page cache warm.
set -eu
build=$1
cmake --build "$build" --target list_fill regtrail >/dev/null
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
printf '[regtrail]\ndatabase = %s/regtrail.db\n' "$dir" >"$dir/regtrail.conf"
"$build/tests/bench/list_fill" "$dir/regtrail.db" "${2:-100000}" "${3:-2000}" \
	"${4:-1000000}"
python3 "$(dirname "$0")/list.py" "$build/cli/regtrail" "$dir"
