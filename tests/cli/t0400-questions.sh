# shellcheck shell=sh disable=SC2154 # run.sh gives expect, contains, lacks, DATA
# The questions people ask: filters, JSON and CSV, output that fits, nothing from a mail
# that steers a terminal.

mails=$REGTRAIL_SOURCE/docs/examples/mails

# valid: every line of out is a JSON object.
valid() {
	python3 -c 'import json, sys
for line in open("out"): assert isinstance(json.loads(line), dict), line' || exit 1
}

# fits N: no line of out is wider, but for what is there to be copied.
fits() {
	python3 -c 'import sys, unicodedata
for line in open("out", encoding="utf-8"):
    line = line.rstrip("\n")
    if line.strip().startswith(("git ", "Fixes:", "Closes:", "https:")): continue
    width = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
    assert width <= int(sys.argv[1]), line' "$1" || exit 1
}

expect 0 "$REGTRAIL" init
expect 0 "$REGTRAIL" ingest "$mails/foreign-report.eml" "$mails/thread.mbox"

# ---- list
expect 0 "$REGTRAIL" list
fits 80
contains out 'will-it-scale'
contains out '-23.4%'
expect 0 "$REGTRAIL" list --json
valid
contains out '"regression":"'
contains out '"metric":"will-it-scale.per_process_ops"'
contains out '"reported_at":"2026-11-09T00:14:52Z"'
contains out '"change_percent":-23.4,'
expect 0 "$REGTRAIL" list --csv
contains out 'regression,short_id,status,kind,metric'
[ "$(python3 -c 'import csv; print(len({len(r) for r in csv.reader(open("out"))}))')" -eq 1 ] || exit 1

# matches FILTER...: list finds it with that filter; misses: it does not.
matches() {
	expect 0 "$REGTRAIL" list "$@"
	contains out 4b7d1e90c2
}
misses() {
	expect 0 "$REGTRAIL" list "$@"
	lacks out 4b7d1e90c2
}
matches --tree linux-next
misses --tree linus
matches --testcase will-it-scale
misses --testcase hackbench
matches --metric will-it-scale.per_process_ops
misses --metric hackbench.throughput
matches --commit 4b7d1e9
misses --commit 4b7d1e91
matches --author Priya
misses --author Hana
matches --machine 'Cascade Lake'
misses --machine 'Ice Cream'
matches --change-over 20
misses --change-over 30%
matches --older-than 7d --date 2026-12-01
misses --older-than 90d --date 2026-12-01
matches --silent-for 7d --date 2026-12-01
misses --silent-for 30d --date 2026-12-01
matches --subsystem mm/page_alloc
misses --subsystem sched
misses --status fixed

# ---- show, replies
id=$("$REGTRAIL" list --json | sed 's/.*"short_id":"\([0-9a-f]*\)".*/\1/')
expect 0 "$REGTRAIL" show "$id"
fits 80
contains out 'vm-scalability.throughput'
contains out 'Hana Okafor'
contains out 'lock-contention'
contains out "git send-email --in-reply-to='<202611090814.6c1fd2e8-robot@bench.example.org>'"
contains out 'Closes: '
expect 0 "$REGTRAIL" show --json "$id"
valid
contains out '"findings":[{'
contains out '"events":[{'
sed -i 's|^#archive-url =.*|archive-url = https://lists.example.org/r/%s|' regtrail.conf
expect 0 "$REGTRAIL" show "$id"
contains out 'Closes: https://lists.example.org/r/202611090814.6c1fd2e8-robot@bench.example.org'

expect 0 "$REGTRAIL" replies 4b7d1e90c2
fits 80
contains out 'Priya Raman (author)'
expect 0 "$REGTRAIL" replies 'mm/page_alloc: walk the fallback list under the zone lock'
contains out 'Priya Raman (author)'
expect 0 "$REGTRAIL" replies --json 4b7d1e90c2
valid
contains out '"verdict":"ignored"'
expect 0 "$REGTRAIL" replies --csv 4b7d1e90c2
contains out 'message_id,parent,date'

# ---- a hostile mail
{
	printf 'From: =?utf-8?q?Eve_=1B[31m_=E2=80=AEkcats?= <eve@example.org>\n'
	printf 'Message-ID: <eve@example.org>\nDate: Mon, 16 Nov 2026 10:00:00 +0000\n'
	printf 'In-Reply-To: <202611090814.6c1fd2e8-robot@bench.example.org>\n'
	printf 'Subject: Re: \033]0;title\007 report\n'
	printf 'Content-Type: text/plain; charset=utf-8\n\n'
	printf 'I will \033[2J look \302\233 into \342\200\256 this regression tomorrow.\n'
} >eve.eml
expect 0 "$REGTRAIL" ingest eve.eml
for command in list "show $id" 'replies 4b7d1e90c2' "show --json $id" \
	'list --csv' 'replies --csv 4b7d1e90c2' 'replies --json 4b7d1e90c2'; do
	# shellcheck disable=SC2086 # a command and its arguments
	expect 0 "$REGTRAIL" $command
	if LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" out ||
		LC_ALL=C grep -qF "$(printf '\302\233')" out ||
		LC_ALL=C grep -qF "$(printf '\342\200\256')" out; then
		echo "a control character gets through: $command"
		cat -v out
		exit 1
	fi
done
expect 0 "$REGTRAIL" replies 4b7d1e90c2
contains out Eve

# A quote that goes over two lines stands in one.
{
	printf 'From: Priya Raman <priya.raman@example.org>\n'
	printf 'Message-ID: <two@example.org>\nDate: Tue, 17 Nov 2026 10:00:00 +0000\n'
	printf 'In-Reply-To: <202611090814.6c1fd2e8-robot@bench.example.org>\n'
	printf 'Subject: Re: report\n\n'
	printf 'This regression is expected, it is\nthe price of the new walk.\n'
} >two.eml
expect 0 "$REGTRAIL" ingest two.eml
expect 0 "$REGTRAIL" list
fits 80
lacks out "$(printf '\357\277\275')"
