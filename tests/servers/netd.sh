#!/bin/sh
# netd.sh start DIRECTORY | add DIRECTORY MAIL | stop DIRECTORY: a public-inbox of its own
# with one list, "list" (news group example.list), of the mails DIRECTORY/mails/*, and
# its server on free ports of 127.0.0.1, written to DIRECTORY/port-http, port-nntp,
# port-imap; over TLS with DIRECTORY/pki/good.*: port-nntps, port-imaps.  The mailbox of
# IMAP is example.list.0.
set -eu
dir=$2
export HOME="$dir/home" PI_CONFIG="$dir/config" XDG_RUNTIME_DIR="$dir/run"
export XDG_CACHE_HOME="$dir/cache" PERL_INLINE_DIRECTORY="$dir/inline"
here=$(dirname "$0")
# shellcheck source=/dev/null
. "$here/ports.sh"

make_list() {
	mkdir -p "$HOME" "$XDG_RUNTIME_DIR" "$PERL_INLINE_DIRECTORY"
	chmod 700 "$XDG_RUNTIME_DIR"
	find "$dir/mails" -type f | LC_ALL=C sort |
		/usr/bin/python3 "$here/epoch.py" "$dir/list/git/0.git" -
	public-inbox-init -V2 -L medium --ng example.list list "$dir/list" \
		http://127.0.0.1:1/list list@example.org
	git config -f "$PI_CONFIG" publicinboxmda.spamcheck none
	public-inbox-index "$dir/list"
}

# serve HTTP NNTP IMAP NNTPS IMAPS: the ports
serve() {
	with="cert=$dir/pki/good.pem,key=$dir/pki/good.key"
	public-inbox-netd -W0 -l "http://127.0.0.1:$1" -l "nntp://127.0.0.1:$2" \
		-l "imap://127.0.0.1:$3" -l "nntps://127.0.0.1:$4?$with" \
		-l "imaps://127.0.0.1:$5?$with" >"$dir/out" 2>"$dir/err" </dev/null &
	echo $! >"$dir/pid"
	is_there_soon "$1" kill -0 "$(cat "$dir/pid")" || return 1
	is_there_soon "$5" kill -0 "$(cat "$dir/pid")" || return 1
	for name in http nntp imap nntps imaps; do
		echo "$1" >"$dir/port-$name"
		shift
	done
}

# Another may take a free port before we do: then try the next.
start() {
	make_list >"$dir/made" 2>&1 || { cat "$dir/made"; return 1; }
	for _ in 1 2 3; do
		# shellcheck disable=SC2046 # five ports
		if serve $(free_ports 5); then
			return 0
		fi
		stop
	done
	cat "$dir/err"
	return 1
}

add() {
	ORIGINAL_RECIPIENT=list@example.org public-inbox-mda --no-precheck <"$1"
}

stop() {
	end_of "$dir/pid"
}

command=$1
shift 2
"$command" "$@"
