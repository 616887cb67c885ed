#!/bin/sh
# man.sh PROGRAM ROOT: man page, bash completion and the program's own help list the same
# commands; the man page has every option, every key of the configuration and every exit
# code, and formats without a warning.
set -u
program=$1
root=$2
page=$root/docs/regtrail.1
completion=$root/docs/regtrail.bash
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2
bad=0

say() {
	printf '%s\n' "$*"
	bad=1
}

"$program" help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p' | sort >commands
sed -n 's/^\.SS "regtrail \([a-z-]*\).*/\1/p' "$page" | sort >in-page
sed -n "s/^	local commands='\(.*\)'/\1/p" "$completion" | tr ' ' '\n' | sort >in-completion
[ -s commands ] || say 'regtrail help lists no command'
diff commands in-page >difference || say "help and man page differ: $(cat difference)"
diff commands in-completion >difference ||
	say "help and completion differ: $(cat difference)"

# Dashes and font changes undone, so that text can be compared.
sed 's/\\-/-/g; s/\\f[BIRP]//g' "$page" >plain
while read -r command; do
	awk -v c="$command" '/^\.S[SH]/ { on = ($0 ~ "^[.]SS \"regtrail " c "[ \"]") } on' plain >section
	"$program" help "$command" | grep -oE -- '^  (-., )?--[a-z-]+' |
		grep -oE -- '--[a-z-]+' | while read -r option; do
		grep -qE -- "$option( |\$)" section || echo "$command $option"
	done
done <commands >missing
[ -s missing ] && say "options that the man page lacks: $(cat missing)"

"$program" init >/dev/null 2>&1 || say 'regtrail init fails'
sed -nE 's/^#?([a-z-]+) = ?.*/\1/p' regtrail.conf | sort -u | while read -r key; do
	grep -qE "^$key( \(default|\$)" plain || echo "$key"
done >missing
[ -s missing ] && say "keys that the man page lacks: $(cat missing)"
for code in 0 1 2 75; do
	grep -qx "\.B $code" plain || say "the man page lacks exit code $code"
done
if command -v man >/dev/null; then
	warnings=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -l "$page" 2>&1 >/dev/null)
	[ -z "$warnings" ] || say "man: $warnings"
fi
exit $bad
