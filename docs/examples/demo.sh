#!/bin/sh
# The main job from end to end on the sample data beside this script, in an empty
# directory that is removed afterwards.  `regtrail` must be in PATH.
set -eu
examples=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
ln -s "$examples" examples
results='examples/results/unixbench/performance-100%-300s-spawn/example-2s-48c/debian-12-x86_64.cgz/x86_64-server-6.9/gcc-13'
base=$results/aa6e427d334b832d952d658cae44f65f99ffaf74
head=$results/8f3ab2a3b2ce14772811945b1f7ea036b769932e

step() {
	printf '\n\n######## %s\n' "$*"
}

# run COMMAND...: prints it as one would type it, then runs it.
run() {
	printf '\n$ %s\n' "$*" | sed "s|$results|gcc-13|g"
	"$@"
}

step 'A configuration and a database'
run regtrail init
sed -i -e 's|^#* *from *=.*|from = example test robot <robot@bench.example.org>|' \
	-e 's|^#* *archive-url *=.*|archive-url = https://lists.example.org/r/%s|' \
	-e 's|^#* *via *=.*|via = dir:outgoing|' regtrail.conf
cat >>regtrail.conf <<'CONF'

[machine example-2s-48c]
description = 48 threads 2 sockets with 128G memory

[tree linux-next]
lists = linux-kernel@lists.example.org
CONF

step 'Compare the results of two commits'
run regtrail compare "$base" "$head"

step 'Make the report: a draft in the outbox'
run regtrail report "$base" "$head" --commits examples/commits.json --date 2024-06-10T08:00:00Z
run regtrail outbox

step 'Nothing leaves without approval'
run regtrail outbox approve 1
run regtrail send
run ls outgoing
mail=$(echo outgoing/*.eml)
printf '\n$ sed -n 1,60p %s\n' "$mail"
tr -d '\r' <"$mail" | sed -n 1,60p

step 'Somebody answers'
id=$(tr -d '\r' <"$mail" | sed -n 's/^Message-I[Dd]: *<\(.*\)>.*/\1/p')
[ -n "$id" ] || id=$(tr -d '\r' <"$mail" | sed -n '/^Message-I[Dd]:/{n;s/.*<\(.*\)>.*/\1/p;}')
subject=$(tr -d '\r' <"$mail" | sed -n '/^Subject:/{s/^Subject: *//;p;}')
cat >reply.eml <<REPLY
From: Mara Lindqvist <mara@example.org>
To: example test robot <robot@bench.example.org>
Cc: linux-kernel@lists.example.org
Subject: Re: $subject
Date: Tue, 11 Jun 2024 10:21:07 +0200
Message-ID: <20240611082107.GB3311@desk.example.org>
In-Reply-To: <$id>
References: <$id>
Content-Type: text/plain; charset=us-ascii

On Mon, Jun 10, 2024 at 08:00:00AM +0000, example test robot wrote:
> commit: 8f3ab2a3b2ce14772811945b1f7ea036b769932e ("sched/fair: Spread newly forked tasks over all nodes")

Tasks now start on both nodes, so exit and wait meet on tasklist_lock from
two sockets, and that lock does not scale. The test does nothing but fork
and exit; real workloads gain from the wider spread. This is the expected
price of the change, and I would leave it as it is.

Thanks,
Mara
REPLY
run sed -n '/^$/,$p' reply.eml
run regtrail ingest reply.eml

step 'A report by another robot, and the thread below it'
run regtrail ingest examples/mails/foreign-report.eml examples/mails/thread.mbox

step 'What is unresolved, and on whose word'
run regtrail list
short=$(regtrail list --json | sed -n 's/.*"short_id": *"\([0-9a-f]*\)".*"commit": *"8f3ab2a3.*/\1/p; s/.*"commit": *"8f3ab2a3[^}]*"short_id": *"\([0-9a-f]*\)".*/\1/p' | head -n 1)
[ -n "$short" ] || short=$(regtrail list | awk '/unixbench/ { print $1; exit }')
run regtrail show "$short"

step 'All replies per commit'
run regtrail replies 4b7d1e90c2

step 'A fix lands in a tree'
# A repository made on the spot, whoever you are to git.
GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
GIT_AUTHOR_NAME='Priya Raman' GIT_AUTHOR_EMAIL=priya.raman@example.org
GIT_COMMITTER_NAME='Hana Okafor' GIT_COMMITTER_EMAIL=hana.okafor@example.org
export GIT_CONFIG_NOSYSTEM GIT_CONFIG_GLOBAL GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL
export GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
git init -q -b mm-next linux
git -C linux commit -q --allow-empty -F - <<'COMMIT'
mm/page_alloc: drop the zone lock before walking the fallback list

Fixes: 4b7d1e90c2f6 ("mm/page_alloc: walk the fallback list under the zone lock")
Reported-by: kernel test robot <robot@bench.example.org>
Closes: https://lists.example.org/r/202611090814.6c1fd2e8-robot@bench.example.org
Signed-off-by: Priya Raman <priya.raman@example.org>
COMMIT
cat >>regtrail.conf <<'CONF'

[tree mm]
path = linux
branch = mm-next
order = next
CONF
run git -C linux log --format=%B
run regtrail scan
run regtrail list

step 'The operator has the last word'
run regtrail confirm "$short"
run regtrail list
