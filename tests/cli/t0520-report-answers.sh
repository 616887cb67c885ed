# shellcheck shell=sh disable=SC2119,SC2154 # run.sh gives expect, contains, lacks
# Mails that answer a report of ours: checked again, a fix tested, taken back.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/cli/report.sh"

start '[recipients]' 'lists = list@example.org'
comparison regression >first.json
json_report 0 -o first.eml first.json --to 'Eve <eve@example.org>'
json_report 1 -n first.json --followup 5e
contains err '5e: no such regression'
"$REGTRAIL" outbox --json >out
id=$(sed 's/.*"regression":"\([0-9a-f]*\)".*/\1/' out | cut -c1-8)
json_report 2 --retract "$id" --note 'wrong box'
contains err 'has not been sent yet'
send_all
first=$(sed -n 's/^Message-ID: \(.*\)\r$/\1/p' first.eml)

# Who answers takes part from then on.
cat >reply.eml <<END
From: Guy Reply <guy@example.org>
To: perf robot <robot@example.org>
Subject: Re: the report
Message-ID: <reply-1@example.org>
In-Reply-To: $first
References: $first
Date: Mon, 30 Nov 2026 14:00:00 +0000

Could you try the patch that I have posted today?
END
expect 0 "$REGTRAIL" ingest reply.eml

# thread: mail.eml answers the first report, under its subject, and has a new id.
thread() {
	[ "$(header In-Reply-To)" = "$first" ] || exit 1
	[ "$(header References)" = "$first" ] || exit 1
	[ "$(header Subject)" = "Re: $(cp mail.eml this.eml && cp first.eml mail.eml &&
		header Subject && cp this.eml mail.eml)" ] || exit 1
	[ "$(header Message-ID)" != "$first" ] || exit 1
	header To | grep -q 'eve@example.org' || exit 1
	header To | grep -q 'ada@example.org' || exit 1
	header Cc | grep -q 'list@example.org' || exit 1
	header Cc | grep -q 'guy@example.org' || exit 1
}

# ---- checked again on another tree, whose own people are not concerned
comparison followup 'c["columns"][1]["commit"]["author"] = {"name": "L", "address": "l@example.org"}' >again.json
json_report 0 -o mail.eml again.json --followup "$id" --note 'merged by v4.13-rc1, checked again'
contains out 'draft 2:'
thread
contains mail.eml 'merged by v4.13-rc1, checked again'
contains mail.eml 'perf robot noticed a -7.4% regression of stress-ng.fallocate.ops_per_sec on:'
lacks mail.eml 'l@example.org'
json_report 0 again.json --followup "$id" --note 'merged by v4.13-rc1, checked again'
contains out 'there already as mail 2'
comparison followup 'for m in c["metrics"]:
    m["samples"][1] = [x + 1 for x in m["samples"][0]]' >gone.json
json_report 0 -n -o mail.eml gone.json --followup "$id"
contains mail.eml 'is not seen any more'

# ---- a fix is tested: the tag stands there only when it helps by the same statistics
comparison retest >fix.json
json_report 0 -n -o mail.eml fix.json --retest "$id"
thread
contains mail.eml 'It fixes the regression'
contains mail.eml 'Tested-by: perf robot <robot@example.org>'
[ "$(grep -c '%change' mail.eml)" -eq 1 ] && grep -q '%change.*%change' mail.eml || exit 1
comparison retest 'for m in c["metrics"]:
    m["samples"][2] = [x + d for x, d in zip(m["samples"][1], (5, -4, 6, -7, 3, 1))]' >nofix.json
json_report 0 -n -o mail.eml nofix.json --retest "$id"
contains mail.eml 'It does not fix the regression'
lacks mail.eml 'Tested-by'
# The mean is back, but it is anybody's guess whether because of the fix.
comparison retest 'for m in c["metrics"]:
    low, high = m["samples"][1][0], m["samples"][0][0]
    m["samples"][2] = [low * 0.6, high * 1.9, low * 0.7, high * 1.2]' >noisy.json
json_report 0 -n -o mail.eml noisy.json --retest "$id"
lacks mail.eml 'Tested-by'
comparison retest 'for m in c["metrics"]:
    b, h = m["samples"][:2]
    m["samples"][2] = [(x + y) / 2 for x, y in zip(b, h)]' >part.json
json_report 0 -n -o mail.eml part.json --retest "$id"
contains mail.eml 'It fixes part of the regression'
contains mail.eml 'Tested-by'
comparison retest 'for m in c["metrics"]:
    m["samples"][2] = m["samples"][2][:2]' >few.json
json_report 1 -n few.json --retest "$id"
contains err 'fix-runs: 2 runs with the proposed fix; 3 are needed'
json_report 1 -n first.json --retest "$id"
contains err 'a re-test needs a third column'

# ---- taken back: no results are needed, but a reason
json_report 2 --retract "$id"
contains err '--retract needs --note TEXT: why'
json_report 2
contains err 'which results?'
json_report 0 -o mail.eml --retract "$id" --note 'The machine ran with another microcode.'
contains out 'draft 3:'
thread
contains mail.eml 'Please ignore that report: it is a false positive.'
contains mail.eml 'The machine ran with another microcode.'
contains mail.eml 'It was about the -40.3% regression of stress-ng.fallocate.ops_per_sec in stress-ng, for'
contains mail.eml '5e85262e54'
lacks mail.eml 'Details are as below'
json_report 0 --retract "$id" --note 'The machine ran with another microcode.'
contains out 'there already as mail 3'
send_all
expect 0 "$REGTRAIL" show "$id"
contains out invalid

# ---- only one of them, and not without an ID
json_report 2 first.json --retract "$id" --retest "$id" --note x
contains err 'one of them'

# ---- the thread above a report on a patch is kept: root first
start
comparison patch >patch.json
json_report 0 -o first.eml patch.json
send_all
"$REGTRAIL" list --json >out
id=$(sed 's/.*"short_id":"\([0-9a-f]*\)".*/\1/' out)
first=$(sed -n 's/^Message-ID: \(.*\)\r$/\1/p' first.eml)
json_report 0 -n -o mail.eml --retract "$id" --note 'wrong base'
[ "$(header References)" = "<20250507152045.12266-3-ada@example.org> $first" ] || exit 1
[ "$(header In-Reply-To)" = "$first" ] || exit 1
header Subject | grep -q '^Re: \[PATCH v2 3/5\]' || exit 1
