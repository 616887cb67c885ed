#!/bin/sh
# ingest.sh BUILD [--messages N] [--only NAME,...] [--rounds N]: what ingest of an
# archive costs beside the programs that one would pick instead, and beside the least that
# it can cost, in one run on the same mails.  --only: rows whose name begins so; what
# the other rows would need is not made.
set -eu
build=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
cmake --build "$build" --target regtrail ingest_floor >/dev/null
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM
/usr/bin/python3 "$here/ingest.py" "$(cd "$build" && pwd)" "$dir" "$@"
