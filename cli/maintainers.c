/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/maintainers.h"

#include <fnmatch.h>
#include <string.h>

#define STARS_MAX 8 /* in a pattern; more make matching slow and occur nowhere */

typedef struct section {
	GPtrArray *files, *excluded; /* char *: patterns */
} section;

struct maintainers {
	GPtrArray *sections; /* section * */
};

static void section_free(void *data)
{
	section *s = data;

	g_ptr_array_unref(s->files);
	g_ptr_array_unref(s->excluded);
	g_free(s);
}

static bool title_fits(const char *title, const char *name)
{
	size_t n = strlen(name);

	return n && g_ascii_strncasecmp(title, name, n) == 0 &&
	       !g_ascii_isalnum(title[n]);
}

static bool is_tag(const char *line)
{
	return g_ascii_isupper(line[0]) && line[1] == ':';
}

static void add_pattern(section *s, char tag, const char *value)
{
	unsigned stars = 0;
	g_autofree char *pattern = g_strstrip(g_strdup(value));

	for (const char *p = pattern; *p; p++)
		stars += *p == '*';
	if (!*pattern || stars > STARS_MAX)
		return;
	g_ptr_array_add(tag == 'F' ? s->files : s->excluded, g_steal_pointer(&pattern));
}

maintainers *maintainers_new(const char *text, size_t length, const char *name)
{
	maintainers *m = g_new0(maintainers, 1);
	g_autofree char *copy = g_strndup(text, length);
	g_auto(GStrv) lines = g_strsplit(copy, "\n", -1);
	section *s = NULL; /* that the lines belong to, if it is one of ours */

	m->sections = g_ptr_array_new_with_free_func(section_free);
	for (char **line = lines; *line; line++) {
		if (is_tag(*line)) {
			if (s && ((*line)[0] == 'F' || (*line)[0] == 'X'))
				add_pattern(s, (*line)[0], *line + 2);
			continue;
		}
		s = NULL;
		if (!title_fits(*line, name) || !line[1] || !is_tag(line[1]))
			continue;
		s = g_new0(section, 1);
		s->files = g_ptr_array_new_with_free_func(g_free);
		s->excluded = g_ptr_array_new_with_free_func(g_free);
		g_ptr_array_add(m->sections, s);
	}
	return m;
}

void maintainers_free(maintainers *m)
{
	if (!m)
		return;
	g_ptr_array_unref(m->sections);
	g_free(m);
}

unsigned maintainers_sections(const maintainers *m)
{
	return m->sections->len;
}

/* "mm/" is all below; "mm/<star>" only what lies in it. */
static bool fits(const char *pattern, const char *path)
{
	size_t n = strlen(pattern);

	if (pattern[n - 1] == '/') {
		g_autofree char *directory = g_strndup(pattern, n - 1);

		return fnmatch(directory, path, FNM_PATHNAME | FNM_LEADING_DIR) == 0;
	}
	return fnmatch(pattern, path, FNM_PATHNAME) == 0;
}

static bool any_fits(const GPtrArray *patterns, const char *path)
{
	for (guint i = 0; i < patterns->len; i++)
		if (fits(patterns->pdata[i], path))
			return true;
	return false;
}

bool maintainers_have(const maintainers *m, const char *path)
{
	for (guint i = 0; i < m->sections->len; i++) {
		const section *s = m->sections->pdata[i];

		if (any_fits(s->files, path) && !any_fits(s->excluded, path))
			return true;
	}
	return false;
}
