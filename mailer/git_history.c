/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The git program: whole histories, and how they moved since they were last seen. */
#include <string.h>

#include "mailer/git.h"

#define WALK_SECONDS 3600 /* what looks at a whole history may take so long */

bool mailer_git_log(const char *dir, const mailer_git_span *range, mailer_piece_fn fn,
		    void *context, GError **error)
{
	g_autofree char *format = g_strconcat("--format=", range->format, NULL);
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	const char *const fixed[] = { "git",
				      "-C",
				      dir,
				      "-c",
				      "log.showSignature=false",
				      "log",
				      "-z",
				      "--no-color",
				      "--no-notes",
				      "--no-mailmap",
				      "--encoding=UTF-8",
				      format,
				      range->tip };

	for (size_t i = 0; i < G_N_ELEMENTS(fixed); i++)
		g_ptr_array_add(argv, (gpointer)(guintptr)fixed[i]);
	if (range->without && range->without->len)
		g_ptr_array_add(argv, (gpointer) "--not");
	for (guint i = 0; range->without && i < range->without->len; i++)
		g_ptr_array_add(argv, g_ptr_array_index(range->without, i));
	g_ptr_array_add(argv, (gpointer) "--");
	g_ptr_array_add(argv, NULL);
	if (run_stream((const char *const *)(void *)argv->pdata, fn, context, error))
		return true;
	g_prefix_error(error, "%s: ", dir);
	return false;
}

char *mailer_git_tip(const char *dir, const char *branch, GError **error)
{
	g_autoptr(GError) cause = NULL;
	char *tip = git_resolve(dir, branch, &cause);

	if (tip)
		return tip;
	if (cause->code == MAILER_ERROR_NOT_FOUND)
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_NOT_FOUND,
			    "%s: no branch %s", dir, branch);
	else
		g_propagate_error(error, g_steal_pointer(&cause));
	return NULL;
}

/* An object that cannot be read makes `git merge-base` complain and say "no". */
static bool complains(const GError *cause)
{
	return strstr(cause->message, "error: ") || strstr(cause->message, "fatal: ");
}

/* Runs it; *yes is whether it ended with 0 and not with 1. */
static bool ask(const char *dir, const char *const *argv, bool *yes, char **line,
		GError **error)
{
	run_end end = { 0 };
	g_autoptr(GError) cause = NULL;
	g_autoptr(GBytes) out = run_program(argv, NULL, WALK_SECONDS, &end, &cause);

	*yes = out != NULL;
	if (out && line)
		*line = git_line(out);
	if (out || (end.exited && end.status == 1 && !complains(cause)))
		return true;
	g_propagate_prefixed_error(error, g_steal_pointer(&cause), "%s: ", dir);
	return false;
}

bool mailer_git_moved(const char *dir, const char *old, const char *tip,
		      mailer_git_move *move, char **base, GError **error)
{
	const char *const ancestor[] = { "git",           "-C", dir, "merge-base",
					 "--is-ancestor", old,  tip, NULL };
	const char *const common[] = { "git", "-C", dir, "merge-base", old, tip, NULL };
	g_autoptr(GError) cause = NULL;
	g_autofree char *there = git_resolve(dir, old, &cause);
	bool yes;

	*base = NULL;
	if (!there && cause->code != MAILER_ERROR_NOT_FOUND) {
		g_propagate_error(error, g_steal_pointer(&cause));
		return false;
	}
	*move = MAILER_GIT_VANISHED;
	if (!there)
		return true;
	if (!ask(dir, ancestor, &yes, NULL, error))
		return false;
	*move = yes ? MAILER_GIT_FORWARD : MAILER_GIT_REWOUND;
	return yes || ask(dir, common, &yes, base, error);
}

bool mailer_git_base(const char *dir, const GPtrArray *commits, char **base,
		     GError **error)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new();
	const char *const fixed[] = { "git", "-C", dir, "merge-base", "--octopus" };
	bool yes;

	*base = NULL;
	for (size_t i = 0; i < G_N_ELEMENTS(fixed); i++)
		g_ptr_array_add(argv, (gpointer)(guintptr)fixed[i]);
	for (guint i = 0; i < commits->len; i++)
		g_ptr_array_add(argv, g_ptr_array_index(commits, i));
	g_ptr_array_add(argv, NULL);
	return ask(dir, (const char *const *)(void *)argv->pdata, &yes, base, error);
}

bool mailer_git_complete(const char *dir, bool *complete, GError **error)
{
	const char *const shallow[] = {
		"git", "-C", dir, "rev-parse", "--is-shallow-repository", NULL
	};
	const char *const grafts[] = { "git",        "-C",          dir, "rev-parse",
				       "--git-path", "info/grafts", NULL };
	g_autoptr(GBytes) is = mailer_run(shallow, GIT_SECONDS, error);
	g_autoptr(GBytes) where = is ? mailer_run(grafts, GIT_SECONDS, error) : NULL;

	if (!where) {
		g_prefix_error(error, "%s: ", dir);
		return false;
	}

	g_autofree char *answer = git_line(is);
	g_autofree char *path = git_line(where);
	g_autofree char *full = g_canonicalize_filename(path, dir);

	*complete =
		strcmp(answer, "true") != 0 && !g_file_test(full, G_FILE_TEST_EXISTS);
	return true;
}

static void name_free(mailer_git_name *name)
{
	g_free(name->id);
	g_free(name);
}

/* "<hash> commit 123", "<what was asked> missing" or "... ambiguous". */
static mailer_git_name *read_name(const char *line)
{
	mailer_git_name *name = g_new0(mailer_git_name, 1);
	g_auto(GStrv) words = g_strsplit(line, " ", 3);

	if (g_strv_length(words) == 3 && strcmp(words[1], "commit") == 0)
		name->id = g_strdup(words[0]);
	else
		name->ambiguous = g_str_has_suffix(line, " ambiguous");
	return name;
}

GPtrArray *mailer_git_names(const char *dir, const GPtrArray *hashes, GError **error)
{
	/* Of what begins so only commits are meant; "^{commit}" would not tell missing
	 * from ambiguous. */
	const char *const argv[] = { "git",
				     "-C",
				     dir,
				     "-c",
				     "core.disambiguate=commit",
				     "cat-file",
				     "--batch-check",
				     NULL };
	g_autoptr(GString) asked = g_string_new(NULL);
	g_autoptr(GPtrArray) names =
		g_ptr_array_new_with_free_func((GDestroyNotify)name_free);
	run_end end;

	for (guint i = 0; i < hashes->len; i++)
		g_string_append_printf(asked, "%s\n",
				       (char *)g_ptr_array_index(hashes, i));

	g_autoptr(GBytes) input = g_bytes_new(asked->str, asked->len);
	g_autoptr(GBytes) out = run_program(argv, input, WALK_SECONDS, &end, error);

	if (!out) {
		g_prefix_error(error, "%s: ", dir);
		return NULL;
	}

	g_autofree char *text = git_line(out);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line && **line; line++)
		g_ptr_array_add(names, read_name(*line));
	if (names->len != hashes->len) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_IO,
			    "%s: git cat-file answers %u of %u questions", dir,
			    names->len, hashes->len);
		return NULL;
	}
	return g_steal_pointer(&names);
}

/* ---- patch-ids
 * ------------------------------------------------------------------------ */

char *mailer_git_patch_id_of(GBytes *patch, GError **error)
{
	/* In no repository: it reads nothing but its input. */
	const char *const argv[] = { "git", "patch-id", "--stable", NULL };
	run_end end;
	g_autoptr(GBytes) out = run_program(argv, patch, GIT_SECONDS, &end, error);

	if (!out)
		return NULL;

	char *line = git_line(out);

	line[strcspn(line, " \n")] = '\0';
	return line;
}

char *mailer_git_patch_id(const char *dir, const char *commit, GError **error)
{
	const char *const argv[] = { "git",
				     "-C",
				     dir,
				     "diff-tree",
				     "--root",
				     "-p",
				     "--no-ext-diff",
				     "--no-textconv",
				     "--end-of-options",
				     commit,
				     NULL };
	g_autoptr(GBytes) diff = mailer_run(argv, GIT_SECONDS, error);

	if (!diff) {
		g_prefix_error(error, "%s: ", dir);
		return NULL;
	}
	return mailer_git_patch_id_of(diff, error);
}

bool mailer_git_applies(const char *dir, GBytes *patch, GError **error)
{
	const char *const argv[] = { "git", "-C", dir, "apply", "--check", "-", NULL };
	run_end end;
	g_autoptr(GBytes) out = run_program(argv, patch, GIT_SECONDS, &end, error);

	if (!out)
		g_prefix_error(error, "%s: it does not apply: ", dir);
	return out;
}
