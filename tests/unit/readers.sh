#!/bin/sh
# readers.sh EMIT_MAILS SOURCE COUNT: readers that are not ours understand our mails.
set -eu
emit=$1
source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/mails" "$dir/box" "$dir/box/new" "$dir/box/cur" "$dir/box/tmp"

"$emit" "$dir/mails" "$3"
/usr/bin/python3 -B "$source/tests/unit/read_mails.py" "$dir/mails"

if ! command -v mutt >/dev/null || ! command -v script >/dev/null; then
	echo 'skipped: mutt (package mutt) or script (package bsdutils) is missing'
	exit 0
fi

# see NAME TEXT...: mutt shows the golden mail NAME with each of these texts in it.
see() {
	name=$1
	shift
	rm -f "$dir"/box/new/* "$dir"/box/cur/* "$dir/shown"
	cp "$source/tests/golden/mail/$name.eml" "$dir/box/new/1.mail"
	cat >"$dir/muttrc" <<-END
		set folder="$dir"
		set spoolfile="$dir/box"
		set charset="utf-8"
		set pipe_decode=yes
		set wait_key=no
		set quit=yes
		set weed=no
		push "<pipe-message>cat >$dir/shown<enter><exit>"
	END
	TERM=xterm HOME=$dir timeout 60 script -qec \
		"mutt -n -F $dir/muttrc -R -f $dir/box" /dev/null >"$dir/screen" </dev/null ||
		true
	for text in "$@"; do
		if ! grep -qF -- "$text" "$dir/shown"; then
			printf 'mutt does not show %s in %s:\n' "$text" "$name"
			cat "$dir/shown" "$dir/screen"
			exit 1
		fi
	done
}

see regression 'Subject: [linus:master] [btrfs]  5e85262e54:' \
	'noticed a -40.3% regression of stress-ng.fallocate.ops_per_sec on:' \
	'     20.54 ±  3%     +19.9       40.47 ±  2%  mpstat.cpu.all.sys%'
see improvement 'To: Jörg Müller <joerg@example.org>' 'Doe, Jane'
see failure '"dmesg.WARNING:at_mm/memcontrol.c:#mod_memcg_state" on:' 'sleep 1'
see patch 'Subject: Re: [PATCH v2 3/5] mm: cut the tail off "long" lists (again)' \
	'References: <20250507152045.12266-1-ada@example.org>'
see machines 'note=zwölf | drei'
