#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""archive.py MESSAGES [--from N] [--every N] [--facts FILE] (--mbox FILE | --maildir DIR | --git DIR)...

Makes the archive of a list, the same for the same arguments: threads of 1 to 30 mails, 18 %
of the mails once more by another list, one robot report in 1,000 (--every) with a table of 20 to 300
kB and answers, 3 % of the bodies base64 and 9 % quoted-printable, some 30 header fields and
about 12 kB a mail.  A few mails write one address of a report's thread only in a link, name
its commit only in the subject, or have lost the ids that lead to it, as real ones do.
--from leaves out the first N mails, as those that are known already, and adds to what is
there.  --git writes the first epoch of a public-inbox (DIR/git/0.git).  --facts: one line,
"mails M unique U reports R replies A", of all MESSAGES.
"""
import argparse
import base64
import hashlib
import os
import quopri
import random
import subprocess
import textwrap
import time

WORDS = """the a of to and in is that it for on with as this be are by not we have from at or
which but if can when there will patch function pointer page lock queue driver device memory
kernel commit branch test series change value return error path check flag bit size list node
table entry cache buffer request memory state thread timer index offset length bus clock irq
reset probe remove suspend resume map unmap alloc free init exit read write open close ioctl
struct field member static inline macro config option default legacy register handler callback
context order count limit depth width range mask shift align zone folio slab vma inode dentry
mount super block extent journal socket packet frame route neighbour filter hook chain rule
cgroup weight quota period budget latency throughput bandwidth regulator phy panel bridge""".split()
PEOPLE = [(f"{a} {b}", f"{a.lower()}.{b.lower()}@example.org")
          for a in "Ann Bob Cleo Dan Eve Finn Gus Hana Ivo Jun Kim Lea Max Nia Oto Pia".split()
          for b in "Ash Birch Cedar Elm Fir Hazel Larch Maple Oak Pine Rowan Yew".split()]
PEOPLE += [("=?utf-8?q?J=C3=BCrgen_Weide?=", "weide@example.org"),
           ("=?UTF-8?B?QW5uw6k=?= Tilleul", "tilleul@example.org")]
LISTS = [f"{name}.lists.example.org" for name in "base net mm fs block gpu usb arm".split()]
METRICS = ["will-it-scale.per_process_ops", "unixbench.score", "fio.write_iops",
           "stress-ng.fork.ops_per_sec", "vm-scalability.throughput"]
ANSWERS = ["Thanks for the report. I can reproduce it here and will have a look.",
           "That is expected: the new accounting does more work for each fork.",
           "Which configuration was this measured with?",
           "Could you test the patch below? It should bring the numbers back."]
START = 1_500_000_000
SIGNATURES = 509
LATE = 40  # mails between a robot's thread and what is written about it elsewhere

HEAD = """Received: from relay0.example.org (relay0.example.org [192.0.2.10])
\tby mx0.example.org (Postfix) with ESMTPS id {n:08X}0
\tfor <{to}>; {stamp}
Received: from relay1.example.org (relay1.example.org [192.0.2.11])
\tby mx1.example.org (Postfix) with ESMTPS id {n:08X}1
\tfor <{to}>; {stamp}
Received: from relay2.example.org (relay2.example.org [192.0.2.12])
\tby mx2.example.org (Postfix) with ESMTPS id {n:08X}2
\tfor <{to}>; {stamp}
ARC-Seal: i=1; a=rsa-sha256; d=example.org; s=s1; t={date}; cv=none;
\t b={seal}
ARC-Message-Signature: i=1; a=rsa-sha256; d=example.org; s=s1; t={date};
\t b={arc}
DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=s1; t={date};
\t b={dkim}
ARC-Authentication-Results: i=1; mx.example.org; dkim=pass
Authentication-Results: mx.example.org; dkim=pass header.d=example.org; spf=pass
Return-Path: <{address}>
From: {name} <{address}>
To: {to}
Cc: {copies}
Subject: {subject}
Date: {stamp}
Message-ID: <{mail_id}>
{refs}X-Mailing-List: {list_id}
List-Id: <{list_id}>
List-Subscribe: <mailto:{short}+subscribe@lists.example.org>
List-Unsubscribe: <mailto:{short}+unsubscribe@lists.example.org>
Precedence: bulk
MIME-Version: 1.0
User-Agent: Mutt/2.2.9
X-Spam-Level:
X-Spam-Status: No, score=-7.1 required=5.0
X-Virus-Scanned: clean
Content-Language: en
X-Priority: 3
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: {code}

"""


class Pool:
    """Lines, of which any run can be taken at once."""

    def __init__(self, lines):
        lines = [line.encode() + b"\n" for line in lines]
        self.text = b"".join(lines)
        self.starts = [0]
        for line in lines:
            self.starts.append(self.starts[-1] + len(line))
        self.size = len(lines)

    def take(self, where, count):
        count = min(count, self.size)
        first = int(where * (self.size - count))
        return self.text[self.starts[first]:self.starts[first + count]]


class Archive:
    def __init__(self, seed, every):
        self.every = every  # mails for one report
        self.random = random.Random(seed)
        rnd = self.random
        prose = textwrap.fill(" ".join(rnd.choice(WORDS) for _ in range(90_000)), 72).split("\n")
        self.prose = Pool(prose)
        self.quoted = Pool(["> " + line for line in prose])
        self.diff = Pool([rnd.choice(" +-  ") + "\t" * rnd.randrange(1, 4) + " ".join(
            rnd.choice(WORDS) for _ in range(rnd.randrange(1, 8))) + ";" for _ in range(20_000)])
        self.rows = Pool([self.row() for _ in range(9000)])
        self.signatures = ["\n\t ".join(textwrap.wrap(base64.b64encode(
            rnd.randbytes(256)).decode(), 70)) for _ in range(SIGNATURES)]
        self.number = 0     # of the mail, each once
        self.made = 0       # copies too
        self.reports = self.replies = 0
        self.late = []      # (when, metric, commit, id): of robots' threads

    def row(self):
        rnd = self.random
        base = rnd.uniform(1, 1e6)
        return (f"{base:10.2f} ± {rnd.randrange(1, 9)}%  {rnd.uniform(-40, 40):+10.1f}%  "
                f"{base * rnd.uniform(.6, 1.4):10.2f} ± {rnd.randrange(1, 9)}%  "
                f"perf-profile.calltrace.{rnd.choice(WORDS)}.{rnd.choice(WORDS)}_"
                f"{rnd.randrange(10**6)}.do_syscall_64")

    def text(self):
        draw = self.random.random
        lines = int(self.random.lognormvariate(4.55, 1.0))
        patch = draw() < 0.6
        parts = [b"On Fri, 14 Jul 2017, somebody wrote:\n",
                 self.quoted.take(draw(), 3 + int(draw() * 40)), b"\n",
                 self.prose.take(draw(), 2 + int(draw() * 30))]
        if patch:
            parts += [b"---\ndiff --git a/x.c b/x.c\n--- a/x.c\n+++ b/x.c\n"
                      b"@@ -1,9 +1,9 @@ static int probe(void)\n",
                      self.diff.take(draw(), lines), b"--\n2.39.2\n"]
        else:
            parts.append(self.quoted.take(draw(), lines))
        return b"".join(parts)

    def mail(self, mail_id, person, subject, refs, list_id, body):
        draw, date = self.random.random, START + self.number * 60
        sign = self.number % SIGNATURES
        share = draw()
        if share < 0.03:
            code, body = "base64", base64.encodebytes(body)
        elif share < 0.12:
            code, body = "quoted-printable", quopri.encodestring(body)
        else:
            code = "8bit"
        copies = [PEOPLE[int(draw() * len(PEOPLE))] for _ in range(1 + int(draw() * 8))]
        head = HEAD.format(
            n=self.number, to=list_id.replace(".", "@", 1), short=list_id.split(".")[0],
            stamp=time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(date)), date=date,
            seal=self.signatures[sign], arc=self.signatures[sign * 7 % SIGNATURES],
            dkim=self.signatures[sign * 31 % SIGNATURES], name=person[0], address=person[1],
            copies=",\n\t".join(f"{n} <{a}>" for n, a in copies), subject=subject,
            mail_id=mail_id, list_id=list_id, code=code,
            refs="" if not refs else f"In-Reply-To: <{refs[-1]}>\nReferences: " +
            "\n\t".join(f"<{r}>" for r in refs[-10:]) + "\n")
        return head.encode() + body

    def report(self, commit, metric, change):
        direction = "regression" if change < 0 else "improvement"
        testcase, base = metric.split(".")[0], commit[::-1]
        word = WORDS[int(self.random.random() * len(WORDS))]
        size = self.random.randrange(20_000, 300_000)
        average = len(self.rows.text) // self.rows.size
        return (f"""
Hello,

robot noticed a {change:+.1f}% {direction} of {metric} on:


commit: {commit} ("{word}: change the {word}")
https://git.example.org/cgit/linux.git master


testcase: {testcase}
test machine: 96 threads 2 sockets (Example CPU) with 128G memory
parameters:

\tnr_task: 100%
\tmode: process
\tcpufreq_governor: performance


{'=' * 90}
compiler/cpufreq_governor/mode/nr_task/testcase:
  gcc-12/performance/process/100%/{testcase}

commit:
  {base[:10]} ("base")
  {commit[:10]} ("head")

{base[:16]} {commit[:27]}
---------------- ---------------------------
         %stddev     %change         %stddev
             \\          |                \\
{1e5:10.2f}  {change:+10.1f}%  {1e5 * (1 + change / 100):10.2f}  {metric}
""".encode() + self.rows.take(self.random.random(), size // average) + b"\n")

    def answer(self, change, refs, subject):
        """An answer to a report, and what its header leads to it by."""
        draw = self.random.random
        body = f"> robot noticed a {change:+.1f}% regression of it\n\n"
        body += ANSWERS[int(draw() * len(ANSWERS))] + "\n"
        if draw() < 0.1 and len(refs) > 2:  # trimmed: only the chain of mails leads there
            refs = refs[-1:]
        return body.encode(), refs, subject

    def robot_thread(self):
        """The thread of a robot's report: (id, person, subject, refs, body) of each mail."""
        rnd, commit = self.random, hashlib.sha1(f"{self.number}".encode()).hexdigest()
        metric, change = rnd.choice(METRICS), rnd.choice([-1, -1, -1, 1]) * rnd.uniform(3, 40)
        direction = "regression" if change < 0 else "improvement"
        subject = (f"[linux-next:master] [{rnd.choice(WORDS)}]  {commit[:10]}:  {metric} "
                   f"{change:+.1f}% {direction}")
        stamp = time.strftime("%Y%m%d%H%M", time.gmtime(START + self.number * 60))
        first = f"{stamp}.{commit[:8]}-robot@robots.example.org"
        if self.reports % 3 == 2:  # by a robot whose ids look like anybody's
            first = f"{START + self.number * 60}.{self.number}@robots.example.org"
        self.reports += 1
        self.late.append((self.number + LATE, metric, commit, first))
        yield (first, ("kernel test robot", "robot@robots.example.org"), subject, [],
               self.report(commit, metric, change))
        chain = [first]
        for _ in range(rnd.randrange(6) if rnd.random() < 0.6 else 0):
            person = rnd.choice(PEOPLE)
            mail_id = f"{START + self.number * 60}.{self.number}.{person[1]}"
            body, refs, title = self.answer(change, chain[:rnd.randrange(1, len(chain) + 1)],
                                            "Re: " + subject)
            self.replies += 1
            yield mail_id, person, title, refs, body
            chain.append(mail_id)

    def late_mail(self, metric, commit, first):
        """A mail of its own that a report's thread claims: a fix, or a lost answer."""
        draw, person = self.random.random, self.random.choice(PEOPLE)
        mail_id = f"{START + self.number * 60}.{self.number}.{person[1]}"
        self.replies += 1
        if draw() < 0.6:
            body = self.text() + (
                "\nReported-by: kernel test robot <robot@robots.example.org>\n"
                f"Closes: https://lore.example.org/lists/{first}/\n").encode()
            return mail_id, person, f"[PATCH] {self.random.choice(WORDS)}: mend it", [], body
        return (mail_id, person, f"Re: {commit[:10]}: {metric} regression", [],
                ANSWERS[int(draw() * len(ANSWERS))].encode() + b"\n")

    def plain_thread(self):
        rnd = self.random
        length = min(30, 1 + int(rnd.paretovariate(1.1) * 1.6))
        subject = "[PATCH] " + " ".join(rnd.choice(WORDS) for _ in range(rnd.randrange(3, 8)))
        chain = []
        for place in range(length):
            person = PEOPLE[int(rnd.random() * len(PEOPLE))]
            mail_id = f"{START + self.number * 60}.{self.number}.{person[1]}"
            refs = chain[:1 + int(rnd.random() * place)] if place else []
            yield mail_id, person, "Re: " + subject if place else subject, refs, self.text()
            chain.append(mail_id)

    def thread(self):
        if self.late and self.late[0][0] <= self.number:
            yield self.late_mail(*self.late.pop(0)[1:])
        elif (self.made + self.every // 2) // self.every > self.reports:
            yield from self.robot_thread()
        else:
            yield from self.plain_thread()

    def mails(self, count):
        """count mails as bytes, copies by other lists among them."""
        rnd = self.random
        while True:
            here = rnd.choice(LISTS)
            for mail_id, person, subject, refs, body in self.thread():
                mail = self.mail(mail_id, person, subject, refs, here, body)
                self.number += 1
                copy = rnd.random() < 0.22
                for one in (mail, mail.replace(here.encode(), rnd.choice(LISTS).encode())
                            if copy else None):
                    if one:
                        self.made += 1
                        yield one
                        if self.made == count:
                            return


class Mbox:
    def __init__(self, path, start):
        self.file = open(path, "ab" if start else "wb", buffering=1 << 20)

    def add(self, mail):
        self.file.write(b"From mboxrd@z Thu Jan  1 00:00:00 1970\n")
        self.file.write(mail.replace(b"\nFrom ", b"\n>From "))
        self.file.write(b"\n")

    def close(self):
        self.file.close()


class Maildir:
    def __init__(self, path, start):
        self.path = path
        self.number = start
        for part in "cur", "new", "tmp":
            os.makedirs(os.path.join(path, part), exist_ok=True)

    def add(self, mail):
        name = hashlib.sha1(mail).hexdigest()[:20]
        folder, flags = (("cur", ":2,S") if self.number % 20 else ("new", ""))
        self.number += 1
        with open(f"{self.path}/{folder}/{START + self.number}.{name}.example{flags}", "wb",
                  buffering=0) as out:
            out.write(mail)

    def close(self):
        pass


class Git:
    def __init__(self, path, start):
        repository = os.path.join(path, "git", "0.git")
        self.first = start == 0
        self.number = start
        if self.first:
            subprocess.run(["git", "init", "-q", "--bare", "-b", "master", repository], check=True)
        self.process = subprocess.Popen(
            ["git", "-C", repository, "-c", "core.compression=1", "fast-import", "--quiet",
             "--depth=0"], stdin=subprocess.PIPE)

    def add(self, mail):
        out = self.process.stdin
        out.write(b"commit refs/heads/master\ncommitter bench <bench@example.org> %d +0000\n"
                  b"data 1\nm\n" % (START + self.number))
        if not self.first:
            out.write(b"from refs/heads/master^0\n")
            self.first = True
        out.write(b"M 100644 inline m\ndata %d\n" % len(mail) + mail + b"\n")
        self.number += 1

    def close(self):
        self.process.stdin.close()
        if self.process.wait():
            raise SystemExit("git fast-import failed")


def main():
    options = argparse.ArgumentParser()
    options.add_argument("messages", type=int)
    options.add_argument("--from", type=int, default=0, dest="start")
    options.add_argument("--every", type=int, default=1000)
    options.add_argument("--facts")
    options.add_argument("--mbox")
    options.add_argument("--maildir")
    options.add_argument("--git")
    o = options.parse_args()
    outs = [kind(path, o.start) for kind, path in ((Mbox, o.mbox), (Maildir, o.maildir), (Git, o.git))
            if path]
    archive = Archive(1, o.every)
    for number, mail in enumerate(archive.mails(o.messages)):
        for out in outs if number >= o.start else []:
            out.add(mail)
    for out in outs:
        out.close()
    if o.facts:
        with open(o.facts, "w") as facts:
            facts.write(f"mails {archive.made} unique {archive.number} "
                        f"reports {archive.reports} replies {archive.replies}\n")


main()
