#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""epoch.py REPOSITORY MAIL...: a bare git repository as public-inbox (v2) keeps mail in,
one commit for each mail; on top of what is there already.  The commit has the mail's
date; "-" reads names of mails from standard input.
"""
import email.utils
import os
import subprocess
import sys


def fact(head, name):
    for line in head.split(b"\n"):
        if line.lower().startswith(name + b":"):
            return line.split(b":", 1)[1].strip().decode("ascii", "replace")
    return ""


def main():
    repository, names = sys.argv[1], sys.argv[2:]
    if names == ["-"]:
        names = sys.stdin.read().splitlines()
    if not os.path.exists(repository):
        subprocess.run(["git", "init", "-q", "--bare", "-b", "master", repository], check=True)
    known = subprocess.run(
        ["git", f"--git-dir={repository}", "rev-parse", "-q", "--verify", "master^0"],
        capture_output=True, check=False).stdout
    with subprocess.Popen(["git", f"--git-dir={repository}", "fast-import", "--quiet"],
                          stdin=subprocess.PIPE) as importer:
        out = importer.stdin
        for number, name in enumerate(names):
            with open(name, "rb") as source:
                mail = source.read()
            head = mail.split(b"\n\n", 1)[0]
            date = email.utils.parsedate_to_datetime(fact(head, b"date"))
            when = f"{int(date.timestamp())} +0000"
            subject = fact(head, b"subject").encode()
            out.write(b"commit refs/heads/master\n")
            out.write(f"author Ann <ann@example.org> {when}\n".encode())
            out.write(f"committer Ann <ann@example.org> {when}\n".encode())
            out.write(b"data %d\n%s\n" % (len(subject), subject))
            if number == 0 and known:
                out.write(b"from refs/heads/master^0\n")
            out.write(b"M 100644 inline m\ndata %d\n%s\n" % (len(mail), mail))
        out.close()
    sys.exit(importer.returncode)


main()
