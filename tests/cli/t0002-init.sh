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
expect 1 "$REGTRAIL" init
contains err 'regtrail.db: there already'
[ ! -e regtrail.conf ] || exit 1

# Elsewhere, by --config.
mkdir there
expect 0 "$REGTRAIL" --config there/my.conf init
[ -f there/my.conf ] && [ -f there/regtrail.db ] || exit 1
expect 0 "$REGTRAIL" --config there/my.conf list

# Where nothing can be written, nothing is left behind.
expect 1 "$REGTRAIL" --config none/my.conf init
contains err 'none'
[ ! -e none ] || exit 1
