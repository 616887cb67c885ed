# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh give what stands here
# Whatever stands in a mail, no output steers a terminal, and no file appears elsewhere.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/hostile/lib.sh"
attack steer
attack paths
contains ingested '9 messages'
[ -z "$(find . -name '*owned*' ! -name '*.mbox')" ] || exit 1

# clean COMMAND...: what it prints.
clean() {
	expect 0 "$REGTRAIL" "$@"
	[ -s out ] || exit 1
	python3 "$HOSTILE/clean.py" out err || exit 1
}
for format in '' --json --csv; do
	clean list --all ${format:+"$format"}
	clean replies 8f3ab2a3b2ce ${format:+"$format"}
	clean search expected ${format:+"$format"}
done
clean show "$id"
clean show "$id" --json
clean outbox
clean outbox show 1
for format in json csv; do
	clean export --format $format
done
clean explain hostile-1@evil.example
clean explain hostile-4@evil.example
clean parse steer.mbox

# No text is a formula for a spreadsheet, and a number is a number.
attack formulas
for command in 'list --all' 'replies 8f3ab2a3b2ce' 'search expected' "similar $id" outbox; do
	# shellcheck disable=SC2086 # a command and its arguments
	expect 0 "$REGTRAIL" $command --csv
	/usr/bin/python3 - "$command" <<'END' || exit 1
import csv, sys
for row in csv.reader(open("out", encoding="utf-8", newline="")):
    for cell in row:
        if cell and cell[0] in "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20":
            try:
                float(cell)
            except ValueError:
                sys.exit(f"{sys.argv[1]}: the cell {cell!r}")
END
done
expect 0 "$REGTRAIL" replies 8f3ab2a3b2ce --csv
contains out "'=0@evil.example"
contains out "'-2+3"
expect 0 "$REGTRAIL" list --all --csv
contains out ',-6.'

# What is searched for is words, never a language of the database.
for words in "'; DROP TABLE message; --" '" OR 1=1' 'NEAR(x y)' '*' 'a AND' '(' 'x"y' \
	'^x' 'body:expected' '-expected'; do
	"$REGTRAIL" search -- "$words" >out 2>err
	[ $? -le 1 ] || exit 1
	lacks err SQL
	lacks err fts5
done
expect 0 "$REGTRAIL" check
clean undo "$id"
