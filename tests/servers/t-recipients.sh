# Recipients with fates of their own, many mails over one connection, connections that die.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/servers/lib.sh"
printf 'From: bot@example.org\nSubject: gr\303\274n\n\n.dot\n' >mail
smtpd server
expect 0 "$DELIVER" "smtp://127.0.0.1:$port" bot@example.org mail \
	ann@example.org 550-x@example.org grey-x@example.org
contains out 'ann@example.org: sent: 250 2.0.0 kept as 1'
contains out '550-x@example.org: rejected: 550 5.1.1'
contains out 'grey-x@example.org: retry: 451 4.7.1 greylisted'
expect 0 "$DELIVER" "smtp://127.0.0.1:$port" bot@example.org mail grey-x@example.org
contains out 'grey-x@example.org: sent'
contains server/mails.jsonl '"to": ["ann@example.org"]'
contains server/mails.jsonl '"to": ["grey-x@example.org"]'
printf 'From: bot@example.org\r\nSubject: gr\303\274n\r\n\r\n.dot\r\n' | cmp - server/1.eml || exit 1
contains server/mails.jsonl "\"BODY=8BITMIME\""
contains server/mails.jsonl "\"SIZE=47\""
smtpd_end

# One connection; and a new one when the server has closed it between two mails.
smtpd many --fault 'RSET#3=close'
expect 0 "$DELIVER" --hello bot.example.org --times 5 "smtp://127.0.0.1:$port" \
	bot@example.org mail ann@example.org
[ "$(grep -c '^sent: ' out)" -eq 5 ] || exit 1
[ "$(grep -c '"connection": 1' many/mails.jsonl)" -eq 3 ] || exit 1
[ "$(grep -c '"connection": 2' many/mails.jsonl)" -eq 2 ] || exit 1
contains many/mails.jsonl '"hello": "bot.example.org"'
smtpd_end

# A server that closes in the middle of a large mail: never "sent", and nothing is kept.
head -c 400000 /dev/zero | tr '\0' 'x' | fold -w 70 >large
smtpd middle --fault body=close
expect 0 "$DELIVER" "smtp://127.0.0.1:$port" bot@example.org large ann@example.org
lacks out 'sent: '
[ ! -e middle/mails.jsonl ] || exit 1
smtpd_end

# One that stops reading in the middle.
smtpd stops --fault body=hang
expect 0 "$DELIVER" --timeout 1 "smtp://127.0.0.1:$port" bot@example.org large ann@example.org
contains out 'no answer in time'
lacks out 'sent: '
smtpd_end

# Addresses beyond ASCII, with and without the server's consent.
smtpd utf8
expect 0 "$DELIVER" "smtp://127.0.0.1:$port" bot@example.org mail 'j\303\274rg@example.org' \
	"$(printf 'j\303\274rg@example.org')"
contains utf8/mails.jsonl 'SMTPUTF8'
smtpd_end
smtpd ascii --ascii
expect 0 "$DELIVER" "smtp://127.0.0.1:$port" bot@example.org mail ann@example.org \
	"$(printf 'j\303\274rg@example.org')"
contains out 'rejected: the server does not take addresses beyond ASCII'
contains out 'ann@example.org: sent'
