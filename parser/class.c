/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who speaks: a person, a robot that measures, another bot, an answering machine.  The
 * evidence is kept by kind: marks that only programs set in the header, the shape of
 * the local part, words that such mail begins with.  Precedence: bulk says nothing, for
 * lists put it on everybody's mail.
 */
#include "parser/class.h"

#include <string.h>

#include "parser/ascii.h"
#include "parser/collapsed.h"

#define LOOK_LINES 60 /* of the text, for a robot's opening words */

typedef struct mark {
	const char *name;  /* of the field; a prefix if it ends in '*' */
	const char *value; /* its value begins so; "" for any */
	parser_class class;
} mark;

/* Fields that only programs write. */
static const mark header_marks[] = {
	/* clang-format off */
	{ "X-Failed-Recipients",  "",             PARSER_CLASS_BOUNCE },
	{ "Auto-Submitted",       "auto-replied", PARSER_CLASS_AUTO },
	{ "X-Autoreply",          "",             PARSER_CLASS_AUTO },
	{ "X-Autorespond",        "",             PARSER_CLASS_AUTO },
	{ "Precedence",           "auto_reply",   PARSER_CLASS_AUTO },
	{ "X-PR-Tracked-*",       "",             PARSER_CLASS_BOT },
	{ "X-Patchwork-Bot",      "",             PARSER_CLASS_BOT },
	{ "Robot-ID",             "",             PARSER_CLASS_BOT },
	{ "X-Bugzilla-Reason",    "",             PARSER_CLASS_BOT },
	{ "X-Github-Sender",      "",             PARSER_CLASS_BOT },
	{ "X-Gerrit-MessageType", "",             PARSER_CLASS_BOT },
	/* clang-format on */
};

typedef struct shape {
	const char *pattern; /* glob over the lower-case address */
	parser_class class;
} shape;

/* Addresses that no person writes from. */
static const shape address_shapes[] = {
	/* clang-format off */
	{ "mailer-daemon*",          PARSER_CLASS_BOUNCE },
	{ "postmaster@*",            PARSER_CLASS_BOUNCE },
	{ "*-bot@*",                 PARSER_CLASS_BOT },
	{ "*-bot?@*",                PARSER_CLASS_BOT },
	{ "*-bot+*@*",               PARSER_CLASS_BOT },
	{ "bot@*",                   PARSER_CLASS_BOT },
	{ "bot+*@*",                 PARSER_CLASS_BOT },
	{ "syzbot*@*",               PARSER_CLASS_BOT },
	{ "regzbot@*",               PARSER_CLASS_BOT },
	{ "bugbot@*",                PARSER_CLASS_BOT },
	{ "bugzilla-daemon*@*",      PARSER_CLASS_BOT },
	{ "bugzilla@*",              PARSER_CLASS_BOT },
	{ "buildbot@*",              PARSER_CLASS_BOT },
	{ "patchwork@*",             PARSER_CLASS_BOT },
	{ "noreply@*",               PARSER_CLASS_BOT },
	{ "no-reply@*",              PARSER_CLASS_BOT },
	{ "do-not-reply@*",          PARSER_CLASS_BOT },
	{ "notifications@github.com", PARSER_CLASS_BOT },
	/* clang-format on */
};

/* How answering machines begin their subjects (case folded). */
static const struct {
	const char *prefix;
	parser_class class;
} subject_starts[] = {
	/* clang-format off */
	{ "automatic reply",              PARSER_CLASS_AUTO },
	{ "auto reply",                   PARSER_CLASS_AUTO },
	{ "auto-reply",                   PARSER_CLASS_AUTO },
	{ "autoreply",                    PARSER_CLASS_AUTO },
	{ "out of office",                PARSER_CLASS_AUTO },
	{ "out of the office",            PARSER_CLASS_AUTO },
	{ "vacation reply",               PARSER_CLASS_AUTO },
	{ "automatische antwort",         PARSER_CLASS_AUTO },
	{ "abwesenheit",                  PARSER_CLASS_AUTO },
	{ "r\xc3\xa9ponse automatique",   PARSER_CLASS_AUTO },
	{ "respuesta autom\xc3\xa1tica",  PARSER_CLASS_AUTO },
	{ "risposta automatica",          PARSER_CLASS_AUTO },
	{ "\xe8\x87\xaa\xe5\x8a\xa8\xe5\x9b\x9e\xe5\xa4\x8d", PARSER_CLASS_AUTO },
	{ "undeliver",                    PARSER_CLASS_BOUNCE },
	{ "mail system error",            PARSER_CLASS_BOUNCE },
	{ "delivery status notification", PARSER_CLASS_BOUNCE },
	{ "mail delivery failed",         PARSER_CLASS_BOUNCE },
	{ "delivery failure",             PARSER_CLASS_BOUNCE },
	{ "failure notice",               PARSER_CLASS_BOUNCE },
	{ "returned mail:",               PARSER_CLASS_BOUNCE },
	/* clang-format on */
};

const char *parser_class_name(parser_class class)
{
	static const char *const names[] = { "human", "robot", "bot", "auto",
					     "bounce" };

	return names[class];
}

static bool name_matches(const mark *m, const field *f)
{
	size_t n = strlen(m->name);

	if (m->name[n - 1] == '*')
		return f->name_length >= n - 1 &&
		       g_ascii_strncasecmp(f->name, m->name, n - 1) == 0;
	return f->name_length == n && g_ascii_strncasecmp(f->name, m->name, n) == 0;
}

static bool by_header(const head *h, parser_class *class)
{
	for (const field *f = head_first(h, FIELD_EVIDENCE); f; f = head_next(h, f))
		for (size_t i = 0; i < G_N_ELEMENTS(header_marks); i++)
			if (name_matches(&header_marks[i], f) &&
			    field_begins(f, header_marks[i].value)) {
				*class = header_marks[i].class;
				return true;
			}
	return false;
}

bool class_is_delivery_report(const head *h)
{
	const field *f = head_first(h, FIELD_CONTENT_TYPE);
	if (!f || !field_begins(f, "multipart/report"))
		return false;
	g_autofree char *type = field_raw_text(f);

	return ascii_holds(type, "delivery-status") ||
	       !ascii_holds(type, "report-type");
}

/* True for "Return-Path: <>", which a list would have replaced. */
static bool has_empty_sender(const head *h)
{
	const field *f = head_first(h, FIELD_RETURN_PATH);

	return f && field_begins(f, "<>");
}

static bool by_address(const char *address, parser_class *class)
{
	g_autofree char *lower = g_ascii_strdown(address ? address : "", -1);

	for (size_t i = 0; i < G_N_ELEMENTS(address_shapes); i++)
		if (g_pattern_match_simple(address_shapes[i].pattern, lower)) {
			*class = address_shapes[i].class;
			return true;
		}
	return false;
}

static bool by_subject(const char *subject, parser_class *class)
{
	g_autofree char *lower = g_utf8_casefold(subject, -1);
	const char *close =
		*lower == '[' ? strchr(lower, ']') : NULL; /* a list's tag */
	const char *start = close ? close + 1 + strspn(close + 1, " ") : lower;

	for (size_t i = 0; i < G_N_ELEMENTS(subject_starts); i++)
		if (g_str_has_prefix(start, subject_starts[i].prefix)) {
			*class = subject_starts[i].class;
			return true;
		}
	return false;
}

/* ---- robots that measure ------------------------------------------------------------
 */

static bool line_has(const char *line, size_t length, const char *word)
{
	return memmem(line, length, word, strlen(word)) != NULL;
}

/* "noticed a -7.4% regression of unixbench.score on:" and its forms through the years.
 */
bool class_is_headline(const char *line, size_t length)
{
	if (length && *line == '>')
		return false;
	if (!line_has(line, length, "noticed"))
		return false;
	if (line_has(line, length, "noticed the below changes on") ||
	    line_has(line, length, "noticed the following changes"))
		return true;
	const char *noticed = memmem(line, length, "noticed", 7);
	const char *at = noticed + 7, *end = line + length;

	if (at == end || *at != ' ')
		return false;
	size_t rest = (size_t)(end - at);
	bool what = line_has(at, rest, "% regression") ||
		    line_has(at, rest, "% improvement") ||
		    line_has(at, rest, "a regression of") ||
		    line_has(at, rest, "performance");

	return what &&
	       (line_has(at, rest, " on:") || line_has(at, rest, "due to commit") ||
		line_has(at, rest, " of "));
}

/* "Joe wrote:": what stands below, or on the same line, are another's words. */
static bool is_attributed(const char *line, size_t length)
{
	if (collapsed_reply_start(line, length))
		return true;
	while (length && strchr(" \t\r", line[length - 1]))
		length--;
	return length > 6 && length < 300 &&
	       (memcmp(line + length - 6, "wrote:", 6) == 0 ||
		memcmp(line + length - 7, "\xe5\x86\x99\xe9\x81\x93:", 7) == 0);
}

bool class_is_robot_text(const char *text, size_t length)
{
	const char *end = text + length;
	int lines = 0;

	for (const char *p = text; p < end && lines < LOOK_LINES; lines++) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));
		const char *stop = nl ? nl : end;

		if (is_attributed(p, (size_t)(stop - p)))
			return false;
		if (class_is_headline(p, MIN((size_t)(stop - p), 400)))
			return true;
		p = nl ? nl + 1 : end;
	}
	return false;
}

/* "commit: <40 hex>", with or without the colon. */
static bool has_commit_line(const char *text)
{
	for (const char *p = text; (p = strstr(p, "commit")); p++) {
		const char *hex = p + 6;
		int n = 0;

		if (p > text && !strchr(" \n", p[-1]))
			continue;
		while (*hex == ':' || *hex == ' ')
			hex++;
		while (n < 40 && g_ascii_isxdigit(hex[n]))
			n++;
		if (n == 40)
			return true;
	}
	return false;
}

/* What the robot's team sends by hand has the robot's form, not only its words. */
static bool has_robot_form(const char *text)
{
	return has_commit_line(text) &&
	       (strstr(text, "testcase") || strstr(text, "test case") ||
		strstr(text, "test machine")) &&
	       (strstr(text, "stddev") || strstr(text, "%change"));
}

static bool has_robot_name(const char *name)
{
	return name && (ascii_holds(name, "robot") || ascii_holds(name, "lkp"));
}

static bool is_reply_subject(const char *subject)
{
	return g_ascii_strncasecmp(subject, "re:", 3) == 0 ||
	       strstr(subject, " Re: ") || strstr(subject, "]Re: ");
}

static bool speaks_of_performance(const parser_mail *mail)
{
	return strstr(mail->subject, "% regression") ||
	       strstr(mail->subject, "% improvement") ||
	       strstr(mail->text, "%stddev") || strstr(mail->text, "regression") ||
	       strstr(mail->text, "improvement");
}

static parser_class robot_or_human(const parser_mail *mail)
{
	const parser_address *from = &mail->sender_as_written;
	bool opening = class_is_robot_text(mail->text, mail->text_length);

	if (has_robot_name(from->name)) {
		if (opening)
			return PARSER_CLASS_ROBOT;
		return speaks_of_performance(mail) ? PARSER_CLASS_ROBOT :
						     PARSER_CLASS_BOT;
	}
	if (opening && !is_reply_subject(mail->subject) && has_robot_form(mail->text))
		return PARSER_CLASS_ROBOT; /* the team's own hand, in the robot's words
					    */
	return PARSER_CLASS_HUMAN;
}

static parser_class decide(parser_mail *mail, const head *h)
{
	parser_class class, by_shape = PARSER_CLASS_HUMAN;
	bool shaped = by_address(mail->sender_as_written.address, &by_shape);

	if ((h && class_is_delivery_report(h)) || by_shape == PARSER_CLASS_BOUNCE)
		return PARSER_CLASS_BOUNCE;
	if (h && head_first(h, FIELD_REGRESSION))
		return PARSER_CLASS_ROBOT;
	if (by_subject(mail->subject, &class) || (h && by_header(h, &class)))
		return class;
	if (shaped)
		return by_shape;
	if (h && has_empty_sender(h) && !mail->lists->len)
		return PARSER_CLASS_AUTO;
	return robot_or_human(mail);
}

void class_read(parser_mail *mail, const head *h)
{
	mail->class = decide(mail, h);
	mail->auto_submitted =
		mail->class == PARSER_CLASS_AUTO || mail->class == PARSER_CLASS_BOUNCE;
}
