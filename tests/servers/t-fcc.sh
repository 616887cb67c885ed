# Copies of what was sent, in a folder of a real IMAP server.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/servers/lib.sh"
# shellcheck source=/dev/null
. "$SERVERS/outbox.sh"
[ "$(id -u)" -eq 0 ] || { echo 'skipped: a private dovecot needs root'; exit 77; }
outbox_make 'ann@example.org'
"$SERVERS/pki.sh" imap/pki || exit 1
dovecot imap
tls=$(cat imap/port-tls)
plain=$port
smtpd server
via=smtp://127.0.0.1:$port
echo secret >password
chmod 600 password

# fcc URL [LINE]: the outbox anew, with copies there.
fcc() {
	outbox_fresh
	printf '%s\n' 'ca-file = imap/pki/ca.pem' 'fcc-password-file = password' "fcc = $1" \
		>>regtrail.conf
}

# copies FOLDER: how many mails it has.
copies() {
	find "imap/mail/ann/Maildir/.$1" -path '*/cur/*' -o -path '*/new/*' 2>/dev/null | grep -c .
}

# Over TLS from the start, into a folder that is made; again, it is there already.
fcc "imaps://ann@localhost:$tls/Sent"
expect 0 "$REGTRAIL" send --via "$via"
same 'copies' "$(copies Sent)" 1
fcc "imaps://ann@localhost:$tls/Sent"
expect 0 "$REGTRAIL" send --via "$via"
same 'copies' "$(copies Sent)" 1
tr -d '\r' <server/1.eml | cmp - "$(find imap/mail/ann/Maildir/.Sent/cur -type f)" || exit 1

# Over STARTTLS.
fcc "imap://ann@127.0.0.1:$plain/Other"
expect 0 "$REGTRAIL" send --via "$via"
same 'copies' "$(copies Other)" 1

# What cannot be filed is said, costs the mail nothing, and stays owed.
fcc "imaps://ann@localhost:$tls/Third"
echo wrong >password
expect 75 "$REGTRAIL" send --via "$via"
contains out '1: sent: '
contains err "copy of mail 1: fcc: imaps://localhost:$tls: login: "
lacks err wrong
echo secret >password
expect 0 "$REGTRAIL" send --via "$via"
same 'copies' "$(copies Third)" 1
fcc "imap://ann@127.0.0.1:1/Sent"
expect 75 "$REGTRAIL" send --via "$via"
contains err 'fcc: imap://127.0.0.1:1: connect: '
fcc "imaps://ann@localhost:$tls/Sent"
sed -i '/^ca-file/d' regtrail.conf
expect 75 "$REGTRAIL" send --via "$via"
contains err 'NOT trusted'
