#!/bin/sh
# trail.sh BUILD: links and final states of real threads, in many orders of arrival;
# REGTRAIL_CORPUS names the threads.  -v says what is wrong.
set -eu
build=$1
shift
cmake --build "$build" --target trail >/dev/null
# Every run of the orders is many small transactions: not on a disk, if that can be.
if [ -w /dev/shm ]; then TMPDIR=/dev/shm; export TMPDIR; fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$build/tests/eval/trail" "$REGTRAIL_CORPUS" "$dir" "$@"
