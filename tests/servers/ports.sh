# shellcheck shell=sh
# What the scripts that start a server on free ports of 127.0.0.1 share.

# free_ports COUNT: so many, in a line.  Another may take one before the server does.
free_ports() {
	/usr/bin/python3 -c 'import socket, sys
s = [socket.socket() for _ in range(int(sys.argv[1]))]
for one in s:
    one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in s))' "$1"
}

# is_there PORT: somebody listens.
is_there() {
	/usr/bin/python3 -c 'import socket, sys
socket.create_connection(("127.0.0.1", int(sys.argv[1])), 1)' "$1" 2>/dev/null
}

# is_there_soon PORT COMMAND...: within a minute, as long as the command succeeds.
is_there_soon() {
	soon_port=$1
	shift
	tries=240
	while [ "$tries" -gt 0 ] && "$@" 2>/dev/null; do
		if is_there "$soon_port"; then
			return 0
		fi
		tries=$((tries - 1))
		sleep 0.25
	done
	return 1
}

# end_of FILE: the server whose process id is there has ended.
end_of() {
	[ -s "$1" ] || return 0
	pid=$(cat "$1")
	kill "$pid" 2>/dev/null || return 0
	tries=100
	while kill -0 "$pid" 2>/dev/null && [ "$tries" -gt 0 ]; do
		tries=$((tries - 1))
		sleep 0.1
	done
}
