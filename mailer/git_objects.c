/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The git program: single objects of a repository that holds mail. */
#include "mailer/git_objects.h"

#include <string.h>

#include "mailer/run.h"

#define OBJECT_SECONDS 60

bool git_is_id(const char *text)
{
	size_t n = strspn(text, "0123456789abcdef");

	return text[n] == '\0' && (n == 40 || n == 64);
}

bool git_head(const char *dir, char **id, GError **error)
{
	const char *const argv[] = { "git",      "-C",      dir,    "rev-parse",
				     "--verify", "--quiet", "HEAD", NULL };
	run_end end = { 0 };
	g_autoptr(GError) cause = NULL;
	g_autoptr(GBytes) out = run_program(argv, NULL, OBJECT_SECONDS, &end, &cause);

	*id = NULL;
	if (out) {
		gsize n;
		const char *text = g_bytes_get_data(out, &n);

		*id = g_strchomp(g_strndup(text, n));
		return true;
	}
	/* A repository without commits is one in which nothing has arrived yet. */
	if (end.exited && end.status == 1)
		return true;
	g_propagate_prefixed_error(error, g_steal_pointer(&cause), "%s: ", dir);
	return false;
}

bool git_has(const char *dir, const char *name)
{
	const char *const argv[] = { "git", "-C", dir, "cat-file", "-e", name, NULL };
	g_autoptr(GBytes) out = mailer_run(argv, OBJECT_SECONDS, NULL);

	return out;
}

GBytes *git_blob(const char *dir, const char *id, GError **error)
{
	const char *const argv[] = { "git", "-C", dir, "cat-file", "blob", id, NULL };

	if (!git_is_id(id) || !git_has(dir, id)) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND,
			    "%s: no object %s", dir, id);
		return NULL;
	}
	return mailer_run(argv, OBJECT_SECONDS, error);
}

bool git_fetch(const char *dir, unsigned seconds, GError **error)
{
	const char *const argv[] = { "git", "-C", dir, "fetch", "--quiet", NULL };
	g_autoptr(GError) cause = NULL;
	g_autoptr(GBytes) out = mailer_run(argv, seconds, &cause);

	if (!out)
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY,
			    "%s: git fetch: %s", dir, cause->message);
	return out;
}
