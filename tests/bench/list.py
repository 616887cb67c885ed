# SPDX-License-Identifier: GPL-2.0-or-later
"""list.py PROGRAM DIRECTORY: whole-process time and memory of questions to a big store."""
import os
import re
import statistics
import subprocess
import sys
import time

program, directory = sys.argv[1:3]
conf = os.path.join(directory, "regtrail.conf")


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


def run(arguments, output):
    start = time.perf_counter()
    with subprocess.Popen([program, "--config", conf] + arguments, stdout=output,
                          stderr=subprocess.PIPE) as child:
        error = child.stderr.read()
        child.wait()
    seconds = time.perf_counter() - start
    if child.returncode:
        sys.exit(f"{arguments}: {error.decode()}")
    return seconds * 1000


def memory(arguments):
    with subprocess.Popen([program, "--config", conf] + arguments,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        peak = rss_anon(child.pid)
        child.wait()
    return peak


with subprocess.Popen([program, "--config", conf, "list", "--json"],
                      stdout=subprocess.PIPE) as first:
    line = first.stdout.readline().decode()
    first.stdout.read()
some = re.search(r'"regression":\s*"([0-9a-f]{40})"', line).group(1)
commit = re.search(r'"commit":\s*"([0-9a-f]+)"', line).group(1)

questions = [["list"], ["list", "--json"], ["show", some], ["replies", commit],
             ["search", "vruntime", "rwsem"]]
known = subprocess.run([program, "help"], capture_output=True, text=True,
                       check=True).stdout
print(f"{'question':<28}{'median ms':>10}{'worst ms':>10}{'RssAnon kB':>12}")
for question in questions:
    if not re.search(rf"^  {question[0]}\b", known, re.M):
        print(f"{question[0]:<28}{'no such command':>20}")
        continue
    times = [run(question, subprocess.DEVNULL) for _ in range(12)][1:]
    peak = max(memory(question) for _ in range(5))
    name = " ".join(word[:12] for word in question)
    print(f"{name:<28}{statistics.median(times):>10.1f}{max(times):>10.1f}{peak:>12}")
