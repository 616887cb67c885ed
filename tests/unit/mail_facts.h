/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts of a mail from JSON, for the tests of render: see tests/golden/README. */
#ifndef TESTS_UNIT_MAIL_FACTS_H
#define TESTS_UNIT_MAIL_FACTS_H

#include <jansson.h>

#include "render/render.h"

typedef struct mail_facts {
	render_facts facts;
	render_seen seen;          /* facts.seen, if there is one */
	json_t *json;              /* owns the strings of facts */
	const parser_lists *lists; /* mail_facts_lists() */
	GPtrArray *sources;        /* parser_comparison * */
	GPtrArray *comparisons;    /* render_comparison *, the headline's first */
	GPtrArray *also, *machines;
	GPtrArray *arrays; /* further arrays that facts points to */
} mail_facts;

/* Fails the test when the JSON is not right; `name` is for messages. */
mail_facts *mail_facts_read(const char *name, const char *json);
void mail_facts_free(mail_facts *f);

/* The lists of templates/metrics, read once. */
const parser_lists *mail_facts_lists(void);

/* The built-in templates, for render_report(). */
const char *mail_facts_text(const char *name, void *context);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(mail_facts, mail_facts_free)

#endif
