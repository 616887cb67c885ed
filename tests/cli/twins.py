"""Makes two commits on top of a parent whose hashes begin with the same eight digits.

twins.py REPOSITORY PARENT SUBJECT SUBJECT: writes both and prints their hashes.
"""
import hashlib
import subprocess
import sys

DIGITS = 8
repository, base, first, second = sys.argv[1:]


def git(*args, data=None):
    return subprocess.run(["git", "-C", repository, *args], input=data, check=True,
                          stdout=subprocess.PIPE).stdout.decode().strip()


def body(tree, subject, nonce):
    who = "Mara Lindqvist <mara@example.org> 1700000000 +0000"
    return (f"tree {tree}\nparent {parent}\nauthor {who}\ncommitter {who}\n\n"
            f"{subject}\n\nTry {nonce}.\n").encode()


def digits(data):
    return hashlib.sha1(b"commit %d\0" % len(data) + data).hexdigest()[:DIGITS]


parent = git("rev-parse", base)
tree = git("rev-parse", parent + "^{tree}")
seen = ({}, {})
nonce = 0
while True:
    both = [body(tree, subject, nonce) for subject in (first, second)]
    for i in (0, 1):
        seen[i][digits(both[i])] = both[i]
    hit = [d for d in map(digits, both) if d in seen[0] and d in seen[1]]
    if hit:
        break
    nonce += 1
for i in (0, 1):
    print(git("hash-object", "-t", "commit", "-w", "--stdin", data=seen[i][hit[0]]))
