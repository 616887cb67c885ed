#!/bin/sh
# list.sh BUILD [REGRESSIONS OPEN MESSAGES [DIRECTORY]]: time and memory of list, show,
# replies, search and similar over a big store, process start included, page cache warm.
# With a DIRECTORY the store is made there once, and kept.
set -eu
build=$1
cmake --build "$build" --target list_fill regtrail >/dev/null
if [ $# -ge 5 ]; then
	dir=$5
	mkdir -p "$dir"
else
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
fi
printf '[regtrail]\ndatabase = %s/regtrail.db\nfrom = robot@tests.example.org\n' "$dir" \
	>"$dir/regtrail.conf"
[ -f "$dir/regtrail.db" ] || "$build/tests/bench/list_fill" "$dir/regtrail.db" \
	"${2:-100000}" "${3:-2000}" "${4:-1000000}"
python3 "$(dirname "$0")/list.py" "$build/cli/regtrail" "$dir"
