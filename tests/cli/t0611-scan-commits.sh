# shellcheck shell=sh disable=SC2154,SC2034 # run.sh and trees.sh give the rest
# Scans of commits that are hard to read, or that do not say clearly what they mean.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/cli/trees.sh"
setup
printf "%s\n" "[send]" "per-hour = 0" "per-day = 0" "per-recipient-day = 0" >>regtrail.conf
tree linus
git clone -q linus next
link=https://lore.example.org/r

# raw TREE FILE [HEADER...]: a commit whose message is that file, byte for byte, with
# more header lines; the branch moves on to it.
raw() {
	time=$(now)
	{
		printf 'tree %s\nparent %s\n' "$(git -C "$1" rev-parse 'HEAD^{tree}')" \
			"$(git -C "$1" rev-parse HEAD)"
		printf 'author Mara Lindqvist <mara@example.org> %s +0000\n' "$time"
		printf 'committer Tomas Kolar <tomas@example.org> %s +0000\n' "$time"
		[ $# -lt 3 ] || printf '%s\n' "$3"
		echo
		cat "$2"
	} >commit.raw
	git -C "$1" reset -q --hard \
		"$(git -C "$1" hash-object -t commit -w --stdin <commit.raw)"
}

# regression NAME: a culprit in linus and a report about it.
regression() {
	culprit=$(commit linus "$1" "mm: Sort the $1")
	report "$1" linus master "$culprit" "mm: Sort the $1"
}

# ---- bytes that are no text, an encoding that is none, one that is a lie
regression pages
printf 'mm: Gr\374n \001\033[31m\377\376\n\n\360\237\n\nCloses: %s/%s\n' "$link" "$mid" >message
raw linus message
scan --json
status "$id" fixed
/usr/bin/python3 -c 'import json; [json.loads(l) for l in open("out", encoding="utf-8")]' || exit 1
expect 0 "$REGTRAIL" show "$id"
lacks out "$(printf '\033')"
regression zones
raw linus message 'encoding no-such-thing'
printf 'mm: Gr\374n\n\nCloses: %s/%s\n' "$link" "$mid" >message
raw linus message 'encoding utf-16'
scan
status "$id" fixed
contains out "$id: reported -> fixed"

# ---- a message of a megabyte, and one that is beyond what is kept
regression nodes
/usr/bin/python3 - "$link/$mid" <<'END' >message
import sys
print("mm: Long\n")
for i in range(15000):
    print("All of this was said before, and it is said again in line", i)
print("\nCloses:", sys.argv[1])
import sys
print("mm: Long\n")
for i in range(15000):
    print("All of this was said before, and it is said again in line", i)
print("\nCloses:", sys.argv[1])
END
[ "$(wc -c <message)" -gt 900000 ] || exit 1
raw linus message
scan
status "$id" fixed
regression slabs
{
	printf 'mm: Endless\n\n'
	yes 'All of this was said before, and it is said again in the next line.' |
		head -c 20000000
	printf '\n\nCloses: %s/%s\n' "$link" "$mid"
} >message
raw linus message
scan
contains err "$(git -C linus rev-parse --short=12 HEAD): its message of over 16 MiB was cut"
status "$id" fixed
printf 'mm: Without an end' >message
raw linus message
: >message
raw linus message
scan
contains out 'nothing new'

# ---- two commits whose hashes begin alike: a hash that fits both decides nothing
/usr/bin/python3 "$REGTRAIL_SOURCE/tests/cli/twins.py" linus HEAD 'mm: Sort by age' \
	'mm: Sort by size' >twins
first=$(sed -n 1p twins) second=$(sed -n 2p twins)
digits=$(printf '%.8s' "$first")
git -C linus reset -q --hard "$first"
git -C linus merge -q -s ours --no-edit "$second"
report age linus master "$first" 'mm: Sort by age'
age=$id
report size linus master "$second" 'mm: Sort by size'
size=$id
commit linus sort "mm: Do not sort by age

Fixes: $digits (\"mm: Sort by age\")
Reported-by: test robot <robot@example.org>" >/dev/null
commit linus sort "mm: Sort as before

This reverts commit $digits." >/dev/null
scan
for one in "$age" "$size"; do
	status "$one" reported
	contains out "$one: reported (hint)"
done
contains flat "Fixes: $digits (\"mm: Sort by age\"); that hash stands for several commits"
contains flat "This reverts commit $digits.; that hash stands for several commits"

# All digits leave no doubt, and neither does the title.
commit linus sort "mm: Do not sort by size

Fixes: $second (\"mm: Sort by size\")
Reported-by: test robot <robot@example.org>" >/dev/null
scan
status "$size" fixed
status "$age" reported
commit linus sort "Revert \"mm: Sort by age\"

This reverts commit $digits." >/dev/null
scan
status "$age" fixed

# ---- the repository has one of two culprits that begin alike: that one is meant
tree lone
/usr/bin/python3 "$REGTRAIL_SOURCE/tests/cli/twins.py" lone HEAD 'fs: Sort by age' \
	'fs: Sort by size' >twins
first=$(sed -n 1p twins) second=$(sed -n 2p twins)
digits=$(printf '%.8s' "$first")
git -C lone reset -q --hard "$first"
rm -f "lone/.git/objects/$(echo "$second" | sed 's|^..|&/|')"
report lone lone master "$first" 'fs: Sort by age'
lone=$id
report far elsewhere master "$second" 'fs: Sort by size'
far=$id
commit lone sort "fs: Sort otherwise

Fixes: $digits (\"fs: Sort by age\")
Reported-by: test robot <robot@example.org>" >/dev/null
scan lone --branch master --order mainline
status "$lone" fixed
status "$far" reported
contains out "$far: reported (hint)"

# ---- it has neither of two: nothing is decided
report one far master "01234567$(printf '%032d' 1 | tr 0 a)" 'mm: Sort by one'
one=$id
report two far master "01234567$(printf '%032d' 2 | tr 0 b)" 'mm: Sort by two'
two=$id
commit linus sort 'mm: Sort by hand

Fixes: 01234567 ("mm: Sort by one")
Reported-by: test robot <robot@example.org>' >/dev/null
scan
status "$one" reported
contains out "$one: reported (hint)"
status "$two" reported
contains out "$two: reported (hint)"
contains flat 'that hash stands for several commits'
commit linus sort 'mm: Sort by foot

Fixes: 01234567bbbb ("mm: Sort by two")
Reported-by: test robot <robot@example.org>' >/dev/null
scan
status "$two" fixed
status "$one" reported
scan
contains out 'nothing new'

# ---- two culprits of one title: the revert names one of them
culprit=$(commit linus same 'mm: Clean up')
report same linus master "$culprit" 'mm: Clean up'
same=$id
culprit=$(commit linus again 'mm: Clean up')
report again linus master "$culprit" 'mm: Clean up'
commit linus again "Revert \"mm: Clean up\"

This reverts commit $culprit." >/dev/null
scan
status "$id" fixed
status "$same" reported
contains out "$same: reported (hint)"
contains flat "the hash that it names is another commit's"
scan
contains out 'nothing new'

# ---- two merges of one title are not copies of each other
merge() {
	git -C linus checkout -q -b "side$1"
	commit linus "side$1" 'mm: Aside' >/dev/null
	git -C linus checkout -q master
	git -C linus merge -q --no-ff -m "Merge branch 'mm/urgent'" "side$1"
	git -C linus rev-parse HEAD
}
culprit=$(merge 1)
report merge linus master "$culprit" "Merge branch 'mm/urgent'"
other=$(merge 2)
commit linus side "mm: Mend the second merge

Fixes: $(printf '%.12s' "$other") (\"Merge branch 'mm/urgent'\")
Reported-by: test robot <robot@example.org>" >/dev/null
scan
contains out 'nothing new'
commit linus side "mm: Mend the first merge

Fixes: $(printf '%.12s' "$culprit") (\"Merge branch 'mm/urgent'\")
Reported-by: test robot <robot@example.org>" >/dev/null
scan
status "$id" fixed

# ---- a fix that was queued leaves its tree: said once, and nothing moves
regression locks
git -C next pull -q --no-edit ../linus master
fix=$(commit next locks "mm: Do not sort the locks

Closes: $link/$mid")
scan
status "$id" fix-queued
expect 0 "$REGTRAIL" digest
contains out 'Do not sort the locks'
git -C next reset -q --hard HEAD~1
commit next other 'Something else' >/dev/null
scan
contains out "$id: fix-queued (hint)"
contains flat "(\"mm: Do not sort the locks\"), the fix that was queued there, is not in linux-next master any more"
status "$id" fix-queued
expect 0 "$REGTRAIL" digest
lacks out 'Do not sort the locks'
scan
contains out 'nothing new'
# It comes back, and leaves again.
git -C next merge -q --no-edit "$fix"
scan
contains out 'nothing new'
expect 0 "$REGTRAIL" digest
contains out 'Do not sort the locks'
git -C next reset -q --hard HEAD~1
scan
contains out "$id: fix-queued (hint)"
# Under another hash it is queued again; that this one is rebased is no news.
git -C next cherry-pick "$fix" >/dev/null 2>&1
scan
contains out "$id: fix-queued (queued)"
git -C next reset -q --hard HEAD~1
commit next other 'Another thing' >/dev/null
git -C next cherry-pick "$fix" >/dev/null 2>&1
scan
lacks out '(hint)'
expect 0 "$REGTRAIL" digest
contains out 'Do not sort the locks'
expect 0 "$REGTRAIL" check
