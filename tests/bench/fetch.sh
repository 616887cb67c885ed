#!/bin/sh
# fetch.sh BUILD [MAILS]: mails a second and peak of own memory (RssAnon) over each
# source, over loopback: IMAP from a private dovecot beside mbsync (without fsync), NNTP
# and HTTP from a private public-inbox, its git directory beside a bare `git cat-file
# --batch`, Maildir and mbox; `fetch` hands them over alone, `regtrail ingest` stores rows
# too.  Then the servers with round trips of 20 ms, and what is aimed at.  Dovecot needs
# root.
set -eu
build=$1
mails=${2:-10000}
here=$(dirname "$0")
REGTRAIL_SOURCE=$(cd "$here/../.." && pwd)
cmake --build "$build" --target regtrail fetch >/dev/null
regtrail=$(cd "$build" && pwd)/cli/regtrail
fetch=$(cd "$build" && pwd)/tests/servers/fetch
command -v mbsync >/dev/null || { echo 'mbsync (package isync) is not installed' >&2; exit 1; }
"$REGTRAIL_SOURCE/tests/servers/packages.sh"
unset http_proxy https_proxy all_proxy no_proxy
dir=$(mktemp -d)
cd "$dir"
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/servers/lib.sh"
trip=0

# fresh: as if nothing had been fetched yet.
fresh() {
	rm -rf cursor copy state regtrail.*
	mkdir copy state
	"$regtrail" init >/dev/null
}

# served: seconds of processor that public-inbox has taken.  It is one process, and what it
# does for an article sets the pace of NNTP and HTTP.
served() {
	sed 's/.*)//' "/proc/$(cat archive/pid)/stat" |
		awk -v ticks="$(getconf CLK_TCK)" '{ print ($12 + $13) / ticks }'
}

# row NAME WHAT COMMAND...: how many mails a second that is; the best of three runs, each
# from nothing, and the memory that the program tells of.  NAME is what aims call it by.
row() {
	name=$1
	what=$2
	best=''
	shift 2
	for _ in 1 2 3; do
		fresh
		before=$(served)
		start=$(date +%s.%N)
		"$@" >row.log 2>&1 || { cat row.log; exit 1; }
		took=$(echo "$start $(date +%s.%N)" | awk '{ print $2 - $1 }')
		best=$(echo "$took $before $(served) $best" | awk '
			$4 == "" || $1 < $4 { print $1, ($3 - $2) / $1; next }
			{ print $4, $5 }')
	done
	if [ "$1" = ingest ]; then
		fresh
		watch_ingest >row.log 2>&1 || { cat row.log; exit 1; }
	fi
	memory=$(sed -n 's/.*troubles, \([0-9]*\) KiB/\1/p' row.log)
	echo "$best" | awk -v what="$what" -v n="$count" -v memory="${memory:--}" \
		'{
			printf "  %-40s %9.0f a second %8.2f s %8s KiB", what, n / $1, $1, memory
			printf $2 < 0.05 ? "\n" : "  server busy %2.0f %%\n", 100 * $2
		}'
	echo "$name $trip $best $count" | awk '{ print $1, $2, $5 / $3 }' >>rates
}

# aim WHAT NAME TRIP OTHER TRIP FACTOR: the first is to have that many times the rate of
# the second.
aim() {
	awk -v what="$1" -v a="$2 $3" -v b="$4 $5" -v aim="$6" '
		{ rate[$1 " " $2] = $3 }
		END {
			if (!rate[a] || !rate[b])
				exit
			printf "  %-58s %5.2f (%s)%s\n", what, rate[a] / rate[b], aim,
				rate[a] / rate[b] < aim ? "  MISSED" : ""
		}' rates
}

get() {
	"$fetch" --quiet --login ann:secret --tls never "$@"
}

# ingest URL: with rows stored.
ingest() {
	printf '%s\n' '[regtrail]' 'database = regtrail.db' '[source it]' "url = $1" \
		'user = ann' 'password-file = password' 'tls = never' 'since-days = 3000' \
		>regtrail.conf
	cp regtrail.conf ingest.conf
	"$regtrail" ingest
}

# watch_ingest: the same once more; its peak of RssAnon as `fetch` tells it.  To look at
# it takes a share of the processors that the runs whose time counts have for themselves.
watch_ingest() {
	cp ingest.conf regtrail.conf
	"$regtrail" ingest &
	ingest_pid=$!
	peak=0
	# What has ended has no memory any more, though it is still to be waited for.
	while kib=$(sed -n 's/^RssAnon:[^0-9]*\([0-9]*\).*/\1/p' \
		"/proc/$ingest_pid/status" 2>/dev/null) && [ -n "$kib" ]; do
		[ "$kib" -le "$peak" ] || peak=$kib
		sleep 0.02
	done
	wait "$ingest_pid" || return 1
	echo "0 troubles, $peak KiB"
}

# mbsync_from PORT
mbsync_from() {
	cat >mbsyncrc <<END
FSync no

IMAPAccount box
Host 127.0.0.1
Port $1
User ann
Pass secret
SSLType None
AuthMechs LOGIN

IMAPStore far
Account box

MaildirStore near
Path $PWD/copy/
Inbox $PWD/copy/INBOX

Channel all
Far :far:
Near :near:
Pattern INBOX
Create Near
SyncState $PWD/state/
END
	mbsync -q -c mbsyncrc all
}

# singly FILE URL
singly() {
	"$fetch" --quiet --login ann:secret --places "$1" "$2"
}

# bare REPOSITORY: what git alone takes for all mails, whose names it finds itself.
bare() {
	git -C "$1" log --reverse --raw --no-abbrev --no-renames --format= |
		awk '{ print $4 }' | git -C "$1" cat-file --batch --buffer >/dev/null
}

# servers MILLISECONDS: what a round trip takes
servers() {
	trip=$1
	if [ -e box/port ]; then
		box=$(cat box/port)
		[ "$trip" = 0 ] || { relay relay-imap "$box" "$trip"; box=$port; }
		row imap 'IMAP, handed over' get "imap://127.0.0.1:$box"
		row imap-rows 'IMAP, rows stored' ingest "imap://127.0.0.1:$box"
		row mbsync 'mbsync' mbsync_from "$box"
	fi
	news=$(cat archive/port-nntp)
	web=$(cat archive/port-http)
	if [ "$trip" != 0 ]; then
		relay relay-nntp "$news" "$trip"
		news=$port
		relay relay-http "$web" "$trip"
		web=$port
	fi
	news=nntp://127.0.0.1:$news/example.list
	row nntp 'NNTP, handed over' get "$news"
	row nntp-rows 'NNTP, rows stored' ingest "$news"
	# Where each takes a round trip, some are enough.
	[ "$trip" = 0 ] || count=$((mails / 50))
	head -n "$count" places >some
	row nntp-singly "NNTP, $count articles, one at a time" singly some "$news"
	count=$mails
	row http 'HTTP (search), handed over' get --since 1700000000 "lore+http://127.0.0.1:$web/list/"
	row http-rows 'HTTP (search), rows stored' ingest "lore+http://127.0.0.1:$web/list/"
}

files() {
	row git 'git directory, handed over' get "pubinbox:$PWD/archive/list"
	row git-rows 'git directory, rows stored' ingest "pubinbox:$PWD/archive/list"
	row bare 'git cat-file --batch alone' bare archive/list/git/0.git
	row maildir-rows 'Maildir, rows stored' ingest "maildir:$PWD/maildir"
	row mbox-rows 'mbox, rows stored' ingest "mbox:$PWD/mbox"
}

port=''
count=$mails
make_mails mails "$mails"
mkdir -p archive box maildir/new maildir/cur
"$SERVERS/pki.sh" archive/pki
cp -r archive/pki box
(umask 077 && echo secret >password)
printf '%s mails, %s KiB; load %s\n' "$mails" "$(du -sk --apparent-size mails | cut -f1)" \
	"$(cut -d' ' -f1-3 /proc/loadavg)"
/usr/bin/python3 - <<'END'
import os, re
with open("mbox", "wb") as mbox:
    for name in sorted(os.listdir("mails")):
        with open(f"mails/{name}", "rb") as source:
            mail = source.read()
        with open(f"maildir/new/17000{name}.M1.host", "wb") as out:
            out.write(mail)
        quoted = re.sub(rb"^(>*From )", rb">\1", mail, flags=re.M)
        mbox.write(b"From ann@example.org Mon Nov 30 00:00:00 2026\n" + quoted + b"\n")
END
if [ "$(id -u)" -eq 0 ]; then
	mkdir -p box/mail/ann/Maildir
	cp -r maildir/new maildir/cur box/mail/ann/Maildir
	mkdir box/mail/ann/Maildir/tmp
	chown -R mail:mail box/mail
	dovecot box
fi
mv mails archive
netd archive
for number in $(seq "$mails"); do
	printf '%s <m%s@example.org>\n' "$number" "$number"
done >places
files
servers 0
echo 'round trips of 20 ms'
servers 20
printf 'aims (load now %s)\n' "$(cut -d' ' -f1-3 /proc/loadavg)"
aim 'IMAP with rows, beside mbsync' imap-rows 0 mbsync 0 1.5
aim 'git directory with rows, beside git cat-file alone' git-rows 0 bare 0 0.85
aim 'NNTP, beside one article at a time' nntp 0 nntp-singly 0 2
aim 'IMAP with 20 ms of round trip, beside none' imap-rows 20 imap-rows 0 0.2
aim 'NNTP with 20 ms of round trip, beside none' nntp-rows 20 nntp-rows 0 0.2
