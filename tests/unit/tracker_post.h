/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mails of a test, by number, and bringing them into its store in some order. */
#ifndef TESTS_UNIT_TRACKER_POST_H
#define TESTS_UNIT_TRACKER_POST_H

#include "tests/unit/tracker_fixture.h"
#include "tests/unit/tracker_mails.h"

static reader the_reader;

typedef struct post {
	GPtrArray *texts; /* char * */
	GArray *mails;    /* mail_text */
} post;

static inline post post_new(void)
{
	return (post){ g_ptr_array_new_with_free_func(g_free),
		       g_array_new(FALSE, TRUE, sizeof(mail_text)) };
}

static inline void post_clear(post *p)
{
	g_ptr_array_unref(p->texts);
	g_array_unref(p->mails);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(post, post_clear)

static inline void add(post *p, char *text)
{
	mail_text m = { text, strlen(text), PARSER_FORM_MAIL, 0 };

	g_ptr_array_add(p->texts, text);
	g_array_append_val(p->mails, m);
}

/* Ingests in this order, a digit a mail: "021". */
static inline void bring_quietly(fixture *f, post *p, const char *order)
{
	g_autoptr(GError) error = NULL;
	g_autofree unsigned *numbers = g_new(unsigned, strlen(order) + 1);

	for (size_t i = 0; order[i]; i++)
		numbers[i] = (unsigned)(order[i] - '0');
	assert_done(ingest_mails(f->t, &the_reader, (mail_text *)(void *)p->mails->data,
				 numbers, strlen(order), &error),
		    error);
}

static inline void bring(fixture *f, post *p, const char *order)
{
	bring_quietly(f, p, order);
	assert_sound(f);
}

static inline tracker_summary *only(GPtrArray *found)
{
	assert_int_equal(found->len, 1);
	return found->pdata[0];
}

#endif
