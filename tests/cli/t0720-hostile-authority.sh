# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh give what stands here
# Only who is entitled moves a status, however a mail is dressed.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/hostile/lib.sh"
attack ids
status reported
expect 0 "$REGTRAIL" show "$id"
contains out 'unixbench.score'
expect 0 "$REGTRAIL" export --format mbox "$id"
contains out 'test robot noticed'

attack commands
status reported
expect 0 "$REGTRAIL" show "$id"
contains out invalid

attack people
contains ingested '1 new report'
status reported

# From an archive, where anybody may have said that it is signed.
python3 "$HOSTILE/attacks.py" command "$report" "$id" >command.mbox
expect 0 "$REGTRAIL" ingest --archive command.mbox
status reported
printf '[source copy]\nurl = mbox:command.mbox\ndelivered = no\n' >>regtrail.conf
expect 0 "$REGTRAIL" ingest copy
status reported

# What she signed vouches for nothing that came under its id before.
attack borrowed
attack lent
contains ingested '1 known already'
status reported

# From home she is somebody else, unless a mailmap says who that is.
attack home
status reported
printf 'Mara Lindqvist <mara@example.org> <mara@home.example> # at home\n' >mailmap
sed -i 's|^\[regtrail\]|&\nmailmap = mailmap|' regtrail.conf
expect 0 "$REGTRAIL" ingest --again home.mbox
status acknowledged
sed -i '/^mailmap/d' regtrail.conf
expect 0 "$REGTRAIL" ingest --again home.mbox
status reported

# Her own, signed: it counts once, and the same mail again does not undo what came later.
attack command
status expected
expect 0 "$REGTRAIL" reopen "$id" --reason 'asked again'
status reported
expect 0 "$REGTRAIL" ingest --again command.mbox
contains out '1 known already'
status reported
sed 's/hostile-60@/hostile-61@/' command.mbox >replay.mbox
expect 0 "$REGTRAIL" ingest replay.mbox
status reported

# A mail from the future is no later than when it came: what is set after it stands.
next_second
attack future
status fix-queued
expect 0 "$REGTRAIL" set "$id" investigating --reason 'no such commit'
status investigating

# A flood of suggestions fills no page, and hides none that weighs more.
next_second
attack flood
expect 0 "$REGTRAIL" list
[ "$(wc -l <out)" -lt 10 ] || exit 1
contains out 'Mara Lindqvist (author)'
contains out "... and 298 more (regtrail show ${id%"${id#????????}"})"
expect 0 "$REGTRAIL" show "$id"
contains out '... and 281 more (show --json)'
expect 0 "$REGTRAIL" digest
contains out 'Mara Lindqvist (author)'
contains out '... and 296 more'
[ "$(wc -l <out)" -lt 60 ] || exit 1
expect 0 "$REGTRAIL" list --json
[ "$(grep -o '"quote":' out | wc -l)" -eq 301 ] || exit 1
expect 1 "$REGTRAIL" confirm "$id"
contains err 'several suggestions are open'
[ "$(wc -c <err)" -lt 500 ] || exit 1

# What is closed stays so, whoever reports it again; the operator is asked.
expect 0 "$REGTRAIL" set "$id" fixed --reason 'by the new version'
expect 0 "$REGTRAIL" list
contains out 'nothing unresolved'
next_second
attack again
status fixed
expect 0 "$REGTRAIL" list
contains out 'reported? kernel test robot (other)'
expect 0 "$REGTRAIL" show "$id"
contains out 'suggestion by kernel test robot: reported'
contains out 'by <hostile-48@evil.example>, of no robot that is known for it'
expect 0 "$REGTRAIL" confirm "$id"
status reported
