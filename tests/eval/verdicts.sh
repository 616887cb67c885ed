#!/bin/sh
# verdicts.sh BUILD [--cross]: holds verdicts, mechanisms and commands against the labels in
# $REGTRAIL_CORPUS.  --cross: weights are trained anew for each fifth of the threads on the
# other four, so that no mail is judged by weights that it had a part in.
set -eu
build=$1
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
cmake --build "$build" --target read_mails >/dev/null
exec python3 "$root/tests/eval/verdicts.py" "$build/tests/eval/read_mails" \
	"$root/templates/rules" "$REGTRAIL_CORPUS" "$@"
