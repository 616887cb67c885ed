/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/mailer.h"

const char *mailer_outcome_name(mailer_outcome outcome)
{
	switch (outcome) {
	case MAILER_SENT:
		return "sent";
	case MAILER_RETRY:
		return "retry";
	case MAILER_REJECTED:
		return "rejected";
	case MAILER_UNKNOWN:
		return "unknown";
	}
	return "unknown";
}
