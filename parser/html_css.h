/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Style rules, as far as they hide text; private to html*.c. */
#ifndef PARSER_HTML_CSS_H
#define PARSER_HTML_CSS_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/* The classes, ids and elements that style sheets hide; of elements "<aside". */
typedef GHashTable html_styles;

html_styles *html_styles_new(void);
void html_styles_free(html_styles *styles);
/* Reads what stands within <style>. */
void html_styles_add(html_styles *styles, const char *css, size_t length);

/* True if the declarations ("display: none; ...") make what they apply to unseen. */
bool html_css_hides(const char *css, size_t length);

/* True if they draw a line at its left, or where its lines begin, as programs mark what
 * is quoted. */
bool html_css_quotes(const char *css, size_t length);

#endif
