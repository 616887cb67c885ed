# shellcheck shell=sh disable=SC2154 # run.sh gives expect, contains, lacks
# show puts beside what somebody says about the cause the rows that bear it out, and
# gives what a maintainer copies: the line that answers, the trailers, the link.
mails=$REGTRAIL_SOURCE/docs/examples/mails

# block FILE: out holds these lines, one after the other.
block() {
	python3 - "$1" <<-'END' || exit 1
	import sys
	wanted, got = open(sys.argv[1]).read(), open("out").read()
	if wanted not in got:
	    sys.exit("this block is not in out:\n" + wanted + "--- out\n" + got)
	END
}

expect 0 "$REGTRAIL" init
expect 0 "$REGTRAIL" ingest "$mails/foreign-report.eml" "$mails/thread.mbox"
id=$("$REGTRAIL" list --json | sed 's/.*"short_id":"\([0-9a-f]*\)".*/\1/')
expect 0 env TZ=UTC "$REGTRAIL" show "$id"

cat >top <<'END'
0293afe7  -23.4% regression of will-it-scale.per_process_ops
  status    investigating
  culprit   4b7d1e90c2f6a8d35e1097bc64fa2d8e7013c5a9 ("mm/page_alloc: walk the …
  author    Priya Raman
  tree      linux-next master
  testcase  will-it-scale
  machine   96 threads 2 sockets (Cascade Lake) with 128G memory
  reported  2026-11-09 00:14
  last word 2026-11-13 13:45, Priya Raman
  owes      operator
  ID        0293afe7fc7068162bf0146080f446b096075d4b

Suggestions (regtrail confirm ID, regtrail reject ID)
  ignored, by Priya Raman (author)
      Please ignore this regression.

Findings
  -23.4%    will-it-scale.per_process_ops
            96 threads 2 sockets (Cascade Lake) with 128G memory
            nr_task=100% mode=process test=page_fault2
            cpufreq_governor=performance
  -11.8%    vm-scalability.throughput
            64 threads 2 sockets (Ice Lake) with 256G memory
            cpufreq_governor=performance runtime=300s size=8T test=anon-w-seq-mt
END
block top

# The mechanism, the exact words, and the rows of the report that bear it out: the share
# of the spin lock in all functions, and how many points it moved.
cat >mechanism <<'END'
          2026-11-13 13:45  Priya Raman (author)
              That fits what I measured. When every CPU frees pages at the same…
              => ignored (99 %)
                 "Please ignore this regression."
              => analysis (56 %)
                 "When every CPU frees pages at the same time they all queue up
                 on zone->lock: the profile shows heavy contention on
                 zone->lock, and the longer walk makes each of them hold it for
                 longer."
              => because: lock-contention, zone->lock
                 "When every CPU frees pages at the same time they all queue up
                 on zone->lock: the profile shows heavy contention on
                 zone->lock, and the longer walk makes each of them hold it for
                 longer."
                 +38.7 points  perf-profile.children.cycles-pp.native_queued_sp…
                 +28.4 points  perf-profile.calltrace.cycles-pp.native_queued_s…
                  +9.6 points  perf-profile.calltrace.cycles-pp._raw_spin_lock_…
END
block mechanism

cat >bottom <<'END'
Report
  git send-email --in-reply-to='<202611090814.6c1fd2e8-robot@bench.example.org>'

For the commit that fixes it
  Reported-by: kernel test robot <robot@bench.example.org>
  Closes: 202611090814.6c1fd2e8-robot@bench.example.org
  Fixes: 4b7d1e90c2f6 ("mm/page_alloc: walk the fallback list under the zone lock")
END
block bottom

# With an archive Closes and the report have its URL; an id is escaped in it.
sed -i 's|^#archive-url =.*|archive-url = https://lists.example.org/r/%s|' regtrail.conf
expect 0 env TZ=UTC "$REGTRAIL" show "$id"
cat >bottom <<'END'
Report
  https://lists.example.org/r/202611090814.6c1fd2e8-robot@bench.example.org
  git send-email --in-reply-to='<202611090814.6c1fd2e8-robot@bench.example.org>'

For the commit that fixes it
  Reported-by: kernel test robot <robot@bench.example.org>
  Closes: https://lists.example.org/r/202611090814.6c1fd2e8-robot@bench.example.org
END
block bottom

# In JSON every row stands with its mechanism, whole.
expect 0 "$REGTRAIL" show --json "$id"
python3 - <<'END' || exit 1
import json
shown = json.load(open("out"))
found = [m for message in shown["messages"] for m in message["mechanisms"]]
assert len(found) == 1, found
one = found[0]
assert (one["kind"], one["object"]) == ("lock-contention", "zone->lock"), one
rows = [(row["metric"].split(".")[-1][:36], row["change"], row["unit"], row["reason"])
        for row in one["support"]]
assert rows == [
    ("native_queued_spin_lock_slowpath", 38.7, "points", "kind"),
    ("free_unref_folios", 28.4, "points", "kind"),
    ("rmqueue", 9.6, "points", "kind")], rows
assert [t["name"] for t in shown["trailers"]] == ["Reported-by", "Closes", "Fixes"]
assert shown["report"] == "202611090814.6c1fd2e8-robot@bench.example.org"
assert [e["status"] for e in shown["events"]] == [
    "reported", "investigating", "needs-info", "investigating", "investigating"]
END

# A row that names the object comes first, however little it moved.
cat >named.eml <<'END'
From: Hana Okafor <hana.okafor@example.org>
Message-ID: <named@example.org>
Date: Sat, 14 Nov 2026 10:00:00 +0000
In-Reply-To: <202611090814.6c1fd2e8-robot@bench.example.org>
Subject: Re: report

I profiled it.  The regression is caused by contention on _raw_spin_lock_irqsave.
END
expect 0 "$REGTRAIL" ingest named.eml
expect 0 env TZ=UTC "$REGTRAIL" show "$id"
cat >named <<'END'
        => because: lock-contention, _raw_spin_lock_irqsave
           "The regression is caused by contention on _raw_spin_lock_irqsave."
           +28.4 points  perf-profile.calltrace.cycles-pp.native_queued_spin_lo…
            +9.6 points  perf-profile.calltrace.cycles-pp._raw_spin_lock_irqsav…
           +38.7 points  perf-profile.children.cycles-pp.native_queued_spin_loc…
END
block named

# A Message-ID that would end the shell's quote is shown, but not as a command.
sed "s/202611090814.6c1fd2e8-robot/it's-a-trap/g; s/4b7d1e90c2/7a7a7a7a7a/g" \
	"$mails/foreign-report.eml" >quote.eml
expect 0 "$REGTRAIL" ingest quote.eml
expect 0 "$REGTRAIL" list --json --commit 7a7a7a7a7a
other=$(sed 's/.*"short_id":"\([0-9a-f]*\)".*/\1/' out)
expect 0 "$REGTRAIL" show "$other"
contains out "it's-a-trap@bench.example.org"
lacks out 'git send-email'
expect 1 "$REGTRAIL" show ffffffffff
contains err 'ffffffffff'
