/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scanner takes what the full parse takes, and both say the same. */
#include <stdlib.h>
#include <string.h>

#include "parser/parser.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_auto(parser_scan) scan = { 0 };
	bool scanned = parser_scan_message((const char *)data, size, &scan, NULL);
	g_autoptr(parser_mail) mail =
		parser_mail_parse((const char *)data, size, PARSER_FORM_MAIL, 0, NULL);

	if (scanned != (mail != NULL))
		abort();
	if (mail &&
	    (g_strcmp0(scan.message_id, mail->message_id) != 0 ||
	     strcmp(scan.subject, mail->subject) != 0 || scan.date != mail->date ||
	     scan.references->len != mail->references->len))
		abort();
	return 0;
}
