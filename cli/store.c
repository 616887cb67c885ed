/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/store.h"

#include "cli/address.h"
#include "cli/mailmap.h"
#include "mailer/mailer.h"

GPtrArray *store_bare_addresses(const config *conf, const char *group, const char *key)
{
	GPtrArray *bare = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *text = config_text(conf, group, key);
	g_autoptr(GPtrArray) all = cli_address_list(text ? text : "", NULL);

	for (guint i = 0; all && i < all->len; i++) {
		const parser_address *one = g_ptr_array_index(all, i);

		g_ptr_array_add(bare, g_strdup(one->address));
	}
	return bare;
}

static unsigned statuses(const config *conf)
{
	g_autoptr(GPtrArray) words = config_words(conf, "policy", "apply");
	unsigned bits = 0;

	for (guint i = 0; i < words->len; i++) {
		tracker_status status;

		if (tracker_status_from_name(g_ptr_array_index(words, i), &status))
			bits |= 1u << status;
	}
	return bits;
}

store_policy *store_policy_new(const config *conf)
{
	store_policy *p = g_new0(store_policy, 1);
	g_autoptr(GPtrArray) from = store_bare_addresses(conf, "regtrail", "from");

	p->own = store_bare_addresses(conf, "regtrail", "own-addresses");
	for (guint i = 0; i < from->len; i++)
		g_ptr_array_add(p->own, g_strdup(g_ptr_array_index(from, i)));
	p->robot_team = store_bare_addresses(conf, "regtrail", "robot-team");
	p->robots = config_words(conf, "recipients", "robots");
	p->operators = store_bare_addresses(conf, "regtrail", "operators");
	p->trusted_hosts = config_words(conf, "regtrail", "trusted-hosts");
	p->rules.own = p->own;
	p->rules.robots = p->robots;
	p->rules.robot_team = p->robot_team;
	p->rules.operators = p->operators;
	p->rules.trusted_hosts = p->trusted_hosts;
	p->rules.require_dkim = config_bool(conf, "regtrail", "require-dkim");
	p->rules.apply = statuses(conf);
	return p;
}

static bool read_mailmap(const config *conf, store_policy *policy, GError **error)
{
	g_autofree char *path = config_file(conf, "regtrail", "mailmap");
	g_autoptr(GBytes) bytes = NULL;
	gsize length;

	if (!path)
		return true;
	bytes = mailer_file_read(path, error);
	if (!bytes) {
		g_prefix_error(error, "[regtrail] mailmap: ");
		return false;
	}

	const char *start = g_bytes_get_data(bytes, &length);
	g_autofree char *text = g_strndup(start ? start : "", length);

	policy->aliases = mailmap_read(text);
	policy->rules.aliases = policy->aliases;
	return true;
}

void store_policy_free(store_policy *policy)
{
	if (!policy)
		return;
	g_clear_pointer(&policy->aliases, g_hash_table_unref);
	g_ptr_array_unref(policy->own);
	g_ptr_array_unref(policy->robots);
	g_ptr_array_unref(policy->robot_team);
	g_ptr_array_unref(policy->operators);
	g_ptr_array_unref(policy->trusted_hosts);
	g_free(policy);
}

tracker *store_open(cli *c, bool read_only, GError **error)
{
	config *conf = cli_config(c, error);

	if (!conf)
		return NULL;

	g_autofree char *path = config_file(conf, "regtrail", "database");

	if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
		g_set_error(error, CLI_ERROR, CLI_ERROR_CONFIG,
			    "%s: no such database (`regtrail init` creates one)", path);
		return NULL;
	}

	g_autoptr(store_policy) policy = store_policy_new(conf);
	tracker *t = read_mailmap(conf, policy, error) ?
			     tracker_open(path, read_only, error) :
			     NULL;

	if (t)
		tracker_configure(t, &policy->rules);
	return t;
}
