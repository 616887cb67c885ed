# shellcheck shell=sh disable=SC2154,SC2034 # run.sh and trees.sh give the rest
# Fixes that somebody named, and the trees in which they turn up one after the other.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/cli/trees.sh"
setup
printf "%s\n" "[send]" "per-hour = 0" "per-day = 0" "per-recipient-day = 0" >>regtrail.conf
sed -i "/^\[regtrail\]/a require-dkim = no" regtrail.conf
printf '%s\n' '[tree topic]' 'path = topic' \
	'branch = master' 'order = posted' '[tree stable]' 'path = stable' \
	'branch = master' 'order = stable' >>regtrail.conf
tree linus
for one in topic next stable; do
	git clone -q linus "$one"
done
link=https://lore.example.org/r

# say NAME FROM LINE: a reply to the report.
say() {
	{
		printf 'From: %s\nTo: robot@example.org\nSubject: Re: it\nDate: %s\n' "$2" \
			"$(date -R -u -d "@$(now)")"
		printf 'Message-ID: <%s@example.org>\nIn-Reply-To: <%s>\n\n%s\n' "$1" \
			"$mid" "$3"
	} >"$1.eml"
	expect 0 "$REGTRAIL" ingest "$1.eml"
}

# regression NAME: a culprit in linus, and a report about it.
regression() {
	culprit=$(commit linus "$1" "mm: Spread the $1")
	report "$1" linus master "$culprit" "mm: Spread the $1"
}

# pull TREE FROM: takes over what FROM has.
pull() {
	git -C "$1" pull -q --no-edit "../$2" master
}

# ---- posted, queued, merged; a copy in stable decides nothing
regression pages
pull topic linus
fix=$(commit topic pages "mm: Keep the pages together

Closes: $link/$mid")
scan
contains out "$id: reported -> fix-posted"
pull next topic
scan
contains out "$id: fix-posted -> fix-queued"
pull linus next
scan
contains out "$id: fix-queued -> fixed"
regression zones
pull stable linus
commit stable zones "mm: Keep the zones together

Closes: $link/$mid" >/dev/null
scan
contains out "$id: reported (hint)"
status "$id" reported

# ---- by hash: queued where it is first seen, fixed in mainline
regression nodes
pull next linus
fix=$(commit next nodes 'mm: Keep the nodes together')
scan
status "$id" reported
say byhash 'Mara Lindqvist <mara@example.org>' "#regtrail fix $(printf '%.12s' "$fix")"
status "$id" fix-queued
scan
contains flat "mm: Keep the nodes together"
status "$id" fix-queued
pull linus next
scan
contains out "$id: fix-queued -> fixed"

# ---- by title; a word in front of it and other blanks do not matter
regression slabs
say bytitle 'Mara Lindqvist <mara@example.org>' '#regtrail fix mm: Keep the slabs together'
scan
status "$id" fix-queued
commit linus slabs '[backport] mm:  Keep the slabs together' >/dev/null
scan
contains out "$id: fix-queued -> fixed"

# ---- by somebody who may not command: told, and no more
regression locks
say stranger 'Ola Nordmann <ola@example.net>' '#regtrail fix mm: Keep the locks together'
commit linus locks 'mm: Keep the locks together' >/dev/null
scan
contains out "$id: reported (hint)"
contains flat 'named as the fix by somebody who may not command'
status "$id" reported

# ---- what is named and taken back is not looked for
regression lists
say named 'Mara Lindqvist <mara@example.org>' '#regtrail fix mm: Keep the lists together'
say unnamed 'Mara Lindqvist <mara@example.org>' '#regtrail unfix'
commit linus lists 'mm: Keep the lists together' >/dev/null
scan
contains out 'nothing new'

# ---- digits that fit two commits name neither; the copy of a fix is none
regression maps
/usr/bin/python3 "$REGTRAIL_SOURCE/tests/cli/twins.py" linus HEAD 'mm: One' 'mm: Two' >twins
git -C linus merge -q -s ours --no-edit "$(sed -n 1p twins)"
git -C linus merge -q -s ours --no-edit "$(sed -n 2p twins)"
say twins 'Mara Lindqvist <mara@example.org>' "#regtrail fix $(sed -n '1s/^\(.\{8\}\).*/\1/p' twins)"
scan
contains flat 'that hash stands for several commits'
status "$id" fix-queued
say twin 'Mara Lindqvist <mara@example.org>' "#regtrail fix $(sed -n 1p twins)"
scan
contains out "$id: fix-queued -> fixed"

# ---- what is fixed stays so when somebody names the fix afterwards
regression stacks
fix=$(commit linus stacks "mm: Keep the stacks together

Closes: $link/$mid")
scan
status "$id" fixed
say afterwards 'Mara Lindqvist <mara@example.org>' "#regtrail fix $fix"
status "$id" fixed
scan
contains out 'nothing new'
status "$id" fixed

# ---- the culprit, sent once more, is no fix when it lands in another tree
regression rows
{
	printf 'Message-ID: <again@example.org>\nIn-Reply-To: <%s>\n' "$mid"
	git -C linus format-patch -1 --stdout "$culprit" | sed 1d
} >again.eml
expect 0 "$REGTRAIL" ingest again.eml
expect 0 "$REGTRAIL" patches
contains out 'mm: Spread the rows'
git -C next fetch -q ../linus master
git -C next cherry-pick "$culprit" >/dev/null 2>&1
scan
contains out 'nothing new'
# What has its title and other content was offered as a fix, and is one.
sed 's/<again@/<other@/; s/^+1[0-9]*$/+otherwise/' again.eml >other.eml
expect 0 "$REGTRAIL" ingest other.eml
git -C next reset -q --hard HEAD~1
commit next rows 'mm: Spread the rows' otherwise >/dev/null
scan
contains out "$id: fix-posted -> fix-queued"
status "$id" fix-queued

# ---- the fix of a duplicate is the fix of what it duplicates
regression first
first=$id
regression second
expect 0 "$REGTRAIL" dup "$id" "$first"
commit linus second "mm: Keep both together

Closes: $link/$mid" >/dev/null
scan
status "$first" fixed
expect 0 "$REGTRAIL" check
