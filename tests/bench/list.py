# SPDX-License-Identifier: GPL-2.0-or-later
"""list.py PROGRAM DIRECTORY: whole-process time and memory of questions to a big store.

Aim: 50 ms each, process start included, and less than 50 MB of memory of its own."""
import json
import os
import re
import statistics
import subprocess
import sys
import time

AIM_MS, AIM_KB = 50, 50000
RUNS = 15

program, directory = sys.argv[1:3]
conf = os.path.join(directory, "regtrail.conf")


def command(arguments):
    return [program, "--config", conf] + arguments


def answer(arguments):
    return subprocess.run(command(arguments), stdout=subprocess.PIPE, check=True,
                          text=True).stdout


def rss_anon(pid):
    """Peak of RssAnon as seen while the process runs, in kB."""
    peak = 0
    while True:
        try:
            with open(f"/proc/{pid}/status", encoding="ascii") as status:
                found = re.search(r"RssAnon:\s+(\d+)", status.read())
        except OSError:
            return peak
        if not found:
            return peak
        peak = max(peak, int(found.group(1)))


def run(arguments):
    """Wall and CPU time, in ms."""
    start = time.perf_counter()
    with subprocess.Popen(command(arguments), stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as child:
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{arguments}: exit {child.returncode}")
    return seconds * 1000, (usage.ru_utime + usage.ru_stime) * 1000


def memory(arguments):
    with subprocess.Popen(command(arguments), stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as child:
        peak = rss_anon(child.pid)
        child.wait()
    return peak


def measure(name, arguments):
    run(arguments)
    wall, cpu = zip(*(run(arguments) for _ in range(RUNS)))
    peak = max(memory(arguments) for _ in range(5))
    good = statistics.median(wall) <= AIM_MS and peak < AIM_KB
    print(f"{name:<34}{statistics.median(wall):>8.1f}{max(wall):>8.1f}{min(cpu):>8.1f}"
          f"{peak:>10}{'' if good else '  over'}", flush=True)
    return good


def listed():
    return [json.loads(line) for line in answer(["list", "--json"]).splitlines()]


def explained(regressions):
    """The newest one that somebody gave a reason for."""
    for one in sorted(regressions, key=lambda one: one["reported_at"], reverse=True):
        shown = json.loads(answer(["show", one["regression"], "--json"]))
        if any(message["mechanisms"] for message in shown["messages"]):
            return one
    sys.exit("nobody explained anything")


regressions = listed()
longest = max(regressions, key=lambda one: one["replies"])
some = explained(regressions)
questions = [
    ("list", ["list"]),
    ("list --json", ["list", "--json"]),
    ("list --owes, --subsystem, --author",
     ["list", "--owes", "maintainer", "--subsystem", "sched/part", "--author", "7"]),
    ("list --machine", ["list", "--machine", "Example CPU"]),
    ("list --closed --commit",
     ["list", "--closed", "--commit", some["commit"][:12]]),
    ("show", ["show", some["regression"]]),
    (f"show, {longest['replies']} replies", ["show", longest["regression"]]),
    ("replies COMMIT", ["replies", some["commit"][:12]]),
    ("replies SUBJECT", ["replies", some["subject"]]),
    (f"replies, {longest['replies']} replies", ["replies", longest["commit"][:12]]),
    ("search, a rare word", ["search", "venkesuro"]),
    ("search, two words", ["search", "lock", "slower"]),
    ("search, a word in every mail", ["search", "the"]),
    ("search, a phrase", ["search", '"the lock"']),
    ("search, a beginning", ["search", "ven*"]),
    ("similar", ["similar", some["regression"]]),
    (f"similar, {longest['replies']} replies", ["similar", longest["regression"]]),
    ("explain", ["explain", json.loads(
        answer(["show", some["regression"], "--json"]))["messages"][-1]["message_id"]]),
]
print(f"load {os.getloadavg()[0]:.1f}; aim: {AIM_MS} ms, {AIM_KB} kB")
print(f"{'question':<34}{'median':>8}{'worst':>8}{'CPU ms':>8}{'RssAnon':>10}")
missed = [name for name, arguments in questions if not measure(name, arguments)]
print("over the aim: " + ", ".join(missed) if missed else "all within the aim")

start = time.perf_counter()
found = subprocess.run(command(["check"]), stdout=subprocess.PIPE, text=True,
                       check=False)
print(f"check: exit {found.returncode} after {time.perf_counter() - start:.0f} s, "
      f"{len(found.stdout.splitlines())} lines")
if found.returncode:
    print("\n".join(found.stdout.splitlines()[:10]))
