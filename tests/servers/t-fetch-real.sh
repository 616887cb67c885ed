# Real servers: the same mails by IMAP, NNTP and HTTP of public-inbox, and from dovecot;
# then a new one, which each sees, dovecot while we wait for it.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/servers/lib.sh"
# shellcheck source=/dev/null
. "$SERVERS/fetching.sh"
unset http_proxy https_proxy all_proxy no_proxy
[ "$(id -u)" -eq 0 ] || { echo 'skipped: a private dovecot needs root'; exit 77; }
"$SERVERS/pki.sh" pki || exit 1
make_mails mails 60
mkdir got box archive
cp -r pki mails archive
cp -r pki box
mkdir -p box/mail/ann/Maildir/new box/mail/ann/Maildir/cur box/mail/ann/Maildir/tmp
for mail in mails/*; do
	cp "$mail" "box/mail/ann/Maildir/new/17000${mail#mails/}.M1.host"
done
chown -R mail:mail box/mail
dovecot box
plain=$port
tls=$(cat box/port-tls)
netd archive

# all MAILS OPTION... URL: so many come, as they are; with a cursor of their own.
all() {
	wanted=$1
	shift
	[ ! -e "$name.cursor" ] || mv "$name.cursor" cursor
	fetch 0 --ca pki/ca.pem --keep got "$@"
	total "$wanted"
	mv cursor "$name.cursor"
	for mail in got/*; do
		[ -e "$mail" ] || continue
		# News servers and archives add lines to the header, and have any order.
		number=$(sed -n 's/^Message-ID: <m\([0-9]*\)@.*/\1/p' "$mail")
		grep -vE '^(Xref|Newsgroups|Path|List-Id): ' "$mail" |
			cmp - "mails/$(printf %06d "$number")" || exit 1
		rm "$mail"
	done
}

# each MAILS: from all of them.
each() {
	name=imap all "$1" --tls never "imap://127.0.0.1:$plain/INBOX"
	name=starttls all "$1" --again "imap://localhost:$plain"
	name=imaps all "$1" "imaps://ann@localhost:$tls/INBOX"
	name=pi-imap all "$1" "imap://127.0.0.1:$(cat archive/port-imap)/example.list.0"
	name=pi-imaps all "$1" "imaps://localhost:$(cat archive/port-imaps)/example.list.0"
	name=nntp all "$1" --again "nntp://127.0.0.1:$(cat archive/port-nntp)/example.list"
	name=nntps all "$1" "nntps://localhost:$(cat archive/port-nntps)/example.list"
}
each 60
lore=http://127.0.0.1:$(cat archive/port-http)/list/
name=lore all 60 --again "lore+$lore"
later lore.cursor
name=lore all 60 "lore+$lore"
name=lore all 0 "lore+$lore"
name=question all 1 "lore+$lore?q=m:m7@example.org"
fetch 0 --message m7@example.org "$lore"
cmp out mails/000007 || exit 1
fetch 0 --thread m7@example.org "$lore"
[ "$(grep -c '^Message-ID: ' out)" -eq 9 ] || { cat out; exit 1; }
fetch 1 --thread m777@example.org "$lore"
fetch 1 "lore+${lore%list/}none/"
fetch 1 "nntp://127.0.0.1:$(cat archive/port-nntp)/example.none"
contains err 'GROUP: 411'
fetch 1 --tls never "imap://127.0.0.1:$plain/None"
contains err 'EXAMINE: NO '

# One more, everywhere.
/usr/bin/python3 "$SERVERS/mails.py" mails 1 61
"$SERVERS/netd.sh" add "$PWD/archive" mails/000061 || exit 1
cp starttls.cursor cursor
"$FETCH" --ca pki/ca.pem --login ann:secret --wait 300 "imap://localhost:$plain" >waited 2>&1 &
waiting=$!
cp mails/000061 box/mail/ann/Maildir/tmp/last
chown mail:mail box/mail/ann/Maildir/tmp/last
mv box/mail/ann/Maildir/tmp/last box/mail/ann/Maildir/new/17000000061.M1.host
wait "$waiting" || { cat waited; exit 1; }
contains waited fresh
contains waited '1 mails, 0 troubles'
rm cursor
each 1

# Its search knows the new one some time after its git does; until then we ask again.
tries=120
until mv lore.cursor cursor && fetch 0 "lore+$lore" && mv cursor lore.cursor &&
	grep -q '^m61@' out; do
	tries=$((tries - 1))
	[ "$tries" -gt 0 ] || exit 1
	sleep 0.5
done
