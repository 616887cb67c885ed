# SPDX-License-Identifier: GPL-2.0-or-later
"""ingest.py BUILD DIRECTORY [--messages N] [--only NAME,...] [--rounds N]: see ingest.sh.

Everything is read once before it is measured, so that the page cache is warm.  Quick
programs run several times and the run with the least CPU counts; slow ones run once.
Memory is RssAnon of a program and all that it starts, looked at every few milliseconds.
"""
import argparse
import os
import shutil
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROBOT = "robot@robots.example.org"
MORE = 100       # mails of an incremental run
QUICK = 20       # seconds: what takes longer is not run again
STEP = 0.004     # seconds between two looks at the memory


def anonymous(pid):
    """KiB of RssAnon of a process and its children."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as status:
            own = sum(int(line.split()[1]) for line in status if line.startswith("RssAnon"))
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as children:
            return own + sum(anonymous(int(child)) for child in children.read().split())
    except (OSError, ValueError):
        return 0


def run(command, env, log):
    """(wall, CPU, peak of RssAnon in MB) of a command."""
    start, peak = time.monotonic(), 0
    with open(log, "wb") as out:
        process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=out)
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        peak = max(peak, anonymous(process.pid))
        time.sleep(STEP)
    wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        with open(log, encoding="utf-8", errors="replace") as text:
            raise SystemExit(f"{' '.join(command)}: exit {process.returncode}\n{text.read()}")
    return wall, usage.ru_utime + usage.ru_stime, peak / 1024


class Row:
    """A program over one form of the archive."""

    def __init__(self, name, form, command, fresh=None, answer=None, env=None, again=False):
        self.name, self.form, self.command, self.env = name, form, command, env
        self.fresh = fresh      # makes its store anew; None: it keeps none
        self.answer = answer    # counts replies to robot reports from its store
        self.again = again      # whether a run over MORE new mails is measured, too
        self.best = None

    def measure(self, rounds, log):
        for _ in range(rounds):
            if self.fresh:
                self.fresh()
            got = run(self.command, self.env, log)
            if not self.best or got[1] < self.best[1]:
                self.best = got
            if got[0] > QUICK:
                break

    def told(self, replies):
        if not self.answer:
            return "no"
        count = self.answer()
        return "yes" if count == replies else f"{count} of {replies}"


class Bench:
    def __init__(self, build, directory):
        self.dir = directory
        self.regtrail = f"{build}/cli/regtrail"
        self.floor = f"{build}/tests/bench/ingest_floor"
        home = f"{directory}/home"
        os.makedirs(home, mode=0o700)
        self.env = dict(os.environ, HOME=home, XDG_RUNTIME_DIR=home, XDG_CACHE_HOME=home,
                        PERL_INLINE_DIRECTORY=home, PI_CONFIG=f"{home}/inbox", TZ="UTC",
                        NOTMUCH_CONFIG=f"{home}/notmuch", G_SLICE="", LC_ALL="C.UTF-8")

    def path(self, name):
        return f"{self.dir}/{name}"

    def sh(self, text, **more):
        return subprocess.run(["sh", "-ec", text], env=self.env, check=True, cwd=self.dir,
                              stdin=subprocess.DEVNULL, capture_output=True, **more).stdout

    # ---- programs

    def ours(self, form, url):
        home = self.path(f"ours-{form}")
        config = f"{home}/regtrail.conf"

        def fresh():
            shutil.rmtree(home, ignore_errors=True)
            os.mkdir(home)
            self.sh(f"cd {home} && {self.regtrail} init")
            with open(config, "w", encoding="ascii") as out:
                out.write(f"[regtrail]\ndatabase = {home}/regtrail.db\n"
                          f"[source it]\nurl = {url}\n")

        def answer():
            mails = self.sh(f"{self.regtrail} --config {config} export --format mbox")
            return mails.count(b"\nMessage-ID: ") - mails.count(b"\nFrom: kernel test robot")

        return Row(f"regtrail, {form}", form, [self.regtrail, "--config", config, "ingest"],
                   fresh, answer, self.env, True)

    def notmuch(self):
        def fresh():
            shutil.rmtree(self.path("maildir/.notmuch"), ignore_errors=True)
            with open(self.env["NOTMUCH_CONFIG"], "w", encoding="ascii") as out:
                out.write(f"[database]\npath={self.path('maildir')}\n[user]\nname=a\n"
                          "primary_email=a@example.org\n[maildir]\nsynchronize_flags=false\n")

        def answer():
            return int(self.sh("notmuch count --output=messages "
                               f"'thread:\"{{from:{ROBOT}}}\" and not from:{ROBOT}'"))

        return Row("notmuch new", "maildir", ["notmuch", "new", "--quiet", "--no-hooks"], fresh,
                   answer, self.env, True)

    def mu(self):
        home = self.path("mu")

        def fresh():
            shutil.rmtree(home, ignore_errors=True)
            self.sh(f"mu init --muhome={home} --maildir={self.path('maildir')}")

        def answer():
            return int(self.sh(f"mu find --muhome={home} --include-related --fields 'i f' "
                               f"from:{ROBOT} | grep -v {ROBOT} | sort -u | wc -l"))

        return Row("mu index", "maildir", ["mu", "index", f"--muhome={home}", "--quiet"], fresh,
                   answer, self.env, True)

    def public_inbox(self):
        inbox = self.path("git")

        def fresh():
            for name in os.listdir(inbox):
                if name != "git":
                    path = f"{inbox}/{name}"
                    shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
            if os.path.exists(self.env["PI_CONFIG"]):
                os.remove(self.env["PI_CONFIG"])
            self.sh("public-inbox-init -V2 -L basic --ng example.list list "
                    f"{inbox} http://127.0.0.1:1/list list@example.org")

        return Row("public-inbox basic", "git", ["public-inbox-index", "-L", "basic", inbox],
                   fresh, None, self.env, True)

    def rows(self):
        mbox, maildir, git = (self.path(name) for name in ("mbox", "maildir", "git"))
        store = self.path("floor.db")

        def fresh():
            if os.path.exists(store):
                os.remove(store)

        return [
            self.ours("mbox", f"mbox:{mbox}"),
            self.ours("maildir", f"maildir:{maildir}"),
            self.ours("git", f"pubinbox:{git}"),
            self.notmuch(), self.mu(), self.public_inbox(),
            Row("mthread", "maildir", ["sh", "-c", f"mlist {maildir} | mthread"], env=self.env),
            Row("floor: cat to null", "mbox", ["cat", mbox], env=self.env),
            Row("floor: scanner, SQLite", "mbox", [self.floor, "scan", store, mbox], fresh,
                env=self.env),
            Row("floor: GMime", "mbox", [self.floor, "gmime", mbox], env=self.env),
        ]

    # ---- the archive

    def make(self, messages, forms, start=0):
        command = ["/usr/bin/python3", f"{HERE}/archive.py", str(messages), "--from", str(start),
                   "--facts", self.path("facts")]
        for form in sorted(forms):
            command += [f"--{form}", self.path(form)]
        subprocess.run(command, check=True)
        self.sh(" ".join(f"find {self.path(form)} -type f -exec cat {{}} + >/dev/null;"
                         for form in sorted(forms)))
        with open(self.path("facts"), encoding="ascii") as text:
            words = text.read().split()
        return dict(zip(words[::2], map(int, words[1::2])))


def table(rows, messages, replies):
    ours = rows[0].best
    print(f"{'':24} {'wall s':>8} {'CPU s':>8} {'mails/s':>9} {'RssAnon MB':>10} "
          f"{'x wall':>7} {'x CPU':>7}  replies")
    for row in rows:
        wall, cpu, peak = row.best
        print(f"{row.name:24} {wall:8.2f} {cpu:8.2f} {messages / wall:9.0f} {peak:10.1f} "
              f"{wall / ours[0]:7.2f} {cpu / ours[1]:7.2f}  {row.told(replies)}", flush=True)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("build")
    options.add_argument("directory")
    options.add_argument("--messages", type=int, default=50_000)
    options.add_argument("--only", default="")
    options.add_argument("--rounds", type=int, default=3)
    o = options.parse_args()
    bench = Bench(o.build, o.directory)
    rows = [row for row in bench.rows() if row.name.startswith(tuple(o.only.split(",")))]
    if not rows:
        raise SystemExit(f"no row begins so: {o.only}")
    log, forms = bench.path("log"), {row.form for row in rows}
    facts = bench.make(o.messages, forms)
    print("{mails} mails, {unique} of them once; {reports} robot reports, {replies} replies to "
          "them; load {0:.1f}".format(os.getloadavg()[0], **facts), flush=True)
    for row in rows:
        row.measure(o.rounds, log)
    table(rows, facts["mails"], facts["replies"])
    bench.make(o.messages + MORE, forms, o.messages)
    print(f"{MORE} more mails")
    for row in rows:
        if row.again:
            wall, cpu, _ = run(row.command, row.env, log)
            print(f"{row.name:24} {wall:8.2f} {cpu:8.2f}", flush=True)
    print(f"load {os.getloadavg()[0]:.1f}")


main()
