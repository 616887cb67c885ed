/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All the patches of a mail. */
#include <string.h>

#include "parser/charset.h"
#include "parser/offers.h"

#define ATTACHMENT_MAX (16u << 20)

/* "[PATCH v2 3/7] x", and no answer to one. */
static bool is_patch_mail(const parser_mail *mail)
{
	const char *s = mail->subject;

	while (*s == ' ')
		s++;
	for (const char *close; *s == '['; s = close + 1 + strspn(close + 1, " ")) {
		close = strchr(s, ']');
		if (!close)
			return false;
		for (const char *p = s; p + 5 <= close; p++)
			if (g_ascii_strncasecmp(p, "PATCH", 5) == 0)
				return true;
	}
	return false;
}

/* What mail programs and people put between lines of their own. */
static bool has_scissors_above(const parser_mail *mail, size_t end)
{
	return memmem(mail->text, end, "8<", 2) || memmem(mail->text, end, ">8", 2);
}

static void read_spans(offer_reader *r)
{
	bool patch_mail = is_patch_mail(r->mail);
	bool first = true;

	r->form = PARSER_PATCH_INLINE;
	for (guint i = 0; i < r->mail->spans->len; i++) {
		const parser_span *span =
			&g_array_index(r->mail->spans, parser_span, i);
		size_t from = span->start;

		if (span->kind != PARSER_SPAN_PATCH || span->depth)
			continue;
		if (patch_mail && first && !has_scissors_above(r->mail, span->end)) {
			/* All above the diff is the commit's message. */
			r->form = PARSER_PATCH_MAIL;
			from = 0;
		}
		first = false;
		offer_read_piece(r, r->text + from, r->text + span->end);
	}
	offer_flush(r);
}

static bool may_be_patch(const parser_attachment *a)
{
	const char *name = a->name ? a->name : "";

	return g_str_has_prefix(a->type, "text/") || g_str_has_suffix(name, ".patch") ||
	       g_str_has_suffix(name, ".diff");
}

/* A patch that stands in the text and is attached too is one. */
static void drop_doubles(GPtrArray *patches, guint attached)
{
	for (guint i = attached; i-- > 0;) {
		const parser_patch *earlier = g_ptr_array_index(patches, i);
		bool twice = false;

		for (guint k = i + 1; k < patches->len && !twice; k++) {
			const parser_patch *later = g_ptr_array_index(patches, k);

			twice = earlier->diff && later->diff &&
				strcmp(earlier->diff, later->diff) == 0;
		}
		if (twice)
			g_ptr_array_remove_index(patches, i);
	}
}

static char *unix_lines(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++)
		if (*from != '\r' || from[1] != '\n')
			*to++ = *from;
	*to = '\0';
	return text;
}

static void read_attachment(offer_reader *r, const parser_attachment *a)
{
	gsize length;
	const char *bytes = g_bytes_get_data(a->bytes, &length);
	guint before = r->patches->len;

	if (!may_be_patch(a) || !length || length > ATTACHMENT_MAX)
		return;

	g_autofree char *text = unix_lines(charset_to_utf8(bytes, length, NULL, NULL));
	offer_reader inner = { .mail = r->mail,
			       .patches = r->patches,
			       .text = text,
			       .form = PARSER_PATCH_ATTACHED };

	offer_read_piece(&inner, text, text + strlen(text));
	offer_flush(&inner);
	drop_doubles(r->patches, before);
}

GPtrArray *parser_patches_read(const parser_mail *mail)
{
	offer_reader r = {
		.mail = mail,
		.patches = g_ptr_array_new_with_free_func(
			(GDestroyNotify)parser_patch_free),
		.text = mail->text,
		.flowed = mail->flowed,
		.delsp = mail->delsp,
	};

	if (mail->class != PARSER_CLASS_HUMAN)
		return r.patches;
	read_spans(&r);
	for (guint i = 0; i < mail->attachments->len; i++)
		read_attachment(&r, g_ptr_array_index(mail->attachments, i));
	offer_read_branches(&r);
	return r.patches;
}
