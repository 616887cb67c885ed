#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""mails.py MESSAGE-ID [COUNT]: an mbox of COUNT mails, some of them replies to that mail
and to each other, some of no known thread, on stdout."""
import sys

parent, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 40
words = ["I can see the same here.", "Could you run it with one node?",
         "It is the lock contention on zone->lock.", "Thanks for the report."]
for number in range(count):
    mine = "<mail-%d@example.org>" % number
    print("From a Thu Jan  1 00:00:00 2026")
    print("From: Person %d <person-%d@example.org>" % (number % 7, number % 7))
    print("To: robot@example.org\nSubject: Re: it")
    print("Date: Mon, 30 Nov 2026 %02d:%02d:00 +0000" % (number // 60 % 24, number % 60))
    print("Message-ID: " + mine)
    if number % 3 == 0:
        print("In-Reply-To: <%s>" % (parent if number < 6 else "mail-%d@example.org" % (number - 3)))
    elif number % 3 == 1 and number > 3:
        print("In-Reply-To: <mail-%d@example.org>" % (number - 3))
    print("\n%s\n" % words[number % len(words)])
