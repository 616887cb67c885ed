/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Header lines of another mail inside a mail's text, as Outlook and its kin put them
 * above what they quote without marks, in the language of their user; and forwarded
 * mails.
 */
#include <string.h>

#include "parser/lines.h"
#include "parser/reading.h"

#define BLOCK_LINES_MAX 40
#define NAME_MAX_BYTES  40

enum {
	NAME_FROM = 1,
	NAME_DATE = 2,
	NAME_TO = 4,
	NAME_SUBJECT = 8,
	NAME_OTHER = 16
};

static const struct {
	const char *name;
	int kind;
} names[] = {
	/* clang-format off */
	{ "From", NAME_FROM }, { "Von", NAME_FROM }, { "De", NAME_FROM }, { "Da", NAME_FROM },
	{ "Van", NAME_FROM }, { "Od", NAME_FROM }, { "Fra", NAME_FROM }, { "Fr\xc3\xa5n", NAME_FROM },
	{ "L\xc3\xa4hett\xc3\xa4j\xc3\xa4", NAME_FROM }, { "\xd0\x9e\xd1\x82", NAME_FROM },
	{ "\xe5\x8f\x91\xe4\xbb\xb6\xe4\xba\xba", NAME_FROM },   /* zh */
	{ "\xe5\xaf\x84\xe4\xbb\xb6\xe8\x80\x85", NAME_FROM },   /* zh_TW */
	{ "\xe5\xb7\xae\xe5\x87\xba\xe4\xba\xba", NAME_FROM },   /* ja */
	{ "\xeb\xb3\xb4\xeb\x82\xb8 \xec\x82\xac\xeb\x9e\x8c", NAME_FROM }, /* ko */
	{ "Date", NAME_DATE }, { "Sent", NAME_DATE }, { "Gesendet", NAME_DATE }, { "Datum", NAME_DATE },
	{ "Envoy\xc3\xa9", NAME_DATE }, { "Enviado", NAME_DATE }, { "Fecha", NAME_DATE },
	{ "Inviato", NAME_DATE }, { "Data", NAME_DATE }, { "Verzonden", NAME_DATE }, { "Sendt", NAME_DATE },
	{ "Dato", NAME_DATE }, { "Skickat", NAME_DATE }, { "Wys\xc5\x82""ano", NAME_DATE },
	{ "\xd0\x94\xd0\xb0\xd1\x82\xd0\xb0", NAME_DATE },
	{ "\xd0\x9e\xd1\x82\xd0\xbf\xd1\x80\xd0\xb0\xd0\xb2\xd0\xbb\xd0\xb5\xd0\xbd\xd0\xbe", NAME_DATE },
	{ "\xe5\x8f\x91\xe9\x80\x81\xe6\x97\xb6\xe9\x97\xb4", NAME_DATE },
	{ "\xe6\x97\xb6\xe9\x97\xb4", NAME_DATE },
	{ "\xe6\x97\xa5\xe6\x9c\x9f", NAME_DATE }, { "\xe9\x80\x81\xe4\xbf\xa1\xe6\x97\xa5\xe6\x99\x82", NAME_DATE },
	{ "To", NAME_TO }, { "An", NAME_TO }, { "\xc3\x80", NAME_TO }, { "Para", NAME_TO }, { "A", NAME_TO },
	{ "Aan", NAME_TO }, { "Til", NAME_TO }, { "Till", NAME_TO }, { "Do", NAME_TO },
	{ "\xd0\x9a\xd0\xbe\xd0\xbc\xd1\x83", NAME_TO }, { "\xe6\x94\xb6\xe4\xbb\xb6\xe4\xba\xba", NAME_TO },
	{ "\xe5\xae\x9b\xe5\x85\x88", NAME_TO },
	{ "Subject", NAME_SUBJECT }, { "Betreff", NAME_SUBJECT }, { "Objet", NAME_SUBJECT },
	{ "Asunto", NAME_SUBJECT }, { "Oggetto", NAME_SUBJECT }, { "Assunto", NAME_SUBJECT },
	{ "Onderwerp", NAME_SUBJECT }, { "Emne", NAME_SUBJECT }, { "\xc3\x84mne", NAME_SUBJECT },
	{ "Temat", NAME_SUBJECT }, { "\xd0\xa2\xd0\xb5\xd0\xbc\xd0\xb0", NAME_SUBJECT },
	{ "\xe4\xb8\xbb\xe9\xa2\x98", NAME_SUBJECT }, { "\xe4\xbb\xb6\xe5\x90\x8d", NAME_SUBJECT },
	{ "Cc", NAME_OTHER }, { "CC", NAME_OTHER }, { "Bcc", NAME_OTHER }, { "Kopie", NAME_OTHER },
	{ "\xe6\x8a\x84\xe9\x80\x81", NAME_OTHER }, { "Importance", NAME_OTHER },
	{ "Reply-To", NAME_OTHER }, { "Message-ID", NAME_OTHER }, { "Message-Id", NAME_OTHER },
	{ "Attachments", NAME_OTHER }, { "Priority", NAME_OTHER },
	/* clang-format on */
};

/* Some clients space out the two letters of a Chinese name. */
static int kind_of_name(const char *name, size_t length)
{
	char tight[NAME_MAX_BYTES + 1];
	size_t n = 0;

	for (size_t i = 0; i < length; i++)
		if (name[i] != ' ')
			tight[n++] = name[i];
	for (size_t k = 0; k < G_N_ELEMENTS(names); k++)
		if (*names[k].name == *name &&
		    ((strlen(names[k].name) == n &&
		      memcmp(names[k].name, tight, n) == 0) ||
		     (strlen(names[k].name) == length &&
		      memcmp(names[k].name, name, length) == 0)))
			return names[k].kind;
	return 0;
}

/* Which header line the line is, else 0.  "*From:* x" is one in bold. */
static int name_of(const lines *l, guint i)
{
	const char *p = line_body(l, i), *end = l->text + l->list[i].end;

	while (p < end && (*p == ' ' || *p == '*' || *p == '\t'))
		p++;
	if (p >= end || (!g_ascii_isalpha(*p) && !(*p & 0x80)))
		return 0;
	size_t length = MIN((size_t)(end - p), NAME_MAX_BYTES + 1);
	const char *colon = memchr(p, ':', length);
	const char *wide =
		memmem(p, colon ? (size_t)(colon - p) : length, "\xef\xbc\x9a", 3);
	const char *stop = wide ? wide : colon;

	while (stop && stop > p) {
		/* French sets a blank before the colon that does not break the line. */
		if (stop - p > 1 && memcmp(stop - 2, "\xc2\xa0", 2) == 0)
			stop -= 2;
		else if (strchr(" *\t", stop[-1]))
			stop--;
		else
			break;
	}
	return stop ? kind_of_name(p, (size_t)(stop - p)) : 0;
}

/* ---- in a language that the table above does not have: by their shape -------------
 */

/* Behind "Some words:", or NULL: letters, blanks and marks that show nothing. */
static const char *behind_name(const char *p, const char *end)
{
	const char *stop = p + MIN((size_t)(end - p), 2 * NAME_MAX_BYTES);
	unsigned letters = 0;

	while (p < stop) {
		gunichar c = g_utf8_get_char(p);

		p = g_utf8_next_char(p);
		if (c == ':' || c == 0xff1a)
			return letters ? p : NULL;
		if (g_unichar_isalpha(c) || g_unichar_ismark(c))
			letters++;
		else if (c != ' ' && c != '*' && c != '-' && c != '/' && c != 0xa0 &&
			 !parser_is_invisible(c))
			return NULL;
	}
	return NULL;
}

/* "Name <user@host>" or "[mailto:user@host]" to the end of the line. */
static bool has_address(const char *p, const char *end)
{
	const char *at = memchr(p, '@', (size_t)(end - p));
	const char *open = at ? memrchr(p, '<', (size_t)(at - p)) : NULL;

	if (at && !open)
		open = memmem(p, (size_t)(at - p), "mailto:", 7);
	return open && (memchr(at, '>', (size_t)(end - at)) ||
			memchr(at, ']', (size_t)(end - at)));
}

/* A year: four digits of any script. */
static bool has_year(const char *p, const char *end)
{
	while (p < end) {
		unsigned digits = 0;

		while (p < end && g_unichar_isdigit(g_utf8_get_char(p))) {
			digits++;
			p = g_utf8_next_char(p);
		}
		if (digits == 4)
			return true;
		if (!digits)
			p = g_utf8_next_char(p);
	}
	return false;
}

/* What git prints of a commit, and the trailers of one, look alike. */
static bool is_of_a_commit(const char *p, const char *end)
{
	static const char *const words[] = { "Author", "Commit", "Tagger" };
	const char *colon = memchr(p, ':', (size_t)(end - p));

	for (size_t k = 0; k < G_N_ELEMENTS(words); k++)
		if ((size_t)(end - p) > strlen(words[k]) &&
		    strncmp(p, words[k], strlen(words[k])) == 0)
			return true;
	return colon && colon - p > 3 && strncmp(colon - 3, "-by", 3) == 0;
}

/* Sender, date and at least one more: the end of such a block at i; else i. */
static guint shaped_end(const lines *l, guint i)
{
	guint j = i, found = 0;
	bool dated = false;

	for (; j < l->n && j < i + BLOCK_LINES_MAX && !line_is_blank(l, j); j++) {
		const char *p = line_body(l, j), *end = l->text + l->list[j].end;
		const char *value = l->list[j].depth ? NULL : behind_name(p, end);

		if (!value && j - i > found + 15)
			break;
		if (j == i &&
		    (!value || !has_address(value, end) || is_of_a_commit(p, end)))
			return i;
		found += value != NULL;
		dated |= value && found <= 3 && has_year(value, end);
	}
	return found >= 3 && dated ? j : i;
}

/* The line after the header lines that begin at i, if they are such a block; else i. */
static guint block_end(const lines *l, guint i)
{
	int seen = 0;
	guint j = i, last = i;

	if (name_of(l, i) != NAME_FROM)
		return shaped_end(l, i);
	for (; j < l->n && j < i + BLOCK_LINES_MAX && !line_is_blank(l, j); j++) {
		int kind = name_of(l, j);

		if (l->list[j].depth || (j > i && kind == NAME_FROM))
			break;
		seen |= kind;
		if (kind)
			last = j;
		/* A long list of recipients wraps; other lines do not run on for long.
		 */
		else if (j - last > 15)
			break;
	}
	return (seen & NAME_DATE) && (seen & (NAME_TO | NAME_SUBJECT)) ?
		       j :
		       shaped_end(l, i);
}

/* "-----Original Message-----" in any language: dashes on both sides of words. */
static bool is_ruled_title(const lines *l, guint i)
{
	const char *p = line_body(l, i), *end = l->text + l->list[i].end;
	unsigned left = 0, right = 0;

	if (p >= end || (*p != '-' && *p != '_' && *p != ' '))
		return false;
	while (end > p && strchr(" \t\r", end[-1]))
		end--;
	while (p < end && (*p == '-' || *p == '_' || *p == ' '))
		left += *p++ != ' ';
	while (end > p && (end[-1] == '-' || end[-1] == '_' || end[-1] == ' '))
		right += *--end != ' ';
	if (left < 2 || right < 2 || end - p < 4 || end - p > 80)
		return false;
	return g_ascii_isalpha(*p) || *p & 0x80;
}

/* A title that never heads words of one's own. */
static bool says_original(const lines *l, guint i)
{
	static const char *const words[] = {
		"Original Message",
		"Original message",
		"Original-Nachricht",
		"rspr\xc3\xbcngliche Nachricht",
		"essage d'origine",
		"essage d\xe2\x80\x99origine",
		"ensaje original",
		"ensagem original",
		"essaggio originale",
		"orspronkelijk bericht",
		"\xe5\x8e\x9f\xe5\xa7\x8b\xe9\x82\xae\xe4\xbb\xb6"
	};

	for (size_t k = 0; k < G_N_ELEMENTS(words); k++)
		if (line_holds(l, i, words[k]))
			return true;
	return false;
}

static bool says_forwarded(const lines *l, guint i)
{
	static const char *const words[] = {
		"orward",  "eitergeleitet", "ransf\xc3\xa9r",          "eenviado",
		"noltrat", "oorgestuurd",   "\xe8\xbd\xac\xe5\x8f\x91"
	};

	for (size_t k = 0; k < G_N_ELEMENTS(words); k++)
		if (line_holds(l, i, words[k]))
			return true;
	return false;
}

static guint next_text(const lines *l, guint i)
{
	while (i < l->n && line_is_blank(l, i))
		i++;
	return i;
}

/* "--- End of forwarded message ---" */
static bool is_end_title(const lines *l, guint i)
{
	return is_ruled_title(l, i) &&
	       (line_holds(l, i, "End ") || line_holds(l, i, "end "));
}

/* All that stands below belongs to the other mail. */
static guint settle_rest(lines *l, guint from, bool forwarded)
{
	guint to = from;

	while (to < l->n && !is_end_title(l, to))
		to++;
	for (guint i = from; i < to; i++) {
		line *x = &l->list[i];

		if (x->settled && x->kind != PARSER_SPAN_QUOTE &&
		    x->kind != PARSER_SPAN_PATCH)
			continue;
		x->kind = forwarded ? PARSER_SPAN_FORWARDED : PARSER_SPAN_QUOTE;
		x->depth += forwarded ? 0 : 1;
		x->settled = true;
	}
	if (to < l->n)
		lines_settle(l, to, to + 1,
			     forwarded ? PARSER_SPAN_FORWARDED : PARSER_SPAN_QUOTE);
	return to;
}

/* Marks the title and header lines [title, end) and what follows. */
static guint mark_block(lines *l, guint title, guint end, bool forwarded)
{
	guint next = next_text(l, end);

	lines_settle(l, title, end,
		     forwarded ? PARSER_SPAN_FORWARDED : PARSER_SPAN_ATTRIBUTION);
	if (!forwarded && next < l->n && l->list[next].depth)
		return end; /* quoted with marks: answers may stand between */
	return settle_rest(l, end, forwarded);
}

/* The line above i that is a title or a rule for the block at i; else i. */
static guint title_above(const lines *l, guint i)
{
	guint j = i;

	while (j > 0 && i - j < 2 && line_is_blank(l, j - 1))
		j--;
	if (j > 0 && line_is_free(l, j - 1) &&
	    (is_ruled_title(l, j - 1) || line_begins(l, j - 1, "________") ||
	     line_begins(l, j - 1, "Begin forwarded message")))
		return j - 1;
	return i;
}

void headers_mark(lines *l)
{
	for (guint i = 0; i < l->n; i++) {
		if (!line_is_free(l, i))
			continue;
		guint end = block_end(l, i);

		if (end > i) {
			guint title = title_above(l, i);

			i = mark_block(l, title, end, says_forwarded(l, title)) - 1;
		} else if (is_ruled_title(l, i) && !is_end_title(l, i)) {
			guint next = next_text(l, i + 1);

			if (says_forwarded(l, i)) {
				i = mark_block(l, i, i + 1, true) - 1;
				continue;
			}

			if (next >= l->n || next > i + 2 || block_end(l, next) != next)
				continue;
			/* A title and one header line: some clients drop the rest. */
			if (name_of(l, next))
				i = mark_block(l, i, next + 1, false) - 1;
			else if (says_original(l, i))
				i = mark_block(l, i, i + 1, false) - 1;
		}
	}
}
