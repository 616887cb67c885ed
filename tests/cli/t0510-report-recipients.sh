# shellcheck shell=sh disable=SC2119,SC2154 # run.sh gives expect, contains, lacks
# Who gets a report, and who never does.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/cli/report.sh"

# people WHO: the addresses of To: or Cc: in ./mail.eml, one a line.
people() {
	header "$1" >decoded
	python3 - "$1" <<'END'
import email, email.policy, sys
mail = email.message_from_binary_file(open("mail.eml", "rb"), policy=email.policy.strict)
field = mail[sys.argv[1]]
for a in field.addresses if field else []:
    print(f"{a.display_name}|{a.username}@{a.domain}")
END
}

# make STATUS [PYTHON] ARGUMENT...: the regression's mail, its culprit changed by a
# statement that knows it as k.
make() {
	status=$1
	change=$2
	shift 2
	comparison regression "k = c['columns'][1]['commit']
$change" >in.json
	rm -f mail.eml
	json_report "$status" -n -o mail.eml in.json "$@"
}

# ---- author first, signers in copy, each once whatever the case; robots and lists never
# from trailers; names with commas, quotes and letters of all kinds
start '[recipients]' 'robots = *-bot@example.org' 'public-lists = *@lists.example.org'
make 0 'k["author"] = {"name": "Doe, \"Jo\" Ångström", "address": "jo@example.org"}
k["trailers"] = ["Signed-off-by: JO <Jo@Example.org>", "Reviewed-by: \"Ray, B.\" <b@example.org> # v2",
  "Acked-by: Zoë <zoe@example.org>", "Signed-off-by: <b@example.org>",
  "Reviewed-by: build-bot@example.org", "Acked-by: mm <mm@lists.example.org>",
  "Signed-off-by: perf robot <robot@example.org>", "Reported-by: who <who@example.org>"]'
[ "$(people To)" = 'Doe, "Jo" Ångström|jo@example.org' ] || exit 1
[ "$(people Cc)" = "Ray, B.|b@example.org
Zoë|zoe@example.org" ] || exit 1

# ---- configured lists: for all, for the tree, for files; a list may not stand twice
start '[recipients]' 'lists = Perf <perf@lists.example.org>' \
	'[tree linus]' 'lists = "Kernel, all" <kernel@lists.example.org>, PERF@lists.example.org' \
	'[paths fs]' 'match = fs/*' 'lists = fs@lists.example.org' \
	'[paths mm]' 'match = mm/*' 'lists = mm@lists.example.org'
make 0 'k["files"] = ["fs/btrfs/file.c"]'
[ "$(people Cc | cut -d'|' -f2)" = "bob@example.org
perf@lists.example.org
kernel@lists.example.org
fs@lists.example.org" ] || exit 1

# ---- a private tree reaches no list, not even when asked to
start '[recipients]' 'lists = perf@lists.example.org' 'public-lists = *@vger.example.org' \
	'[tree linus]' 'private = yes'
make 0 'k["trailers"].append("Acked-by: x <x@vger.example.org>")'
[ "$(people Cc)" = 'Bob Example|bob@example.org' ] || exit 1
make 1 pass --cc lkml@vger.example.org
contains err 'lkml@vger.example.org is a public list, and the tree is private'
make 1 pass --to perf@lists.example.org
contains err 'is a public list'
make 0 'k["tree"] = "other"'
people Cc | grep -q perf@lists.example.org || exit 1

# ---- improvements are kept off the lists by a key of their own
start '[recipients]' 'lists = perf@lists.example.org'
comparison improvement >good.json
json_report 0 -n -o mail.eml good.json
contains mail.eml 'Cc: perf@lists.example.org'
start '[recipients]' 'lists = perf@lists.example.org' '[report]' 'improvements-to-lists = no'
json_report 0 -n -o mail.eml good.json
lacks mail.eml 'perf@lists.example.org'
json_report 0 -n -o mail.eml good.json --to perf@lists.example.org
contains mail.eml 'To: perf@lists.example.org'
make 0 pass
contains mail.eml 'perf@lists.example.org'

# ---- stop list and own addresses: left out, and an error when asked for
start 'own-addresses = boss@example.org' '[recipients]' 'stop = *@quiet.example.org, bob@example.org'
make 0 'k["trailers"].append("Acked-by: q <q@quiet.example.org>")
k["trailers"].append("Acked-by: boss <boss@example.org>")'
[ -z "$(people Cc)" ] || exit 1
make 1 pass --to BOB@example.org
contains err 'recipient BOB@example.org is on the stop list'
make 1 pass --cc boss@example.org
contains err 'boss@example.org is our own address'

# ---- too many are named
start '[recipients]' 'max = 2'
make 1 pass --cc one@example.org
contains err '3 recipients are more than 2: ada@example.org, one@example.org, bob@example.org'

# ---- nobody is named: an error, and --to is enough
start
make 1 'del k["author"]; k["trailers"] = []'
contains err 'there is nobody to send to'
make 0 'del k["author"]; k["trailers"] = []' --to 'Ann <ann@example.org>'
[ "$(people To)" = 'Ann|ann@example.org' ] || exit 1

# ---- an author or signer without an address: an error, until it is forced
make 1 'k["author"]["address"] = "ada at example dot org"'
contains err "author: 'ada at example dot org' is not an address"
make 1 'k["trailers"].append("Acked-by: somebody")'
contains err "Acked-by: 'somebody' is not an address"
make 0 'k["author"]["address"] = "ada at example dot org"; k["trailers"].pop(0)' --force 'address=she left'
[ "$(people To)" = 'Bob Example|bob@example.org' ] || exit 1

# ---- cc-cmd runs in the repository and gets the patch
git init -q repo
(
	cd repo || exit 1
	git config user.name 'Ann Öster'
	git config user.email ann@example.org
	for i in 1 2; do
		echo $i >file
		git add file
		git commit -q -m "lib: step $i" -m 'Signed-off-by: Ann Öster <ann@example.org>'
	done
)
id=$(git -C repo rev-parse HEAD)
parent=$(git -C repo rev-parse HEAD~)
cat >who.sh <<'END'
#!/bin/sh
grep -q '^Subject: \[PATCH\] lib: step 2' "$1" || exit 1
[ "$(stat -c %a "$1")" = 600 ] || exit 1
echo '"Maint, The" <maint@example.org> (maintainer:LIB)'
echo 'lib-list@example.org (open list:LIB)'
END
chmod +x who.sh
start '[recipients]' "cc-cmd = $PWD/who.sh"
comparison regression "c['columns'] = [{'commit': '$parent'}, {'commit': '$id'}]" >in.json
json_report 0 -n -o mail.eml in.json --git repo
[ "$(people To)" = 'Ann Öster|ann@example.org' ] || exit 1
[ "$(people Cc)" = "Maint, The|maint@example.org
|lib-list@example.org" ] || exit 1
printf '#!/bin/sh\necho not an address\n' >who.sh
json_report 1 -n in.json --git repo
contains err "who.sh: cc-cmd: 'not an address' is not an address"
printf '#!/bin/sh\nexit 3\n' >who.sh
json_report 1 -n in.json --git repo
contains err 'who.sh'
