/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/wording.h"

static const char *partial_text(const char *name, void *context)
{
	const wording *w = context;
	g_autofree char *file = g_strdup_printf("mail/%s.mustache", name);

	return w->text(file, w->context);
}

render_template *wording_load(const wording *w, const wording_template *which,
			      GError **error)
{
	g_autofree char *file = g_strdup_printf("mail/%s.mustache", which->name);
	const char *text = w->text(file, w->context);
	const render_template_options options = { .escape = which->escape,
						  .strict = true,
						  .names = w->names,
						  .partial = partial_text,
						  .partial_before = "mail/",
						  .partial_behind = ".mustache",
						  .context = (void *)w };

	if (!text) {
		g_set_error(error, RENDER_ERROR, RENDER_ERROR_TEMPLATE,
			    "there is no template %s", file);
		return NULL;
	}
	return render_template_compile(file, text, &options, error);
}

char *wording_expand(const wording *w, const wording_template *which,
		     const json_t *value, GError **error)
{
	g_autoptr(render_template) compiled = wording_load(w, which, error);
	g_autoptr(GString) out = g_string_new(NULL);

	if (!compiled || !render_template_expand(compiled, value, out, error))
		return NULL;
	return g_strdup(out->str);
}

char *wording_reply(const char *subject)
{
	while (g_ascii_strncasecmp(subject, "re:", 3) == 0) {
		subject += 3;
		while (*subject == ' ' || *subject == '\t')
			subject++;
	}
	return g_strconcat("Re: ", subject, NULL);
}
