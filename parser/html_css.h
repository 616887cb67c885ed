/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Style rules, as far as they hide text; private to html*.c. */
#ifndef PARSER_HTML_CSS_H
#define PARSER_HTML_CSS_H

#include <stdbool.h>
#include <stddef.h>

/* True if the declarations ("display: none; ...") make what they apply to unseen. */
bool html_css_hides(const char *css, size_t length);

#endif
