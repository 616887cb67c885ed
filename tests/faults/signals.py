#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""signals.py PROGRAM LIBRARY BASE COUNT [SEED]: reads commands as kill.py does, and sends
each COUNT times SIGINT, SIGTERM or SIGKILL after a random part of the time that it takes,
while others work on the same machine.  It must end by the signal, with 75, or be done; what
is left must pass `check`, and the next run ends in the state of an undisturbed one."""
import random
import shlex
import signal
import subprocess
import sys
import time

from store import Store, fail, shown

store = Store(*sys.argv[1:4])
count = int(sys.argv[4])
seed = int(sys.argv[5]) if len(sys.argv) > 5 else 20261201
chance = random.Random(seed)
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]


def disturb(arguments, number, wait):
    """Sends the signal; the outcome, as of a run."""
    process = store.start(arguments)
    try:
        process.wait(wait)
    except subprocess.TimeoutExpired:
        process.send_signal(number)
    out, err = process.communicate()
    return subprocess.CompletedProcess(arguments, process.returncode, out, err)


def many(word, arguments):
    look = store.settled if word == "settle" else store.state
    store.fresh()
    begun = time.monotonic()
    outcome = store.run(arguments)
    lasts = time.monotonic() - begun
    if outcome.returncode != 0:
        fail(" ".join(arguments), outcome)
    wanted = look()
    hit = 0
    for _ in range(count):
        number = chance.choice(SIGNALS)
        wait = chance.random() * lasts
        what = "%s, %s after %.3f s (seed %d)" % (" ".join(arguments), number.name, wait, seed)
        store.fresh()
        ended = disturb(arguments, number, wait)
        if ended.returncode not in (0, -number, 75) or "Sanitizer" in ended.stderr:
            fail(what, ended)
        hit += ended.returncode != 0
        store.sound(what, ended)
        second = store.run(arguments)
        if word == "settle":
            second = store.settle(arguments)
        if second.returncode != 0:
            fail(what + ": the next run", ended, second)
        store.same(what, look(), wanted, ended, second)
    print("%-14s %d signals, %d of them in time" % (shown(arguments), count, hit), flush=True)
    return hit


total = sum(many(line.split(None, 1)[0], shlex.split(line)[1:])
            for line in sys.stdin if line.strip())
sys.exit(total == 0)
