/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a Message-ID of ours says of the mail that has it. */
#ifndef TESTS_PROOF_H
#define TESTS_PROOF_H

#include "parser/identity.h"
#include "tests/unit/test.h"

/* It is of robot@example.org, about that thing, of that kind and the first of them. */
static inline void assert_proves(const char *message_id, const char *id,
				 const char *kind)
{
	g_autofree char *digits = parser_own_message_id_digits(id, kind, 0);

	assert_true(parser_message_id_is_robot(message_id));
	assert_memory_equal(message_id + strlen("202406090800."), digits,
			    strlen(digits));
	assert_true(g_str_has_suffix(message_id, "-robot@example.org"));
}

#endif
