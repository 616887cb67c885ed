/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts of commits, and their JSON form: docs/commits.schema.json. */
#include <string.h>

#include "parser/json_path.h"

parser_commit *parser_commit_new(void)
{
	parser_commit *commit = g_new0(parser_commit, 1);

	commit->trailers =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_pair_free);
	commit->files = g_ptr_array_new_with_free_func(g_free);
	return commit;
}

/* The fields that are plain strings, for all that is done to each. */
static char **string_field(parser_commit *commit, size_t i)
{
	char **const fields[] = { &commit->id,
				  &commit->subject,
				  &commit->author_name,
				  &commit->author_address,
				  &commit->tree,
				  &commit->branch,
				  &commit->url,
				  &commit->base,
				  &commit->patch_message_id,
				  &commit->patch_subject };

	return i < G_N_ELEMENTS(fields) ? fields[i] : NULL;
}

void parser_commit_free(parser_commit *commit)
{
	if (!commit)
		return;
	for (size_t i = 0; string_field(commit, i); i++)
		g_free(*string_field(commit, i));
	g_ptr_array_unref(commit->trailers);
	g_ptr_array_unref(commit->files);
	g_free(commit);
}

void parser_commit_merge(parser_commit *into, const parser_commit *from)
{
	for (size_t i = 0; string_field(into, i); i++) {
		char **to = string_field(into, i);
		const char *fact = *string_field((parser_commit *)from, i);

		if (!*to)
			*to = g_strdup(fact);
	}
	if (!into->date)
		into->date = from->date;
	for (guint i = 0, had = into->trailers->len; !had && i < from->trailers->len;
	     i++) {
		const parser_pair *pair = from->trailers->pdata[i];

		g_ptr_array_add(into->trailers,
				parser_pair_new(pair->name, pair->value));
	}
	for (guint i = 0, had = into->files->len; !had && i < from->files->len; i++)
		g_ptr_array_add(into->files, g_strdup(from->files->pdata[i]));
}

/* A trailer is {"name": ..., "value": ...} or "Name: value". */
static bool read_trailer(json_at *at, const json_t *value, GPtrArray *trailers)
{
	static const char *const keys[] = { "name", "value", NULL };
	g_autofree char *text = NULL, *name = NULL, *what = NULL;

	if (json_is_string(value)) {
		if (!json_at_text(at, value, &text))
			return false;

		const char *colon = strstr(text, ": ");

		if (!colon || colon == text)
			return json_at_fail(at, "expected \"Name: value\"");
		name = g_strndup(text, (gsize)(colon - text));
		what = g_strdup(colon + 2);
	} else if (!json_at_object(at, value, keys) ||
		   !json_at_string(at, value, "name", &name) ||
		   !json_at_string(at, value, "value", &what)) {
		return false;
	}
	if (!name || !what)
		return json_at_fail(at, "a trailer needs name and value");
	g_ptr_array_add(trailers, parser_pair_new(name, what));
	return true;
}

static bool read_trailers(json_at *at, const json_t *object, parser_commit *commit)
{
	const json_t *list = json_object_get(object, "trailers");
	size_t mark = json_at_key(at, "trailers");

	if (list && !json_is_null(list) && !json_is_array(list))
		return json_at_fail(at, "expected an array");
	for (size_t i = 0; i < json_array_size(list); i++) {
		size_t item = json_at_index(at, i);

		if (!read_trailer(at, json_array_get(list, i), commit->trailers))
			return false;
		json_at_leave(at, item);
	}
	json_at_leave(at, mark);
	return true;
}

static bool read_author(json_at *at, const json_t *object, parser_commit *commit)
{
	static const char *const keys[] = { "name", "address", NULL };
	const json_t *author = json_object_get(object, "author");
	size_t mark = json_at_key(at, "author");

	if (author && !json_is_null(author) &&
	    (!json_at_object(at, author, keys) ||
	     !json_at_fact(at, author, "name", &commit->author_name) ||
	     !json_at_fact(at, author, "address", &commit->author_address)))
		return false;
	json_at_leave(at, mark);
	return true;
}

static bool read_patch(json_at *at, const json_t *object, parser_commit *commit)
{
	static const char *const keys[] = { "message_id", "subject", NULL };
	const json_t *patch = json_object_get(object, "patch");
	size_t mark = json_at_key(at, "patch");

	if (patch && !json_is_null(patch) &&
	    (!json_at_object(at, patch, keys) ||
	     !json_at_fact(at, patch, "message_id", &commit->patch_message_id) ||
	     !json_at_fact(at, patch, "subject", &commit->patch_subject)))
		return false;
	json_at_leave(at, mark);
	return true;
}

/* Unix seconds, or ISO 8601 with a zone. */
static bool read_date(json_at *at, const json_t *object, parser_commit *commit)
{
	const json_t *date = json_object_get(object, "date");
	size_t mark = json_at_key(at, "date");
	bool good = true;

	if (json_is_integer(date)) {
		commit->date = json_integer_value(date);
	} else if (json_is_string(date)) {
		g_autoptr(GDateTime) time =
			g_date_time_new_from_iso8601(json_string_value(date), NULL);

		if (time)
			commit->date = g_date_time_to_unix(time);
		else
			good = json_at_fail(at, "'%.60s' is no date with time and zone",
					    json_string_value(date));
	} else if (date && !json_is_null(date)) {
		good = json_at_fail(at, "expected Unix seconds or an ISO 8601 date");
	}
	json_at_leave(at, mark);
	return good;
}

/* Hex digits become lower case; a tag stays as it is. */
void json_commit_settle_id(parser_commit *commit)
{
	if (commit->id &&
	    strspn(commit->id, "0123456789abcdefABCDEF") == strlen(commit->id))
		for (char *p = commit->id; *p; p++)
			*p = g_ascii_tolower(*p);
}

bool json_at_commit(json_at *at, const json_t *value, parser_commit *commit)
{
	static const char *const keys[] = { "id",    "subject",  "author", "date",
					    "files", "trailers", "tree",   "branch",
					    "url",   "base",     "patch",  NULL };
	static const struct {
		const char *key;
		size_t offset;
	} strings[] = {
		{ "subject", offsetof(parser_commit, subject) },
		{ "tree", offsetof(parser_commit, tree) },
		{ "branch", offsetof(parser_commit, branch) },
		{ "url", offsetof(parser_commit, url) },
		{ "base", offsetof(parser_commit, base) },
	};

	if (!json_at_object(at, value, keys))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(strings); i++)
		if (!json_at_fact(
			    at, value, strings[i].key,
			    (char **)(void *)((char *)commit + strings[i].offset)))
			return false;
	if (!json_at_string(at, value, "id", &commit->id))
		return false;
	json_commit_settle_id(commit);
	if (commit->id && !*commit->id)
		return json_at_fail(at, "empty id");
	return json_at_strings(at, value, "files", commit->files) &&
	       read_trailers(at, value, commit) && read_author(at, value, commit) &&
	       read_patch(at, value, commit) && read_date(at, value, commit);
}

static bool add_commit(json_at *at, const json_t *value, GPtrArray *commits)
{
	parser_commit *commit = parser_commit_new();

	g_ptr_array_add(commits, commit);
	if (!json_at_commit(at, value, commit))
		return false;
	return commit->id || json_at_fail(at, "a commit needs an id");
}

GPtrArray *parser_commits_from_json(const char *bytes, size_t length,
				    const char *origin, GError **error)
{
	g_autoptr(GPtrArray) commits =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_commit_free);
	g_auto(json_at) at = { 0 };
	json_t *value = json_at_load(&at, bytes, length, origin, error);
	bool good = value != NULL;

	if (json_is_array(value)) {
		for (size_t i = 0; good && i < json_array_size(value); i++) {
			size_t mark = json_at_index(&at, i);

			good = add_commit(&at, json_array_get(value, i), commits);
			json_at_leave(&at, mark);
		}
	} else if (good) {
		good = add_commit(&at, value, commits);
	}
	json_decref(value);
	return good ? g_steal_pointer(&commits) : NULL;
}
