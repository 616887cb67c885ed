/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "parser/reader.h"

#define UNSIGNED_SINCE                                                                 \
	1729123200 /* 2024-10-17, when the robot stopped printing signs */
#define ROBOT_SINCE    1483228800 /* 2017-01-01, when its mails got their set form */
#define NEAR_LINES     12         /* between the sentence and its commit */
#define GREETING_LINES 3          /* above the sentence, by a person who sends it */
#define PREFACE_LINES  60         /* above the sentence, by the robot's operator */
#define PROSE_LINES    40         /* in which a report without set sentence begins */

parser_report *parser_report_new(void)
{
	parser_report *report = g_new0(parser_report, 1);
	GDestroyNotify pair_free = (GDestroyNotify)parser_pair_free;

	report->parameters = g_ptr_array_new_with_free_func(pair_free);
	report->still_failing = g_ptr_array_new_with_free_func(pair_free);
	report->impacts =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_impact_free);
	report->warnings = g_ptr_array_new_with_free_func(g_free);
	return report;
}

void parser_report_free(parser_report *report)
{
	if (!report)
		return;

	char *const strings[] = { report->metric,         report->commit,
				  report->commit_subject, report->tree,
				  report->branch,         report->url,
				  report->base,           report->patch_link,
				  report->patch_subject,  report->testcase,
				  report->config,         report->compiler,
				  report->machine,        report->closes };
	for (size_t i = 0; i < G_N_ELEMENTS(strings); i++)
		g_free(strings[i]);
	g_ptr_array_unref(report->parameters);
	g_ptr_array_unref(report->still_failing);
	g_ptr_array_unref(report->impacts);
	g_ptr_array_unref(report->warnings);
	g_free(report);
}

/* A tree's name as the robot says it: the repository, or its owner when that is
 * "linux". */
static char *tree_name(const char *path)
{
	g_auto(GStrv) parts = g_strsplit(path, "/", -1);
	guint n = g_strv_length(parts);
	char *repo = n ? parts[n - 1] : NULL;
	const char *owner = n > 1 ? parts[n - 2] : NULL;

	if (!repo || !*repo)
		return NULL;
	if (g_str_has_suffix(repo, ".git"))
		repo[strlen(repo) - 4] = '\0';
	if (owner && strcmp(owner, "torvalds") == 0)
		return g_strdup("linus");
	if (owner && (strcmp(repo, "linux") == 0 || strcmp(repo, "linux-2.6") == 0))
		return g_strdup(owner);
	return g_strdup(repo);
}

void report_tree_of_url(const char *text, parser_report *report)
{
	g_auto(GStrv) words = g_strsplit_set(text, " \t", 2);

	g_free(report->url);
	report->url = g_strdup(words[0]);
	if (!report->tree)
		report->tree = tree_name(words[0]);
	if (!report->branch && words[1])
		report->branch = g_strdup(g_strstrip(words[1]));
}

/* ---- what kind of mail it is ---------------------------------------------------- */

/* Everything that reading one report needs. */
typedef struct report_reader {
	const parser_mail *mail;
	const GArray *lines;
	report_subject subject;
	report_headline headline;
	report_traits traits;
	size_t above; /* lines above the one looked at that are not empty */
	bool others;  /* of those, some are another's words */
} report_reader;

/* A robot by its header fields or form, or by a name that the robot has used. */
static bool sent_by_robot(const parser_mail *mail)
{
	if (mail->class == PARSER_CLASS_ROBOT)
		return true;

	static const char *const names[] = { "robot", "lkp", "0day", NULL };
	g_autofree char *name =
		g_ascii_strdown(mail->from.name ? mail->from.name : "", -1);

	for (const char *const *n = names; *n; n++)
		if (strstr(name, *n))
			return true;
	return false;
}

/* A line that shows whose words follow: the mail hands on what another wrote. */
static bool hands_on(const text_line *line)
{
	return line->kind == PARSER_SPAN_ATTRIBUTION ||
	       parser_line_starts(line, "-----Original Message") ||
	       parser_line_starts(line, "---------- Forwarded");
}

static bool holds(const text_line *line, const char *text)
{
	return memmem(line->s, line->len, text, strlen(text)) != NULL;
}

/* "commit: 625ed2bf049d5a352c1bcca962d6e133454eaaff", with or without the colon. */
static bool is_commit_line(const text_line *line)
{
	const char *p = line->s, *end = line->s + line->len, *s;
	size_t n;

	if (!parser_line_starts(line, "commit:") &&
	    !parser_line_starts(line, "commit "))
		return false;
	p += strlen("commit:");
	s = parser_word_next(&p, end, &n);
	for (size_t i = 0; s && i < n; i++)
		if (!g_ascii_isxdigit(s[i]))
			return false;
	return s && n == 40;
}

/* A commit stands below the sentence, in the same words. */
static bool names_commit(const report_reader *r)
{
	const text_line *first = parser_line_at(r->lines, r->headline.line);
	size_t seen = 0, end = MIN(r->lines->len, r->headline.next + 4 * NEAR_LINES);

	for (size_t i = r->headline.next; i < end && seen < NEAR_LINES; i++) {
		const text_line *line = parser_line_at(r->lines, i);

		if (line->quoted != first->quoted)
			return false;
		if (is_commit_line(line))
			return true;
		seen += line->len > 0;
	}
	return false;
}

/*
 * The mail itself is the report whose sentence was found, not an answer with the report
 * pasted below, nor somebody's account of one.  A robot may put a preface above it and
 * may answer a patch; people sent reports until the robot had a name of its own.
 */
static bool is_own_report(const report_reader *r)
{
	if (r->others)
		return false;
	if (sent_by_robot(r->mail))
		return r->above <= PREFACE_LINES &&
		       (r->headline.complete || names_commit(r));
	return r->above <= GREETING_LINES && !r->subject.is_reply &&
	       r->mail->in_reply_to->len == 0 && names_commit(r);
}

/* A sentence in quotes, or one with its commit that was pasted without quote marks. */
static bool is_others_report(const report_reader *r)
{
	if (parser_line_at(r->lines, r->headline.line)->quoted)
		return r->headline.complete || names_commit(r);
	return names_commit(r) && !is_own_report(r);
}

/* ---- generations ------------------------------------------------------------------
 */

static int generation_of(const report_reader *r)
{
	const report_traits *t = &r->traits;
	int64_t date = r->mail->date;

	switch (r->headline.style) {
	case REPORT_STYLE_ROBOT:
		if (t->config || date >= UNSIGNED_SINCE)
			return 6;
		return 5;
	case REPORT_STYLE_NOTICED:
		if (t->old_commit)
			return 1;
		if (r->subject.developer || (date > 0 && date < ROBOT_SINCE))
			return 2;
		return t->bar_tags || t->bar_link ? 4 : 3;
	default:
		return t->old_commit || t->test_case ? 0 : 2;
	}
}

/* ---- reading ------------------------------------------------------------------------
 */

/* Facts that the body lacks and the subject has. */
static void fill_from_subject(parser_report *report, report_subject *subject,
			      report_headline *headline)
{
	if (subject->commit && report->commit &&
	    !g_str_has_prefix(report->commit, subject->commit))
		return;
	if (!report->commit)
		report->commit = g_steal_pointer(&subject->commit);
	if (subject->tree && !report->base) {
		g_free(report->tree);
		g_free(report->branch);
		report->tree = g_steal_pointer(&subject->tree);
		report->branch = g_steal_pointer(&subject->branch);
	}
	if (!report->metric)
		report->metric = g_steal_pointer(&subject->metric);
	if (!report->has_change && subject->has_change &&
	    report->kind != PARSER_KIND_FAILURE) {
		report->has_change = true;
		report->change_percent = subject->change;
		headline->is_signed = subject->is_signed;
	}
	if (report->kind == PARSER_KIND_UNKNOWN)
		report->kind = subject->kind;
}

/* Warns when a table's axes are those of another test than the report's. */
static void compare_axes(parser_report *report, const GPtrArray *tables)
{
	for (guint i = 0; tables && i < tables->len; i++) {
		const parser_table *table = g_ptr_array_index(tables, i);
		const char *testcase = parser_pairs_get(table->axes, "testcase");

		if (!testcase)
			continue;
		if (report->testcase && strcmp(testcase, report->testcase) != 0)
			g_ptr_array_add(
				report->warnings,
				g_strdup_printf("the report is on %s, but its first "
						"table is headed %s on %s",
						report->testcase, testcase,
						table->machine ? table->machine :
								 "no machine"));
		return;
	}
}

static parser_report *read_report(report_reader *r, const GPtrArray *tables,
				  const parser_lists *lists)
{
	parser_report *report = parser_report_new();
	report_headline *h = &r->headline;

	report->kind = h->kind;
	report->metric = g_steal_pointer(&h->metric);
	report->has_change = h->has_change;
	report->change_percent = h->change;
	report_sections_read(r->lines, h->next, parser_line_at(r->lines, h->line),
			     report, &r->traits);
	fill_from_subject(report, &r->subject, h);
	report->generation = generation_of(r);
	report_sign(report, tables, lists, h->is_signed);
	compare_axes(report, tables);
	return report;
}

/* The first sentence that opens a report, in the mail's own words or in quoted ones. */
static bool find_headline(report_reader *r, bool quoted)
{
	for (size_t i = 0; i < r->lines->len; i++) {
		const text_line *line = parser_line_at(r->lines, i);

		if (report_headline_read(r->lines, i, &r->headline)) {
			if (quoted ? is_others_report(r) :
				     !line->quoted && is_own_report(r))
				return true;
			report_headline_clear(&r->headline);
		}
		r->others = r->others || hands_on(line) || line->quoted;
		r->above += line->len > 0;
	}
	return false;
}

/* ---- reports without their sentence --------------------------------------------- */

/* What stands around a commit in a report, and in nothing else. */
static report_style style_of_line(const text_line *line)
{
	if (parser_line_starts(line, "in testcase:") ||
	    parser_line_starts(line, "on test machine:") ||
	    holds(line, "we noticed the below changes on"))
		return REPORT_STYLE_NOTICED;
	if (parser_line_starts(line, "testcase:") ||
	    parser_line_starts(line, "test machine:"))
		return REPORT_STYLE_ROBOT;
	return REPORT_STYLE_NONE;
}

/* The style of a report by the lines around its commit; it begins with the first. */
static bool look_around(report_reader *r, size_t commit)
{
	unsigned depth = parser_line_at(r->lines, commit)->depth;
	size_t start = commit > NEAR_LINES ? commit - NEAR_LINES : 0;

	r->headline.next = commit;
	for (size_t i = start; i < r->lines->len && i < commit + NEAR_LINES; i++) {
		const text_line *line = parser_line_at(r->lines, i);
		report_style style = style_of_line(line);

		if (line->depth != depth || style == REPORT_STYLE_NONE)
			continue;
		r->headline.style = style;
		r->headline.line = commit;
		r->headline.next = MIN(r->headline.next, i);
	}
	return r->headline.style != REPORT_STYLE_NONE;
}

/* A quoted commit whose sentence the replier cut off: the subject has what it said. */
static bool find_commit(report_reader *r)
{
	for (size_t i = 0; i < r->lines->len; i++) {
		const text_line *line = parser_line_at(r->lines, i);

		if (line->quoted && is_commit_line(line) && look_around(r, i))
			return true;
	}
	return false;
}

/* "We noticed throughput drop in ...", "we find interesting ... performance gain". */
static bool tells_of_change(const text_line *line)
{
	static const char *const changes[] = { "throughput",    "performance",
					       "regression",    "improvement",
					       "below changes", NULL };

	if (!holds(line, "noticed") && !holds(line, "find") && !holds(line, "found"))
		return false;
	for (const char *const *c = changes; *c; c++)
		if (holds(line, *c))
			return true;
	return false;
}

/*
 * Reports of 2013 to 2015 and those without primary change have no set sentence.  They
 * name a commit and a test, and show a table.
 */
static bool find_prose(report_reader *r, const GPtrArray *tables)
{
	bool commit = false, test = false, change = r->subject.commit != NULL;
	size_t seen = 0;

	if (!tables || !tables->len || r->subject.is_reply ||
	    r->mail->in_reply_to->len > 0 || strstr(r->mail->subject, "PATCH"))
		return false;
	for (size_t i = 0; i < r->lines->len && seen < PROSE_LINES; i++) {
		const text_line *line = parser_line_at(r->lines, i);

		if (line->quoted || hands_on(line) || line->kind == PARSER_SPAN_PATCH)
			return false;
		seen += line->len > 0;
		commit = commit || is_commit_line(line);
		test = test || holds(line, "test case") || holds(line, "testcase");
		change = change || tells_of_change(line);
		if (style_of_line(line) == REPORT_STYLE_NOTICED)
			r->headline.style = REPORT_STYLE_NOTICED;
		if (commit && test && change)
			return true;
	}
	return false;
}

parser_report *parser_report_read(const parser_mail *mail, const GPtrArray *tables,
				  const parser_lists *lists, bool quoted)
{
	g_autoptr(GArray) lines = parser_lines(mail);
	report_reader r = { .mail = mail, .lines = lines };
	parser_report *report = NULL;

	report_subject_read(mail->subject, &r.subject);
	if (find_headline(&r, quoted) ||
	    (quoted ? find_commit(&r) : find_prose(&r, tables)))
		report = read_report(&r, tables, lists);
	report_headline_clear(&r.headline);
	report_subject_clear(&r.subject);
	return report;
}
