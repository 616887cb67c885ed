/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/mboxrd.h"

#include <string.h>

#include "mailer/mailer.h"

#define FROM "From "

struct mboxrd {
	mboxrd_fn fn;
	void *context;
	GByteArray *mail; /* what is read of the present one; NULL before the first */
	GByteArray *line; /* the beginning of a line that is not all here */
	bool too_large;
};

mboxrd *mboxrd_new(mboxrd_fn fn, void *context)
{
	mboxrd *m = g_new0(mboxrd, 1);

	m->fn = fn;
	m->context = context;
	m->line = g_byte_array_new();
	return m;
}

void mboxrd_free(mboxrd *m)
{
	if (!m)
		return;
	if (m->mail)
		g_byte_array_unref(m->mail);
	g_byte_array_unref(m->line);
	g_free(m);
}

static bool hand_over(mboxrd *m, GError **error)
{
	guint n = m->mail->len;

	/* The blank line before the next From_ line is not the mail's. */
	if (n > 1 && m->mail->data[n - 1] == '\n' && m->mail->data[n - 2] == '\n')
		g_byte_array_set_size(m->mail, n - 1);
	return m->fn(m->too_large ? NULL : m->mail, m->context, error);
}

static void keep(mboxrd *m, const char *bytes, size_t length)
{
	if (m->mail->len + length > MAILER_MAIL_MAX)
		m->too_large = true;
	if (!m->too_large)
		g_byte_array_append(m->mail, (const guint8 *)bytes, (guint)length);
}

static bool is_quoted_from(const char *line, size_t length)
{
	size_t n = 0;

	while (n < length && line[n] == '>')
		n++;
	return n && length - n >= strlen(FROM) &&
	       memcmp(line + n, FROM, strlen(FROM)) == 0;
}

/* A whole line, with its end if it has one. */
static bool take_line(mboxrd *m, const char *line, size_t length, GError **error)
{
	if (length >= strlen(FROM) && memcmp(line, FROM, strlen(FROM)) == 0) {
		if (m->mail && !hand_over(m, error))
			return false;
		if (!m->mail)
			m->mail = g_byte_array_new();
		g_byte_array_set_size(m->mail, 0);
		m->too_large = false;
		return true;
	}
	if (!m->mail) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT,
			    "not an mbox: it begins without a From line");
		return false;
	}
	if (is_quoted_from(line, length)) {
		line++;
		length--;
	}
	keep(m, line, length);
	return true;
}

bool mboxrd_feed(mboxrd *m, const char *bytes, size_t length, GError **error)
{
	while (length) {
		const char *newline = memchr(bytes, '\n', length);
		size_t n = newline ? (size_t)(newline - bytes) + 1 : length;

		if (!newline || m->line->len) {
			if (m->line->len + n > MAILER_MAIL_MAX) {
				g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT,
					    "an mbox with a line of more than %u bytes",
					    MAILER_MAIL_MAX);
				return false;
			}
			g_byte_array_append(m->line, (const guint8 *)bytes, (guint)n);
		}
		if (newline && m->line->len) {
			if (!take_line(m, (const char *)m->line->data, m->line->len,
				       error))
				return false;
			g_byte_array_set_size(m->line, 0);
		} else if (newline && !take_line(m, bytes, n, error)) {
			return false;
		}
		bytes += n;
		length -= n;
	}
	return true;
}

bool mboxrd_end(mboxrd *m, GError **error)
{
	if (m->line->len &&
	    !take_line(m, (const char *)m->line->data, m->line->len, error))
		return false;
	g_byte_array_set_size(m->line, 0);
	return !m->mail || hand_over(m, error);
}
