# shellcheck shell=sh disable=SC2154,SC2034
# Git trees made on the spot and reports about their commits; read with
# `. "$REGTRAIL_SOURCE/tests/cli/trees.sh"`.
GIT_CONFIG_NOSYSTEM=1
GIT_CONFIG_GLOBAL=/dev/null
GIT_AUTHOR_NAME='Mara Lindqvist'
GIT_AUTHOR_EMAIL=mara@example.org
GIT_COMMITTER_NAME='Tomas Kolar'
GIT_COMMITTER_EMAIL=tomas@example.org
export GIT_CONFIG_NOSYSTEM GIT_CONFIG_GLOBAL GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL
export GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL
echo $(($(date +%s) - 86400)) >clock # now; every commit is a minute after the last

# now: the present time, a minute later than the last.
now() {
	echo $(($(cat clock) + 60)) >clock
	cat clock
}

# tree NAME: a repository in ./NAME with one commit.
tree() {
	git init -q -b master "$1"
	commit "$1" start 'Start' >/dev/null
}

# commit TREE FILE MESSAGE [LINE]: a new commit that appends to FILE; prints its hash.
commit() {
	time=$(now)
	echo "${4-$time}" >>"$1/$2"
	git -C "$1" add -A
	GIT_AUTHOR_DATE="@$time +0000" GIT_COMMITTER_DATE="@$time +0000" \
		git -C "$1" commit -q --allow-empty -F - <<-END
		$3
	END
	git -C "$1" rev-parse HEAD
}

# setup: a configuration with the trees next and linus, whose commits have not begun.
setup() {
	expect 0 "$REGTRAIL" init
	printf '%s\n' '[regtrail]' 'from = test robot <robot@example.org>' \
		'database = regtrail.db' \
		'[tree linux-next]' 'path = next' 'branch = master' 'order = next' \
		'[tree linus]' 'path = linus' 'branch = master' 'order = mainline' \
		>regtrail.conf
}

# report NAME TREE BRANCH COMMIT SUBJECT: a sent report about a commit; sets $id, the
# regression, and $mid, the Message-ID.
report() {
	cat >"$1.json" <<-END
	{"testcase": "unixbench", "machine": "box", "parameters": {"test": "$1"},
	 "columns": [{"commit": {"id": "$(printf '%040d' 7)"}},
	  {"commit": {"id": "$4", "subject": "$5", "tree": "$2", "branch": "$3",
	   "author": {"name": "Mara Lindqvist", "address": "mara@example.org"}}}],
	 "metrics": [{"name": "unixbench.score",
	  "samples": [[100, 101, 99, 100], [90, 91, 89, 90]]}]}
	END
	expect 0 "$REGTRAIL" report --date "@$(now)" --kind regression "$1.json"
	mid=$(sed -n 's/.*Message-ID <\([^>]*\)>.*/\1/p' out)
	draft=$(sed -n 's/^draft \([0-9]*\):.*/\1/p' out)
	id=$(sed -n 's/.*regression \([0-9a-f]*\),.*/\1/p' out)
	expect 0 "$REGTRAIL" outbox approve "$draft"
	expect 0 "$REGTRAIL" send --via dir:sent
}

# status ID WANTED
status() {
	"$REGTRAIL" list --all --json >status.json
	python3 - "$1" "$2" <<-'END' || exit 1
	import json, sys
	for line in open("status.json"):
	    one = json.loads(line)
	    if one["regression"].startswith(sys.argv[1]):
	        if one["status"] != sys.argv[2]:
	            sys.exit(f"{sys.argv[1]}: {one['status']}, not {sys.argv[2]}")
	        break
	else:
	    sys.exit(f"no regression {sys.argv[1]}")
	END
}

# scan [OPTION...]: must end well; ./flat is the output as one line.
scan() {
	expect 0 "$REGTRAIL" scan "$@"
	tr -s ' \n' ' ' <out >flat
}
