/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/ascii.h"

#include <glib.h>
#include <string.h>

bool ascii_holds(const char *text, const char *word)
{
	g_autofree char *in = g_ascii_strdown(text, -1);
	g_autofree char *what = g_ascii_strdown(word, -1);

	return strstr(in, what);
}
