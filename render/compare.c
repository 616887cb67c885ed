/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows with statistics, in the order that tables show them. */
#include <math.h>
#include <string.h>

#include "render/headline.h"
#include "render/render.h"
#include "render/select.h"

#define FAILURES_FIRST (-10000) /* count of a monitor that begins with a failure */

/* Works on one comparison. */
typedef struct work {
	render_comparison *out;
	const parser_lists *lists;
	size_t columns;
	run_filter *complete; /* per column */
	uint8_t **dropped;    /* per column */
	scratch scratch;
	GHashTable *counts; /* base of a metric -> order_count */
} work;

/* ---- values -----------------------------------------------------------------------
 */

static const parser_column *column_at(const work *w, size_t c)
{
	return w->out->source->columns->pdata[c];
}

static void fill_summary(render_value *value, const parser_metric *metric)
{
	value->present = true;
	value->n = metric->runs;
	value->mean = metric->mean;
	value->stddev = metric->stddev;
}

/* The mean of samples whose sum no double holds. */
static double halved_mean(samples s)
{
	double mean = 0;

	for (uint32_t i = 0; i < s.n; i++)
		mean += isfinite(s.values[i]) ? s.values[i] / s.n : 0;
	return mean;
}

static void fill_performance(work *w, size_t c, const char *name, render_value *value)
{
	const parser_metric *metric = parser_column_find(column_at(w, c), name);
	bool compat = w->out->options.compat_lkp;
	samples s;

	value->stddev = -1;
	if (metric && metric->summary) {
		fill_summary(value, metric);
		return;
	}
	if (!metric && (compat || !metric_absent_is_zero(name)))
		return;
	s = compat || metric_absent_is_zero(name) ?
		    samples_padded(&w->complete[c], metric, &w->scratch) :
		    samples_present(&w->complete[c], metric, &w->scratch);
	value->n = s.n;
	value->present = metric && s.n;
	value->mean = s.n ? samples_mean(s) : 0;
	if (!compat && !isfinite(value->mean))
		value->mean = halved_mean(s);
	value->stddev = samples_stddev(s, value->mean);
	if (!compat && !isfinite(value->stddev))
		value->stddev = -1;
}

static void fill_failure(work *w, size_t c, const char *name, render_value *value)
{
	const parser_column *column = column_at(w, c);
	const parser_metric *metric = parser_column_find(column, name);

	value->present = metric != NULL;
	value->runs = column->runs;
	value->n = column->runs;
	if (metric && metric->summary) {
		value->runs = metric->runs;
		value->fails = round(metric->mean * metric->runs);
		value->n = metric->runs;
	}
	for (uint32_t i = 0; metric && i < metric->n; i++)
		if (metric->kinds[i] != PARSER_SAMPLE_ABSENT &&
		    isfinite(metric->values[i]))
			value->fails += metric->values[i];
	value->mean = value->runs > 0 ? value->fails / value->runs : 0;
	value->stddev = -1;
}

/* The comparer divides by the runs of the column to the left. */
static void fill_reproduction(const work *w, render_value *values, size_t c)
{
	double runs = w->out->options.compat_lkp ? values[c - 1].runs : values[c].runs;
	double base = values[0].runs > 0 ? values[0].fails / values[0].runs : 0;

	values[c].reproduction = runs > 0 ? 100 * (values[c].fails / runs - base) : 0;
	values[c].change = values[c].reproduction;
	values[c].change_kind = RENDER_CHANGE_ABSOLUTE;
}

static void fill_change_lkp(const char *metric, const render_value *base,
			    render_value *v)
{
	if (metric_is_points(metric)) {
		v->change_kind = RENDER_CHANGE_ABSOLUTE;
		v->change = v->mean - base->mean;
	} else {
		double by = base->mean == 0 ? 1e-100 : base->mean;

		v->change_kind = RENDER_CHANGE_PERCENT;
		v->change = 100 * (v->mean - by) / by;
	}
}

static void fill_change(const char *metric, const render_value *base, render_value *v)
{
	bool zero = metric_absent_is_zero(metric);
	bool in_base = base->present || (zero && base->n);
	bool in_head = v->present || (zero && v->n);

	v->change = 0;
	if (!in_base && !in_head) {
		v->change_kind = RENDER_CHANGE_NA;
	} else if (!in_head) {
		v->change_kind = RENDER_CHANGE_GONE;
	} else if (!in_base) {
		v->change_kind = RENDER_CHANGE_NEW;
	} else if (metric_is_points(metric)) {
		v->change_kind = RENDER_CHANGE_ABSOLUTE;
		v->change = v->mean - base->mean;
	} else if (base->mean != 0) {
		v->change_kind = RENDER_CHANGE_PERCENT;
		v->change = 100 * ((v->mean - base->mean) / fabs(base->mean));
	} else if (v->mean == 0) {
		v->change_kind = RENDER_CHANGE_PERCENT;
	} else {
		v->change_kind =
			base->stddev > 0 ? RENDER_CHANGE_NA : RENDER_CHANGE_NEW;
		v->change = v->mean;
	}
	if (!isfinite(v->change)) {
		v->change_kind = RENDER_CHANGE_NA;
		v->change = 0;
	}
}

/* A printed change is better than one of two rounded means. */
static void fill_printed_change(const work *w, size_t c, const render_row *row)
{
	const render_value *base = &row->values[0];
	render_value *value = &row->values[c];
	const parser_metric *metric = parser_column_find(column_at(w, c), row->metric);

	if (!metric || !metric->has_change ||
	    (value->change_kind != RENDER_CHANGE_PERCENT &&
	     value->change_kind != RENDER_CHANGE_ABSOLUTE))
		return;
	value->change = metric->change;
	if (value->change_kind == RENDER_CHANGE_PERCENT)
		value->change = printed_change(metric->change, base->mean, value->mean,
					       w->out->options.compat_lkp);
}

static void fill_row(work *w, render_row *row)
{
	for (size_t c = 0; c < w->columns; c++) {
		render_value *value = &row->values[c];

		if (row->failure)
			fill_failure(w, c, row->metric, value);
		else
			fill_performance(w, c, row->metric, value);
		if (c == 0)
			continue;
		if (row->failure)
			fill_reproduction(w, row->values, c);
		else if (w->out->options.compat_lkp)
			fill_change_lkp(row->metric, &row->values[0], value);
		else
			fill_change(row->metric, &row->values[0], value);
		if (!row->failure)
			fill_printed_change(w, c, row);
	}
}

/* ---- order ------------------------------------------------------------------------
 */

static char *base_of(const char *metric)
{
	return g_strndup(metric, strcspn(metric, "."));
}

static int64_t *count_of(work *w, const char *metric)
{
	g_autofree char *base = base_of(metric);
	int64_t *count = g_hash_table_lookup(w->counts, base);

	if (!count) {
		count = g_new0(int64_t, 1);
		*count = metric_is_failure(metric) ? FAILURES_FIRST : 0;
		g_hash_table_insert(w->counts, g_steal_pointer(&base), count);
	}
	return count;
}

/* A row on its way to its place. */
typedef struct placed {
	render_row row;
	int64_t count;
	size_t key; /* bytes of the name that decide */
	size_t columns;
} placed;

/* Profile rows go by their first two words only, and then by change. */
static size_t key_length(const char *metric)
{
	const char *dot;

	if (!g_str_has_prefix(metric, "perf-profile."))
		return strlen(metric);
	dot = strchr(metric + strlen("perf-profile."), '.');
	return dot ? (size_t)(dot - metric) : strlen(metric);
}

static int by_place(gconstpointer a, gconstpointer b)
{
	const placed *x = a, *y = b;
	int names;

	if (x->count != y->count)
		return x->count < y->count ? -1 : 1;
	names = memcmp(x->row.metric, y->row.metric, MIN(x->key, y->key));
	if (names != 0 || x->key != y->key)
		return names != 0 ? names : x->key < y->key ? -1 : 1;
	for (size_t c = 1; c < x->columns; c++) {
		double m = x->row.values[c].change, n = y->row.values[c].change;

		if (m < n || m > n)
			return m < n ? -1 : 1;
	}
	return 0;
}

/* Monitors from the fewest to the most rows; the test's own metrics before them. */
static void sort_rows(work *w, GArray *rows)
{
	for (guint i = 0; i < rows->len; i++)
		++*count_of(w, g_array_index(rows, placed, i).row.metric);
	for (guint i = 0; i < rows->len; i++) {
		placed *p = &g_array_index(rows, placed, i);

		p->count = *count_of(w, p->row.metric);
		if (p->count > 0 && !w->out->options.by_count &&
		    metric_is_of_test(w->lists, p->row.metric))
			p->count = 0;
	}
	g_array_sort(rows, by_place);
}

/* ---- the whole --------------------------------------------------------------------
 */

static void make_rows(work *w, const GArray *candidates)
{
	g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(placed));
	render_value *values;
	size_t used = 0;

	for (guint i = 0; i < candidates->len; i++)
		used += g_array_index(candidates, candidate, i).chosen;
	values = w->out->arena = g_new0(render_value, MAX(used * w->columns, 1));
	for (guint i = 0; i < candidates->len; i++) {
		const candidate *c = &g_array_index(candidates, candidate, i);
		placed p = { .columns = w->columns };

		if (!c->chosen)
			continue;
		p.row.metric = c->metric;
		p.row.failure = metric_is_failure(c->metric);
		p.row.sense = parser_lists_sense(w->lists, c->metric);
		p.row.values = values;
		p.key = key_length(c->metric);
		values += w->columns;
		fill_row(w, &p.row);
		g_array_append_val(rows, p);
	}
	sort_rows(w, rows);
	for (guint i = 0; i < rows->len; i++) {
		const render_row *row = &g_array_index(rows, placed, i).row;

		g_array_append_vals(row->failure ? w->out->fail_rows : w->out->rows,
				    row, 1);
	}
}

static void count_reasons(render_comparison *out, const GArray *candidates)
{
	for (guint i = 0; i < candidates->len; i++)
		out->counts[g_array_index(candidates, candidate, i).reason]++;
	out->metrics = candidates->len;
}

static void work_init(work *w, render_comparison *out, const parser_lists *lists)
{
	*w = (work){ .out = out, .lists = lists, .columns = out->source->columns->len };
	w->complete = g_new0(run_filter, w->columns);
	w->dropped = g_new0(uint8_t *, w->columns);
	for (size_t c = 0; c < w->columns; c++)
		filter_complete(column_at(w, c), &w->complete[c], &w->dropped[c]);
	scratch_init(&w->scratch);
	w->counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

static void work_clear(work *w)
{
	for (size_t c = 0; c < w->columns; c++)
		g_free(w->dropped[c]);
	g_free(w->dropped);
	g_free(w->complete);
	scratch_clear(&w->scratch);
	g_hash_table_unref(w->counts);
}

render_comparison *render_compare(const parser_comparison *source,
				  const parser_lists *lists,
				  const render_options *options, GError **error)
{
	g_autoptr(render_comparison) out = g_new0(render_comparison, 1);
	g_autoptr(GArray) candidates = NULL;
	work w;

	out->source = source;
	out->options = *options;
	out->rows = g_array_new(FALSE, TRUE, sizeof(render_row));
	out->fail_rows = g_array_new(FALSE, TRUE, sizeof(render_row));
	if (source->columns->len < 2) {
		g_set_error(error, RENDER_ERROR, RENDER_ERROR_INPUT,
			    "%u column: nothing to compare with", source->columns->len);
		return NULL;
	}
	candidates = select_metrics(source, lists, options);
	count_reasons(out, candidates);
	work_init(&w, out, lists);
	make_rows(&w, candidates);
	work_clear(&w);
	return headline_find(out, lists, error) ? g_steal_pointer(&out) : NULL;
}

render_comparison *render_comparison_claimed(const parser_comparison *source,
					     const render_claim *claim)
{
	render_comparison *out = g_new0(render_comparison, 1);

	out->source = source;
	out->rows = g_array_new(FALSE, TRUE, sizeof(render_row));
	out->fail_rows = g_array_new(FALSE, TRUE, sizeof(render_row));
	out->headline.metric = claim->metric;
	out->headline.column = claim->column;
	out->headline.kind = claim->kind;
	out->headline.change_percent = claim->change_percent;
	out->headline.direction = direction_of(0, claim->change_percent);
	out->headline.why = g_strdup("stated by an earlier report");
	return out;
}

void render_comparison_free(render_comparison *comparison)
{
	if (!comparison)
		return;
	g_array_unref(comparison->rows);
	g_array_unref(comparison->fail_rows);
	g_free(comparison->headline.why);
	g_free(comparison->arena);
	g_free(comparison);
}

const char *render_reason_name(render_reason reason)
{
	static const char *const names[RENDER_REASONS] = {
		[RENDER_SHOWN] = "shown",
		[RENDER_DENIED] = "denied",
		[RENDER_TOO_FEW_RUNS] = "too few runs",
		[RENDER_NEW_MONITOR] = "not in base",
		[RENDER_NO_PASS] = "never passed in base",
		[RENDER_NO_DATA] = "no data",
		[RENDER_NO_CHANGE] = "no change",
		[RENDER_BELOW_RATIO] = "change too small",
		[RENDER_UNREASONABLE] = "value too small to matter",
		[RENDER_NOT_KPI] = "not the test's own metric",
	};

	return (size_t)reason < RENDER_REASONS ? names[reason] : "unknown";
}
