/* SPDX-License-Identifier: GPL-2.0-or-later */
/* regtrail.conf: where it is looked for, and what may stand in it. */
#ifndef CLI_CONFIG_H
#define CLI_CONFIG_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#define CONFIG_FILE "regtrail.conf"

typedef enum config_type {
	CONFIG_TEXT,
	CONFIG_PATH,      /* relative ones count from the directory of the file */
	CONFIG_BOOL,      /* yes, no, true, false */
	CONFIG_NUMBER,    /* 0 and up */
	CONFIG_COUNT,     /* 1 and up */
	CONFIG_WORDS,     /* separated by commas */
	CONFIG_ADDRESS,   /* Name <user@host>, or the address alone */
	CONFIG_ADDRESSES, /* several, separated by commas */
	CONFIG_STATUSES,  /* closed statuses, separated by commas */
	CONFIG_CHOICE     /* one of config_key_choices() */
} config_type;

/* A key that may stand in the file.  Code asks for no other, and users write no other.
 */
typedef struct config_key {
	const char *group; /* "tree *" for [tree NAME] */
	const char *key;
	config_type type;
	const char *value; /* the default; NULL = none */
	bool active;       /* `init` writes it without a # */
	const char *help;  /* one or more lines, separated by \n */
} config_key;

extern const config_key config_keys[]; /* ends with a NULL group */

/* A line about each group, for `init`. */
const char *config_group_help(const char *group);

/*
 * The entry of a key in a group as written ("tree linux-next"), or any of that group if
 * key is NULL; NULL if there is none.  A name may be anything, for many come from
 * results and mails: also one that no file can have.
 */
const config_key *config_key_find(const char *group, const char *key);

/* What a CONFIG_CHOICE may be, NULL-terminated; NULL for every other type. */
const char *const *config_key_choices(const config_key *key);

typedef struct config config;

/* The path of the file that counts, or NULL: `given`, ./, user's directory, /etc. */
char *config_find(const char *given);

/* Reads and checks it; the error names file and line.  path NULL: all defaults. */
config *config_load(const char *path, GError **error);
void config_free(config *c);

/* Where it was read from; NULL for the defaults. */
const char *config_path(const config *c);

/* Values by a group as written ("tree linux-next") and a key of the table. */
char *config_text(const config *c, const char *group, const char *key); /* or NULL */
char *config_file(const config *c, const char *group,
		  const char *key); /* a CONFIG_PATH */
/* A path as it is meant in the configuration: relative to its directory.  g_free. */
char *config_path_of(const config *c, const char *path);
bool config_bool(const config *c, const char *group, const char *key);
uint64_t config_number(const config *c, const char *group, const char *key);
GPtrArray *config_words(const config *c, const char *group,
			const char *key); /* char * */

/* The names in [KIND NAME] groups of a kind, in file order (char *). */
GPtrArray *config_names(const config *c, const char *kind);

/* The text of a commented file with every key. */
char *config_sample(void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(config, config_free)

#endif
