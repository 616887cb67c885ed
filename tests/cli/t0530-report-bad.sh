# shellcheck shell=sh disable=SC2119,SC2154 # run.sh gives expect, contains, lacks
# Results, templates and files that make no mail: one line that names the thing, and
# nothing half-written.
# shellcheck source=/dev/null
. "$REGTRAIL_SOURCE/tests/cli/report.sh"

# refused STATUS TEXT ARGUMENT...: report fails so, with one line that holds that text.
refused() {
	status=$1
	text=$2
	shift 2
	json_report "$status" "$@"
	contains err "$text"
	if [ "$(wc -l <err)" -ne 1 ] || [ -s out ]; then
		printf 'not one line: %s\n' "$*"
		cat err out
		exit 1
	fi
}

start
cp regtrail.db before.db

# ---- results
comparison regression 'c["columns"][1] = {"label": "the new one"}' >in.json
refused 1 "the culprit 'the new one' is not a commit's hash" in.json --to ann@example.org
comparison regression 'c["columns"][1] = {}' >in.json
refused 1 'culprit' in.json --to ann@example.org
comparison regression >in.json
refused 1 "culprit '0000000' is none of the compared heads" in.json --culprit 0000000
comparison regression 'for i, m in enumerate(c["metrics"]):
    m["samples"][i % 2] = None' >in.json
refused 2 'no headline metric' in.json
comparison regression 'c["metrics"] = []' >in.json
refused 2 'no headline metric: no metric of the test itself is there' in.json
comparison regression 'c["metrics"].append({"name": "stress-ng.flat", "samples": [[7, 7, 7], [7, 7, 7]]})' >in.json
refused 1 'metric stress-ng.flat is not in the table' in.json --metric stress-ng.flat --kind regression
refused 1 "metric 'stress-ng.none' is neither in" in.json --metric stress-ng.none
comparison regression 'c["metrics"][0]["name"] = "two words"' >in.json
refused 1 'two words' in.json --metric 'two words' --kind regression
comparison regression 'c["metrics"][0]["name"] = "tab\tbed"' >in.json
refused 1 'in.json: $.metrics[0].name' in.json
comparison regression 'del c["testcase"]; c["metrics"][0]["name"] = "unixbench.score"' >in.json
refused 1 'the testcase is not known' in.json
comparison regression 'c["testcase"] = ""' >in.json
refused 1 'the testcase is not known' in.json
comparison regression 'c["machine"]["name"] = ""
c["columns"][1]["commit"].update(tree="", branch="", subject="")' >in.json
expect 0 "$REGTRAIL" compare in.json
lacks out ' ("")'
json_report 0 -n in.json
lacks out 'url/tree'

# ---- nothing from data breaks a header: such values are errors, never repaired
comparison regression 'c["columns"][1]["commit"]["subject"] = "one\nBcc: all@example.org"' >in.json
json_report 1 in.json
contains err '$.columns[1].commit.subject'
comparison regression 'c["columns"][1]["commit"]["author"]["address"] = "a@example.org\r\nBcc: x@example.org"' >in.json
json_report 1 in.json
contains err '$.columns[1].commit.author'
comparison regression >in.json
json_report 2 in.json --to "$(printf 'a@example.org\nBcc: x@example.org')"
contains err 'not an address'
printf x >"$(printf 'a\nb')"
json_report 1 in.json --attach "$(printf 'a\nb')"
contains err 'attachment'

# ---- attachments that are not there any more
refused 1 'gone.txt: No such file' in.json --attach gone.txt

cmp regtrail.db before.db || exit 1

# ---- templates: a broken one names its file and line, before anything is read
start '[templates]' 'directory = own'
mkdir -p own/mail
printf 'Hello,\n\n{{no_such_name}}\n' >own/mail/robot.mustache
refused 1 'own/mail/robot.mustache:3:' none.json
expect 1 "$REGTRAIL" check
contains err 'own/mail/robot.mustache:3:'
printf '{{#note}}\nnever closed\n' >own/mail/robot.mustache
refused 1 'own/mail/robot.mustache:' in.json
printf 'Hello\n{{>robot}}\n' >own/mail/robot.mustache
refused 1 'mail/robot.mustache:2: partials are nested' in.json
printf '{{>first}}\n' >own/mail/robot.mustache
printf '{{>robot}}\n' >own/mail/first.mustache
refused 1 '.mustache:1: partials are nested' in.json
rm own/mail/*
printf '{{>nowhere}}\n' >own/mail/tags.mustache
refused 1 'own/mail/tags.mustache:1: there is no template nowhere' in.json
rm own/mail/*
mkdir own/mail/subject.mustache
refused 1 'own/mail/subject.mustache' in.json
rmdir own/mail/subject.mustache
# A subject of two lines would be a header of its own.
printf 'one\ntwo: {{metric}}\n' >own/mail/subject.mustache
refused 1 'Subject: the value holds the control character' in.json
# What is not text is not cut where the C of it would end.
for text in 'Hello \000{{headline}}\n' 'Hello \377{{headline}}\n'; do
	printf '%b' "$text" >own/mail/robot.mustache
	refused 1 'own/mail/robot.mustache: not UTF-8 text' in.json
	expect 1 "$REGTRAIL" check
	contains err 'own/mail/robot.mustache: not UTF-8 text'
done
rm own/mail/*
printf 'Dear all,\n\n{{>headline}}\n\n{{>commit}}\n{{>test}}\n{{>tables}}\nRegression-ID: {{regression}}\n' >own/mail/robot.mustache
json_report 0 -n in.json
contains out 'Dear all,'
expect 0 "$REGTRAIL" check

# ---- a comparison table as text has no runs and no people
start
cp regtrail.db before.db
json_report 0 -n -o mail.eml in.json
python3 - <<'END' >table.txt || exit 1
import email, email.policy
mail = email.message_from_binary_file(open("mail.eml", "rb"), policy=email.policy.strict)
text = mail.get_content()
print(text[text.index("====="):text.index("\n\n\nLegend")])
END
json_report 2 -n table.txt
contains err 'do not allow an interval'
metric=stress-ng.fallocate.ops_per_sec
json_report 1 -n table.txt --metric $metric
contains err 'there is nobody to send to'
json_report 1 -n table.txt --metric $metric --to ann@example.org
contains err 'runs: 0 runs before and 0 after'
json_report 0 -n table.txt --metric $metric --to ann@example.org \
	--force runs='a table only' --force interval='a table only'
contains out $metric

cmp regtrail.db before.db || exit 1
