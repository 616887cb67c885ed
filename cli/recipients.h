/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who gets a report: what the configuration and cc-cmd add to the culprit's people. */
#ifndef CLI_RECIPIENTS_H
#define CLI_RECIPIENTS_H

#include "cli/cli.h"
#include "parser/parser.h"

typedef struct recipients_request {
	const parser_commit *culprit;
	bool people; /* its author and signers too, not only what its tree says */
	parser_kind kind;
	const char *git;             /* repository for cc-cmd; NULL = none at hand */
	char *const *to, *const *cc; /* what the operator adds; may be NULL */
	const GPtrArray *thread_to, *thread_cc; /* parser_address *; may be NULL */
	bool skip_unparsable; /* leave out what is no address in the commit */
} recipients_request;

/* Appends parser_address * to both arrays; the error names what is no address. */
bool recipients_choose(cli *c, const recipients_request *request, GPtrArray *to,
		       GPtrArray *cc, GError **error);

/* Recipients who are named, not found: those of a digest. */
typedef struct recipients_given {
	const GPtrArray *to, *cc;              /* parser_address * */
	char *const *more_to, *const *more_cc; /* as typed; may be NULL */
	bool private;                          /* no public list */
} recipients_given;

/* Those of them who may get mail from us, each once; the error says when none is left.
 */
bool recipients_filter(cli *c, const recipients_given *given, GPtrArray *to,
		       GPtrArray *cc, GError **error);

#endif
