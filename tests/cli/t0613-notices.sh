# shellcheck shell=sh disable=SC2154,SC2034 # run.sh and trees.sh give the rest
# What bots tell in a thread about commits that were merged counts for the patches that
# the thread offers, and for nothing else.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/cli/trees.sh"
setup
sed -i 's/^from = .*/&\ntrusted-hosts = mx.example.org/' regtrail.conf
tree linus
printf 'one\ntwo\nthree\n' >linus/count
commit linus count 'Count' >/dev/null
link=https://lore.example.org/r

# mail NAME FROM ANSWERS SUBJECT: a mail with the body on standard input, and with the
# line $proof in its header.
proof=''
mail() {
	{
		printf 'From: %s\nTo: robot@example.org\nSubject: %s\nDate: %s\n' "$2" \
			"$4" "$(date -R -u -d "@$(now)")"
		printf 'Message-ID: <%s@example.org>\n' "$1"
		[ -z "$proof" ] || echo "$proof"
		[ -z "$3" ] || printf 'In-Reply-To: <%s>\n' "$3"
		echo
		cat
	} >"$1.eml"
	expect 0 "$REGTRAIL" ingest "$1.eml"
}

# patch NAME TITLE: somebody answers the report with a patch.
patch() {
	mail "$1" 'Nia Okafor <nia@example.org>' "$mid" "[PATCH] $2" <<END
It is faster.

Signed-off-by: Nia Okafor <nia@example.org>
---
 count | 2 +-
 1 file changed, 1 insertion(+), 1 deletion(-)

diff --git a/count b/count
--- a/count
+++ b/count
@@ -1,3 +1,3 @@
 one
-two
+zwei
 three
END
}

# merged TITLE: what the bot of tip writes when a commit of that title is merged.
merged() {
	cat <<END
The following commit has been merged into the sched/urgent branch of tip:

Commit-ID:     89abcdef0123456789abcdef0123456789abcdef
Gitweb:        https://git.example.org/tip/89abcdef0123456789abcdef0123456789abcdef
Author:        Nia Okafor <nia@example.org>
Committer:     Tomas Kolar <tomas@example.org>

$1

It is faster.
$2
Signed-off-by: Nia Okafor <nia@example.org>
---
 count | 2 +-

diff --git a/count b/count
END
}
tip='"tip-bot2 for Nia Okafor" <tip-bot2@example.org>'

# regression NAME: a culprit in linus, and a report about it.
regression() {
	culprit=$(commit linus "$1" "sched: Spread the $1")
	report "$1" linus master "$culprit" "sched: Spread the $1"
}

# ---- tip: the culprit itself is no fix; the patch that the thread offers is one
regression tasks
merged 'sched: Spread the tasks' '' | mail culprit "$tip" "$mid" '[tip: sched/core] sched: Spread the tasks'
status "$id" reported
expect 0 "$REGTRAIL" show "$id"
lacks out '89abcdef0123'
patch tasks 'sched: Keep the tasks together'
status "$id" fix-posted
merged 'sched: Something else' '' | mail other "$tip" "$mid" '[tip: sched/urgent] sched: Something else'
status "$id" fix-posted
merged 'sched: Keep the tasks together' '' |
	mail tip "$tip" tasks@example.org '[tip: sched/urgent] sched: Keep the tasks together'
status "$id" fix-queued
expect 0 "$REGTRAIL" show "$id"
contains out 'has been merged into the sched/urgent branch of tip'
contains out '89abcdef0123'

# The mail says so alone, and so does the program about it.
expect 0 "$REGTRAIL" parse tip.eml tasks.eml
contains out '"notices":[{"tree":"tip","branch":"sched/urgent","mainline":false,"commit":"89abcdef0123456789abcdef0123456789abcdef","subject":"sched: Keep the tasks together"'
contains out '"patches":[{"form":"mail","title":"sched: Keep the tasks together"'
/usr/bin/python3 - "$REGTRAIL_SOURCE/docs/parse.schema.json" <<'END' || exit 1
import json, sys
schema = json.load(open(sys.argv[1], encoding="utf-8"))
defs = schema["$defs"]
for line in open("out", encoding="utf-8"):
    mail = json.loads(line)
    for what, names in (([mail], schema), (mail["patches"], defs["patch"]),
                        (mail["notices"], defs["notice"])):
        for one in what:
            if sorted(one) != sorted(names["required"]):
                sys.exit(f"{sorted(one)} are not the fields of the schema")
END
expect 0 "$REGTRAIL" explain tip@example.org
contains out 'notice      89abcdef0123456789abcdef0123456789abcdef in tip sched/urgent'
expect 0 "$REGTRAIL" explain tasks@example.org
contains out 'patch       mail: sched: Keep the tasks together'

# ---- in no thread, but the commit that it shows closes the report
regression threads
merged 'sched: Keep the threads together' "
Closes: $link/$mid" | mail alone "$tip" '' '[tip: sched/urgent] sched: Keep the threads together'
status "$id" fix-queued

# ---- a pull request in the thread, merged into mainline
regression groups
mail pull 'Nia Okafor <nia@example.org>' "$mid" '[GIT PULL] scheduler fixes' <<'END'
Hi,

please pull from

  git://git.example.org/nia/linux.git sched-fixes

which keeps the groups together.
END
# Anybody can write in the bot's name: to close takes that somebody vouches for it.
cat >notice <<'END'
The pull request you sent on Sun, 28 Jan 2024 10:00:00 +0100:

> git://git.example.org/nia/linux.git sched-fixes

has been merged into torvalds/linux.git:
https://git.example.org/torvalds/c/456789abcdef0123456789abcdef0123456789ab

Thank you!

-- 
Deet-doot-dot, I am a bot.
END
mail forged 'pr-tracker-bot@example.org' pull@example.org 'Re: [GIT PULL] scheduler fixes' <notice
status "$id" fix-queued
proof='Authentication-Results: mx.example.org; dkim=pass header.d=evil.example'
mail foreign 'pr-tracker-bot@example.org' pull@example.org 'Re: [GIT PULL] scheduler fixes' <notice
status "$id" fix-queued
proof='Authentication-Results: mx.example.org; dkim=pass header.d=example.org'
mail pulled 'pr-tracker-bot@example.org' pull@example.org 'Re: [GIT PULL] scheduler fixes' <notice
proof=''
status "$id" fixed
expect 0 "$REGTRAIL" show "$id"
contains out 'has been merged into torvalds/linux.git'

# ---- what people write, or quote, of such mails is no notice
regression queues
patch queues 'sched: Keep the queues together'
merged 'sched: Keep the queues together' '' |
	mail human 'Mara Lindqvist <mara@example.org>' queues@example.org '[tip: sched/urgent] sched: Keep the queues together'
merged 'sched: Keep the queues together' '' | sed 's/^/> /' |
	mail quoted "$tip" queues@example.org 'Re: [tip: sched/urgent] sched: Keep the queues together'
status "$id" fix-posted

# ---- a pull request is not the patch of everything that it holds
mail later "pr-tracker-bot@example.org" "$mid" 'Re: [GIT PULL] more' <<'END'
The pull request you sent on Sun, 28 Jan 2024 10:00:00 +0100:

has been merged into torvalds/linux.git:
https://git.example.org/torvalds/c/456789abcdef0123456789abcdef0123456789ab
END
status "$id" fix-posted
expect 0 "$REGTRAIL" digest
contains out 'Keep the queues together'
lacks out '456789abcdef'
# The trees of the configuration are looked for by no other step.
tree next
expect 0 "$REGTRAIL" check
