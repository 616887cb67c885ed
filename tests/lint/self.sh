#!/bin/sh
# self.sh ROOT: the lints fail on what they are there to catch.
set -u
root=$1
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
bad=0

# plant FILE LINE LINT: that line in a copy of the sources makes the lint fail.
plant() {
	rm -rf "$dir/tree"
	mkdir -p "$dir/tree/tests" && cp -r "$root/parser" "$root/render" "$root/mailer" \
		"$root/tracker" "$root/cli" "$root/templates" "$dir/tree/" &&
		ln -s "$root/tests/unit" "$dir/tree/tests/unit" || exit 2
	if ! "$root/tests/lint/$3.sh" "$dir/tree" >/dev/null; then
		printf '%s fails on the unchanged sources\n' "$3"
		bad=1
		return
	fi
	printf '%s\n' "$2" >>"$dir/tree/$1"
	if "$root/tests/lint/$3.sh" "$dir/tree" >/dev/null; then
		printf '%s misses: %s in %s\n' "$3" "$2" "$1"
		bad=1
	fi
}

plant parser/scan.c '#include "tracker/tracker.h"' layers
plant mailer/dir.c '#include "parser/parser.h"' layers
plant tracker/db.c '#include "parser/mail.h"' layers
plant render/text.c '#include "text.h"' layers
plant parser/mail.h '#include <gmime/gmime.h>' layers
plant cli/main.c '#include <sqlite3.h>' sql
plant mailer/run.c 'static const char *q = "SELECT 1";' sql
plant parser/scan.c '#include <sys/socket.h>' sql
plant tracker/db.c 'void f(void) { printf("x"); }' sql
plant cli/main.c 'void f(void) { system("x"); }' sql
# shellcheck disable=SC2016 # backquotes of Markdown
plant parser/VIOLATIONS.md '| a thing | read somehow | `no_such_test_runs` |' violations
plant parser/VIOLATIONS.md '| a thing | read somehow | |' violations

# compile_pure LINE: an archive with that function does not pass as pure.
compile_pure() {
	printf '%s\n' "$1" >"$dir/planted.c"
	cc -c -O2 -o "$dir/planted.o" "$dir/planted.c" && rm -f "$dir/planted.a" &&
		ar rc "$dir/planted.a" "$dir/planted.o" || exit 2
	if "$root/tests/lint/pure.sh" "$dir/planted.a" >/dev/null; then
		printf 'pure misses: %s\n' "$1"
		bad=1
	fi
}

compile_pure 'int printf(const char *, ...); void f(void) { printf("x\n"); }'
compile_pure 'long time(long *); long f(void) { return time(0); }'
compile_pure 'void *fopen(const char *, const char *); void *f(void) { return fopen("x", "r"); }'
compile_pure 'int json_dump_file(void *, const char *, long); int f(void) { return json_dump_file(0, "x", 0); }'
compile_pure 'char *strcasestr(const char *, const char *); char *f(char *a) { return strcasestr(a, "x"); }'
compile_pure 'int isalpha(int); int f(int c) { return (isalpha)(c); }'
compile_pure 'char *g_utf8_strdown(const char *, long); char *f(char *a) { return g_utf8_strdown(a, -1); }'
compile_pure 'void g_usleep(unsigned long); void f(void) { g_usleep(1); }'
exit $bad
