/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Delivery status notifications (RFC 3464, RFC 6533). */
#include <string.h>

#include "parser/mail.h"
#include "parser/msgid.h"

#define VALUE_MAX 1000 /* bytes of one field */

static void bounced_free(parser_bounced *one)
{
	if (!one)
		return;
	g_free(one->final);
	g_free(one->original);
	g_free(one->detail);
	g_free(one);
}

void parser_bounce_free(parser_bounce *bounce)
{
	if (!bounce)
		return;
	g_free(bounce->message_id);
	g_ptr_array_unref(bounce->recipients);
	g_free(bounce);
}

/* ---- fields in groups ---------------------------------------------------------------
 */

typedef struct group {
	char *final, *original, *action, *status, *diagnosis;
} group;

static void group_clear(group *g)
{
	g_free(g->final);
	g_free(g->original);
	g_free(g->action);
	g_free(g->status);
	g_free(g->diagnosis);
	*g = (group){ 0 };
}

/* Valid, without control characters, bounded and trimmed. */
static char *clean(const char *value, size_t length)
{
	char *text = g_utf8_make_valid(value, (gssize)MIN(length, VALUE_MAX));

	for (char *p = text; *p; p++)
		if (g_ascii_iscntrl(*p))
			*p = ' ';
	return g_strstrip(text);
}

/* "rfc822; user@host": the type goes, and <> around the address. */
static char *after_type(const char *value)
{
	const char *semicolon = strchr(value, ';');
	char *text = g_strstrip(g_strdup(semicolon ? semicolon + 1 : value));
	size_t n = strlen(text);

	if (n > 1 && text[0] == '<' && text[n - 1] == '>') {
		text[n - 1] = '\0';
		memmove(text, text + 1, n - 1);
	}
	return text;
}

static void take_field(group *g, const char *line, size_t length)
{
	const struct {
		const char *name;
		char **into;
		bool typed;
	} fields[] = {
		{ "Final-Recipient:", &g->final, true },
		{ "Original-Recipient:", &g->original, true },
		{ "Action:", &g->action, false },
		{ "Status:", &g->status, false },
		{ "Diagnostic-Code:", &g->diagnosis, true },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++) {
		size_t n = strlen(fields[i].name);

		if (length < n || g_ascii_strncasecmp(line, fields[i].name, n) != 0 ||
		    *fields[i].into)
			continue;

		g_autofree char *value = clean(line + n, length - n);

		*fields[i].into =
			fields[i].typed ? after_type(value) : g_steal_pointer(&value);
	}
}

static char *squeeze(const char *text)
{
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	GString *out = g_string_new(NULL);

	for (char **word = words; *word; word++)
		if (**word)
			g_string_append_printf(out, "%s%s", out->len ? " " : "", *word);
	return g_string_free(out, FALSE);
}

/* A group of a recipient is finished by a blank line or the end. */
static void end_group(GPtrArray *recipients, group *g)
{
	if (g->final && *g->final && recipients->len < PARSER_PARTS_MAX) {
		parser_bounced *one = g_new0(parser_bounced, 1);
		g_autofree char *words =
			g_strdup_printf("%s %s", g->status ? g->status : "",
					g->diagnosis ? g->diagnosis :
					g->action    ? g->action :
						       "");

		one->final = g_steal_pointer(&g->final);
		one->original = g->original && *g->original ?
					g_steal_pointer(&g->original) :
					NULL;
		one->failed =
			g->action && g_ascii_strncasecmp(g->action, "failed", 6) == 0;
		one->detail = squeeze(words);
		g_ptr_array_add(recipients, one);
	}
	group_clear(g);
}

/* A field with its continuation lines; *next is set behind it. */
static size_t field_length(const char *p, const char *end, const char **next)
{
	const char *stop = p;

	do {
		const char *newline = memchr(stop, '\n', (size_t)(end - stop));

		stop = newline ? newline + 1 : end;
	} while (stop < end && (*stop == ' ' || *stop == '\t'));
	*next = stop;
	return (size_t)(stop - p);
}

static void read_groups(GPtrArray *recipients, GBytes *bytes)
{
	gsize length;
	const char *p = g_bytes_get_data(bytes, &length), *end = p + length, *next;
	group g = { 0 };

	for (; p < end; p = next) {
		if (*p == '\n' || (*p == '\r' && p + 1 < end && p[1] == '\n')) {
			end_group(recipients, &g);
			next = p + (*p == '\r' ? 2 : 1);
			continue;
		}
		take_field(&g, p, field_length(p, end, &next));
	}
	end_group(recipients, &g);
}

/* ---- the mail that came back -------------------------------------------------------
 */

/* The first Message-ID: line of the body that is not about the report itself. */
static char *returned_id(const char *bytes, size_t length, const char *own)
{
	static const char name[] = "Message-ID:";
	const char *p = bytes, *end = bytes + length, *next;
	const size_t n = sizeof name - 1;

	for (; p < end; p = next) {
		size_t n_bytes = field_length(p, end, &next);

		if (n_bytes < n || g_ascii_strncasecmp(p, name, n) != 0)
			continue;

		g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func(g_free);

		msgid_collect(ids, p + n, n_bytes - n);
		if (ids->len && g_strcmp0(ids->pdata[0], own) != 0)
			return g_strdup(ids->pdata[0]);
	}
	return NULL;
}

static bool is_status(const char *type)
{
	return strcmp(type, "message/delivery-status") == 0 ||
	       strcmp(type, "message/global-delivery-status") == 0;
}

parser_bounce *parser_bounce_read(const parser_mail *mail, const char *bytes,
				  size_t length)
{
	g_autoptr(parser_bounce) bounce = g_new0(parser_bounce, 1);

	bounce->recipients =
		g_ptr_array_new_with_free_func((GDestroyNotify)bounced_free);
	for (guint i = 0; i < mail->attachments->len; i++) {
		const parser_attachment *a = mail->attachments->pdata[i];

		if (is_status(a->type))
			read_groups(bounce->recipients, a->bytes);
	}
	if (!bounce->recipients->len)
		return NULL;
	bounce->message_id = returned_id(bytes, length, mail->message_id);
	return bounce->message_id ? g_steal_pointer(&bounce) : NULL;
}
