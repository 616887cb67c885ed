#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""together.py PROGRAM LIBRARY BASE COUNT: reads groups of commands, one a line, "COMMAND | COMMAND
...", and starts those of a group at once, COUNT times.  Each must be done, be put off with
75 and then be done when it is run again, or be refused with 1 because another did the same;
in the end all is as if they had run one after another."""
import shlex
import subprocess
import sys

from store import Store, fail

store = Store(*sys.argv[1:4])
count = int(sys.argv[4])


def finish(process, arguments):
    out, err = process.communicate()
    outcome = subprocess.CompletedProcess(arguments, process.returncode, out, err)
    if outcome.returncode not in (0, 1, 75) or "Sanitizer" in err:
        fail(" ".join(arguments), outcome)
    return outcome


def group(line):
    commands = [shlex.split(part) for part in line.split("|")]
    store.fresh()
    for arguments in commands:
        store.run(arguments)
    wanted = store.settled()
    done = waited = 0
    for _ in range(count):
        store.fresh()
        processes = [store.start(arguments) for arguments in commands]
        outcomes = [finish(*pair) for pair in zip(processes, commands)]
        for outcome in outcomes:
            done += outcome.returncode == 0
            waited += outcome.returncode == 75
            if outcome.returncode == 75:
                again = store.run(outcome.args)
                if again.returncode not in (0, 1):
                    fail(line, outcome, again)
        if all(outcome.returncode == 1 for outcome in outcomes):
            fail(line + ": none of them did it", *outcomes)
        store.sound(line, *outcomes)
        store.same(line, store.settled(), wanted, *outcomes)
    print("%-60.60s %d times: %d done, %d put off" % (line.strip(), count, done, waited),
          flush=True)


for text in sys.stdin:
    if text.strip():
        group(text)
