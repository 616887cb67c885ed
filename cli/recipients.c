/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/recipients.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/address.h"
#include "cli/store.h"
#include "mailer/mailer.h"
#include "render/render.h"

#define CC_CMD_SECONDS 120

/* ---- lists from the configuration ---- */

static void append_lists(GPtrArray *lists, const config *conf, const char *group)
{
	g_autofree char *text = config_text(conf, group, "lists");
	g_autoptr(GPtrArray) all = cli_address_list(text ? text : "", NULL);

	for (guint i = 0; all && i < all->len; i++) {
		const parser_address *one = g_ptr_array_index(all, i);

		g_ptr_array_add(lists, parser_address_new(one->name, one->address));
	}
}

static bool touches(const parser_commit *culprit, const GPtrArray *patterns)
{
	for (guint i = 0; i < patterns->len; i++) {
		g_autoptr(GPatternSpec) pattern =
			g_pattern_spec_new(g_ptr_array_index(patterns, i));

		for (guint k = 0; k < culprit->files->len; k++)
			if (g_pattern_spec_match_string(
				    pattern, g_ptr_array_index(culprit->files, k)))
				return true;
	}
	return false;
}

static GPtrArray *lists_for(const config *conf, const parser_commit *culprit)
{
	GPtrArray *lists =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_address_free);
	g_autoptr(GPtrArray) paths = config_names(conf, "paths");

	append_lists(lists, conf, "recipients");
	if (culprit->tree) {
		g_autofree char *group = g_strconcat("tree ", culprit->tree, NULL);

		append_lists(lists, conf, group);
	}
	for (guint i = 0; i < paths->len; i++) {
		g_autofree char *group =
			g_strconcat("paths ", g_ptr_array_index(paths, i), NULL);
		g_autoptr(GPtrArray) patterns = config_words(conf, group, "match");

		if (touches(culprit, patterns))
			append_lists(lists, conf, group);
	}
	return lists;
}

/* Patterns of public lists: those that are named as such, and all that we send to. */
static GPtrArray *list_patterns(const config *conf, const GPtrArray *lists)
{
	GPtrArray *patterns = config_words(conf, "recipients", "public-lists");

	for (guint i = 0; i < lists->len; i++)
		g_ptr_array_add(patterns,
				g_strdup(((parser_address *)g_ptr_array_index(lists, i))
						 ->address));
	return patterns;
}

/* ---- cc-cmd: git send-email's convention, a patch file as the last argument ---- */

static char *write_patch(const char *git, const char *commit, GError **error)
{
	g_autoptr(GBytes) patch = mailer_git_patch(git, commit, error);
	g_autofree char *path = NULL;

	if (!patch)
		return NULL;

	int fd = g_file_open_tmp("regtrail-XXXXXX.patch", &path, error);

	if (fd < 0)
		return NULL;
	close(fd);

	gsize length;
	const char *bytes = g_bytes_get_data(patch, &length);

	/* The tree may be private: what is written here is for the program alone. */
	if (!g_file_set_contents_full(path, bytes ? bytes : "", (gssize)length,
				      G_FILE_SET_CONTENTS_NONE, 0600, error)) {
		unlink(path);
		return NULL;
	}
	return g_steal_pointer(&path);
}

static bool parse_lines(const char *program, GBytes *out, GPtrArray *into,
			GError **error)
{
	gsize length;
	const char *bytes = g_bytes_get_data(out, &length);
	g_autofree char *text = g_strndup(bytes ? bytes : "", length);

	if (render_addresses_read(text, into, error))
		return true;
	g_prefix_error(error, "%s: ", program);
	return false;
}

static bool run_cc_cmd(const char *cc_cmd, const char *git, const char *patch,
		       GPtrArray *into, GError **error)
{
	g_auto(GStrv) words = NULL;
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	int n;

	if (!g_shell_parse_argv(cc_cmd, &n, &words, error)) {
		g_prefix_error(error, "[recipients] cc-cmd: ");
		return false;
	}
	for (int i = 0; i < n; i++)
		g_ptr_array_add(argv, words[i]);
	g_ptr_array_add(argv, (gpointer)(guintptr)patch);
	g_ptr_array_add(argv, NULL);

	g_autoptr(GBytes) out = mailer_run_in(
		git, (const char *const *)(void *)argv->pdata, CC_CMD_SECONDS, error);

	return out && parse_lines(words[0], out, into, error);
}

static GPtrArray *ask_cc_cmd(const config *conf, const recipients_request *request,
			     GError **error)
{
	g_autoptr(GPtrArray) found =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_address_free);
	g_autofree char *cc_cmd = config_text(conf, "recipients", "cc-cmd");

	if (!cc_cmd || !request->git || !request->people || !request->culprit->id)
		return g_steal_pointer(&found);

	g_autofree char *patch = write_patch(request->git, request->culprit->id, error);

	if (!patch)
		return NULL;

	bool good = run_cc_cmd(cc_cmd, request->git, patch, found, error);

	unlink(patch);
	return good ? g_steal_pointer(&found) : NULL;
}

/* ---- all together ---- */

static bool is_private(const config *conf, const parser_commit *culprit)
{
	if (!culprit->tree)
		return false;

	g_autofree char *group = g_strconcat("tree ", culprit->tree, NULL);

	return config_bool(conf, group, "private");
}

static bool append_given(char *const *texts, GPtrArray *into, GError **error)
{
	for (; texts && *texts; texts++) {
		GPtrArray *given = cli_address_list(*texts, error);

		if (!given)
			return false;
		g_ptr_array_extend_and_steal(into, given);
	}
	return true;
}

bool recipients_choose(cli *c, const recipients_request *request, GPtrArray *to,
		       GPtrArray *cc, GError **error)
{
	GDestroyNotify free_address = (GDestroyNotify)parser_address_free;
	config *conf = cli_config_or_default(c, error);
	g_autoptr(GPtrArray) found = conf ? ask_cc_cmd(conf, request, error) : NULL;
	g_autoptr(GPtrArray) named_to = g_ptr_array_new_with_free_func(free_address);
	g_autoptr(GPtrArray) named_cc = g_ptr_array_new_with_free_func(free_address);

	if (!found || !append_given(request->to, named_to, error) ||
	    !append_given(request->cc, named_cc, error))
		return false;

	g_autoptr(store_policy) policy = store_policy_new(conf);
	g_autoptr(GPtrArray) lists = lists_for(conf, request->culprit);
	g_autoptr(GPtrArray) patterns = list_patterns(conf, lists);
	g_autoptr(GPtrArray) stop = config_words(conf, "recipients", "stop");
	g_autoptr(GPtrArray) robots = config_words(conf, "recipients", "robots");
	render_recipient_rules rules = {
		.to = named_to,
		.cc = named_cc,
		.thread_to = request->thread_to,
		.thread_cc = request->thread_cc,
		.lists = lists,
		.cc_cmd = found,
		.own = policy->own,
		.stop = stop,
		.list_addresses = patterns,
		.robots = robots,
		.private_tree = is_private(conf, request->culprit),
		.lists_kept_out = request->kind == PARSER_KIND_IMPROVEMENT &&
				  !config_bool(conf, "report", "improvements-to-lists"),
		.skip_unparsable = request->skip_unparsable,
		.max = config_number(conf, "recipients", "max"),
	};

	return render_recipients(request->people ? request->culprit : NULL, &rules, to,
				 cc, error);
}

/* ---- named ones ---- */

static void append_copies(GPtrArray *to, const GPtrArray *from)
{
	for (guint i = 0; i < from->len; i++) {
		const parser_address *a = g_ptr_array_index(from, i);

		g_ptr_array_add(to, parser_address_new(a->name, a->address));
	}
}

static bool has_address(const GPtrArray *all, const char *address)
{
	for (guint i = 0; i < all->len; i++) {
		const parser_address *a = g_ptr_array_index(all, i);

		if (!g_ascii_strcasecmp(a->address, address))
			return true;
	}
	return false;
}

bool recipients_filter(cli *c, const recipients_given *given, GPtrArray *to,
		       GPtrArray *cc, GError **error)
{
	GDestroyNotify free_address = (GDestroyNotify)parser_address_free;
	g_autoptr(GPtrArray) first = g_ptr_array_new_with_free_func(free_address);
	g_autoptr(GPtrArray) all = g_ptr_array_new_with_free_func(free_address);
	g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func(free_address);

	append_copies(first, given->to);
	if (!append_given(given->more_to, first, error))
		return false;
	append_copies(all, first);
	append_copies(all, given->cc);
	if (!append_given(given->more_cc, all, error))
		return false;

	const parser_commit nobody = { 0 };
	g_autoptr(store_policy) policy = store_policy_new(c->config);
	g_autoptr(GPtrArray) patterns =
		config_words(c->config, "recipients", "public-lists");
	g_autoptr(GPtrArray) stop = config_words(c->config, "recipients", "stop");
	const render_recipient_rules rules = {
		.lists = all,
		.own = policy->own,
		.stop = stop,
		.list_addresses = patterns,
		.private_tree = given->private,
		.max = config_number(c->config, "recipients", "max"),
		.advice = "set `to` in [digest NAME], or give --to ADDRESS",
	};

	if (!render_recipients(&nobody, &rules, found, found, error))
		return false;
	for (guint i = 0; i < found->len; i++) {
		const parser_address *a = g_ptr_array_index(found, i);

		g_ptr_array_add(has_address(first, a->address) ? to : cc,
				parser_address_new(a->name, a->address));
	}
	return true;
}
