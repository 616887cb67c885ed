/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expansion of compiled templates: one loop over a stack of frames, no recursion. */
#include <string.h>

#include "render/render.h"
#include "render/template_nodes.h"

#define FRAMES_MAX (RENDER_TEMPLATE_DEPTH_MAX * (RENDER_TEMPLATE_DEPTH_MAX + 1))

/* A run of nodes on its way: a program's whole, or a section's inside. */
typedef struct frame {
	const template_program *p;
	unsigned start, at, end;
	const json_t *list; /* what a section repeats over; NULL else */
	size_t item;
	bool pushed; /* it has put a value on the stack of contexts */
	bool partial;
} frame;

typedef struct expansion {
	const render_template *t;
	GArray *frames;       /* frame */
	GPtrArray *contexts;  /* const json_t *, innermost last */
	GHashTable *partials; /* "name\nindent" -> template_program */
	unsigned depth;       /* partials open */
	unsigned steps;
	GString *out;
	GError **error;
} expansion;

/* What is not safe in a mail, and broken UTF-8, becomes U+FFFD. */
static void escape_text(const char *text, size_t length, GString *out)
{
	const char *end = text + length;
	unsigned letter = RENDER_NO_LETTER;

	while (text < end) {
		gunichar c = g_utf8_get_char_validated(text, end - text);

		if (c >= 0x110000) {
			g_string_append_unichar(out, 0xfffd);
			text++;
			continue;
		}
		render_append_safe(out, c, true, &letter);
		text += c ? g_unichar_to_utf8(c, NULL) : 1;
	}
}

static void escape_html(const char *text, size_t length, GString *out)
{
	for (size_t i = 0; i < length; i++)
		switch (text[i]) {
		case '&':
			g_string_append(out, "&amp;");
			break;
		case '<':
			g_string_append(out, "&lt;");
			break;
		case '>':
			g_string_append(out, "&gt;");
			break;
		case '"':
			g_string_append(out, "&quot;");
			break;
		case '\'':
			g_string_append(out, "&#39;");
			break;
		default:
			g_string_append_c(out, text[i]);
		}
}

bool template_escape(render_escape escape, const char *text, size_t length,
		     GString *out)
{
	switch (escape) {
	case RENDER_ESCAPE_TEXT:
		escape_text(text, length, out);
		return true;
	case RENDER_ESCAPE_HEADER:
		for (size_t i = 0; i < length; i++)
			if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
				return false;
		escape_text(text, length, out);
		return true;
	case RENDER_ESCAPE_HTML:
		escape_html(text, length, out);
		return true;
	default:
		g_string_append_len(out, text, (gssize)length);
		return true;
	}
}

/* ---- names --------------------------------------------------------------------- */

/* The value of a node's name in the contexts, innermost first; NULL if there is none.
 */
static const json_t *lookup(const expansion *e, const template_node *n)
{
	const json_t *value = NULL;

	if (!n->path)
		return g_ptr_array_index(e->contexts, e->contexts->len - 1);
	for (guint i = e->contexts->len; i > 0 && !value; i--)
		value = json_object_get(g_ptr_array_index(e->contexts, i - 1),
					n->path[0]);
	for (char **part = n->path + 1; value && *part; part++)
		value = json_object_get(value, *part);
	return value;
}

static bool is_false(const json_t *value)
{
	return !value || json_is_null(value) || json_is_false(value) ||
	       (json_is_array(value) && json_array_size(value) == 0) ||
	       (json_is_string(value) && json_string_length(value) == 0);
}

/* The fewest digits that read back as the same number. */
static void append_real(double value, GString *out)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];

	for (int digits = 15; digits <= 17; digits++) {
		char format[8];

		g_snprintf(format, sizeof(format), "%%.%dg", digits);
		g_ascii_formatd(buffer, sizeof(buffer), format, value);
		if (g_ascii_strtod(buffer, NULL) == value)
			break;
	}
	g_string_append(out, buffer);
}

static bool append_value(const expansion *e, const template_program *p,
			 const template_node *n, const json_t *value)
{
	render_escape escape = e->t->options.escape;

	if (n->kind == NODE_RAW)
		escape = RENDER_ESCAPE_NONE;
	switch (json_typeof(value)) {
	case JSON_STRING:
		if (template_escape(escape, json_string_value(value),
				    json_string_length(value), e->out))
			return true;
		template_fail(e->error, p, n->line,
			      "%s holds a control character, which no header may hold",
			      n->name);
		return false;
	case JSON_INTEGER:
		g_string_append_printf(e->out, "%" JSON_INTEGER_FORMAT,
				       json_integer_value(value));
		return true;
	case JSON_REAL:
		append_real(json_real_value(value), e->out);
		return true;
	case JSON_TRUE:
	case JSON_FALSE:
		g_string_append(e->out, json_is_true(value) ? "true" : "false");
		return true;
	case JSON_NULL:
		return true;
	default:
		template_fail(e->error, p, n->line, "%s is a list or an object",
			      n->name);
		return !e->t->options.strict;
	}
}

/* ---- steps --------------------------------------------------------------------- */

static bool push(expansion *e, const template_program *p, unsigned line, frame f)
{
	if (e->frames->len == FRAMES_MAX) {
		template_fail(e->error, p, line, "sections and partials without end");
		return false;
	}
	g_array_append_val(e->frames, f);
	return true;
}

static bool step_section(expansion *e, const template_program *p, unsigned index,
			 const json_t *value)
{
	const template_node *n = &g_array_index(p->nodes, template_node, index);
	frame f = { .p = p, .start = index + 1, .at = index + 1, .end = n->partner };

	if (is_false(value) != (n->kind == NODE_INVERTED))
		return true;
	if (n->kind == NODE_SECTION) {
		f.pushed = true;
		f.list = json_is_array(value) ? value : NULL;
		g_ptr_array_add(e->contexts,
				(gpointer)(f.list ? json_array_get(value, 0) : value));
	}
	return push(e, p, n->line, f);
}

/* What errors call a partial: the file that it stands in.  g_free. */
static char *partial_title(const render_template_options *o, const char *name)
{
	return g_strconcat(o->partial_before ? o->partial_before : "", name,
			   o->partial_behind, NULL);
}

static const template_program *find_partial(expansion *e, const template_program *p,
					    const template_node *n)
{
	g_autofree char *key = g_strconcat(n->name, "\n", n->indent, NULL);
	template_program *found = g_hash_table_lookup(e->partials, key);
	const render_template_options *o = &e->t->options;
	const char *text;

	if (found)
		return found;
	text = o->partial ? o->partial(n->name, o->context) : NULL;
	if (!text && o->strict) {
		template_fail(e->error, p, n->line, "there is no template %s", n->name);
		return NULL;
	}

	g_autofree char *title = partial_title(o, n->name);

	found = template_program_compile(title, text ? text : "", n->indent, e->error);
	if (found)
		g_hash_table_insert(e->partials, g_steal_pointer(&key), found);
	return found;
}

static bool step_partial(expansion *e, const template_program *p,
			 const template_node *n)
{
	const template_program *found;

	if (e->depth == RENDER_TEMPLATE_DEPTH_MAX) {
		template_fail(e->error, p, n->line,
			      "partials are nested deeper than %u",
			      RENDER_TEMPLATE_DEPTH_MAX);
		return false;
	}
	found = find_partial(e, p, n);
	if (!found)
		return false;
	e->depth++;
	return push(e, p, n->line,
		    (frame){ .p = found, .end = found->nodes->len, .partial = true });
}

static bool step_node(expansion *e, const template_program *p, unsigned index)
{
	const template_node *n = &g_array_index(p->nodes, template_node, index);
	const json_t *value;

	switch (n->kind) {
	case NODE_TEXT:
		g_string_append_len(e->out, p->text + n->start, (gssize)n->length);
		return true;
	case NODE_CLOSE:
		return true;
	case NODE_PARTIAL:
		return step_partial(e, p, n);
	default:
		break;
	}
	value = lookup(e, n);
	if (!value && e->t->options.strict) {
		template_fail(e->error, p, n->line, "there is no %s", n->name);
		return false;
	}
	if (n->kind == NODE_SECTION || n->kind == NODE_INVERTED)
		return step_section(e, p, index, value);
	return !value || append_value(e, p, n, value);
}

/* At the end of a frame: the next item of its list, or out of it. */
static void leave(expansion *e)
{
	frame *f = &g_array_index(e->frames, frame, e->frames->len - 1);

	if (f->list && f->item + 1 < json_array_size(f->list)) {
		f->item++;
		f->at = f->start;
		g_ptr_array_index(e->contexts, e->contexts->len - 1) =
			json_array_get(f->list, f->item);
		return;
	}
	if (f->pushed)
		g_ptr_array_set_size(e->contexts, (int)e->contexts->len - 1);
	if (f->partial)
		e->depth--;
	g_array_set_size(e->frames, e->frames->len - 1);
}

static bool within_limits(expansion *e, const frame *f)
{
	const GArray *nodes = f->p->nodes;

	if (++e->steps <= RENDER_TEMPLATE_STEPS_MAX &&
	    e->out->len <= RENDER_TEMPLATE_OUTPUT_MAX)
		return true;
	template_fail(e->error, f->p,
		      f->at < nodes->len ?
			      g_array_index(nodes, template_node, f->at).line :
			      0,
		      "the text grows without end");
	return false;
}

static bool run(expansion *e)
{
	while (e->frames->len > 0) {
		frame *f = &g_array_index(e->frames, frame, e->frames->len - 1);
		const template_program *p = f->p;
		unsigned at = f->at;
		const template_node *n;

		if (!within_limits(e, f))
			return false;
		if (at == f->end) {
			leave(e);
			continue;
		}
		n = &g_array_index(p->nodes, template_node, at);
		f->at = n->partner ? n->partner + 1 : at + 1;
		if (!step_node(e, p, at))
			return false;
	}
	return true;
}

bool render_template_expand(const render_template *t, const json_t *value, GString *out,
			    GError **error)
{
	GString *text = g_string_new(NULL);
	expansion e = { .t = t, .out = text, .error = error };
	frame top = { .p = t->main, .end = t->main->nodes->len };
	bool good;

	e.frames = g_array_new(FALSE, FALSE, sizeof(frame));
	e.contexts = g_ptr_array_new();
	e.partials = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					   (GDestroyNotify)template_program_free);
	g_array_append_val(e.frames, top);
	g_ptr_array_add(e.contexts, (gpointer)value);
	good = run(&e);
	if (good)
		g_string_append_len(out, text->str, (gssize)text->len);
	g_array_unref(e.frames);
	g_ptr_array_unref(e.contexts);
	g_hash_table_unref(e.partials);
	g_string_free(text, TRUE);
	return good;
}

/* ---- loading ------------------------------------------------------------------- */

static bool known(const char *const *names, const char *name)
{
	for (; *names; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

/* Every name of a program is known; its partials join the work that is left. */
static bool check_program(const render_template_options *o, const template_program *p,
			  GPtrArray *work, GError **error)
{
	for (guint i = 0; i < p->nodes->len; i++) {
		const template_node *n = &g_array_index(p->nodes, template_node, i);

		if (n->path && o->names && !known(o->names, n->path[0])) {
			template_fail(error, p, n->line, "there is no %s", n->name);
			return false;
		}
		if (n->kind != NODE_PARTIAL)
			continue;
		if (!o->partial || !o->partial(n->name, o->context)) {
			template_fail(error, p, n->line, "there is no template %s",
				      n->name);
			return false;
		}
		g_ptr_array_add(work, g_strdup(n->name));
	}
	return true;
}

static bool check_all(const render_template *t, GError **error)
{
	g_autoptr(GPtrArray) work = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	if (!check_program(&t->options, t->main, work, error))
		return false;
	for (guint i = 0; i < work->len; i++) {
		const char *name = g_ptr_array_index(work, i);
		g_autoptr(template_program) p = NULL;

		if (!g_hash_table_add(seen, (gpointer)name))
			continue;

		g_autofree char *title = partial_title(&t->options, name);

		p = template_program_compile(
			title, t->options.partial(name, t->options.context), "", error);
		if (!p || !check_program(&t->options, p, work, error))
			return false;
	}
	return true;
}

render_template *render_template_compile(const char *name, const char *text,
					 const render_template_options *options,
					 GError **error)
{
	g_autoptr(render_template) t = g_new0(render_template, 1);

	t->options = *options;
	t->main = template_program_compile(name, text, "", error);
	if (!t->main || (options->strict && !check_all(t, error)))
		return NULL;
	return g_steal_pointer(&t);
}

void render_template_free(render_template *t)
{
	if (!t)
		return;
	template_program_free(t->main);
	g_free(t);
}
