/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to render: the wording of mails, from templates by name. */
#ifndef RENDER_WORDING_H
#define RENDER_WORDING_H

#include <jansson.h>

#include "render/render.h"

/* Where templates come from, and the names that those of one kind of mail may use. */
typedef struct wording {
	render_text_fn text;
	void *context;
	const char *const *names; /* ends with NULL */
} wording;

/* A template of the mail and how its values are escaped. */
typedef struct wording_template {
	const char *name; /* "robot" for mail/robot.mustache */
	render_escape escape;
} wording_template;

/* Compiles it; RENDER_ERROR_TEMPLATE names the file. */
render_template *wording_load(const wording *w, const wording_template *which,
			      GError **error);

/* The same, expanded.  g_free. */
char *wording_expand(const wording *w, const wording_template *which,
		     const json_t *value, GError **error);

/* "Re: " once before a subject, whatever stood before.  g_free. */
char *wording_reply(const char *subject);

#endif
