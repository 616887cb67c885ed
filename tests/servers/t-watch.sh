# `regtrail ingest --watch`: dovecot tells at once when mail comes; when it goes away the
# other sources are read all the same, and it is tried again, later each time, till it is
# back; a signal ends it cleanly.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/servers/lib.sh"
[ "$(id -u)" -eq 0 ] || { echo 'skipped: a private dovecot needs root'; exit 77; }
"$SERVERS/pki.sh" pki || exit 1
make_mails mails 9
mkdir -p box/mail/ann/Maildir/new box/mail/ann/Maildir/cur box/mail/ann/Maildir/tmp
mkdir -p near/new near/cur near/tmp
cp -r pki box
chown -R mail:mail box/mail
dovecot box
echo secret >password
chmod 600 password
expect 0 "$REGTRAIL" init
cat >regtrail.conf <<END
[regtrail]
[source box]
url = imap://ann@localhost:$port/INBOX
password-file = password
ca-file = pki/ca.pem
[source near]
url = maildir:near
END

# deliver NUMBER MAILDIR
deliver() {
	cp "mails/00000$1" "$2/tmp/$1.host"
	chown mail:mail "$2/tmp/$1.host"
	mv "$2/tmp/$1.host" "$2/new/$1.host"
}

# seen COUNT FILE TEXT: waits until the text is there so often.
seen() {
	tries=1800
	until [ "$(grep -cF -- "$3" "$2")" -ge "$1" ]; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || { echo "no $3"; cat watch.out watch.err; exit 1; }
		sleep 0.1
	done
}

watch() {
	: >watch.out
	: >watch.err
	"$REGTRAIL" ingest --watch "$@" >watch.out 2>watch.err </dev/null &
	watcher=$!
	server_pids="$server_pids $watcher"
}

# end SIGNAL: it is over soon, and well.
end() {
	kill "-$1" "$watcher"
	wait "$watcher"
	code=$?
	[ "$code" -eq 0 ] || { echo "ended with $code"; cat watch.out watch.err; exit 1; }
}

# Nobody asks for mail within a day: what is seen was told, each time.
deliver 1 box/mail/ann/Maildir
watch --interval 86400
seen 1 watch.out 'box: 1 message'
deliver 2 box/mail/ann/Maildir
seen 2 watch.out 'box: 1 message'
deliver 3 box/mail/ann/Maildir
seen 3 watch.out 'box: 1 message'
end TERM
[ ! -s watch.err ] || { cat watch.err; exit 1; }
# A source that brought nothing is not spoken of.
lacks watch.out 'near'

# It goes away while we wait: the other source is read, and after 1, 2 and 4 seconds it
# is tried again, not every second.
watch --interval 1
deliver 4 box/mail/ann/Maildir
seen 1 watch.out 'box: 1 message'
"$SERVERS/dovecot.sh" stop "$PWD/box"
seen 1 watch.err 'box: imap://'
gone=$(date +%s)
deliver 5 near
seen 4 watch.err 'box: imap://'
took=$(($(date +%s) - gone))
seen 1 watch.out 'near: 1 message'
# 7 seconds, but for how late we saw the first; it is 3 when none is later.
[ "$took" -ge 5 ] || { echo 'tried again too soon'; cat watch.err; exit 1; }
"$SERVERS/dovecot.sh" again "$PWD/box" || exit 1
deliver 6 box/mail/ann/Maildir
seen 2 watch.out 'box: 1 message'
end TERM

# Nothing came twice, nothing was lost.
/usr/bin/python3 "$SERVERS/state.py" regtrail.db >state
[ "$(grep -c '^unclaimed' state)" -eq 6 ] || { cat state; exit 1; }
