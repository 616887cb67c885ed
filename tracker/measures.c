/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What our own reports measured of their headline metric. */
#include <math.h>
#include <string.h>

#include "tracker/store.h"

static void measure_free(void *data)
{
	tracker_measure *m = data;

	g_free(m->message_id);
	g_free(m->commit);
	g_free(m->label);
	g_free(m->testcase);
	g_free(m->metric);
	g_free(m->machine);
	g_array_unref(m->samples);
	g_free(m);
}

/* The samples that are there, and their mean. */
static void take_samples(tracker_measure *m, GBytes *values, GBytes *kinds)
{
	gsize size = 0, n = 0;
	const char *bytes = values ? g_bytes_get_data(values, &size) : NULL;
	const char *kind = kinds ? g_bytes_get_data(kinds, &n) : NULL;
	double sum = 0;

	for (gsize i = 0; i < MIN(n, size / sizeof(double)); i++) {
		double value;

		memcpy(&value, bytes + i * sizeof(value), sizeof(value));
		if (!kind[i] || !isfinite(value))
			continue;
		g_array_append_val(m->samples, value);
		sum += value;
	}
	if (!m->samples->len)
		return;
	m->has_mean = true;
	m->mean = sum / m->samples->len;
	m->runs = m->samples->len;
}

static tracker_measure *measure_from(const db_rows *rows)
{
	tracker_measure *m = g_new0(tracker_measure, 1);
	g_autoptr(GBytes) values = db_bytes(rows, 11);
	g_autoptr(GBytes) kinds = db_bytes(rows, 12);

	m->message_id = db_dup(rows, 0);
	m->column = (unsigned)db_int(rows, 1);
	m->culprit = db_int(rows, 2);
	m->commit = db_dup(rows, 3);
	m->label = db_dup(rows, 4);
	m->testcase = db_dup(rows, 5);
	m->metric = db_dup(rows, 6);
	m->machine = db_dup(rows, 7);
	m->has_mean = !db_is_null(rows, 8);
	m->mean = db_real(rows, 8);
	m->has_stddev = !db_is_null(rows, 9);
	m->stddev = db_real(rows, 9);
	m->runs = (unsigned)db_int(rows, 10);
	m->samples = g_array_new(FALSE, FALSE, sizeof(double));
	take_samples(m, values, kinds);
	return m;
}

GPtrArray *tracker_measures(tracker *t, const char *id, GError **error)
{
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(measure_free);
	g_auto(db_rows) rows = { 0 };
	int64_t row;

	if (!regression_find(t, id, &row, error) ||
	    !db_query(
		    t, &rows,
		    "SELECT m.message_id, c.position, c.culprit, c.\"commit\", c.label, "
		    "f.testcase, f.metric, f.machine, d.mean, d.stddev, d.runs, "
		    "d.samples, d.kinds FROM report r "
		    "JOIN message m ON m.id = r.message "
		    "JOIN finding f ON f.report = r.id AND f.position = 0 "
		    "JOIN run_column c ON c.report = r.id "
		    "JOIN run_data d ON d.report = r.id AND d.position = c.position "
		    "AND d.metric = f.metric WHERE r.regression = ?1 AND r.live "
		    "AND r.origin = 'own' ORDER BY r.at, m.message_id, c.position",
		    DB_ARGS(DB_INT(row)), error))
		return NULL;
	while (db_next(&rows, error))
		g_ptr_array_add(all, measure_from(&rows));
	return rows.failed ? NULL : g_steal_pointer(&all);
}
