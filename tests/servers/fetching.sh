# shellcheck shell=sh disable=SC2154
# For tests of sources that are read by cursors, with the program `fetch`.

# fetch STATUS OPTION... URL: runs it; ./out and ./err as with expect.  However it ends,
# its memory has its bounds; AddressSanitizer keeps what was freed, up to 256 MiB of it.
fetch() {
	fetch_status=$1
	shift
	expect "$fetch_status" "$FETCH" --timeout 60 --login ann:secret "$@"
	kib=$(sed -n 's/.*troubles, \([0-9]*\) KiB/\1/p' out)
	if [ "${kib:-0}" -gt 600000 ]; then
		printf '%s KiB of memory\n' "$kib"
		exit 1
	fi
}

# fresh [FAULT...]: no cursor, and what the server in ./server does wrong from now on.
fresh() {
	rm -f cursor
	plan server "$@"
}

# later CURSOR: an inbox over HTTP was first met as it is a long time ago.
later() {
	sed 's/ [0-9]*$/ 1/' "$1" >"$1.later"
	mv "$1.later" "$1"
}

# total MAILS [TROUBLES]: what the last run brought.
total() {
	contains out "$1 mails, ${2-0} troubles, "
}

# kept_all DIRECTORY: what was fetched is what the server has, in its order.
kept_all() {
	for mail in "$1"/mails/*; do
		number=$((${number-0} + 1))
		cmp "$mail" "got/$number" || exit 1
	done
	unset number
	rm -rf got
	mkdir got
}
