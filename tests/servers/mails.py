#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""mails.py DIRECTORY COUNT [FIRST]: so many mails, one a file, in threads of ten; with
lines that formats stumble over, and of all lengths."""
import os
import sys


def mail(number):
    head = [
        "From: Ann Example <ann@example.org>",
        "To: list@example.org",
        f"Subject: {'Re: ' if number % 10 else ''}thread {number // 10}",
        f"Date: Mon, 30 Nov 2026 {number // 3600 % 24:02d}:{number // 60 % 60:02d}:{number % 60:02d} +0000",
        f"Message-ID: <m{number}@example.org>",
    ]
    if number % 10:
        head.append(f"In-Reply-To: <m{number - 1}@example.org>")
        head.append(f"References: <m{number - 1}@example.org>")
    body = ["From where I stand", ".", "..two dots", ">From afar", "(a) {3} \"quoted\" \\", ""]
    body += [f"line {i} of mail {number}, which goes on for a while" for i in range(number * 37 % 300)]
    return "\n".join(head + [""] + body) + "\n"


def main():
    directory, count = sys.argv[1], int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    for number in range(first, first + count):
        with open(os.path.join(directory, f"{number:06d}"), "w", encoding="ascii") as out:
            out.write(mail(number))


main()
