/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A report that is on the wire, and what became of it. */
#ifndef TESTS_UNIT_TRACKER_DELIVERY_H
#define TESTS_UNIT_TRACKER_DELIVERY_H

#include "tests/unit/tracker_fixture.h"

#define MID  "202311142213.11111111-robot@example.org"
#define ADA  "ada@example.org"
#define LIST "list@lists.example.org"

static inline char *own_id(void)
{
	return parser_regression_id(CULPRIT, "unixbench", "unixbench.score");
}

/* A report, approved and claimed at T0. */
static inline int64_t claimed(fixture *f)
{
	g_autofree char *id = own_id();
	tracker_report report = report_of(f, id, MID);
	g_auto(tracker_stored) stored = { 0 };
	g_autoptr(tracker_outgoing) mail = NULL;
	g_autoptr(GError) error = NULL;

	assert_done(tracker_report_add(f->t, &report, &stored, &error), error);
	assert_done(tracker_outbox_approve(f->t, stored.outbox, T0, &error), error);
	assert_done(tracker_outbox_claim(f->t, T0, &mail, &error), error);
	assert_non_null(mail);
	return mail->id;
}

static inline const tracker_fate *fate_of(const tracker_outgoing *mail,
					  const char *address)
{
	for (guint i = 0; i < mail->fates->len; i++) {
		const tracker_fate *fate = mail->fates->pdata[i];

		if (!strcmp(fate->address, address))
			return fate;
	}
	fail_msg("no recipient %s", address);
	return NULL;
}

static inline tracker_outgoing *get(fixture *f, int64_t id)
{
	g_autoptr(GError) error = NULL;
	tracker_outgoing *mail = tracker_outbox_get(f->t, id, &error);

	assert_done(mail, error);
	return mail;
}

static inline void assert_open(fixture *f, guint n)
{
	g_autoptr(GPtrArray) open = list_all_open(f);

	assert_int_equal(open->len, n);
}

#endif
