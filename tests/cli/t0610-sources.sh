# shellcheck shell=sh disable=SC2154 # run.sh gives expect, contains, lacks
# Sources that change between two runs: each run reads what is new, and nothing is lost.
SERVERS=$REGTRAIL_SOURCE/tests/servers
examples=$REGTRAIL_SOURCE/docs/examples/mails
export GIT_AUTHOR_NAME=Ann GIT_AUTHOR_EMAIL=ann@example.org
export GIT_COMMITTER_NAME=Ann GIT_COMMITTER_EMAIL=ann@example.org
mkdir mails
/usr/bin/python3 "$SERVERS/mails.py" mails 30
expect 0 "$REGTRAIL" init

# epoch REPOSITORY MAIL...: on top of what it has.
epoch() {
	/usr/bin/python3 "$SERVERS/epoch.py" "$@" || exit 1
}

# reads COUNT SOURCE [KNOWN]: so many come from there, so many of them known before.
reads() {
	expect 0 "$REGTRAIL" ingest "$2"
	contains out "$1 message"
	contains out ': 0 new reports'
	contains out " ${3-0} known already"
	[ "$1" -eq 0 ] || expect 0 "$REGTRAIL" ingest "$2"
	contains out '0 messages'
}

# without REPOSITORY MAIL: as public-inbox takes a mail away, by a file `d` with it.
without() {
	blob=$(git -C "$1" hash-object -w --stdin <"$2")
	tree=$(printf '100644 blob %s\td\n' "$blob" | git -C "$1" mktree)
	commit=$(git -C "$1" commit-tree -p master -m removed "$tree")
	git -C "$1" update-ref refs/heads/master "$commit"
}

# A public-inbox: a new epoch is found; what was removed before we saw it is not read.
epoch list/git/0.git mails/000001 mails/000002 mails/000003
reads 3 pubinbox:list
epoch list/git/1.git mails/000004 mails/000005
reads 2 pubinbox:list
epoch list/git/1.git mails/000006 mails/000007
without list/git/1.git mails/000006
reads 1 pubinbox:list
without list/git/1.git mails/000005
reads 0 pubinbox:list
epoch list/git/1.git mails/000008
reads 1 pubinbox:list

# Purged: from its first commit on another history, without one mail and with a new one.
# The old commit may still be there, or not.
mv list/git/1.git purged.git
git clone -q --bare purged.git list/git/1.git
git -C list/git/1.git update-ref -d refs/heads/master
epoch list/git/1.git mails/000004 mails/000007 mails/000008 mails/000009
reads 3 pubinbox:list 2
rm -rf list/git/1.git
epoch list/git/1.git mails/000007 mails/000008 mails/000009 mails/000010
reads 4 pubinbox:list 3

# A mirror is brought up to date first; what it has is read when that fails.
mkdir -p mirror/git
git clone -q --mirror list/git/1.git mirror/git/1.git
cat >>regtrail.conf <<'END'
[source mirror]
url = pubinbox:mirror
mirror = yes
END
reads 4 mirror
epoch list/git/1.git mails/000011
reads 1 mirror
epoch list/git/1.git mails/000012
git -C mirror/git/1.git fetch -q
mv list away
expect 75 "$REGTRAIL" ingest mirror
contains out '1 message'
contains err 'mirror/git/1.git: git fetch: '
mv away list
reads 0 mirror

# append MAIL...: to the mbox.
append() {
	for mail; do
		echo 'From ann@example.org Mon Nov 30 00:00:00 2026'
		sed 's/^\(>*From \)/>\1/' "$mail"
		echo
	done >>box
}

# An mbox: appended, rotated, rewritten in place, and all of it while it is locked.
append mails/000013 mails/000014
reads 2 mbox:box
append mails/000015
reads 1 mbox:box
mv box box.1
append mails/000016
reads 1 mbox:box
append mails/000017
reads 1 mbox:box
# As mail readers do it, who keep the file: the first is gone, the second has a mark.
{ echo 'From ann@example.org Mon Nov 30 00:00:00 2026'
sed '1i Status: RO' mails/000017; echo; } >new
cat new >box
append mails/000018
reads 2 mbox:box
cat >>regtrail.conf <<'END'
[source box]
url = mbox:box
timeout = 1
END
cat >lock.py <<'END'
import fcntl, os, sys
box = open("box", "r+b")
fcntl.lockf(box, fcntl.LOCK_EX)
open("locked", "w").write("yes")
sys.stdin.read()
END
append mails/000019
mkfifo hold
/usr/bin/python3 lock.py <hold &
locker=$!
exec 3>hold
until [ -s locked ]; do
	sleep 0.05
done
expect 75 "$REGTRAIL" ingest box
contains err 'box: '
contains err 'lock'
exec 3>&-
wait "$locker"
reads 1 box

# A Maildir: a reply that moved and got flags is read again when its report comes.
mkdir -p dir/new dir/cur dir/tmp
cat >reply.eml <<'END'
From: Priya Raman <priya.raman@example.org>
Subject: Re: it
Date: Mon, 9 Nov 2026 10:31:07 +0100
Message-ID: <moved@example.org>
In-Reply-To: <202611090814.6c1fd2e8-robot@bench.example.org>

I can reproduce this and look into it.
END
cp reply.eml dir/new/1.host
reads 1 maildir:dir
mv dir/new/1.host dir/cur/1.host:2,S
reads 0 maildir:dir
mv dir/cur/1.host:2,S dir/cur/1.host:2,RS
cp "$examples/foreign-report.eml" dir/new/2.host
expect 0 "$REGTRAIL" ingest maildir:dir
contains out '1 message: 1 new report, 1 reply'
expect 0 "$REGTRAIL" replies 4b7d1e90c2 --json
contains out moved@example.org

# A server that nothing is configured of can be asked by other commands, too.
for url in nntp://127.0.0.1:1/x imap://127.0.0.1:1/x lore+http://127.0.0.1:1/x/; do
	expect 75 "$REGTRAIL" parse "$url"
	contains err '127.0.0.1:1/x'
done
