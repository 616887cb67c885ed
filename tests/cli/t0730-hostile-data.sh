# shellcheck shell=sh disable=SC2154 # run.sh and lib.sh give what stands here
# Results, configuration and files that attack, bombs, and mails that cost the square of
# their length.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/hostile/lib.sh"

# Every text of a comparison.
python3 "$HOSTILE/values.py" "$REGTRAIL" "$GOLDEN/mail/regression.json" --to ann@example.org \
	--date 2026-11-20T08:00:00Z || exit 1

# A value of the configuration that would be a second header.
cp regtrail.conf good.conf
dry() {
	"$REGTRAIL" report --dry-run --date 2026-11-20T08:00:00Z --to ann@example.org \
		"$@" "$GOLDEN/mail/regression.json" >out 2>err </dev/null
	code=$?
	python3 "$HOSTILE/clean.py" out err || exit 1
	lacks out "$(printf '\nBcc:')x"
	grep -q '^Bcc:' out && { cat out; exit 1; }
	return $code
}
for line in 'from = a\nBcc: all@evil.example <robot@bench.example.org>' \
	'from = robot@bench.example.org\r\nBcc: all@evil.example' \
	'archive-url = https://x/%s\r\nBcc: all@evil.example' \
	'materials-url = https://x/\033[2J\nBcc: all@evil.example'; do
	key=${line%% *}
	grep -v "^$key =" good.conf >regtrail.conf
	sed -i "s/^\\[regtrail\\]/&\n$(printf %s "$line" | sed 's/[\\/&]/\\&/g')/" regtrail.conf
	dry && continue
	[ -s err ] || exit 1
done
cp good.conf regtrail.conf
for option in --note --to --cc --still --attach --metric --culprit --style --force --followup; do
	dry "$option" "$(printf 'x\r\nBcc: all@evil.example\r\n\r\nforged \033[2J\342\200\256')"
done

# Files that unpack to much more than they are.
python3 - <<'END'
import gzip, lzma
zeros = bytes(32 << 20)
open("bomb.mbox.gz", "wb").write(gzip.compress(zeros) * 200)
open("bomb.mbox.xz", "wb").write(lzma.compress(zeros) * 200)
END
for bomb in bomb.mbox.gz bomb.mbox.xz; do
	expect 1 "$REGTRAIL" ingest "$bomb"
	contains err "$bomb"
	contains out '0 messages'
	mkdir -p "root-$bomb/$(basename "$results")"
	cp "$bomb" "root-$bomb/$(basename "$results")/matrix.json.${bomb##*.}"
	if "$REGTRAIL" compare "root-$bomb/$(basename "$results")" \
		"$results/8f3ab2a3b2ce14772811945b1f7ea036b769932e" >out 2>err; then
		exit 1
	fi
	[ -s err ] && [ ! -s out ] || exit 1
done

# Loops in loops: each of these mails takes a moment.
(
	# shellcheck disable=SC3045 # dash has it
	ulimit -t 120
	attack blowup
) || exit 1
contains blowup.mbox 'hostile-300@'
expect 0 "$REGTRAIL" show "$id"
# What one mail says fills a page, not a book.
[ "$(wc -c <out)" -lt 200000 ] || { wc out; exit 1; }
python3 "$HOSTILE/clean.py" out || exit 1
python3 - <<'END'
import unicodedata
for line in open("out", encoding="utf-8"):
    cells = sum(not unicodedata.combining(char) for char in line)
    if cells > 120 or len(line) > 2000:
        raise SystemExit("a line of %d: %s" % (cells, line[:200]))
END
