# shellcheck shell=sh disable=SC2154 # run.sh gives expect, contains, lacks
# Every filter of list finds what it should and leaves out what it should not: in text,
# in JSON and in CSV, never wider than the terminal.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/cli/trees.sh"

mails=$REGTRAIL_SOURCE/docs/examples/mails
results="$REGTRAIL_SOURCE/docs/examples/results/unixbench/performance-100%-300s-spawn"
results="$results/example-2s-48c/debian-12-x86_64.cgz/x86_64-server-6.9/gcc-13"

# ---- four regressions: alloc (others', with a thread), sched (others', by a commit of
# the repository ./linux), unix (ours), and gone, which is closed
expect 0 "$REGTRAIL" init
sed -i 's|^#* *from *=.*|from = test robot <robot@bench.example.org>|' regtrail.conf
tree linux
start=$(git -C linux rev-parse HEAD)
culprit=$(commit linux core.c 'sched/core: Wake on the idle queue')
after=$(commit linux other.c 'Something else')

# another COMMIT TITLE ID [SED...]: the example's report about that commit.
another() {
	commit=$1 title=$2 id=$3
	shift 3
	ten=$(printf %.10s "$commit")
	sed -e "s|4b7d1e90c2f6a8d35e1097bc64fa2d8e7013c5a9|$commit|g" \
		-e "s|4b7d1e90c2f6a8d35e1097bc64f|$(printf %.27s "$commit")|g" \
		-e "s|4b7d1e90c2|$ten|g" -e "s|202611090814.6c1fd2e8-robot|$id|g" \
		-e "s|mm/page_alloc: walk the fallback list under the zone lock|$title|g" \
		"$@" "$mails/foreign-report.eml"
}

another "$culprit" 'sched/core: Wake on the idle queue' 202612010900.11aa22bb-robot \
	-e 's/linux-next:master/linus:master/; s/linux-next.git/linux.git/' \
	-e 's/will-it-scale.per_process_ops/hackbench.throughput/g; s/will-it-scale/hackbench/g' \
	-e 's/23\.4%/5.1%/g; s/Cascade Lake/Emerald Rapids/' \
	-e 's/^To: .*/To: Otto Berg <otto.berg@example.net>/' \
	-e 's/^Date: .*/Date: Tue, 1 Dec 2026 09:00:00 +0000/' \
	-e '/^+---/d; /^| test/d; /^|    /d; /^In addition/d' >sched.eml
another 1111111111111111111111111111111111111111 'mm/page_alloc: Never mind' \
	202610010900.33cc44dd-robot -e 's/^Date: .*/Date: Thu, 1 Oct 2026 09:00:00 +0000/' \
	>gone.eml
expect 0 "$REGTRAIL" ingest "$mails/foreign-report.eml" "$mails/thread.mbox" sched.eml gone.eml
expect 0 "$REGTRAIL" report "$results/aa6e427d334b832d952d658cae44f65f99ffaf74" \
	"$results/8f3ab2a3b2ce14772811945b1f7ea036b769932e" --date 2026-11-20T08:00:00Z \
	--commits "$REGTRAIL_SOURCE/docs/examples/commits.json"
expect 0 "$REGTRAIL" outbox approve 1
expect 0 "$REGTRAIL" send --via dir:sent
expect 0 "$REGTRAIL" list --json --commit 1111111111
gone=$(sed 's/.*"short_id":"\([0-9a-f]*\)".*/\1/' out)
expect 0 "$REGTRAIL" set "$gone" expected --reason 'as the thread says'

cat >names.py <<'END'
import csv, json, sys
NAMES = {"4b7d1e90c2": "alloc", "1111111111": "gone", "8f3ab2a3b2": "unix"}
if sys.argv[1] == "json":
    rows = [json.loads(line) for line in sys.stdin]
else:
    rows = list(csv.DictReader(sys.stdin))
    assert all(None not in row and None not in row.values() for row in rows), rows
print(" ".join(sorted(NAMES.get(row["commit"][:10], "sched") for row in rows)))
END

# listed FORM NAMES FILTER...: just those regressions are listed in JSON, or in CSV.
listed() {
	form=$1 names=$2
	shift 2
	expect 0 "$REGTRAIL" list --date 2026-12-05 "--$form" "$@"
	got=$(python3 names.py "$form" <out) || exit 1
	if [ "$got" != "$names" ]; then
		echo "list --$form $*: found '$got', not '$names'"
		exit 1
	fi
}

finds() {
	listed json "$@"
}

# forms NAMES FILTER...: in CSV and as text too, which fits.
forms() {
	listed json "$@"
	listed csv "$@"
	shift
	expect 0 "$REGTRAIL" list --date 2026-12-05 "$@"
	python3 -c 'for line in open("out", encoding="utf-8"):
    assert len(line.rstrip("\n")) <= 80, line' || exit 1
}

# ---- what is listed at all
forms 'alloc sched unix'
forms 'alloc gone sched unix' --closed
finds 'alloc gone sched unix' --all
finds 'gone' --status expected
finds 'alloc' --status investigating
finds 'sched unix' --status reported
expect 2 "$REGTRAIL" list --status solved
contains err 'no status named solved'

# ---- where it was seen
finds 'alloc unix' --tree linux-next
finds 'alloc gone unix' --tree linux-next --closed
finds 'sched' --tree linus
finds 'alloc unix' --tree 'linux-*'
finds 'sched' --tree linus:master
finds '' --tree linus:stable
finds 'unix' --testcase unixbench
finds 'sched unix' --testcase '*bench'
finds 'alloc' --metric will-it-scale.per_process_ops
finds 'sched' --metric 'hackbench.*'
finds '' --metric hackbench
finds 'alloc' --machine 'Cascade Lake'
finds 'sched' --machine 'Emerald'
finds 'alloc' --machine 'Ice Lake' # that of another finding of the same report
finds '' --machine 'cascade lake'

# ---- whose it is
finds 'alloc' --author priya
finds 'sched' --author otto.berg@example.net
finds '' --author hana
finds 'sched' --commit "$(printf %.7s "$culprit")"
finds 'sched' --commit "$culprit"
finds 'sched' --commit "$(printf %.12s "$culprit" | tr a-f A-F)"
finds '' --commit "${culprit%????}ffff"
finds '' --commit 1111111111
finds 'gone' --commit 1111111111 --closed
finds 'sched' --git linux "$start..$after"
finds 'sched' --git linux "$start..$culprit"
finds '' --git linux "$culprit..$after"
expect 2 "$REGTRAIL" list --git linux
contains err '--git DIR needs a range: A..B'
expect 2 "$REGTRAIL" list "$start..$after"
contains err 'a range A..B needs --git DIR'
finds 'sched unix' --subsystem sched
finds 'sched' --subsystem sched/core
finds 'alloc' --subsystem mm/page_alloc
finds 'alloc gone' --subsystem MM --closed

# With a MAINTAINERS file the files that a culprit touches count as well.
finds '' --subsystem 'IDLE NODES'
printf 'IDLE NODES\nM:\tSome Body <body@example.org>\nF:\tkernel/sched/f*.c\n' >MAINTAINERS
sed -i 's|^#* *maintainers *=.*|maintainers = MAINTAINERS|' regtrail.conf
finds 'unix' --subsystem 'idle nodes'
finds 'alloc' --subsystem mm

# ---- how old, how silent, how large, whose turn
finds 'alloc' --older-than 3w
finds 'alloc unix' --older-than 10d
finds 'alloc' --silent-for 3w # from 13 November, when somebody said something
finds 'alloc unix' --silent-for 10d
finds '' --silent-for 23d
finds 'alloc' --change-over 20
finds 'alloc unix' --change-over 6%
expect 2 "$REGTRAIL" list --change-over much
contains err '--change-over: not a number: much'
finds 'alloc' --owes operator
finds 'sched unix' --owes maintainer
forms '' --owes robot
contains out 'nothing unresolved fits'
expect 2 "$REGTRAIL" list --owes mee
contains err '--owes is robot, maintainer or operator, not mee'
forms '' --owes robot --closed
contains out 'nothing fits'

# ---- together, and in the order of what needs attention
finds '' --tree linus --author priya
forms 'sched' --tree linus --older-than 3d --change-over 5
"$REGTRAIL" list --date 2026-12-05 >out
[ "$(awk 'NR > 1 && /^[0-9a-f]/ { printf "%s ", $5 }' out)" = \
	"4b7d1e90c2 8f3ab2a3b2 $(printf %.10s "$culprit") " ] || { cat out; exit 1; }
contains out '    ignored? Priya Raman (author): "Please ignore this regression."'
expect 2 "$REGTRAIL" list --json --csv
contains err 'either --json or --csv'
