#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""state.py DATABASE: what a store knows, a row a line, but for when it learned it, the
rows of its history, and hashes with its own key; two stores that know the same print the
same."""
import sqlite3
import sys

OWN = {("message", "arrived"), ("source", "at"), ("unclaimed", "arrived"),
       ("unclaimed", "hash"), ("unclaimed", "refs")}
LEFT_OUT = ("event", "meta")


def main():
    store = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
    tables = store.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE TABLE%' ORDER BY name")
    for (table,) in tables.fetchall():
        if table in LEFT_OUT or table.startswith("words"):
            continue
        columns = [row[1] for row in store.execute(f'PRAGMA table_info("{table}")')
                   if (table, row[1]) not in OWN]
        names = ", ".join(f'"{name}"' for name in columns)
        for row in sorted(store.execute(f'SELECT {names} FROM "{table}"'), key=repr):
            # How far an inbox over HTTP was read is by the clock.
            if table == "source" and row[0].startswith("lore"):
                row = (row[0],)
            print(table, row)


main()
