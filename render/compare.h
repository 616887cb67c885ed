/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From samples to rows with statistics, and from those to tables, JSON and plots. */
#ifndef RENDER_COMPARE_H
#define RENDER_COMPARE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/parser.h"

typedef struct render_options {
	bool compat_lkp; /* the public comparer byte for byte, quirks and all */
	bool all;        /* every metric */
	bool more;       /* denied monitors too */
	bool kpi;        /* the test's own metrics only */
	bool by_count;   /* row order of March 2023 to February 2026 */
	bool has_profile_threshold;
	double profile_threshold; /* percent; when not given, the integer 5 */
	double ratio; /* smallest ratio of medians for others than test metrics and
			 monitors of the 1 % rule; 0 = 1.05 */
	const char *metric;  /* headline metric asked for; NULL = choose */
	bool keep_metric;    /* which has its row even if it did not change */
	const char *culprit; /* prefix of the head that is blamed; NULL = first head */
	bool short_commits;  /* commit lines as mails have them: sha10 ("subject") */
} render_options;

/* Why a metric is or is not shown; names by render_reason_name(). */
typedef enum render_reason {
	RENDER_SHOWN,
	RENDER_DENIED,
	RENDER_TOO_FEW_RUNS,
	RENDER_NEW_MONITOR, /* no counterpart in base */
	RENDER_NO_PASS,     /* a failure of a test that base never passed */
	RENDER_NO_DATA,
	RENDER_NO_CHANGE,
	RENDER_BELOW_RATIO,
	RENDER_UNREASONABLE, /* below the size that matters for this metric */
	RENDER_NOT_KPI,
	RENDER_REASONS
} render_reason;

const char *render_reason_name(render_reason reason);

typedef enum render_change {
	RENDER_CHANGE_NONE, /* column 0 */
	RENDER_CHANGE_PERCENT,
	RENDER_CHANGE_ABSOLUTE, /* points, or a value against a zero base */
	RENDER_CHANGE_NEW,      /* absent or zero in base only */
	RENDER_CHANGE_GONE,     /* absent in head only */
	RENDER_CHANGE_NA
} render_change;

/* One column of a row. */
typedef struct render_value {
	bool present;
	uint32_t n; /* samples behind mean and stddev */
	double mean;
	double stddev; /* population; -1 when n < 2 or unknown */
	double change; /* against column 0, by change_kind */
	render_change change_kind;
	double fails, runs;  /* failure rows */
	double reproduction; /* percentage points against column 0 */
} render_value;

typedef struct render_row {
	const char *metric;
	bool failure; /* a fail:runs row */
	parser_sense sense;
	render_value *values; /* one per column */
} render_row;

/* What is said of the headline metric, culprit against base. */
typedef struct render_headline {
	const char *metric; /* NULL if there is none, see `why` */
	size_t column;      /* of the culprit */
	parser_kind kind;   /* by sense; UNKNOWN when the sense is not known */
	double change_percent;
	int direction; /* -1, 0 or 1: where the mean went.  The sign of change_percent,
			  but for a negative base in compat mode: the comparer divides
			  by the base as it is */
	double ci_low, ci_high; /* 95 % interval of the change, percent */
	double p;               /* of the test that is named */
	const char *test;       /* "Welch t-test", "Mann-Whitney U test" */
	bool significant;       /* the interval excludes 0 */
	uint32_t n_base, n_head;
	double p_rank; /* of the Mann-Whitney U test as well; NaN if impossible */
	bool bimodal;  /* a side's samples fall into two clusters */
	char *why;     /* why there is none, or why it was chosen */
} render_headline;

typedef struct render_comparison {
	const parser_comparison *source; /* lent; must outlive this */
	render_options options;
	GArray *fail_rows, *rows; /* render_row, in the order shown */
	render_headline headline;
	size_t counts[RENDER_REASONS]; /* metrics by what happened to them */
	size_t metrics;                /* looked at in total */
	void *arena;
} render_comparison;

/*
 * Computes everything that can be said of a comparison.  lists: parser_lists with the
 * files of templates/metrics.  source must outlive the result.
 * RENDER_ERROR_INPUT: an asked metric or culprit that is not there.
 */
render_comparison *render_compare(const parser_comparison *source,
				  const parser_lists *lists,
				  const render_options *options, GError **error);
void render_comparison_free(render_comparison *comparison);

/* What is known of a comparison whose results are not at hand; metric is lent. */
typedef struct render_claim {
	const char *metric;
	size_t column; /* of the culprit */
	parser_kind kind;
	double change_percent;
} render_claim;

/* A comparison with a headline and without rows, as an earlier report stated it. */
render_comparison *render_comparison_claimed(const parser_comparison *source,
					     const render_claim *claim);

/*
 * The table as text.  In compat mode exactly the comparer's bytes (nothing at all when
 * there is no row); else with legend, senses, headline, and the reasons when little is
 * shown.
 */
void render_comparison_text(const render_comparison *comparison, GString *out);

/* The blocks between the key line and the last row alone, as a mail's table has them.
 */
void render_comparison_table(const render_comparison *comparison, GString *out);

/* One JSON object, docs/compare-output.schema.json.  Returns a new string (g_free). */
char *render_comparison_json(const render_comparison *comparison);

/*
 * A text plot, 80 columns, of good and bad samples in the order of the runs.
 * compat: the robot's geometry and glyphs (base as '+', head as 'O').
 */
void render_plot_text(const char *metric, const double *good, size_t n_good,
		      const double *bad, size_t n_bad, bool compat, GString *out);

/* The same as a self-contained SVG document with <title> and <desc>. */
void render_plot_svg(const char *metric, const double *good, size_t n_good,
		     const double *bad, size_t n_bad, GString *out);

/*
 * A number as the comparer prints it: `conversion` 'f' or 'g', `precision` digits, with
 * Ruby's rounding of ties (reference: BigDecimal-free float formatting of Ruby's
 * sprintf as lkp-tests uses it).  plus: always a sign.  Returns the length.
 */
size_t render_number(char *buffer, size_t size, double value, char conversion,
		     int precision, bool plus);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(render_comparison, render_comparison_free)

#endif
