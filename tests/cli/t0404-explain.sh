# shellcheck shell=sh disable=SC2154 # run.sh gives expect, contains, lacks
# explain says which header, rule and words led to what; export writes it all out; forget
# takes a person's words away for good and leaves what they decided.
mails=$REGTRAIL_SOURCE/docs/examples/mails

expect 0 "$REGTRAIL" init
cp "$mails/foreign-report.eml" "$mails/thread.mbox" .
expect 0 "$REGTRAIL" ingest foreign-report.eml thread.mbox
id=0293afe7
priya=20261113134531.GA977@desk.example.org

# ---- explain
expect 0 "$REGTRAIL" explain "<$priya>"
sed "s|$(pwd)|DIR|" out >told
python3 -c 'for line in open("told", encoding="utf-8"):
    assert len(line.rstrip("\n")) <= 80, line' || exit 1
cat >wanted <<'END'
mail        <20261113134531.GA977@desk.example.org> by Priya Raman
            <priya.raman@example.org>
found       file DIR/thread.mbox at 3163
list        linux-mm.lists.example.org
class       human
answers     <20261111082010.xk2@bench.example.org>
names       in-reply-to <20261111082010.xk2@bench.example.org>
names       references <202611090814.6c1fd2e8-robot@bench.example.org>
names       references <20261109093107.GA812@desk.example.org>
names       references <c0ffee11-2b7e-4f5d-9f2a-8d3f0a6b1c77@example.org>
names       references <20261111082010.xk2@bench.example.org>
link        0293afe7fc70 by references, sure to 0.98, report
            <202611090814.6c1fd2e8-robot@bench.example.org>
END
head -n 13 told | cmp - wanted || { cat told; exit 1; }
contains told 'verdict     ignored 0.99 by rule ignored/ignore-it at byte 483: Please ignore'
contains told 'mechanism   lock-contention on zone->lock at byte 184: When every CPU frees'
contains told 'event       0293afe7fc70: verdict as author -> investigating'
contains told 'suggests    0293afe7fc70: ignored as author, not decided yet'
expect 0 "$REGTRAIL" explain --json "https://lists.example.org/r/$priya/"
python3 - <<'END' || exit 1
import json
steps = [json.loads(line) for line in open("out")]
assert all(sorted(step) == ["step", "text"] for step in steps), steps
assert [s["step"] for s in steps][:5] == ["mail", "found", "list", "class", "answers"]
with open("steps.json", "w") as out:
    json.dump([[s["step"], s["text"]] for s in steps], out)
END
expect 0 "$REGTRAIL" explain --csv $priya
python3 - <<'END' || exit 1
import csv, json
assert list(csv.reader(open("out"))) == [["step", "text"]] + json.load(open("steps.json"))
END
expect 0 "$REGTRAIL" explain 202611090814.6c1fd2e8-robot@bench.example.org
contains out 'report      seen: will-it-scale.per_process_ops -23.4 % of'
contains out 'link        0293afe7fc70 by report, sure to 1.00'
cat >lost.eml <<'END'
From: Some Body <body@example.org>
Message-ID: <lost@example.org>
Date: Sat, 14 Nov 2026 10:00:00 +0000
In-Reply-To: <nobody-knows@example.org>
Subject: Re: something else

Hello?
END
expect 0 "$REGTRAIL" ingest lost.eml
expect 0 "$REGTRAIL" explain lost@example.org
contains out 'found       file '
contains out 'unclaimed   it belongs to no tracked thread; of 1 ids and names that could'
expect 1 "$REGTRAIL" explain never@example.org
contains err 'never@example.org: no such mail'

# ---- export
expect 0 "$REGTRAIL" export --format json
cp out all.json
expect 0 "$REGTRAIL" show --json $id
python3 - <<'END' || exit 1
import json
(one,) = [json.loads(line) for line in open("all.json")]
shown = json.load(open("out"))
for message in shown["messages"]:
    for mechanism in message["mechanisms"]:
        del mechanism["support"] # that is worked out when it is shown
assert one == shown
END
expect 0 "$REGTRAIL" export
cmp out all.json || exit 1
expect 0 "$REGTRAIL" list --csv
cp out list.csv
expect 0 "$REGTRAIL" export --format csv $id
cmp out list.csv || exit 1
expect 1 "$REGTRAIL" export --format csv ffffffff

# The mbox holds every mail of the thread as it came, and can be read again.
expect 0 "$REGTRAIL" export --format mbox $id
cp out thread-again.mbox
python3 - <<'END' || exit 1
import mailbox
was = [open("foreign-report.eml", "rb").read()]
was += [bytes(mail) for mail in mailbox.mbox("thread.mbox")]
now = [bytes(mail) for mail in mailbox.mbox("thread-again.mbox")]
assert [mail.rstrip() for mail in now] == [mail.rstrip() for mail in was]
END
mkdir again
(cd again && expect 0 "$REGTRAIL" init && expect 0 "$REGTRAIL" ingest ../thread-again.mbox &&
	expect 0 "$REGTRAIL" export) || exit 1
cmp again/out all.json || exit 1

# ---- forget
expect 0 "$REGTRAIL" forget "<$priya>"
for file in regtrail.db regtrail.db-wal; do
	[ ! -f $file ] || ! grep -q 'ignore this regression' $file || exit 1
done
for question in "show $id" "replies 4b7d1e90c2" "export" "explain $priya" 'search contention'; do
	# shellcheck disable=SC2086 # a command and its arguments
	expect 0 "$REGTRAIL" $question
	lacks out 'ignore this regression'
	lacks out 'queue up on zone'
done
expect 0 "$REGTRAIL" search contention
[ "$(cat out)" = 'nothing found' ] || exit 1
# What it decided stays, without words and name.
expect 0 "$REGTRAIL" show --json $id
python3 - "$priya" <<'END' || exit 1
import json, sys
shown = json.load(open("out"))
(one,) = [m for m in shown["messages"] if m["message_id"] == sys.argv[1]]
assert one["from"] == {"name": None, "address": None}, one
assert one["subject"] in ("", None) and not one["first_words"], one
assert [v["verdict"] for v in one["verdicts"]] == ["ignored", "analysis"], one
assert {v["evidence"] for v in one["verdicts"]} == {"(forgotten)"}, one
assert one["mechanisms"][0]["object"] == "zone->lock", one
assert shown["status"] == "investigating", shown["status"]
# Other mails by the same author are not touched.
assert shown["author"] == "Priya Raman"
assert "Priya Raman" in [m["from"]["name"] for m in shown["messages"]]
END
expect 0 "$REGTRAIL" explain "$priya"
contains out 'forgotten   at the wish of a person'
expect 0 "$REGTRAIL" export --format mbox $id
lacks out "Message-ID: <$priya>"
contains out 'Message-ID: <20261111082010.xk2@bench.example.org>'
cp regtrail.db before.db
# The same source again, and another copy of the mail, do not bring it back.
expect 0 "$REGTRAIL" ingest thread.mbox
expect 0 "$REGTRAIL" ingest --again thread.mbox
cp thread.mbox copy.mbox
expect 0 "$REGTRAIL" ingest copy.mbox
expect 0 "$REGTRAIL" search contention
[ "$(cat out)" = 'nothing found' ] || exit 1
expect 0 "$REGTRAIL" show $id
lacks out 'ignore this regression'
expect 0 "$REGTRAIL" forget lost@example.org
expect 0 "$REGTRAIL" ingest lost.eml
expect 0 "$REGTRAIL" explain lost@example.org
lacks out 'found '
expect 1 "$REGTRAIL" forget never@example.org
contains err 'never@example.org: no such mail'
sed -i 's|^#* *from *=.*|from = test robot <robot@bench.example.org>|' regtrail.conf
expect 0 "$REGTRAIL" check
