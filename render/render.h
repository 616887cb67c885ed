/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * render - records in, bytes out.
 *
 * Pure like parser: no file, clock, network, database or print.  Everything that a mail
 * or a table depends on comes in as an argument, so the same facts always give the same
 * bytes.  What is wrong with the facts is an error that names them, never a bad mail.
 */
#ifndef RENDER_RENDER_H
#define RENDER_RENDER_H

#include <glib.h>

#define RENDER_ERROR render_error_quark()

typedef enum render_error {
	RENDER_ERROR_INPUT,   /* facts that cannot be rendered; says which */
	RENDER_ERROR_EMPTY,   /* nothing to compare or to show; says why */
	RENDER_ERROR_REFUSED, /* a check of render_checks() failed; starts with its name
			       */
	RENDER_ERROR_TEMPLATE /* template name and line */
} render_error;

GQuark render_error_quark(void);

/* clang-format off */
#include "render/compare.h"  /* samples -> rows with statistics -> table, JSON, plots */
#include "render/template.h" /* mustache */
#include "render/mail.h"     /* report and follow-up mails, checks, RFC 5322 bytes */
#include "render/digest.h"   /* digests and reminders */
#include "render/text.h"     /* readings as JSON, safe text for terminals */
/* clang-format on */

#endif
