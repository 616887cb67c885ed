# shellcheck shell=sh disable=SC2154 # run.sh gives expect, contains, lacks
# Sources of the configuration, sync, and a backup that is older than what was sent.
examples=$REGTRAIL_SOURCE/docs/examples
expect 0 "$REGTRAIL" init
mkdir -p in/new in/cur in/tmp
cat >regtrail.conf <<'END'
[regtrail]
from = example test robot <robot@example.org>
[report]
approval = no
[send]
via = dir:sent
[source mails]
url = in
[source box]
url = mbox:box
[source gone]
url = mbox:gone
END
cp "$examples/mails/foreign-report.eml" in/new/1.a.host
cp "$examples/mails/thread.mbox" box

# One source that is not there does not keep the others from being read.
expect 1 "$REGTRAIL" ingest
contains err 'gone: No such file'
contains out 'mails: 1 message: 1 new report'
contains out 'box: '
: >gone

# A second run has nothing to do, and a name is a source.
expect 0 "$REGTRAIL" ingest
contains out '0 messages'
expect 0 "$REGTRAIL" ingest mails
contains out '0 messages'
expect 0 "$REGTRAIL" ingest --again mails
contains out '1 message: 0 new reports'
expect 2 "$REGTRAIL" ingest carrier:pigeon
contains err 'no such kind of source'

# What is appended and what a mail reader renames.
expect 0 "$REGTRAIL" list --all --json
cp out before
mv in/new/1.a.host in/cur/1.a.host:2,S
printf 'From a Thu Jan  1 00:00:00 2026\nFrom: Ann <ann@example.org>\nMessage-ID: <x@example.org>\nSubject: hi\n\nhi\n\n' >>box
expect 0 "$REGTRAIL" ingest
contains out 'mails: 0 messages'
contains out 'box: 1 message'
expect 0 "$REGTRAIL" list --all --json
cmp out before || exit 1

# --watch ends at a signal, cleanly.
"$REGTRAIL" ingest --watch --interval 1 >seen 2>err &
watcher=$!
printf 'From a Thu Jan  1 00:00:00 2026\nFrom: Ann <ann@example.org>\nMessage-ID: <y@example.org>\nSubject: hi\n\nhi\n\n' >>box
tries=1200
until grep -q '1 message' seen; do
	tries=$((tries - 1))
	[ $tries -gt 0 ] || { echo 'watch saw nothing'; cat seen err; exit 1; }
	sleep 0.1
done
kill -TERM $watcher
wait $watcher || { echo "watch ended with $?"; cat err; exit 1; }

# sync does all of it; the report leaves.
root=$(echo "$examples"/results/unixbench/*/*/*/*/*)
expect 0 "$REGTRAIL" report --commits "$examples/commits.json" \
	"$root/aa6e427d334b832d952d658cae44f65f99ffaf74" \
	"$root/8f3ab2a3b2ce14772811945b1f7ea036b769932e"
python3 -c 'import sqlite3; sqlite3.connect("regtrail.db").execute("VACUUM INTO \"backup.db\"")'
expect 0 "$REGTRAIL" sync
contains out 'ingest: '
contains out 'send: '
[ "$(find sent -name '*.eml' | wc -l)" -eq 1 ] || exit 1
expect 0 "$REGTRAIL" sync
contains out 'nothing to send'

# The backup thinks that the report waits; what came back by the list tells it better.
cp backup.db regtrail.db
rm -f regtrail.db-wal regtrail.db-shm
: >regtrail.stop
cp sent/*.eml in/new/2.b.host
expect 0 "$REGTRAIL" check
expect 0 "$REGTRAIL" ingest
expect 0 "$REGTRAIL" outbox
contains out sent
rm regtrail.stop
expect 0 "$REGTRAIL" send
contains out 'nothing to send'
[ "$(find sent -name '*.eml' | wc -l)" -eq 1 ] || exit 1
expect 0 "$REGTRAIL" list
contains out reported

# The trees are scanned between the two; one that is not there keeps nothing back.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/cli/trees.sh"
tree linux
expect 0 "$REGTRAIL" outbox --json
mid=$(sed -n 's/.*"message_id":"\([^"]*\)".*/\1/p' out | head -n 1)
[ -n "$mid" ] || { cat out; exit 1; }
commit linux fix "sched/fair: Keep small machines together

Closes: https://lore.example.org/r/$mid" >/dev/null
printf '%s\n' '[tree lost]' 'path = nowhere' '[tree linus]' 'path = linux' \
	'branch = master' 'order = mainline' >>regtrail.conf
expect 1 "$REGTRAIL" sync
contains err "lost HEAD: $PWD/nowhere: "
contains out 'scan: '
contains out 'reported -> fixed'
contains out 'send: nothing to send'
# What may be better next time does not hide what will not.
printf '%s\n' '[source away]' 'url = nntp://127.0.0.1:1/list' 'tls = never' >>regtrail.conf
expect 1 "$REGTRAIL" sync
contains err 'away: '
sed -i '/^\[source away\]/,$d' regtrail.conf
sed -i '/^\[tree lost\]/,/^path/d' regtrail.conf
expect 0 "$REGTRAIL" sync
contains out 'scan: nothing new'
expect 0 "$REGTRAIL" list
lacks out '8f3ab2a3b2'
