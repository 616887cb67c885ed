# shellcheck shell=sh disable=SC2154 # run.sh gives expect, contains, lacks, DATA
# What is in the outbox leaves once, when it may, and is settled by hand when in doubt.

examples=$REGTRAIL_SOURCE/docs/examples
root=$(echo "$examples"/results/unixbench/*/*/*/*/*)
base=$root/aa6e427d334b832d952d658cae44f65f99ffaf74
head=$root/8f3ab2a3b2ce14772811945b1f7ea036b769932e

# start [KEY = VALUE below GROUP]: a new directory with one draft in it.
start() {
	rm -rf regtrail.* sent
	expect 0 "$REGTRAIL" init
	sed -i 's/^from =.*/from = robot@example.org/' regtrail.conf
	expect 0 "$REGTRAIL" report --date 2026-11-30T12:00:00Z -o mail.eml \
		--commits "$examples/commits.json" "$base" "$head"
}

start
contains out 'draft 1:'
expect 0 "$REGTRAIL" outbox
contains out 'draft'
expect 0 "$REGTRAIL" outbox --json
contains out '"outbox":1,"state":"draft","kind_of_mail":"report"'
expect 0 "$REGTRAIL" outbox --csv
contains out 'outbox,state,kind_of_mail'
contains out '1,draft,report,02222725'
expect 0 "$REGTRAIL" outbox --state sent
contains out 'nothing waits'

# A cancelled mail stays.
expect 0 "$REGTRAIL" outbox cancel 1
expect 0 "$REGTRAIL" send --via dir:sent
[ ! -e sent ] || [ -z "$(ls sent)" ] || exit 1
expect 1 "$REGTRAIL" outbox approve 1
contains err 'cancelled'

# -o wrote what goes on the wire.
start
expect 0 "$REGTRAIL" outbox approve 1
expect 0 "$REGTRAIL" send --via dir:sent
cmp mail.eml sent/*.eml || exit 1

# The stop file stops everything, for later.
start
expect 0 "$REGTRAIL" outbox approve 1
: >regtrail.stop
expect 75 "$REGTRAIL" send --via dir:sent
contains err 'regtrail.stop'
expect 0 "$REGTRAIL" check
contains out 'regtrail.stop is there: nothing is sent until it is removed'
rm regtrail.stop
expect 0 "$REGTRAIL" check
contains out 'all is well'
expect 0 "$REGTRAIL" send --via dir:sent
contains out '1: sent'

# A cap too.
start
expect 0 "$REGTRAIL" outbox approve 1
printf '[send]\nper-recipient-day = 1\n' >>regtrail.conf
expect 0 "$REGTRAIL" send --via dir:sent
contains out '1: sent'

# Approval can be switched off, and the way of delivery configured.
start
rm regtrail.db
cat >regtrail.conf <<'END'
[regtrail]
from = robot@example.org
[report]
approval = no
[send]
via = dir:sent
END
mv regtrail.conf own.conf
expect 0 "$REGTRAIL" init
mv own.conf regtrail.conf
expect 0 "$REGTRAIL" report --commits "$examples/commits.json" "$base" "$head"
expect 0 "$REGTRAIL" send
contains out '1: sent'

# A directory that cannot be written to is for later; nothing is lost.
start
expect 0 "$REGTRAIL" outbox approve 1
: >sent
expect 1 "$REGTRAIL" send --via dir:sent
contains err 'dir:sent'
rm sent
expect 0 "$REGTRAIL" send --via dir:sent
contains out '1: sent'

# A password file that others can read is refused.
start
expect 0 "$REGTRAIL" outbox approve 1
echo secret >password
chmod 644 password
printf '[send]\npassword-file = password\n' >>regtrail.conf
expect 1 "$REGTRAIL" send --via smtp://ann@localhost:1
contains err 'others can read the password'
