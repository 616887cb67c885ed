# shellcheck shell=sh disable=SC2154,SC2034 # run.sh and trees.sh give the rest
# Scans of git trees: what closes, fixes, reverts; in which tree; what left, what came back.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/cli/trees.sh"
setup
tree next
git clone -q next linus
link=https://lore.example.org/oe-lkp

# ---- Closes: in an earlier tree, then in mainline
culprit=$(commit next sched 'sched/fair: Spread new tasks')
report score linux-next master "$culprit" 'sched/fair: Spread new tasks'
scan
contains out 'nothing new'
status "$id" reported
fix=$(commit next sched "sched/fair: Keep small machines on one node

Spreading costs more than it gains there.

Reported-by: test robot <robot@example.org>
Closes: $link/$mid/")
scan
# next is the tree of the report: there it has arrived.
status "$id" fixed
contains out "$id: reported -> fixed"
contains out "$link/$mid/"
scan
contains out 'nothing new'
expect 0 "$REGTRAIL" show "$id"
contains out "$(printf '%.12s' "$fix")"

# ---- a report on mainline: next is earlier
git -C linus pull -q ../next master
culprit=$(commit linus mm 'mm: Walk the list backwards')
report walk linus master "$culprit" 'mm: Walk the list backwards'
git -C next pull -q --no-edit ../linus master
commit next mm "mm: Walk the list forwards again

Link: $link/$mid" >/dev/null
scan --json
contains out '"state":"queued"'
contains out '"status":"fix-queued","status_before":"reported"'
status "$id" fix-queued
git -C linus pull -q ../next master
scan
contains out "$id: fix-queued -> fixed"
status "$id" fixed

# ---- Fixes: alone is a hint; with the robot that reported it is the fix
culprit=$(commit linus io 'block: Batch the requests')
report batch linus master "$culprit" 'block: Batch the requests'
short=$(printf '%.12s' "$culprit")
commit linus io "block: Do not leak a request

Fixes: $short (\"block: Batch the requests\")" >/dev/null
scan
contains out "$id: reported (hint)"
status "$id" reported
# The robot reported something else, too.
commit linus io "block: Build without a queue

Fixes: $short (\"block: Batch the requests\")
Reported-by: test robot <robot@example.org>
Closes: $link/202501010101.99999999-robot@example.org" >/dev/null
scan
contains out "$id: reported (hint)"
status "$id" reported
commit linus io "block: Flush a batch in time

Fixes: $short (\"block: Batch the requests\")
Reported-by: test robot <robot@example.org>" >/dev/null
scan
status "$id" fixed
contains flat 'Reported-by: test robot'

# ---- a revert, by its hash
culprit=$(commit linus net 'net: Hash by port')
report hash linus master "$culprit" 'net: Hash by port'
commit linus net "Revert \"net: Hash by port\"

This reverts commit $culprit." >/dev/null
scan
status "$id" fixed
contains flat 'This reverts commit'

# ---- the revert of a fix is told
fix=$(git -C linus rev-parse HEAD)
commit linus net "Revert \"Revert \"net: Hash by port\"\"

This reverts commit $fix." >/dev/null
scan
contains out "$id: fixed (hint)"
contains flat 'takes the fix back'

# ---- a quoted, a commented and a textual link are no fix
culprit=$(commit linus fs 'fs: Lock the inode twice')
report lock linus master "$culprit" 'fs: Lock the inode twice'
commit linus fs "fs: Tidy up

Somebody wrote:
> Closes: $link/$mid
See $link/$mid for what was said." >/dev/null
scan
contains out 'nothing new'
status "$id" reported

# ---- a report that comes after its fix was read: the tree is asked again
culprit=$(commit linus irq 'irq: Balance by weight')
later="$(printf '%s' "$culprit" | cut -c1-12)"
commit linus irq "irq: Balance by number

Fixes: $later (\"irq: Balance by weight\")
Reported-by: test robot <robot@example.org>" >/dev/null
scan
contains out 'nothing new'
report weight linus master "$culprit" 'irq: Balance by weight'
scan
status "$id" fixed

# ---- a report that nobody knows: counted, and named when asked
commit linus irq "irq: Another

Closes: $link/202501010101.01234567-robot@example.org" >/dev/null
scan
contains err '1 commit closes reports of robots that are not known here'
commit linus irq "irq: And another

Closes: $link/202501010101.01234568-robot@example.org" >/dev/null
scan --verbose
contains err '202501010101.01234568-robot@example.org'

# ---- the culprit leaves next: dropped; and comes back
git -C next pull -q --no-edit ../linus master
culprit=$(commit next rcu 'rcu: Wait shorter')
report wait linux-next master "$culprit" 'rcu: Wait shorter'
commit next other 'Something else' >/dev/null
scan
git -C next reset -q --hard HEAD~2
commit next other 'Something else' >/dev/null
scan
contains err 'was pushed by force'
contains out "$id: reported -> dropped"
contains flat 'is in no scanned tree any more'
status "$id" dropped
expect 0 "$REGTRAIL" show "$id"
contains out 'is in no scanned tree any more'
/usr/bin/python3 -c 'import json, subprocess, sys
shown = subprocess.run([sys.argv[1], "show", sys.argv[2], "--json"], stdout=subprocess.PIPE)
assert json.loads(shown.stdout)["fixes"] == []' "$REGTRAIL" "$id" || exit 1
scan
contains out 'nothing new'
git -C next merge -q --no-edit "$culprit"
scan
contains flat 'again'
status "$id" reported

# ---- rebased: the same patch under another hash is followed
culprit=$(commit next rbtree 'lib: Turn the tree')
report turn linux-next master "$culprit" 'lib: Turn the tree'
scan
git -C next reset -q --hard HEAD~1
commit next before 'Something before it' >/dev/null
git -C next cherry-pick "$culprit" >/dev/null 2>&1
copy=$(git -C next rev-parse HEAD)
[ "$copy" != "$culprit" ] || exit 1
scan
status "$id" reported
commit next rbtree "lib: Turn it back

Fixes: $(printf '%.12s' "$copy") (\"lib: Turn the tree\")
Reported-by: test robot <robot@example.org>" >/dev/null
scan
status "$id" fixed

# ---- amended in place: the title is there, the content is another
culprit=$(commit next radix 'lib: Look twice')
report twice linux-next master "$culprit" 'lib: Look twice'
scan
git -C next reset -q --hard HEAD~1
other=$(commit next radix 'lib: Look twice' 'other content')
scan
status "$id" dropped
contains flat "$(printf '%.12s' "$other") has its title and other content"

# ---- one tree by name, one by path, one that is not configured
scan linus
scan linus/
git clone -q linus elsewhere.git
scan elsewhere.git --branch master --order mainline
expect 2 "$REGTRAIL" scan a b
expect 2 "$REGTRAIL" scan linus --order mainline
contains err '--branch and --order are for a repository that is no [tree NAME]'
expect 2 "$REGTRAIL" scan --branch master
expect 2 "$REGTRAIL" scan elsewhere.git --order near
contains err '--order cannot be: near (there are: posted, next, mainline, stable)'
