# `regtrail send` over SMTP: each recipient's fate, what is tried again, what is not.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/servers/lib.sh"
# shellcheck source=/dev/null
. "$SERVERS/outbox.sh"
outbox_make 'ann@example.org, 550-x@example.org, grey-x@example.org'
smtpd server

# send STATUS [FAULT]: with the outbox as it is.
send() {
	plan server "${2-none=none}"
	case ${2-} in # a busy machine is slow to answer; only silence has to be waited out
	*hang) sed -i 's/^timeout.*/timeout = 1/' regtrail.conf ;;
	*) sed -i 's/^timeout.*/timeout = 60/' regtrail.conf ;;
	esac
	expect "$1" "$REGTRAIL" send --via "smtp://127.0.0.1:$port"
}

# later: what waits is due now.
later() {
	sqlite3_py "UPDATE outbox SET next_at = 0 WHERE state = 'approved'"
}

sqlite3_py() {
	/usr/bin/python3 -c 'import sqlite3, sys
with sqlite3.connect("regtrail.db") as db:
    db.execute(sys.argv[1])' "$1"
}

# Taken for some, refused for one, put off for one: that one alone gets it later.
outbox_fresh
send 1
contains out '1: later, not before 20'
contains out '1: 550-x@example.org: rejected: 550 5.1.1'
contains out '1: grey-x@example.org: waiting: 451 4.7.1 greylisted'
same 'mails at the server' "$(kept server)" 1
lacks server/mails.jsonl 'grey-x'
contains server/mails.jsonl 'ann@example.org'
expect 0 "$REGTRAIL" list
contains out 'unixbench'
send 0
contains out 'nothing to send'
later
send 0
contains out '1: sent: '
same 'mails at the server' "$(kept server)" 1
contains server/mails.jsonl '"to": ["grey-x@example.org"]'
expect 0 "$REGTRAIL" outbox
contains out '550-x@example.org: rejected: 550 5.1.1'
lacks out 'grey-x@example.org: '

# A server that is away, refuses us, or does not let us in: nothing counts as tried.
outbox_fresh
expect 75 "$REGTRAIL" send --via smtp://127.0.0.1:1
contains err 'smtp://127.0.0.1:1: connect: '
send 75 'connect=421 4.3.2 busy'
contains err 'greeting: 421 4.3.2 busy'
send 1 'connect=554 5.3.2 no'
contains err 'greeting: 554 5.3.2 no'
send 75 EHLO=hang
contains err 'EHLO: no answer in time'
expect 0 "$REGTRAIL" outbox --json
contains out '"state":"approved"'
contains out '"attempts":0'

# After the final dot nobody knows: it is not sent again, whatever is tried.
for fault in dot=close dot=lose dot=hang dot=garbage; do
	outbox_fresh
	send 1 "$fault"
	contains out '1: unknown: smtp://127.0.0.1:'
	contains out 'after the final dot: '
	same "$fault" "$(outbox_state)" unknown
	send 0
	contains err 'may have left or not'
	same "$fault" "$(kept server)" 0
done
expect 0 "$REGTRAIL" outbox retry 1
send 1
same 'after retry' "$(kept server)" 1

# What failed before that is tried again, later and later; 5xx is for good.
for fault in MAIL=close RCPT=hang 'DATA=451 4.3.0 later' 'dot=451 4.3.0 later'; do
	outbox_fresh
	code=75 next=1
	case $fault in DATA* | dot*) code=1 next=0 ;; esac # 550-x is refused before
	send $code "$fault"
	same "$fault" "$(outbox_state)" approved
	same "$fault" "$(kept server)" 0
	later
	send $next
	contains server/mails.jsonl ann@example.org
done
outbox_fresh
send 1 'MAIL=550 5.7.1 go away'
contains out '1: rejected: smtp://127.0.0.1:'
contains out 'MAIL FROM: 550 5.7.1 go away'
same 'after 550' "$(outbox_state)" rejected

# A copy is filed once, though it could not be at first.
outbox_fresh
echo 'fcc = maildir:copies' >>regtrail.conf
: >copies
send 1 'RCPT=550 5.1.1 nobody'
[ ! -s copies ] || exit 1
expect 0 "$REGTRAIL" outbox retry 1
sed -i 's/550-x, //' regtrail.conf
send 1
contains err 'copy of mail 1: fcc: copies'
rm copies
later
send 0
same 'state' "$(outbox_state)" sent
same 'copies' "$(find copies -type f | wc -l)" 1
send 0
same 'copies' "$(find copies -type f | wc -l)" 1
contains "$(find copies/cur -type f)" 'Message-ID: <202611301200.'

# Caps: on one address, on all.
outbox_fresh
echo 'per-recipient-day = 1' >>regtrail.conf
sqlite3_py "INSERT INTO outbox_recipient (outbox, address, state, at)
	VALUES (1, 'other@example.org', 'sent', 1)"
send 1
outbox_fresh
printf 'per-hour = 1\n' >>regtrail.conf
sqlite3_py "UPDATE outbox_recipient SET state = 'sent', at = strftime('%s')
	WHERE address = 'ann@example.org'"
send 75
contains err 'per-hour = 1 is reached'
same 'mails at the server' "$(kept server)" 0

# By a sendmail program; one that cannot run is for later.
outbox_fresh
printf '#!/bin/sh\ncat >taken\nprintf "%%s\\n" "$@" >args\n' >program
chmod +x program
expect 0 "$REGTRAIL" send --via 'sendmail:./program --account robot'
contains out '1: sent: sendmail: ./program: taken'
contains args 'ann@example.org'
contains taken 'Message-ID: <202611301200.'
outbox_fresh
expect 75 "$REGTRAIL" send --via sendmail:./none
contains out './none'
