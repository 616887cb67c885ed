/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The head of a comparison table: what stands above its rows. */
#ifndef PARSER_TABLE_H
#define PARSER_TABLE_H

#include <glib.h>
#include <stdbool.h>

#include "parser/report.h"
#include "parser/robot_lines.h"

/* What has been seen of a head, until its rows begin. */
typedef struct table_head {
	char *machine;      /* the line below "*****"; or NULL */
	GPtrArray *axes;    /* parser_pair * */
	GPtrArray *commits; /* parser_table_column * */
	GPtrArray *ids;     /* char *, of the line above the dashes */
	bool has_offset;
	size_t offset;    /* of its first line */
	bool after_stars; /* the next line names a machine */
	char *keys;       /* the key line; the next line has its values */
	bool in_commits;  /* below "commit:" */
	bool has_commits; /* such a list was seen */
	GString *subject; /* of a commit line that a mail program broke; or NULL */
	bool named_rows;  /* the third column's head names paths, not metrics */
	text_line before; /* the line before, which may hold the ids */
} table_head;

void table_head_init(table_head *head);
void table_head_clear(table_head *head);

/* Looks at one line; returns true if it belongs to a head. */
bool table_head_line(table_head *head, const text_line *line);

/* True once axes or columns are known: the next row begins a new table. */
bool table_head_is_complete(const table_head *head);

/* A new table of what was seen; the head is empty afterwards. */
parser_table *table_head_take(table_head *head, const text_line *line);

/* A table without anything; parser_table_free() it. */
parser_table *parser_table_new(void);

void parser_table_column_free(gpointer data);

/* True if the line holds nothing but c, at least n of them. */
bool table_line_is_rule(const text_line *line, char c, size_t n);

#endif
