#!/bin/sh
# postfix.sh start|stop DIRECTORY [PORT-OF-LMTP]: a postfix of its own, as root.
# It takes mail on a free port of 127.0.0.1 (in DIRECTORY/port), offers STARTTLS if
# DIRECTORY/pki is there, and delivers ann, bob and bot at example.org to Maildirs below
# DIRECTORY/mail.  no@ is refused (550), later@ deferred (450).  gone@ is taken and goes
# to that LMTP server; what it refuses comes back as a real bounce.
set -eu
dir=$2
lmtp=${3:-1}
etc=$dir/etc

free_port() {
	/usr/bin/python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}

write_main() {
	cat >"$etc/main.cf" <<EOF
compatibility_level = 3.6
config_directory = $etc
queue_directory = $dir/queue
data_directory = $dir/data
daemon_directory = /usr/lib/postfix/sbin
command_directory = /usr/sbin
maillog_file = $dir/log
maillog_file_prefixes = $dir
myhostname = mx.example.org
myorigin = example.org
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
alias_maps =
alias_database =
local_recipient_maps =
biff = no
smtputf8_enable = yes
message_size_limit = 2000000
queue_run_delay = 1s
default_transport = error:5.4.4 no mail leaves the tests
relay_transport = error:5.4.4 no mail leaves the tests
virtual_transport = virtual
virtual_mailbox_domains = example.org
virtual_mailbox_base = $dir/mail
virtual_mailbox_maps = inline:{ {ann@example.org=ann/} {bob@example.org=bob/} {bot@example.org=bot/} {gone@example.org=gone/} }
virtual_uid_maps = static:8
virtual_gid_maps = static:8
virtual_minimum_uid = 8
transport_maps = inline:{ {gone@example.org=lmtp:inet:127.0.0.1:$lmtp} }
smtpd_recipient_restrictions = check_recipient_access inline:{ {no@example.org=550 5.1.1 nobody of that name} {later@example.org=450 4.2.0 come back later} }, reject_unlisted_recipient, permit_mynetworks, reject
EOF
	if [ -f "$dir/pki/good.pem" ]; then
		cat >>"$etc/main.cf" <<EOF
smtpd_tls_security_level = may
smtpd_tls_cert_file = $dir/pki/good.pem
smtpd_tls_key_file = $dir/pki/good.key
smtpd_tls_received_header = yes
EOF
	fi
}

write_master() {
	cat >"$etc/master.cf" <<EOF
127.0.0.1:$1 inet n - n - - smtpd
pickup unix n - n 1 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
proxymap unix - - n - - proxymap
postlog unix-dgram n - n - 1 postlogd
EOF
}

# Another may take a free port before postfix does: then try the next.
start() {
	mkdir -p "$etc" "$dir/queue" "$dir/data" "$dir/mail"
	chmod 755 "$dir" "$(dirname "$dir")"
	chown postfix "$dir/data"
	chown mail:mail "$dir/mail"
	[ ! -f "$dir/pki/good.key" ] || chmod 600 "$dir/pki/good.key"
	write_main
	for _ in 1 2 3 4 5; do
		port=$(free_port)
		write_master "$port"
		if postfix -c "$etc" start >"$dir/start" 2>&1 &&
			postfix -c "$etc" status >>"$dir/start" 2>&1; then
			echo "$port" >"$dir/port"
			return 0
		fi
	done
	cat "$dir/start" "$dir/log"
	return 1
}

# It has ended when its master's lock is free.
stop() {
	[ -f "$etc/main.cf" ] || return 0
	postfix -c "$etc" stop >"$dir/stop" 2>&1 || true
	tries=100
	while postfix -c "$etc" status >/dev/null 2>&1 && [ "$tries" -gt 0 ]; do
		tries=$((tries - 1))
		sleep 0.1
	done
}

"$1"
