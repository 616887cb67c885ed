/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records of the tracker as the mails that keep a trail alive show them. */
#ifndef CLI_DIGEST_H
#define CLI_DIGEST_H

#include "cli/cli.h"
#include "render/render.h"
#include "tracker/tracker.h"

/* What of a summary is shown; report and activity are left to the caller. */
render_digest_entry *digest_entry_new(const tracker_summary *summary);
/* With the rest.  closed: it ended since the last digest. */
render_digest_entry *digest_entry_of(const tracker_digest_entry *from);
void digest_entry_free(render_digest_entry *entry);

/* A scope of the configuration: [digest NAME], or everything. */
typedef struct digest_scope {
	char *name;                      /* "all" for everything */
	char *title;                     /* NULL for everything */
	char *tree, *subsystem, *author; /* NULL = any */
	uint64_t quiet_days;
	bool private;       /* regressions of private trees are in it */
	GPtrArray *to, *cc; /* parser_address * */
} digest_scope;

/* The scopes of those names, or all configured ones; digest_scope *. */
GPtrArray *digest_scopes(cli *c, char **names, GError **error);

#endif
