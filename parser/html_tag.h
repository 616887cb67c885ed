/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tag of an HTML mail: what it says of the text within; private to html*.c. */
#ifndef PARSER_HTML_TAG_H
#define PARSER_HTML_TAG_H

#include <stdbool.h>
#include <stddef.h>

#include "parser/html_css.h"

typedef enum html_tag_kind {
	HTML_TAG_HIDDEN = 1 << 0,     /* nobody sees what it holds */
	HTML_TAG_BLOCKQUOTE = 1 << 1, /* a level of quoting */
	HTML_TAG_QUOTE = 1 << 2, /* holds another's mail, as mail programs mark it */
	HTML_TAG_PRE = 1 << 3,   /* blanks and line ends count */
	HTML_TAG_REST = 1 << 4,  /* from it on all is another's mail */
	HTML_TAG_RAW = 1 << 5,   /* what it holds is no text: <script> */
	HTML_TAG_STACKED =
		HTML_TAG_HIDDEN | HTML_TAG_BLOCKQUOTE | HTML_TAG_QUOTE | HTML_TAG_PRE
} html_tag_kind;

typedef struct html_tag {
	const char *name; /* in the text that was read */
	size_t length;    /* of the name; 0 for "<!DOCTYPE>" and its kin */
	html_tag_kind kind;
	bool close;       /* "</p>" */
	const char *next; /* behind it */
} html_tag;

/* Reads the tag at p, which is '<'; false if none is there. */
bool html_tag_read(html_tag *tag, const char *p, const char *end,
		   const html_styles *styles);

bool html_tag_is(const html_tag *tag, const char *name);
/* Begins a line of its own; a paragraph has a blank line around it, too. */
bool html_tag_is_block(const html_tag *tag);
bool html_tag_is_paragraph(const html_tag *tag);

#endif
