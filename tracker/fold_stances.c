/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What people stand by in the end.  The parser says which words a later mail of the
 * same person takes back; here the answer is put beside that mail, for the fold to act
 * on when it comes to it.
 */
#include "tracker/fold.h"

/* As much of a reading as is stored, and as the parser needs for this. */
static parser_reading *reading_of(const fold *f, const evidence *e)
{
	parser_reading *reading = g_new0(parser_reading, 1);

	reading->mail = g_new0(parser_mail, 1);
	/* Who has an address is known by that: a name is soon borrowed. */
	reading->mail->from =
		(parser_address){ e->address ? NULL : e->name,
				  (char *)person_address(f->t, e->address) };
	reading->verdicts = e->verdicts; /* lent */
	return reading;
}

static void reading_free(void *data)
{
	parser_reading *reading = data;

	g_free(reading->mail);
	g_free(reading);
}

void fold_stances(fold *f)
{
	g_autoptr(GPtrArray) mails = g_ptr_array_new();
	g_autoptr(GPtrArray) readings = g_ptr_array_new_with_free_func(reading_free);

	for (guint i = 0; i < f->evidence->len; i++) {
		evidence *e = f->evidence->pdata[i];

		if (e->kind != EVIDENCE_MAIL ||
		    g_hash_table_contains(f->undone_messages, &e->row))
			continue;
		g_ptr_array_add(mails, e);
		g_ptr_array_add(readings, reading_of(f, e));
	}

	g_autoptr(GArray) stances = parser_stances(readings);

	for (guint i = 0; i < stances->len; i++) {
		const parser_stance *s = &g_array_index(stances, parser_stance, i);
		const evidence *earlier = mails->pdata[s->reading];
		const parser_verdict *v = earlier->verdicts->pdata[s->verdict];
		fold_word word = { earlier->row, v->kind };
		evidence *later;

		if (s->superseded_by < 0)
			continue;
		later = mails->pdata[s->superseded_by];
		if (!later->takes_back)
			later->takes_back =
				g_array_new(FALSE, FALSE, sizeof(fold_word));
		g_array_append_val(later->takes_back, word);
	}
}
