#!/bin/sh
# packages.sh: the servers that tests start for themselves, as Debian packages.  Their
# system daemons must not start: a policy-rc.d that forbids it stands while they install.
set -eu
packages='postfix dovecot-imapd public-inbox python3-aiosmtpd openssl'
missing=''
for package in $packages; do
	status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
	[ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" -ne 0 ]; then
	printf 'missing packages; as root run:\n  tests/servers/packages.sh\n' >&2
	exit 1
fi
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
	trap 'rm -f "$policy"' EXIT
	trap 'exit 1' INT TERM
	printf '#!/bin/sh\nexit 101\n' >"$policy"
	chmod 755 "$policy"
fi
apt-get -q -o DPkg::Lock::Timeout=500 update
# shellcheck disable=SC2086 # a list of packages
DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=500 install -y \
	--no-install-recommends $missing
