/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/template.h"

#include <string.h>

#include "render/render.h"
#include "render/template_nodes.h"

/* What compile_tag() works on. */
typedef struct compiler {
	template_program *p;
	size_t at;     /* where scanning goes on */
	unsigned line; /* of `counted` */
	size_t counted;
	char *open, *close;
	unsigned stack[RENDER_TEMPLATE_DEPTH_MAX]; /* indices of open sections */
	unsigned depth;
} compiler;

/* A tag as it stands in the text. */
typedef struct tag {
	size_t start, end;   /* of the whole tag */
	char sigil;          /* one of #^/!>=&{ or 0 */
	const char *content; /* without sigil and outer white space */
	size_t length;
	unsigned line;
} tag;

void template_fail(GError **error, const template_program *p, unsigned line,
		   const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_autofree char *what = g_strdup_vprintf(format, args);
	va_end(args);
	g_set_error(error, RENDER_ERROR, RENDER_ERROR_TEMPLATE, "%s:%u: %s", p->name,
		    line, what);
}

static void node_clear(gpointer data)
{
	template_node *n = data;

	g_free(n->name);
	g_strfreev(n->path);
	g_free(n->indent);
}

void template_program_free(template_program *p)
{
	if (!p)
		return;
	g_free(p->name);
	g_free(p->text);
	g_array_unref(p->nodes);
	g_free(p);
}

/* The partial's lines moved right, as the specification wants before compiling. */
static char *indented(const char *text, const char *indent)
{
	GString *out = g_string_new(NULL);

	while (*text) {
		const char *end = strchr(text, '\n');
		size_t length = end ? (size_t)(end - text) + 1 : strlen(text);

		g_string_append(out, indent);
		g_string_append_len(out, text, (gssize)length);
		text += length;
	}
	return g_string_free(out, FALSE);
}

static unsigned line_at(compiler *c, size_t offset)
{
	const char *text = c->p->text;
	const char *from = text + c->counted;
	const char *nl;

	while ((nl = memchr(from, '\n', (size_t)(text + offset - from)))) {
		c->line++;
		from = nl + 1;
	}
	c->counted = offset;
	return c->line;
}

static void add_text(compiler *c, size_t start, size_t end)
{
	template_node node = { .kind = NODE_TEXT,
			       .start = start,
			       .length = end - start };

	if (end > start)
		g_array_append_val(c->p->nodes, node);
}

/* Finds the end of the tag that opens at t->start and cuts out its content. */
static bool read_tag(compiler *c, tag *t, GError **error)
{
	const char *text = c->p->text;
	size_t from = t->start + strlen(c->open);
	g_autofree char *closing = NULL;

	t->line = line_at(c, t->start);
	t->sigil =
		from < c->p->length && strchr("#^/!>=&{", text[from]) ? text[from] : 0;
	if (t->sigil)
		from++;
	if (t->sigil == '{')
		closing = g_strconcat("}", c->close, NULL);
	else if (t->sigil == '=')
		closing = g_strconcat("=", c->close, NULL);
	else
		closing = g_strdup(c->close);

	const char *end = strstr(text + from, closing);
	if (!end) {
		template_fail(error, c->p, t->line, "tag is not closed by %s", closing);
		return false;
	}
	t->end = (size_t)(end - text) + strlen(closing);
	t->content = text + from;
	t->length = (size_t)(end - t->content);
	while (t->length && g_ascii_isspace(*t->content)) {
		t->content++;
		t->length--;
	}
	while (t->length && g_ascii_isspace(t->content[t->length - 1]))
		t->length--;
	return true;
}

/*
 * Tags that print nothing take their whole line with them when nothing else stands on
 * it.  On true, *start and *end are the line's bounds.
 */
static bool stands_alone(const compiler *c, const tag *t, size_t *start, size_t *end)
{
	const char *text = c->p->text;
	size_t s = t->start;
	size_t e = t->end;

	if (!t->sigil || strchr("&{", t->sigil))
		return false;
	while (s > 0 && (text[s - 1] == ' ' || text[s - 1] == '\t'))
		s--;
	if (s > 0 && text[s - 1] != '\n')
		return false;
	while (text[e] == ' ' || text[e] == '\t')
		e++;
	if (text[e] == '\r' && text[e + 1] == '\n')
		e++;
	if (text[e] == '\n')
		e++;
	else if (text[e])
		return false;
	*start = s;
	*end = e;
	return true;
}

static bool has_space(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (g_ascii_isspace(text[i]))
			return true;
	return false;
}

static bool set_delimiters(compiler *c, const tag *t, GError **error)
{
	size_t first = 0;
	size_t second;

	while (first < t->length && !g_ascii_isspace(t->content[first]))
		first++;
	second = first;
	while (second < t->length && g_ascii_isspace(t->content[second]))
		second++;
	if (first == 0 || second == t->length || memchr(t->content, '=', t->length) ||
	    has_space(t->content + second, t->length - second)) {
		template_fail(error, c->p, t->line,
			      "delimiters must be two words without '='");
		return false;
	}
	g_free(c->open);
	g_free(c->close);
	c->open = g_strndup(t->content, first);
	c->close = g_strndup(t->content + second, t->length - second);
	return true;
}

static bool open_section(compiler *c, const tag *t, GError **error)
{
	if (c->depth == RENDER_TEMPLATE_DEPTH_MAX) {
		template_fail(error, c->p, t->line,
			      "sections are nested deeper than %u",
			      RENDER_TEMPLATE_DEPTH_MAX);
		return false;
	}
	c->stack[c->depth++] = c->p->nodes->len;
	return true;
}

static bool close_section(compiler *c, const tag *t, GError **error)
{
	template_node *opened;

	if (c->depth == 0) {
		template_fail(error, c->p, t->line, "/%.*s closes nothing",
			      (int)t->length, t->content);
		return false;
	}
	opened = &g_array_index(c->p->nodes, template_node, c->stack[c->depth - 1]);
	if (strlen(opened->name) != t->length ||
	    memcmp(opened->name, t->content, t->length) != 0) {
		template_fail(error, c->p, t->line,
			      "/%.*s does not close #%s of line %u", (int)t->length,
			      t->content, opened->name, opened->line);
		return false;
	}
	opened->partner = c->p->nodes->len;
	c->depth--;
	return true;
}

static node_kind kind_of(char sigil)
{
	switch (sigil) {
	case '#':
		return NODE_SECTION;
	case '^':
		return NODE_INVERTED;
	case '/':
		return NODE_CLOSE;
	case '>':
		return NODE_PARTIAL;
	case '&':
	case '{':
		return NODE_RAW;
	default:
		return NODE_VALUE;
	}
}

/* "a.b.c" in parts; NULL with an error for an empty part. */
static char **path_of(compiler *c, const template_node *n, GError **error)
{
	g_auto(GStrv) path = g_strsplit(n->name, ".", -1);

	for (char **part = path; *part; part++)
		if (!**part) {
			template_fail(error, c->p, n->line, "%s is not a name",
				      n->name);
			return NULL;
		}
	return g_steal_pointer(&path);
}

/* Adds the node of a tag that is more than a comment or a change of delimiters. */
static bool add_node(compiler *c, const tag *t, char *indent, GError **error)
{
	template_node node = { .kind = kind_of(t->sigil), .line = t->line };

	node.indent = indent;
	if (t->length == 0 || has_space(t->content, t->length)) {
		template_fail(error, c->p, t->line, "'%.*s' is not a name",
			      (int)t->length, t->content);
		g_free(indent);
		return false;
	}
	node.name = g_strndup(t->content, t->length);
	if (node.kind != NODE_PARTIAL && node.kind != NODE_CLOSE &&
	    strcmp(node.name, ".") != 0)
		node.path = path_of(c, &node, error);
	if ((!node.path && node.kind != NODE_PARTIAL && node.kind != NODE_CLOSE &&
	     strcmp(node.name, ".") != 0) ||
	    ((node.kind == NODE_SECTION || node.kind == NODE_INVERTED) &&
	     !open_section(c, t, error)) ||
	    (node.kind == NODE_CLOSE && !close_section(c, t, error))) {
		node_clear(&node);
		return false;
	}
	g_array_append_val(c->p->nodes, node);
	return true;
}

/* The text up to the next tag, and that tag. */
static bool compile_tag(compiler *c, size_t start, GError **error)
{
	tag t = { .start = start };
	size_t line_start;
	size_t line_end;
	char *indent = NULL;

	if (!read_tag(c, &t, error))
		return false;
	if (stands_alone(c, &t, &line_start, &line_end)) {
		add_text(c, c->at, MAX(line_start, c->at));
		if (t.sigil == '>')
			indent = g_strndup(c->p->text + line_start, start - line_start);
		c->at = line_end;
	} else {
		add_text(c, c->at, start);
		c->at = t.end;
	}
	if (t.sigil == '!')
		return true;
	if (t.sigil == '=')
		return set_delimiters(c, &t, error);
	return add_node(c, &t, indent ? indent : g_strdup(""), error);
}

static bool compile_all(compiler *c, GError **error)
{
	const char *next;

	while ((next = strstr(c->p->text + c->at, c->open)))
		if (!compile_tag(c, (size_t)(next - c->p->text), error))
			return false;
	add_text(c, c->at, c->p->length);
	if (c->depth > 0) {
		const template_node *n = &g_array_index(c->p->nodes, template_node,
							c->stack[c->depth - 1]);

		template_fail(error, c->p, n->line, "#%s is never closed", n->name);
		return false;
	}
	return true;
}

template_program *template_program_compile(const char *name, const char *text,
					   const char *indent, GError **error)
{
	g_autoptr(template_program) p = g_new0(template_program, 1);
	compiler c = { .p = p, .line = 1 };
	bool good;

	p->name = g_strdup(name);
	p->text = *indent ? indented(text, indent) : g_strdup(text);
	p->length = strlen(p->text);
	p->nodes = g_array_new(FALSE, FALSE, sizeof(template_node));
	g_array_set_clear_func(p->nodes, node_clear);
	c.open = g_strdup("{{");
	c.close = g_strdup("}}");
	good = compile_all(&c, error);
	g_free(c.open);
	g_free(c.close);
	return good ? g_steal_pointer(&p) : NULL;
}
