# shellcheck shell=sh
# Servers for a test in shell, read with `. "$REGTRAIL_SOURCE/tests/servers/lib.sh"`.
# Each has a directory of its own below the present one and a free port, and is ended by
# its process id when the test ends, however it ends.
SERVERS=$REGTRAIL_SOURCE/tests/servers
server_pids=''
server_stops=''

servers_end() {
	# Whatever they end with: a script with `set -e` has to end them all.
	for server_pid in $server_pids; do
		kill "$server_pid" 2>/dev/null || :
		wait "$server_pid" 2>/dev/null || :
	done
	for server_stop in $server_stops; do
		"$SERVERS/${server_stop%%:*}.sh" stop "${server_stop#*:}" || :
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

# scripted NAME PROGRAM ARGUMENT...: a server in python that writes its port into ./NAME.
scripted() {
	server_name=$1
	shift
	mkdir -p "$server_name"
	rm -f "$server_name/port"
	/usr/bin/python3 "$@" 2>"$server_name/trouble" &
	server_last=$!
	server_pids="$server_pids $server_last"
	await "$server_name/port"
	port=$(cat "$server_name/port")
}

# smtpd NAME OPTION...: a scripted server with its files in ./NAME; its port in $port.
smtpd() {
	smtpd_name=$1
	shift
	scripted "$smtpd_name" "$SERVERS/smtpd.py" "$smtpd_name" "$@"
}

# feedd NAME KIND OPTION...: the same for imap, nntp or http; it serves ./NAME/mails.
feedd() {
	feedd_name=$1 feedd_kind=$2
	shift 2
	scripted "$feedd_name" "$SERVERS/feedd.py" "$feedd_kind" "$feedd_name" "$@"
}

# relay NAME PORT MILLISECONDS: a way to that port that takes so long, there and back.
relay() {
	scripted "$1" "$SERVERS/relay.py" "$1" "$2" "$3"
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

# netd NAME: a private public-inbox with its files in ./NAME, where pki/ and mails/ must
# be; its ports in ./NAME/port-http, port-nntp, port-imap, port-nntps, port-imaps.
netd() {
	server_stops="$server_stops netd:$PWD/$1"
	"$SERVERS/netd.sh" start "$PWD/$1" || exit 1
}

# make_mails DIRECTORY COUNT: mails 000001 and on, threads of ten, lines of all kinds.
make_mails() {
	mkdir -p "$1"
	/usr/bin/python3 "$SERVERS/mails.py" "$1" "$2"
}
