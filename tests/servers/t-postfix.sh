# A real server: a Maildir, refusals, STARTTLS, a bounce.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/servers/lib.sh"
[ "$(id -u)" -eq 0 ] || { echo 'skipped: a private postfix needs root'; exit 77; }
"$SERVERS/pki.sh" post/pki || exit 1
printf 'From: bot@example.org\nTo: ann@example.org\nSubject: x\nMessage-ID: <1@example.org>\n\n.\nbody' >mail
smtpd lmtp --lmtp --fault 'RCPT=550 5.1.1 gone for good'
postfix post "$port"
expect 0 "$DELIVER" --ca post/pki/ca.pem --times 2 "smtp://localhost:$port" bot@example.org mail \
	ann@example.org no@example.org later@example.org gone@example.org
contains out 'ann@example.org: sent: 250 2.0.0 Ok: queued as'
contains out 'no@example.org: rejected: 550 5.1.1'
contains out 'later@example.org: retry: 450 4.2.0'
contains out 'gone@example.org: sent: 250'
tries=600
until [ "$(find post/mail/ann/new post/mail/bot/new -type f 2>/dev/null | wc -l)" -ge 4 ]; do
	tries=$((tries - 1))
	[ "$tries" -gt 0 ] || { cat post/log; exit 1; }
	sleep 0.1
done
for mail in post/mail/ann/new/*; do
	contains "$mail" 'TLSv1.3'
	sed -n '/^$/,$p' "$mail" | tail -n +2 >body
	printf '.\nbody\n' | cmp - body || exit 1
done
for mail in post/mail/bot/new/*; do
	contains "$mail" 'message/delivery-status'
	contains "$mail" 'gone@example.org'
	contains "$mail" '550 5.1.1 gone for good'
done

# The same server through its sendmail program.
expect 0 "$DELIVER" "sendmail:/usr/sbin/sendmail -C $PWD/post/etc" bot@example.org mail bob@example.org
contains out 'sent: sendmail: /usr/sbin/sendmail: taken'
tries=600
until [ -n "$(ls post/mail/bob/new 2>/dev/null)" ]; do
	tries=$((tries - 1))
	[ "$tries" -gt 0 ] || { cat post/log; exit 1; }
	sleep 0.1
done
