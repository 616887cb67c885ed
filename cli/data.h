/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Wording, lists of metrics and rules: built in, or from the operator's directory. */
#ifndef CLI_DATA_H
#define CLI_DATA_H

#include "cli/cli.h"
#include "parser/parser.h"

typedef struct data_files data_files;

/* Looks at [templates] directory of the configuration, if there is one. */
data_files *data_open(cli *c, GError **error);
void data_close(data_files *d);

/* All lists of metrics, and all rules; the errors name file and line. */
parser_lists *data_lists(data_files *d, GError **error);
parser_rules *data_rules(data_files *d, GError **error);

/* True if every template of mails is there and right; the error names file and line. */
bool data_check_templates(data_files *d, GError **error);

/*
 * Adds a line to `problems` (char *) for each file in mail/, metrics/ and rules/ of the
 * operator's directory that nothing reads: neither one of the names that the program
 * knows, nor a part that one of the operator's templates includes.
 */
void data_strays(data_files *d, GPtrArray *problems);

/* The text of a file by its name ("mail/robot.txt"); a render_text_fn. */
const char *data_text(const char *name, void *d);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(data_files, data_close)

#endif
