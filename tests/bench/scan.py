# scan.py history COMMITS: a history for git fast-import; the same every time.
# scan.py reports CULPRIT: report1.json ..., of which one is on that commit.
import json
import random
import sys

WORDS = ("the queue is locked twice when a task wakes another on a node that has no "
         "idle processor left so move the check below the loop and count what is there "
         "before it is freed since readers may still look at it").split()
AREAS = "mm sched block net fs x86 arm64 bpf drm io_uring ext4 xfs btrfs rcu irq".split()


def text(rng, n):
    return " ".join(rng.choice(WORDS) for _ in range(n))


def message(rng, n, titles, sentences):
    area = rng.choice(AREAS)
    lines = [f"{area}: {rng.choice(titles)} {n}", ""]
    for _ in range(rng.randint(1, 4)):
        lines += rng.sample(sentences, rng.randint(1, 5)) + [""]
    if n % 5 == 0:
        lines.append(f'Fixes: {rng.getrandbits(48):012x} ("{area}: {rng.choice(titles)}")')
    who = f"dev{n % 3000}@example.org"
    lines.append(f"Signed-off-by: Dev {n % 3000} <{who}>")
    if n % 2:
        lines.append(f"Link: https://lore.example.org/r/2020{n:08d}.{n * 7 % 10007}-1-{who}")
    if n % 50 == 0:
        lines.append("Reported-by: kernel test robot <lkp@example.net>")
        lines.append(f"Closes: https://lore.example.org/oe-kbuild-all/{n}.abc-lkp@example.net/")
    lines.append(f"Signed-off-by: Maintainer {n % 97} <m{n % 97}@example.org>")
    return ("\n".join(lines) + "\n").encode()


def history(count):
    rng = random.Random(20240601)
    titles = [text(rng, 6) for _ in range(5000)]
    sentences = [text(rng, 12) for _ in range(5000)]
    out = sys.stdout.buffer
    for n in range(count):
        body = message(rng, n, titles, sentences)
        when = 1100000000 + n * 500
        out.write(b"commit refs/heads/master\nauthor Dev %d <dev%d@example.org> %d +0000\n"
                  b"committer Maintainer <m@example.org> %d +0000\ndata %d\n"
                  % (n % 3000, n % 3000, when, when + 100, len(body)))
        out.write(body)
        if n == 0:
            out.write(b"M 100644 inline file\ndata 2\nx\n")
        out.write(b"\n")


def reports(culprit):
    for n in range(20):
        commit = culprit if n == 0 else f"{n:02x}" * 20
        json.dump({
            "testcase": "unixbench", "machine": "box", "parameters": {},
            "columns": [{"commit": {"id": "f" * 40}},
                        {"commit": {"id": commit, "subject": f"mm: Do it badly {n}",
                                    "tree": "linus", "branch": "master",
                                    "author": {"name": "Ann", "address": "ann@example.org"}}}],
            "metrics": [{"name": "unixbench.score",
                         "samples": [[100, 101, 99, 100], [90, 91, 89, 90]]}],
        }, open(f"report{n}.json", "w"))


if sys.argv[1] == "history":
    history(int(sys.argv[2]))
else:
    reports(sys.argv[2])
