/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The core of mustache: comments, set-delimiter, interpolation, sections, inverted
 * sections, partials.  https://github.com/mustache/spec
 */
#ifndef RENDER_TEMPLATE_H
#define RENDER_TEMPLATE_H

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

#define RENDER_TEMPLATE_DEPTH_MAX  64u         /* open sections; partials in partials */
#define RENDER_TEMPLATE_STEPS_MAX  (16u << 20) /* nodes walked in one expansion */
#define RENDER_TEMPLATE_OUTPUT_MAX (64u << 20) /* bytes */

typedef enum render_escape {
	RENDER_ESCAPE_TEXT,   /* control characters (but LF, TAB) become U+FFFD */
	RENDER_ESCAPE_HEADER, /* CR, LF, NUL or another control character is an error */
	RENDER_ESCAPE_HTML,
	RENDER_ESCAPE_NONE
} render_escape;

typedef struct render_template render_template;

/* Looks up a partial's text by name; NULL if there is none.  The text is lent. */
typedef const char *(*render_partial_fn)(const char *name, void *context);

typedef struct render_template_options {
	render_escape escape;
	bool strict; /* an unknown name or partial is an error, not an empty string */
	const char *const
		*names; /* strict: first parts of all names that exist, ended by
			   NULL, so that loading finds a wrong one; may be NULL */
	render_partial_fn partial;
	/* How errors call a partial, before and behind its name; NULL = by its name. */
	const char *partial_before, *partial_behind;
	void *context;
} render_template_options;

/*
 * Compiles a template; RENDER_ERROR_TEMPLATE says "name:line: what".  With `strict` the
 * partials that it reaches are compiled too.  options are copied, names and context
 * lent.
 */
render_template *render_template_compile(const char *name, const char *text,
					 const render_template_options *options,
					 GError **error);
void render_template_free(render_template *t);

/*
 * Expands it over a JSON value; appends to out, which is unchanged on failure.  What
 * would pass one of the limits above (partials that include each other for ever) is an
 * error. Beyond the specification an empty string is false.
 */
bool render_template_expand(const render_template *t, const json_t *value, GString *out,
			    GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(render_template, render_template_free)

#endif
