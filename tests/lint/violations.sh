#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# violations.sh ROOT: every line of parser/VIOLATIONS.md names a test that runs; `same`
# is the test of the line before.
set -u
cd "$1" || exit 2
awk -F'|' '
FILENAME != "parser/VIOLATIONS.md" {
	if (match($0, /cmocka_unit_test\([a-z0-9_]+/))
		runs[substr($0, RSTART + 17, RLENGTH - 17)] = 1
	else if (wrapped && match($0, /[a-z0-9_]+/))
		runs[substr($0, RSTART, RLENGTH)] = 1
	wrapped = /cmocka_unit_test\($/
	next
}
/^## / {
	named = 0
}
/^\|/ && !/^\|---/ && $4 !~ /^ *test *$/ {
	entries++
	count = split($4, part, "`")
	for (i = 2; i <= count; i += 2) {
		named = 1
		if (!(part[i] in runs)) {
			printf "VIOLATIONS.md:%d: no test %s\n", FNR, part[i]
			bad = 1
		}
	}
	if (!named || (count < 2 && $4 !~ /same/)) {
		printf "VIOLATIONS.md:%d: names no test\n", FNR
		bad = 1
	}
}
END {
	if (!entries)
		print "VIOLATIONS.md: no entries found"
	exit bad || !entries
}
' tests/unit/test_parser_*.c tests/unit/test_reading_*.c parser/VIOLATIONS.md
