# shellcheck shell=sh disable=SC2154 # run.sh gives expect, contains, lacks, DATA
# init makes a configuration with every key explained and a database; once.

expect 0 "$REGTRAIL" init
[ -f regtrail.conf ] && [ -f regtrail.db ] || exit 1
contains regtrail.conf 'database = regtrail.db'
contains regtrail.conf '#via ='

# What it wrote is accepted.
expect 0 "$REGTRAIL" list
contains out 'nothing unresolved'

# A second one changes nothing.
cp regtrail.conf before.conf
cp regtrail.db before.db
expect 1 "$REGTRAIL" init
contains err 'regtrail.conf: there already'
cmp regtrail.conf before.conf || exit 1
rm regtrail.conf

# One that was cut off before the configuration was written is made whole.
expect 0 "$REGTRAIL" init
cmp regtrail.conf before.conf || exit 1
rm regtrail.conf regtrail.db
: >regtrail.db
expect 0 "$REGTRAIL" init
expect 0 "$REGTRAIL" list

# But a database that holds anything stays as it is, and so does what is none.
expect 0 "$REGTRAIL" ingest "$REGTRAIL_SOURCE/docs/examples/mails/reply-to-ours.eml"
rm regtrail.conf
cp regtrail.db before.db
expect 1 "$REGTRAIL" init
contains err 'regtrail.db: there already'
[ ! -e regtrail.conf ] || exit 1
cmp regtrail.db before.db || exit 1
echo 'not a database, but long enough to be asked whether it is one' >regtrail.db
expect 1 "$REGTRAIL" init
contains err 'regtrail.db: file is not a database'
contains regtrail.db 'not a database'

# Elsewhere, by --config.
mkdir there
expect 0 "$REGTRAIL" --config there/my.conf init
[ -f there/my.conf ] && [ -f there/regtrail.db ] || exit 1
expect 0 "$REGTRAIL" --config there/my.conf list

# Where nothing can be written, nothing is left behind.
expect 1 "$REGTRAIL" --config none/my.conf init
contains err 'none'
[ ! -e none ] || exit 1

# A configuration whose database is lost, or was never made, gets one, where it says.
rm -rf regtrail.conf regtrail.db there
expect 0 "$REGTRAIL" init
echo '# mine' >>regtrail.conf
cp regtrail.conf before.conf
rm regtrail.db
expect 1 "$REGTRAIL" list
contains err 'regtrail.db: no such database'
expect 0 "$REGTRAIL" init
contains out 'regtrail.conf: there already, kept'
contains out 'regtrail.db: created'
cmp regtrail.conf before.conf || exit 1
expect 0 "$REGTRAIL" list
expect 1 "$REGTRAIL" init
contains err 'regtrail.conf: there already'
: >regtrail.db
expect 0 "$REGTRAIL" init
expect 0 "$REGTRAIL" list
mkdir there
sed 's|^database = .*|database = other.db|' regtrail.conf >there/my.conf
expect 0 "$REGTRAIL" --config there/my.conf init
contains out 'there/other.db: created'
[ -f there/other.db ] && [ ! -e there/regtrail.db ] || exit 1
echo 'database' >there/my.conf
expect 1 "$REGTRAIL" --config there/my.conf init
contains err 'there/my.conf'
sed 's|^database = .*|database = none/other.db|' regtrail.conf >there/my.conf
expect 1 "$REGTRAIL" --config there/my.conf init
contains err 'none/other.db'
