# shellcheck shell=sh
# Servers for a test in shell, read with `. "$REGTRAIL_SOURCE/tests/servers/lib.sh"`.
# Each has a directory of its own below the present one and a free port, and is ended by
# its process id when the test ends, however it ends.
SERVERS=$REGTRAIL_SOURCE/tests/servers
server_pids=''
server_stops=''

servers_end() {
	for server_pid in $server_pids; do
		kill "$server_pid" 2>/dev/null
		wait "$server_pid" 2>/dev/null
	done
	for server_stop in $server_stops; do
		"$SERVERS/${server_stop%%:*}.sh" stop "${server_stop#*:}"
	done
	server_pids=''
	server_stops=''
}
trap 'servers_end; rm -rf "$dir"' EXIT
trap 'exit 1' INT TERM

# await FILE [SECONDS]: until it is there and not empty.
await() {
	server_tries=$((${2-90} * 20))
	until [ -s "$1" ]; do
		server_tries=$((server_tries - 1))
		if [ "$server_tries" -le 0 ]; then
			printf 'no %s in time\n' "$1"
			exit 1
		fi
		sleep 0.05
	done
}

# smtpd NAME OPTION...: a scripted server with its files in ./NAME; its port in $port.
smtpd() {
	server_name=$1
	shift
	mkdir -p "$server_name"
	rm -f "$server_name/port"
	/usr/bin/python3 "$SERVERS/smtpd.py" "$server_name" "$@" 2>"$server_name/trouble" &
	server_last=$!
	server_pids="$server_pids $server_last"
	await "$server_name/port"
	port=$(cat "$server_name/port")
}

# smtpd_end: ends the scripted server that was started last.
smtpd_end() {
	kill "$server_last" 2>/dev/null
	wait "$server_last" 2>/dev/null
	server_pids=${server_pids% "$server_last"}
}

# plan NAME FAULT...: what that server does wrong from its next connection on; its record
# of mails and commands starts anew.
plan() {
	server_name=$1
	shift
	rm -f "$server_name/mails.jsonl" "$server_name/said"
	printf '%s\n' "$@" >"$server_name/plan.new"
	mv "$server_name/plan.new" "$server_name/plan"
}

# postfix NAME [PORT-OF-LMTP]: a private postfix with its files in ./NAME; its port in $port.
postfix() {
	server_stops="$server_stops postfix:$PWD/$1"
	"$SERVERS/postfix.sh" start "$PWD/$1" "${2-}" || exit 1
	port=$(cat "$1/port")
}

# dovecot NAME: a private dovecot with its files in ./NAME, where pki/ must be; its ports
# in $port and ./NAME/port-tls.
dovecot() {
	server_stops="$server_stops dovecot:$PWD/$1"
	"$SERVERS/dovecot.sh" start "$PWD/$1" || exit 1
	port=$(cat "$1/port")
}
