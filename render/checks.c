/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stops a bad mail.  Each check says the numbers that it looked at. */
#include <string.h>

#include "render/report.h"

#define RUNS_MIN       3
#define SEVERITY_SMALL 5.0 /* percent; reporting-regressions.rst */

typedef struct checking {
	const render_facts *facts;
	const render_mail *mail;
	const render_headline *headline;
	parser_kind kind;
	const render_row *row; /* may be NULL */
	GPtrArray *checks;
} checking;

void render_check_free(render_check *check)
{
	if (!check)
		return;
	g_free(check->reason);
	g_free(check);
}

static void add(checking *c, const char *name, bool passed, const char *format, ...)
	G_GNUC_PRINTF(4, 5);

static void add(checking *c, const char *name, bool passed, const char *format, ...)
{
	render_check *check = g_new0(render_check, 1);
	va_list args;

	va_start(args, format);
	check->reason = g_strdup_vprintf(format, args);
	va_end(args);
	check->name = name;
	check->passed = passed;
	check->blocks = true;
	g_ptr_array_add(c->checks, check);
}

static bool is_failure(const checking *c)
{
	return c->row && c->row->failure;
}

static const render_value *head_value(const checking *c)
{
	return &c->row->values[c->headline->column];
}

static void check_failure_direction(checking *c)
{
	const render_value *base = &c->row->values[0];
	const render_value *head = head_value(c);
	double before = base->runs > 0 ? base->fails / base->runs : 0;
	double after = head->runs > 0 ? head->fails / head->runs : 0;
	bool worse = c->kind != PARSER_KIND_IMPROVEMENT;

	add(c, "direction", worse ? after > before : after < before,
	    "%s fails %.0f of %.0f times, before %.0f of %.0f; the mail says %s",
	    c->headline->metric, head->fails, head->runs, base->fails, base->runs,
	    report_kind_word(c->kind));
}

static void check_direction(checking *c)
{
	parser_sense sense = c->row ? c->row->sense : PARSER_SENSE_UNKNOWN;
	int direction = c->headline->direction;
	bool worse = sense == PARSER_SENSE_MORE ? direction < 0 : direction > 0;
	g_autofree char *text = report_percent(c->headline->change_percent);

	if (is_failure(c)) {
		check_failure_direction(c);
		return;
	}
	if (sense == PARSER_SENSE_UNKNOWN) {
		add(c, "direction", c->facts->kind != PARSER_KIND_UNKNOWN,
		    "whether more %s is better is not known; %s", c->headline->metric,
		    c->facts->kind != PARSER_KIND_UNKNOWN ? "the kind was given" :
							    "the kind must be given");
		return;
	}
	add(c, "direction",
	    worse == (c->kind != PARSER_KIND_IMPROVEMENT) && direction != 0,
	    "%s of %s is better, it %s (%s), the mail says %s",
	    sense == PARSER_SENSE_MORE ? "more" : "less", c->headline->metric,
	    direction > 0 ? "rose" :
	    direction < 0 ? "fell" :
			    "did not change",
	    text, report_kind_word(c->kind));
}

static void check_runs(checking *c)
{
	double base = c->headline->n_base;
	double head = c->headline->n_head;

	if (is_failure(c)) {
		base = c->row->values[0].runs;
		head = head_value(c)->runs;
	}
	add(c, "runs", base >= RUNS_MIN && head >= RUNS_MIN,
	    "%.0f runs before and %.0f after; %d a side are needed", base, head,
	    RUNS_MIN);
}

/* The proposed fix of a re-test needs as many runs as the others. */
static void check_fix_runs(checking *c)
{
	const parser_comparison *source = c->facts->comparison->source;
	const render_value *fix;
	double runs;

	if (c->facts->mail_kind != RENDER_MAIL_RETEST || !c->row)
		return;
	fix = &c->row->values[source->columns->len - 1];
	runs = c->row->failure ? fix->runs : fix->n;
	add(c, "fix-runs", runs >= RUNS_MIN,
	    "%.0f runs with the proposed fix; %d are needed", runs, RUNS_MIN);
}

static void check_interval(checking *c)
{
	const render_headline *h = c->headline;
	g_autofree char *low = report_percent(h->ci_low);
	g_autofree char *high = report_percent(h->ci_high);

	if (is_failure(c))
		return;
	add(c, "interval", h->significant,
	    "the 95%% interval of the change of %s, %s to %s, %s 0 (p = %.2g)",
	    h->metric, low, high, h->significant ? "excludes" : "does not exclude",
	    h->p);
}

/* The row of the headline as the mail shows it: a line that ends in two blanks, metric.
 */
static char *row_in(const char *body, const char *metric)
{
	g_autofree char *end = g_strconcat("  ", metric, "\n", NULL);
	const char *stop = strstr(body, end), *start = stop;

	while (stop && start > body && start[-1] != '\n')
		start--;
	return stop ? g_strndup(start, (gsize)(stop - start)) : NULL;
}

/* The text in which the table of the headline stands. */
static char *evidence_of(const render_mail *mail)
{
	GString *all = g_string_new(mail->body);

	for (guint i = 0; i < mail->attachments->len; i++) {
		const render_attachment *a = g_ptr_array_index(mail->attachments, i);
		gsize length;
		const char *bytes = g_bytes_get_data(a->bytes, &length);

		if (strcmp(a->name, "report.txt") == 0)
			g_string_append_len(all, bytes, (gssize)length);
	}
	g_string_append_c(all, '\n');
	return g_string_free(all, FALSE);
}

static void check_evidence(checking *c, const char *row)
{
	const render_comparison *comparison = c->facts->comparison;
	guint rows = comparison->rows->len + comparison->fail_rows->len;

	add(c, "evidence", row && rows > 0, "the table has %u rows, that of %s %s",
	    rows, c->headline->metric, row ? "among them" : "is missing");
}

/* The percentage that stands before `word` in text: "-7.1%". */
static char *stated_change(const char *text, const char *word)
{
	const char *p = text;

	while ((p = strstr(p, word))) {
		const char *start = p;

		while (start > text && start[-1] != ' ' && start[-1] != '\n')
			start--;
		if (p > start && p[-1] == '%')
			return g_strndup(start, (gsize)(p - start));
		p++;
	}
	return NULL;
}

/* The change of the headline's row against column 0, relative whatever it prints. */
static double row_change(const checking *c)
{
	const render_value *head = head_value(c);
	double base = c->row->values[0].mean;

	if (head->change_kind == RENDER_CHANGE_PERCENT)
		return head->change;
	if (base == 0)
		return 0;
	return 100 * (head->mean - base) /
	       (c->facts->comparison->options.compat_lkp ? base : ABS(base));
}

static void check_subject_row(checking *c, const char *row)
{
	g_autofree char *word = g_strconcat(" ", report_kind_word(c->kind), NULL);
	g_autofree char *sentence =
		g_strconcat(word, " of ", c->headline->metric, NULL);
	g_autofree char *stated = NULL;
	g_autofree char *expected = NULL;
	bool same;

	if (is_failure(c))
		return;
	/* A follow-up's subject is that of the first report, with the first change. */
	if (c->facts->mail_kind == RENDER_MAIL_REPORT)
		stated = stated_change(c->mail->subject, word);
	if (!stated)
		stated = stated_change(c->mail->body, sentence);
	expected = c->row ? report_percent(row_change(c)) : g_strdup("no row");
	same = stated && strcmp(stated, expected) == 0;
	if (same && c->row && head_value(c)->change_kind == RENDER_CHANGE_PERCENT)
		same = row && strstr(row, expected);
	add(c, "subject-row", same, "the mail states %s, the row of %s %s",
	    stated ? stated : "no change", c->headline->metric, expected);
}

/* A follow-up may say that nothing is seen any more; then there is no change to check.
 */
static bool states_change(const checking *c)
{
	switch (c->facts->mail_kind) {
	case RENDER_MAIL_REPORT:
		return true;
	case RENDER_MAIL_FOLLOWUP:
		return c->headline->significant || is_failure(c);
	default:
		return false;
	}
}

static void check_severity(checking *c)
{
	double size = ABS(c->headline->change_percent);
	bool alone = !c->facts->also || c->facts->also->len == 0;
	bool small = c->kind == PARSER_KIND_REGRESSION && !is_failure(c) && alone &&
		     size <= SEVERITY_SMALL;
	render_check *check;

	add(c, "severity", !small, "%.1f%% in %s%s", size,
	    alone ? "one test alone" : "several tests",
	    small ? ": the kernel's documentation asks for more than 5% of a micro-benchmark" :
		    "");
	check = g_ptr_array_index(c->checks, c->checks->len - 1);
	check->blocks = false;
}

GPtrArray *render_checks(const render_facts *facts, const render_mail *mail)
{
	checking c = { .facts = facts, .mail = mail };
	g_autofree char *text = evidence_of(mail);
	g_autofree char *row = NULL;

	c.checks = g_ptr_array_new_with_free_func((GDestroyNotify)render_check_free);
	c.headline = &facts->comparison->headline;
	if (!c.headline->metric) {
		add(&c, "evidence", false, "there is no headline metric");
		return c.checks;
	}
	c.kind = report_kind(facts->comparison, facts->kind);
	c.row = report_row(facts->comparison, c.headline->metric);
	row = row_in(text, c.headline->metric);
	if (states_change(&c)) {
		check_direction(&c);
		check_interval(&c);
		check_subject_row(&c, row);
		check_severity(&c);
	}
	if (facts->mail_kind != RENDER_MAIL_RETRACT) {
		check_runs(&c);
		check_fix_runs(&c);
		check_evidence(&c, row);
	}
	return c.checks;
}
