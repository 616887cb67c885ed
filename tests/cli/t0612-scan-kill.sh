# shellcheck shell=sh disable=SC2154,SC2034 # run.sh and trees.sh give the rest
# `regtrail scan` is killed at every durable write and run again: what is known then is
# what one undisturbed run finds.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/cli/trees.sh"
setup
tree next
git clone -q next linus
link=https://lore.example.org/r

# ---- what an earlier scan saw: culprits, a fix in next, all of which will move
gone=$(commit next gone 'mm: Go away')
report gone linux-next master "$gone" 'mm: Go away'
amended=$(commit next amended 'mm: Look twice')
report amended linux-next master "$amended" 'mm: Look twice'
moved=$(commit next moved 'mm: Move on')
report moved linux-next master "$moved" 'mm: Move on'
culprit=$(commit linus queued 'mm: Queue it')
report queued linus master "$culprit" 'mm: Queue it'
fix=$(commit next fix "mm: Dequeue it

Closes: $link/$mid")
scan
status "$id" fix-queued

# ---- next is made anew: one culprit gone, one amended, one rebased, the fix dropped
git -C next reset -q --hard HEAD~4
commit next base 'Something new at the bottom' >/dev/null
commit next amended 'mm: Look twice' 'other content' >/dev/null
git -C next cherry-pick "$moved" >/dev/null 2>&1
copy=$(git -C next rev-parse HEAD)
commit next moved "mm: Move back

Fixes: $(printf '%.12s' "$copy") (\"mm: Move on\")
Reported-by: test robot <robot@example.org>" >/dev/null

# ---- and three more: closed in next, in linus, and only hinted at
culprit=$(commit linus one 'mm: One')
report one linus master "$culprit" 'mm: One'
commit next one "mm: Not one

Closes: $link/$mid" >/dev/null
culprit=$(commit linus two 'mm: Two')
report two linus master "$culprit" 'mm: Two'
commit linus two "mm: Not two

Link: $link/$mid" >/dev/null
culprit=$(commit linus three 'mm: Three')
report three linus master "$culprit" 'mm: Three'
commit linus three "mm: Not three

Fixes: $(printf '%.12s' "$culprit") (\"mm: Three\")" >/dev/null

# fresh: the database as it was before the scan.
/usr/bin/python3 -c 'import sqlite3
sqlite3.connect("regtrail.db").execute("VACUUM INTO \"before.db\"")' || exit 2
fresh() {
	rm -f regtrail.db regtrail.db-wal regtrail.db-shm
	cp before.db regtrail.db
}

# known FILE: all that is known of all regressions.
known() {
	"$REGTRAIL" list --all --json --color=never >rows || exit 1
	sed 's/.*"regression":"\([0-9a-f]*\)".*/\1/' rows | while read -r one; do
		"$REGTRAIL" show "$one" --json || exit 1
	done >"$1"
	/usr/bin/python3 - <<'END' >>"$1" || exit 1
import sqlite3
db = sqlite3.connect("regtrail.db")
for sql in ("SELECT name, cursor FROM source WHERE name LIKE 'git:%' ORDER BY 1",
            "SELECT regression, state, rule, \"commit\", tree, evidence FROM fix "
            "ORDER BY 1, 2, 4, 5",
            "SELECT * FROM tree_commit ORDER BY 1, 2, 3, 4",
            "SELECT tree, branch, regression FROM tree_asked ORDER BY 1, 2, 3"):
    for row in db.execute(sql):
        print(row)
END
}

at=$(now)
fresh
scan --date "@$at"
known wanted
contains wanted 'has its title and other content'
contains wanted "'fix-gone'"
[ "$(grep -c '"status":"fixed"' wanted)" -eq 2 ] || { cat wanted; exit 1; }
[ "$(grep -c '"status":"dropped"' wanted)" -eq 2 ] || { cat wanted; exit 1; }

writes=0
while :; do
	fresh
	writes=$((writes + 1))
	REGTRAIL_DIE_AFTER=$writes "$REGTRAIL" scan --date "@$at" >out 2>err </dev/null
	died=$?
	[ "$died" -ne 0 ] || break
	[ "$died" -eq 137 ] || { echo "exit $died"; cat err; exit 1; }
	scan --date "@$at"
	known now
	cmp now wanted || {
		echo "after write $writes:"
		diff wanted now
		exit 1
	}
	expect 0 "$REGTRAIL" check
	scan --date "@$at"
	contains out 'nothing new'
done
[ "$writes" -gt 3 ] || { echo "died only at $writes writes"; exit 1; }
printf 'killed at %s durable writes\n' $((writes - 1))
