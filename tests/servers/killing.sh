# shellcheck shell=sh disable=SC2154,SC2119,SC2120
# For tests that kill `regtrail send`: afterwards the mail is there once at most, and never
# sent again blindly; the operator settles what nobody can know, and every way ends in the
# same state.
outbox_make 'ann@example.org'
smtpd server
unknown=0

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
	state=$(outbox_state)
	case $state in
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
	*) echo "$1: $state"; exit 1 ;;
	esac
	same "$1: mails" "$(kept server)" 1
	"$REGTRAIL" outbox --json | sed 's/"attempts".*//; s/"at":[^}]*//' >after
	[ -e wanted ] || cp after wanted
	cmp after wanted || { cat after wanted; exit 1; }
}
