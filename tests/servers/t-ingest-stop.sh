# SIGTERM and SIGINT in the middle of a run end it cleanly: what came is kept, the next
# run goes on from there, and ends as if nothing had been.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/servers/lib.sh"
make_mails mails 40
for kind in imap nntp; do
	mkdir $kind
	cp -r mails $kind
	feedd $kind $kind
	echo "$port" >port-$kind
done
find mails -type f | LC_ALL=C sort | /usr/bin/python3 "$SERVERS/epoch.py" list/git/0.git -
echo secret >password
chmod 600 password

# A git whose 20th mail waits for the file git/go.
mkdir git bin
cat >bin/git <<END
#!/bin/sh
case "\$*" in
*cat-file*--batch*) PATH=\${PATH#*:} git "\$@" | /usr/bin/python3 -c '
import os, sys, time
seen = 0
for line in sys.stdin.buffer:
    seen += line.startswith(b"Message-ID:")
    if seen == 20 and os.path.exists("$PWD/git/plan") and not os.path.exists("$PWD/git/go"):
        sys.stdout.buffer.flush()
        open("$PWD/git/waits", "w").write("here")
        while not os.path.exists("$PWD/git/go"):
            time.sleep(0.05)
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
' ;;
*) PATH=\${PATH#*:} exec git "\$@" ;;
esac
END
chmod 755 bin/git
PATH=$PWD/bin:$PATH

# stop_in KIND SIGNAL URL
stop_in() {
	rm -rf store
	mkdir store
	expect 0 "$REGTRAIL" --config store/regtrail.conf init
	printf '%s\n' '[regtrail]' '[source it]' "url = $3" 'user = ann' \
		'password-file = ../password' 'tls = never' >store/regtrail.conf
	rm -f "$1/waits" "$1/go"
	echo "$1=wait@20" | sed 's/^imap/fetch/; s/^nntp/article/' >"$1/plan"
	# A shell that does not wait for jobs makes them deaf to SIGINT.
	/usr/bin/python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$REGTRAIL" --config store/regtrail.conf ingest \
		>out 2>err </dev/null &
	ingest_pid=$!
	await "$1/waits"
	kill "-$2" "$ingest_pid"
	: >"$1/go"
	wait "$ingest_pid"
	same "$1 at $2" "$?" 75
	contains err 'it: stopped; the next run goes on from here'
	sed 's/ message.*//' out >before
	# None, where the signal was quicker than the mails.
	grep -qxE "[0-9]|[123][0-9]" before || { cat out; exit 1; }
	rm "$1/plan"
	expect 0 "$REGTRAIL" --config store/regtrail.conf ingest
	expect 0 "$REGTRAIL" --config store/regtrail.conf ingest
	contains out '0 messages'
	/usr/bin/python3 "$SERVERS/state.py" store/regtrail.db | grep -c '^unclaimed' >got
	same 'mails' "$(cat got)" 40
}

# same WHAT GOT WANT
same() {
	[ "$2" = "$3" ] || { echo "$1: $2, not $3"; cat out err; exit 1; }
}

for signal in TERM INT; do
	stop_in imap $signal "imap://127.0.0.1:$(cat port-imap)/list"
	stop_in nntp $signal "nntp://127.0.0.1:$(cat port-nntp)/example.list"
	stop_in git $signal "pubinbox:$PWD/list"
done
