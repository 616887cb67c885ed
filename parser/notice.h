/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bots that tell where a commit went. */
#ifndef PARSER_NOTICE_H
#define PARSER_NOTICE_H

#include <glib.h>
#include <stdbool.h>

#include "parser/mail.h"

typedef struct parser_notice {
	char *tree;    /* as the bot names it: "tip", "netdev/net.git" */
	char *branch;  /* NULL if it does not say */
	bool mainline; /* the tree is mainline */
	char *commit;  /* lower-case digits; NULL if it does not say */
	char *subject; /* of the commit; NULL if unknown */
	char *line;    /* that says so; never empty */
} parser_notice;

void parser_notice_free(parser_notice *notice);

/* What a bot's mail tells of commits that were merged or applied (parser_notice *);
 * nothing for mails of others. */
GPtrArray *parser_notices_read(const parser_mail *mail);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(parser_notice, parser_notice_free)

#endif
