# shellcheck shell=sh disable=SC2119,SC2154 # run.sh gives expect, contains, lacks
# Everything that configuration, results and options say reaches the mail.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/cli/report.sh"

# ---- wording that the configuration decides about
TZ=Asia/Kolkata
export TZ
start '[report]' 'signature = perf robot\na service of the example project' \
	'reproduce = git clone https://git.example.org/tests.git\n./run job.yaml' \
	'[test unixbench]' 'description = an old benchmark' \
	'url = https://bench.example.org/unixbench'
report 0 -n --style robot-2017
contains out 'Date: Mon, 30 Nov 2026 17:30:00 +0530'
contains out 'test-description: an old benchmark'
contains out 'test-url: https://bench.example.org/unixbench'
contains out '        git clone https://git.example.org/tests.git'
contains out '        ./run job.yaml'
tail -3 out | grep -q '^-- $' && tail -3 out | grep -qx 'a service of the example project'
contains out '| Link: https://lore.example.org/r/202611301200.10d135d2-robot@example.org'
unset TZ

# ---- styles
report 0 -n --style brief
contains out 'filename=report.txt'
[ "$(grep -n 'filename=report.txt' out | cut -d: -f1)" -lt 70 ] || exit 1
contains out 'All numbers are in the attached report.txt'
report 0 -n --style robot
contains out 'perf robot noticed a -6.6% regression of unixbench.score on:'
report 0 -n --compat=lkp
lacks out 'Legend:'
report 2 -n --compat=perl
contains err 'only lkp is known'

# ---- the comparison's axes
report 0 -n
contains out 'config: x86_64-server-6.9'
contains out 'compiler: gcc-13'
contains out '/rootfs/'

# ---- materials: files of the result root, or one link
cp -r "$root" copy
chmod -R u+w copy
copy=$(echo copy/8f3*)
echo 'unixbench -i 300 spawn' >"$copy/0/reproduce.sh"
echo 'CONFIG_SMP=y' >config-of-kernel
start '[report]' 'kernel-config = config-of-kernel'
expect 0 "$REGTRAIL" report -n --commits "$examples/commits.json" copy/aa6* "$copy"
contains out 'The materials to reproduce are attached: job.yaml, reproduce.sh, config-x86_64-server-6.9'
contains out 'unixbench -i 300 spawn'
contains out 'CONFIG_SMP=y'
expect 0 "$REGTRAIL" report -n --commits "$examples/commits.json" --attach "$copy/0/reproduce.sh" \
	"$base" "$head"
contains out 'attached: job.yaml, config-x86_64-server-6.9, reproduce.sh'
expect 2 "$REGTRAIL" report -n --commits "$examples/commits.json" --attach "$copy/0/reproduce.sh" \
	copy/aa6* "$copy"
contains err 'two attachments are named reproduce.sh'
start '[report]' 'materials-url = https://download.example.org/%s/'
report 0 -n
contains out 'https://download.example.org/02222725ee8ff1c382f3ec49d9727e5db23d2ffd/'
lacks out 'job.yaml'
start '[report]' 'kernel-config = gone-%s'
report 1 -n
contains err 'gone-x86_64-server-6.9: No such file'

# ---- plots of several metrics, which can be switched off
start
comparison improvement 'b = c["bisect"][0]
c["bisect"].append(dict(b, metric="second.metric"))' >plots.json
json_report 0 -n plots.json --style robot
contains out 'will-it-scale.per_process_ops'
contains out 'second.metric'
[ "$(grep -c '\* good (8 samples)   O bad (8 samples)' out)" -eq 2 ] || exit 1
start '[report]' 'plots = no'
json_report 0 -n plots.json
lacks out 'good (8 samples)'

# ---- where it is still so: heads of trees that show it, and what is named
start
comparison regression 'col = lambda i, tree, branch: {"commit": {"id": i * 40, "tree": tree, "branch": branch}}
c["columns"] += [col("c", "linus", "master"), col("d", "linux-next", "master")]
for m in c["metrics"]:
    m["samples"] += [m["samples"][1], m["samples"][0]]' >still.json
json_report 0 -n still.json --still stable/linux-6.12.y=0123456789abcdef
contains out '[still regression on stable/linux-6.12.y 0123456789abcdef]'
contains out '[still regression on linus/master'
grep -q '^\[still regression on linus/master  *cccccccccc*]$' out || exit 1
lacks out 'on linux-next/master'
json_report 2 -n still.json --still here
contains err '--still needs TREE/BRANCH=COMMIT, not here'
for empty in '' '=' '=0123456789abcdef'; do
	json_report 2 -n still.json --still "$empty"
	contains err '--still needs TREE/BRANCH=COMMIT, not'
done
json_report 2 -n still.json --also ''
contains err '--also needs BASE,HEAD or FILE'

# ---- a mail above the cap is trimmed and says so; nothing is refused
comparison regression 'import random
random.seed(1)
for i in range(300):
    c["metrics"].append({"name": "stress-ng.filler.metric_%04d" % i,
        "samples": [[random.uniform(90, 110) for _ in range(6)],
                    [random.uniform(190, 210) for _ in range(6)]]})' >big.json
start '[send]' 'size-max = 9000'
json_report 0 -o mail.eml big.json
[ "$(wc -c <mail.eml)" -le 9000 ] || exit 1
grep -q 'more rows are left out because of the size of this mail; perf robot <robot@example.org> has them' mail.eml || exit 1
contains mail.eml '-40.3%'
grep -q 'stress-ng.fallocate.ops_per_sec.$' mail.eml || exit 1
start '[report]' 'materials-url = https://download.example.org/x' '[send]' 'size-max = 9000'
json_report 0 -n big.json
contains out 'the materials at https://download.example.org/x]'
start '[send]' 'size-max = 0'
json_report 0 -n big.json
lacks out 'left out because'
contains out 'filler.metric_0299'
start '[send]' 'size-max = 900'
json_report 1 -n big.json
contains err 'cannot be cut to 900'
start '[send]' 'size-max = 20000'
head -c 30000 /dev/zero | tr '\0' x >large.txt
report 0 -n --attach large.txt
contains out 'Left out because of the size of this mail: large.txt'

# ---- further tests, each with its sign and word; nothing overflows the box
start
comparison improvement >better.json
comparison regression 'c["columns"] = json.load(open("better.json"))["columns"]
c["parameters"]["note"] = "ä" * 90' >worse.json
comparison machines >first.json
json_report 0 -o mail.eml first.json --also better.json --also worse.json
python3 - <<'END' || exit 1
import email, email.policy
mail = email.message_from_binary_file(open("mail.eml", "rb"), policy=email.policy.strict)
lines = [l for l in mail.get_content().splitlines() if l[:2] in ("+-", "| ") and l[-1] in "+|"]
assert len({len(l) for l in lines}) == 1, lines
text = "\n".join(lines)
assert "% improvement" in text and "will-it-scale.per_process_ops +" in text, text
assert "stress-ng.fallocate.ops_per_sec -40.3% regression" in text, text
END
json_report 1 first.json --also gone.json
contains err '--also: gone.json: No such file'
comparison regression 'c["metrics"] = []' >none.json
json_report 2 first.json --also none.json
contains err '--also none.json: no headline metric'
report 0 -n --also "$base,$head"
contains out '| testcase: change | unixbench: unixbench.score -6.6% regression'

# ---- several machines: a table each, behind a line of stars
mkdir -p more
cp -r "$root" more/second
chmod -R u+w more
sed -i 's/example-2s-48c/example-4s-96c/' more/second/*/0/job.yaml
start '[machine example-4s-96c]' 'description = 96 threads 4 sockets'
report 0 -n more/second/aa6* more/second/8f3*
contains out '*******************************'
contains out 'example-4s-96c: 96 threads 4 sockets'
[ "$(grep -c '%stddev     %change' out)" -eq 2 ] || exit 1

# ---- failures: rates instead of an interval
start
comparison failure >failure.json
json_report 0 -n failure.json --metric 'dmesg.WARNING:at_mm/memcontrol.c:#mod_memcg_state' \
	--still linux-next/master=6fea5fabd3323cd2
contains out 'perf robot noticed "dmesg.WARNING:at_mm/memcontrol.c:#mod_memcg_state" on:'
contains out 'It failed in 4 of 6 runs; before, in 0 of 6'
contains out '[test failed on linux-next/master 6fea5fabd3323cd2]'
contains out '           :6           67%           4:6     dmesg.WARNING'

# ---- a posted patch is answered, under its subject or under ours
comparison patch >patch.json
json_report 0 -o mail.eml -n patch.json
[ "$(header Subject)" = 'Re: [PATCH v2 3/5] mm: cut the tail off "long" lists (again)' ] || exit 1
[ "$(header In-Reply-To)" = '<20250507152045.12266-3-ada@example.org>' ] || exit 1
contains mail.eml 'patch link: https://lore.example.org/r/20250507152045.12266-3-ada@example.org'
contains mail.eml 'base: v6.15-rc5'
start '[report]' 'own-subject = yes'
json_report 0 -o mail.eml -n patch.json
header Subject | grep -q 'stress-ng.io-uring.ops_per_sec -14.3% regression$' || exit 1
[ "$(header In-Reply-To)" = '<20250507152045.12266-3-ada@example.org>' ] || exit 1

# ---- the block for regzbot is opt-in
report 0 -n
lacks out '#regzbot'
start '[report]' 'regzbot = yes'
report 0 -n
contains out '#regzbot introduced: 8f3ab2a3b2ce'
json_report 0 -n better.json
lacks out '#regzbot'
