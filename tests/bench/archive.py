#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""archive.py MESSAGES [--from N] (--mbox FILE | --maildir DIR | --git DIR)...

Makes the archive of a list, the same for the same arguments: threads of 1 to 30 mails, 18 %
of the mails once more by another list, one robot report in 1,000 with a table of 20 to 300
kB and answers, 3 % of the bodies base64 and 12 % quoted-printable, some 30 header fields and
about 12 kB a mail.  --from leaves out the first N mails, as those that are known already.
--git writes the first epoch of a public-inbox (DIR/git/0.git).
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
LISTS = [f"{name}.lists.example.org" for name in "base net mm fs block gpu usb arm".split()]
METRICS = ["will-it-scale.per_process_ops", "unixbench.score", "fio.write_iops",
           "stress-ng.fork.ops_per_sec", "vm-scalability.throughput"]
ANSWERS = ["Thanks for the report. I can reproduce it here and will have a look.",
           "That is expected: the new accounting does more work for each fork.",
           "Which configuration was this measured with?",
           "Could you test the patch below? It should bring the numbers back."]
START = 1_500_000_000


class Archive:
    def __init__(self, seed):
        self.random = random.Random(seed)
        rnd = self.random
        words = [rnd.choice(WORDS) for _ in range(60_000)]
        self.prose = textwrap.fill(" ".join(words), 72).split("\n")
        self.diff = [rnd.choice(" +-  ") + "\t" * rnd.randrange(1, 4) + " ".join(
            rnd.choice(WORDS) for _ in range(rnd.randrange(1, 7))) + ";" for _ in range(6000)]
        self.noise = base64.b64encode(rnd.randbytes(90_000)).decode()
        self.number = 0

    def lines(self, pool, count):
        start = self.random.randrange(max(1, len(pool) - count))
        return pool[start:start + count]

    def text(self):
        rnd = self.random
        kind = rnd.random()
        body = [f"On {time.strftime('%a, %d %b %Y', time.gmtime(START))}, somebody wrote:"]
        body += ["> " + line for line in self.lines(self.prose, rnd.randrange(3, 40))]
        body += [""] + self.lines(self.prose, rnd.randrange(2, 30))
        if kind < 0.55:
            body += ["---", "diff --git a/x.c b/x.c", "--- a/x.c", "+++ b/x.c",
                     "@@ -1,9 +1,9 @@ static int probe(void)"]
            body += self.lines(self.diff, int(rnd.lognormvariate(4.6, 1.0)))
        return "\n".join(body) + "\n"

    def header(self, mail_id, person, subject, date, refs, list_id):
        rnd = self.random
        stamp = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(date))
        start = rnd.randrange(80_000)
        out = []
        for hop in range(4):
            out.append(f"Received: from relay{hop}.example.org (relay{hop}.example.org "
                       f"[192.0.2.{hop}])\n\tby mx{hop}.example.org (Postfix) with ESMTPS id "
                       f"{self.number:08X}{hop}\n\tfor <{list_id.replace('.', '@', 1)}>; {stamp}")
        for kind in ("ARC-Seal", "ARC-Message-Signature", "DKIM-Signature"):
            value = "\n\t ".join(textwrap.wrap(self.noise[start:start + 344], 70))
            out.append(f"{kind}: i=1; a=rsa-sha256; d=example.org; s=s1; t={date}; cv=none;\n\t"
                       f" b={value}")
        out.append("ARC-Authentication-Results: i=1; mx.example.org; dkim=pass")
        out.append(f"From: {person[0]} <{person[1]}>")
        out.append(f"To: {list_id.replace('.', '@', 1)}")
        copies = ",\n\t".join(f"{n} <{a}>" for n, a in
                              (rnd.choice(PEOPLE) for _ in range(rnd.randrange(1, 9))))
        out.append(f"Cc: {copies}")
        out.append(f"Subject: {subject}")
        out.append(f"Date: {stamp}")
        out.append(f"Message-ID: <{mail_id}>")
        if refs:
            out.append(f"In-Reply-To: <{refs[-1]}>")
            out.append("References: " + "\n\t".join(f"<{r}>" for r in refs[-10:]))
        out += ["X-Mailing-List: " + list_id, f"List-Id: <{list_id}>",
                f"List-Subscribe: <mailto:{list_id.split('.')[0]}+subscribe@lists.example.org>",
                f"List-Unsubscribe: <mailto:{list_id.split('.')[0]}+unsub@lists.example.org>",
                "Precedence: bulk", "MIME-Version: 1.0", "User-Agent: Mutt/2.2.9",
                "X-Spam-Level: ", "X-Spam-Status: No, score=-7.1 required=5.0",
                "X-Virus-Scanned: clean", "Content-Language: en", "X-Priority: 3"]
        return out

    def finish(self, head, body):
        share = self.random.random()
        if share < 0.03:
            code, text = "base64", base64.encodebytes(body.encode()).decode()
        elif share < 0.15:
            code, text = "quoted-printable", quopri.encodestring(body.encode()).decode()
        else:
            code, text = "8bit", body
        head += ["Content-Type: text/plain; charset=utf-8",
                 f"Content-Transfer-Encoding: {code}"]
        return ("\n".join(head) + "\n\n" + text).encode()

    def report(self, commit, metric, change):
        rnd = self.random
        rows = []
        size, wanted = 0, rnd.randrange(20_000, 300_000)
        while size < wanted:
            base = rnd.uniform(1, 1e6)
            row = (f"{base:10.2f} ± {rnd.randrange(1, 9)}%  {rnd.uniform(-40, 40):+10.1f}%  "
                   f"{base * rnd.uniform(.6, 1.4):10.2f} ± {rnd.randrange(1, 9)}%  "
                   f"perf-profile.calltrace.{rnd.choice(WORDS)}.{rnd.choice(WORDS)}_"
                   f"{rnd.randrange(10**6)}.do_syscall_64")
            rows.append(row)
            size += len(row)
        direction = "regression" if change < 0 else "improvement"
        return "\n".join([
            "", "Hello,", "", f"robot noticed a {change:+.1f}% {direction} of {metric} on:", "", "",
            f'commit: {commit} ("{rnd.choice(WORDS)}: change the {rnd.choice(WORDS)}")',
            "https://git.example.org/cgit/linux.git master", "",
            f"testcase: {metric.split('.')[0]}",
            "test machine: 96 threads 2 sockets (Example CPU) with 128G memory", "parameters:", "",
            "\tnr_task: 100%", "\tmode: process", "\tcpufreq_governor: performance", "", "",
            "=" * 90, "compiler/cpufreq_governor/mode/nr_task/testcase:",
            f"  gcc-12/performance/process/100%/{metric.split('.')[0]}", "", "commit:",
            f"  {commit[::-1][:10]} (\"base\")",
            f"  {commit[:10]} (\"head\")", "",
            f"{commit[::-1][:16]} {commit[:27]}", "---------------- ---------------------------",
            "         %stddev     %change         %stddev", "             \\          |                \\",
            f"{1e5:10.2f}  {change:+10.1f}%  {1e5 * (1 + change / 100):10.2f}  {metric}"] + rows + [
            "", ""])

    def thread(self):
        """One thread: (bytes, bytes of its copy by another list or None) for each mail."""
        rnd = self.random
        robot = rnd.random() < 0.009  # threads are longer than one mail
        length = min(30, 1 + int(rnd.paretovariate(1.1) * 1.6)) if not robot else rnd.randrange(1, 6)
        topic = " ".join(rnd.choice(WORDS) for _ in range(rnd.randrange(3, 8)))
        commit = hashlib.sha1(f"{self.number}".encode()).hexdigest()
        metric, change = rnd.choice(METRICS), rnd.choice([-1, -1, -1, 1]) * rnd.uniform(3, 40)
        direction = "regression" if change < 0 else "improvement"
        subject = (f"[linux-next:master] [{rnd.choice(WORDS)}]  {commit[:10]}:  {metric} "
                   f"{change:+.1f}% {direction}" if robot else f"[PATCH] {topic}")
        here = rnd.choice(LISTS)
        chain = []
        for place in range(length):
            date = START + self.number * 60
            first = place == 0
            if robot and first:
                person = ("kernel test robot", "robot@robots.example.org")
                stamp = time.strftime("%Y%m%d%H%M", time.gmtime(date))
                mail_id = f"{stamp}.{commit[:8]}-robot@robots.example.org"
                body = self.report(commit, metric, change)
            else:
                person = rnd.choice(PEOPLE)
                mail_id = f"{date}.{self.number}.{person[1]}"
                body = self.text()
                if robot:
                    body = f"> robot noticed a {change:+.1f}% {direction}\n\n{rnd.choice(ANSWERS)}\n"
            refs = [] if first else chain[:rnd.randrange(1, len(chain) + 1)]
            title = subject if first else "Re: " + subject
            mail = self.finish(self.header(mail_id, person, title, date, refs, here), body)
            copy = None
            if rnd.random() < 0.22:
                copy = mail.replace(here.encode(), rnd.choice(LISTS).encode())
            yield mail, copy
            chain.append(mail_id)
            self.number += 1

    def mails(self, count):
        made = 0
        while made < count:
            for mail, copy in self.thread():
                for one in (mail, copy):
                    if one and made < count:
                        made += 1
                        yield one


class Mbox:
    def __init__(self, path, fresh):
        self.file = open(path, "wb" if fresh else "ab")

    def add(self, mail):
        self.file.write(b"From mboxrd@z Thu Jan  1 00:00:00 1970\n" +
                        mail.replace(b"\nFrom ", b"\n>From ") + b"\n")

    def close(self):
        self.file.close()


class Maildir:
    def __init__(self, path, _):
        self.path = path
        self.number = 0
        for part in "cur", "new", "tmp":
            os.makedirs(os.path.join(path, part), exist_ok=True)

    def add(self, mail):
        name = hashlib.sha1(mail).hexdigest()[:20]
        folder, flags = (("cur", ":2,S") if self.number % 20 else ("new", ""))
        self.number += 1
        with open(f"{self.path}/{folder}/{START + self.number}.{name}.example{flags}", "wb") as out:
            out.write(mail)

    def close(self):
        pass


class Git:
    def __init__(self, path, fresh):
        repository = os.path.join(path, "git", "0.git")
        self.first = fresh
        self.number = 0
        if fresh:
            subprocess.run(["git", "init", "-q", "--bare", "-b", "master", repository], check=True)
        self.process = subprocess.Popen(["git", "-C", repository, "fast-import", "--quiet"],
                                        stdin=subprocess.PIPE)

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
        self.process.wait()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("messages", type=int)
    options.add_argument("--from", type=int, default=0, dest="start")
    options.add_argument("--mbox")
    options.add_argument("--maildir")
    options.add_argument("--git")
    o = options.parse_args()
    fresh = o.start == 0
    outs = [kind(path, fresh) for kind, path in ((Mbox, o.mbox), (Maildir, o.maildir), (Git, o.git))
            if path]
    for number, mail in enumerate(Archive(1).mails(o.messages)):
        for out in outs if number >= o.start else []:
            out.add(mail)
    for out in outs:
        out.close()


main()
