# shellcheck shell=sh disable=SC2154 # run.sh gives expect, contains, lacks
# What stands in the operator's guide: the line for cron, and progress on a terminal.
SERVERS=$REGTRAIL_SOURCE/tests/servers
mkdir -p mails dir/cur
/usr/bin/python3 "$SERVERS/mails.py" mails 200
mv mails dir/new
expect 0 "$REGTRAIL" init
printf '%s\n' '[source dir]' 'url = maildir:dir' >>regtrail.conf

# On a terminal a line says how far it is, and is gone at the end.
cat >terminal.py <<'END'
import os, pty, subprocess, sys
ours, theirs = pty.openpty()
with open("out", "wb") as out:
    child = subprocess.Popen(sys.argv[1:], stdout=out, stderr=theirs)
os.close(theirs)
seen = b""
while True:
    try:
        piece = os.read(ours, 4096)
    except OSError:
        break
    if not piece:
        break
    seen += piece
sys.stdout.buffer.write(seen.replace(b"\r", b"<").replace(b"\x1b[K", b">"))
sys.exit(child.wait())
END
/usr/bin/python3 terminal.py "$REGTRAIL" ingest >terminal || { cat terminal; exit 1; }
contains out '200 messages: '
contains terminal '<>dir: 64 messages, 136 left<>'
[ "$(tail -c 2 terminal)" = '<>' ] || { cat terminal; exit 1; }
expect 0 "$REGTRAIL" ingest --again
[ ! -s err ] || { cat err; exit 1; }
contains out '200 messages: '

# cron: in a home that holds the robot, with little else; it mails what is printed, so
# all that goes well is silent, and what does not is said.
crontab=$REGTRAIL_SOURCE/docs/examples/regtrail.cron
mkdir -p home/robot home/bin
cp -r regtrail.conf regtrail.db dir home/robot
ln -s "$REGTRAIL" home/bin/regtrail
sed -n 's/^\*\/10 \* \* \* \* //p' "$crontab" >job
[ "$(wc -l <job)" -eq 1 ] || exit 1
path=$(sed -n 's/^PATH=//p' "$crontab")
[ -n "$path" ] || exit 1
cron() {
	env -i HOME="$PWD/home" PATH="$PWD/home/bin:$path" /bin/sh -c "$(cat job)" \
		>out 2>err </dev/null
}
cron || { cat out err; exit 1; }
[ ! -s out ] && [ ! -s err ] || exit 1
contains home/robot/regtrail.log 'ingest: 200 messages'
printf '%s\n' '[source away]' 'url = nntp://127.0.0.1:1/example.list' >>home/robot/regtrail.conf
cron || { cat out err; exit 1; }
contains err 'away: nntp://127.0.0.1:1/example.list: connect: '
printf '%s\n' '[source wrong]' 'url = mbox:none' >>home/robot/regtrail.conf
cron
contains err 'none: No such file'
sed -i '/^.source away/,$d' home/robot/regtrail.conf
echo 'nonsense' >>home/robot/regtrail.conf
if cron; then
	exit 1
fi
[ -s err ] || exit 1
# The guide has the same line.
contains "$REGTRAIL_SOURCE/docs/operating.md" "$(cat job)"
