/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/mailer.h"

#define FIRST_WAIT   300
#define LONGEST_WAIT (4 * 3600)
#define ATTEMPTS_MAX 33 /* 5, 10 ... 160 minutes, then every four hours: 4.6 days */

int64_t mailer_backoff(unsigned attempts, uint32_t random)
{
	if (attempts >= ATTEMPTS_MAX)
		return 0;

	unsigned doublings = attempts ? attempts - 1 : 0;
	int64_t wait = doublings < 6 ? (int64_t)FIRST_WAIT << doublings : LONGEST_WAIT;
	int64_t spread = wait / 5;

	return wait - spread + (int64_t)(random % (uint64_t)(2 * spread + 1));
}
