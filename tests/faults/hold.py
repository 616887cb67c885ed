#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""hold.py DATABASE READY: holds the write lock, makes the file READY, and lets go when
standard input ends."""
import sqlite3
import sys

database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("BEGIN IMMEDIATE")
open(sys.argv[2], "w").close()
sys.stdin.read()
database.execute("ROLLBACK")
