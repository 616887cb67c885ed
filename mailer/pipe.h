/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program that runs beside us: what it prints is taken while it prints it. */
#ifndef MAILER_PIPE_H
#define MAILER_PIPE_H

#include "mailer/run.h"

typedef struct run_pipe {
	GSubprocess *process; /* NULL: not started, or ended */
	char *program;        /* for messages */
	int in;               /* what we write to it; -1: nothing, or closed */
	int out, err;         /* what it prints; err is a file */
	unsigned seconds;     /* it may be silent for so long; 0 = for ever */
	char *buffer;
	size_t start, end; /* what of the buffer is not taken yet */
} run_pipe;

/* Starts argv; `input`: pipe_write() will be used.  `program` names it in messages.
 */
bool pipe_open(run_pipe *s, const char *const *argv, const char *program, bool input,
	       GError **error);

/*
 * Writes to the program.  It blocks when the program does not read, so never write
 * more than 64 kB ahead of what was taken.
 */
bool pipe_write(run_pipe *s, const char *bytes, size_t length, GError **error);

/* Tells the program that nothing more comes. */
void pipe_close_input(run_pipe *s);

/* The next line without its end, lent until the next call; *line NULL at the end.  A
 * line of more than 64 kB is an error. */
bool pipe_line(run_pipe *s, char **line, GError **error);

/* Exactly so many bytes. */
bool pipe_bytes(run_pipe *s, char *to, size_t length, GError **error);

/* Drops so many bytes. */
bool pipe_skip(run_pipe *s, size_t length, GError **error);

/* All the rest, in pieces of any size; fn returns false with *error set to stop it. */
bool pipe_pieces(run_pipe *s, mailer_piece_fn fn, void *context, GError **error);

/* Waits for the end of a program that has nothing more to say; false if it failed. */
bool pipe_finish(run_pipe *s, GError **error);

/* Ends the program if it still runs. */
void pipe_clear(run_pipe *s);

/*
 * Runs argv without input and hands out its output as it comes, however long it takes.
 */
bool run_stream(const char *const *argv, mailer_piece_fn fn, void *context,
		GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(run_pipe, pipe_clear)

#endif
