# shellcheck shell=sh disable=SC2154 # run.sh gives expect, contains, lacks, DATA
# What a stranger's mail claims of itself does not touch a regression of ours.

results="$REGTRAIL_SOURCE/docs/examples/results/unixbench/performance-100%-300s-spawn"
results="$results/example-2s-48c/debian-12-x86_64.cgz/x86_64-server-6.9/gcc-13"
base=$results/aa6e427d334b832d952d658cae44f65f99ffaf74
head=$results/8f3ab2a3b2ce14772811945b1f7ea036b769932e

expect 0 "$REGTRAIL" init
sed -i -e 's|^#* *from *=.*|from = test robot <robot@bench.example.org>|' regtrail.conf
expect 0 "$REGTRAIL" report "$base" "$head" --date 2026-11-20T08:00:00Z \
	--commits "$REGTRAIL_SOURCE/docs/examples/commits.json"
expect 0 "$REGTRAIL" outbox approve 1
expect 0 "$REGTRAIL" send --via dir:sent
id=$(tr -d '\r' <"$(echo sent/*.eml)" | sed -n 's/^X-Regtrail-Regression: //p')
expect 0 "$REGTRAIL" show "$id"
cp out before

# A report on another commit, with an earlier date, that carries our ID.
sed -e 's/^Message-ID: .*/Message-ID: <s1@evil.example>/' \
	-e 's/^From: .*/From: kernel test robot <evil@evil.example>/' \
	-e "s/^commit: .*/Regression-ID: $id\n\n&/" \
	"$REGTRAIL_SOURCE/docs/examples/mails/foreign-report.eml" >forged.eml
expect 0 "$REGTRAIL" ingest forged.eml
expect 0 "$REGTRAIL" show "$id"
contains out 'unixbench.score'
contains out '8f3ab2a3b2ce'
lacks out 'evil.example'
cmp before out || exit 1

# parse writes ASCII: what steers a terminal in a mail is escaped.
printf 'From: a <a@example.org>\nSubject: =?utf-8?q?x=C2=9B31m=E2=80=AEy?=\n\nhello\n' >steer.eml
expect 0 "$REGTRAIL" parse steer.eml
[ "$(LC_ALL=C tr -d '\11\12\40-\176' <out | wc -c)" -eq 0 ] || exit 1

# A stranger's report of what we have found does not keep ours from being written; that of
# a robot which the configuration names does.
sed -e 's/^Message-ID: .*/Message-ID: <first@evil.example>/' -e '/^X-Regtrail/d' \
	-e 's/^From: .*/From: test robot <bot@evil.example>/' sent/*.eml >first.eml
mkdir fresh
cd fresh || exit 1
expect 0 "$REGTRAIL" init
sed -i -e 's|^#* *from *=.*|from = test robot <robot@bench.example.org>|' regtrail.conf
expect 0 "$REGTRAIL" ingest ../first.eml
contains out '1 new report'
expect 0 "$REGTRAIL" report -n "$base" "$head" --date 2026-11-21T08:00:00Z \
	--commits "$REGTRAIL_SOURCE/docs/examples/commits.json"
sed -i -e 's|^#* *robots *=.*|robots = bot@evil.example|' regtrail.conf
expect 1 "$REGTRAIL" report "$base" "$head" --date 2026-11-21T08:00:00Z \
	--commits "$REGTRAIL_SOURCE/docs/examples/commits.json"
contains err 'is reported already by <first@evil.example>'
sed -i -e 's|^robots *=.*|robots = lkp@example.org|' regtrail.conf
expect 0 "$REGTRAIL" report "$base" "$head" --date 2026-11-21T08:00:00Z \
	--commits "$REGTRAIL_SOURCE/docs/examples/commits.json"
