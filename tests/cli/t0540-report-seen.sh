# shellcheck shell=sh disable=SC2119,SC2154 # run.sh gives expect, contains, lacks
# A report cites an earlier regression that was explained by what shows up in its profile.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/cli/report.sh"

mails=$REGTRAIL_SOURCE/docs/examples/mails

# with_profile FILE FUNCTION: the regression's results, more time in that function.
with_profile() {
	comparison regression "c['metrics'].append({'name': 'perf-profile.self.cycles-pp.$2',
    'samples': [[1, 1.1, 1.2, 1, 1.1, 1.2], [9, 9.1, 9.2, 9, 9.1, 9.2]]})" >"$1"
}

# explain FUNCTION [WORD]: somebody says that it is the reason of an earlier report.
explain() {
	cat >explanation.eml <<END
From: Hana Okafor <hana.okafor@example.org>
To: Priya Raman <priya.raman@example.org>
Subject: Re: a regression
Message-ID: <why-$1@example.org>
In-Reply-To: <202611090814.6c1fd2e8-robot@bench.example.org>
Date: Tue, 10 Nov 2026 10:00:00 +0000

The regression is caused by lock contention in $1, as the
profile shows.
END
	expect 0 "$REGTRAIL" ingest "$mails/foreign-report.eml" explanation.eml
}

start
with_profile in.json _raw_spin_lock_irqsave
json_report 0 -n in.json
lacks out 'was seen before'
explain _raw_spin_lock_irqsave
expect 0 "$REGTRAIL" replies 4b7d1e90c2
contains out lock-contention
for style in robot robot-2017; do
	json_report 0 -n in.json --style $style
	contains out 'The same mechanism (_raw_spin_lock_irqsave) was seen before, in a'
	contains out '-23.4% regression of will-it-scale.per_process_ops (status: reported):'
	contains out 'Hana Okafor wrote:'
	contains out '4b7d1e90c2 ("mm/page_alloc: walk the fallback list under the zone lock")'
	contains out 'https://lore.example.org/r/202611090814.6c1fd2e8-robot@bench.example.org'
	contains out '> '
	contains out 'caused by lock contention in _raw_spin_lock_irqsave'
done
json_report 0 -n in.json --style brief
contains out 'The same mechanism (_raw_spin_lock_irqsave) was seen before:'

# The mail is read back as the report that it is.
json_report 0 -n -o mail.eml in.json
expect 0 "$REGTRAIL" parse mail.eml
contains out '"commit":"5e85262e542d6da8898bb8563a724ad98f6fc936"'
contains out '"metric":"stress-ng.fallocate.ops_per_sec"'

# What was said later does not change a draft.
json_report 0 in.json
contains out 'draft 1:'
json_report 0 in.json
contains out 'there already as mail 1'

# Another function, a false alarm, a private tree, or a key: nothing is cited.
with_profile other.json clear_page_erms
json_report 0 -n other.json
lacks out 'was seen before'
"$REGTRAIL" list --json --commit 4b7d1e90c2 >out
id=$(sed 's/.*"short_id":"\([0-9a-f]*\)".*/\1/' out)
expect 0 "$REGTRAIL" outbox cancel 1
expect 0 "$REGTRAIL" set "$id" invalid --reason 'another kernel'
json_report 0 -n in.json
lacks out 'was seen before'
expect 0 "$REGTRAIL" undo "$id"
json_report 0 -n in.json
contains out 'was seen before'
printf '[tree linux-next]\nprivate = yes\n' >>regtrail.conf
json_report 0 -n in.json
lacks out 'was seen before'
sed -i 's/^private = yes/private = no/' regtrail.conf
printf '[report]\nseen-before = no\n' >>regtrail.conf
json_report 0 -n in.json
lacks out 'was seen before'
