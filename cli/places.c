/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/places.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/sources.h"
#include "mailer/mailer.h"

typedef struct place {
	const config *conf;
	const char *group, *key;
	GPtrArray *problems;
} place;

static void say(const place *p, const char *what)
{
	g_ptr_array_add(p->problems,
			g_strdup_printf("%s: [%s] %s: %s", config_path(p->conf),
					p->group, p->key, what));
}

static void say_error(const place *p, GError *error)
{
	if (error)
		say(p, error->message);
	g_clear_error(&error);
}

/* What is made when it is needed, or holds the place of a name. */
static bool may_be_missing(const char *key, const char *value)
{
	return strcmp(key, "database") == 0 || strcmp(key, "stop-file") == 0 ||
	       strstr(value, "%s");
}

static void check_file(const place *p)
{
	g_autofree char *path = config_file(p->conf, p->group, p->key);

	if (!path || may_be_missing(p->key, path) || access(path, R_OK) == 0)
		return;

	g_autofree char *what = g_strdup_printf("%s: %s", path, g_strerror(errno));

	say(p, what);
}

static void check_files(const config *conf, const char *kind, const char *group,
			GPtrArray *problems)
{
	for (const config_key *k = config_keys; k->group; k++) {
		place p = { conf, group, k->key, problems };

		if (k->type == CONFIG_PATH && strcmp(k->group, kind) == 0)
			check_file(&p);
	}
}

/* All groups of the table: "tree *" stands for each [tree NAME] of the file. */
static void check_groups(const config *conf, GPtrArray *problems)
{
	const char *last = "";

	for (const config_key *k = config_keys; k->group; k++) {
		const char *star = strchr(k->group, '*');

		if (strcmp(last, k->group) == 0)
			continue;
		last = k->group;
		if (!star) {
			check_files(conf, k->group, k->group, problems);
			continue;
		}

		g_autofree char *kind =
			g_strndup(k->group, (gsize)(star - k->group) - 1);
		g_autoptr(GPtrArray) names = config_names(conf, kind);

		for (guint i = 0; i < names->len; i++) {
			g_autofree char *group = g_strdup_printf(
				"%s %s", kind, (char *)g_ptr_array_index(names, i));

			check_files(conf, k->group, group, problems);
		}
	}
}

static void check_ways_out(const config *conf, GPtrArray *problems)
{
	g_autofree char *via = config_text(conf, "send", "via");
	g_autofree char *fcc = config_text(conf, "send", "fcc");
	place p = { conf, "send", "via", problems };
	GError *error = NULL;

	if (via)
		mailer_transport_close(mailer_transport_open(via, &error));
	say_error(&p, error);
	p.key = "fcc";
	error = NULL;
	if (fcc)
		mailer_fcc_check(fcc, &error);
	say_error(&p, error);
}

static void check_ways_in(const config *conf, GPtrArray *problems)
{
	g_autoptr(GPtrArray) names = config_names(conf, "source");

	for (guint i = 0; i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);
		g_autofree char *group = g_strconcat("source ", name, NULL);
		place p = { conf, group, "url", problems };
		GError *error = NULL;

		g_autofree char *url = config_text(conf, group, "url");

		if (url)
			source_check(conf, name, &error);
		else
			say(&p, "is not set");
		say_error(&p, error);
	}
}

static void check_archive(const config *conf, GPtrArray *problems)
{
	static const mailer_fetch_options none;
	g_autofree char *wanted = config_text(conf, "regtrail", "fill-from");
	g_autofree char *group = wanted ? g_strconcat("source ", wanted, NULL) : NULL;
	g_autofree char *its = group ? config_text(conf, group, "url") : NULL;
	const char *url = its ? its : wanted;
	place p = { conf, "regtrail", "fill-from", problems };
	GError *error = NULL;

	if (!wanted)
		return;
	if (strchr(url, ':'))
		mailer_archive_close(mailer_archive_open(url, &none, &error));
	else
		say(&p, "neither a URL nor the name of a source that is one");
	say_error(&p, error);
}

void places_check(const config *conf, GPtrArray *problems)
{
	check_groups(conf, problems);
	check_ways_out(conf, problems);
	check_ways_in(conf, problems);
	check_archive(conf, problems);
}
