/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the templates of mails may name, as JSON.  Every name is always there. */
#include <math.h>
#include <string.h>

#include "render/report.h"

/* Sorted as docs/templates.md explains them. */
const char *const report_names[] = {
	/* clang-format off */
	/* who and what */
	"robot", "from", "kind", "is_regression", "is_improvement", "is_failure", "change",
	"metric", "sense", "regression", "message_id", "archive_link", "note", "signature",
	/* the culprit */
	"commit", "commit10", "commit12", "subject", "subsystem", "tree", "branch",
	"tree_url", "patch", "url", "base", "patch_link", "patch_subject", "is_still", "still", "where",
	/* the test */
	"testcase", "config", "compiler", "machine", "parameters",
	"has_parameters", "name", "value",
	"test_description", "test_url", "impact",
	/* the numbers */
	"interval", "low", "high", "test", "p", "n_base", "n_head", "failures",
	"fails_base", "runs_base", "fails_head", "runs_head", "points", "small",
	"before", "after", "significant",
	/* the tables */
	"sections", "heading", "table", "left_out", "plots", "legend", "materials",
	"attached", "attached_cut", "has_reproduce", "reproduce", "regzbot",
	/* an earlier regression like it */
	"seen", "seen_commit", "seen_subject", "seen_change", "seen_kind", "seen_metric",
	"seen_object", "seen_status", "seen_by", "seen_link", "words", "line",
	/* follow-ups */
	"first_link", "first_subject", "fix", "fix_subject", "fix_link", "fixed", "partial",
	"not_fixed", "worse", "helps", "against_base", "against_culprit",
	NULL,
	/* clang-format on */
};

static void put(json_t *o, const char *name, const char *value)
{
	g_autofree char *line = report_line(value);

	json_object_set_new(o, name, json_string(line));
}

/* Takes value. */
static void put_take(json_t *o, const char *name, char *value)
{
	put(o, name, value);
	g_free(value);
}

static void put_bool(json_t *o, const char *name, bool value)
{
	json_object_set_new(o, name, json_boolean(value));
}

/* Text of several lines; control characters are left to the template's escape. */
static void put_text(json_t *o, const char *name, const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text ? text : "", -1);

	json_object_set_new(o, name, json_string(g_strchomp(valid)));
}

/* Readers know the sentence by the word before "noticed". */
static char *as_robot(const char *name)
{
	size_t n = strlen(name);

	if (n >= 5 && g_ascii_strcasecmp(name + n - 5, "robot") == 0)
		return g_strdup(name);
	return g_strconcat(name, " robot", NULL);
}

static void put_identity(json_t *o, const report *d)
{
	const render_facts *f = d->facts;
	const char *name =
		f->from.name && *f->from.name ? f->from.name : f->from.address;
	g_autofree char *local =
		g_strndup(f->from.address, strcspn(f->from.address, "@"));

	put_take(o, "robot", as_robot(f->from.name && *f->from.name ? name : local));
	put_take(o, "from",
		 f->from.name && *f->from.name ?
			 g_strdup_printf("%s <%s>", f->from.name, f->from.address) :
			 g_strdup(f->from.address));
	put(o, "kind", report_kind_word(d->kind));
	put_bool(o, "is_regression", d->kind == PARSER_KIND_REGRESSION);
	put_bool(o, "is_improvement", d->kind == PARSER_KIND_IMPROVEMENT);
	put_bool(o, "is_failure", d->kind == PARSER_KIND_FAILURE);
	put_take(o, "change",
		 isfinite(f->comparison->headline.change_percent) ?
			 report_percent(f->comparison->headline.change_percent) :
			 NULL);
	put(o, "metric", d->metric);
	put(o, "regression", d->regression);
	put(o, "message_id", d->message_id);
	put_take(o, "archive_link", render_link(f->archive_url, d->message_id));
	put_text(o, "note", f->note);
	put_text(o, "signature", f->signature ? f->signature : name);
}

static json_t *still_failing(const GPtrArray *pairs)
{
	json_t *list = json_array();
	size_t width = 0;

	for (guint i = 0; pairs && i < pairs->len; i++)
		width = MAX(width,
			    strlen(((parser_pair *)g_ptr_array_index(pairs, i))->name));
	for (guint i = 0; pairs && i < pairs->len; i++) {
		const parser_pair *pair = g_ptr_array_index(pairs, i);
		json_t *o = json_object();

		put_take(o, "where",
			 g_strdup_printf("%-*s", (int)MIN(width, 200), pair->name));
		put(o, "commit", pair->value);
		json_array_append_new(list, o);
	}
	return list;
}

static void put_commit(json_t *o, const report *d)
{
	const parser_commit *c = d->culprit;
	bool patch = c->base || c->patch_message_id || c->patch_subject;

	put(o, "commit", d->label);
	put_take(o, "commit10", g_strndup(d->label, 10));
	put_take(o, "commit12", g_strndup(d->label, 12));
	put(o, "subject", c->subject);
	put_take(o, "subsystem", report_subsystem(c->subject));
	put(o, "tree", c->tree);
	put(o, "branch", c->branch);
	put(o, "tree_url", patch ? "" : c->url ? c->url : c->tree);
	put_bool(o, "patch", patch);
	put(o, "url", patch ? c->url : "");
	put(o, "base", c->base);
	put_take(o, "patch_link",
		 render_link(d->facts->archive_url, c->patch_message_id));
	put(o, "patch_subject", c->patch_subject);
	json_object_set_new(o, "still", still_failing(d->facts->still_failing));
	put_bool(o, "is_still",
		 d->kind != PARSER_KIND_IMPROVEMENT && d->facts->still_failing &&
			 d->facts->still_failing->len > 0);
}

static void put_test(json_t *o, const report *d)
{
	const parser_comparison *source = d->facts->comparison->source;
	json_t *parameters = json_array();

	put(o, "testcase", source->testcase);
	put(o, "config", parser_pairs_get(source->axes, "kconfig"));
	put(o, "compiler", parser_pairs_get(source->axes, "compiler"));
	put(o, "machine",
	    source->machine_description ? source->machine_description :
					  source->machine);
	for (guint i = 0; i < source->parameters->len; i++) {
		const parser_pair *pair = g_ptr_array_index(source->parameters, i);
		json_t *one = json_object();

		put(one, "name", pair->name);
		put(one, "value", pair->value);
		json_array_append_new(parameters, one);
	}
	json_object_set_new(o, "parameters", parameters);
	put_bool(o, "has_parameters", source->parameters->len > 0);
	put(o, "test_description", d->facts->test_description);
	put(o, "test_url", d->facts->test_url);
	put_text(o, "impact", "");
}

/* A value as a person reads it: six digits, no exponent for what is not huge. */
static char *value_text(double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	g_ascii_formatd(text, sizeof(text), "%.6g", value);
	return g_strdup(text);
}

static json_t *interval(const render_headline *h)
{
	json_t *o = json_object();
	char p[G_ASCII_DTOSTR_BUF_SIZE];

	put_take(o, "low", report_percent(h->ci_low));
	put_take(o, "high", report_percent(h->ci_high));
	put(o, "test", h->test);
	put(o, "p", g_ascii_formatd(p, sizeof(p), "%.2g", h->p));
	json_object_set_new(o, "n_base", json_integer(h->n_base));
	json_object_set_new(o, "n_head", json_integer(h->n_head));
	put_bool(o, "significant", h->significant);
	return o;
}

static json_t *failures(const report *d)
{
	const render_headline *h = &d->facts->comparison->headline;
	const render_value *base = &d->row->values[0];
	const render_value *head =
		&d->row->values[d->facts->comparison->headline.column];
	json_t *o = json_object();
	char points[64];
	char p[G_ASCII_DTOSTR_BUF_SIZE];

	json_object_set_new(o, "fails_base", json_integer((json_int_t)base->fails));
	json_object_set_new(o, "runs_base", json_integer((json_int_t)base->runs));
	json_object_set_new(o, "fails_head", json_integer((json_int_t)head->fails));
	json_object_set_new(o, "runs_head", json_integer((json_int_t)head->runs));
	render_number(points, sizeof(points), head->reproduction, 'f', 0, true);
	put(o, "points", points);
	put(o, "test", h->test);
	put(o, "p", g_ascii_formatd(p, sizeof(p), "%.2g", h->p));
	return o;
}

static void put_numbers(json_t *o, const report *d)
{
	const render_headline *h = &d->facts->comparison->headline;
	const render_row *row = d->row;
	parser_sense sense = row ? row->sense : PARSER_SENSE_UNKNOWN;
	bool fails = row && row->failure;
	double size = ABS(h->change_percent);

	put(o, "sense",
	    sense == PARSER_SENSE_MORE ? "more" :
	    sense == PARSER_SENSE_LESS ? "less" :
					 "");
	json_object_set_new(o, "interval",
			    !fails && h->test && isfinite(h->ci_low) &&
					    isfinite(h->ci_high) ?
				    interval(h) :
				    json_null());
	json_object_set_new(o, "failures", fails ? failures(d) : json_null());
	put_take(o, "before", row && !fails ? value_text(row->values[0].mean) : NULL);
	put_take(o, "after",
		 row && !fails ? value_text(row->values[h->column].mean) : NULL);
	/* The kernel's own yardstick: reporting-regressions.rst. */
	put_bool(o, "small",
		 d->kind == PARSER_KIND_REGRESSION && !fails && size <= 5 &&
			 (!d->facts->also || d->facts->also->len == 0));
}

static json_t *sections(const report *d)
{
	json_t *list = json_array();

	for (guint i = 0; i < d->sections->len; i++) {
		const report_section *s = g_ptr_array_index(d->sections, i);
		json_t *o = json_object();

		put(o, "heading", s->heading);
		put_text(o, "table", s->table->str);
		json_object_set_new(o, "left_out",
				    s->left_out > 0 ?
					    json_integer((json_int_t)s->left_out) :
					    json_false());
		json_array_append_new(list, o);
	}
	return list;
}

/* The names of the attachments that are in the mail, or of those that are not. */
static char *attached(const report *d, bool left_out)
{
	const GPtrArray *all = d->facts->attachments;
	g_autoptr(GString) out = g_string_new(NULL);

	for (guint i = 0; all && i < all->len; i++) {
		const render_attachment *a = g_ptr_array_index(all, i);
		bool out_of_it = g_ptr_array_find_with_equal_func(d->left_out, a->name,
								  g_str_equal, NULL);

		if (out_of_it == left_out)
			g_string_append_printf(out, "%s%s", out->len > 0 ? ", " : "",
					       a->name);
	}
	return g_strdup(out->str);
}

static void put_tables(json_t *o, const report *d)
{
	const render_facts *f = d->facts;
	g_autofree char *plots = f->plots ? report_plots(f->comparison) : g_strdup("");
	g_autofree char *impact = report_impact(f->also);

	json_object_set_new(o, "sections", sections(d));
	put_text(o, "plots", plots);
	put_text(o, "impact", impact);
	put_bool(o, "legend",
		 !f->comparison->options.compat_lkp && f->comparison->rows->len > 0);
	put_take(o, "materials", render_link(f->materials_url, d->message_id));
	put_take(o, "attached", attached(d, false));
	put_take(o, "attached_cut", attached(d, true));
	put_bool(o, "has_reproduce", f->reproduce && *f->reproduce);
	json_object_set_new(o, "reproduce", report_lines(f->reproduce));
	put_bool(o, "regzbot", f->regzbot && d->kind == PARSER_KIND_REGRESSION);
}

/* How often something fails changes by points: that it never failed is no percentage.
 */
static char *change_text(const report *d, double change)
{
	char number[64];

	if (d->kind != PARSER_KIND_FAILURE)
		return report_percent(change);
	render_number(number, sizeof(number), change, 'f', 1, true);
	return g_strconcat(number, " percentage points", NULL);
}

static bool put_retest(json_t *o, const report *d, GError **error)
{
	const render_comparison *c = d->facts->comparison;
	const parser_column *last =
		g_ptr_array_index(c->source->columns, c->source->columns->len - 1);
	const parser_commit *fix = last->commit;
	render_retest result = { 0 };
	bool asked = d->facts->mail_kind == RENDER_MAIL_RETEST;

	if (asked && !render_retest_judge(c, &result, error))
		return false;
	put(o, "fix", asked ? fix->id ? fix->id : last->label : "");
	put(o, "fix_subject",
	    asked ? fix->patch_subject ? fix->patch_subject : fix->subject : "");
	put_take(o, "fix_link",
		 render_link(d->facts->archive_url,
			     asked ? fix->patch_message_id : NULL));
	put_bool(o, "fixed", result.outcome == PARSER_OUTCOME_FIXED);
	put_bool(o, "partial", result.outcome == PARSER_OUTCOME_PARTIAL);
	put_bool(o, "not_fixed", result.outcome == PARSER_OUTCOME_NOT_FIXED);
	put_bool(o, "worse", result.outcome == PARSER_OUTCOME_WORSE);
	put_bool(o, "helps", result.helps);
	put_take(o, "against_base", change_text(d, result.against_base));
	put_take(o, "against_culprit", change_text(d, result.against_culprit));
	return true;
}

json_t *report_context(const report *d, GError **error)
{
	json_t *o = json_object();

	put_identity(o, d);
	put_commit(o, d);
	put_test(o, d);
	put_numbers(o, d);
	put_tables(o, d);
	json_object_set_new(o, "seen", report_seen(d));
	put_take(o, "first_link",
		 render_link(d->facts->archive_url, d->facts->first_report));
	put(o, "first_subject", d->facts->first_subject);
	put_bool(o, "significant",
		 d->facts->comparison->headline.significant ||
			 (d->row && d->row->failure));
	if (!put_retest(o, d, error)) {
		json_decref(o);
		return NULL;
	}
	return o;
}
