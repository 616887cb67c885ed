#!/bin/sh
# compare.sh BUILD: CPU time and peak memory of comparing two columns, beside jansson alone
# parsing the same files.  Medians of seven runs each, taken in turn.
set -eu
build=$1
cmake --build "$build" --target bench_compare >/dev/null
bench=$build/tests/bench/bench_compare
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

median() {
	sort -n "$1" | awk '{ v[NR] = $1; if ($2 > m) m = $2 }
		END { printf "%s %s\n", v[int((NR + 1) / 2)], m }'
}

printf '%-24s %10s %10s %7s %10s %10s\n' 'metrics x runs x columns' 'compare ms' \
	'jansson ms' ratio 'compare kB' 'jansson kB'
for size in '5000 10' '20000 20'; do
	# shellcheck disable=SC2086 # two numbers
	set -- $size
	"$bench" make "$dir" "$1" "$2"
	: >"$dir/compare"
	: >"$dir/jansson"
	for _ in 1 2 3 4 5 6 7; do
		"$bench" compare "$dir/base.json" "$dir/head.json" >>"$dir/compare"
		"$bench" jansson "$dir/base.json" "$dir/head.json" >>"$dir/jansson"
	done
	echo "$1 x $2 x 2 $(median "$dir/compare") $(median "$dir/jansson")" |
		awk '{ printf "%-24s %10.1f %10.1f %7.2f %10d %10d\n",
			$1 " x " $3 " x " $5, $6, $8, $6 / $8, $7, $9 }'
done
