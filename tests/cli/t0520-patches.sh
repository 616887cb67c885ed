# shellcheck shell=sh disable=SC2154 # run.sh and trees.sh give the rest
# Patches in replies: listed, handed to git am, tested, and found again when they land.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/cli/trees.sh"
setup
tree linus
git clone -q linus next
printf 'one\ntwo\nthree\ngr\303\274n\n' >linus/count
culprit=$(commit linus count 'mm: Count in English' four)
report count linus master "$culprit" 'mm: Count in English'
regression=$id
printf 'one\nzwei\nthree\ngr\303\274n\nfour\n' >linus/count
git -C linus diff >change
git -C linus checkout -q count

# reply NAME: a reply to the report out of ./body; further header lines in ./header.
reply() {
	{
		printf 'From: Mara Lindqvist <mara@example.org>\nTo: robot@example.org\n'
		printf 'Subject: %s\nDate: %s\n' "${subject-Re: a regression}" \
			"$(date -R -u -d "@$(now)")"
		printf 'Message-ID: <%s@example.org>\nIn-Reply-To: <%s>\n' "$1" "$mid"
		cat header
		echo
		cat body
	} >"$1.eml"
	expect 0 "$REGTRAIL" ingest "$1.eml"
}

# applies NAME TITLE: git am takes the patch of that mail, and makes the change.
applies() {
	expect 0 "$REGTRAIL" patch "<$1@example.org>" -o "$1.mbox"
	git -C linus am -q <"$1.mbox" || { cat "$1.mbox"; exit 1; }
	[ "$(sed -n 2p linus/count)" = zwei ] || exit 1
	[ "$(git -C linus log -1 --format=%s)" = "$2" ] || {
		git -C linus log -1
		exit 1
	}
	[ "$(git -C linus log -1 --format=%an)" = "${3-Mara Lindqvist}" ] || exit 1
	git -C linus reset -q --hard HEAD~1
}

utf8='MIME-Version: 1.0
Content-Type: text/plain; charset=UTF-8
Content-Transfer-Encoding: 8bit'

# ---- in every form
echo "$utf8" >header
{ printf 'Hi,\n\ndoes this help?\n\n'; cat change; printf '\nThanks,\nMara\n'; } >body
reply inline
applies inline 'a regression'

{ printf 'Hi,\n\ncould you test this?\n\n-- 8< --\nSubject: [PATCH] mm: Count in German\n\nIt is shorter.\n\nSigned-off-by: Mara Lindqvist <mara@example.org>\n---\n'; cat change; } >body
reply scissors
applies scissors 'mm: Count in German'
expect 0 "$REGTRAIL" patch scissors@example.org
contains out 'It is shorter.'
lacks out 'could you test'

# Of the message only what git am would take for the next mail is changed.
{ printf 'Hi,\n\n-- 8< --\nSubject: [PATCH] mm: Count in German\n\nFrom here on it is shorter.\nFrom a@b Mon Sep 17 00:00:00 2001\n---\n'; cat change; } >body
reply from
expect 0 "$REGTRAIL" patch from@example.org -o from.mbox
git -C linus am -q <from.mbox || exit 1
git -C linus log -1 --format=%b >message
printf 'From here on it is shorter.\n>From a@b Mon Sep 17 00:00:00 2001\n\n' | cmp - message || {
	cat message
	exit 1
}
git -C linus reset -q --hard HEAD~1

printf 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n' >header
{
	printf -- '--b\nContent-Type: text/plain\n\nPlease try the patch.\n--b\n'
	printf 'Content-Type: text/x-patch\nContent-Disposition: attachment; filename=x.patch\n'
	printf 'Content-Transfer-Encoding: base64\n\n'
	{ printf 'From: Nia Okafor <nia@example.org>\nSubject: [PATCH] mm: Count\n in German\n\nIt is shorter.\n---\n'; cat change; } | base64
	printf -- '--b--\n'
} >body
reply attached
applies attached 'mm: Count in German' 'Nia Okafor'

printf 'MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: quoted-printable\n' >header
{ printf 'Try this:\n\n'; cat change; } | python3 -c 'import quopri, sys
sys.stdout.buffer.write(quopri.encodestring(sys.stdin.buffer.read()))' >body
reply qp
applies qp 'a regression'

printf 'MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: base64\n' >header
{ printf 'Try this:\r\n\r\n'; sed 's/$/\r/' change; } | base64 >body
reply crlf
applies crlf 'a regression'

# Stuffed as RFC 3676 says; the mended one applies.
printf 'MIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8; format=flowed\nContent-Transfer-Encoding: 8bit\n' >header
{ printf 'Try this:\n\n'; sed 's/^ /  /' change; } >body
reply flowed
applies flowed 'a regression'

# A mail program wrapped it beyond repair.
echo "$utf8" >header
{ printf 'Try this:\n\n'; sed 's/^ three/ th\nree/' change; } >body
reply wrapped
expect 1 "$REGTRAIL" patch wrapped@example.org
contains err 'a line of the diff was wrapped or changed'
[ ! -s out ] || exit 1

subject='[PATCH] mm: Count in German'
{ printf 'It is shorter.\n\nSigned-off-by: Mara Lindqvist <mara@example.org>\n---\n count | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n\n'; cat change; printf -- '-- \n2.39.2\n'; } >body
reply mail
applies mail 'mm: Count in German'
unset subject

printf 'Hi,\n\ncould you please test\ngit://git.example.org/mara/linux.git count-v2\n\nMara\n' >body
reply branch
expect 1 "$REGTRAIL" patch branch@example.org
contains err 'offers a branch of git://git.example.org/mara/linux.git'

printf 'I do not think so.\n' >body
reply none
expect 1 "$REGTRAIL" patch none@example.org
contains err 'offers no patch'
expect 1 "$REGTRAIL" patch unknown@example.org
contains err 'no such mail'

# ---- does it apply?
expect 0 "$REGTRAIL" patch --check linus mail@example.org
expect 1 "$REGTRAIL" patch --check next mail@example.org
contains err 'it does not apply'
# git am says so as well; nothing is lost for that.
before=$(git -C next rev-parse HEAD)
expect 0 "$REGTRAIL" patch mail@example.org -o mail.mbox
if git -C next am <mail.mbox >am.out 2>&1; then
	echo 'git am took what does not apply'
	exit 1
fi
contains am.out 'count: does not exist in index'
git -C next am --abort
[ "$(git -C next rev-parse HEAD)" = "$before" ] || exit 1
expect 0 "$REGTRAIL" patches
contains out 'regtrail patch mail@example.org'

# ---- the list
status "$regression" fix-posted
expect 0 "$REGTRAIL" patches
python3 -c 'assert all(len(l.rstrip("\n")) <= 80 for l in open("out", encoding="utf-8"))' || { cat out; exit 1; }
contains out 'git pull git://git.example.org/mara/linux.git count-v2'
contains out 'regtrail patch mail@example.org'
expect 0 "$REGTRAIL" patches --json
[ "$(wc -l <out)" -eq 10 ] || { cat out; exit 1; }
contains out '"form":"scissors","title":"mm: Count in German"'
contains out '"problem":"line'
expect 0 "$REGTRAIL" patches --csv
contains out 'message_id,position,regression'

# ---- commands are there to be copied: never cut, and words of strangers are quoted
{ printf 'Try this:\n\n'; cat change; } >body
reply 'a;id&b'
long=a-very-long-message-id-as-some-mail-programs-make-them-of-many-things
reply "$long"
printf 'Please test\ngit://git.example.org/mara/linux.git;id branch x&id\n' >body
reply shell
expect 0 "$REGTRAIL" patches
contains out "regtrail patch 'a;id&b@example.org'"
contains out "regtrail patch $long@example.org"
contains out "git pull 'git://git.example.org/mara/linux.git;id' 'x&id'"

# ---- a re-test that is sent closes the entries, and its outcome counts
cat >retest.json <<END
{"testcase": "unixbench", "machine": "box", "parameters": {"test": "count"},
 "columns": [{"commit": {"id": "$(printf '%040d' 7)"}},
  {"commit": {"id": "$culprit", "subject": "mm: Count in English", "tree": "linus",
   "branch": "master", "author": {"name": "Mara Lindqvist", "address": "mara@example.org"}}},
  {"commit": {"id": "$(printf '%040d' 9)"}, "label": "fix"}],
 "metrics": [{"name": "unixbench.score",
  "samples": [[100, 101, 99, 100], [90, 91, 89, 90], [90, 91, 89, 90]]}]}
END
expect 0 "$REGTRAIL" report --retest "$regression" --date "@$(now)" --kind regression retest.json
draft=$(sed -n 's/^draft \([0-9]*\):.*/\1/p' out)
expect 0 "$REGTRAIL" patches
contains out 'regtrail patch mail@example.org'
expect 0 "$REGTRAIL" outbox approve "$draft"
expect 0 "$REGTRAIL" send --via dir:sent
expect 0 "$REGTRAIL" patches
contains out 'no patch waits for a test'
status "$regression" investigating
expect 0 "$REGTRAIL" patches --all --json
contains out '"outcome":"not-fixed"'

# ---- the offered patch lands under another title: its patch-id tells
{ printf 'Once more.\n\n-- 8< --\nSubject: [PATCH] mm: Count in whatever\n---\n'; cat change; } >body
reply again
expect 0 "$REGTRAIL" patch again@example.org -o again.mbox
git -C next pull -q ../linus master
git -C next am -q <again.mbox
GIT_COMMITTER_DATE="@$(now) +0000" git -C next commit -q --amend -m 'mm: Count in fewer letters'
scan
contains flat 'the patch-id is that of an offered patch'
status "$regression" fix-queued
git -C linus pull -q ../next master
scan
status "$regression" fixed

# ---- a bot's notice in the thread
culprit=$(commit linus walk 'mm: Walk slowly')
report walk linus master "$culprit" 'mm: Walk slowly'
subject='[PATCH] mm: Walk fast'
{ printf 'Faster.\n---\n'; cat change; } >body
reply walk
status "$id" fix-posted
subject='Re: [PATCH] mm: Walk fast'
mid=walk@example.org
printf 'Hello:\n\nThis patch was applied to example/mm.git (main)\nby Tomas Kolar <tomas@example.org>:\n\nOn Mon, 1 Jan 2024 you wrote:\n> Faster.\n\nHere is the summary with links:\n  - mm: Walk fast\n    https://git.example.org/example/mm/c/0123456789ab\n' >body
sed -i 's/^From: .*/From: x/' walk.eml
reply notice
sed 's/^From: .*/From: patchwork-bot+mm@example.org/; s/<notice@/<bot@/' notice.eml >bot.eml
expect 0 "$REGTRAIL" ingest bot.eml
status "$id" fix-queued
expect 0 "$REGTRAIL" show "$id"
contains out 'was applied to example/mm.git (main)'
