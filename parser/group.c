/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which columns belong side by side. */
#include <string.h>

#include "parser/error.h"
#include "parser/group.h"

#define GROUPS_SHOWN 5u /* axes named in the message when nothing fits */

bool axis_is_compared(const GPtrArray *compared, const char *name)
{
	if (!compared || !compared->len)
		return strcmp(name, "commit") == 0;
	for (guint i = 0; i < compared->len; i++)
		if (strcmp(compared->pdata[i], name) == 0)
			return true;
	return false;
}

const char *column_axis(const parser_column *column, const char *name)
{
	const char *value = parser_pairs_get(column->axes, name);

	if (strcmp(name, "commit") == 0)
		return column->commit->id ? column->commit->id : column->label;
	return value;
}

/* By the string "name=value", so that "fs2=" comes before "fs=". */
static int by_axis(gconstpointer a, gconstpointer b)
{
	const parser_pair *x = *(const parser_pair *const *)a;
	const parser_pair *y = *(const parser_pair *const *)b;
	g_autofree char *m = g_strdup_printf("%s=%s", x->name, x->value);
	g_autofree char *n = g_strdup_printf("%s=%s", y->name, y->value);

	return strcmp(m, n);
}

/* The axes that are not compared, sorted; parser_pair *. */
static GPtrArray *fixed_axes(const parser_column *column, const GPtrArray *compared)
{
	GPtrArray *axes =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_pair_free);

	for (guint i = 0; i < column->axes->len; i++) {
		const parser_pair *axis = column->axes->pdata[i];

		if (!axis_is_compared(compared, axis->name))
			g_ptr_array_add(axes, parser_pair_new(axis->name, axis->value));
	}
	if (!axis_is_compared(compared, "commit") && column_axis(column, "commit"))
		g_ptr_array_add(
			axes, parser_pair_new("commit", column_axis(column, "commit")));
	g_ptr_array_sort(axes, by_axis);
	return axes;
}

/* Length-prefixed, so that no value can be mistaken for a border. */
static char *axes_key(const GPtrArray *axes)
{
	GString *key = g_string_new(NULL);

	for (guint i = 0; i < axes->len; i++) {
		const parser_pair *axis = axes->pdata[i];

		g_string_append_printf(key, "%zu:%s=%zu:%s/", strlen(axis->name),
				       axis->name, strlen(axis->value), axis->value);
	}
	return g_string_free(key, FALSE);
}

static char *column_key(const parser_column *column, const GPtrArray *compared)
{
	g_autoptr(GPtrArray) axes = fixed_axes(column, compared);

	return axes_key(axes);
}

static const char *or_none(const char *value)
{
	return value ? value : "(none)";
}

/* Two columns of one group are the same when all compared axes agree. */
static bool is_same(const parser_column *a, const parser_column *b,
		    const GPtrArray *compared)
{
	if (!compared || !compared->len)
		return g_strcmp0(column_axis(a, "commit"), column_axis(b, "commit")) ==
			       0 &&
		       (column_axis(a, "commit") || strcmp(a->origin, b->origin) == 0);
	for (guint i = 0; i < compared->len; i++)
		if (g_strcmp0(column_axis(a, compared->pdata[i]),
			      column_axis(b, compared->pdata[i])) != 0)
			return false;
	return true;
}

static bool check_twice(const parser_comparison *c, const GPtrArray *compared,
			GError **error)
{
	for (guint i = 0; i < c->columns->len; i++)
		for (guint j = 0; j < i; j++) {
			const parser_column *a = c->columns->pdata[j];
			const parser_column *b = c->columns->pdata[i];

			if (!is_same(a, b, compared))
				continue;
			g_set_error(error, PARSER_ERROR, PARSER_ERROR_INVALID,
				    "%s and %s are the same column: %s %s", a->origin,
				    b->origin, (const char *)c->compared->pdata[0],
				    or_none(column_axis(a, c->compared->pdata[0])));
			return false;
		}
	return true;
}

/* Appends "NAME A against B" for each axis of a that b has otherwise. */
static void list_differences(const GPtrArray *a, const GPtrArray *b, bool reverse,
			     unsigned *shown, GString *out)
{
	for (guint i = 0; i < a->len && *shown < GROUPS_SHOWN; i++) {
		const parser_pair *axis = a->pdata[i];
		const char *other = parser_pairs_get(b, axis->name);

		if (other && (reverse || strcmp(other, axis->value) == 0))
			continue;
		g_string_append_printf(out, "%s %s %s against %s", *shown ? "," : "",
				       axis->name, reverse ? "(none)" : axis->value,
				       reverse ? axis->value : or_none(other));
		++*shown;
	}
}

static void fail_alone(GPtrArray *columns, const GPtrArray *compared, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const parser_column *first = columns->len ? columns->pdata[0] : NULL;

	for (guint i = 1; i < columns->len; i++) {
		const parser_column *other = columns->pdata[i];
		g_autoptr(GPtrArray) a = fixed_axes(first, compared);
		g_autoptr(GPtrArray) b = fixed_axes(other, compared);
		unsigned shown = 0;

		g_string_append_printf(text, "%s %s differs in", i > 1 ? ";" : ":",
				       other->origin);
		list_differences(a, b, false, &shown, text);
		list_differences(b, a, true, &shown, text);
	}
	g_set_error(error, PARSER_ERROR, PARSER_ERROR_INVALID,
		    columns->len > 1 ?
			    "nothing to compare with %s%s" :
			    "nothing to compare with %s: it is the only column%s",
		    first ? first->origin : "nothing", text->str);
}

static parser_comparison *new_group(const GPtrArray *compared)
{
	parser_comparison *c = parser_comparison_new();

	for (guint i = 0; compared && i < compared->len; i++)
		g_ptr_array_add(c->compared, g_strdup(compared->pdata[i]));
	if (!c->compared->len)
		g_ptr_array_add(c->compared, g_strdup("commit"));
	return c;
}

void comparison_settle(parser_comparison *c)
{
	static const char *const environment[] = { "compiler",   "kconfig",  "rootfs",
						   "tbox_group", "testcase", NULL };
	const parser_column *base = c->columns->pdata[0];

	if (!c->axes->len) {
		g_ptr_array_unref(c->axes);
		c->axes = fixed_axes(base, c->compared);
	}
	if (!c->testcase)
		c->testcase = g_strdup(parser_pairs_get(base->axes, "testcase"));
	if (!c->machine)
		c->machine = g_strdup(parser_pairs_get(base->axes, "tbox_group"));
	for (guint i = 0, given = c->parameters->len; !given && i < c->axes->len; i++) {
		const parser_pair *axis = c->axes->pdata[i];

		if (!g_strv_contains(environment, axis->name) &&
		    strcmp(axis->name, "commit") != 0)
			g_ptr_array_add(c->parameters,
					parser_pair_new(axis->name, axis->value));
	}
	for (guint i = 0; i < c->columns->len; i++) {
		const parser_column *column = c->columns->pdata[i];

		for (guint k = 0; k < column->warnings->len; k++)
			g_ptr_array_add(c->warnings,
					g_strdup(column->warnings->pdata[k]));
	}
}

/* Sorts columns into groups, in the order of each group's first column. */
static GPtrArray *make_groups(GPtrArray *columns, const GPtrArray *compared)
{
	GPtrArray *groups =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_comparison_free);
	g_autoptr(GHashTable) by_key =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < columns->len; i++) {
		g_autofree char *key = column_key(columns->pdata[i], compared);
		parser_comparison *c = g_hash_table_lookup(by_key, key);

		if (!c) {
			c = new_group(compared);
			g_ptr_array_add(groups, c);
			g_hash_table_insert(by_key, g_steal_pointer(&key), c);
		}
		g_ptr_array_add(c->columns, columns->pdata[i]);
	}
	return groups;
}

/* What stands alone among groups that do not is said in the first of them. */
static void warn_alone(const GPtrArray *groups, parser_comparison *first)
{
	for (guint i = 0; i < groups->len; i++) {
		const parser_comparison *c = groups->pdata[i];

		if (c && c->columns->len == 1)
			g_ptr_array_add(
				first->warnings,
				g_strdup_printf(
					"%s stands alone: it has nothing "
					"to be compared with",
					((const parser_column *)c->columns->pdata[0])
						->origin));
	}
}

GPtrArray *parser_comparisons_group(GPtrArray *columns, const GPtrArray *compared,
				    GError **error)
{
	g_autoptr(GPtrArray) groups = make_groups(columns, compared);
	GPtrArray *kept =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_comparison_free);
	bool good = true;

	for (guint i = 0; i < groups->len; i++)
		good = good && check_twice(groups->pdata[i], compared, error);
	for (guint i = 0; i < groups->len; i++) {
		parser_comparison *c = groups->pdata[i];

		if (c->columns->len < 2)
			continue;
		comparison_settle(c);
		g_ptr_array_add(kept, c);
		groups->pdata[i] = NULL;
	}
	if (kept->len)
		warn_alone(groups, kept->pdata[0]);
	if (good && !kept->len) {
		fail_alone(columns, compared, error);
		good = false;
	}
	/* what stands alone is freed with `groups`; the caller's array gave all away */
	g_ptr_array_set_free_func(columns, NULL);
	g_ptr_array_set_size(columns, 0);
	g_ptr_array_set_free_func(columns, (GDestroyNotify)parser_column_free);
	if (good)
		return kept;
	g_ptr_array_unref(kept);
	return NULL;
}
