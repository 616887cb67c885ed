# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh give what stands here
# Bombs of structure are taken in or refused, each with a line, and the run goes on.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/hostile/lib.sh"
attack mime
contains ingested '9 messages'
attack loop "${REGTRAIL_HOSTILE_RING-1000}"
contains ingested "${REGTRAIL_HOSTILE_RING-1000} messages"
expect 0 "$REGTRAIL" show "$id"
expect 0 "$REGTRAIL" replies 8f3ab2a3b2ce

attack thread "${REGTRAIL_HOSTILE_THREAD-7000}"
contains ingested '0 of no tracked thread'
expect 0 "$REGTRAIL" show "$id"
python3 "$HOSTILE/clean.py" out || exit 1
