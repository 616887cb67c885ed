#!/bin/sh
# reading.sh BUILD: how well mails are read; REGTRAIL_CORPUS names the mails.
set -eu
build=$1
shift
exec python3 "$(dirname "$0")/reading.py" "$build/cli/regtrail" "$REGTRAIL_CORPUS" "$@"
