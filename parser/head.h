/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts of the header that the scanner and the full parse both give. */
#ifndef PARSER_HEAD_H
#define PARSER_HEAD_H

#include "parser/fields.h"

/* Decoded and unfolded; "" if there is none. */
char *head_subject(const head *h);

/* List-Id values without <> and phrase (char *), each once. */
GPtrArray *head_lists(const head *h);

#endif
