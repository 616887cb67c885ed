/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * GKeyFile does the reading.  A pass over the lines before it finds what GKeyFile
 * cannot tell with a line number: unknown and repeated keys, and values of the wrong
 * type.
 */
#include "cli/config.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/address.h"
#include "cli/cli.h"
#include "mailer/mailer.h"
#include "tracker/tracker.h"

struct config {
	char *path, *dir; /* NULL for the defaults */
	GKeyFile *file;
};

static bool belongs_to_caller(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && st.st_uid == geteuid();
}

char *config_find(const char *given)
{
	if (given)
		return g_strdup(given);
	/* Anybody can leave a file in a directory that anybody can write to. */
	if (belongs_to_caller(CONFIG_FILE))
		return g_strdup(CONFIG_FILE);

	g_autofree char *user = g_build_filename(g_get_user_config_dir(), "regtrail",
						 CONFIG_FILE, NULL);

	if (g_file_test(user, G_FILE_TEST_EXISTS))
		return g_steal_pointer(&user);

	g_autofree char *all = g_build_filename("/etc", "regtrail", CONFIG_FILE, NULL);

	return g_file_test(all, G_FILE_TEST_EXISTS) ? g_steal_pointer(&all) : NULL;
}

/* ---- checks of values; each returns NULL or what is wrong ---- */

static const char *check_bool(const char *value)
{
	static const char *const words[] = { "yes", "no", "true", "false", NULL };

	return g_strv_contains(words, value) ? NULL : "is neither yes nor no";
}

static const char *check_number(const char *value)
{
	return g_ascii_string_to_unsigned(value, 10, 0, G_MAXINT64, NULL, NULL) ?
		       NULL :
		       "is not a number";
}

static const char *check_count(const char *value)
{
	const char *wrong = check_number(value);

	return wrong                                  ? wrong :
	       g_ascii_strtoull(value, NULL, 10) == 0 ? "must be 1 or more" :
							NULL;
}

static const char *check_addresses(const char *value, bool one)
{
	g_autoptr(GPtrArray) all = cli_address_list(value, NULL);

	if (!all)
		return "is not an address (user@host, or Name <user@host>)";
	return one && all->len != 1 ? "must be one address" : NULL;
}

static const char *check_statuses(const char *value)
{
	g_auto(GStrv) words = g_strsplit(value, ",", -1);
	tracker_status status;

	for (char **word = words; *word; word++)
		if (!tracker_status_from_name(g_strstrip(*word), &status) ||
		    tracker_status_is_open(status))
			return "names something that is no closed status";
	return NULL;
}

static const char *check_value(const config_key *key, const char *value)
{
	if (value[0] == '\0')
		return NULL; /* as if it were not there */
	switch (key->type) {
	case CONFIG_BOOL:
		return check_bool(value);
	case CONFIG_NUMBER:
		return check_number(value);
	case CONFIG_COUNT:
		return check_count(value);
	case CONFIG_ADDRESS:
		return check_addresses(value, true);
	case CONFIG_ADDRESSES:
		return check_addresses(value, false);
	case CONFIG_STATUSES:
		return check_statuses(value);
	case CONFIG_CHOICE:
		return g_strv_contains(config_key_choices(key), value) ? NULL :
									 "cannot be";
	case CONFIG_TEXT:
	case CONFIG_PATH:
	case CONFIG_WORDS:
		break;
	}
	return NULL;
}

/* ---- the pass over the lines ---- */

typedef struct scan {
	const char *path;
	unsigned line;
	char *group;      /* NULL before the first */
	GHashTable *seen; /* "group\nkey" -> line number */
} scan;

static bool complain(const scan *s, GError **error, const char *format, ...)
	G_GNUC_PRINTF(3, 4);

static bool complain(const scan *s, GError **error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);

	g_autofree char *what = g_strdup_vprintf(format, arguments);

	va_end(arguments);
	g_set_error(error, CLI_ERROR, CLI_ERROR_CONFIG, "%s:%u: %s", s->path, s->line,
		    what);
	return false;
}

static bool scan_group(scan *s, const char *text, GError **error)
{
	size_t n = strlen(text);

	if (n < 3 || text[n - 1] != ']')
		return complain(s, error, "a group without its closing ]");
	g_free(s->group);
	s->group = g_strndup(text + 1, n - 2);
	if (!config_key_find(s->group, NULL))
		return complain(s, error, "unknown group [%s]", s->group);
	if (g_str_has_suffix(s->group, " "))
		return complain(s, error, "a group without its name: [%s]", s->group);
	return true;
}

static bool scan_key(scan *s, const char *text, GError **error)
{
	const char *equals = strchr(text, '=');

	if (!equals)
		return complain(s, error, "neither a group, a key nor a comment");
	if (!s->group)
		return complain(s, error, "a key before the first group");

	g_autofree char *key = g_strchomp(g_strndup(text, (gsize)(equals - text)));
	g_autofree char *value = g_strstrip(g_strdup(equals + 1));
	const config_key *known = config_key_find(s->group, key);

	if (!known)
		return complain(s, error, "unknown key %s in [%s]", key, s->group);

	g_autofree char *full = g_strdup_printf("%s\n%s", s->group, key);
	unsigned before = GPOINTER_TO_UINT(g_hash_table_lookup(s->seen, full));

	if (before)
		return complain(s, error, "%s stands in line %u already", key, before);
	g_hash_table_insert(s->seen, g_steal_pointer(&full), GUINT_TO_POINTER(s->line));

	const char *wrong = check_value(known, value);

	const char *const *choices = wrong ? config_key_choices(known) : NULL;
	g_autofree char *words = choices ? g_strjoinv(", ", (char **)choices) : NULL;

	if (words)
		return complain(s, error, "%s %s: %s (there are: %s)", key, wrong,
				value, words);
	return wrong ? complain(s, error, "%s %s: %s", key, wrong, value) : true;
}

static bool scan_line(scan *s, char *line, GError **error)
{
	const char *text = g_strstrip(line);

	s->line++;
	if (text[0] == '\0' || text[0] == '#')
		return true;
	return text[0] == '[' ? scan_group(s, text, error) : scan_key(s, text, error);
}

static bool scan_text(const char *path, const char *text, GError **error)
{
	g_autoptr(GHashTable) seen =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	scan s = { .path = path, .seen = seen };
	bool good = true;

	for (char **line = lines; good && *line; line++)
		good = scan_line(&s, *line, error);
	g_free(s.group);
	return good;
}

config *config_load(const char *path, GError **error)
{
	g_autoptr(config) c = g_new0(config, 1);

	c->file = g_key_file_new();
	g_key_file_set_list_separator(c->file, ',');
	if (!path)
		return g_steal_pointer(&c);

	g_autoptr(GBytes) bytes = mailer_file_read(path, error);

	if (!bytes)
		return NULL;

	gsize length;
	const char *data = g_bytes_get_data(bytes, &length);
	g_autofree char *text = g_strndup(data ? data : "", length);
	g_autoptr(GError) cause = NULL;

	if (strlen(text) != length || !g_utf8_validate(text, -1, NULL)) {
		g_set_error(error, CLI_ERROR, CLI_ERROR_CONFIG, "%s: not UTF-8 text",
			    path);
		return NULL;
	}
	if (!scan_text(path, text, error))
		return NULL;
	if (!g_key_file_load_from_data(c->file, text, length, G_KEY_FILE_NONE,
				       &cause) &&
	    !g_error_matches(cause, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_NOT_FOUND)) {
		g_set_error(error, CLI_ERROR, CLI_ERROR_CONFIG, "%s: %s", path,
			    cause->message);
		return NULL;
	}
	c->path = g_strdup(path);

	g_autofree char *full = g_canonicalize_filename(path, NULL);

	c->dir = g_path_get_dirname(full);
	return g_steal_pointer(&c);
}

void config_free(config *c)
{
	if (!c)
		return;
	g_free(c->path);
	g_free(c->dir);
	g_key_file_free(c->file);
	g_free(c);
}

const char *config_path(const config *c)
{
	return c->path;
}

char *config_text(const config *c, const char *group, const char *key)
{
	const config_key *known = config_key_find(group, key);

	g_assert(known);

	g_autofree char *value = g_key_file_get_string(c->file, group, key, NULL);

	if (value && value[0])
		return g_strdup(g_strstrip(value));
	return known->value && known->value[0] ? g_strdup(known->value) : NULL;
}

char *config_file(const config *c, const char *group, const char *key)
{
	g_autofree char *value = config_text(c, group, key);

	return value ? g_canonicalize_filename(value, c->dir) : NULL;
}

char *config_path_of(const config *c, const char *path)
{
	return g_canonicalize_filename(path, c->dir);
}

bool config_bool(const config *c, const char *group, const char *key)
{
	g_autofree char *value = config_text(c, group, key);

	return value && (strcmp(value, "yes") == 0 || strcmp(value, "true") == 0);
}

uint64_t config_number(const config *c, const char *group, const char *key)
{
	g_autofree char *value = config_text(c, group, key);

	return value ? g_ascii_strtoull(value, NULL, 10) : 0;
}

GPtrArray *config_words(const config *c, const char *group, const char *key)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *value = config_text(c, group, key);
	g_auto(GStrv) parts = g_strsplit(value ? value : "", ",", -1);

	for (char **part = parts; *part; part++)
		if (g_strstrip(*part)[0])
			g_ptr_array_add(words, g_strdup(*part));
	return words;
}

GPtrArray *config_names(const config *c, const char *kind)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	g_auto(GStrv) all = g_key_file_get_groups(c->file, NULL);
	g_autofree char *prefix = g_strconcat(kind, " ", NULL);

	for (char **group = all; *group; group++)
		if (g_str_has_prefix(*group, prefix))
			g_ptr_array_add(names, g_strdup(*group + strlen(prefix)));
	return names;
}
