# shellcheck shell=sh disable=SC2154 # run.sh gives expect, contains, lacks
# search finds words of people, similar what was explained alike before; both in text, in
# JSON and in CSV.
mails=$REGTRAIL_SOURCE/docs/examples/mails

# fits: no line of out is wider than 80.
fits() {
	python3 -c 'for line in open("out", encoding="utf-8"):
    assert len(line.rstrip("\n")) <= 80, line' || exit 1
}

# lines N: out has so many.
lines() {
	[ "$(wc -l <out)" -eq "$1" ] || { cat out; exit 1; }
}

expect 0 "$REGTRAIL" init
expect 0 "$REGTRAIL" ingest "$mails/foreign-report.eml" "$mails/thread.mbox"

# ---- search
expect 0 env TZ=UTC "$REGTRAIL" search zone lock
cat >wanted <<'END'
ID        DATE              AUTHOR       SUBJECT
0293afe7  2026-11-13 13:45  Priya Raman  Re: [linux-next:master] [mm/page_alloc…
    ...When every CPU frees pages at the same time they all queue up on [zone]-…
END
cmp out wanted || { cat out; exit 1; }
fits
expect 0 "$REGTRAIL" search --json contention
lines 1
python3 - <<'END' || exit 1
import json
hit = json.load(open("out"))
assert hit == {
    "message_id": "20261113134531.GA977@desk.example.org",
    "regression": "0293afe7fc7068162bf0146080f446b096075d4b",
    "date": "2026-11-13T13:45:31Z", "author": "Priya Raman", "subject": hit["subject"],
    "snippet": hit["snippet"]}, hit
assert hit["subject"].startswith("Re: [linux-next:master] [mm/page_alloc]"), hit
assert "heavy [contention] on zone->lock" in hit["snippet"], hit
END
expect 0 "$REGTRAIL" search --csv 'nr_task'
python3 - <<'END' || exit 1
import csv
rows = list(csv.DictReader(open("out")))
assert list(rows[0]) == ["message_id", "regression", "date", "author", "subject",
                         "snippet"], rows
assert sorted(row["author"] for row in rows) == ["Hana Okafor", "Rob Test"], rows
END
expect 0 "$REGTRAIL" search --json --limit 1 nr_task
lines 1

# Words that stand together, beginnings, letters of any size; what a robot wrote and what
# others quote is not looked through.
expect 0 "$REGTRAIL" search --json '"all CPUs busy"'
lines 1
expect 0 "$REGTRAIL" search --json '"busy CPUs all"'
lines 0
expect 0 "$REGTRAIL" search --json 'contenti*' PROFILE
lines 1
expect 0 "$REGTRAIL" search --json 'drop box'
lines 1
expect 0 "$REGTRAIL" search disclaimer
[ "$(cat out)" = 'nothing found' ] || exit 1
expect 1 "$REGTRAIL" search 'co*'
contains err 'co*: the beginning of a word has 3 letters or more'
expect 2 "$REGTRAIL" search --limit -1 lock

# What a thousand mails say is compared in the newest of them, and that is said.
python3 - <<'END'
with open("many.mbox", "w") as out:
    for i in range(1001):
        out.write(f"""From body@example.org Sat Nov 14 10:00:00 2026
From: Body {i} <body{i}@example.org>
Message-ID: <many-{i}@example.org>
Date: Sat, 14 Nov 2026 10:{i // 60 % 60:02}:{i % 60:02} +0000
In-Reply-To: <202611090814.6c1fd2e8-robot@bench.example.org>
Subject: Re: report

Mail number{i} of a chatty crowd.

""")
END
expect 0 "$REGTRAIL" ingest many.mbox
expect 0 "$REGTRAIL" search --json chatty
lines 50
contains err 'more than 1000 mails have these words; the best of the last 1000 that came in'
lacks out 'many-0@'
expect 0 "$REGTRAIL" search --json chatty number0
lines 1
[ ! -s err ] || exit 1

# ---- similar
id=0293afe7
expect 0 "$REGTRAIL" similar $id
[ "$(cat out)" = 'nothing alike' ] || exit 1
sed -e 's/4b7d1e90c2/7a7a7a7a7a/g; s/202611090814.6c1fd2e8/202610090814.7d2fe3f9/g' \
	-e 's/walk the fallback list/copy the fallback list/; s/23\.4%/9.9%/g' \
	-e 's/^Date: Mon, 9 Nov/Date: Fri, 9 Oct/' "$mails/foreign-report.eml" >earlier.eml
cat >why.eml <<'END'
From: Hana Okafor <hana.okafor@example.org>
Message-ID: <why@example.org>
Date: Sat, 10 Oct 2026 10:00:00 +0000
In-Reply-To: <202610090814.7d2fe3f9-robot@bench.example.org>
Subject: Re: report

The profile shows heavy contention on zone->lock, because the list is copied under it.
END
expect 0 "$REGTRAIL" ingest earlier.eml why.eml
expect 0 "$REGTRAIL" list --json --commit 7a7a7a7a7a
earlier=$(sed 's/.*"short_id":"\([0-9a-f]*\)".*/\1/' out)
expect 0 "$REGTRAIL" set "$earlier" fixed --reason 'reverted'
expect 0 env TZ=UTC "$REGTRAIL" similar $id
cat >wanted <<END
ID        REPORTED          CHANGE  METRIC                    CULPRIT     STATUS
$earlier  2026-10-09 00:14   -9.9%  will-it-scale.per_proce…  7a7a7a7a7a  fixed
    same object zone->lock, mechanism lock-contention
    "The profile shows heavy contention on zone->lock, because the list is copi…
END
cmp out wanted || { cat out; exit 1; }
fits
expect 0 "$REGTRAIL" similar --json $id
python3 - "$earlier" <<'END' || exit 1
import json, sys
one = json.load(open("out"))
assert one["short_id"] == sys.argv[1] and one["status"] == "fixed", one
assert one["reasons"] == ["object zone->lock", "mechanism lock-contention"], one
assert one["word"].startswith("The profile shows heavy contention"), one
END
expect 0 "$REGTRAIL" similar --csv $id
python3 - <<'END' || exit 1
import csv
(row,) = csv.DictReader(open("out"))
assert row["commit"].startswith("7a7a7a7a7a") and row["change_percent"] == "-9.9", row
assert row["reasons"] == '["object zone->lock","mechanism lock-contention"]', row
END
# The earlier one had nothing before it.
expect 0 "$REGTRAIL" similar "$earlier"
[ "$(cat out)" = 'nothing alike' ] || exit 1
expect 1 "$REGTRAIL" similar ffffffff
expect 2 "$REGTRAIL" similar $id --limit -1
