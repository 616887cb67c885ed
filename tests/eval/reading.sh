#!/bin/sh
# reading.sh BUILD [--wrong]: how well and how fast mails are read; REGTRAIL_CORPUS names
# them.
set -eu
build=$1
shift
here=$(dirname "$0")
cmake --build "$build" --target read_speed >/dev/null
python3 "$here/reading.py" "$build/cli/regtrail" "$REGTRAIL_CORPUS" "$@"
"$build/tests/eval/read_speed" "$REGTRAIL_CORPUS/mails" "$REGTRAIL_CORPUS/threads" \
	"$REGTRAIL_CORPUS/commands" "$REGTRAIL_CORPUS/odd"
