/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/sources.h"

#include <string.h>

#include "cli/transport.h"

static void source_free(gpointer data)
{
	source *s = data;

	mailer_fetch_close(s->fetch);
	g_free(s->label);
	g_free(s->url);
	g_free(s->group);
	g_free(s->key);
	g_free(s);
}

/* Paths in the configuration are relative to where it lies. */
static char *settle_path(const config *conf, const char *url)
{
	static const char *const schemes[] = { "", "file:", "mbox:", "maildir:",
					       "pubinbox:" };

	for (size_t i = G_N_ELEMENTS(schemes); i-- > 0;) {
		const char *path = url + strlen(schemes[i]);

		if (!g_str_has_prefix(url, schemes[i]) || strcmp(url, "-") == 0)
			continue;
		if (i == 0 && strstr(url, "://"))
			break;

		g_autofree char *full = config_path_of(conf, path);

		return g_strconcat(schemes[i], full, NULL);
	}
	return g_strdup(url);
}

/* Archives keep what anybody wrote into the header of a mail. */
static bool may_be_delivered(const char *url)
{
	static const char *const archives[] = { "pubinbox:", "nntp:", "nntps:",
						"lore+" };

	for (size_t i = 0; i < G_N_ELEMENTS(archives); i++)
		if (g_str_has_prefix(url, archives[i]))
			return false;
	return true;
}

void sources_mark_archives(const GPtrArray *sources)
{
	for (guint i = 0; i < sources->len; i++)
		((source *)sources->pdata[i])->delivered = false;
}

static source *configured(const config *conf, const char *name, GError **error)
{
	g_autofree char *group = g_strconcat("source ", name, NULL);
	g_autofree char *text = config_text(conf, group, "url");
	g_autofree char *settled = text ? settle_path(conf, text) : NULL;
	char *url = settled ? mailer_source_url(settled, error) : NULL;

	if (!url) {
		if (!text)
			g_set_error(error, CLI_ERROR, CLI_ERROR_CONFIG,
				    "%s: [%s] has no url", config_path(conf), group);
		return NULL;
	}

	source *s = g_new0(source, 1);

	s->label = g_strdup(name);
	s->url = url;
	s->delivered = may_be_delivered(url) && config_bool(conf, group, "delivered");
	s->group = g_steal_pointer(&group);
	return s;
}

static bool is_configured(const GPtrArray *names, const char *name)
{
	return g_ptr_array_find_with_equal_func((GPtrArray *)(guintptr)names, name,
						g_str_equal, NULL);
}

/* A URL that the configuration knows is read with the login that stands there. */
static source *named(const config *conf, const GPtrArray *names, const char *arg,
		     GError **error)
{
	char *url;

	if (is_configured(names, arg))
		return configured(conf, arg, error);
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *group =
			g_strconcat("source ", g_ptr_array_index(names, i), NULL);
		g_autofree char *known = config_text(conf, group, "url");

		if (g_strcmp0(known, arg) == 0)
			return configured(conf, g_ptr_array_index(names, i), error);
	}
	url = mailer_source_url(arg, error);
	if (!url)
		return NULL;

	source *s = g_new0(source, 1);

	s->label = g_strdup(arg);
	s->url = url;
	s->delivered = may_be_delivered(url);
	return s;
}

GPtrArray *sources_list(const config *conf, char **args, bool none, GError **error)
{
	g_autoptr(GPtrArray) sources = g_ptr_array_new_with_free_func(source_free);
	g_autoptr(GPtrArray) names = config_names(conf, "source");

	for (char **arg = args; *arg; arg++) {
		source *s = named(conf, names, *arg, error);

		if (!s)
			return NULL;
		g_ptr_array_add(sources, s);
	}
	if (sources->len)
		return g_steal_pointer(&sources);
	for (guint i = 0; i < names->len; i++) {
		source *s = configured(conf, g_ptr_array_index(names, i), error);

		if (!s)
			return NULL;
		g_ptr_array_add(sources, s);
	}
	if (sources->len == 0 && !none) {
		g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE,
			    "no source given, and no [source NAME] in %s",
			    config_path(conf));
		return NULL;
	}
	return g_steal_pointer(&sources);
}

bool source_check(const config *conf, const char *name, GError **error)
{
	source *s = configured(conf, name, error);
	g_autoptr(mailer_fetch) fetch =
		s ? mailer_fetch_open(s->url, NULL, error) : NULL;

	if (s)
		source_free(s);
	return fetch;
}

bool source_is_file(const source *s)
{
	return g_str_has_prefix(s->url, "file:");
}

/* ---- opening ----------------------------------------------------------------------
 */

static mailer_fetch *open_with(const char *url, const char *group, const config *conf,
			       GError **error)
{
	g_autofree char *contact = config_text(conf, "regtrail", "from");
	mailer_fetch_options options = { .contact = contact };
	g_auto(transport_login) login = { 0 };

	if (group) {
		uint64_t days = config_number(conf, group, "since-days");

		if (!transport_login_find(conf, group, url, &login, error))
			return NULL;
		options.server = login.options;
		options.mirror = config_bool(conf, group, "mirror");
		if (days)
			options.since = cli_now() - (int64_t)MIN(days, 36500u) * 86400;
	}
	return mailer_fetch_open(url, &options, error);
}

mailer_fetch *source_open_again(const source *s, const config *conf, GError **error)
{
	return open_with(s->url, s->group, conf, error);
}

/* Files share their name; each has a cursor of its own, whatever form its path has. */
static char *file_key(const char *url)
{
	g_autofree char *full = g_canonicalize_filename(strchr(url, ':') + 1, NULL);

	return g_strconcat("file:", full, NULL);
}

bool source_open(source *s, const config *conf, GError **error)
{
	if (!s->fetch)
		s->fetch = source_open_again(s, conf, error);
	if (!s->fetch)
		return false;
	if (!s->key)
		s->key = strcmp(mailer_fetch_name(s->fetch), "file") == 0 ?
				 file_key(s->url) :
				 g_strdup(mailer_fetch_name(s->fetch));
	return true;
}

/* "source NAME" of the first source whose URL begins so; NULL if there is none. */
static char *first_of(const config *conf, const GPtrArray *names, const char *scheme)
{
	for (guint i = 0; i < names->len; i++) {
		g_autofree char *group =
			g_strconcat("source ", g_ptr_array_index(names, i), NULL);
		g_autofree char *url = config_text(conf, group, "url");

		if (url && g_str_has_prefix(url, scheme))
			return g_steal_pointer(&group);
	}
	return NULL;
}

/* Which source is the archive; g_free; NULL: none. */
static char *archive_group(const config *conf, const char *wanted)
{
	g_autoptr(GPtrArray) names = config_names(conf, "source");
	char *group;

	if (wanted)
		return is_configured(names, wanted) ?
			       g_strconcat("source ", wanted, NULL) :
			       NULL;
	/* A web server gives whole threads. */
	group = first_of(conf, names, "lore+");
	return group ? group : first_of(conf, names, "nntp");
}

bool sources_archive(const config *conf, mailer_archive **archive, GError **error)
{
	g_autofree char *contact = config_text(conf, "regtrail", "from");
	g_autofree char *wanted = config_text(conf, "regtrail", "fill-from");
	bool is_url = wanted && strchr(wanted, ':');
	g_autofree char *group = is_url ? NULL : archive_group(conf, wanted);
	g_autofree char *its = group ? config_text(conf, group, "url") : NULL;
	const char *url = its ? its : wanted;
	mailer_fetch_options options = { .contact = contact };
	g_auto(transport_login) login = { 0 };

	*archive = NULL;
	if (!url)
		return true;
	if (group && !transport_login_find(conf, group, url, &login, error))
		return false;
	options.server = login.options;
	*archive = mailer_archive_open(url, &options, error);
	return *archive;
}
