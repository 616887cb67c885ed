# What is missing in a tracked thread is asked for in an archive, over HTTP or NNTP: each
# mail once, and so many in a run.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/servers/lib.sh"
unset http_proxy https_proxy all_proxy no_proxy
examples=$REGTRAIL_SOURCE/docs/examples/mails
mkdir -p http/mails news/mails
cp "$examples/foreign-report.eml" report.eml
/usr/bin/python3 - "$examples/thread.mbox" <<'END'
import mailbox, sys
for number, mail in enumerate(mailbox.mbox(sys.argv[1]), 1):
    open(f"reply{number}.eml", "wb").write(mail.as_bytes())
END
cp report.eml reply?.eml news/mails
cp report.eml reply?.eml http/mails
# Whose parents nobody has.
for n in 1 2 3 4 5; do
	cat >"lone$n.eml" <<END
From: Ann <ann@example.org>
Subject: Re: it
Date: Sat, 14 Nov 2026 10:3$n:07 +0100
Message-ID: <lone$n@example.org>
In-Reply-To: <never$n@example.org>
References: <202611090814.6c1fd2e8-robot@bench.example.org> <never$n@example.org>

I can reproduce this, too.
END
done
feedd news nntp
news=nntp://127.0.0.1:$port/example.list
feedd http http
web=http://127.0.0.1:$port/list/

# store LINE...: a new one, with these lines in its configuration.
store() {
	rm -f regtrail.*
	expect 0 "$REGTRAIL" init
	printf '%s\n' '[regtrail]' "$@" >regtrail.conf
}

# asked MISSING FOUND
asked() {
	contains out "archive: asked for $1 missing mails, found $2"
}

ingest() {
	expect 0 "$REGTRAIL" ingest "$@"
}

# A news server gives one mail at a time: the thread is complete after two runs.
store "fill-from = $news" 'fill-max = 2'
ingest report.eml reply4.eml
asked 2 2
ingest report.eml
asked 1 1
ingest report.eml
lacks out archive
expect 0 "$REGTRAIL" replies 4b7d1e90c2 --json
[ "$(grep -c '"message_id"' out)" -eq 4 ] || { cat out; exit 1; }
[ "$(grep -c '^ARTICLE' news/said)" -eq 3 ] || { cat news/said; exit 1; }

# A web server gives the whole thread for one question.
store "fill-from = $web"
ingest report.eml reply4.eml
asked 1 1
expect 0 "$REGTRAIL" replies 4b7d1e90c2 --json
[ "$(grep -c '"message_id"' out)" -eq 4 ] || { cat out; exit 1; }

# What is not there is asked for once, and so many in a run.
rm -f http/said news/said
plan http any=404
for archive in "$web" "$news"; do
	store "fill-from = $archive" 'fill-max = 2'
	ingest report.eml lone1.eml lone2.eml lone3.eml lone4.eml lone5.eml
	asked 2 0
	ingest report.eml
	asked 2 0
	ingest report.eml
	asked 1 0
	ingest report.eml
	lacks out archive
done
[ "$(grep -c . http/said)" -eq 5 ] || { cat http/said; exit 1; }
[ "$(grep -c '^ARTICLE' news/said)" -eq 5 ] || { cat news/said; exit 1; }
store "fill-from = $web" 'fill-max = 0'
ingest report.eml lone1.eml
lacks out archive

# A source can be the archive, by its name or as the first that can be one.
for line in 'fill-from = news' 'fill-max = 20'; do
	store "$line" '[source near]' 'url = maildir:near' '[source news]' "url = $news"
	ingest report.eml reply4.eml
	asked 3 3
done

# One that is away is named, and asked again in the next run.
store "fill-from = nntp://127.0.0.1:1/example.list"
expect 75 "$REGTRAIL" ingest report.eml reply4.eml
contains err 'archive: nntp://127.0.0.1:1/example.list: connect: '
contains out '2 messages: 1 new report, 1 reply'
sed -i "s|^fill-from.*|fill-from = $news|" regtrail.conf
ingest report.eml
asked 3 3
