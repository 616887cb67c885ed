# Whom the program talks to over TLS, and whom it does not.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/servers/lib.sh"
"$SERVERS/pki.sh" pki || exit 1
printf 'From: bot@example.org\nSubject: x\n\nbody\n' >mail

# server OPTION...: the one that the next tries are for.
server() {
	[ -z "${server_last-}" ] || smtpd_end
	rm -rf server
	smtpd server "$@"
}

# try URL-WITHOUT-PORT OPTIONS-OF-DELIVER STATUS WORDS [FAULT]
try() {
	plan server "${5-none=none}"
	case ${5-} in
	*hang) patience=2 ;;
	*) patience=60 ;;
	esac
	# shellcheck disable=SC2086 # options are a list
	expect "$3" "$DELIVER" --timeout $patience $2 "$1:$port" bot@example.org mail ann@example.org
	contains out "$4"
}

# kept FACT: of the mail that came.
kept() {
	contains server/mails.jsonl "$1"
}

trusting='--ca pki/ca.pem'
server --smtps --certificate pki/good
try smtps://localhost "$trusting" 0 'sent: '
kept '"tls": true'
try smtps://127.0.0.1 "$trusting" 0 'sent: '
try smtps://localhost '' 1 'NOT trusted'
try smtps://localhost '--ca pki/none.pem' 1 'pki/none.pem'

server --smtps --certificate pki/good --login
try smtps://localhost "$trusting --login bot:secret" 0 'sent: '
kept '"login": true'

server --certificate pki/good
try smtp://localhost "$trusting" 0 'sent: '
kept '"tls": true'
try smtp://127.0.0.1 "$trusting --tls required" 0 'sent: '
kept '"tls": true'
try smtp://localhost '--tls never' 0 'sent: '
kept '"tls": false'
try smtp://localhost "$trusting" 75 'STARTTLS: 454 4.7.0 not now' 'STARTTLS=454 4.7.0 not now'
try smtp://localhost "$trusting" 75 'STARTTLS: closed by' STARTTLS=close
try smtp://localhost "$trusting" 75 'STARTTLS: no answer in time' STARTTLS=hang
try smtp://localhost "$trusting" 1 'the server went on in plain text' \
	STARTTLS=inject

# refused CERTIFICATE WORDS: by both ways to TLS, and no mail in plain instead.
refused() {
	server --smtps --certificate "pki/$1"
	try smtps://localhost "$trusting" 1 "$2"
	server --certificate "pki/$1"
	try smtp://localhost "$trusting" 1 "$2"
	contains out 'STARTTLS: '
	[ ! -e server/mails.jsonl ] || exit 1
}

refused wrong 'The name in the certificate does not match'
refused expired 'expired'
refused self 'NOT trusted'
server --smtps --certificate pki/good --old-tls
try smtps://localhost "$trusting" 75 'TLS'

server --login
try smtps://localhost "$trusting" 75 'TLS: handshake: '
try smtp://localhost '--tls required' 1 'STARTTLS is required'
try smtp://localhost '--login bot:secret' 0 'sent: '
kept '"login": true'
try smtp://localhost '--login bot:wrong' 1 'AUTH: 535'
try smtp://localhost '' 0 'MAIL FROM: 530'
try smtp://localhost '--login bot:secret' 75 'AUTH: 454 4.7.0 later' 'AUTH=454 4.7.0 later'
