/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the body of a mail tells without being parsed. */
#ifndef PARSER_SCAN_BODY_H
#define PARSER_SCAN_BODY_H

#include "parser/fields.h"

/*
 * True if the mail has to be read to the end, because its body may be a robot's report,
 * quote one, name its id or hold a command, or because only the full parse can tell.
 * Else the ids that the body links to are appended to *links (char *), which is made
 * when there is one: no id that parser_links_read() would find is missing.
 */
bool scan_body_tells(const head *h, GPtrArray **links);

/* True if an id of a robot's shape ends before the '@' at `at`. */
bool scan_is_robot_id(const char *start, const char *at);

#endif
