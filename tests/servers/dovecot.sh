#!/bin/sh
# dovecot.sh start|stop|again DIRECTORY: an IMAP server of its own, as root, on free ports
# of 127.0.0.1 (`again`: on those that it had): plain with STARTTLS in DIRECTORY/port, TLS
# from the start in DIRECTORY/port-tls.  Certificates are DIRECTORY/pki/good.*.  User ann,
# password secret; her Maildir is DIRECTORY/mail/ann/Maildir.
set -eu
dir=$2

# shellcheck source=/dev/null
. "$(dirname "$0")/ports.sh"

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

again() {
	/usr/sbin/dovecot -c "$dir/dovecot.conf" >"$dir/start" 2>&1 &&
		is_there_soon "$(cat "$dir/port")" true
}

# Another may take a free port before dovecot does: then try the next.
start() {
	mkdir -p "$dir/run" "$dir/mail"
	chmod 755 "$dir" "$(dirname "$dir")"
	chown mail:mail "$dir/mail"
	printf 'ann:{PLAIN}secret:8:8::%s/mail/ann::\n' "$dir" >"$dir/passwd"
	for _ in 1 2 3 4 5; do
		# shellcheck disable=SC2046 # two ports
		set -- $(free_ports 2)
		write_conf "$1" "$2"
		echo "$2" >"$dir/port-tls"
		echo "$1" >"$dir/port"
		if again; then
			return 0
		fi
	done
	cat "$dir/start" "$dir/log"
	return 1
}

stop() {
	end_of "$dir/run/master.pid"
}

"$1"
