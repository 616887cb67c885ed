#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""values.py PROGRAM COMPARISON.json [OPTION...]: puts attacks into every text of a comparison,
one at a time, and makes a report of it.  Either it is refused in one clean line, or the mail
has the headers that every mail has and no others, and nothing that steers a terminal."""
import copy
import email
import email.policy
import json
import subprocess
import sys
import unicodedata

program, path, options = sys.argv[1], sys.argv[2], sys.argv[3:]
ATTACKS = {
    "a header": "x\r\nBcc: all@evil.example\r\n\r\nforged body",
    "a folded header": "x\n Bcc: all@evil.example",
    "an encoded header": "=?utf-8?q?x=0D=0ABcc:_all@evil.example?=",
    "a terminal": "x\x1b]0;owned\x07\x9b2J\u202eevil\u2066\x08",
    "a recipient": "x>, all@evil.example, <y@evil.example",
    "markup": "<script>alert(1)</script>{{subject}}{{{body}}}",
    "a long word": "x" * 5000,
}
HEADERS = {"date", "from", "to", "cc", "subject", "message-id", "auto-submitted", "precedence",
           "x-auto-response-suppress", "x-regtrail-regression", "mime-version", "content-type",
           "content-transfer-encoding", "in-reply-to", "references"}
MANY = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}


def texts(node, at=()):
    items = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in items:
        if isinstance(value, str):
            yield at + (key,)
        elif isinstance(value, (dict, list)):
            yield from texts(value, at + (key,))


def clean(text):
    return all(char in "\n\t" or unicodedata.category(char) not in MANY for char in text)


def fail(what, outcome):
    print("FAILED: %s\nexit %d\n%s%s" % (what, outcome.returncode, outcome.stdout, outcome.stderr))
    sys.exit(1)


def attack(comparison, at, name):
    changed = copy.deepcopy(comparison)
    node = changed
    for key in at[:-1]:
        node = node[key]
    what = "%s in %s" % (name, ".".join(map(str, at)))
    address = at[-1] in ("address", "message_id")
    node[at[-1]] = ATTACKS[name] if not address else node[at[-1]] + ATTACKS[name]
    outcome = subprocess.run([program, "report", "--dry-run"] + options + ["-"], text=True,
                             input=json.dumps(changed), capture_output=True)
    if "Sanitizer" in outcome.stderr or "runtime error" in outcome.stderr or not (
            clean(outcome.stdout) and clean(outcome.stderr)):
        fail(what, outcome)
    if outcome.returncode in (1, 2):
        if outcome.stdout or outcome.stderr.count("\n") != 1:
            fail(what, outcome)
        return False
    mail = email.message_from_string(outcome.stdout, policy=email.policy.default)
    names = [key.lower() for key in mail.keys()]
    if outcome.returncode or not set(names) <= HEADERS or len(set(names)) != len(names):
        fail(what, outcome)
    for key in ("to", "cc", "from"):
        for one in mail[key].addresses if mail[key] else []:
            if one.domain == "evil.example":
                fail(what, outcome)
    if any(len(line) > 998 for line in outcome.stdout.split("\n")[:mail_header(outcome.stdout)]):
        fail(what, outcome)
    return True


def mail_header(text):
    return text.split("\n").index("")


with open(path) as file:
    whole = json.load(file)
    base = whole.get("comparison", whole)
tried = made = 0
for where in list(texts(base)):
    for attack_name in ATTACKS:
        tried += 1
        made += attack(base, where, attack_name)
print("%d attacks on %d texts: %d refused, %d in a mail as text"
      % (tried, len(list(texts(base))), tried - made, made))
sys.exit(tried == 0 or made == 0)
