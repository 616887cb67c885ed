/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who writes questions into a pipe and reads answers from another can wait for ever:
 * git for us to read, we for git.  So we ask at most AHEAD questions ahead, which fit
 * into what the pipe holds, and more than git's own buffer holds back of their answers.
 */
#include "mailer/git_batch.h"

#include <string.h>

#include "mailer/pipe.h"

#define PROCESSES 2
/* Questions in a row to one process: mails that git stores as the difference to each
 * other are unpacked once if one process reads them.  The answers of two runs are more
 * than a pipe holds, and the process that is not listened to waits. */
#define RUN       128u
#define AHEAD     1024u /* a multiple of RUN * PROCESSES, and at least twice that */

typedef struct worker {
	run_pipe git;
	GString *questions; /* not sent yet */
} worker;

struct git_batch {
	worker workers[PROCESSES];
	char *dir;
	size_t max;
	uint64_t asked, taken;
};

git_batch *git_batch_open(const char *dir, size_t max, GError **error)
{
	const char *const argv[] = { "git",     "-C",       dir, "cat-file",
				     "--batch", "--buffer", NULL };
	g_autoptr(git_batch) b = g_new0(git_batch, 1);

	b->dir = g_strdup(dir);
	b->max = max;
	for (size_t i = 0; i < PROCESSES; i++) {
		b->workers[i].questions = g_string_new(NULL);
		if (!pipe_open(&b->workers[i].git, argv, dir, true, error))
			return NULL;
	}
	return g_steal_pointer(&b);
}

void git_batch_close(git_batch *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < PROCESSES; i++) {
		pipe_clear(&b->workers[i].git);
		if (b->workers[i].questions)
			g_string_free(b->workers[i].questions, TRUE);
	}
	g_free(b->dir);
	g_free(b);
}

static worker *worker_of(git_batch *b, uint64_t number)
{
	return &b->workers[number / RUN % PROCESSES];
}

static bool send_questions(worker *w, GError **error)
{
	bool sent = pipe_write(&w->git, w->questions->str, w->questions->len, error);

	g_string_truncate(w->questions, 0);
	return sent;
}

bool git_batch_has_room(const git_batch *b)
{
	return b->asked - b->taken < AHEAD;
}

bool git_batch_ask(git_batch *b, const char *id, GError **error)
{
	worker *w = worker_of(b, b->asked++);

	g_string_append(w->questions, id);
	g_string_append_c(w->questions, '\n');
	return b->asked % RUN != 0 || send_questions(w, error);
}

bool git_batch_end(git_batch *b, GError **error)
{
	for (size_t i = 0; i < PROCESSES; i++) {
		if (!send_questions(&b->workers[i], error))
			return false;
		pipe_close_input(&b->workers[i].git);
	}
	return true;
}

static bool odd_answer(const git_batch *b, const char *line, GError **error)
{
	g_autofree char *words = g_utf8_make_valid(line ? line : "nothing", -1);

	g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT,
		    "%s: git cat-file answered: %.200s", b->dir, words);
	return false;
}

/* "<id> blob <size>", the bytes, a newline. */
static bool read_object(git_batch *b, run_pipe *git, const char *size,
			git_object *object, GError **error)
{
	guint64 length;
	char newline;

	if (!g_ascii_string_to_unsigned(size, 10, 0, G_MAXINT64, &length, NULL))
		return odd_answer(b, size, error);
	if (length > b->max) {
		object->trouble = "too large";
		return pipe_skip(git, length + 1, error);
	}

	g_autofree char *bytes = g_malloc(length + 1);

	if (!pipe_bytes(git, bytes, length, error) ||
	    !pipe_bytes(git, &newline, 1, error))
		return false;
	object->bytes = g_bytes_new_take(g_steal_pointer(&bytes), length);
	return true;
}

bool git_batch_take(git_batch *b, git_object *object, GError **error)
{
	run_pipe *git = &worker_of(b, b->taken++)->git;
	char *line;

	*object = (git_object){ 0 };
	if (!pipe_line(git, &line, error))
		return false;
	if (!line)
		return pipe_finish(git, error) && odd_answer(b, NULL, error);

	char *space = strchr(line, ' ');

	if (space && strcmp(space, " missing") == 0) {
		object->trouble = "missing in the repository";
		return true;
	}
	if (!space || !g_str_has_prefix(space, " blob "))
		return odd_answer(b, line, error);
	return read_object(b, git, space + strlen(" blob "), object, error);
}
