/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One mail of the outbox and the way it takes; shared by the steps of `send`. */
#ifndef CLI_DELIVER_H
#define CLI_DELIVER_H

#include "cli/cli.h"
#include "mailer/mailer.h"
#include "tracker/tracker.h"

typedef struct send_run {
	cli *c;
	tracker *t;
	mailer_transport *transport;
	char *stop_file;
	char *fcc; /* where copies go; NULL */
	unsigned sent, failed, later;
} send_run;

/* True if any cap on all mails is reached; says which. */
bool deliver_capped(send_run *run, bool *over, GError **error);

/*
 * Hands a claimed mail to the transport, but for recipients whose cap is reached, and
 * settles it.  Prints what happened and counts it.
 */
bool deliver_mail(send_run *run, const tracker_outgoing *mail, GError **error);

/* Files the copies that are owed; a failure is said and for later. */
bool deliver_copies(send_run *run, GError **error);

#endif
