/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/table.h"

#include <string.h>

#define RULE_MIN    20 /* of the "=====" and "*****" lines */
#define DASHES_MIN  8  /* below an id */
#define COMMITS_MAX 64 /* lines below "commit:" */

void parser_table_column_free(gpointer data)
{
	parser_table_column *column = data;

	g_free(column->id);
	g_free(column->subject);
	g_free(column);
}

static parser_table_column *column_new(const char *id, size_t len)
{
	parser_table_column *column = g_new0(parser_table_column, 1);

	column->id = g_strndup(id, len);
	return column;
}

void table_head_init(table_head *head)
{
	*head = (table_head){
		.axes = g_ptr_array_new_with_free_func(
			(GDestroyNotify)parser_pair_free),
		.commits = g_ptr_array_new_with_free_func(parser_table_column_free),
		.ids = g_ptr_array_new_with_free_func(g_free),
	};
}

void table_head_clear(table_head *head)
{
	g_free(head->machine);
	g_free(head->keys);
	g_ptr_array_unref(head->axes);
	g_ptr_array_unref(head->commits);
	g_ptr_array_unref(head->ids);
	if (head->subject)
		g_string_free(head->subject, TRUE);
	*head = (table_head){ 0 };
}

static void restart(table_head *head)
{
	text_line before = head->before;

	table_head_clear(head);
	table_head_init(head);
	head->before = before;
}

static void mark_offset(table_head *head, const text_line *line)
{
	if (head->has_offset)
		return;
	head->has_offset = true;
	head->offset = line->offset;
}

bool table_line_is_rule(const text_line *line, char c, size_t n)
{
	if (line->len < n)
		return false;
	for (size_t i = 0; i < line->len; i++)
		if (line->s[i] != c)
			return false;
	return true;
}

/* "compiler/kconfig/.../testcase:", with its values behind it or on the next line. */
static bool is_key_line(const char *s, size_t len)
{
	if (len < 12 || s[len - 1] != ':' || !memchr(s, '/', len))
		return false;
	for (size_t i = 0; i + 1 < len; i++)
		if (!g_ascii_isalnum(s[i]) && !strchr("_-./+", s[i]))
			return false;
	return memmem(s, len, "testcase", 8) || memmem(s, len, "tbox_group", 10) ||
	       memmem(s, len, "testbox", 7);
}

/* Pairs keys with values, both cut at '/'.  What does not fit is not guessed. */
static void read_values(table_head *head, const char *values, size_t len)
{
	g_autofree char *text = g_strndup(values, len);
	g_auto(GStrv) v = g_strsplit(text, "/", -1);
	g_auto(GStrv) k = g_strsplit(head->keys, "/", -1);
	guint n = g_strv_length(k);

	g_clear_pointer(&head->keys, g_free);
	if (n > 1 && strcmp(k[n - 1], "run") == 0 && g_strv_length(v) == n - 1)
		n--; /* all runs together */
	if (g_strv_length(v) != n)
		return;
	g_ptr_array_set_size(head->axes, 0);
	for (guint i = 0; i < n; i++)
		g_ptr_array_add(head->axes, parser_pair_new(k[i], g_strstrip(v[i])));
}

static bool read_key_line(table_head *head, const text_line *line)
{
	const char *p = line->s, *end = line->s + line->len;
	size_t n;
	const char *keys = parser_word_next(&p, end, &n);

	if (!keys || !is_key_line(keys, n))
		return false;
	mark_offset(head, line);
	g_free(head->keys);
	head->keys = g_strndup(keys, n - 1);
	while (p < end && *p == ' ')
		p++;
	if (p < end)
		read_values(head, p, (size_t)(end - p));
	return true;
}

static bool is_hex(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!g_ascii_isxdigit(s[i]))
			return false;
	return len >= 7 && len <= 40;
}

/* The end of a quoted subject: the last ") of the line, or NULL. */
static const char *subject_end(const char *s, const char *end)
{
	for (const char *p = end; p > s; p--)
		if (p - s >= 2 && p[-1] == ')' && p[-2] == '"')
			return p - 2;
	return NULL;
}

static void set_subject(table_head *head, const char *s, size_t len)
{
	parser_table_column *last;

	if (!head->commits->len)
		return;
	last = g_ptr_array_index(head->commits, head->commits->len - 1);
	g_free(last->subject);
	last->subject = g_strndup(s, len);
}

/* The rest of a subject that was broken over two lines. */
static bool read_subject_rest(table_head *head, const text_line *line)
{
	const char *end = line->s + line->len, *close = subject_end(line->s, end);

	if (!head->subject)
		return false;
	g_string_append_c(head->subject, ' ');
	g_string_append_len(head->subject, line->s,
			    close ? close - line->s : (gssize)line->len);
	set_subject(head, head->subject->str, head->subject->len);
	if (close || head->subject->len > 300) {
		g_string_free(head->subject, TRUE);
		head->subject = NULL;
	}
	return true;
}

/* `  a31acd3ee8 ("subject")`, a tag alone, or an id with a remark. */
static bool read_commit_line(table_head *head, const text_line *line)
{
	const char *p = line->s, *end = line->s + line->len, *close;
	size_t n, m;
	const char *id = parser_word_next(&p, end, &n);
	const char *rest = p;
	const char *next = parser_word_next(&rest, end, &m);
	bool subject = next && m > 1 && memcmp(next, "(\"", 2) == 0;

	if (!id || head->commits->len >= COMMITS_MAX)
		return false;
	if (!(subject && is_hex(id, n)) &&
	    !(head->in_commits && (!next || (*next == '<' && is_hex(id, n)))))
		return false;
	mark_offset(head, line);
	g_ptr_array_add(head->commits, column_new(id, n));
	if (!subject)
		return true;
	next += 2;
	close = subject_end(next, end);
	set_subject(head, next, (size_t)((close ? close : end) - next));
	if (!close)
		head->subject = g_string_new_len(next, end - next);
	return true;
}

static size_t count_dashes(const text_line *line)
{
	const char *p = line->s, *end = line->s + line->len, *w;
	size_t n, words = 0;

	while ((w = parser_word_next(&p, end, &n))) {
		if (n < DASHES_MIN)
			return 0;
		for (size_t i = 0; i < n; i++)
			if (w[i] != '-')
				return 0;
		words++;
	}
	return words;
}

/* The dashes: the line before has an id for each, or names of paths over the last. */
static bool read_dashes(table_head *head, const text_line *line)
{
	size_t columns = count_dashes(line), n;
	const char *p = head->before.s, *end = p ? p + head->before.len : NULL, *w;

	if (columns < 2)
		return false;
	mark_offset(head, head->before.s ? &head->before : line);
	g_ptr_array_set_size(head->ids, 0);
	while (p && (w = parser_word_next(&p, end, &n)) && head->ids->len < columns) {
		if (memchr(w, '/', n) && head->ids->len + 1 == columns && columns > 2) {
			head->named_rows = true;
			break;
		}
		g_ptr_array_add(head->ids, g_strndup(w, n));
	}
	while (head->ids->len + head->named_rows < columns)
		g_ptr_array_add(head->ids, g_strdup(""));
	return true;
}

bool table_head_is_complete(const table_head *head)
{
	return head->ids->len >= 2 || head->axes->len > 0;
}

static bool read_rules(table_head *head, const text_line *line)
{
	if (table_line_is_rule(line, '=', RULE_MIN)) {
		char *machine = g_steal_pointer(&head->machine);

		restart(head);
		head->machine = machine;
		mark_offset(head, line);
		return true;
	}
	if (table_line_is_rule(line, '*', RULE_MIN)) {
		restart(head);
		mark_offset(head, line);
		head->after_stars = true;
		return true;
	}
	return false;
}

/* "lkp-icl-2sp1: 64 threads 2 sockets ...": the description, without the box's name. */
static bool read_machine(table_head *head, const text_line *line)
{
	const char *colon = memchr(line->s, ':', line->len);
	const char *s = line->s;
	size_t len = line->len;

	if (!head->after_stars)
		return false;
	head->after_stars = false;
	if (!colon)
		return false;
	if (colon + 1 < line->s + line->len) {
		s = colon + 1;
		while (s < line->s + line->len && *s == ' ')
			s++;
		len = (size_t)(line->s + line->len - s);
	}
	g_free(head->machine);
	head->machine = g_strndup(s, len);
	return true;
}

static bool read_line(table_head *head, const text_line *line)
{
	if (read_rules(head, line) || read_machine(head, line))
		return true;
	if (head->keys) {
		read_values(head, line->s, line->len);
		return true;
	}
	if (read_key_line(head, line) || read_dashes(head, line))
		return true;
	if (head->subject)
		return read_subject_rest(head, line);
	if (parser_line_starts(line, "commit:") && line->len == strlen("commit:")) {
		mark_offset(head, line);
		head->in_commits = true;
		head->has_commits = true;
		return true;
	}
	return read_commit_line(head, line);
}

bool table_head_line(table_head *head, const text_line *line)
{
	bool belongs;

	if (line->len == 0) {
		head->in_commits = head->in_commits && head->commits->len == 0;
		return false;
	}
	belongs = read_line(head, line);
	head->before = *line;
	return belongs;
}

/* The subject of the commit whose id and this one begin alike. */
static const char *find_subject(const table_head *head, const char *id)
{
	size_t n = strlen(id);

	for (guint i = 0; i < head->commits->len; i++) {
		const parser_table_column *c = g_ptr_array_index(head->commits, i);
		size_t m = strlen(c->id);

		if (n && m && strncmp(c->id, id, MIN(n, m)) == 0)
			return c->subject;
	}
	return NULL;
}

parser_table *table_head_take(table_head *head, const text_line *line)
{
	parser_table *table = parser_table_new();
	const char *box;

	mark_offset(head, line);
	table->offset = head->offset;
	table->quoted = line->quoted;
	g_ptr_array_extend_and_steal(table->axes, g_ptr_array_ref(head->axes));
	for (guint i = 0; i < head->ids->len; i++) {
		const char *id = g_ptr_array_index(head->ids, i);
		parser_table_column *column = column_new(id, strlen(id));

		column->subject = g_strdup(find_subject(head, id));
		g_ptr_array_add(table->columns, column);
	}
	if (!head->ids->len && head->has_commits && head->commits->len >= 2)
		g_ptr_array_extend_and_steal(table->columns,
					     g_ptr_array_ref(head->commits));
	table->machine = g_steal_pointer(&head->machine);
	box = parser_pairs_get(table->axes, "tbox_group");
	if (!table->machine)
		table->machine =
			g_strdup(box ? box : parser_pairs_get(table->axes, "testbox"));
	restart(head);
	return table;
}
