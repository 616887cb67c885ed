# An IMAP server that does what it should, and much that it should not: all mails come,
# each once, what cannot be read is named, and nothing hangs, spins or takes all memory.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/servers/lib.sh"
# shellcheck source=/dev/null
. "$SERVERS/fetching.sh"
mkdir got
make_mails server/mails 25
feedd server imap
url=imap://127.0.0.1:$port/list

# All of them, then none, then one more.
fetch 0 --keep got --again "$url"
total 25
kept_all server
contains cursor '1 25'
fetch 0 "$url"
total 0
/usr/bin/python3 "$SERVERS/mails.py" server/mails 1 26
fetch 0 "$url"
total 1
contains out '1/26: '

# A run that is stopped goes on where it was; nothing is lost.
fresh
fetch 1 --stop 5 "$url"
fetch 0 "$url"
total 26

# Another identity of the mailbox: all anew.  One that went back in time as well.
fresh
fetch 0 "$url"
plan server validity=2
fetch 0 "$url"
total 26
contains cursor '2 26'
echo '2 99' >cursor
fetch 0 "$url"
total 26
echo 'no cursor at all' >cursor
fetch 0 "$url"
total 26

# Wide gaps are no long way; nor is a next UID beyond all that is there.
fresh step=9000000
fetch 0 "$url"
total 26
[ "$(grep -c FETCH server/said)" -lt 400 ] || { wc -l server/said; exit 1; }
fresh uidnext=4294967295
fetch 0 "$url"
total 26
fresh uidnext=none
fetch 0 "$url"
total 26

# Legal, and rarely seen.
for fault in unknown flags parens twice; do
	fresh "fetch=$fault"
	fetch 0 --keep got "$url"
	[ "$fault" = twice ] || kept_all server
done
fresh fetch=nil
fetch 0 "$url"
total 0
fresh fetch=quoted@3
fetch 0 --keep got "$url"
total 26
printf 'Subject: "a\\b"' | cmp - got/3 || exit 1
fresh plain=no
fetch 0 "$url"
total 26
contains server/said 'LOGIN "ann" "secret"'

# One bad mail is named and passed over, at once when it is too large.
for fault in huge over; do
	fresh "fetch=$fault@7"
	fetch 0 "$url"
	contains out '1/7: a literal of more than 67108864 bytes'
	contains cursor '1 26'
done
# What is garbage may not be next time: it is tried in three runs.
for fault in short garbage no; do
	fresh "fetch=$fault@7"
	fetch 1 "$url"
	contains err 'mail 7: '
	fetch 1 "$url"
	fetch 0 "$url"
	contains out '1/7: '
	total 20 1
	contains cursor '1 26'
done

# A line that breaks, wherever: for now it is over, and the next run goes on.
for fault in close lose; do
	fresh "fetch=$fault@7"
	fetch 75 "$url"
	contains err "$url: FETCH: closed by the other side"
	plan server none=none
	fetch 0 "$url"
	contains cursor '1 26'
done
fresh fetch=long@26
fetch 75 --timeout 2 "$url"
fresh fetch=hang@7
fetch 75 --timeout 2 "$url"
contains err 'no answer in time'
fresh fetch=line@7
fetch 1 "$url"
contains err 'a line of more than 1048576 bytes'
fresh greeting=close
fetch 75 "$url"
contains err 'greeting: closed by the other side'
fresh greeting=hang
fetch 75 --timeout 2 "$url"
contains err 'greeting: no answer in time'
fresh greeting=trickle
fetch 75 --timeout 2 "$url"
contains err 'greeting: no answer in time'
fresh greeting=garbage
fetch 75 "$url"
fresh 'greeting=* BYE too many'
fetch 75 "$url"
contains err '* BYE too many'
fresh 'login=NO wrong password'
fetch 1 "$url"
contains err "imap://127.0.0.1:$port/list: login: NO wrong password"
lacks err secret
fresh 'login=NO [UNAVAILABLE] later'
fetch 75 "$url"
[ ! -e cursor ] || exit 1
fetch 75 imap://127.0.0.1:1/list
contains err 'imap://127.0.0.1:1/list: connect: '
fetch 1 imap://ann:secret@127.0.0.1/list
contains err 'without a password'
lacks err secret
fetch 1 gopher://127.0.0.1/
contains err 'no such kind of source'

# Whose certificate is not right gets no password.
"$SERVERS/pki.sh" pki || exit 1
for which in good wrong expired self; do
	mkdir -p tls
	rm -rf tls/mails
	cp -r server/mails tls/mails
	feedd tls imap --certificate "pki/$which" --tls
	rm -f cursor
	if [ "$which" = good ]; then
		fetch 0 --ca pki/ca.pem "imaps://localhost:$port/list"
		total 26
		rm -f cursor
		fetch 1 "imaps://localhost:$port/list"
	else
		fetch 1 --ca pki/ca.pem "imaps://localhost:$port/list"
	fi
	contains err 'TLS: the certificate for localhost is not accepted'
	smtpd_end
	feedd tls imap --certificate "pki/$which"
	rm -f cursor
	if [ "$which" = good ]; then
		fetch 0 --ca pki/ca.pem "imap://localhost:$port/list"
		total 26
	else
		fetch 1 --ca pki/ca.pem "imap://localhost:$port/list"
		contains err 'STARTTLS: TLS: the certificate'
		lacks tls/said AUTHENTICATE
	fi
	smtpd_end
	rm tls/said
done
