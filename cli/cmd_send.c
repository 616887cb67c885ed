/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "cli/cli.h"
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

typedef struct send_run {
	cli *c;
	tracker *t;
	mailer_transport *transport;
	char *stop_file;
	unsigned sent, failed, later;
} send_run;

/* ---- one sender at a time ---- */

/* The kernel drops the lock when we end, however we end. */
static int lock(const char *database, GError **error)
{
	g_autofree char *path = g_strconcat(database, ".send-lock", NULL);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

	if (fd < 0) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_IO, "%s: %s", path,
			    g_strerror(errno));
		return -1;
	}
	if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_TEMPORARY,
			    "%s: another `regtrail send` is at work", path);
		close(fd);
		return -1;
	}
	return fd;
}

/* ---- caps ---- */

/* True if so many mails to one address (NULL: to anybody) left since then. */
static bool is_over(send_run *run, const char *address, const char *key, int64_t span,
		    bool *over, GError **error)
{
	uint64_t max = config_number(run->c->config, "send", key);
	int64_t count = 0;

	if (*over || max == 0)
		return true;
	if (!tracker_sent_count(run->t, address, cli_now() - span, &count, error))
		return false;
	*over = (uint64_t)count >= max;
	if (*over)
		cli_complain(run->c, "[send] %s = %" G_GUINT64_FORMAT " is reached%s%s",
			     key, max, address ? " for " : "", address ? address : "");
	return true;
}

static bool caps_reached(send_run *run, bool *over, GError **error)
{
	*over = false;
	return is_over(run, NULL, "per-hour", 3600, over, error) &&
	       is_over(run, NULL, "per-day", 86400, over, error);
}

static bool recipient_caps_reached(send_run *run, const tracker_outgoing *mail,
				   bool *over, GError **error)
{
	*over = false;
	for (guint i = 0; i < mail->recipients->len; i++)
		if (!is_over(run, g_ptr_array_index(mail->recipients, i),
			     "per-recipient-day", 86400, over, error))
			return false;
	return true;
}

/* ---- one mail ---- */

/* When to try again; 0 when it was tried for long enough. */
static int64_t next_try(unsigned attempts)
{
	int64_t wait = mailer_backoff(MAX(attempts, 1u), g_random_int());

	return wait ? cli_now() + wait : 0;
}

static tracker_outbox_state state_of(mailer_outcome outcome)
{
	switch (outcome) {
	case MAILER_SENT:
		return TRACKER_OUTBOX_SENT;
	case MAILER_RETRY:
		return TRACKER_OUTBOX_APPROVED;
	case MAILER_REJECTED:
		return TRACKER_OUTBOX_REJECTED;
	case MAILER_UNKNOWN:
		break;
	}
	return TRACKER_OUTBOX_UNKNOWN;
}

static bool settle_recipients(send_run *run, const tracker_outgoing *mail,
			      const mailer_envelope *envelope, GError **error)
{
	for (size_t i = 0; i < envelope->n_recipients; i++) {
		const mailer_recipient *to = &envelope->recipients[i];

		if (!tracker_outbox_recipient(run->t, mail->id, to->address,
					      state_of(to->outcome), to->detail,
					      cli_now(), error))
			return false;
	}
	return true;
}

static void count(send_run *run, mailer_outcome outcome)
{
	if (outcome == MAILER_SENT)
		run->sent++;
	else if (outcome == MAILER_RETRY)
		run->later++;
	else
		run->failed++;
}

static bool settle(send_run *run, const tracker_outgoing *mail, mailer_outcome outcome,
		   const char *detail, GError **error)
{
	int64_t next = outcome == MAILER_RETRY ? next_try(mail->attempts) : 0;
	g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT ": %s: ", mail->id,
						mailer_outcome_name(outcome));

	if (outcome == MAILER_RETRY && next == 0)
		outcome = MAILER_REJECTED;
	count(run, outcome);
	print_safe(text, detail);
	return tracker_outbox_settle(run->t, mail->id, state_of(outcome), next, detail,
				     cli_now(), error);
}

static bool deliver(send_run *run, const tracker_outgoing *mail, GError **error)
{
	guint n = mail->recipients->len;
	g_autofree mailer_recipient *to = g_new0(mailer_recipient, n + 1);
	g_autofree char *detail = NULL;
	mailer_envelope envelope = { .message_id = mail->message_id,
				     .sender = mail->sender,
				     .recipients = to,
				     .n_recipients = n,
				     .eight_bit = mail->eight_bit,
				     .quoted_printable = mail->quoted_printable };

	for (guint i = 0; i < n; i++)
		to[i].address = g_ptr_array_index(mail->recipients, i);

	mailer_outcome outcome = mailer_deliver(run->transport, &envelope, &detail);
	bool done = settle_recipients(run, mail, &envelope, error) &&
		    settle(run, mail, outcome, detail, error);

	for (guint i = 0; i < n; i++)
		g_free(to[i].detail);
	return done;
}

static bool is_anything_due(const send_run *run)
{
	g_autoptr(GPtrArray) waiting =
		tracker_outbox_list(run->t, TRACKER_OUTBOX_APPROVED, NULL);

	for (guint i = 0; waiting && i < waiting->len; i++)
		if (((tracker_outgoing *)g_ptr_array_index(waiting, i))->next_at <=
		    cli_now())
			return true;
	return false;
}

/* Delivers the next mail; *more is false when there is none, or no more may leave. */
static bool send_next(send_run *run, bool *more, GError **error)
{
	g_autoptr(tracker_outgoing) mail = NULL;
	bool over;

	*more = false;
	if (run->stop_file && g_file_test(run->stop_file, G_FILE_TEST_EXISTS)) {
		cli_complain(run->c, "%s is there: nothing is sent", run->stop_file);
		run->later++;
		return true;
	}
	if (!caps_reached(run, &over, error))
		return false;
	if (over) {
		run->later++;
		return true;
	}
	/* A server that is away is noticed before a mail counts as being sent. */
	if (run->sent + run->failed + run->later == 0 && is_anything_due(run) &&
	    !mailer_transport_ready(run->transport, error))
		return false;
	if (!tracker_outbox_claim(run->t, cli_now(), &mail, error))
		return false;
	if (!mail)
		return true;
	*more = true;
	if (!recipient_caps_reached(run, mail, &over, error))
		return false;
	if (over)
		return settle(run, mail, MAILER_RETRY, "a cap is reached", error);
	return deliver(run, mail, error);
}

static int send_all(send_run *run)
{
	g_autoptr(GError) error = NULL;
	bool more = true;

	if (!tracker_outbox_recover(run->t, cli_now(), &error))
		return cli_fail(run->c, error);
	while (more)
		if (!send_next(run, &more, &error))
			return cli_fail(run->c, error);
	if (run->failed)
		return CLI_FAIL;
	if (run->later)
		return CLI_RETRY;
	if (!run->sent)
		puts("nothing to send: no approved mail is due");
	return CLI_OK;
}

static int send_with(cli *c, tracker *t, const char *via)
{
	g_autofree char *database = config_file(c->config, "regtrail", "database");
	g_autofree char *stop_file = config_file(c->config, "send", "stop-file");
	g_autoptr(GError) error = NULL;
	g_autoptr(mailer_transport) transport = transport_open(c->config, via, &error);
	int fd = transport ? lock(database, &error) : -1;

	if (fd < 0)
		return cli_fail(c, error);

	send_run run = {
		.c = c, .t = t, .transport = transport, .stop_file = stop_file
	};
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
