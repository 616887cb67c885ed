# shellcheck shell=sh disable=SC2119,SC2154 # run.sh gives expect, contains, lacks
# What stops a mail, what does not, and what the operator overrides.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/cli/report.sh"

# ---- a small change is noted and stops nothing; a forced check is on record
start
comparison regression 'for m in c["metrics"]:
    m["samples"][1] = [x * 0.97 for x in m["samples"][0]]' >small.json
json_report 0 small.json
contains err 'note: severity: 3.0% in one test alone'
start
comparison regression 'for m in c["metrics"]:
    m["samples"][1] = m["samples"][1][:2]' >few.json
json_report 1 few.json
contains err 'runs: 6 runs before and 2 after; 3 a side are needed'
json_report 0 few.json --force 'runs=the machine is gone'
contains err 'forced: runs: 6 runs before and 2 after'
expect 0 "$REGTRAIL" outbox
contains out 'forced: runs: the machine is gone'
expect 0 "$REGTRAIL" outbox show 1
contains out 'forced: runs: the machine is gone'
expect 0 "$REGTRAIL" outbox --json
contains out '"overrides":[{"message_id"'
send_all
expect 0 "$REGTRAIL" list --json
id=$(sed 's/.*"short_id":"\([0-9a-f]*\)".*/\1/' out)
expect 0 "$REGTRAIL" show "$id"
contains out 'Sent although a check said no'
contains out 'the machine is gone'
expect 0 "$REGTRAIL" show --json "$id"
contains out '"check":"runs","reason":"the machine is gone"'

# ---- a negative base: the comparer's own sign in its mode, the right one in ours
start
comparison regression 'for m in c["metrics"]:
    m["samples"][0] = [-x for x in m["samples"][0]]
    m["samples"][1] = [-x * 1.8 for x in m["samples"][1]]' >negative.json
json_report 0 -n -o mail.eml negative.json
header Subject | grep -q -- ' -7.5% regression$' || exit 1
grep -q -- '-7.5%.*stress-ng.fallocate.ops_per_sec.$' mail.eml || exit 1
contains mail.eml 'lies between -8.6% and -6.4%'
json_report 0 -n -o mail.eml --compat=lkp negative.json
header Subject | grep -q -- ' +7.5% regression$' || exit 1
grep -q -- '+7.5%.*stress-ng.fallocate.ops_per_sec.$' mail.eml || exit 1
contains mail.eml 'lies between +6.4% and +8.6%'
