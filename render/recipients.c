/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who gets a report: the culprit's people, configured lists, what cc-cmd says. */
#include <string.h>

#include "render/render.h"

/* Trailers of people who answer for the commit. */
static const char *const signers[] = { "Signed-off-by", "Co-developed-by",
				       "Reviewed-by", "Acked-by" };

/* ---- one address ---------------------------------------------------------------- */

char *render_display_name(const char *text, size_t length)
{
	g_autofree char *name = g_strstrip(g_strndup(text, length));
	size_t n = strlen(name);
	GString *out;

	if (n < 2 || name[0] != '"' || name[n - 1] != '"')
		return g_steal_pointer(&name);
	out = g_string_new(NULL);
	for (size_t i = 1; i + 1 < n; i++) {
		if (name[i] == '\\' && i + 2 < n)
			i++;
		g_string_append_c(out, name[i]);
	}
	return g_string_free(out, FALSE);
}

/*
 * "Name <address> # remark", "<address>", "address (remark)".  NULL when there is no
 * address that could be sent to.
 */
static parser_address *read_address(const char *text)
{
	const char *open = strrchr(text, '<');
	const char *start = open ? open + 1 : text + strspn(text, " \t");
	size_t length = strcspn(start, open ? ">" : " \t(#,;");
	g_autofree char *address = g_strstrip(g_strndup(start, length));
	g_autofree char *name =
		open ? render_display_name(text, (size_t)(open - text)) : NULL;

	if (!render_address_is_valid(address))
		return NULL;
	return parser_address_new(name && *name ? name : NULL, address);
}

static bool fail_address(const char *where, const char *text, GError **error)
{
	g_autofree char *shown = g_strescape(text, NULL);

	g_set_error(error, RENDER_ERROR, RENDER_ERROR_INPUT,
		    "%s: '%.200s' is not an address", where, shown);
	return false;
}

/* Behind a quoted name, or the text itself if it does not begin with one. */
static const char *skip_quoted(const char *text)
{
	const char *p = text + 1;

	if (*text != '"')
		return text;
	while (*p && *p != '"')
		p += *p == '\\' && p[1] ? 2 : 1;
	return *p ? p + 1 : text;
}

/* Behind "(remark)", which may hold further brackets. */
static const char *skip_remark(const char *p)
{
	unsigned depth = 0;

	for (; *p; p++) {
		depth += *p == '(';
		if (*p == ')' && --depth == 0)
			return p + 1;
	}
	return p;
}

/* True if nothing stands behind the address but a remark. */
static bool is_one_address(const char *line)
{
	const char *p = skip_quoted(line), *open = strchr(p, '<');

	p = open ? open + strcspn(open, ">") : p + strspn(p, " \t");
	p += open ? *p == '>' : strcspn(p, " \t(#,;");
	p += strspn(p, " \t");
	if (*p == '(')
		p = skip_remark(p);
	p += strspn(p, " \t,;");
	return !*p || *p == '#';
}

bool render_addresses_read(const char *text, GPtrArray *addresses, GError **error)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autoptr(GPtrArray) found =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_address_free);

	for (char **line = lines; *line; line++) {
		parser_address *a;

		if (!*g_strstrip(*line))
			continue;
		a = read_address(*line);
		if (!a)
			return fail_address("cc-cmd", *line, error);
		g_ptr_array_add(found, a);
		if (is_one_address(*line))
			continue;
		g_autofree char *shown = g_strescape(*line, NULL);
		g_set_error(error, RENDER_ERROR, RENDER_ERROR_INPUT,
			    "cc-cmd: '%.200s' is more than one address; each needs a "
			    "line of its own",
			    shown);
		return false;
	}
	g_ptr_array_extend_and_steal(addresses, g_steal_pointer(&found));
	return true;
}

/* ---- rules --------------------------------------------------------------------- */

/* '*' and '?', both sides in any case; one star at a time, so no explosion. */
static bool glob_matches(const char *glob, const char *text)
{
	const char *star = NULL;
	const char *again = NULL;

	while (*text) {
		if (*glob == '*') {
			star = ++glob;
			again = text;
		} else if (*glob == '?' ||
			   g_ascii_tolower(*glob) == g_ascii_tolower(*text)) {
			glob++;
			text++;
		} else if (star) {
			glob = star;
			text = ++again;
		} else {
			return false;
		}
	}
	while (*glob == '*')
		glob++;
	return !*glob;
}

static bool matches_any(const GPtrArray *globs, const char *address)
{
	for (guint i = 0; globs && i < globs->len; i++)
		if (glob_matches(g_ptr_array_index(globs, i), address))
			return true;
	return false;
}

/* Ours with or without "+something" before the @. */
static bool is_own(const GPtrArray *own, const char *address)
{
	const char *plus = strchr(address, '+');
	const char *at = strrchr(address, '@');
	g_autofree char *plain =
		plus && plus < at ?
			g_strdup_printf("%.*s%s", (int)(plus - address), address, at) :
			g_strdup(address);

	return matches_any(own, address) || matches_any(own, plain);
}

static bool is_there(const GPtrArray *all, const char *address)
{
	for (guint i = 0; i < all->len; i++) {
		const parser_address *a = g_ptr_array_index(all, i);

		if (g_ascii_strcasecmp(a->address, address) == 0)
			return true;
	}
	return false;
}

/* What the recipients are gathered in. */
typedef struct gathering {
	const render_recipient_rules *rules;
	GPtrArray *to, *cc; /* own their members */
} gathering;

/* Where an address comes from: what is said of it decides whether it may stay. */
typedef enum origin {
	NAMED,
	THREAD,
	CONFIGURED,
	COMMIT
} origin;

/* Why the rules forbid an address; NULL when they do not. */
static const char *forbidden(const render_recipient_rules *rules, const char *address,
			     origin from)
{
	bool list = matches_any(rules->list_addresses, address);

	if (is_own(rules->own, address))
		return "is our own address";
	if (matches_any(rules->stop, address))
		return "is on the stop list";
	if (list && rules->private_tree)
		return "is a public list, and the tree is private";
	if (list && rules->lists_kept_out && from != NAMED)
		return "is a list that gets no improvements";
	if (from == COMMIT && (list || matches_any(rules->robots, address)))
		return "is a list or a robot in a trailer";
	return NULL;
}

static void add(gathering *g, GPtrArray *where, const parser_address *a, origin from)
{
	if (!forbidden(g->rules, a->address, from) && !is_there(g->to, a->address) &&
	    !is_there(g->cc, a->address))
		g_ptr_array_add(where, parser_address_new(a->name, a->address));
}

static bool add_named(gathering *g, GPtrArray *where, const GPtrArray *all,
		      GError **error)
{
	for (guint i = 0; all && i < all->len; i++) {
		const parser_address *a = g_ptr_array_index(all, i);
		const char *why;

		if (!render_address_is_valid(a->address))
			return fail_address("recipient", a->address, error);
		why = forbidden(g->rules, a->address, NAMED);
		if (why) {
			g_set_error(error, RENDER_ERROR, RENDER_ERROR_INPUT,
				    "recipient %s %s", a->address, why);
			return false;
		}
		add(g, where, a, NAMED);
	}
	return true;
}

/* Those of a mail that was sent are no reason to fail. */
static void add_thread(gathering *g, GPtrArray *where, const GPtrArray *all)
{
	for (guint i = 0; all && i < all->len; i++) {
		const parser_address *a = g_ptr_array_index(all, i);

		if (render_address_is_valid(a->address))
			add(g, where, a, THREAD);
	}
}

static bool add_author(gathering *g, const parser_commit *culprit, GError **error)
{
	const parser_address author = { .name = culprit->author_name,
					.address = culprit->author_address };

	if (!author.address)
		return true;
	if (!render_address_is_valid(author.address))
		return g->rules->skip_unparsable ||
		       fail_address("author", author.address, error);
	add(g, g->to, &author, COMMIT);
	return true;
}

static bool is_signer(const char *trailer)
{
	for (size_t i = 0; i < G_N_ELEMENTS(signers); i++)
		if (g_ascii_strcasecmp(trailer, signers[i]) == 0)
			return true;
	return false;
}

static bool add_signers(gathering *g, const parser_commit *culprit, GError **error)
{
	for (guint i = 0; culprit->trailers && i < culprit->trailers->len; i++) {
		const parser_pair *t = g_ptr_array_index(culprit->trailers, i);
		parser_address *a;

		if (!is_signer(t->name))
			continue;
		a = read_address(t->value);
		if (a)
			add(g, g->cc, a, COMMIT);
		else if (!g->rules->skip_unparsable)
			return fail_address(t->name, t->value, error);
		parser_address_free(a);
	}
	return true;
}

static bool add_configured(gathering *g, const char *what, const GPtrArray *all,
			   GError **error)
{
	for (guint i = 0; all && i < all->len; i++) {
		const parser_address *a = g_ptr_array_index(all, i);

		if (!render_address_is_valid(a->address))
			return fail_address(what, a->address ? a->address : "", error);
		add(g, g->cc, a, CONFIGURED);
	}
	return true;
}

static bool check_count(const gathering *g, GError **error)
{
	size_t max = g->rules->max ? g->rules->max : RENDER_RECIPIENTS_MAX;
	guint count = g->to->len + g->cc->len;
	g_autoptr(GString) names = NULL;

	if (count == 0) {
		g_set_error(error, RENDER_ERROR, RENDER_ERROR_INPUT,
			    "there is nobody to send to: %s",
			    g->rules->advice ? g->rules->advice :
					       "the commit names nobody, and no list "
					       "is configured for it");
		return false;
	}
	if (count <= max)
		return true;
	names = g_string_new(NULL);
	for (guint i = 0; i < count; i++) {
		const parser_address *a =
			i < g->to->len ? g_ptr_array_index(g->to, i) :
					 g_ptr_array_index(g->cc, i - g->to->len);

		g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", a->address);
	}
	g_set_error(error, RENDER_ERROR, RENDER_ERROR_INPUT,
		    "%u recipients are more than %zu: %s", count, max, names->str);
	return false;
}

bool render_recipients(const parser_commit *culprit,
		       const render_recipient_rules *rules, GPtrArray *to,
		       GPtrArray *cc, GError **error)
{
	GDestroyNotify free_address = (GDestroyNotify)parser_address_free;
	g_autoptr(GPtrArray) own_to = g_ptr_array_new_with_free_func(free_address);
	g_autoptr(GPtrArray) own_cc = g_ptr_array_new_with_free_func(free_address);
	gathering g = { .rules = rules, .to = own_to, .cc = own_cc };

	if (!add_named(&g, own_to, rules->to, error))
		return false;
	add_thread(&g, own_to, rules->thread_to);
	if ((culprit && !add_author(&g, culprit, error)) ||
	    !add_named(&g, own_cc, rules->cc, error))
		return false;
	add_thread(&g, own_cc, rules->thread_cc);
	if ((culprit && !add_signers(&g, culprit, error)) ||
	    !add_configured(&g, "list", rules->lists, error) ||
	    !add_configured(&g, "cc-cmd", rules->cc_cmd, error) ||
	    !check_count(&g, error))
		return false;
	if (own_to->len == 0)
		g_ptr_array_add(own_to, g_ptr_array_steal_index(own_cc, 0));
	g_ptr_array_extend_and_steal(to, g_steal_pointer(&own_to));
	g_ptr_array_extend_and_steal(cc, g_steal_pointer(&own_cc));
	return true;
}
