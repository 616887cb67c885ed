#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""errors.py PROGRAM LIBRARY BASE FAULT...: reads commands as kill.py does, and for each lets
a call that changes a file fail: "ENOSPC" that one alone, "ENOSPC+" all from there on.  The
program must either get over it, and then the state is that of an undisturbed run, or say
which file and why and exit with 1 or 75; then the store passes `check`, and the next run
ends in that state, too; with `alike`
for WORD, in the same but for the numbers of its rows."""
import os
import re
import shlex
import sys

from store import Store, edges, fail, shown

store = Store(*sys.argv[1:4])
faults = sys.argv[4:]
# Which file, and why, in the last line that is said.
CLEAR = re.compile(r"(\.db|\.eml|\.conf|sent|mails)\b.*: .*(No space left on device|no space left|"
                   r"database or disk is full|[Ii]nput/output error|disk I/O error|"
                   r"[Rr]ead-only file system|readonly database|unable to open database file|"
                   r"[Pp]ermission denied)")
said = {}


def later():
    """The next run is two days later: nothing is kept waiting then."""
    return str(int(os.environ["FAULTS_CLOCK"]) + 2 * 86400)


def disturb(word, arguments, fault, number, wanted, look):
    what = "%s, %s@%d" % (" ".join(arguments), fault, number)
    store.fresh()
    hurt = store.run(arguments, FAULTS="%s@%d%s" % (fault.rstrip("+"), number,
                                                     "+" if fault[-1] == "+" else ""))
    if arguments[0] != "init":
        store.sound(what, hurt)
    if hurt.returncode == 0:
        store.same(what + ": says nothing of it", look(), wanted, hurt)
        return False
    if hurt.returncode not in (1, 75) or not CLEAR.search(hurt.stdout + hurt.stderr):
        fail(what + ": unclear", hurt)
    for line in (hurt.stdout + hurt.stderr).splitlines():
        if CLEAR.search(line):
            said[re.sub(r"\.\w{6}: |\d{8}T\d{6}", "", line)] = what
    if word != "once" or look() != wanted:
        clock = {"FAULTS_CLOCK": later()} if word == "settle" else {}
        second = store.run(arguments, **clock)
        if second.returncode != 0:
            fail(what + ": the next run", hurt, second)
        if word == "settle":
            store.settle(arguments)
        store.same(what, look(), wanted, hurt, second)
    return True


def all_of(word, arguments):
    look = store.settled if word in ("settle", "alike") else store.state
    calls = store.calls(arguments)
    wanted = look()
    tried = failed = 0
    for fault in faults:
        for number in edges(calls):
            tried += 1
            failed += disturb(word, arguments, fault, number, wanted, look)
    print("%-14s %3d faults, %3d of them told" % (shown(arguments), tried, failed), flush=True)
    return tried


total = sum(all_of(line.split(None, 1)[0], shlex.split(line)[1:])
            for line in sys.stdin if line.strip())
print("%d faults" % total)
for line in sorted(said):
    print("  " + line)
sys.exit(total == 0)
