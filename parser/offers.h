/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steps of finding patches in a mail. */
#ifndef PARSER_OFFERS_H
#define PARSER_OFFERS_H

#include "parser/patch.h"

typedef struct offer_reader {
	const parser_mail *mail;
	GPtrArray *patches; /* parser_patch * */
	const char *text;   /* that lines are counted in */
	parser_patch_form form;
	bool flowed, delsp;
	GString *diff;       /* of the last patch, until offer_flush(); or NULL */
	const char *counted; /* up to where lines are counted; NULL: not begun */
	unsigned line;       /* there */
} offer_reader;

/* The last patch gets its diff. */
void offer_flush(offer_reader *r);

/* The line at *p, which moves behind it; false at the end. */
bool offer_line(const char **p, const char *end, const char **line, size_t *length);

/* Reads a piece of text that holds one patch or several. */
void offer_read_piece(offer_reader *r, const char *start, const char *end);

/*
 * A diff, checked, what follows it cut off; when the text is format=flowed, with what
 * that did to it undone (mend.c).  *problem says why it is of no use.  g_free.
 */
char *offer_mend(const char *start, const char *end, bool flowed, bool delsp,
		 unsigned line, char **problem);

/* Repositories to pull from (branches.c). */
void offer_read_branches(offer_reader *r);

#endif
