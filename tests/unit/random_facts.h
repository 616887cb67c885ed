/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random, hostile but valid facts of mails, as JSON for mail_facts_read(). */
#ifndef TESTS_UNIT_RANDOM_FACTS_H
#define TESTS_UNIT_RANDOM_FACTS_H

#include <glib.h>

/* The same seed gives the same facts.  Returns JSON (g_free). */
char *random_facts(guint32 seed);

#endif
