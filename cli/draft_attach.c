/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What one needs to reproduce: the job, its script, the kernel's configuration. */
#include <string.h>

#include "cli/draft.h"
#include "mailer/mailer.h"

void draft_free_attachment(gpointer attachment)
{
	render_attachment_free(attachment);
}

static bool attach(draft *d, const char *name, GBytes *bytes, GError **error)
{
	g_autofree char *base = g_path_get_basename(name);

	for (guint i = 0; i < d->attachments->len; i++) {
		const render_attachment *a = g_ptr_array_index(d->attachments, i);

		if (strcmp(a->name, base) == 0)
			return draft_refuse(error, "%s: two attachments are named %s",
					    name, base);
	}
	/* Text is readable in every mail reader and archive, unlike types that these
	 * do not know. */
	g_ptr_array_add(d->attachments,
			render_attachment_new(base, "text/plain", bytes));
	return true;
}

static const parser_column *culprit_column(const draft *d)
{
	const render_comparison *headline = draft_headline(d);

	return g_ptr_array_index(headline->source->columns, headline->headline.column);
}

/* Job and script of the culprit's result root. */
static bool attach_materials(draft *d, GError **error)
{
	const char *root = culprit_column(d)->origin;

	if (!root || !g_file_test(root, G_FILE_TEST_IS_DIR))
		return true;

	g_autoptr(GPtrArray) blobs = mailer_root_materials(root, error);

	for (guint i = 0; blobs && i < blobs->len; i++) {
		const mailer_blob *blob = g_ptr_array_index(blobs, i);

		if (!attach(d, blob->name, blob->bytes, error))
			return false;
	}
	return blobs != NULL;
}

/* The configured file of the kernel's configuration, under its own name. */
static bool attach_config(draft *d, GError **error)
{
	g_autofree char *pattern =
		config_file(d->cli->config, "report", "kernel-config");
	const char *name = parser_pairs_get(draft_headline(d)->source->axes, "kconfig");

	if (!pattern || !name)
		return true;
	if (strchr(name, '/') || g_str_has_prefix(name, "."))
		return draft_refuse(error, "kconfig %s: not the name of a file", name);

	g_auto(GStrv) parts = g_strsplit(pattern, "%s", -1);
	g_autofree char *path = g_strjoinv(name, parts);
	g_autofree char *as = g_strconcat("config-", name, NULL);
	g_autoptr(GBytes) bytes = mailer_file_read(path, error);

	if (!bytes) {
		g_prefix_error(error, "[report] kernel-config: ");
		return false;
	}
	return attach(d, as, bytes, error);
}

bool draft_attach(draft *d, GError **error)
{
	/* Who takes a report back has nothing to reproduce; a link replaces files. */
	if (!d->facts.materials_url && !d->options->retract &&
	    (!attach_materials(d, error) || !attach_config(d, error)))
		return false;
	for (char **path = d->options->attach; path && *path; path++) {
		g_autoptr(GBytes) bytes = mailer_file_read(*path, error);

		if (!bytes || !attach(d, *path, bytes, error))
			return false;
	}
	return true;
}
