# SPDX-License-Identifier: GPL-2.0-or-later
"""seeds.py PARSED N: the facts that the five first documents must give.

PARSED holds the output of `regtrail parse` for document N; the shapes are those of mails
that a web archive collapsed, of a raw reply, and of page text.
"""
import json
import sys

bad = []


def want(what, got, expected):
    if got != expected:
        bad.append(f"{what}: {got!r}, expected {expected!r}")


def report(r, facts):
    if r is None:
        bad.append("no report where one is expected")
        return
    for name, expected in facts.items():
        want(name, r[name], expected)


def kinds(message, field, name):
    return [entry[name] for entry in message[field]]


def seed_000(messages):
    want("messages", len(messages), 2)
    report(messages[0]["report"], {
        "kind": "regression", "metric": "unixbench.score", "change_percent": -7.4,
        "commit": "625ed2bf049d5a352c1bcca962d6e133454eaaff",
        "commit_subject": "sched/cfs: Make util/load_avg more stable",
        "tree": "linux-next", "branch": "master", "testcase": "unixbench",
        "machine": "88 threads Intel(R) Xeon(R) CPU E5-2699 v4 @ 2.20GHz with 64G memory",
        "parameters": {"runtime": "300s", "nr_task": "100%", "test": "spawn",
                       "cpufreq_governor": "performance"}})
    want("follow-up's report", messages[1]["report"], None)
    want("verdict", kinds(messages[1], "verdicts", "verdict")[:1], ["ignored"])
    want("mechanism", ("lock-contention", "tasklist_lock") in
         [(m["kind"], m["object"]) for m in messages[1]["mechanisms"]], True)


def seed_001(messages):
    want("messages", len(messages), 1)
    report(messages[0]["report"], {
        "kind": "improvement", "metric": "unixbench.score", "change_percent": 7.0,
        "commit": "5462bc3a9a3c38328bbbd276d51164c7cf21d6a8"})


def seed_002(messages):
    want("messages", len(messages), 1)
    r = messages[0]["report"]
    report(r, {
        "kind": "improvement", "metric": "hackbench.throughput", "change_percent": 85.7,
        "commit": "9824134a551e01246f3cb34287609db5d0d4f514", "testcase": "hackbench"})
    want("0day url", "/0day-ci/linux/commits/" in (r["url"] or ""), True)
    want("table's testcase", messages[0]["tables"][0]["axes"].get("testcase"), "netperf")
    want("a warning", len(messages[0]["warnings"]) > 0, True)


def seed_003(messages):
    want("messages", len(messages), 1)
    m = messages[0]
    want("answers", [i.split("-")[0] for i in m["in_reply_to"]], ["202308101628.7af4631a"])
    want("report", m["report"], None)
    report(m["quoted_report"], {
        "kind": "regression", "change_percent": -34.8,
        "metric": "phoronix-test-suite.blogbench.Write.final_score",
        "commit": "e0c2ff903c320d3fd3c2c604dc401b3b7c0a1d13"})
    placement = [x for x in m["mechanisms"] if x["kind"] == "task-placement"]
    want("task placement", len(placement) > 0, True)
    objects = {x["object"] for x in placement}
    want("its object", bool(objects & {"EEVDF", "avg_vruntime", "avg_vruntime()", "lag"}), True)


def seed_004(messages):
    want("messages", len(messages), 1)
    m = messages[0]
    report(m["quoted_report"], {
        "kind": "regression", "metric": "unixbench.score", "change_percent": -25.5,
        "commit": "10a59003d29fbfa855b2ef4f3534fee9bdf4e575"})
    want("verdicts", kinds(m, "verdicts", "verdict")[:2], ["expected", "ack"])
    impacts = m["quoted_report"]["impacts"]
    want("impacts", [(i["metric"], i["change_percent"]) for i in impacts],
         [("fio.write_iops", -29.9), ("aim7.jobs-per-min", 952.6)])
    for impact in impacts:
        want("its machine", bool(impact["machine"]), True)
        want("its parameters", len(impact["parameters"]) > 3, True)


with open(sys.argv[1], encoding="utf-8") as parsed:
    lines = [json.loads(line) for line in parsed]
globals()["seed_" + sys.argv[2]](lines)
for line in bad:
    print(line)
sys.exit(1 if bad else 0)
