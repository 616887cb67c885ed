/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef PARSER_ERROR_H
#define PARSER_ERROR_H

#include <glib.h>

/* The error domain of everything in parser/. */
#define PARSER_ERROR parser_error_quark()

typedef enum parser_error {
	PARSER_ERROR_NOT_MAIL, /* no header that a mail would have */
	PARSER_ERROR_TOO_BIG,  /* over one of the limits of mail.h: record as refused */
	PARSER_ERROR_SYNTAX, /* text that is not JSON, YAML, a rule file ...; says where
			      */
	PARSER_ERROR_INVALID /* well-formed, but not what the format allows; says where
			      */
} parser_error;

GQuark parser_error_quark(void);

#endif
