#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""attacks.py ATTACK MESSAGE-ID ID [ARGUMENT...]: writes mails of an attack to stdout as
an mbox (mboxrd), against the report with that Message-ID and Regression-ID."""
import base64
import sys

AUTHOR = "Mara Lindqvist <mara@example.org>"
STEER = "\x1b[31m\x1b]0;owned\x07\x9b2J\u202eevil\u2066\u200f\x08\x7f"
MARKUP = "<script>alert(1)</script><img src=x onerror=alert(2)>&lt;b&gt;"
SQL = "'; DROP TABLE message; --\" OR 1=1 NEAR(x y) *"


def mail(number, report, body, sender=AUTHOR, headers="", message_id=None, answer=True,
         subject="Re: regression", kind='text/plain; charset="utf-8"'):
    lines = ["From: " + sender,
             "To: test robot <robot@bench.example.org>",
             "Subject: " + subject,
             "Date: Sat, 21 Nov 2026 %02d:%02d:%02d +0000"
             % (8 + number // 3600 % 12, number // 60 % 60, number % 60),
             "Message-ID: <%s>" % (message_id or "hostile-%d@evil.example" % number)]
    if answer:
        lines.append("In-Reply-To: <%s>" % report)
    lines += [headers] if headers else []
    lines += ["Content-Type: " + kind, "", body]
    return "\n".join(lines) + "\n"


def write(mails):
    out = sys.stdout.buffer
    for text in mails:
        data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
        out.write(b"From mboxrd@z Thu Jan  1 00:00:00 1970\n")
        for line in data.split(b"\n")[:-1]:
            out.write((b">" if line.lstrip(b">").startswith(b"From ") else b"") + line + b"\n")
        out.write(b"\n")


def steer(report, _):
    """What steers a terminal, in every place of a mail."""
    name = '"Ma' + STEER + 'ra" <mara@example.org>'
    encoded = "=?utf-8?b?%s?=" % base64.b64encode(STEER.encode()).decode()
    yield mail(1, report, "The lo" + STEER + "ck contention on zone" + STEER + "->lock is "
               "expected, please ignore this " + STEER + " regression.", sender=name,
               subject=STEER + encoded, headers="List-Id: " + STEER + " <l" + STEER +
               ".example.org>\nX-Mailer: " + STEER)
    yield mail(2, report, "#regtrail note " + STEER + "\n#regtrail title: " + STEER +
               "\n#regtrail fix: " + STEER + "\n#regtrail link: https://x/" + STEER,
               sender="Mara " + encoded + " <mara@example.org>")
    yield mail(3, report, "This is fixed by commit 0123456789ab (\"a " + STEER +
               "fix\"), see https://lore.example.org/r/" + STEER + "1@x",
               message_id="steer-" + STEER + "@evil.example")
    yield mail(4, report, MARKUP + "\nThis is expected: " + MARKUP + SQL,
               subject="Re: " + MARKUP + SQL, sender='"' + SQL.replace('"', "") +
               '" <mara@example.org>')
    yield mail(5, report, "<html><body>" + MARKUP + "<p>I see the same drop here.</p>"
               "</body></html>", kind='text/html; charset="utf-8"')


def paths(report, _):
    """Names that are paths, in ids and attachments."""
    for number, name in enumerate(["../../../../tmp/owned", "/etc/owned", "a/../../b",
                                   "..%2f..%2fowned", "-rf", "a|touch owned", "`touch owned`",
                                   "$(touch owned)", "x;touch owned"]):
        boundary = "=b%d" % number
        body = ("--%s\nContent-Type: text/plain\n\nA fix is attached.\n--%s\n"
                "Content-Type: text/x-patch; name=\"%s\"\n"
                "Content-Disposition: attachment; filename=\"%s\"\n\n"
                "diff --git a/%s b/%s\n--- a/%s\n+++ b/%s\n@@ -1 +1 @@\n-a\n+b\n--%s--\n"
                % (boundary, boundary, name, name, name, name, name, name, boundary))
        yield mail(10 + number, report, body, message_id=name + "@evil.example",
                   kind='multipart/mixed; boundary="%s"' % boundary)


def mime(report, _):
    """Bombs of structure: parts, depth, header lines, and a body of blank lines."""
    yield mail(30, report, "--b\n\nx\n" * 20000 + "--b--\n", kind="multipart/mixed; boundary=b")
    deep = "It is expected.\n"
    for level in range(400):
        deep = "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n%s\n--b%d--\n" % (
            level, level, deep, level)
    yield mail(31, report, "--top\n" + deep + "\n--top--\n", kind="multipart/mixed; boundary=top")
    inner = "Subject: x\n\nIt is expected.\n"
    for level in range(400):
        inner = "Subject: %d\nContent-Type: message/rfc822\n\n%s" % (level, inner)
    yield mail(32, report, inner, kind="message/rfc822")
    yield mail(33, report, "hello", headers="X-A: b\n" * 100000 + "X-End: 1")
    yield mail(34, report, "\n" * 1000000 + "This is expected.\n")
    yield mail(35, report, ">" * 200000 + " This is expected.\n")
    yield mail(36, report, "hello", headers="Cc: " + "a:" * 50000 + ";" * 50000)
    yield mail(37, report, "hello", headers="Cc: " + "(" * 100000)
    yield mail(38, report, "hello", headers="References: " + "<a@b>" * 20000)


def blowup(report, _):
    """What costs the square of its length where a loop stands in a loop."""
    many = 3000
    bodies = [
        "".join("> %s\n" % ("> " * (n % 200)) for n in range(many)),
        "".join("> line %d\nThis is expected.\n" % n for n in range(many)),
        "On Mon, 1 Jan 2026, Ann Other wrote:\n> x\n" * many,
        "On Mon,\n" * many + "wrote:\n",
        "Fixes: 0123456789ab (\"mm: one\")\n" * many,
        "".join("Signed-off-by: P %d <p%d@example.org>\n" % (n, n) for n in range(many)),
        "#regtrail note x\n" * many,
        "".join("https://lore.example.org/r/%d@example.org/\n" % n for n in range(many)),
        "".join("It is lock contention on lock_%d.\n" % n for n in range(many)),
        "fixed by commit 0123456789ab " * many,
        "".join("commit: %040x (\"x\")\n" % n for n in range(many)),
        "   1234 +- 3%     -6.6%   1100 +- 2%  unixbench.score\n" * many,
        "   %stddev     %change         %stddev\n         \\          |                \\  \n" * many,
        "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n" * many,
        "@@ -1,99999 +1,99999 @@\n" * many,
        "-- 8< --\nSubject: [PATCH] x\n" * many,
        "git://git.example.org/x.git branch\n" * many,
        "-- \n" * many,
        "-----BEGIN PGP SIGNED MESSAGE-----\n" * many,
        "not " * (50 * many) + "expected\n",
        "a" * (500 * many) + "\n",
        "(" * (50 * many) + "\n",
        "\"" * (50 * many) + "\n",
        "<a@b " * (20 * many) + "\n",
        "\u0301" * (20 * many) + "\n",
        "\n \n\t\n" * (20 * many) + "x\n",
        "begin 644 x\n" * many,
    ]
    for number, body in enumerate(bodies):
        yield mail(300 + number, report, body)
    yield mail(390, report, "hello", subject="Re: " * (20 * many) + "x")
    yield mail(391, report, "hello", subject="=?utf-8?q?=3D?= " * (2 * many))
    yield mail(392, report, "hello", subject="[" * (20 * many) + "PATCH] x")
    yield mail(393, report, "hello", headers="To: " + ", ".join(
        "p%d@example.org" % n for n in range(many)))
    yield mail(394, report, "hello", headers="Received: from x by y;\n\tMon, 1 Jan 2026\n" * many
               + "X-End: 1")
    yield mail(395, report, "hello", headers="Authentication-Results: mx.example.org; " +
               "dkim=pass header.d=x; " * many)
    yield mail(396, report, "hello", headers="In-Reply-To: " + "<" * (20 * many))
    yield mail(397, report, "hello", headers="List-Id: " + "(<" * (20 * many))


def foreign(_, __, path):
    """The report of another robot, with what steers in every value of it."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for old in ("walk the fallback", "kernel test robot noticed", "linux-next.git master",
                "gcc-14", "Cascade Lake", "page_fault2", "anon-w-seq-mt", "Priya Raman",
                "[linux-next:master]", "box-csl", "zone lock"):
        text = text.replace(old, old[:3] + STEER + old[3:])
    yield text + "\n"


def patches(report, _):
    """Patches whose author, subject and file names are attacks."""
    diff = ("diff --git a/%(n)s b/%(n)s\n--- a/%(n)s\n+++ b/%(n)s\n@@ -1,2 +1,2 @@\n one\n-two\n"
            "+zwei\n")
    encoded = "=?utf-8?q?mm:_x=0D=0ABcc:_all=40evil.example=0A=0Aforged?="
    names = ["../../../../tmp/owned", "/etc/owned", ".git/hooks/post-applypatch", "a" + STEER,
             "-rf"]
    for number, name in enumerate(names):
        yield mail(400 + number, report, "It is wrong.\n\nSigned-off-by: x <x@evil.example>\n---\n"
                   + diff % {"n": name}, message_id="patch-%d@evil.example" % number,
                   subject="[PATCH] mm: " + name)
    yield mail(410, report, "It is wrong.\n---\n" + diff % {"n": "f"}, subject="[PATCH] " + encoded,
               message_id="patch-header@evil.example",
               sender="=?utf-8?q?Mara=0D=0AX-Owned:_1?= <mara@example.org>")
    yield mail(411, report, "Try this:\n\n-- 8< --\nFrom: M" + STEER + " <m@evil.example>\nSubject: "
               "[PATCH] mm: " + STEER + "\n\nwords " + STEER + "\n---\n" + diff % {"n": "f"},
               message_id="patch-scissors@evil.example")
    yield mail(412, report, "please pull\ngit://evil.example/$(touch owned).git `touch owned`\n"
               "and test\nhttps://evil.example/x.git --upload-pack=touch\n",
               message_id="patch-pull@evil.example")


def ids(report, regression):
    """Somebody takes our ids, in a mail of his own."""
    yield mail(40, report, "I take the place of the report.\n", sender="e <e@evil.example>",
               message_id=report, answer=False, subject="other words")
    yield mail(41, report, "Regression-ID: %s\n\nThis is invalid." % regression,
               sender="e <e@evil.example>", answer=False)
    yield mail(42, report, "#regtrail invalid\n", sender="e <e@evil.example>",
               headers="X-Regtrail-Regression: " + regression)
    forged = report.split("@")[0][:-8] + "00000000@bench.example.org"
    yield mail(43, forged, "This is invalid.", sender="e <e@evil.example>")


def commands(report, _):
    """Commands of somebody who is not who he says, or who repeats an old one."""
    passed = "Authentication-Results: mx.example.org; dkim=pass header.d=example.org"
    yield mail(50, report, "#regtrail invalid: forged, nothing signed\n")
    yield mail(51, report, "#regtrail invalid: a host that nobody trusts\n",
               headers=passed.replace("mx.example.org", "mx.evil.example"))
    yield mail(52, report, "#regtrail invalid: below the host's own line\n",
               headers="Authentication-Results: mx.example.org; dkim=fail "
               "header.d=example.org\n" + passed)
    yield mail(53, report, "#regtrail invalid: signed by another domain\n",
               headers=passed.replace("header.d=example.org", "header.d=evil.example"))
    yield mail(54, report, "#regtrail invalid: in a comment\n",
               headers="Authentication-Results: mx.example.org; dkim=none (dkim=pass "
               "header.d=example.org)")
    yield mail(55, report, "> #regtrail invalid\n\nquoted, not said\n", headers=passed)
    yield mail(56, report, "#regtrail invalid: two senders\n", headers=passed +
               "\nFrom: e <e@evil.example>")
    yield mail(57, report, "#regtrail invalid: somebody else\n", headers=passed,
               sender='"mara@example.org" <e@evil.example>')
    yield mail(59, report, "#regtrail invalid: below what the host received\n",
               headers="Authentication-Results: mx.example.org; dkim=pass "
               "header.d=evil.example\nReceived: from a by b; Fri, 20 Nov 2026 08:00:00 "
               "+0000\n" + passed)
    yield mail(58, report, "#regtrail invalid: on behalf\n", headers=passed +
               "\nAuto-Submitted: auto-replied")


def report_of(sender):
    """The report of ours, as somebody else might make it."""
    body = ("kernel test robot noticed a -6.6% regression of unixbench.score on:\n\n"
            "commit: 8f3ab2a3b2ce14772811945b1f7ea036b769932e (\"sched/fair: Spread newly "
            "forked tasks over all nodes\")\n\ntestcase: unixbench\n\n"
            "aa6e427d334b832d 8f3ab2a3b2ce14772811945b1f7\n"
            "---------------- ---------------------------\n"
            "         %stddev     %change         %stddev\n"
            "             \\          |                \\\n"
            "     24712            -6.6%      23084        unixbench.score\n")
    return mail(45, "", body, sender=sender, subject="[linux-next:master] [sched/fair] "
                "8f3ab2a3b2: unixbench.score -6.6% regression", answer=False)


def people(report, _):
    """Who says by a report of his own whom ours was for, and then is one of them."""
    yield report_of("kernel test robot <lkp@evil.example>").replace(
        "To: ", "To: Eve <eve@evil.example>, ", 1)
    yield mail(46, report, "#regtrail invalid: mine\n", sender="Eve <eve@evil.example>",
               headers="Authentication-Results: mx.example.org; dkim=pass "
               "header.d=evil.example")


def formulas(report, _):
    """What a spreadsheet takes for a formula, as name, subject and words."""
    for number, cell in enumerate(["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(1+1)*2",
                                   "\uff1d1+1", 'x";=1+1', "x;=1+1"]):
        name = cell.replace('"', "")
        yield mail(430 + number, report, cell + " this is expected, please ignore it\n",
                   sender='"%s" <-%d@example.org>' % (name, number), subject=cell,
                   message_id="=%d@evil.example" % number)


def flood(report, _):
    """Hundreds of people who suggest something, and the author among them."""
    for number in range(301):
        sender = "P%d <p%d@evil.example>" % (number, number) if number else AUTHOR
        yield mail(500 + number, report, "This regression is expected.\n" if number else
                   "This report is a false positive, sorry.\n", sender=sender).replace(
                       "Sat, 21 Nov 2026", "Fri, 20 Nov 2099")


def home(report, _):
    """The author, from home, and somebody else in her name."""
    yield mail(70, report, "Thanks for the report, I can reproduce it here.  This is a real\n"
               "problem, I will look into it.\n",
               sender="Mara Lindqvist <mara@home.example>")


def borrowed(report, _):
    """A mail of the author's, made a command by who knew it before it came."""
    yield mail(71, report, "See there.\n", subject="#regtrail invalid: borrowed",
               message_id="real@example.org")


def lent(report, _):
    """The same as it was written and signed."""
    yield mail(71, report, "See there.\n", message_id="real@example.org",
               headers="Authentication-Results: mx.example.org; dkim=pass "
               "header.d=example.org")


def again(*_):
    """Somebody's report of what is closed; it is as new as can be."""
    yield report_of("kernel test robot <lkp@other.example>").replace(
        "hostile-45", "hostile-48").replace("Sat, 21 Nov 2026", "Fri, 20 Nov 2099")


def future(report, _):
    """A word of the author that claims to be later than all that follows."""
    yield mail(47, report, "This was fixed by commit 0123456789ab (\"sched: less\").\n").replace(
                   "Date: Sat, 21 Nov 2026", "Date: Fri, 20 Nov 2099")


def command(report, _):
    """The one of the culprit's author, as her host signed it."""
    yield mail(60, report, "#regtrail expected: the price of fairness\n",
               headers="Authentication-Results: mx.example.org; dkim=pass "
               "header.d=example.org")


def thread(report, _, length="100000"):
    """One answers the other; each gives only the one before it."""
    last = report
    for number in range(int(length)):
        name = "chain-%d@evil.example" % number
        yield ("From: e <e@evil.example>\nSubject: Re: x\nDate: Sat, 21 Nov 2026 10:00:00 "
               "+0000\nMessage-ID: <%s>\nIn-Reply-To: <%s>\n\nno words\n" % (name, last))
        last = name


def loop(report, _, length="1000"):
    """A ring of references, one of which answers the report."""
    count = int(length)
    for number in range(count):
        yield ("From: e <e@evil.example>\nSubject: Re: x\nDate: Sat, 21 Nov 2026 10:00:00 "
               "+0000\nMessage-ID: <ring-%d@evil.example>\nReferences: <ring-%d@evil.example>"
               "%s\n\nno words\n" % (number, (number + 1) % count,
                                     " <%s>" % report if number == 7 else ""))


if __name__ == "__main__":
    write(globals()[sys.argv[1]](*sys.argv[2:]))
