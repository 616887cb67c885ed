# SPDX-License-Identifier: GPL-2.0-or-later
"""A store that is to be harmed: a copy of a directory, runs of the program in it, and all
that it holds afterwards, for comparison."""
import os
import re
import shutil
import sqlite3
import subprocess
import sys

TEMPORARY = re.compile(r"\.[A-Za-z0-9]{6}$|\.db-(wal|shm|journal)$|-lock$")
DERIVED = re.compile(r"^words_index_|^sqlite_")
SOUND = re.compile(r"(all is well\n|outbox \d+: .*\n)*")
everything = os.environ.get("REGTRAIL_FAULTS_ALL") == "1"


def fail(what, *outcomes):
    print("FAILED: " + what)
    for outcome in outcomes:
        print("exit %d\n%s%s" % (outcome.returncode, outcome.stdout, outcome.stderr))
    sys.exit(1)


def rows(path):
    """All that a database holds; its search index must fit that."""
    database = sqlite3.connect(path)
    names = [name for (name,) in database.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
    found = {}
    for name in names:
        if not DERIVED.match(name):
            found[name] = sorted(map(repr, database.execute('SELECT * FROM "%s"' % name)))
    # Chance made it.
    found["meta"] = [row for row in found.get("meta", []) if "hash-key" not in row]
    if "words_index" in names:
        database.execute("INSERT INTO words_index (words_index) VALUES ('integrity-check')")
    database.close()
    return found


class Store:
    """The program, and a copy of the directory BASE to run it in."""

    def __init__(self, program, library, base):
        self.program, self.library = program, library
        self.base = os.path.abspath(base)
        self.work = self.base + ".work"
        self.log = self.base + ".log"
        self.copies = 0
        self.unknown_before = self.unknown(self.base)

    def fresh(self):
        if os.path.exists(self.work):
            # Somebody may be reading there.
            self.copies += 1
            old = "%s.%d" % (self.work, self.copies)
            os.rename(self.work, old)
            shutil.rmtree(old, ignore_errors=True)
        # A cursor of ingest knows its file by the inode, too.
        shutil.copytree(self.base, self.work, copy_function=lambda source, copy:
                        os.link(source, copy) if source.endswith((".mbox", ".eml"))
                        else shutil.copy2(source, copy))

    def environment(self, **faults):
        return dict(os.environ, LD_PRELOAD=self.library, **faults)

    def run(self, arguments, **faults):
        outcome = subprocess.run([self.program] + arguments, cwd=self.work,
                                 env=self.environment(**faults), stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True)
        # Their exit code is that of an ordinary failure.
        if "Sanitizer" in outcome.stderr or "runtime error:" in outcome.stderr:
            fail(" ".join(arguments), outcome)
        return outcome

    def start(self, arguments):
        return subprocess.Popen([self.program] + arguments, cwd=self.work,
                                env=self.environment(), stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def calls(self, arguments, **faults):
        """The calls of an undisturbed run in a fresh copy that change files."""
        if os.path.exists(self.log):
            os.unlink(self.log)
        self.fresh()
        outcome = self.run(arguments, FAULTS_LOG=self.log, **faults)
        if outcome.returncode != 0:
            fail(" ".join(arguments), outcome)
        with open(self.log) as file:
            return [tuple(line.split(None, 2)[1:]) for line in file]

    def state(self):
        """Every table and every file, but what a crash may leave behind without harm."""
        found = {}
        for directory, _, names in os.walk(self.work):
            for name in names:
                path = os.path.join(directory, name)
                if name.endswith(".db"):
                    found.update(rows(path) if os.path.getsize(path) else {})
                elif not TEMPORARY.search(name):
                    with open(path, "rb") as file:
                        found[os.path.relpath(path, self.work)] = file.read()
        return found

    def settled(self):
        """What became of mail and regressions, but for how many tries it took and when."""
        found = {}
        with sqlite3.connect(os.path.join(self.work, "regtrail.db")) as database:
            for what in ("message_id, state FROM outbox o JOIN message m ON m.id = o.message",
                         "message_id, r.address, r.state FROM outbox_recipient r "
                         "JOIN outbox o ON o.id = r.outbox JOIN message m ON m.id = o.message",
                         "regression, status, open FROM regression",
                         "message_id, variant, origin, hex(m.bytes) FROM message m",
                         "m.message_id, g.regression, key FROM link l JOIN message m "
                         "ON m.id = l.message JOIN regression g ON g.id = l.regression"):
                found[what] = sorted(map(repr, database.execute("SELECT " + what)))
        for name, content in self.state().items():
            if isinstance(content, bytes):
                # The name ends with the time.
                found.setdefault(re.sub(r"-\d{8}T\d{6}Z", "", name), []).append(content)
        return found

    @staticmethod
    def unknown(directory):
        path = os.path.join(directory, "regtrail.db")
        if not os.path.exists(path):
            return set()
        with sqlite3.connect(path) as database:
            return {number for (number,) in database.execute(
                "SELECT id FROM outbox WHERE state = 'unknown'")}

    def settle(self, arguments):
        """As an operator does with mail of which nobody knows whether it left."""
        for number in self.unknown(self.work) - self.unknown_before:
            self.run(["outbox", "retry", str(number)])
        return self.run(arguments)

    def sound(self, what, *outcomes):
        checked = self.run(["check"])
        if not SOUND.fullmatch(checked.stdout + checked.stderr):
            fail(what + ": check", *outcomes, checked)

    def same(self, what, found, wanted, *outcomes):
        if found == wanted:
            return
        for name in sorted(set(found) | set(wanted)):
            if found.get(name) != wanted.get(name):
                print(name)
                for label, one, other in (("is", found, wanted), ("wanted", wanted, found)):
                    one, other = one.get(name) or [], other.get(name) or []
                    for row in [one] if isinstance(one, bytes) else one:
                        if row not in other:
                            print("  %-6s %.500s" % (label, row))
        fail(what, *outcomes)


def edges(calls):
    """The numbers of the calls to disturb: calls of one kind on one file in a row count as
    one, by the first of them.  The index of the log is made anew by whoever opens it."""
    def is_edge(number):
        return number == 1 or calls[number - 2] != calls[number - 1]
    return [number for number in range(1, len(calls) + 1) if everything or
            is_edge(number) and not calls[number - 1][1].endswith("-shm\n")]


def shown(arguments):
    return " ".join(arguments[:1 + (arguments[0] == "outbox")])
