/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The git program: commits out of a repository. */
#include <string.h>

#include "mailer/git.h"

char *git_line(GBytes *out)
{
	gsize length;
	const char *text = g_bytes_get_data(out, &length);
	char *line = g_strndup(text ? text : "", length);

	return g_strchomp(line);
}

char *git_resolve(const char *dir, const char *revision, GError **error)
{
	g_autofree char *commit = g_strconcat(revision, "^{commit}", NULL);
	const char *const argv[] = { "git",
				     "-C",
				     dir,
				     "rev-parse",
				     "--verify",
				     "--quiet",
				     "--end-of-options",
				     commit,
				     NULL };
	g_autoptr(GError) cause = NULL;
	g_autoptr(GBytes) out = mailer_run(argv, GIT_SECONDS, &cause);

	if (!out) {
		/* Quiet and failed means: no such revision; words mean: no repository.
		 */
		bool quiet = g_str_has_suffix(cause->message, "exit code 1");

		if (quiet)
			g_set_error(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND,
				    "%s: no commit %s", dir, revision);
		else
			g_set_error(error, MAILER_ERROR, cause->code, "%s: %s: %s", dir,
				    revision, cause->message);
		return NULL;
	}
	return git_line(out);
}

/* "a\0b\0" to an array. */
static GPtrArray *split_zero(GBytes *bytes)
{
	GPtrArray *parts = g_ptr_array_new_with_free_func(g_free);
	gsize length;
	const char *text = g_bytes_get_data(bytes, &length);
	const char *end = text + length;

	while (text < end) {
		const char *zero = memchr(text, '\0', (size_t)(end - text));
		size_t n = zero ? (size_t)(zero - text) : (size_t)(end - text);

		g_ptr_array_add(parts, g_strndup(text, n));
		text += n + (zero ? 1 : 0);
	}
	return parts;
}

GBytes *mailer_git_patch(const char *dir, const char *commit, GError **error)
{
	const char *const argv[] = {
		"git",  "-C", dir, "format-patch", "--stdout", "-1", "--end-of-options",
		commit, NULL
	};

	return mailer_run(argv, GIT_SECONDS, error);
}

GBytes *mailer_git_commit(const char *dir, const char *revision, char **id,
			  GPtrArray **paths, GError **error)
{
	g_autofree char *full = git_resolve(dir, revision, error);

	if (!full)
		return NULL;

	const char *const cat[] = {
		"git", "-C", dir, "cat-file", "commit", full, NULL
	};
	g_autoptr(GBytes) bytes = mailer_run(cat, GIT_SECONDS, error);

	if (!bytes)
		return NULL;
	if (paths) {
		const char *const tree[] = { "git",       "-C",     dir,
					     "diff-tree", "--root", "--no-commit-id",
					     "-r",        "-z",     "--name-only",
					     full,        NULL };
		g_autoptr(GBytes) names = mailer_run(tree, GIT_SECONDS, error);

		if (!names)
			return NULL;
		*paths = split_zero(names);
	}
	if (id)
		*id = g_steal_pointer(&full);
	return g_steal_pointer(&bytes);
}
