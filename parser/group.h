/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to parser: what a comparison has from its columns. */
#ifndef PARSER_GROUP_H
#define PARSER_GROUP_H

#include "parser/results.h"

/* True if this axis ("commit" too) is one of the compared ones. */
bool axis_is_compared(const GPtrArray *compared, const char *name);

/* The value of an axis ("commit" too) of a column, or NULL. */
const char *column_axis(const parser_column *column, const char *name);

/*
 * Fills axes, testcase, machine and parameters from the first column, and warnings from
 * all, as far as they are empty.
 */
void comparison_settle(parser_comparison *comparison);

#endif
