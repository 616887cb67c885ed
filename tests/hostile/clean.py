#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""clean.py FILE...: fails on what steers a terminal or turns text around."""
import sys
import unicodedata

BAD = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
failed = False
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        text = file.read().decode("utf-8", "surrogateescape")
    for at, char in enumerate(text):
        if char not in "\n\t" and unicodedata.category(char) in BAD:
            print("%s: U+%04X at %d: %r" % (path, ord(char), at, text[max(0, at - 40):at + 20]))
            failed = True
            break
sys.exit(failed)
