# shellcheck shell=sh disable=SC2154,SC2034 # run.sh and trees.sh give the rest
# Scans of trees that are not as they should be: what is wrong is named, the other trees
# are read all the same, nothing is lost, and no mail is made.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/cli/trees.sh"
setup
printf "%s\n" "[send]" "per-hour = 0" "per-day = 0" "per-recipient-day = 0" >>regtrail.conf
tree next
git clone -q next linus
link=https://lore.example.org/r

# bad_scan TEXT [OPTION...]: ends with 1 and says that.
bad_scan() {
	text=$1
	shift
	expect 1 "$REGTRAIL" scan "$@"
	contains err "$text"
	tr -s ' \n' ' ' <out >flat
}

# ---- a tree that is not there does not keep the others from being read
culprit=$(commit linus a 'mm: Sort the pages')
report sort linus master "$culprit" 'mm: Sort the pages'
commit linus a "mm: Do not sort

Closes: $link/$mid" >/dev/null
mv next away
bad_scan "linux-next master: $PWD/next: "
contains err 'No such file or directory'
status "$id" fixed
mkdir next
bad_scan 'not a git repository'
rmdir next
: >next
bad_scan "linux-next master: $PWD/next: "
rm next
mv away next
git -C next branch -q -m main
bad_scan "linux-next master: $PWD/next: no branch master"
git -C next branch -q -m master
git init -q -b master empty
bad_scan "empty HEAD: $PWD/empty: no branch HEAD" empty
scan

# ---- a shallow clone: what is there counts, and nothing is called gone
culprit=$(commit linus b 'mm: Sort the zones')
report zones linus master "$culprit" 'mm: Sort the zones'
scan
commit linus b 'mm: One' >/dev/null
commit linus b 'mm: Two' >/dev/null
mv linus whole
git clone -q --depth 1 "file://$PWD/whole" linus
scan
contains err 'linus master: a shallow clone, or one with grafts'
status "$id" reported
commit whole b "mm: Do not sort the zones

Closes: $link/$mid" >/dev/null
git -C linus fetch -q --depth 1
git -C linus reset -q --hard origin/master
scan
contains err 'a shallow clone'
status "$id" fixed
rm -rf linus
mv whole linus
scan
lacks err 'shallow'
status "$id" fixed

# ---- grafts hide the culprit; it is not gone for that
culprit=$(commit linus c 'mm: Sort the nodes')
report nodes linus master "$culprit" 'mm: Sort the nodes'
scan
commit linus c 'mm: Three' >/dev/null
top=$(git -C linus rev-parse HEAD)
echo "$top" >linus/.git/info/grafts
scan
contains err 'linus master: a shallow clone, or one with grafts'
status "$id" reported
rm linus/.git/info/grafts
scan
lacks err grafts
status "$id" reported

# ---- replaced objects change nothing
git -C linus replace --graft HEAD
scan
contains out 'nothing new'
lacks err 'linus'
commit linus c 'mm: Four' >/dev/null
git -C linus replace --graft HEAD HEAD~2
scan
contains out 'nothing new'
lacks err 'linus'
status "$id" reported
git -C linus for-each-ref --format='%(refname)' refs/replace |
	xargs -n 1 git -C linus update-ref -d

# ---- a corrupt repository: what was read counts; the rest is read when it is mended
lost=$(commit linus d "mm: Do not sort the nodes

Closes: $link/$mid")
nodes=$id
culprit=$(commit linus e 'mm: Sort the slabs')
report slabs linus master "$culprit" 'mm: Sort the slabs'
slabs=$id
commit linus e "mm: Do not sort the slabs

Closes: $link/$mid" >/dev/null
object=linus/.git/objects/$(echo "$lost" | sed 's|^..|&/|')
mv "$object" object
bad_scan "linus master: $PWD/linus: "
contains err "$lost"
lacks err 'pushed by force'
status "$id" reported
status "$nodes" reported
# Again, and it says so again.
bad_scan 'linus master: '
: >"$object"
bad_scan 'linus master: '
rm -f "$object"
mv object "$object"
scan
contains out "$nodes: reported -> fixed"
contains out "$slabs: reported -> fixed"
scan
contains out 'nothing new'

# A tree that was never read to its end: what was read counts all the same.
culprit=$(commit next e 'mm: Sort the lists')
lost=$culprit
commit next e 'mm: Something else' >/dev/null
report lists linux-next master "$culprit" 'mm: Sort the lists'
commit next e "mm: Do not sort the lists

Closes: $link/$mid" >/dev/null
git clone -q next other
object=other/.git/objects/$(echo "$lost" | sed 's|^..|&/|')
mv "$object" object
bad_scan 'other HEAD: broke off after 1 commit: ' other
contains err "$PWD/other: git: "
contains out "$id: reported -> fix-queued"
mv object "$object"
scan other
contains out 'nothing new'

# ---- a cursor that vanished: all is read again, and nothing is found twice
culprit=$(commit next f 'fs: Sort the inodes')
report inodes linux-next master "$culprit" 'fs: Sort the inodes'
commit next f 'fs: Another' >/dev/null
scan
git -C next reset -q --hard HEAD~2
git -C next reflog expire --expire=now --all
git -C next gc -q --prune=now
commit next g 'fs: Something else' >/dev/null
scan
contains err 'where the last scan ended, is not in the repository any more: all of it is read'
contains out "$id: reported -> dropped"
status "$id" dropped
scan
contains out 'nothing new'

# ---- histories that have nothing in common
rm -rf next
tree next
scan
contains err 'linux-next master: '
contains err 'all of it is read'
contains out 'the fix that was merged there'
git -C next checkout -q --orphan other
commit next h 'Another beginning' >/dev/null
git -C next branch -q -M other master
scan
contains err 'was pushed by force and has nothing in common with what was read'

# ---- a clock that is behind the last scan, and behind the report
culprit=$(commit linus i 'mm: Sort the queues')
report queues linus master "$culprit" 'mm: Sort the queues'
commit linus i "mm: Do not sort the queues

Closes: $link/$mid" >/dev/null
scan --date 2001-01-01
status "$id" fixed
scan
contains out 'nothing new'

# ---- no mail was made of all that
expect 0 "$REGTRAIL" outbox --state draft
contains out 'nothing waits'
expect 0 "$REGTRAIL" send --via dir:sent
contains out 'nothing to send'
expect 0 "$REGTRAIL" check
