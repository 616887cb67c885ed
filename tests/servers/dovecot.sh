#!/bin/sh
# dovecot.sh start|stop DIRECTORY: an IMAP server of its own, as root, on free ports of
# 127.0.0.1: plain with STARTTLS in DIRECTORY/port, TLS from the start in DIRECTORY/port-tls.
# Certificates are DIRECTORY/pki/good.*.  User ann, password secret; her Maildir is
# DIRECTORY/mail/ann/Maildir.
set -eu
dir=$2

free_ports() {
	/usr/bin/python3 -c 'import socket
s = [socket.socket() for _ in range(2)]
for one in s:
    one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in s))'
}

# write_conf PORT PORT-TLS
write_conf() {
	cat >"$dir/dovecot.conf" <<EOF
base_dir = $dir/run
state_dir = $dir/run
log_path = $dir/log
instance_name = regtrail-$1
protocols = imap
listen = 127.0.0.1
first_valid_uid = 8
first_valid_gid = 8
ssl = yes
ssl_cert = <$dir/pki/good.pem
ssl_key = <$dir/pki/good.key
disable_plaintext_auth = no
auth_mechanisms = plain login
mail_location = maildir:~/Maildir
mail_max_userip_connections = 100
auth_failure_delay = 0
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
passdb {
  driver = passwd-file
  args = $dir/passwd
}
userdb {
  driver = passwd-file
  args = $dir/passwd
}
service imap-login {
  inet_listener imap {
    port = $1
  }
  inet_listener imaps {
    port = $2
    ssl = yes
  }
}
service stats {
  unix_listener stats-writer {
    mode = 0666
  }
}
namespace inbox {
  inbox = yes
}
EOF
}

is_there() {
	/usr/bin/python3 -c 'import socket, sys
socket.create_connection(("127.0.0.1", int(sys.argv[1])), 1)' "$1" 2>/dev/null
}

# Another may take a free port before dovecot does: then try the next.
start() {
	mkdir -p "$dir/run" "$dir/mail"
	chmod 755 "$dir" "$(dirname "$dir")"
	chown mail:mail "$dir/mail"
	printf 'ann:{PLAIN}secret:8:8::%s/mail/ann::\n' "$dir" >"$dir/passwd"
	for _ in 1 2 3 4 5; do
		# shellcheck disable=SC2046 # two ports
		set -- $(free_ports)
		write_conf "$1" "$2"
		/usr/sbin/dovecot -c "$dir/dovecot.conf" >"$dir/start" 2>&1 || continue
		for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
			if is_there "$1"; then
				echo "$2" >"$dir/port-tls"
				echo "$1" >"$dir/port"
				return 0
			fi
			sleep 0.25
		done
	done
	cat "$dir/start" "$dir/log"
	return 1
}

stop() {
	[ -s "$dir/run/master.pid" ] || return 0
	pid=$(cat "$dir/run/master.pid")
	kill "$pid" 2>/dev/null || return 0
	tries=100
	while kill -0 "$pid" 2>/dev/null && [ "$tries" -gt 0 ]; do
		tries=$((tries - 1))
		sleep 0.1
	done
}

"$1"
