# `regtrail send` dies before and after every durable write.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/servers/lib.sh"
# shellcheck source=/dev/null
. "$SERVERS/outbox.sh"
# shellcheck source=/dev/null
. "$SERVERS/killing.sh"

# Until a run gets through.
writes=0
while :; do
	outbox_fresh
	plan server none=none
	writes=$((writes + 1))
	send REGTRAIL_DIE_AFTER=$writes && break
	finish "durable write $writes"
done
same 'state' "$(outbox_state)" sent
printf 'killed at %s durable writes, %s of them unknown\n' $((writes - 1)) "$unknown"
[ "$writes" -gt 4 ] && [ "$unknown" -gt 0 ]
