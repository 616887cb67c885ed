# shellcheck shell=sh disable=SC2154 # run.sh gives expect, contains, lacks
# Reminders: only where configured, only what nobody answers, never twice, never unasked.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/cli/keep_alive.sh"

start 30 </dev/null
drafts() {
	"$REGTRAIL" outbox --state draft --json | wc -l
}

# Without a group nobody is reminded of anything.
expect 0 "$REGTRAIL" remind --dry-run
contains out 'not now: no group [remind NAME] covers it'
expect 0 "$REGTRAIL" remind
contains out '0 reminders drafted'
[ "$(drafts)" -eq 0 ] || exit 1

printf '[remind sched]\nsubsystems = sched\nafter-days = 10\nevery-weeks = 2\n[report]\napproval = no\n' >>regtrail.conf
expect 0 "$REGTRAIL" remind --dry-run
contains out 'to be reminded of [remind sched]: nobody has answered for 30 days'
contains out 'To: mara@example.org'
contains out 'Cc: '
[ "$(drafts)" -eq 0 ] || exit 1
expect 0 "$REGTRAIL" remind --dry-run --json
contains out '"due":true'
contains out '"group":"sched"'
expect 0 "$REGTRAIL" remind --dry-run --date "$(ago 25)"
contains out 'not now: it was reported 5 days ago'
expect 2 "$REGTRAIL" remind --json

# One draft, whatever `approval` says, in the thread of the report.
die_everywhere "$REGTRAIL" remind --date "$(ago 0)"
expect 0 "$REGTRAIL" remind
contains out '1 reminder drafted'
[ "$(drafts)" -eq 1 ] || exit 1
expect 0 "$REGTRAIL" send --via dir:sent
contains out 'nothing to send'
expect 0 "$REGTRAIL" remind
contains out '0 reminders drafted'
expect 0 "$REGTRAIL" remind --dry-run
contains out 'reminder 2 of the outbox is draft'
expect 0 "$REGTRAIL" outbox show 2
contains out "In-Reply-To: <$message_id>"
contains out 'Subject: Re: [linux-next:master] [sched/fair]'
contains out '"#regtrail no-reminders"'
contains out '"#regtrail stop"'
contains out 'This is reminder 1 of at most 3.'
contains out 'Regression-ID: 02222725'
sed '1,/^$/d' out >body
narrow body

# Somebody answers before it leaves: it does not.
expect 0 "$REGTRAIL" outbox approve 2
answer 'Mara Lindqvist <mara@example.org>' 'Thanks, I will look into it.'
expect 0 "$REGTRAIL" send --via dir:sent
contains out 'reminder 2 is cancelled'
contains out 'nothing to send'
[ "$(find sent -name '*.eml' | wc -l)" -eq 1 ] || exit 1
expect 0 "$REGTRAIL" remind --dry-run
contains out 'not now: Mara Lindqvist answered 0 days ago'

# Two weeks later there is a second one, and it says that it is that.
later=$(($(date +%s) + 20 * 86400))
expect 0 "$REGTRAIL" remind --date "@$later"
contains out 'draft 3'
expect 0 "$REGTRAIL" outbox show 3
contains out 'This is reminder 2 of at most 3.'
contains out 'the last word about it was said 2'
# Read back, it is a robot's mail that commands nothing.
expect 0 "$REGTRAIL" outbox cancel 3

# A signer who wants no more mail gets none; the others still do.
expect 0 "$REGTRAIL" remind --dry-run --date "@$((later + 86400 * 40))"
cc=$(sed -n 's/^    Cc: \([^,]*\).*/\1/p' out)
[ -n "$cc" ] || exit 1
answer "$cc" '#regtrail stop'
expect 0 "$REGTRAIL" remind --dry-run --date "@$((later + 86400 * 40))"
contains out 'to be reminded of'
grep 'Cc: ' out >copies
lacks copies "$cc"
# Forgotten, but not reminded.
expect 0 "$REGTRAIL" forget "a$answers@example.org"
expect 0 "$REGTRAIL" remind --dry-run --date "@$((later + 86400 * 40))"
lacks out "$cc"
# The author speaks for all.
answer 'Mara Lindqvist <mara@example.org>' '#regtrail no-reminders'
expect 0 "$REGTRAIL" remind --dry-run --date "@$((later + 86400 * 40))"
contains out 'asked for no reminders'
expect 0 "$REGTRAIL" check

# From nobody no mail.
sed -i 's/^from =.*//' regtrail.conf
expect 1 "$REGTRAIL" remind
contains err 'who is the mail from?'
