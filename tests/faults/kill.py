#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""kill.py PROGRAM LIBRARY BASE [ACTION...]: reads commands, one a line, "WORD ARGUMENT...",
and for each kills it at its durable writes, in a copy of the directory BASE.  What is left
behind must pass `check`, and the next run must end in the state of a run that nobody
disturbed.  WORD says what the next run is: `again` the same command in any case, `once` the
same command unless the work was done already, `settle` the same command and, for a mail of
which nobody knows whether it left, `outbox retry` and the command once more.

A point of death is a call that changes a file; calls of one kind on one file in a row count
as one.  ACTIONs are kill, before the call, and half, in the middle of a write: the last in a
row; or INT and TERM, signals that a command may catch.  REGTRAIL_FAULTS_ALL=1: every call."""
import shlex
import sys

from store import Store, edges, everything, fail, shown

store = Store(*sys.argv[1:4])
actions = sys.argv[4:] or ["kill", "half"]
# By a signal, or after one: later.
DEATHS = {"kill": [-9], "half": [-9], "INT": [-2, 75], "TERM": [-15, 75]}


def halves(calls):
    return [number for number, call in enumerate(calls, 1) if call[0].endswith("write") and
            (everything or number > 1 and calls[number - 2] == call and
             (number == len(calls) or calls[number] != call))]


def die(word, arguments):
    look = store.settled if word == "settle" else store.state
    calls = store.calls(arguments)
    wanted = look()
    store.fresh()
    before = look()
    if wanted == before:
        fail("%s: it changes nothing" % " ".join(arguments))
    chosen = [(action, number) for action in actions
              for number in (halves(calls) if action == "half" else edges(calls))]
    died = done = 0
    for action, number in chosen:
        what = "%s, %s@%d" % (" ".join(arguments), action, number)
        store.fresh()
        killed = store.run(arguments, FAULTS="%s@%d" % (action, number))
        if killed.returncode == 0:
            # Now and then a run needs a page less, and a signal may come too late.
            store.same(what + ": was not killed", look(), wanted, killed)
            continue
        if killed.returncode not in DEATHS[action]:
            fail(what + ": was not killed", killed)
        died += 1
        # Without a configuration there is nothing to ask.
        if arguments[0] != "init":
            store.sound(what, killed)
        left = look()
        done += left == wanted
        if word != "once" or left != wanted:
            second = store.run(arguments)
            if second.returncode != 0:
                fail(what + ": the next run", killed, second)
            if word == "settle":
                second = store.settle(arguments)
            store.same(what, look(), wanted, killed, second)
    print("%-14s killed at %3d points of %3d calls, %2d times after the fact"
          % (shown(arguments), died, len(calls), done), flush=True)
    # A signal that is caught at the end of the work changes nothing.
    if died < (len(chosen) / 2 if "kill" in actions else 1):
        fail("hardly ever killed")
    return died


total = sum(die(line.split(None, 1)[0], shlex.split(line)[1:])
            for line in sys.stdin if line.strip())
print("%d crash points" % total)
sys.exit(total == 0)
