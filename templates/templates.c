/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "templates/templates.h"

#include <string.h>

const templates_file *templates_find(const char *name)
{
	for (const templates_file *f = templates_files; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}
