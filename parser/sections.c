/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The labelled lines between a report's opening sentence and its first table. */
#include <string.h>

#include "parser/reader.h"

#define SECTION_LINES 600 /* below the sentence; the impact table may be long */
#define VALUE_MAX     2000

typedef enum section {
	SECTION_NONE,
	SECTION_PARAMETERS,
	SECTION_STILL, /* "still regression on:", and lines "tree/branch: commit" below
			*/
	SECTION_END
} section;

typedef struct section_reader {
	const GArray *lines;
	size_t i;              /* the line looked at */
	const text_line *like; /* only lines that stand as this one count */
	parser_report *report;
	report_traits *traits;
	section section;
	bool started; /* the block has had a line */
} section_reader;

static const char *const ends[] = {
	"Details are as below", "To reproduce:", "The kernel config and materials",
	"Disclaimer:",          "Legend:",       NULL
};

static bool is_end(const text_line *line)
{
	for (const char *const *e = ends; *e; e++)
		if (parser_line_starts(line, *e))
			return true;
	if (line->len >= 20 && (line->s[0] == '=' || line->s[0] == '-') &&
	    line->s[1] == line->s[0] && line->s[10] == line->s[0])
		return true;
	return false;
}

static bool belongs(const section_reader *r, const text_line *line)
{
	return line->quoted == r->like->quoted && line->depth == r->like->depth;
}

/* The line below, if it stands in the same words and is not empty; else NULL. */
static const text_line *below(const section_reader *r)
{
	const text_line *line;

	if (r->i + 1 >= r->lines->len)
		return NULL;
	line = parser_line_at(r->lines, r->i + 1);
	return line->len > 0 && belongs(r, line) ? line : NULL;
}

static bool is_hex(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!g_ascii_isxdigit(s[i]))
			return false;
	return len >= 7 && len <= 40;
}

/* What stands behind a label. */
static bool after_label(const text_line *line, const char *label, const char **s,
			size_t *n)
{
	size_t skip = strlen(label);

	if (!parser_line_starts(line, label))
		return false;
	while (skip < line->len && (line->s[skip] == ' ' || line->s[skip] == '\t'))
		skip++;
	*s = line->s + skip;
	*n = line->len - skip;
	return true;
}

/* `625ed2bf049d ("subject")`, perhaps broken over lines. */
static bool read_commit(section_reader *r, const char *s, size_t len)
{
	const char *p = s, *end = s + len;
	size_t n;
	const char *hash = parser_word_next(&p, end, &n);

	if (!hash || !is_hex(hash, n) || r->report->commit)
		return false;
	r->report->commit = g_ascii_strdown(hash, (gssize)n);

	g_autoptr(GString) rest = g_string_new_len(p, end - p);
	while (!g_str_has_suffix(rest->str, "\")") && rest->len < VALUE_MAX &&
	       below(r)) {
		const text_line *line = below(r);

		if (memmem(line->s, line->len, "://", 3) && !strchr(rest->str, '"'))
			break;
		g_string_append_c(rest, ' ');
		g_string_append_len(rest, line->s, (gssize)line->len);
		r->i++;
	}
	g_strstrip(rest->str);

	size_t length = strlen(rest->str);

	/* Of `(")` the two ends would be one. */
	if (length > 4 && g_str_has_prefix(rest->str, "(\"") &&
	    g_str_has_suffix(rest->str, "\")"))
		r->report->commit_subject = g_strndup(rest->str + 2, length - 4);
	return true;
}

static bool is_url(const text_line *line)
{
	static const char *const schemes[] = { "https://", "http://", "git://",
					       "ssh://", NULL };

	for (const char *const *scheme = schemes; *scheme; scheme++)
		if (parser_line_starts(line, *scheme))
			return true;
	return false;
}

/* "https://.../linux.git master" below the commit; the branch may have been broken off.
 */
static bool read_tree_line(section_reader *r, const text_line *line)
{
	g_autofree char *text = NULL;

	if (r->report->url || r->report->testcase || !is_url(line))
		return false;
	text = g_strndup(line->s, line->len);
	if (!r->report->commit && (!strchr(text, ' ') || strchr(text, '@')))
		return false; /* some link of a preface */
	if (!strchr(text, ' ') && below(r) &&
	    !memchr(below(r)->s, ' ', below(r)->len) &&
	    !memchr(below(r)->s, ':', below(r)->len)) {
		const text_line *next = below(r);
		char *joined =
			g_strdup_printf("%s %.*s", text, (int)next->len, next->s);

		g_free(text);
		text = joined;
		r->i++;
	}
	report_tree_of_url(text, r->report);
	return true;
}

/* "[still regression on linux-next/master <hex>]" */
static bool read_still(section_reader *r, const text_line *line)
{
	const char *p = line->s + 1, *end = line->s + line->len, *s;
	size_t n;
	g_autofree char *name = NULL;

	if (!parser_line_starts(line, "[test failed on ") &&
	    !parser_line_starts(line, "[still "))
		return false;
	if (end[-1] == ']')
		end--;
	while ((s = parser_word_next(&p, end, &n))) {
		if (memchr(s, '/', n)) {
			g_free(name);
			name = g_strndup(s, n);
		} else if (name && is_hex(s, n)) {
			g_autofree char *hash = g_strndup(s, n);

			g_ptr_array_add(r->report->still_failing,
					parser_pair_new(name, hash));
			return true;
		}
	}
	return name != NULL;
}

/* "name: value" of a block. */
static bool split_pair(const text_line *line, char **name, char **value)
{
	const char *colon = memchr(line->s, ':', line->len);
	size_t n;

	if (!colon || colon == line->s)
		return false;
	n = (size_t)(colon - line->s);
	for (size_t i = 0; i < n; i++)
		if (!g_ascii_isalnum(line->s[i]) && !strchr("_-.+/", line->s[i]))
			return false;
	if (n + 1 < line->len && line->s[n + 1] != ' ' && line->s[n + 1] != '\t')
		return false;
	*name = g_strndup(line->s, n);
	*value = g_strstrip(g_strndup(colon + 1, line->len - n - 1));
	return true;
}

/* A line of the block that is open: parameters, or trees that still show the change. */
static bool read_block_line(section_reader *r, const text_line *line)
{
	g_autofree char *name = NULL, *value = NULL;

	if (r->section != SECTION_PARAMETERS && r->section != SECTION_STILL)
		return false;
	if (parser_line_starts(line, "test-") || !split_pair(line, &name, &value)) {
		if (r->section == SECTION_PARAMETERS)
			r->section = SECTION_NONE;
		return false;
	}
	if (r->section == SECTION_PARAMETERS)
		g_ptr_array_add(r->report->parameters, parser_pair_new(name, value));
	else if (strchr(name, '/') && is_hex(value, strlen(value)))
		g_ptr_array_add(r->report->still_failing, parser_pair_new(name, value));
	r->started = true;
	return true;
}

static void set_once(char **field, const char *s, size_t len)
{
	if (!*field)
		*field = g_strndup(s, len);
}

/* A machine's description that a reply's quotes broke: it ends before the parameters.
 */
static void join_machine(section_reader *r)
{
	const text_line *line = below(r);

	if (!r->like->quoted || !line || memchr(line->s, ':', line->len) ||
	    report_impact_line(line, r->report->impacts))
		return;

	char *joined =
		g_strdup_printf("%s %.*s", r->report->machine, (int)line->len, line->s);
	g_free(r->report->machine);
	r->report->machine = joined;
	r->i++;
}

/* A label whose value is plain text. */
static bool read_plain(section_reader *r, const text_line *line)
{
	parser_report *report = r->report;
	const struct {
		const char *label;
		char **field;
	} plain[] = {
		/* clang-format off */
		{ "in testcase:",     &report->testcase },
		{ "testcase:",        &report->testcase },
		{ "config:",          &report->config },
		{ "compiler:",        &report->compiler },
		{ "on test machine:", &report->machine },
		{ "test machine:",    &report->machine },
		{ "url:",             &report->url },
		{ "base:",            &report->base },
		{ "patch link:",      &report->patch_link },
		{ "patch subject:",   &report->patch_subject },
		/* clang-format on */
	};

	for (size_t i = 0; i < G_N_ELEMENTS(plain); i++) {
		const char *s;
		size_t n;

		if (!after_label(line, plain[i].label, &s, &n))
			continue;
		if (n == 0 && below(r)) { /* broken behind the label */
			s = below(r)->s;
			n = below(r)->len;
			r->i++;
		}
		set_once(plain[i].field, s, n);
		if (plain[i].field == &report->machine)
			join_machine(r);
		r->traits->config = r->traits->config ||
				    plain[i].field == &report->config ||
				    plain[i].field == &report->compiler;
		return true;
	}
	return false;
}

/* "test case: brickland3/vm-scalability/300s-mmap": box, test, parameters in one. */
static bool read_test_case(section_reader *r, const text_line *line)
{
	const char *s;
	size_t n;
	g_auto(GStrv) parts = NULL;
	g_autofree char *text = NULL;

	if (!after_label(line, "test case:", &s, &n) || n == 0)
		return false;
	r->traits->test_case = true;
	text = g_strndup(s, n);
	parts = g_strsplit(text, "/", 3);
	if (g_strv_length(parts) < 2) {
		set_once(&r->report->testcase, s, n);
		return true;
	}
	set_once(&r->report->machine, parts[0], strlen(parts[0]));
	set_once(&r->report->testcase, parts[1], strlen(parts[1]));
	if (parts[2])
		g_ptr_array_add(r->report->parameters,
				parser_pair_new("path_params", parts[2]));
	return true;
}

/* The lines that the robot offers for copying; they name its own mail. */
static bool read_tags(section_reader *r, const text_line *line)
{
	text_line tag = *line;
	bool bar = line->len > 1 && line->s[0] == '|';
	bool link;

	if (bar) {
		tag.s++;
		tag.len--;
		while (tag.len > 0 && *tag.s == ' ') {
			tag.s++;
			tag.len--;
		}
	}
	if (parser_line_starts(&tag, "Reported-by:")) {
		r->traits->bar_tags = r->traits->bar_tags || bar;
		r->section = SECTION_NONE;
		return true;
	}
	link = parser_line_starts(&tag, "Link:");
	if (!bar || (!link && !parser_line_starts(&tag, "Closes:")))
		return false;

	const char *s = memchr(tag.s, ':', tag.len);
	size_t n = tag.len - (size_t)(s + 1 - tag.s);
	for (s++; n > 0 && *s == ' '; n--)
		s++;
	if (n == 0 && below(r) && is_url(below(r))) { /* broken behind the label */
		s = below(r)->s;
		n = below(r)->len;
	}
	r->traits->bar_link = r->traits->bar_link || link;
	if (!r->report->closes)
		r->report->closes = parser_url_message_id(s, n);
	return true;
}

static bool read_label(section_reader *r, const text_line *line)
{
	const char *s;
	size_t n;

	if (after_label(line, "commit:", &s, &n) ||
	    after_label(line, "commit ", &s, &n)) {
		r->traits->old_commit = r->traits->old_commit || line->s[6] != ':';
		return read_commit(r, s, n);
	}
	if (parser_line_starts(line, "with following parameters:") ||
	    parser_line_starts(line, "parameters:")) {
		r->section =
			r->report->parameters->len ? SECTION_NONE : SECTION_PARAMETERS;
		r->started = false;
		return true;
	}
	if (parser_line_starts(line, "still regression on:")) {
		r->section = SECTION_STILL;
		r->started = false;
		return true;
	}
	return read_still(r, line) || read_test_case(r, line) ||
	       read_tree_line(r, line) || read_plain(r, line);
}

static void read_line(section_reader *r, const text_line *line)
{
	if (line->len == 0) {
		/* a block ends at the first empty line behind its lines */
		if (r->started)
			r->section = SECTION_NONE;
		return;
	}
	if (is_end(line)) {
		r->section = SECTION_END;
		return;
	}
	if (report_impact_line(line, r->report->impacts) || read_tags(r, line))
		return;
	if (!read_block_line(r, line))
		read_label(r, line);
}

void report_sections_read(const GArray *lines, size_t start, const text_line *like,
			  parser_report *report, report_traits *traits)
{
	section_reader r = { .lines = lines,
			     .i = start,
			     .like = like,
			     .report = report,
			     .traits = traits };
	size_t end = MIN(lines->len, start + SECTION_LINES);

	for (; r.i < end && r.section != SECTION_END; r.i++) {
		const text_line *line = parser_line_at(lines, r.i);

		if (line->len == 0 || belongs(&r, line))
			read_line(&r, line);
	}
}
