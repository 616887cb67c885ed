/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * parser - bytes in, records out.
 *
 * Nothing here opens a file, reads a clock, prints or keeps state between calls:
 * the same bytes always give the same answer.  Input comes from the Internet, so
 * every function accepts any bytes at all and either returns a value or sets
 * *error; none of them exits or asserts on its input.
 *
 * All strings are UTF-8 and NUL-terminated unless a comment says otherwise.  A
 * record owns what hangs below it; one x_free() releases all of it and takes NULL.
 * Arrays of records are GPtrArrays with a free function set; they are never NULL.
 */
#ifndef PARSER_PARSER_H
#define PARSER_PARSER_H

/* clang-format off */
#include "parser/error.h"    /* PARSER_ERROR */
#include "parser/identity.h" /* regression IDs, Message-ID shapes */
#include "parser/lists.h"    /* lists of metric names: sense, test metrics, denied */
#include "parser/mail.h"     /* containers, messages, spans of the text */
#include "parser/report.h"   /* robot reports, tables, trailers, links */
#include "parser/log.h"      /* commits of a git log, and what they mention */
#include "parser/notice.h"   /* bots that tell where commits went */
#include "parser/patch.h"    /* patches that mails offer */
#include "parser/results.h"  /* comparison results of any number of columns */
#include "parser/reading.h"  /* verdicts, mechanisms, commands; everything of one mail */
/* clang-format on */

#endif
