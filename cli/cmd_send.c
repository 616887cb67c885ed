/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/deliver.h"
#include "cli/lock.h"
#include "cli/print.h"
#include "cli/store.h"
#include "cli/transport.h"
#include "mailer/mailer.h"

typedef struct send_options {
	char *via;
} send_options;

static const cli_option options[] = {
	{ "via", 0, G_OPTION_ARG_STRING, offsetof(send_options, via), "URL",
	  "how: dir:PATH, smtp://HOST, sendmail:PROGRAM ...; else [send] via" },
	CLI_OPTIONS_END,
};

/* Delivers the next mail; *more is false when there is none, or no more may leave. */
static bool send_next(send_run *run, bool *more, GError **error)
{
	g_autoptr(tracker_outgoing) mail = NULL;
	bool due, over;

	*more = false;
	if (!tracker_outbox_due(run->t, cli_now(), &due, error))
		return false;
	if (!due)
		return true;
	if (run->stop_file && g_file_test(run->stop_file, G_FILE_TEST_EXISTS)) {
		cli_complain(run->c, "%s is there: nothing is sent", run->stop_file);
		run->later++;
		return true;
	}
	if (!deliver_capped(run, &over, error))
		return false;
	if (over) {
		run->later++;
		return true;
	}
	/* A server that is away is noticed before a mail counts as being sent. */
	if (!mailer_transport_ready(run->transport, error) ||
	    !tracker_outbox_claim(run->t, cli_now(), &mail, error))
		return false;
	*more = mail != NULL;
	return !mail || deliver_mail(run, mail, error);
}

/* What nobody knows the end of is said each time, until somebody settles it. */
static bool complain_of_unknown(send_run *run, GError **error)
{
	g_autoptr(GPtrArray) mails =
		tracker_outbox_list(run->t, TRACKER_OUTBOX_UNKNOWN, error);

	for (guint i = 0; mails && i < mails->len; i++) {
		const tracker_outgoing *mail = g_ptr_array_index(mails, i);

		cli_complain(run->c,
			     "mail %" G_GINT64_FORMAT
			     " may have left or not: settle it "
			     "by `regtrail outbox sent` or `retry`",
			     mail->id);
	}
	return mails != NULL;
}

/* Who has answered since is not to be reminded. */
static bool withdraw_reminders(send_run *run, GError **error)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
	bool good = tracker_reminders_withdraw(run->t, cli_now(), lines, error);

	for (guint i = 0; good && i < lines->len; i++)
		puts(g_ptr_array_index(lines, i));
	return good;
}

static int say_nothing(const send_run *run)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) mails =
		tracker_outbox_list(run->t, TRACKER_OUTBOX_APPROVED, &error);
	int64_t next = 0;

	if (!mails)
		return cli_fail(run->c, error);
	for (guint i = 0; i < mails->len; i++) {
		const tracker_outgoing *mail = g_ptr_array_index(mails, i);

		if (!next || mail->next_at < next)
			next = mail->next_at;
	}

	g_autofree char *time = next ? print_time(next) : NULL;

	printf("nothing to send: no approved mail is due%s%s\n",
	       time ? "; the next will be at " : "", time ? time : "");
	return CLI_OK;
}

static int send_all(send_run *run)
{
	g_autoptr(GError) error = NULL;
	bool more = true, good = tracker_outbox_recover(run->t, cli_now(), &error) &&
				 complain_of_unknown(run, &error) &&
				 withdraw_reminders(run, &error);

	while (good && more)
		good = send_next(run, &more, &error);
	/* Copies of what has left are owed whatever became of the rest. */
	if (!deliver_copies(run, good ? &error : NULL) || !good)
		return cli_fail(run->c, error);
	if (run->failed)
		return CLI_FAIL;
	if (run->later)
		return CLI_RETRY;
	return run->sent ? CLI_OK : say_nothing(run);
}

static int send_with(cli *c, tracker *t, const char *via)
{
	g_autofree char *stop_file = config_file(c->config, "send", "stop-file");
	g_autofree char *fcc = config_text(c->config, "send", "fcc");
	g_autoptr(GError) error = NULL;
	g_autoptr(mailer_transport) transport = transport_open(c->config, via, &error);
	int fd = transport ? lock_take(c->config, "send", &error) : -1;

	if (fd < 0)
		return cli_fail(c, error);

	send_run run = { .c = c,
			 .t = t,
			 .transport = transport,
			 .stop_file = stop_file,
			 .fcc = fcc };
	int code = send_all(&run);

	close(fd);
	return code;
}

static int run(cli *c, const void *values, char **args)
{
	const send_options *o = values;
	g_autoptr(GError) error = NULL;
	g_autoptr(tracker) t = store_open(c, false, &error);

	(void)args;
	if (!t)
		return cli_fail(c, error);

	g_autofree char *configured = config_text(c->config, "send", "via");
	const char *via = o->via ? o->via : configured;

	return via ? send_with(c, t, via) :
		     cli_wrong(c, "how? give --via URL or set [send] via");
}

const command cmd_send = {
	.name = "send",
	.args = "",
	.summary = "deliver what is approved and due",
	.more = "A mail whose delivery was cut off becomes unknown and is never sent again\n"
		"blindly: `regtrail outbox retry N` or `sent N` settles it.",
	.options = options,
	.size = sizeof(send_options),
	.run = run,
};
