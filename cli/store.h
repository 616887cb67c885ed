/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The database that the configuration names, opened with the configured policy. */
#ifndef CLI_STORE_H
#define CLI_STORE_H

#include "cli/cli.h"
#include "tracker/tracker.h"

/* A tracker_policy that owns its arrays. */
typedef struct store_policy {
	tracker_policy rules;
	GHashTable *aliases; /* NULL: no mailmap */
	GPtrArray *own, *robots, *robot_team, *operators, *trusted_hosts;
} store_policy;

store_policy *store_policy_new(const config *conf);
void store_policy_free(store_policy *policy);

tracker *store_open(cli *c, bool read_only, GError **error);

/* The bare addresses (char *) of a list of addresses in the configuration. */
GPtrArray *store_bare_addresses(const config *conf, const char *group, const char *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(store_policy, store_policy_free)

#endif
