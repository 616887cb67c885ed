/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is rendered can be read: every fact and every cell of every table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/mail_facts.h"
#include "tests/unit/random_facts.h"
#include "tests/unit/test.h"

#define CASES 2000u

/* Where a comparison stands, for messages. */
static guint32 current_seed;
static const char *current_style;

static void differs(const char *what, const char *expected, const char *got)
{
	fail_msg("seed %u, %s: %s: '%s' was written, '%s' read", current_seed,
		 current_style, what, expected ? expected : "(none)",
		 got ? got : "(none)");
}

static void same(const char *what, const char *expected, const char *got)
{
	if (g_strcmp0(expected && *expected ? expected : NULL, got) != 0)
		differs(what, expected, got);
}

static void same_count(const char *what, guint expected, guint got)
{
	if (expected != got)
		fail_msg("seed %u, %s: %u %s written, %u read", current_seed,
			 current_style, expected, what, got);
}

static void same_number(const char *what, const char *expected, double got)
{
	double value = g_ascii_strtod(expected, NULL);

	if (!(fabs(value - got) <= 1e-9 * fabs(value))) {
		g_autofree char *text = g_strdup_printf("%.17g", got);

		differs(what, expected, text);
	}
}

/* ---- cells ---------------------------------------------------------------------- */

static char *number(double value, char conversion, int precision, bool plus)
{
	char text[400];

	render_number(text, sizeof(text), value, conversion, precision, plus);
	return g_strdup(text);
}

static char *mean_text(double mean)
{
	if (fabs(mean) < 1000)
		return number(mean, 'f', 2, false);
	if (fabs(mean) > 100000000)
		return number(mean, 'g', 4, false);
	return number(trunc(mean), 'f', 0, false);
}

static char *change_text(const render_value *v)
{
	bool wide = fabs(v->change) >= 100000;
	g_autofree char *text = NULL;

	switch (v->change_kind) {
	case RENDER_CHANGE_NEW:
		return g_strdup("new");
	case RENDER_CHANGE_GONE:
		return g_strdup("gone");
	case RENDER_CHANGE_PERCENT:
		text = number(v->change, wide ? 'g' : 'f', wide ? 2 : 1, true);
		return g_strconcat(text, "%", NULL);
	case RENDER_CHANGE_ABSOLUTE:
		return number(v->change, wide ? 'g' : 'f', wide ? 2 : 1, true);
	default:
		return g_strdup("n/a");
	}
}

/* The deviation in percent as the table has it; the comparer's quirk on request. */
static double deviation(const render_value *v, bool compat)
{
	if (compat)
		return v->mean != 0 ? 100 * v->stddev / v->mean : v->stddev;
	return v->mean != 0 ? 100 * v->stddev / fabs(v->mean) : 0;
}

static void same_cell(const render_value *v, const parser_cell *cell, bool first,
		      bool compat)
{
	g_autofree char *mean = mean_text(v->mean);
	double percent = deviation(v, compat);
	bool present = v->present || compat;

	if (cell->has_mean != present)
		differs("mean", mean, cell->has_mean ? "one" : NULL);
	if (present)
		same_number("mean", mean, cell->mean);
	if (cell->has_stddev != (present && percent > 2))
		differs("stddev", mean, cell->has_stddev ? "one" : NULL);
	if (cell->has_stddev && cell->stddev_percent != trunc(percent))
		differs("stddev", mean, "another");
	if (!first) {
		g_autofree char *change = change_text(v);

		same("change", change, cell->change_text);
		if (v->change_kind == RENDER_CHANGE_PERCENT ||
		    v->change_kind == RENDER_CHANGE_ABSOLUTE)
			same_number("change", change, cell->change);
	}
}

static void same_row(const render_row *row, const parser_row *read, guint columns,
		     bool compat)
{
	same("metric", row->metric, read->metric);
	same_count("cells", columns, (guint)read->n_cells);
	for (guint i = 0; i < columns; i++)
		same_cell(&row->values[i], &read->cells[i], i == 0, compat);
}

static void same_fail_row(const render_row *row, const parser_fail_row *read,
			  guint columns)
{
	same("failure", row->metric, read->metric);
	same_count("cells", columns, (guint)read->n_cells);
	for (guint i = 0; i < columns; i++) {
		const parser_fail_cell *cell = &read->cells[i];
		g_autofree char *points =
			number(row->values[i].reproduction, 'f', 0, false);

		if (cell->fails != row->values[i].fails ||
		    cell->runs != row->values[i].runs)
			differs("failure", row->metric, "other counts");
		if (i > 0)
			same_number("reproduction", points, cell->reproduction);
	}
}

static void same_columns(const render_comparison *c, const parser_table *table)
{
	const GPtrArray *columns = c->source->columns;

	same_count("columns", columns->len, table->columns->len);
	for (guint i = 0; i < columns->len; i++) {
		const parser_column *column = g_ptr_array_index(columns, i);
		const parser_table_column *read = g_ptr_array_index(table->columns, i);

		if (!g_str_has_prefix(column->commit->id, read->id))
			differs("column", column->commit->id, read->id);
		same("column's subject", column->commit->subject, read->subject);
	}
}

static void same_table(const render_comparison *c, const parser_table *table)
{
	guint columns = c->source->columns->len;

	same_columns(c, table);
	same_count("axes", c->source->axes->len, table->axes->len);
	for (guint i = 0; i < c->source->axes->len; i++) {
		const parser_pair *axis = g_ptr_array_index(c->source->axes, i);

		same(axis->name, axis->value,
		     parser_pairs_get(table->axes, axis->name));
	}
	same_count("rows", c->rows->len, table->rows->len);
	for (guint i = 0; i < c->rows->len; i++)
		same_row(&g_array_index(c->rows, render_row, i),
			 g_ptr_array_index(table->rows, i), columns,
			 c->options.compat_lkp);
	same_count("failure rows", c->fail_rows->len, table->fail_rows->len);
	for (guint i = 0; i < c->fail_rows->len; i++)
		same_fail_row(&g_array_index(c->fail_rows, render_row, i),
			      g_ptr_array_index(table->fail_rows, i), columns);
}

/* ---- reports -------------------------------------------------------------------- */

static char *percent_text(double change)
{
	render_value v = { .change = change, .change_kind = RENDER_CHANGE_PERCENT };

	return change_text(&v);
}

static void same_pairs(const char *what, const GPtrArray *written,
		       const GPtrArray *read)
{
	same_count(what, written->len, read->len);
	for (guint i = 0; i < written->len; i++) {
		const parser_pair *w = g_ptr_array_index(written, i);
		const char *value = parser_pairs_get(read, w->name);

		if (g_strcmp0(w->value, value) != 0)
			differs(w->name, w->value, value);
	}
}

static void same_impact(const render_comparison *c, const parser_impact *read)
{
	const parser_comparison *source = c->source;
	g_autofree char *change = percent_text(c->headline.change_percent);

	same("impact's testcase", source->testcase, read->testcase);
	same("impact's metric", c->headline.metric, read->metric);
	same_number("impact's change", change, read->change_percent);
	assert_int_equal(read->kind, c->headline.kind);
	same("impact's machine",
	     source->machine_description ? source->machine_description :
					   source->machine,
	     read->machine);
	same_pairs("impact's parameters", source->parameters, read->parameters);
}

static void same_headline(const mail_facts *f, const parser_report *read)
{
	const render_headline *h = &f->facts.comparison->headline;
	g_autofree char *change = percent_text(h->change_percent);

	assert_int_equal(read->kind, f->facts.kind);
	same("metric", h->metric, read->metric);
	if (f->facts.kind == PARSER_KIND_FAILURE)
		return;
	assert_true(read->has_change);
	same_number("change", change, read->change_percent);
	assert_int_not_equal(read->sign, PARSER_SIGN_UNKNOWN);
}

static void same_commit(const mail_facts *f, const parser_report *read)
{
	const parser_column *head =
		g_ptr_array_index(f->facts.comparison->source->columns, 1);
	const parser_commit *c = head->commit;
	g_autofree char *link =
		g_strdup_printf("https://lore.example.org/r/%s", c->patch_message_id);

	same("commit", c->id, read->commit);
	same("subject", c->subject, read->commit_subject);
	same("url", c->url, read->url);
	same("base", c->base, read->base);
	same("patch subject", c->patch_subject, read->patch_subject);
	if (c->patch_message_id)
		same("patch link", link, read->patch_link);
	else
		same("branch", c->branch, read->branch);
	if (c->tree && strcmp(current_style, "robot-2017") != 0)
		same("tree", c->tree, read->tree);
}

static void same_report(const mail_facts *f, const parser_report *read, bool impacts)
{
	const parser_comparison *source = f->facts.comparison->source;
	bool old = strcmp(current_style, "robot-2017") == 0;

	same_headline(f, read);
	same_commit(f, read);
	same("testcase", source->testcase, read->testcase);
	same("machine",
	     source->machine_description ? source->machine_description :
					   source->machine,
	     read->machine);
	same_pairs("parameters", source->parameters, read->parameters);
	if (!old) {
		same("config", parser_pairs_get(source->axes, "kconfig"), read->config);
		same("compiler", parser_pairs_get(source->axes, "compiler"),
		     read->compiler);
	}
	if (f->facts.kind != PARSER_KIND_IMPROVEMENT)
		same_pairs("trees", f->facts.still_failing, read->still_failing);
	if (!impacts)
		return;
	same_count("impacts", f->facts.also->len, read->impacts->len);
	for (guint i = 0; i < f->facts.also->len; i++)
		same_impact(g_ptr_array_index(f->facts.also, i),
			    g_ptr_array_index(read->impacts, i));
}

static parser_mail *read_bytes(const char *bytes, size_t length)
{
	g_autoptr(GError) error = NULL;
	parser_mail *mail =
		parser_mail_parse(bytes, length, PARSER_FORM_MAIL, 0, &error);

	if (!mail)
		fail_msg("seed %u: %s", current_seed, error->message);
	return mail;
}

static void check_text(const mail_facts *f, const parser_mail *mail, bool whole)
{
	g_autoptr(GPtrArray) tables =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_table_free);
	g_autoptr(parser_report) report = NULL;
	unsigned plots = 0;

	parser_tables_read(mail, tables, &plots);
	report = parser_report_read(mail, tables, f->lists, false);
	if (!report)
		fail_msg("seed %u, %s: no report is read", current_seed, current_style);
	same_report(f, report, whole);
	same_count("tables", whole ? f->comparisons->len : 0, tables->len);
	for (guint i = 0; i < tables->len; i++)
		same_table(g_ptr_array_index(f->comparisons, i),
			   g_ptr_array_index(tables, i));
}

/* The attached report of a brief mail, as a mail of its own. */
static void check_attached(const mail_facts *f, const parser_mail *mail)
{
	const parser_attachment *a;
	g_autoptr(GString) text =
		g_string_new("From: perf robot <robot@example.org>\n");
	g_autoptr(parser_mail) inner = NULL;
	gsize length;
	const char *bytes;

	assert_int_equal(mail->attachments->len, 1);
	a = g_ptr_array_index(mail->attachments, 0);
	same("name", "report.txt", a->name);
	bytes = g_bytes_get_data(a->bytes, &length);
	g_string_append_printf(text,
			       "Subject: %s\nContent-Type: text/plain; charset=utf-8\n"
			       "Content-Transfer-Encoding: 8bit\n\n",
			       mail->subject);
	g_string_append_len(text, bytes, (gssize)length);
	inner = read_bytes(text->str, text->len);
	check_text(f, inner, true);
}

/* The percent in the mail is that of the row, whatever the mode and the signs. */
static void check_row(const mail_facts *f, const render_mail *mail)
{
	g_autoptr(GPtrArray) checks = render_checks(&f->facts, mail);

	for (guint i = 0; i < checks->len; i++) {
		const render_check *one = g_ptr_array_index(checks, i);

		if (!one->passed && (!strcmp(one->name, "subject-row") ||
				     !strcmp(one->name, "evidence")))
			fail_msg("seed %u, %s: %s: %s", current_seed, current_style,
				 one->name, one->reason);
	}
}

static void check_mail(mail_facts *f, const char *style, render_transfer transfer)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(render_mail) mail = NULL;
	g_autoptr(GBytes) bytes = NULL;
	g_autoptr(parser_mail) read = NULL;
	gsize length;
	const char *data;

	f->facts.style = current_style = style;
	mail = render_report(&f->facts, mail_facts_text, NULL, &error);
	if (!mail)
		fail_msg("seed %u, %s: %s", current_seed, style, error->message);
	check_row(f, mail);
	bytes = render_compose(mail, transfer, &error);
	if (!bytes) /* a line too long for 8bit */
		bytes = render_compose(mail, RENDER_TRANSFER_QUOTED_PRINTABLE, NULL);
	assert_non_null(bytes);
	data = g_bytes_get_data(bytes, &length);
	read = read_bytes(data, length);
	same("Message-ID", mail->message_id, read->message_id);
	same("subject", mail->subject, read->subject);
	same("regression", mail->regression, read->regression);
	assert_int_equal(read->class, PARSER_CLASS_ROBOT);
	check_text(f, read, strcmp(style, "brief") != 0);
	if (strcmp(style, "brief") == 0)
		check_attached(f, read);
}

static bool has_headline(const render_comparison *c)
{
	return c->headline.metric != NULL;
}

static bool all_have_headlines(const mail_facts *f)
{
	for (guint i = 0; i < f->comparisons->len; i++)
		if (!has_headline(g_ptr_array_index(f->comparisons, i)))
			return false;
	return true;
}

static unsigned run(guint32 first, unsigned cases)
{
	static const char *const styles[] = { "robot", "robot-2017", "brief" };
	unsigned done = 0;

	for (current_seed = first; done < cases; current_seed++) {
		g_autofree char *json = random_facts(current_seed);
		g_autoptr(mail_facts) f = mail_facts_read("random", json);

		if (!all_have_headlines(f))
			continue;
		for (size_t i = 0; i < G_N_ELEMENTS(styles); i++)
			check_mail(f, styles[i],
				   current_seed % 2 ? RENDER_TRANSFER_8BIT :
						      RENDER_TRANSFER_QUOTED_PRINTABLE);
		done++;
	}
	return done;
}

static void what_is_rendered_is_read_back(void **state)
{
	const char *seed = getenv("REGTRAIL_SEED");
	const char *cases = getenv("REGTRAIL_CASES");

	(void)state;
	run(seed ? (guint32)strtoul(seed, NULL, 10) : 1,
	    cases ? (unsigned)strtoul(cases, NULL, 10) : CASES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_rendered_is_read_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
