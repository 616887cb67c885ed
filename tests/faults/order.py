#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""order.py LOG: the calls of a run that change files, as the library writes them.  Whatever
is not the database must be written under another name, synced, renamed, and its directory
synced, in this order: then a file is there whole or not at all, whenever the power fails."""
import os
import re
import sys

DATABASE = re.compile(r"\.db(-wal|-shm|-journal)?$|\.db\.[a-z]+-lock$")
TEMPORARY = re.compile(r"\.[A-Za-z0-9]{6}$")
dirty, waiting, renamed = set(), set(), 0


def fail(why):
    with open(sys.argv[1]) as log:
        print("%s\n%s" % (why, log.read()))
    sys.exit(1)


with open(sys.argv[1]) as lines:
    for line in lines:
        _, call, path = line.rstrip("\n").split(" ", 2)
        path = os.path.abspath(path)
        if DATABASE.search(path):
            continue
        if call == "open" and not TEMPORARY.search(path):
            fail("made under its own name: " + path)
        elif call in ("write", "pwrite", "ftruncate"):
            dirty.add(path)
        elif call in ("fsync", "fdatasync"):
            dirty.discard(path)
            waiting.discard(path)
        elif call in ("rename", "link"):
            if dirty:
                fail("renamed before it was synced: %s" % dirty)
            waiting.add(os.path.dirname(path))
            renamed += 1
if dirty or waiting or not renamed:
    fail("not synced: %s; its directory: %s; renamed: %d" % (dirty, waiting, renamed))
