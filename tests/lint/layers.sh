#!/bin/sh
# layers.sh ROOT: who may include whom.  A module is seen from outside only through its
# one public header; arrows: render -> parser, tracker -> parser, mailer -> nobody.
set -u
cd "$1" || exit 2
bad=0

# deny DIRECTORIES PATTERN WHY: no file below includes a header of ours that matches.
deny() {
	# shellcheck disable=SC2086 # the directories are a list
	if grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[\"<]($2)" --include='*.[ch]' $1; then
		printf '^^^ %s\n' "$3"
		bad=1
	fi
}

deny 'parser' '(render|mailer|tracker|cli|templates)/' 'parser is the bottom: it includes nobody'
deny 'render' '(mailer|tracker|cli|templates)/' 'render sees parser alone'
deny 'mailer' '(parser|render|tracker|cli|templates)/' 'mailer moves bytes and reads none'
deny 'tracker' '(render|mailer|cli|templates)/' 'the store does not send or print'
deny 'templates' '(parser|render|mailer|tracker|cli)/' 'templates are data'
bad_public=$(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"(parser|render|mailer|tracker)/' \
	--include='*.[ch]' parser render mailer tracker cli |
	awk -F: '{
		split($1, path, "/"); own = path[1]
		match($0, /"[^"]+"/); header = substr($0, RSTART + 1, RLENGTH - 2)
		split(header, part, "/"); module = part[1]
		if (module != own && header != module "/" module ".h")
			print $0
	}')
if [ -n "$bad_public" ]; then
	# Topic headers of render may name the parser's one header only; the same for all.
	printf '%s\n^^^ from outside, a module is its one public header\n' "$bad_public"
	bad=1
fi
# Names without a directory hide where a header lives.
if grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^/"]*"' --include='*.[ch]' \
	parser render mailer tracker cli templates; then
	printf '^^^ includes are written from the root\n'
	bad=1
fi
# Third-party headers stay out of the public ones.
for header in parser/parser.h render/render.h mailer/mailer.h tracker/tracker.h \
	parser/error.h parser/identity.h parser/lists.h parser/mail.h parser/report.h \
	parser/reading.h parser/results.h render/compare.h render/mail.h render/text.h; do
	if grep -nE '#[[:space:]]*include[[:space:]]*<(sqlite3|curl|gmime|libetpan|yaml|gnutls)' "$header"; then
		printf '^^^ %s: a public header includes no library but GLib\n' "$header"
		bad=1
	fi
done
exit $bad
