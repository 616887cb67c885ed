# shellcheck shell=sh disable=SC2154 # run.sh gives expect, contains, lacks
# The weekly mail, and the same on a terminal.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/cli/keep_alive.sh"

start 30 <<'END'
[digest sched]
to = perf@lists.example.org
cc = robot@example.org, ann@example.org
subsystem = sched
[digest mm]
to = mm@lists.example.org
subsystem = mm
END

# Printed: nothing is stored.
expect 0 "$REGTRAIL" digest all
contains out '(quiet) unixbench.score'
contains out 'Status: reported; reported 30 days ago; nobody has answered.'
expect 0 "$REGTRAIL" digest --date "$(ago 20)" all
contains out 'There is 1 unresolved performance regression.'
contains out 'This is the first digest'
contains out 'unixbench.score -6.6% regression'
contains out "https://lore.example.org/r/$message_id"
contains out 'Reported 10 days ago by example test robot'
lacks out '[NEW]'
narrow out
expect 0 "$REGTRAIL" digest mm
contains out 'There is no unresolved performance regression of mm.'
expect 0 "$REGTRAIL" digest --dry-run sched
contains out 'Subject: Performance regressions of sched ['
contains out 'Cc: ann@example.org'
lacks out 'Cc: robot@example.org'
expect 0 "$REGTRAIL" outbox --state draft
contains out 'nothing waits'
expect 2 "$REGTRAIL" digest nothing
contains err 'there is no group [digest nothing]'
expect 2 "$REGTRAIL" digest --mail --json

# Nobody to send to: clear words, nothing stored.
expect 1 "$REGTRAIL" digest --mail all
contains err 'digest of all: there is nobody to send to: set '
contains err 'in [digest NAME], or give --to ADDRESS'

# A draft of each group; the same again on the same day is the same.
die_everywhere "$REGTRAIL" digest --mail --date "$(ago 21)"
expect 0 "$REGTRAIL" digest --mail --date "$(ago 21)"
contains out 'draft 2: Performance regressions of sched'
contains out 'draft 3: Performance regressions of mm'
expect 0 "$REGTRAIL" digest --mail --date "$(ago 21)"
contains out 'there already as mail 2'
contains out 'there already as mail 3'

# A week later the drafts have not left: new ones take their place.
expect 0 "$REGTRAIL" digest --mail --date "$(ago 14)" sched
contains err 'draft 2 is cancelled'
contains out 'draft 4:'
expect 0 "$REGTRAIL" outbox approve 4
expect 1 "$REGTRAIL" digest --mail --date "$(ago 7)" sched
contains err 'settle that one first'
expect 0 "$REGTRAIL" send --via dir:sent
contains out '4: sent'
expect 0 "$REGTRAIL" digest --mail --date "$(ago 14)" sched
contains out 'there already as mail 4'

# Against the one that was sent.
expect 1 "$REGTRAIL" digest --date "$(ago 20)" sched
contains err 'the clock says'
contains err 'but the last digest'
expect 1 "$REGTRAIL" digest --mail --date "$(ago 20)" sched
answer 'Mara Lindqvist <mara@example.org>' 'Thanks, I will look into it this week.'
expect 0 "$REGTRAIL" digest sched
contains out '[CHANGED] unixbench.score -6.6% regression'
contains out '(was reported)'
contains out 'replies: 1 (1 new)'
contains out 'last activity today by Mara'
narrow out
expect 0 "$REGTRAIL" digest --json sched
contains out '"news":"changed"'
contains out '"before":"reported"'
expect 0 "$REGTRAIL" digest --csv sched
contains out 'scope,news,regression'
expect 0 "$REGTRAIL" digest --mail sched
contains out 'draft 5:'
deliver 5
last=$(sed -n 's/^Message-ID: <\(.*\)>\r$/\1/p' sent/*.eml | grep -v "$message_id" | tail -1)
[ -n "$last" ] || exit 1
expect 0 "$REGTRAIL" set 0222 fixed --reason 'repaired by hand'
expect 0 "$REGTRAIL" digest --dry-run --date "@$(($(date +%s) + 86400))" sched
contains out 'In-Reply-To: <'
contains out 'Closed since the last digest'
contains out 'unixbench.score -6.6% regression: fixed'
contains out '"repaired by hand"'
[ "$(grep -c '@example.org>' out)" -gt 2 ] || exit 1

# Hostile words in a title stay words.  A mail of the second of `set` would be before it.
next_second
printf 'From: Mara Lindqvist <mara@example.org>\nSubject: Re: it\nDate: %s\nMessage-ID: <evil@example.org>\nIn-Reply-To: <%s>\nContent-Type: text/plain; charset=utf-8\n\n#regtrail reopen\n#regtrail title: \033[2Jred\342\200\256der \345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\345\271\205\n' \
	"$(date -R)" "$message_id" >evil.eml
expect 0 "$REGTRAIL" ingest evil.eml
expect 0 "$REGTRAIL" digest sched
contains out 'red'
lacks out "$(printf '\033')"
lacks out "$(printf '\342\200\256')"
narrow out

# Nothing of a private tree leaves in a mail that is not private itself.
printf '[tree linux-next]\nprivate = yes\n[recipients]\npublic-lists = *@lists.example.org\n' >>regtrail.conf
expect 0 "$REGTRAIL" digest sched
contains out '1 unresolved'
expect 0 "$REGTRAIL" digest --dry-run sched
contains out 'There is no unresolved performance regression'
lacks out 'unixbench'
sed -i 's/^\[digest sched\]/&\nprivate = yes/' regtrail.conf
expect 0 "$REGTRAIL" digest --dry-run sched
contains out '1 unresolved'
lacks out 'perf@lists.example.org'
expect 0 "$REGTRAIL" check

# A broken template of these mails is named with its line, by `check` and when it is used.
sed -i 's/^#*directory =.*//' regtrail.conf
printf '[templates]\ndirectory = own\n' >>regtrail.conf
mkdir -p own/mail
for name in digest digest-entry digest-closed digest-subject remind; do
	printf 'Hello\n{{#%s}}\n' tree >"own/mail/$name.mustache"
	expect 1 "$REGTRAIL" check
	contains err "own/mail/$name.mustache:2:"
	rm "own/mail/$name.mustache"
done
printf 'Hello\nworld, {{no_such_name}}\n' >own/mail/digest.mustache
expect 1 "$REGTRAIL" check
contains err 'own/mail/digest.mustache:2:'
contains err 'no_such_name'
expect 1 "$REGTRAIL" digest --dry-run sched
contains err 'digest.mustache:2:'
printf 'Hello\nworld\n' >own/mail/digest.mustache
expect 0 "$REGTRAIL" check
expect 0 "$REGTRAIL" digest --dry-run sched
contains out 'world'
