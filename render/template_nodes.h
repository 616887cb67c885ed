/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A compiled template: what template.c makes and template_expand.c walks. */
#ifndef RENDER_TEMPLATE_NODES_H
#define RENDER_TEMPLATE_NODES_H

#include <glib.h>
#include <stddef.h>

#include "render/template.h"

typedef enum node_kind {
	NODE_TEXT,
	NODE_VALUE, /* escaped for where it stands */
	NODE_RAW,
	NODE_SECTION,
	NODE_INVERTED,
	NODE_CLOSE,
	NODE_PARTIAL
} node_kind;

typedef struct template_node {
	node_kind kind;
	unsigned line; /* 1-based */
	size_t start;  /* NODE_TEXT: offset and length in the program's text */
	size_t length;
	char *name;       /* as written, "." or dotted; NULL for text */
	char **path;      /* the name's parts; NULL for "." and partials */
	char *indent;     /* of a partial that stands alone on its line; "" else */
	unsigned partner; /* section: index of its close */
} template_node;

/* One text, compiled: the template itself or one of its partials. */
typedef struct template_program {
	char *name;
	char *text;
	size_t length;
	GArray *nodes; /* template_node */
} template_program;

struct render_template {
	render_template_options options;
	template_program *main;
};

template_program *template_program_compile(const char *name, const char *text,
					   const char *indent, GError **error);
void template_program_free(template_program *p);

/* Sets RENDER_ERROR_TEMPLATE "name:line: what". */
void template_fail(GError **error, const template_program *p, unsigned line,
		   const char *format, ...) G_GNUC_PRINTF(4, 5);

/* Appends a value's text, escaped; false if it must not stand there. */
bool template_escape(render_escape escape, const char *text, size_t length,
		     GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(template_program, template_program_free)

#endif
