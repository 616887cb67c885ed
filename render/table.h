/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to render: the parts of a comparison table. */
#ifndef RENDER_TABLE_H
#define RENDER_TABLE_H

#include "render/compare.h"

/* Appends what stands behind a row's metric, if anything. */
typedef void (*table_mark_fn)(GString *out, const render_comparison *c,
			      const render_row *row);

/* The line of '=' above a comparison. */
void table_put_rule(GString *out);

/* From the rule of '=' to the dashes below the columns' names. */
void table_put_header(GString *out, const render_comparison *c);

/* Both blocks with their heads.  mark may be NULL. */
void table_put_rows(GString *out, const render_comparison *c, table_mark_fn mark);

/* One row without its line end. */
void table_put_row(GString *out, const render_comparison *c, const render_row *row);
void table_put_fail_row(GString *out, const render_comparison *c,
			const render_row *row);

/* A name from outside as printable text: what is not safe becomes U+FFFD. */
void table_put_name(GString *out, const char *name);

/* The compared values that name a column; g_free. */
char *table_column_name(const render_comparison *c, size_t i);

#endif
