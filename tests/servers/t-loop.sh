# The whole way over real servers: a report leaves by SMTP, a list archives it, a reply to
# it comes in over IMAP, NNTP, HTTP and git at once and is one reply.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/servers/lib.sh"
unset http_proxy https_proxy all_proxy no_proxy
examples=$REGTRAIL_SOURCE/docs/examples
root=$(echo "$examples"/results/unixbench/*/*/*/*/*)
"$SERVERS/pki.sh" pki || exit 1
smtpd list
expect 0 "$REGTRAIL" init
cat >regtrail.conf <<END
[regtrail]
from = example test robot <robot@example.org>
[send]
via = smtp://127.0.0.1:$port
fcc = maildir:copies
END

# Compared, reported, approved, sent.
expect 0 "$REGTRAIL" compare "$root"/aa6e427d* "$root"/8f3ab2a3*
expect 0 "$REGTRAIL" report --commits "$examples/commits.json" \
	"$root"/aa6e427d* "$root"/8f3ab2a3*
expect 0 "$REGTRAIL" outbox approve 1
expect 0 "$REGTRAIL" send
contains out 'sent'
await list/1.eml
id=$(sed -n 's/^Message-ID: <\(.*\)>.*/\1/p' list/1.eml | tr -d '\r')
[ -n "$id" ] || { cat list/1.eml; exit 1; }

# The list keeps it, and archives it.
mkdir -p archive/mails list/box/new list/box/cur
tr -d '\r' <list/1.eml >archive/mails/000001
cp archive/mails/000001 list/box/new/1.list.host
cp -r pki archive
netd archive

# Somebody answers; the archive has it in four ways, the Maildir in a fifth.
cat >reply.eml <<END
From: Mara Lindqvist <mara@example.org>
To: example test robot <robot@example.org>
Cc: list@example.org
Subject: Re: a slowdown
Date: Tue, 1 Dec 2026 10:00:00 +0000
Message-ID: <answer@example.org>
In-Reply-To: <$id>
References: <$id>

> a slowdown of unixbench

Thanks for the report, I can reproduce it here and I am looking into it.
END
"$SERVERS/netd.sh" add "$PWD/archive" reply.eml || exit 1
cp reply.eml list/box/new/2.list.host
cat >>regtrail.conf <<END
[source imap]
url = imap://127.0.0.1:$(cat archive/port-imap)/example.list.0
user = ann
password-file = password
tls = never
[source nntp]
url = nntp://127.0.0.1:$(cat archive/port-nntp)/example.list
[source http]
url = lore+http://127.0.0.1:$(cat archive/port-http)/list/
[source git]
url = pubinbox:archive/list
[source box]
url = maildir:list/box
END
echo secret >password
chmod 600 password
expect 0 "$REGTRAIL" sync
for name in imap nntp http git box; do
	contains out "$name: 2 messages"
done
contains out '10 messages: 0 new reports, 1 reply'

# One reply, linked once; a second time brings nothing.
expect 0 "$REGTRAIL" replies 8f3ab2a3b2 --json
[ "$(grep -c 'answer@example.org' out)" -eq 1 ] || { cat out; exit 1; }
expect 0 "$REGTRAIL" list --json
contains out '"replies":1'
contains out '"last_human":"Mara Lindqvist"'
expect 0 "$REGTRAIL" list
contains out acknowledged
expect 0 "$REGTRAIL" sync
contains out '0 messages: 0 new reports, 0 replies'

# Of another store the middle of the thread is missing: it comes from the archive, once.
sed -e 's/^Message-ID: .*/Message-ID: <second@example.org>/' \
	-e 's/^In-Reply-To: .*/In-Reply-To: <answer@example.org>/' \
	-e 's/^References: \(.*\)/References: \1 <answer@example.org>/' \
	-e 's/^From: .*/From: Ann <ann@example.org>/' reply.eml >second.eml
mkdir other
expect 0 "$REGTRAIL" --config other/regtrail.conf init
cat >other/regtrail.conf <<END
[regtrail]
fill-from = http://127.0.0.1:$(cat archive/port-http)/list/
END
expect 0 "$REGTRAIL" --config other/regtrail.conf ingest archive/mails/000001 second.eml
contains out 'archive: asked for 1 missing mails, found 1'
expect 0 "$REGTRAIL" --config other/regtrail.conf replies 8f3ab2a3b2 --json
contains out 'answer@example.org'
contains out 'second@example.org'
expect 0 "$REGTRAIL" --config other/regtrail.conf ingest second.eml
lacks out 'asked for'
