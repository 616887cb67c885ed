/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/json.h"
#include "cli/kcidb.h"
#include "cli/print.h"
#include "cli/store.h"

typedef struct export_options {
	char *format;
} export_options;

static const cli_option options[] = {
	{ "format", 0, G_OPTION_ARG_STRING, offsetof(export_options, format), "FORMAT",
	  "json (all about each), csv (one line each), mbox (the threads) or kcidb" },
	CLI_OPTIONS_END,
};

/* ---- mbox ---- */

/* "Mon Nov  9 08:14:52 2026": asctime()'s, in English and ASCII wherever we are. */
static char *separator_date(int64_t seconds)
{
	static const char days[][4] = {
		"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"
	};
	static const char months[][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
					  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
	g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(seconds);

	if (!time) /* beyond the year 9999 */
		time = g_date_time_new_from_unix_utc(0);
	return g_strdup_printf("%s %s %2d %02d:%02d:%02d %d",
			       days[g_date_time_get_day_of_week(time) - 1],
			       months[g_date_time_get_month(time) - 1],
			       g_date_time_get_day_of_month(time),
			       g_date_time_get_hour(time), g_date_time_get_minute(time),
			       g_date_time_get_second(time),
			       g_date_time_get_year(time));
}

/* "From sender date", as every mailbox reader wants it. */
static void print_separator(const tracker_message *m)
{
	g_autofree char *date = separator_date(m->date);
	const char *sender = m->from.address;

	/* The line ends at the first blank that it does not expect. */
	if (!sender || strpbrk(sender, " \t\r\n"))
		sender = "MAILER-DAEMON";
	printf("From %s %s\n", sender, date);
}

/* The mail's lines, with LF, and with one more > before >*From (mboxrd). */
static void print_quoted(const char *text, gsize length)
{
	const char *end = text + length;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		size_t n = newline ? (size_t)(newline - text) : (size_t)(end - text);
		size_t marks = 0;

		while (marks < n && text[marks] == '>')
			marks++;
		if (n - marks >= 5 && memcmp(text + marks, "From ", 5) == 0)
			putchar('>');
		print_bytes(text, n && text[n - 1] == '\r' ? n - 1 : n);
		putchar('\n');
		text += n + 1;
	}
	putchar('\n');
}

static bool export_mbox(const tracker_detail *d, tracker *t, GError **error)
{
	for (guint i = 0; i < d->messages->len; i++) {
		const tracker_message *m = g_ptr_array_index(d->messages, i);
		g_autoptr(GBytes) bytes = NULL;
		gsize length;

		if (m->is_ghost)
			continue;
		if (!tracker_mail_bytes(t, m->message_id, &bytes, error))
			return false;
		if (!bytes)
			continue; /* forgotten, or expired */

		const char *text = g_bytes_get_data(bytes, &length);

		print_separator(m);
		print_quoted(text ? text : "", length);
	}
	return true;
}

/* ---- JSON and CSV ---- */

static void print_one(json_t *record, bool csv)
{
	g_autoptr(GPtrArray) records =
		g_ptr_array_new_with_free_func((GDestroyNotify)json_decref);
	print_format format = { .json = !csv };

	g_ptr_array_add(records, record);
	if (csv)
		print_rows(records, json_summary_fields);
	else
		print_records(records, json_summary_fields, &format);
}

static bool export_json(const tracker_detail *d, tracker *t, GError **error)
{
	(void)t;
	(void)error;
	print_one(json_of_detail(d), false);
	return true;
}

static bool export_csv(const tracker_detail *d, tracker *t, GError **error)
{
	(void)t;
	(void)error;
	print_one(json_of_summary(d->summary), true);
	return true;
}

/* ---- the command ---- */

static const struct format {
	const char *name;
	bool (*export)(const tracker_detail *d, tracker *t, GError **error);
	bool header;
} formats[] = {
	{ "json", export_json, false },
	{ "csv", export_csv, true },
	{ "mbox", export_mbox, false },
	{ "kcidb", NULL, false }, /* all of them make one object */
};

static const struct format *find_format(const char *name)
{
	for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

/* The IDs given, or all. */
static GPtrArray *choose(tracker *t, char **args, GError **error)
{
	g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func(g_free);
	tracker_filter all = { .all = true, .now = cli_now() };

	for (char **arg = args; *arg; arg++)
		g_ptr_array_add(ids, g_strdup(*arg));
	if (ids->len)
		return g_steal_pointer(&ids);

	g_autoptr(GPtrArray) known = tracker_list(t, &all, error);

	if (!known)
		return NULL;
	for (guint i = 0; i < known->len; i++)
		g_ptr_array_add(
			ids,
			g_strdup(((tracker_summary *)g_ptr_array_index(known, i))->id));
	return g_steal_pointer(&ids);
}

static bool export_one(const struct format *format, kcidb *k, tracker *t,
		       const char *id, GError **error)
{
	g_autoptr(tracker_detail) d = tracker_show(t, id, error);

	return d && (k ? kcidb_add(k, t, d, error) : format->export(d, t, error));
}

static bool export_all(cli *c, const struct format *format, tracker *t, char **args,
		       GError **error)
{
	g_autoptr(GPtrArray) ids = choose(t, args, error);
	g_autoptr(kcidb) k = NULL;

	if (!ids || (!format->export && !(k = kcidb_new(c, error))))
		return false;
	if (format->header) {
		g_autofree char *header =
			g_strjoinv(",", (char **)(guintptr)json_summary_fields);

		puts(header);
	}
	for (guint i = 0; i < ids->len; i++)
		if (!export_one(format, k, t, g_ptr_array_index(ids, i), error))
			return false;
	if (k)
		kcidb_print(k);
	return true;
}

static int run(cli *c, const void *values, char **args)
{
	const export_options *o = values;
	const struct format *format = find_format(o->format ? o->format : "json");
	g_autoptr(GError) error = NULL;

	if (!format)
		return cli_wrong(c, "--format is json, csv, mbox or kcidb, not %s",
				 o->format);

	g_autoptr(tracker) t = store_open(c, true, &error);

	if (!t || !export_all(c, format, t, args, &error))
		return cli_fail(c, error);
	return CLI_OK;
}

const command cmd_export = {
	.name = "export",
	.args = "[ID...]",
	.summary = "write out regressions, or the mails of their threads",
	.more = "Without an ID all are written, closed ones and improvements too.  kcidb is one\n"
		"object of KCIDB's I/O schema 5.3: issues, incidents, and tests with numbers.",
	.options = options,
	.size = sizeof(export_options),
	.max = -1,
	.run = run,
};
