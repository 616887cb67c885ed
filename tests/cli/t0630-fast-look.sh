# shellcheck shell=sh disable=SC2154 # run.sh gives expect, contains, lacks
# Ingest reads to the end only what may concern somebody.  What comes out must be what
# comes out when everything is read to the end: of an archive with links, lost references
# and encoded parts, and of real mail where that is at hand.
unset REGTRAIL_READ_ALL
# A history tells what was known when, so both ways have the same batches.
REGTRAIL_BATCH=100000
export REGTRAIL_BATCH

# read_into DIRECTORY FILE...: a store of its own, and all that is known then.
read_into() {
	where=$1
	shift
	mkdir "$where"
	expect 0 "$REGTRAIL" --config "$where/regtrail.conf" init
	"$REGTRAIL" --config "$where/regtrail.conf" ingest "$@" >"$where/told" 2>"$where/said"
	code=$?
	# A file that is no mail is said to be none, and the others are read.
	[ "$code" -le 1 ] || { cat "$where/said"; exit 1; }
	for format in json mbox csv; do
		expect 0 "$REGTRAIL" --config "$where/regtrail.conf" export --format "$format"
		mv out "$where/$format"
	done
}

# same FILE...: both ways.
same() {
	rm -rf fast full
	read_into fast "$@"
	REGTRAIL_READ_ALL=1
	export REGTRAIL_READ_ALL
	read_into full "$@"
	unset REGTRAIL_READ_ALL
	for part in told json mbox csv; do
		if ! cmp -s "fast/$part" "full/$part"; then
			printf 'the fast look and the full parse differ in %s:\n' "$part"
			diff "fast/$part" "full/$part" | cut -c1-600 | head -n 20
			exit 1
		fi
	done
}

python3 "$REGTRAIL_SOURCE/tests/bench/archive.py" 1200 --every 60 --mbox box --facts facts
same box
read -r _ mails _ _ _ reports _ replies <facts
contains fast/told "$mails messages: $reports new reports, $replies replies"

# The store in several batches, where reports come after what they claim.
python3 -c 'import re, sys
mails = re.split(b"(?m)^(?=From mboxrd@z )", open("box", "rb").read())[1:]
open("back", "wb").write(b"".join(reversed(mails)))'
REGTRAIL_BATCH=100
same back
contains fast/told "$reports new reports, $replies replies"
REGTRAIL_BATCH=100000

corpus=${REGTRAIL_CORPUS:-$REGTRAIL_SOURCE/../shared/corpus}
if [ -d "$corpus/mails" ]; then
	find "$corpus/mails" "$corpus/threads" "$corpus/odd" "$corpus/commands" -type f \
		! -name '*.tsv' ! -name 'README*' | LC_ALL=C sort >files
	# shellcheck disable=SC2046 # names without blanks
	same $(cat files)
fi
