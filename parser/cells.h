/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of a comparison table's row, and what they say. */
#ifndef PARSER_CELLS_H
#define PARSER_CELLS_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

#include "parser/report.h"

typedef enum cell_kind {
	CELL_WORD,    /* anything else: the metric, prose */
	CELL_NUMBER,  /* 8888, 7.932e+08, -0.3, +1.4 */
	CELL_PERCENT, /* -7.4%, 114% */
	CELL_SIGN,    /* a lone plus-minus sign */
	CELL_STDDEV,  /* a plus-minus sign with its number: "±167%" */
	CELL_RUNS,    /* 1:4, :4 */
	CELL_NOTE,    /* words that stand for a change: new, gone, n/a, +Inf% */
	CELL_ABSENT   /* a lone "-": no run of that column has the metric */
} cell_kind;

typedef struct cell_token {
	cell_kind kind;
	const char *s;
	size_t len;
	double value; /* number, percent, stddev; fails */
	double runs;
	bool has_runs;
	bool is_signed; /* a plus or minus sign is printed */
} cell_token;

/* How the table that a row stands in is laid out. */
typedef struct cell_layout {
	size_t columns;    /* 0 if unknown */
	bool plain_change; /* plus signs are not printed, small changes are blank */
} cell_layout;

typedef enum cell_shape {
	CELL_SHAPE_NONE, /* no row */
	CELL_SHAPE_OPEN, /* all of a row but the metric, which a wrapped line lost */
	CELL_SHAPE_ROW,
	CELL_SHAPE_FAIL_ROW
} cell_shape;

/* A row as read; buffers are used again from row to row. */
typedef struct cell_reader {
	GArray *tokens; /* cell_token */
	GArray *cells;  /* parser_cell, change_text not set */
	GArray *texts;  /* cell_token: the change of each cell; kind WORD if blank */
	GArray *fails;  /* parser_fail_cell */
	bool fail;      /* the row read last is one of fails */
	const char *metric;
	size_t metric_len;
} cell_reader;

void cell_reader_init(cell_reader *reader);
void cell_reader_clear(cell_reader *reader);

/* What one word is.  A word that is glued to a metric's name is split by the caller. */
cell_token cell_token_of(const char *s, size_t len);

/*
 * Where the percentage ends that a metric's name is glued to ("2%pp.self.x"); 0 if
 * there is none.
 */
size_t cell_glued_percent(const char *s, size_t len);

/* True if the word can be a metric's name: starts with a letter and has a dot inside.
 */
bool cell_is_metric(const char *s, size_t len);

/* Reads a line as a row. */
cell_shape cell_reader_read(cell_reader *reader, const char *s, size_t len,
			    const cell_layout *layout);

/* The row just read as a record; metric given apart because it may have been wrapped.
 */
parser_row *cell_reader_row(const cell_reader *reader, const char *metric, size_t len);
parser_fail_row *cell_reader_fail_row(const cell_reader *reader, const char *metric,
				      size_t len);

#endif
