/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Web archives keep the words and lose the form: header lines become a title and a
 * name, lines run together, '@' turns into "(a)", '>' into "&gt;".
 */
#include "parser/archive.h"

#include <string.h>

#include "parser/address.h"
#include "parser/charset.h"
#include "parser/class.h"
#include "parser/collapsed.h"
#include "parser/date.h"
#include "parser/fields.h"
#include "parser/head.h"
#include "parser/html.h"
#include "parser/msgid.h"
#include "parser/spans.h"

#define LOOK_MAX (64u << 10) /* bytes of a page that are looked at for evidence */

typedef struct text_line {
	const char *p;
	size_t length;
} text_line;

static bool next_line(const char **at, const char *end, text_line *l)
{
	if (*at >= end)
		return false;
	const char *nl = memchr(*at, '\n', (size_t)(end - *at)), *stop = nl ? nl : end;

	l->p = *at;
	*at = nl ? nl + 1 : end;
	while (stop > l->p && strchr(" \t\r", stop[-1]))
		stop--;
	while (l->p < stop && (*l->p == ' ' || *l->p == '\t'))
		l->p++;
	l->length = (size_t)(stop - l->p);
	return true;
}

static bool begins(const text_line *l, const char *prefix)
{
	size_t n = strlen(prefix);

	return l->length >= n && memcmp(l->p, prefix, n) == 0;
}

static bool ends(const text_line *l, const char *suffix)
{
	size_t n = strlen(suffix);

	return l->length >= n && memcmp(l->p + l->length - n, suffix, n) == 0;
}

static bool holds(const text_line *l, const char *word)
{
	return memmem(l->p, l->length, word, strlen(word)) != NULL;
}

/* ---- what a page puts around a message
 * ------------------------------------------------ */

/* "[Date Prev][Date Next][Thread Prev]..." */
static bool is_navigation(const text_line *l)
{
	return begins(l, "[") &&
	       (holds(l, "[Date Prev]") || holds(l, "[Thread Prev]") ||
		holds(l, "[Thread Index]"));
}

/* "[Joe Doe <joe@x>]" or "From Joe Doe <joe(a)x>:", alone on its line. */
static bool is_author(const text_line *l)
{
	bool bracketed = begins(l, "[") && (ends(l, ">]") || ends(l, "&gt;]"));
	bool from = begins(l, "From ") && (ends(l, ">:") || ends(l, "&gt;:"));

	return l->length < 300 && (bracketed || from) &&
	       (holds(l, "<") || holds(l, "&lt;"));
}

static bool is_head_line(const text_line *l)
{
	return is_navigation(l) || is_author(l) || begins(l, "From: ") ||
	       begins(l, "Date: ");
}

static bool is_evidence(const text_line *l, unsigned number)
{
	return begins(l, "> ") || begins(l, ">>") || ends(l, "wrote:") ||
	       ends(l, "writes:") || is_navigation(l) || is_author(l) ||
	       collapsed_reply_start(l->p, l->length) ||
	       (number < 6 && begins(l, "From: ")) ||
	       class_is_robot_text(l->p, MIN(l->length, 400));
}

bool archive_is_page(const char *bytes, size_t length)
{
	const char *at = bytes, *end = bytes + MIN(length, LOOK_MAX);
	text_line l;
	unsigned number = 0;
	g_auto(head) h = { 0 };

	if (!length || memchr(bytes, 0, MIN(length, 4096)))
		return false;
	if (collapsed_is_header(bytes, length))
		return true;
	if (head_read(&h, bytes, length, NULL) && h.fields->len)
		return false;
	while (next_line(&at, end, &l))
		if (l.length && is_evidence(&l, number++))
			return true;
	return false;
}

size_t archive_next(const char *bytes, size_t length, size_t position)
{
	const char *at = bytes + position, *end = bytes + length;
	bool author = false, text = false, blank = false;
	text_line l;

	while (next_line(&at, end, &l)) {
		bool starts = text && blank &&
			      (collapsed_reply_start(l.p, l.length) ||
			       (author && is_author(&l)));

		if (starts)
			return (size_t)(l.p - bytes);
		author = author || is_author(&l);
		text = text || l.length;
		blank = !l.length;
	}
	return length;
}

/* ---- one message
 * ------------------------------------------------------------------------ */

/* "joe(a)example.org" within a word; other "(a)" are what they are. */
static void unmask(GString *text)
{
	char *out = text->str;

	for (const char *p = text->str; *p; p++) {
		bool masked = strncmp(p, "(a)", 3) == 0 && p > text->str &&
			      g_ascii_isalnum(p[-1]) && g_ascii_isalnum(p[3]);

		*out++ = masked ? '@' : *p;
		p += masked ? 2 : 0;
	}
	g_string_truncate(text, (gsize)(out - text->str));
}

static GString *readable(parser_mail *mail, const char *bytes, size_t length)
{
	charset_result result;
	char *text = charset_to_utf8(bytes, length, NULL, &result);

	mail->charset = g_strdup(result.name);
	if (result.had_nul)
		mail_warn(mail, "the text holds NUL bytes; they were dropped");
	if (strstr(text, "&gt;") || strstr(text, "&lt;") || strstr(text, "&amp;")) {
		char *plain = html_unescape(text, strlen(text));

		g_free(text);
		text = plain;
	}
	GString *out = g_string_new(text);

	g_free(text);
	char lone = strchr(out->str, '\n') ? ' ' : '\n';
	for (char *p = out->str; (p = strchr(p, '\r'));)
		*p = p[1] == '\n' ? ' ' : lone;
	unmask(out);
	return out;
}

static void take_author(parser_mail *mail, const char *s, size_t length)
{
	g_autoptr(GPtrArray) list =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_address_free);
	g_autofree char *text = g_strndup(s, length);

	address_parse(text, list);
	if (!list->len || mail->from.name || mail->from.address)
		return;
	parser_address *a = list->pdata[0];

	mail->from.name = g_strdup(a->name);
	mail->from.address = g_strdup(a->address);
	mail->sender_as_written = *a;
	memset(a, 0, sizeof(*a));
}

static void take_head_line(parser_mail *mail, const text_line *l)
{
	if (is_navigation(l))
		return;
	if (begins(l, "Date: ")) {
		if (!date_parse(l->p + 6, l->length - 6, &mail->date))
			mail->date = 0;
	} else if (begins(l, "From: ")) {
		take_author(mail, l->p + 6, l->length - 6);
	} else if (begins(l, "[")) {
		take_author(mail, l->p + 1, l->length - 2);
	} else {
		take_author(mail, l->p + 5, l->length - 6);
	}
}

/* A title stands first, alone, and is neither quote nor a robot's first words. */
static bool is_title(const text_line *l, const char *at, const char *end)
{
	text_line next = { NULL, 0 };

	if (l->length > 300 || begins(l, ">") || is_head_line(l) ||
	    class_is_robot_text(l->p, l->length) || ends(l, "wrote:"))
		return false;
	while (next_line(&at, end, &next) && !next.length)
		;
	return next.length &&
	       (is_head_line(&next) || begins(l, "Re: ") || begins(l, "["));
}

/* Takes the head lines off the text: title, names, dates, navigation. */
static void read_page(parser_mail *mail, GString *text)
{
	const char *at = text->str, *end = at + text->len;
	bool first = true, in_head = true;
	GString *out = g_string_sized_new(text->len);
	text_line l;

	for (const char *start = at; next_line(&at, end, &l); start = at) {
		if (first && l.length && is_title(&l, at, end)) {
			g_free(mail->subject);
			mail->subject = g_strndup(l.p, l.length);
		} else if (in_head && is_head_line(&l)) {
			take_head_line(mail, &l);
		} else if (l.length || !in_head || out->len) {
			/* Text may stand above the name: the page's teaser is its
			 * start. */
			in_head = in_head && (!l.length || out->len == 0);
			g_string_append_len(out, start, at - start);
		}
		first = first && !l.length;
	}
	g_string_assign(text, out->str);
	g_string_free(out, TRUE);
}

/* A whole mail whose line ends have become blanks. */
static void read_collapsed_mail(parser_mail *mail, GString *text)
{
	g_auto(head) h = { 0 };
	g_autofree char *header = collapsed_header(text->str, text->len);
	size_t length = strlen(header);

	if (head_read(&h, header, length, NULL)) {
		mail->message_id = msgid_own(&h);
		g_free(mail->subject);
		mail->subject = head_subject(&h);
		address_from(&h, &mail->sender_as_written);
		address_person(&h, &mail->sender_as_written, &mail->from);
		date_of_message(&h, &mail->date, &mail->received);
	}
	g_string_erase(text, 0,
		       (gssize)MIN(text->len, collapsed_body(text->str, text->len)));
}

void archive_read(parser_mail *mail, const char *bytes, size_t length, unsigned index)
{
	g_autoptr(GArray) sections = g_array_new(FALSE, FALSE, sizeof(section));
	GString *text = readable(mail, bytes, length);
	bool reply = index > 0 && collapsed_reply_start(text->str, text->len);

	mail->subject = g_strdup("");
	mail_warn(mail, "text of a web archive: headers are missing");
	if (collapsed_is_header(text->str, text->len))
		read_collapsed_mail(mail, text);
	else if (!reply)
		read_page(mail, text);
	else /* the robot's report stands at the top; others answer the one above */
		mail->archive_parent = collapsed_answers_robot(text->str, text->len) ?
					       0 :
					       (int)index - 1;
	collapsed_sections(text->str, text->len, sections);
	mail->text_length = text->len;
	mail->text = g_string_free(text, FALSE);
	class_read(mail, NULL);
	spans_read(mail, sections);
}
