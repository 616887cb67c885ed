#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh SECONDS [TARGET...]: builds the fuzz preset, runs each target (all of them when
# none is named) for that many seconds of processor time, two at a time, and prints a line
# for each: target, executions, seconds of processor time, findings.  What was found stays
# in build/fuzz/found/TARGET/.  Exit 1 if anything was found.
set -u
if [ $# -lt 1 ]; then
	printf 'usage: %s SECONDS [TARGET...]\n' "$0" >&2
	exit 2
fi
root=$(cd "$(dirname "$0")/../.." && pwd)
seconds=$1
shift
cd "$root" || exit 2
if [ $# -eq 0 ]; then
	# shellcheck disable=SC2046 # names of targets have no blanks
	set -- $(sed -n 's/^regtrail_fuzz(\([a-z]*\) .*/\1/p' tests/fuzz/CMakeLists.txt)
fi
mkdir -p build
{
	cmake --preset fuzz
	for target in "$@"; do
		cmake --build --preset fuzz --target "fuzz_$target" -- -j 2 || exit 1
	done
} >build/fuzz.log 2>&1 || { cat build/fuzz.log; exit 1; }

# run TARGET: one target; the corpus that it grows is kept and used again.  A run ends
# by the clock, so it is followed by others until its processor time is used.
run() {
	grown=build/fuzz/corpus/$1 found=build/fuzz/found/$1
	mkdir -p "$grown" "$found"
	code=0 used=0 executions=0
	while [ "$code" -eq 0 ] && [ "$used" -lt "$seconds" ]; do
		left=$((seconds - used))
		nice -n 5 /usr/bin/time -o "build/fuzz/$1.used" -f '%U %S' \
			"build/fuzz/tests/fuzz/fuzz_$1" -max_total_time="$left" \
			-rss_limit_mb=4096 -timeout=60 -print_final_stats=1 \
			-artifact_prefix="$found/" "$grown" "tests/fuzz/seeds/$1" \
			>"build/fuzz/$1.log" 2>&1
		code=$?
		used=$((used + $(awk 'END { print int($1 + $2 + 1) }' "build/fuzz/$1.used")))
		executions=$((executions + $(sed -n \
			's/^stat::number_of_executed_units: *//p' "build/fuzz/$1.log")))
	done
	findings=$(find "$found" -type f | wc -l)
	[ "$findings" -gt 0 ] || [ "$code" -eq 0 ] || findings=1
	printf '%s executions %s seconds %s findings %s\n' "$1" "$executions" "$used" \
		"$findings" | tee "build/fuzz/$1.result"
}

rm -f build/fuzz/*.result
while [ $# -gt 0 ]; do
	run "$1" &
	first=$!
	second=''
	if [ $# -gt 1 ]; then
		run "$2" &
		second=$!
		shift
	fi
	wait "$first"
	[ -z "$second" ] || wait "$second"
	shift
done
! grep -qvh 'findings 0$' build/fuzz/*.result
