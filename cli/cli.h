/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cli - the program.  One file a command, each a `command` in the table of main.c;
 * help, man page check and shell completion read the same table.  Commands print
 * results to stdout and talk to stderr.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/config.h"

/* Exit codes, documented in the man page. */
enum {
	CLI_OK = 0,
	CLI_FAIL = 1,  /* not done */
	CLI_USAGE = 2, /* wrong usage */
	CLI_RETRY = 75 /* not now: try again later */
};

/*
 * The code of a run that had both ends.  What has failed needs somebody; what is put
 * off helps itself, and must not hide it.
 */
static inline int cli_worse(int a, int b)
{
	if (a == CLI_OK || b == CLI_OK)
		return a == CLI_OK ? b : a;
	if (a == CLI_RETRY || b == CLI_RETRY)
		return a == CLI_RETRY ? b : a;
	return a > b ? a : b;
}

/* An option of a command: where in the command's own struct its value goes. */
typedef struct cli_option {
	const char *name;
	char letter; /* 0 if it has none */
	GOptionArg
		type;  /* NONE gboolean, STRING char *, STRING_ARRAY char **, INT ... */
	size_t offset; /* offsetof() in the struct of `size` bytes below */
	const char *value; /* what help calls the value; NULL for NONE */
	const char *help;
} cli_option;

#define CLI_OPTIONS_END                                                                \
	{                                                                              \
		NULL, 0, 0, 0, NULL, NULL                                              \
	}

typedef struct cli cli;

typedef struct command {
	const char *name;
	const char *args; /* as help shows them: "FILE..." */
	const char *summary;
	const char *more;          /* further text for `help NAME`; may be NULL */
	const cli_option *options; /* ends with a NULL name; may be NULL */
	size_t size;               /* of the struct that the options fill */
	int min, max;              /* how many arguments; max -1 = any number */
	/* options: zeroed and filled; args: NULL-terminated.  Returns an exit code. */
	int (*run)(cli *c, const void *options, char **args);
} command;

/* One run of the program. */
struct cli {
	const command *command;
	const char *config_path; /* --config; NULL if not given */
	bool color;              /* stdout is a terminal that wants colour */
	unsigned width;          /* of the terminal; 80 when piped */
	config *config;          /* see cli_config() */
};

/* All commands, in the order of help; ends with NULL. */
extern const command *const commands[];

const command *command_find(const char *name);

/* The configuration, read when first asked for.  cli_config() demands a file;
 * cli_config_or_default() makes do with the defaults when there is none. */
config *cli_config(cli *c, GError **error);
config *cli_config_or_default(cli *c, GError **error);

/* The clock, or what --date says ("2026-01-02", RFC 3339, @seconds). */
int64_t cli_now(void);
bool cli_parse_date(const char *text, int64_t *seconds, GError **error);

/* "30d", "12h", "2w" in seconds. */
bool cli_parse_duration(const char *text, int64_t *seconds, GError **error);

/* Who the operator is, for history: the login name, as UTF-8.  g_free. */
char *cli_who(void);

/* "regtrail NAME: message" on stderr; returns the exit code that fits the error. */
int cli_fail(const cli *c, const GError *error);

/* The same without an error to hand on, and without ending the run. */
void cli_complain(const cli *c, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Wrong usage: message, then the usage line. */
int cli_wrong(const cli *c, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* An error of the program itself, for parse functions. */
#define CLI_ERROR cli_error_quark()

typedef enum cli_error {
	CLI_ERROR_USAGE, /* what the user typed */
	CLI_ERROR_CONFIG /* what the configuration says, or lacks, or cannot be done so
			  */
} cli_error;

GQuark cli_error_quark(void);

#endif
