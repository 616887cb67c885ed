#!/bin/sh
# run.sh TEST.sh: runs a test in an empty directory of its own, removed afterwards.
# The test finds the program in $REGTRAIL, the data in $DATA, and the helpers below.
set -u
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 2
# shellcheck disable=SC2034 # for the test
DATA=$REGTRAIL_SOURCE/tests/data
# shellcheck disable=SC2034 # for the test
GOLDEN=$REGTRAIL_SOURCE/tests/golden

# expect STATUS COMMAND...: runs it, output to ./out and ./err, and checks the exit code.
expect() {
	want=$1
	shift
	"$@" >out 2>err </dev/null
	got=$?
	if [ "$got" -ne "$want" ]; then
		printf 'expected exit %s, got %s: %s\n--- stdout\n' "$want" "$got" "$*"
		cat out
		printf -- '--- stderr\n'
		cat err
		exit 1
	fi
}

# contains FILE TEXT: the file holds that text.
contains() {
	if ! grep -qF -- "$2" "$1"; then
		printf '%s lacks: %s\n--- it holds\n' "$1" "$2"
		cat "$1"
		exit 1
	fi
}

# lacks FILE TEXT: it does not.
lacks() {
	if grep -qF -- "$2" "$1"; then
		printf '%s should not hold: %s\n--- it holds\n' "$1" "$2"
		cat "$1"
		exit 1
	fi
}

# next_second: returns in a later second than it was called in, so that a mail which is
# dated then is later than what was done before.
next_second() {
	called=$(date +%s)
	until [ "$(date +%s)" -gt "$called" ]; do :; done
}

# shellcheck source=/dev/null
. "$1"
