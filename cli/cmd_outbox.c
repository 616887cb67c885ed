/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/json.h"
#include "cli/outgoing.h"
#include "cli/print.h"
#include "cli/store.h"
#include "render/render.h"

typedef struct outbox_options {
	print_format format; /* first */
	char *state;
} outbox_options;

static const cli_option options[] = {
	PRINT_FORMAT_OPTIONS,
	{ "state", 0, G_OPTION_ARG_STRING, offsetof(outbox_options, state), "STATE",
	  "only draft, approved, sending, sent, rejected, unknown or cancelled ones" },
	CLI_OPTIONS_END,
};

static const char *const fields[] = { "outbox",     "state",      "kind_of_mail",
				      "regression", "message_id", "subject",
				      "recipients", "created",    "attempts",
				      "next_at",    "detail",     NULL };

static json_t *to_fate(const tracker_fate *fate)
{
	json_t *record = json_object();

	print_set_text(record, "address", fate->address);
	print_set_text(record, "state", fate->state);
	print_set_time(record, "at", fate->at);
	print_set_text(record, "detail", fate->detail);
	return record;
}

static json_t *to_record(const tracker_outgoing *mail)
{
	json_t *record = json_object();
	json_t *recipients = json_array();
	json_t *overrides = json_array();

	for (guint i = 0; i < mail->fates->len; i++)
		json_array_append_new(recipients,
				      to_fate(g_ptr_array_index(mail->fates, i)));
	for (guint i = 0; i < mail->overrides->len; i++)
		json_array_append_new(overrides, json_of_override(g_ptr_array_index(
							 mail->overrides, i)));
	json_object_set_new(record, "outbox", json_integer(mail->id));
	print_set_text(record, "state", tracker_outbox_state_name(mail->state));
	print_set_text(record, "kind_of_mail", mail->kind_of_mail);
	print_set_text(record, "regression", mail->regression);
	print_set_text(record, "message_id", mail->message_id);
	print_set_text(record, "subject", mail->subject);
	json_object_set_new(record, "recipients", recipients);
	json_object_set_new(record, "overrides", overrides);
	print_set_time(record, "created", mail->created);
	json_object_set_new(record, "attempts", json_integer(mail->attempts));
	print_set_time(record, "next_at", mail->next_at);
	print_set_text(record, "detail", mail->detail);
	return record;
}

/* Whoever has not simply got it is worth a line. */
static void note_fates(print_table *table, const tracker_outgoing *mail)
{
	for (guint i = 0; i < mail->fates->len; i++) {
		const tracker_fate *fate = g_ptr_array_index(mail->fates, i);
		bool plain = strcmp(fate->state, "sent") == 0 &&
			     !g_str_has_prefix(fate->detail ? fate->detail : "",
					       "delayed: ");

		if (!plain && fate->detail)
			print_table_note(table,
					 g_strdup_printf("%s: %s: %s", fate->address,
							 fate->state, fate->detail));
	}
}

/* The last word before it leaves: what speaks against it. */
static char *override_text(const tracker_override *o)
{
	return g_strdup_printf("forced: %s: %s", o->check, o->reason);
}

static void note_overrides(print_table *table, const tracker_outgoing *mail)
{
	for (guint i = 0; i < mail->overrides->len; i++)
		print_table_note(table,
				 override_text(g_ptr_array_index(mail->overrides, i)));
}

static void note_next_try(print_table *table, const tracker_outgoing *mail)
{
	g_autofree char *time = print_time(mail->next_at);

	print_table_note(table, g_strdup_printf("not before %s", time));
}

static void list_for_people(const cli *c, const GPtrArray *mails)
{
	static const print_column columns[] = {
		{ "N", true, 0 },     { "STATE", false, 0 },
		{ "KIND", false, 0 }, { "CREATED", false, 0 },
		{ "TO", true, 0 },    { "SUBJECT", false, 20 },
	};
	g_autoptr(print_table) table = print_table_new(columns, G_N_ELEMENTS(columns));

	for (guint i = 0; i < mails->len; i++) {
		const tracker_outgoing *mail = g_ptr_array_index(mails, i);

		print_table_row(table, g_strdup_printf("%" G_GINT64_FORMAT, mail->id),
				g_strdup(tracker_outbox_state_name(mail->state)),
				g_strdup(mail->kind_of_mail), print_time(mail->created),
				g_strdup_printf("%u", mail->fates->len),
				g_strdup(mail->subject), NULL);
		if (mail->detail)
			print_table_note(table, g_strdup(mail->detail));
		if (mail->state == TRACKER_OUTBOX_APPROVED && mail->next_at > cli_now())
			note_next_try(table, mail);
		note_overrides(table, mail);
		note_fates(table, mail);
	}
	if (mails->len)
		print_table_show(table, c);
	else
		puts("nothing waits");
}

static int list(cli *c, tracker *t, const outbox_options *o)
{
	g_autoptr(GError) error = NULL;
	int state = TRACKER_OUTBOX_CANCELLED + 1;

	for (int i = 0; o->state && i <= TRACKER_OUTBOX_CANCELLED; i++)
		if (strcmp(o->state, tracker_outbox_state_name(i)) == 0)
			state = i;
	if (o->state && state > TRACKER_OUTBOX_CANCELLED)
		return cli_wrong(c, "no state named %s", o->state);

	g_autoptr(GPtrArray) mails = tracker_outbox_list(t, state, &error);

	if (!mails)
		return cli_fail(c, error);
	if (!o->format.json && !o->format.csv) {
		list_for_people(c, mails);
		return CLI_OK;
	}

	g_autoptr(GPtrArray) records =
		g_ptr_array_new_with_free_func((GDestroyNotify)json_decref);

	for (guint i = 0; i < mails->len; i++)
		g_ptr_array_add(records, to_record(g_ptr_array_index(mails, i)));
	print_records(records, fields, &o->format);
	return CLI_OK;
}

static bool show(tracker *t, int64_t id, int64_t now, GError **error)
{
	g_autoptr(tracker_outgoing) mail = tracker_outbox_get(t, id, error);

	(void)now;
	if (!mail)
		return false;

	for (guint i = 0; i < mail->overrides->len; i++) {
		g_autofree char *forced =
			override_text(g_ptr_array_index(mail->overrides, i));

		print_safe("", forced);
	}
	if (mail->overrides->len)
		puts("");
	outgoing_print(mail->eight_bit ? mail->eight_bit : mail->quoted_printable);
	return true;
}

typedef bool (*act_fn)(tracker *t, int64_t id, int64_t now, GError **error);

static const struct act {
	const char *name, *done;
	act_fn run;
	bool reads; /* changes nothing */
} acts[] = {
	/* clang-format off */
	{ "show",    NULL,                 show,                     true },
	{ "approve", "approved",           tracker_outbox_approve,   false },
	{ "cancel",  "cancelled",          tracker_outbox_cancel,    false },
	{ "retry",   "approved again",     tracker_outbox_retry,     false },
	{ "sent",    "settled as sent",    tracker_outbox_mark_sent, false },
	/* clang-format on */
};

static int act(cli *c, tracker *t, const struct act *what, char **numbers)
{
	int code = CLI_OK;

	for (char **number = numbers; *number; number++) {
		g_autoptr(GError) error = NULL;
		guint64 id;

		if (!g_ascii_string_to_unsigned(*number, 10, 1, G_MAXINT64, &id, NULL))
			return cli_wrong(c, "not a number of the outbox: %s", *number);
		if (!what->run(t, (int64_t)id, cli_now(), &error))
			code = cli_worse(code, cli_fail(c, error));
		else if (what->done)
			printf("%s: %s\n", *number, what->done);
	}
	return code;
}

static int run(cli *c, const void *values, char **args)
{
	const struct act *what = NULL;
	g_autoptr(GError) error = NULL;

	for (size_t i = 0; args[0] && i < G_N_ELEMENTS(acts); i++)
		if (strcmp(args[0], acts[i].name) == 0)
			what = &acts[i];
	if (args[0] && !what)
		return cli_wrong(c,
				 "outbox can show, approve, cancel, retry, and take "
				 "note of sent, but not %s",
				 args[0]);
	if (what && !args[1])
		return cli_wrong(c, "which mail? `regtrail outbox` lists them");

	g_autoptr(tracker) t = store_open(c, !what || what->reads, &error);

	if (!t)
		return cli_fail(c, error);
	return what ? act(c, t, what, args + 1) : list(c, t, values);
}

const command cmd_outbox = {
	.name = "outbox",
	.args = "[show|approve|cancel|retry|sent N...]",
	.summary = "show what waits to be sent, or decide about it",
	.more = "approve lets a draft leave; cancel keeps it here for good.  retry and sent\n"
		"settle a mail whose delivery is rejected or unknown: send it again, or take\n"
		"note that it arrived.",
	.options = options,
	.size = sizeof(outbox_options),
	.max = -1,
	.run = run,
};
