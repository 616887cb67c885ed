/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/deliver.h"

#include <stdio.h>
#include <string.h>

#include "cli/print.h"
#include "cli/transport.h"

#define HOUR 3600
#define DAY  86400

/* ---- caps ---- */

/* Adds to *over whether so many mails to one address (NULL: to anybody) left since. */
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

bool deliver_capped(send_run *run, bool *over, GError **error)
{
	*over = false;
	return is_over(run, NULL, "per-hour", HOUR, over, error) &&
	       is_over(run, NULL, "per-day", DAY, over, error);
}

/* The recipients that may get a mail now (char *, lent). */
static GPtrArray *allowed(send_run *run, const tracker_outgoing *mail, GError **error)
{
	g_autoptr(GPtrArray) may = g_ptr_array_new();

	for (guint i = 0; i < mail->recipients->len; i++) {
		char *address = g_ptr_array_index(mail->recipients, i);
		bool over = false;

		if (!is_over(run, address, "per-recipient-day", DAY, &over, error))
			return NULL;
		if (!over)
			g_ptr_array_add(may, address);
	}
	return g_steal_pointer(&may);
}

/* ---- one mail ---- */

/* The names of the outbox for what a transport says. */
static const char *fate_name(mailer_outcome outcome)
{
	return outcome == MAILER_RETRY ? "waiting" : mailer_outcome_name(outcome);
}

/* When those that wait are tried again; 0: it was tried for long enough. */
static int64_t next_try(const tracker_outgoing *mail, bool some_held)
{
	int64_t wait = mailer_backoff(MAX(mail->attempts, 1u), g_random_int());

	if (wait == 0 && some_held)
		wait = HOUR;
	return wait ? cli_now() + wait : 0;
}

static void say_fates(const tracker_outgoing *mail, const tracker_fate *fates, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		g_autofree char *label =
			g_strdup_printf("%" G_GINT64_FORMAT ": %s: %s: ", mail->id,
					fates[i].address, fates[i].state);

		if (strcmp(fates[i].state, "sent") != 0)
			print_safe(label, fates[i].detail);
	}
}

static const char *said_of(tracker_outbox_state state)
{
	return state == TRACKER_OUTBOX_APPROVED ? "later" :
						  tracker_outbox_state_name(state);
}

static void count(send_run *run, const tracker_result *result,
		  tracker_outbox_state state)
{
	bool failed = state == TRACKER_OUTBOX_REJECTED;

	for (size_t i = 0; i < result->n_fates; i++)
		failed |= strcmp(result->fates[i].state, "rejected") == 0 ||
			  strcmp(result->fates[i].state, "unknown") == 0;
	run->failed += failed;
	run->later += state == TRACKER_OUTBOX_APPROVED;
	run->sent += state == TRACKER_OUTBOX_SENT;
}

static bool settle(send_run *run, const tracker_outgoing *mail,
		   const tracker_result *result, GError **error)
{
	tracker_outbox_state state;

	if (!tracker_outbox_result(run->t, mail->id, result, &state, error))
		return false;

	bool waits = state == TRACKER_OUTBOX_APPROVED && result->next_at;
	g_autofree char *next = waits ? print_time(result->next_at) : NULL;
	g_autofree char *label = g_strdup_printf(
		"%" G_GINT64_FORMAT ": %s%s%s: ", mail->id, said_of(state),
		next ? ", not before " : "", next ? next : "");

	count(run, result, state);
	print_safe(label, result->detail);
	say_fates(mail, result->fates, result->n_fates);
	fflush(stdout);
	return true;
}

static bool hand_out(send_run *run, const tracker_outgoing *mail, const GPtrArray *may,
		     GError **error)
{
	size_t n = may->len;
	g_autofree mailer_recipient *to = g_new0(mailer_recipient, n);
	g_autofree tracker_fate *fates = g_new0(tracker_fate, n);
	g_autofree char *detail = NULL;
	mailer_envelope envelope = { .message_id = mail->message_id,
				     .sender = mail->sender,
				     .recipients = to,
				     .n_recipients = n,
				     .eight_bit = mail->eight_bit,
				     .quoted_printable = mail->quoted_printable };
	tracker_result result = { .fates = fates, .n_fates = n, .fcc = run->fcc };

	for (size_t i = 0; i < n; i++)
		to[i].address = may->pdata[i];
	mailer_deliver(run->transport, &envelope, &detail);
	for (size_t i = 0; i < n; i++)
		fates[i] = (tracker_fate){ .address = (char *)to[i].address,
					   .state = (char *)fate_name(to[i].outcome),
					   .detail = to[i].detail };
	result.detail = detail;
	result.next_at = next_try(mail, n < mail->recipients->len);
	result.now = cli_now();

	bool done = settle(run, mail, &result, error);

	for (size_t i = 0; i < n; i++)
		g_free(to[i].detail);
	return done;
}

bool deliver_mail(send_run *run, const tracker_outgoing *mail, GError **error)
{
	g_autoptr(GPtrArray) may = allowed(run, mail, error);
	const tracker_result held = { .next_at = cli_now() + HOUR,
				      .held = true,
				      .detail = "held back: a cap is reached",
				      .now = cli_now() };

	if (!may)
		return false;
	return may->len ? hand_out(run, mail, may, error) :
			  settle(run, mail, &held, error);
}

/* ---- copies ---- */

bool deliver_copies(send_run *run, GError **error)
{
	g_autoptr(GPtrArray) owed = tracker_outbox_unfiled(run->t, error);

	for (guint i = 0; owed && i < owed->len; i++) {
		const tracker_filing *one = g_ptr_array_index(owed, i);
		g_autoptr(GError) cause = NULL;

		if (transport_fcc(run->c->config, one->fcc, one->message_id, one->bytes,
				  &cause)) {
			if (!tracker_outbox_filed(run->t, one->id, error))
				return false;
			continue;
		}
		cli_complain(run->c, "copy of mail %" G_GINT64_FORMAT ": %s", one->id,
			     cause->message);
		run->later++;
	}
	return owed != NULL;
}
