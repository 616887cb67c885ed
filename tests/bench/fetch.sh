#!/bin/sh
# fetch.sh BUILD [MAILS]: mails a second and peak of own memory (RssAnon) over each
# source, over loopback: IMAP from a private dovecot beside mbsync (without fsync), NNTP
# and HTTP from a private public-inbox; `fetch` hands them over alone, `regtrail
# ingest` stores rows too.  Then the same with round trips of 20 ms.  Dovecot needs root.
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

# row WHAT COMMAND...: how many mails a second that is; the best of three runs, each from
# nothing, and the memory that the program tells of.
row() {
	what=$1
	best=''
	shift
	for _ in 1 2 3; do
		rm -rf cursor copy state regtrail.*
		mkdir copy state
		start=$(date +%s.%N)
		"$@" >row.log 2>&1 || { cat row.log; exit 1; }
		took=$(echo "$start $(date +%s.%N)" | awk '{ print $2 - $1 }')
		best=$(echo "$took $best" | awk '{ print $2 == "" || $1 < $2 ? $1 : $2 }')
	done
	memory=$(sed -n 's/.*troubles, \([0-9]*\) KiB/\1/p' row.log)
	echo "$best" | awk -v what="$what" -v n="$mails" -v memory="${memory:--}" \
		'{ printf "  %-40s %9.0f a second %8.2f s %8s KiB\n", what, n / $1, $1, memory }'
}

get() {
	"$fetch" --quiet --login ann:secret --tls never "$@"
}

# ingest URL: with rows stored; its peak of RssAnon as `fetch` tells it.
ingest() {
	"$regtrail" init >/dev/null
	printf '%s\n' '[regtrail]' 'database = regtrail.db' '[source it]' "url = $1" \
		'user = ann' 'password-file = password' 'tls = never' 'since-days = 3000' \
		>regtrail.conf
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

singly() {
	"$fetch" --quiet --login ann:secret --places places "$1"
}

# beside MILLISECONDS
beside() {
	if [ -e box/port ]; then
		box=$(cat box/port)
		[ "$1" = 0 ] || { relay relay-imap "$box" "$1"; box=$port; }
		row 'IMAP, handed over' get "imap://127.0.0.1:$box"
		row 'IMAP, rows stored' ingest "imap://127.0.0.1:$box"
		row 'mbsync' mbsync_from "$box"
	fi
	news=$(cat archive/port-nntp)
	web=$(cat archive/port-http)
	if [ "$1" != 0 ]; then
		relay relay-nntp "$news" "$1"
		news=$port
		relay relay-http "$web" "$1"
		web=$port
	fi
	row 'NNTP, handed over' get "nntp://127.0.0.1:$news/example.list"
	row 'NNTP, rows stored' ingest "nntp://127.0.0.1:$news/example.list"
	if [ "$1" = 0 ]; then
		row 'NNTP, one article at a time' singly "nntp://127.0.0.1:$news/example.list"
	fi
	row 'HTTP (search), handed over' get --since 1700000000 "lore+http://127.0.0.1:$web/list/"
}

port=''
make_mails mails "$mails"
mkdir archive box
"$SERVERS/pki.sh" archive/pki
cp -r archive/pki box
(umask 077 && echo secret >password)
printf '%s mails, %s KiB\n' "$mails" "$(du -sk --apparent-size mails | cut -f1)"
if [ "$(id -u)" -eq 0 ]; then
	mkdir -p box/mail/ann/Maildir/new box/mail/ann/Maildir/cur box/mail/ann/Maildir/tmp
	for mail in mails/*; do
		mv "$mail" "box/mail/ann/Maildir/new/17000${mail#mails/}.M1.host"
	done
	chown -R mail:mail box/mail
	dovecot box
	cp -r box/mail/ann/Maildir/new archive/mails
else
	mv mails archive/mails
fi
netd archive
for number in $(seq "$mails"); do
	printf '%s <m%s@example.org>\n' "$number" "$number"
done >places
beside 0
echo 'round trips of 20 ms'
beside 20
