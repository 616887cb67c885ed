/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Private to render: one regression as templates of digests and reminders name it. */
#ifndef RENDER_DIGEST_ENTRY_H
#define RENDER_DIGEST_ENTRY_H

#include <jansson.h>

#include "render/render.h"

/* What an entry is shown with. */
typedef struct entry_view {
	const char *archive_url;
	int64_t now;
} entry_view;

/* An object with every name of an entry. */
json_t *entry_json(const render_digest_entry *e, const entry_view *view);

/* "today", "1 day ago", "22 days ago".  g_free. */
char *entry_ago(int64_t then, int64_t now);

/* A value of any bytes as one line of at most so many cells; takes nothing. */
void entry_put(json_t *o, const char *name, const char *value);
/* Takes value. */
void entry_take(json_t *o, const char *name, char *value);
/* A number as text; "" for 0, which templates take for false. */
void entry_count(json_t *o, const char *name, unsigned n);

/* The names that entry_json() gives, for lists of names. */
#define ENTRY_NAMES                                                                    \
	"id", "mark", "title", "underline", "kind", "metric", "change", "testcase",    \
		"machine", "commit", "commit_subject", "author", "link", "reporter",   \
		"reported", "status", "before", "active", "active_by", "owes",         \
		"owner", "replies", "replies_new", "quotes", "quotes_more",            \
		"suggests", "by", "role", "quote", "fix", "fix_state", "fix_what",     \
		"fix_link", "closed", "closed_by", "closed_why"

#endif
