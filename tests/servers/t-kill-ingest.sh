# `regtrail ingest` dies before and after every durable write, from every kind of source;
# the next run ends where an undisturbed one does, and the one after that does nothing.
# A reply comes long before its report, so that it is read a second time from its place.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/servers/lib.sh"
unset http_proxy https_proxy all_proxy no_proxy
REGTRAIL_BATCH=150
export REGTRAIL_BATCH
make_mails mails 620
examples=$REGTRAIL_SOURCE/docs/examples/mails
cp "$examples/foreign-report.eml" mails/000550-report
/usr/bin/python3 - "$examples/thread.mbox" <<'END'
import mailbox, sys
for name, mail in zip(("000005-a", "000300-b", "000580-c", "000600-d"), mailbox.mbox(sys.argv[1])):
    open("mails/" + name, "wb").write(mail.as_bytes())
END

# As each source has them.
for kind in imap nntp http; do
	mkdir $kind
	cp -r mails $kind
	feedd $kind $kind
	echo "$port" >port-$kind
done
echo step=7 >imap/plan
find mails -type f | LC_ALL=C sort | /usr/bin/python3 "$SERVERS/epoch.py" list/git/0.git -
mkdir -p maildir/new maildir/cur
for mail in mails/*; do
	cp "$mail" "maildir/new/${mail#mails/}.host"
	{ echo 'From ann@example.org Mon Nov 30 00:00:00 2026'
	sed 's/^\(>*From \)/>\1/' "$mail"
	echo; } >>mbox
done
echo secret >password
chmod 600 password

# configure NAME URL LINE...: a store with that source.
configure() {
	rm -rf "$1.store"
	mkdir "$1.store"
	expect 0 "$REGTRAIL" --config "$1.store/regtrail.conf" init
	printf '%s\n' '[regtrail]' 'database = regtrail.db' '[source it]' "url = $2" \
		'since-days = 500' >"$1.store/regtrail.conf"
	name=$1
	shift 2
	printf '%s\n' "$@" >>"$name.store/regtrail.conf"
}

ingest() {
	"$REGTRAIL" --config "$name.store/regtrail.conf" ingest >out 2>err </dev/null
}

state() {
	/usr/bin/python3 "$SERVERS/state.py" "$name.store/regtrail.db" >"$name.$1"
}

# finish WHAT: the next run, and one that has nothing to do.
finish() {
	ingest || { echo "$name: $1: the next run fails"; cat out err; exit 1; }
	state now
	[ -e "$name.wanted" ] || cp "$name.now" "$name.wanted"
	cmp "$name.now" "$name.wanted" || {
		echo "$name: $1"
		diff "$name.wanted" "$name.now" | head -n 40
		exit 1
	}
	ingest || { cat out err; exit 1; }
	contains out ': 0 new reports, 0 replies, 0 verdicts'
	[ "$name" = http ] || contains out '0 messages: '
	state now
	cmp "$name.now" "$name.wanted" || exit 1
}

# kill_all: at every durable write, until a run gets through.
kill_all() {
	finish 'undisturbed'
	contains "$name.wanted" "20261109093107.GA812@desk.example.org"
	cp "$name.store/regtrail.conf" conf
	writes=0
	while :; do
		rm "$name.store"/*
		expect 0 "$REGTRAIL" --config "$name.store/regtrail.conf" init
		cp conf "$name.store/regtrail.conf"
		writes=$((writes + 1))
		if REGTRAIL_DIE_AFTER=$writes ingest; then
			break
		fi
		finish "durable write $writes"
	done
	printf '%s: killed at %s durable writes\n' "$name" $((writes - 1))
	[ "$writes" -gt 4 ] || exit 1
}

box="imap://127.0.0.1:$(cat port-imap)/list"
configure imap "$box" 'user = ann' 'password-file = ../password' 'tls = never'
kill_all
configure nntp "nntp://127.0.0.1:$(cat port-nntp)/example.list"
kill_all
configure http "lore+http://127.0.0.1:$(cat port-http)/list/"
kill_all
configure git "pubinbox:$PWD/list"
kill_all
configure maildir "maildir:$PWD/maildir"
kill_all
configure mbox "mbox:$PWD/mbox"
kill_all

# However it came, the same is known of the thread.
for name in imap nntp http git maildir mbox; do
	"$REGTRAIL" --config "$name.store/regtrail.conf" list --all --json >"$name.list"
	cmp "$name.list" imap.list || exit 1
done
