/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a comparison costs beside parsing its input alone.
 *
 *   bench_compare make DIR METRICS RUNS    writes DIR/base.json and DIR/head.json
 *   bench_compare compare BASE HEAD        reads, selects, computes, prints to nowhere
 *   bench_compare jansson BASE HEAD        parses the same files with jansson alone
 *
 * The last two print CPU milliseconds and peak memory (kB) of the whole process.
 */
#include <glib.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "render/render.h"
#include "tests/unit/lists.h"

static const char *const monitors[] = {
	"perf-profile.children.cycles-pp.function_number_%u",
	"perf-profile.self.cycles-pp.function_number_%u",
	"perf-stat.i.event-%u",
	"proc-vmstat.counter_%u",
	"sched_debug.cfs_rq:/.value_%u.avg",
	"slabinfo.kmalloc-%u.active_objs",
	"interrupts.CPU%u.LOC:Local_timer_interrupts",
	"numa-meminfo.node0.field_%u",
	"will-it-scale.figure_%u",
	"turbostat.CPU%u_%%",
};

/* A generator of its own: the same bytes with every C library. */
static double noise(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (double)(*state >> 11) / 9007199254740992.0 - 0.5;
}

static int make_one(const char *path, unsigned metrics, unsigned runs, double shift)
{
	FILE *f = fopen(path, "w");
	uint64_t state = 42;

	if (!f) {
		perror(path);
		return 1;
	}
	fputs("{", f);
	for (unsigned i = 0; i < metrics; i++) {
		g_autofree char *number = g_strdup_printf("%u", i);
		g_auto(GStrv) parts =
			g_strsplit(monitors[i % G_N_ELEMENTS(monitors)], "%u", 2);
		double mean = 3.7 * (i + 1);

		fprintf(f, "%s\n  \"%s%s%s\": [", i ? "," : "", parts[0], number,
			parts[1]);
		for (unsigned r = 0; r < runs; r++) {
			double value =
				mean * (1 + 0.02 * noise(&state) + (i % 3 ? 0 : shift));

			fprintf(f, i % 4 ? "%s\n    %.2f" : "%s\n    %.0f",
				r ? "," : "", i % 4 ? value : 1000 * value);
		}
		fputs("\n  ]", f);
	}
	fputs(",\n  \"stats_source\": [", f);
	for (unsigned r = 0; r < runs; r++)
		fprintf(f, "%s\n    \"/result/bench/%u/stats.json\"", r ? "," : "", r);
	fputs("\n  ]\n}\n", f);
	return fclose(f) != 0;
}

static int make(const char *dir, unsigned metrics, unsigned runs)
{
	g_autofree char *base = g_build_filename(dir, "base.json", NULL);
	g_autofree char *head = g_build_filename(dir, "head.json", NULL);

	return make_one(base, metrics, runs, 0) || make_one(head, metrics, runs, 0.08);
}

static char *read_all(const char *path, gsize *length)
{
	GError *error = NULL;
	char *text = NULL;

	if (!g_file_get_contents(path, &text, length, &error)) {
		fprintf(stderr, "%s\n", error->message);
		exit(1);
	}
	return text;
}

static parser_column *column_of(const char *path, char digit, const parser_lists *lists)
{
	g_autofree char *job = g_strdup_printf(
		"testcase: will-it-scale\ntbox_group: bench\ncommit: %040d%c\n", 0,
		digit);
	gsize length;
	g_autofree char *text = read_all(path, &length);
	const parser_blob blobs[] = { { "matrix.json", text, length },
				      { "job.yaml", job, strlen(job) } };
	GError *error = NULL;
	parser_column *column = parser_column_from_root(path, blobs, 2, lists, &error);

	if (!column) {
		fprintf(stderr, "%s\n", error->message);
		exit(1);
	}
	return column;
}

static size_t compare(const char *base, const char *head)
{
	g_autoptr(parser_lists) lists = test_lists();
	g_autoptr(GPtrArray) columns =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_column_free);
	g_autoptr(GPtrArray) groups = NULL;
	g_autoptr(render_comparison) c = NULL;
	g_autoptr(GString) out = g_string_new(NULL);
	const render_options options = { 0 };

	g_ptr_array_add(columns, column_of(base, 'a', lists));
	g_ptr_array_add(columns, column_of(head, 'b', lists));
	groups = parser_comparisons_group(columns, NULL, NULL);
	c = render_compare(groups->pdata[0], lists, &options, NULL);
	render_comparison_text(c, out);
	return out->len;
}

static size_t parse_alone(const char *base, const char *head)
{
	const char *const paths[] = { base, head };
	json_t *values[2];
	size_t n = 0;

	for (int i = 0; i < 2; i++) { /* both are held, as a comparison has to */
		gsize length;
		g_autofree char *text = read_all(paths[i], &length);

		values[i] = json_loadb(text, length, 0, NULL);
		n += json_object_size(values[i]);
	}
	json_decref(values[0]);
	json_decref(values[1]);
	return n;
}

static double milliseconds(struct timeval t)
{
	return (double)t.tv_sec * 1000 + (double)t.tv_usec / 1000;
}

int main(int argc, char **argv)
{
	struct rusage used;
	size_t result;

	if (argc == 5 && strcmp(argv[1], "make") == 0)
		return make(argv[2], (unsigned)atoi(argv[3]), (unsigned)atoi(argv[4]));
	if (argc != 4) {
		fprintf(stderr, "usage: bench_compare make DIR METRICS RUNS | "
				"compare BASE HEAD | jansson BASE HEAD\n");
		return 2;
	}
	result = strcmp(argv[1], "compare") == 0 ? compare(argv[2], argv[3]) :
						   parse_alone(argv[2], argv[3]);
	if (result == 0)
		return 1;
	getrusage(RUSAGE_SELF, &used);
	printf("%.1f %ld\n", milliseconds(used.ru_utime) + milliseconds(used.ru_stime),
	       used.ru_maxrss);
	return 0;
}
