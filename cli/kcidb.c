/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The KCIDB I/O schema, version 5.3 (https://github.com/kernelci/kcidb-io).  A property
 * that is not known is left out: nothing may be null, and no default is assumed.
 */
#include "cli/kcidb.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/render.h"

#define HASH_DIGITS 40

struct kcidb {
	char *origin, *archive_url;
	json_t *checkouts, *builds, *tests, *issues, *incidents;
	GHashTable *known; /* char *: ids of checkouts and builds that are there */
};

/* ---- properties ----------------------------------------------------------------- */

static void put(json_t *object, const char *name, json_t *value)
{
	json_object_set_new(object, name, value);
}

static void put_text(json_t *object, const char *name, const char *text)
{
	g_autofree char *valid = text && *text ? g_utf8_make_valid(text, -1) : NULL;

	if (valid)
		put(object, name, json_string(valid));
}

static void put_real(json_t *object, const char *name, double value)
{
	if (isfinite(value))
		put(object, name, json_real(value));
}

/* Takes rest. */
static void put_id(const kcidb *k, json_t *object, const char *name, char *rest)
{
	g_autofree char *mine = rest;
	g_autofree char *id = g_strdup_printf("%s:%s", k->origin, mine);

	put_text(object, name, id);
}

static json_t *object_new(const kcidb *k, const char *id)
{
	json_t *object = json_object();

	put_id(k, object, "id", g_strdup(id));
	put_text(object, "origin", k->origin);
	return object;
}

/* A misc object, if there is anything in it. */
static void put_misc(json_t *object, json_t *misc)
{
	if (json_object_size(misc))
		put(object, "misc", misc);
	else
		json_decref(misc);
}

/* "unixbench.score": letters, digits, _ and - between dots. */
static char *path_of(const char *testcase, const char *metric)
{
	bool within = testcase && metric && g_str_has_prefix(metric, testcase);
	g_autofree char *whole = within || !testcase ?
					 g_strdup(metric ? metric : "") :
					 g_strjoin(".", testcase, metric, NULL);
	g_autoptr(GString) out = g_string_new(NULL);

	for (const char *p = whole; *p; p++) {
		bool dot = *p == '.';

		if (dot && (!out->len || out->str[out->len - 1] == '.'))
			continue;
		g_string_append_c(out,
				  dot || g_ascii_isalnum(*p) || *p == '-' ? *p : '_');
	}
	while (out->len && out->str[out->len - 1] == '.')
		g_string_truncate(out, out->len - 1);
	return g_strdup(out->str);
}

/* ---- what was tested ------------------------------------------------------------ */

static bool is_hash(const char *commit)
{
	return commit && strlen(commit) == HASH_DIGITS &&
	       strspn(commit, "0123456789abcdef") == HASH_DIGITS;
}

/* The checkout and the build of a commit; returns the id of the build.  g_free. */
static char *add_build(kcidb *k, const tracker_summary *s, const char *commit,
		       const char *label)
{
	const char *what = commit ? commit : label ? label : "unknown";
	g_autofree char *id = g_strdup_printf("%s/%s", s->tree ? s->tree : "", what);
	json_t *checkout, *build;

	if (!g_hash_table_add(k->known, g_strdup(id)))
		return g_steal_pointer(&id);
	checkout = object_new(k, id);
	put_text(checkout, "tree_name", s->tree);
	put_text(checkout, "git_repository_branch", s->branch);
	if (is_hash(commit))
		put_text(checkout, "git_commit_hash", commit);
	else
		put_text(checkout, "comment", what);
	put(checkout, "valid", json_true());
	json_array_append_new(k->checkouts, checkout);
	build = object_new(k, id);
	put_id(k, build, "checkout_id", g_strdup(id));
	json_array_append_new(k->builds, build);
	return g_steal_pointer(&id);
}

static void put_environment(json_t *test, const char *machine)
{
	json_t *environment;

	if (!machine || !*machine)
		return;
	environment = json_object();
	put_text(environment, "comment", machine);
	put(test, "environment", environment);
}

static void put_number(json_t *test, const tracker_measure *m)
{
	g_autofree char *unit = render_metric_unit(m->metric);
	json_t *number;

	if (!m->has_mean || !isfinite(m->mean))
		return;
	number = json_object();
	put_real(number, "value", m->mean);
	put_text(number, "unit", unit);
	put(test, "number", number);
}

static json_t *samples_of(const tracker_measure *m)
{
	json_t *list = json_array();

	for (guint i = 0; i < m->samples->len; i++)
		json_array_append_new(list,
				      json_real(g_array_index(m->samples, double, i)));
	return list;
}

/* A run of a test and what it measured: DONE, for a number alone is no verdict. */
static json_t *test_new(kcidb *k, const char *id, const char *build)
{
	json_t *test = object_new(k, id);

	put_id(k, test, "build_id", g_strdup(build));
	put_text(test, "status", "DONE");
	return test;
}

static void add_measured(kcidb *k, const tracker_summary *s, const tracker_measure *m,
			 const char *id)
{
	g_autofree char *build = add_build(k, s, m->commit, m->label);
	g_autofree char *path = path_of(m->testcase, m->metric);
	json_t *test = test_new(k, id, build), *misc = json_object();

	put_text(test, "path", path);
	put_environment(test, m->machine);
	put_number(test, m);
	put_text(misc, "metric", m->metric);
	put(misc, "runs", json_integer(m->runs));
	if (m->has_stddev)
		put_real(misc, "stddev", m->stddev);
	if (m->samples->len)
		put(misc, "samples", samples_of(m));
	put_misc(test, misc);
	json_array_append_new(k->tests, test);
}

static void add_told(kcidb *k, const tracker_summary *s, const tracker_finding *f,
		     const char *id)
{
	g_autofree char *build = add_build(k, s, s->commit, NULL);
	g_autofree char *path = path_of(f->testcase, f->metric);
	json_t *test = test_new(k, id, build), *misc = json_object();

	put_text(test, "path", path);
	put_environment(test, f->machine);
	put_text(misc, "metric", f->metric);
	if (f->has_change)
		put_real(misc, "change_percent", f->change_percent);
	put_misc(test, misc);
	json_array_append_new(k->tests, test);
}

/* ---- issues --------------------------------------------------------------------- */

/* Events are only ever appended, so their number is a version that only grows. */
static json_int_t version_of(const tracker_detail *d)
{
	return d->events->len;
}

static const char *subject_of(const tracker_detail *d)
{
	for (guint i = 0; d->report_id && i < d->messages->len; i++) {
		const tracker_message *m = d->messages->pdata[i];

		if (strcmp(m->message_id, d->report_id) == 0)
			return m->subject;
	}
	return NULL;
}

static json_t *culprit_of(const tracker_summary *s)
{
	/* All false: the schema's way to say that there is no issue. */
	bool invalid = s->status == TRACKER_STATUS_INVALID ||
		       s->status == TRACKER_STATUS_NOT_REPRODUCIBLE;
	json_t *culprit = json_object();

	put(culprit, "code", json_boolean(!invalid));
	put(culprit, "tool", json_false());
	put(culprit, "harness", json_false());
	return culprit;
}

static json_t *issue_misc(const tracker_detail *d)
{
	const tracker_summary *s = d->summary;
	json_t *misc = json_object();

	put_text(misc, "status", tracker_status_name(s->status));
	put_text(misc, "kind", parser_kind_name(s->kind));
	put_text(misc, "testcase", s->testcase);
	put_text(misc, "metric", s->metric);
	if (s->has_change)
		put_real(misc, "change_percent", s->change_percent);
	put_text(misc, "commit", s->commit);
	put_text(misc, "commit_subject", s->commit_subject);
	put_text(misc, "tree", s->tree);
	put_text(misc, "branch", s->branch);
	if (s->reported_at) {
		g_autofree char *at = render_time_utc(s->reported_at);

		put_text(misc, "reported_at", at);
	}
	put_text(misc, "message_id", d->report_id);
	return misc;
}

static char *comment_of(const tracker_summary *s)
{
	const char *kind = parser_kind_name(s->kind);
	g_autofree char *change =
		s->has_change ? g_strdup_printf(" %+.1f%%", s->change_percent) :
				g_strdup("");

	return g_strdup_printf("%s%s %s by %.12s (\"%s\"): %s",
			       s->metric ? s->metric : "unknown metric", change,
			       kind ? kind : "change", s->commit ? s->commit : "?",
			       s->commit_subject ? s->commit_subject : "?",
			       tracker_status_name(s->status));
}

static void add_issue(kcidb *k, const tracker_detail *d)
{
	const tracker_summary *s = d->summary;
	g_autofree char *url = render_link(k->archive_url, d->report_id);
	g_autofree char *comment = comment_of(s);
	json_t *issue = object_new(k, s->id);

	put(issue, "version", json_integer(version_of(d)));
	put_text(issue, "report_url", url);
	put_text(issue, "report_subject", subject_of(d));
	put(issue, "culprit", culprit_of(s));
	put_text(issue, "comment", comment);
	put_misc(issue, issue_misc(d));
	json_array_append_new(k->issues, issue);
}

static json_t *incident_new(kcidb *k, const tracker_detail *d, const char *id,
			    bool present)
{
	json_t *incident = object_new(k, id);

	put_id(k, incident, "issue_id", g_strdup(d->summary->id));
	put(incident, "issue_version", json_integer(version_of(d)));
	put_id(k, incident, "test_id", g_strdup(id));
	put(incident, "present", json_boolean(present));
	json_array_append_new(k->incidents, incident);
	return incident;
}

static void put_finding(json_t *incident, const tracker_finding *f)
{
	json_t *misc = json_object();

	if (f->has_change)
		put_real(misc, "change_percent", f->change_percent);
	if (f->has_interval) {
		put_real(misc, "ci_low", f->ci_low);
		put_real(misc, "ci_high", f->ci_high);
		put_real(misc, "p", f->p);
	}
	put_text(misc, "message_id", f->message_id);
	put_misc(incident, misc);
}

/* ---- a regression --------------------------------------------------------------- */

static bool is_issue(const tracker_summary *s)
{
	return s->kind != PARSER_KIND_IMPROVEMENT;
}

/* The finding of that report's headline. */
static const tracker_finding *headline(const tracker_detail *d,
				       const tracker_measure *m)
{
	for (guint i = 0; i < d->findings->len; i++) {
		const tracker_finding *f = d->findings->pdata[i];

		if (!g_strcmp0(f->message_id, m->message_id) &&
		    !g_strcmp0(f->metric, m->metric))
			return f;
	}
	return NULL;
}

/* The culprit shows it and the base does not; of further columns nobody has said. */
static void add_measures(kcidb *k, const tracker_detail *d, const GPtrArray *measures)
{
	for (guint i = 0; i < measures->len; i++) {
		const tracker_measure *m = measures->pdata[i];
		g_autofree char *id = g_strdup_printf("%s/%s/%u", d->summary->id,
						      m->message_id, m->column);
		const tracker_finding *f = m->culprit ? headline(d, m) : NULL;

		add_measured(k, d->summary, m, id);
		if (!is_issue(d->summary) || (!m->culprit && m->column))
			continue;

		json_t *incident = incident_new(k, d, id, m->culprit);

		if (f)
			put_finding(incident, f);
	}
}

static bool is_measured(const tracker_detail *d, const GPtrArray *measures,
			const tracker_finding *f)
{
	for (guint i = 0; i < measures->len; i++)
		if (headline(d, measures->pdata[i]) == f)
			return true;
	return false;
}

/* What others report, or an impact table tells, has no values of its own here. */
static void add_findings(kcidb *k, const tracker_detail *d, const GPtrArray *measures)
{
	for (guint i = 0; i < d->findings->len; i++) {
		const tracker_finding *f = d->findings->pdata[i];
		g_autofree char *id =
			g_strdup_printf("%s/finding/%u", d->summary->id, i);

		if (is_measured(d, measures, f))
			continue;
		add_told(k, d->summary, f, id);
		if (is_issue(d->summary))
			put_finding(incident_new(k, d, id, true), f);
	}
}

bool kcidb_add(kcidb *k, tracker *t, const tracker_detail *d, GError **error)
{
	if (d->summary->status == TRACKER_STATUS_NONE)
		return true;

	g_autoptr(GPtrArray) measures = tracker_measures(t, d->summary->id, error);

	if (!measures)
		return false;
	if (is_issue(d->summary))
		add_issue(k, d);
	add_measures(k, d, measures);
	add_findings(k, d, measures);
	return true;
}

/* ---- the whole ------------------------------------------------------------------ */

kcidb *kcidb_new(cli *c, GError **error)
{
	g_autofree char *origin = config_text(c->config, "regtrail", "kcidb-origin");
	kcidb *k;

	if (!*origin ||
	    strspn(origin, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(origin)) {
		g_set_error(
			error, CLI_ERROR, CLI_ERROR_CONFIG,
			"[regtrail] kcidb-origin: '%s' is not made of small letters, "
			"digits and _",
			origin);
		return NULL;
	}
	k = g_new0(kcidb, 1);
	k->origin = g_steal_pointer(&origin);
	k->archive_url = config_text(c->config, "regtrail", "archive-url");
	k->checkouts = json_array();
	k->builds = json_array();
	k->tests = json_array();
	k->issues = json_array();
	k->incidents = json_array();
	k->known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return k;
}

void kcidb_free(kcidb *k)
{
	if (!k)
		return;
	json_decref(k->checkouts);
	json_decref(k->builds);
	json_decref(k->tests);
	json_decref(k->issues);
	json_decref(k->incidents);
	g_hash_table_unref(k->known);
	g_free(k->origin);
	g_free(k->archive_url);
	g_free(k);
}

void kcidb_print(const kcidb *k)
{
	json_t *version = json_object(), *report = json_object();

	put(version, "major", json_integer(5));
	put(version, "minor", json_integer(3));
	put(report, "version", version);
	put(report, "checkouts", json_incref(k->checkouts));
	put(report, "builds", json_incref(k->builds));
	put(report, "tests", json_incref(k->tests));
	put(report, "issues", json_incref(k->issues));
	put(report, "incidents", json_incref(k->incidents));

	g_autofree char *text = render_json_text(report);

	puts(text);
	json_decref(report);
}
