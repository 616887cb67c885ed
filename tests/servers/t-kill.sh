# The program dies at every durable write and around every SMTP command of `send`.
# Afterwards the mail is there once at most, and never sent again blindly; the operator
# settles what nobody can know, and every way ends in the same state.
. "$REGTRAIL_SOURCE/tests/servers/lib.sh"
. "$SERVERS/outbox.sh"
outbox_make 'ann@example.org'
smtpd server

# send [VARIABLE=VALUE]: its process id is where the server looks for it.
send() {
	# shellcheck disable=SC2016 # for the inner shell
	env "$@" sh -c 'echo $$ >server/client.pid && exec "$REGTRAIL" send \
		--via "smtp://127.0.0.1:$0"' "$port" >out 2>err </dev/null
}

# finish WHAT: the next run, without faults; then the operator, if he has to.
finish() {
	plan_kept=$(kept server)
	mv server/mails.jsonl before 2>/dev/null
	plan server none=none
	[ ! -e before ] || mv before server/mails.jsonl
	send || { echo "$1: the next run fails"; cat out err; exit 1; }
	case $(outbox_state) in
	unknown)
		unknown=$((unknown + 1))
		same "$1: sent again blindly" "$(kept server)" "$plan_kept"
		if [ "$plan_kept" -eq 1 ]; then
			expect 0 "$REGTRAIL" outbox sent 1
		else
			expect 0 "$REGTRAIL" outbox retry 1
			send || exit 1
		fi
		;;
	sent) ;;
	*) echo "$1: $(outbox_state)"; exit 1 ;;
	esac
	same "$1: mails" "$(kept server)" 1
	same "$1: state" "$(outbox_state)" sent
	"$REGTRAIL" list --json >state
	[ -e wanted ] || cp state wanted
	cmp wanted state || exit 1
}

unknown=0

# At every durable write, until a run gets through.
writes=0
while :; do
	outbox_fresh
	plan server none=none
	writes=$((writes + 1))
	send REGTRAIL_DIE_AFTER=$writes && break
	finish "durable write $writes"
done
same 'state' "$(outbox_state)" sent
at_writes=$unknown

# Before and after every answer of the server.
unknown=0
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
printf 'killed at %s durable writes (%s unknown) and around %s answers (%s unknown)\n' \
	$((writes - 1)) "$at_writes" "$answers" "$unknown"
[ "$writes" -gt 4 ] && [ "$answers" -gt 10 ] && [ "$unknown" -gt 4 ]
