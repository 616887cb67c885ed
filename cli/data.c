/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/data.h"

#include <string.h>

#include "mailer/mailer.h"
#include "render/render.h"
#include "templates/templates.h"

#define MUSTACHE ".mustache"

struct data_files {
	char *directory;   /* NULL = built in only */
	GHashTable *texts; /* name -> char *, of files that were read */
};

data_files *data_open(cli *c, GError **error)
{
	config *conf = cli_config_or_default(c, error);

	if (!conf)
		return NULL;

	g_autoptr(data_files) d = g_new0(data_files, 1);

	d->texts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	d->directory = config_file(conf, "templates", "directory");
	if (d->directory && !g_file_test(d->directory, G_FILE_TEST_IS_DIR)) {
		g_set_error(error, CLI_ERROR, CLI_ERROR_CONFIG,
			    "%s: [templates] directory is no directory: %s",
			    config_path(conf), d->directory);
		return NULL;
	}
	return g_steal_pointer(&d);
}

void data_close(data_files *d)
{
	if (!d)
		return;
	g_free(d->directory);
	g_hash_table_unref(d->texts);
	g_free(d);
}

/* The operator's file of that name; NULL without an error when there is none. */
static const char *own_text(data_files *d, const char *name, GError **error)
{
	const char *known = g_hash_table_lookup(d->texts, name);
	g_autoptr(GError) cause = NULL;

	if (known || !d->directory)
		return known;

	g_autofree char *path = g_build_filename(d->directory, name, NULL);
	g_autoptr(GBytes) bytes = mailer_file_read(path, &cause);

	if (!bytes) {
		if (!g_error_matches(cause, MAILER_ERROR, MAILER_ERROR_NOT_FOUND))
			g_propagate_error(error, g_steal_pointer(&cause));
		return NULL;
	}

	gsize length;
	const char *text = g_bytes_get_data(bytes, &length);

	if (!g_utf8_validate_len(text ? text : "", length, NULL)) {
		g_set_error(error, CLI_ERROR, CLI_ERROR_CONFIG, "%s: not UTF-8 text",
			    path);
		return NULL;
	}

	char *copy = g_strndup(text ? text : "", length);

	g_hash_table_insert(d->texts, g_strdup(name), copy);
	return copy;
}

const char *data_text(const char *name, void *context)
{
	/* Partials are named in templates: those stay in their directory. */
	const char *own = strstr(name, "..") ? NULL : own_text(context, name, NULL);
	const templates_file *file = templates_find(name);

	return own ? own : file ? file->text : NULL;
}

/* Files that cannot be read would be passed over later: data_text() has no error. */
static bool read_own_mails(data_files *d, GError **error)
{
	for (const templates_file *f = templates_files; f->name; f++) {
		g_autoptr(GError) cause = NULL;

		if (!g_str_has_prefix(f->name, "mail/"))
			continue;
		own_text(d, f->name, &cause);
		if (cause) {
			g_propagate_error(error, g_steal_pointer(&cause));
			return false;
		}
	}
	return true;
}

bool data_check_templates(data_files *d, GError **error)
{
	if (!d->directory)
		return true;
	if (!read_own_mails(d, error))
		return false;
	if (render_report_templates_check(data_text, d, error) &&
	    render_digest_templates_check(data_text, d, error))
		return true;
	g_prefix_error(error, "%s/", d->directory);
	return false;
}

/* Whether text has {{>name}}, with blanks or without. */
static bool includes(const char *text, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = text; (at = strstr(at, "{{")); at += 2) {
		const char *p = at + 2 + strspn(at + 2, " \t");

		if (*p != '>')
			continue;
		p += 1 + strspn(p + 1, " \t");
		if (strncmp(p, name, n) == 0 &&
		    g_str_has_prefix(p + n + strspn(p + n, " \t"), "}}"))
			return true;
	}
	return false;
}

/* "mail/part.mustache" is included as {{>part}} by another file of the operator's. */
static bool is_included(data_files *d, GDir *mails, const char *base)
{
	g_autofree char *name = g_strndup(base, strlen(base) - strlen(MUSTACHE));
	const char *other;

	g_dir_rewind(mails);
	while ((other = g_dir_read_name(mails))) {
		g_autofree char *file = g_build_filename("mail", other, NULL);
		const char *text =
			g_str_has_suffix(other, MUSTACHE) && strcmp(other, base) != 0 ?
				own_text(d, file, NULL) :
				NULL;

		if (text && includes(text, name))
			return true;
	}
	return false;
}

static bool is_read(data_files *d, GDir *mails, const char *name)
{
	const char *base = strrchr(name, '/') + 1;

	return templates_find(name) ||
	       (mails && g_str_has_prefix(name, "mail/") &&
		g_str_has_suffix(base, MUSTACHE) && is_included(d, mails, base));
}

void data_strays(data_files *d, GPtrArray *problems)
{
	static const char *const parts[] = { "mail", "metrics", "rules" };
	g_autofree char *mail =
		d->directory ? g_build_filename(d->directory, "mail", NULL) : NULL;
	g_autoptr(GDir) mails = mail ? g_dir_open(mail, 0, NULL) : NULL;

	for (size_t i = 0; d->directory && i < G_N_ELEMENTS(parts); i++) {
		g_autofree char *part = g_build_filename(d->directory, parts[i], NULL);
		g_autoptr(GDir) dir = g_dir_open(part, 0, NULL);
		const char *base;

		while (dir && (base = g_dir_read_name(dir))) {
			if (base[0] == '.' || g_str_has_suffix(base, "~"))
				continue; /* what editors leave */

			g_autofree char *name = g_build_filename(parts[i], base, NULL);

			if (!is_read(d, mails, name))
				g_ptr_array_add(
					problems,
					g_strdup_printf(
						"%s/%s: nothing reads a file of "
						"this name",
						part, base));
		}
	}
}

/* "metrics/sense.list" is the list "sense". */
static char *short_name(const char *name)
{
	const char *base = strrchr(name, '/') + 1;

	return g_strndup(base, strcspn(base, "."));
}

typedef bool (*add_fn)(void *target, const char *name, const char *text, size_t length,
		       GError **error);

static bool add_all(data_files *d, const char *prefix, add_fn add, void *target,
		    GError **error)
{
	for (const templates_file *f = templates_files; f->name; f++) {
		g_autoptr(GError) cause = NULL;

		if (!g_str_has_prefix(f->name, prefix))
			continue;

		g_autofree char *name = short_name(f->name);
		const char *own = own_text(d, f->name, &cause);

		if (cause) {
			g_propagate_error(error, g_steal_pointer(&cause));
			return false;
		}
		if (!add(target, name, own ? own : f->text,
			 own ? strlen(own) : f->length, error)) {
			g_prefix_error(error, "%s%s", own ? d->directory : "",
				       own ? ": " : "");
			return false;
		}
	}
	return true;
}

static bool add_list(void *target, const char *name, const char *text, size_t length,
		     GError **error)
{
	return parser_lists_add(target, name, text, length, error);
}

static bool add_rules(void *target, const char *name, const char *text, size_t length,
		      GError **error)
{
	return parser_rules_add(target, name, text, length, error);
}

parser_lists *data_lists(data_files *d, GError **error)
{
	g_autoptr(parser_lists) lists = parser_lists_new();

	return add_all(d, "metrics/", add_list, lists, error) ?
		       g_steal_pointer(&lists) :
		       NULL;
}

parser_rules *data_rules(data_files *d, GError **error)
{
	g_autoptr(parser_rules) rules = parser_rules_new();

	return add_all(d, "rules/", add_rules, rules, error) ? g_steal_pointer(&rules) :
							       NULL;
}
