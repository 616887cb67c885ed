/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/archive.h"

#include <string.h>

#include "parser/charset.h"
#include "parser/class.h"
#include "parser/html.h"
#include "parser/spans.h"

bool archive_is_page(const char *bytes, size_t length)
{
	(void)bytes;
	(void)length;
	return false;
}

size_t archive_next(const char *bytes, size_t length, size_t position)
{
	(void)bytes;
	(void)position;
	return length;
}

void archive_read(parser_mail *mail, const char *bytes, size_t length, unsigned index)
{
	g_autoptr(GArray) sections = g_array_new(FALSE, FALSE, sizeof(section));
	charset_result result;

	mail->text = charset_to_utf8(bytes, length, NULL, &result);
	mail->text_length = strlen(mail->text);
	mail->charset = g_strdup(result.name);
	mail->subject = g_strdup("");
	mail->archive_parent = (int)index - 1;
	class_read(mail, NULL);
	spans_read(mail, sections);
}
