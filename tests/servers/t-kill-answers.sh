# `regtrail send` dies before and after every answer of the server.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/servers/lib.sh"
# shellcheck source=/dev/null
. "$SERVERS/outbox.sh"
# shellcheck source=/dev/null
. "$SERVERS/killing.sh"

answers=0
for action in kill kill-after; do
	n=0
	while :; do
		outbox_fresh
		n=$((n + 1))
		plan server "any#$n=$action"
		send && break
		answers=$((answers + 1))
		finish "$action at answer $n"
	done
done
printf 'killed around %s answers, %s of them unknown\n' "$answers" "$unknown"
[ "$answers" -gt 12 ] && [ "$unknown" -gt 4 ]
