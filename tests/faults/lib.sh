# shellcheck shell=sh disable=SC2154,SC2034 # run.sh gives the rest
# For tests of crashes and failing disks: a store with a bit of everything in ./base, and
# the program under a clock that stands still, so that equal runs give equal stores.
examples=$REGTRAIL_SOURCE/docs/examples
root=$(echo "$examples"/results/unixbench/*/*/*/*/*)
unixbench="$root/aa6e427d334b832d952d658cae44f65f99ffaf74 $root/8f3ab2a3b2ce14772811945b1f7ea036b769932e"
# Leaks are looked for elsewhere; here there are many runs.
ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0:detect_leaks=0
export ASAN_OPTIONS
FAULTS_CLOCK=1796126400 # 2026-12-01 12:00
export FAULTS_CLOCK

# regtrail ARGUMENT...: at that time.
regtrail() {
	LD_PRELOAD=$FAULTS_LIBRARY "$REGTRAIL" "$@"
}

# ago DAYS: that time before, as --date takes it.
ago() {
	echo "@$((FAULTS_CLOCK - $1 * 86400))"
}

# made NAME DAYS-AGO: a report of a made-up comparison; its mail is $draft, its ID $id,
# its Message-ID $mid.
made() {
	cat >"$1.json" <<-END
	{"testcase": "$1", "machine": "box", "parameters": {"test": "$1"},
	 "columns": [{"commit": {"id": "$(printf %040d 7)"}},
	  {"commit": {"id": "$(printf %s "$1" | sha1sum | cut -c-40)",
	   "subject": "mm: Change $1", "tree": "next", "branch": "master",
	   "author": {"name": "Mara Lindqvist", "address": "mara@example.org"}}}],
	 "metrics": [{"name": "$1.score",
	  "samples": [[100, 101, 99, 100], [90, 91, 89, 90]]}]}
	END
	expect 0 regtrail report --date "$(ago "$2")" --kind regression "$1.json"
	mid=$(sed -n 's/.*Message-ID <\([^>]*\)>.*/\1/p' out)
	draft=$(sed -n 's/^draft \([0-9]*\):.*/\1/p' out)
	id=$(sed -n 's/.*regression \([0-9a-f]*\),.*/\1/p' out)
}

# sent NAME DAYS-AGO: and it has left.
sent() {
	made "$@"
	expect 0 regtrail outbox approve "$draft"
	FAULTS_CLOCK=$((FAULTS_CLOCK - $2 * 86400)) expect 0 regtrail send --via dir:sent
}

# says NAME FROM MESSAGE-ID WORDS: a reply, in ./NAME.eml.
says() {
	printf 'From: %s\nTo: robot@example.org\nSubject: Re: it\nDate: %s\nMessage-ID: <%s@example.org>\nIn-Reply-To: <%s>\n\n%s\n' \
		"$2" "$(date -R -u -d "$(ago 1)")" "$1" "$3" "$4" >"$1.eml"
}

# faults_base: in ./base; says of each regression and mail what it is by a variable.
faults_base() {
	mkdir base && cd base || exit 2
	expect 0 regtrail init
	sed -i 's/^from =.*/from = test robot <robot@example.org>/
		0,/^#lists =/s|^#lists =.*|lists = perf@lists.example.org|
		s|^#require-dkim =.*|require-dkim = no|' regtrail.conf
	printf '%s\n' '[digest all]' 'to = perf@lists.example.org' \
		'[digest mm]' 'to = mm@lists.example.org' 'subsystem = mm' \
		'[remind mm]' 'subsystems = mm' 'after-days = 5' >>regtrail.conf
	sent suggested 20
	suggested=$id
	says ann 'Mara Lindqvist <mara@example.org>' "$mid" 'This is expected, please ignore it.'
	sent closed 20
	closed=$id
	expect 0 regtrail set "$closed" fixed --reason 'it is'
	sent twin 20
	twin=$id
	expect 0 regtrail dup "$twin" "$closed"
	sent open 20
	open=$id
	says bea 'Bea Moreau <bea@example.org>' "$mid" 'Why does it wait for the lock?'
	cat bea.eml >pending.eml
	expect 0 regtrail ingest ann.eml "$examples/mails/foreign-report.eml"
	made cut 3
	unknown=$draft
	expect 0 regtrail outbox approve "$unknown"
	FAULTS=kill@1 FAULTS_ONLY=/sent/ expect 137 regtrail send --via dir:sent
	made waiting 2
	drafted=$draft
	made ready 2
	approved=$draft
	expect 0 regtrail send --via dir:sent # what was cut off is unknown now
	expect 0 regtrail outbox approve "$approved"
	python3 "$REGTRAIL_SOURCE/tests/faults/mails.py" "$mid" >more.mbox
	rm -f out err ann.eml bea.eml
	cd .. || exit 2
}
