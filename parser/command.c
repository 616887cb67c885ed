/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands in mails: "#regtrail expected: it was known before".  The author's own text
 * counts, and what stands below the signature line, for some write their commands
 * there; quotes, patches, forwarded text and a robot's template lines never do.
 */
#include "parser/reading.h"

#include <string.h>

#include "parser/wrap.h"

#define COMMANDS_MAX      50u   /* in one mail */
#define ARGUMENTS_MAX     4096u /* bytes; what is longer is no argument */
#define CONTINUATIONS_MAX 20u

static const char *const prefixes[] = { "#regtrail", "#regzbot" };

/* The lines of a text with the span that each stands in. */
typedef struct cursor {
	const parser_mail *mail;
	size_t at;     /* of the line to come */
	guint span;    /* that holds it */
	unsigned line; /* its number, from 1 */
} cursor;

typedef struct line {
	const char *text;
	size_t length; /* without the line end */
	size_t offset;
	unsigned number;
	parser_span_kind kind;
	guint span;
} line;

static bool next_line(cursor *c, line *l)
{
	const parser_mail *mail = c->mail;
	if (c->at >= mail->text_length)
		return false;

	const char *start = mail->text + c->at;
	const char *end = memchr(start, '\n', mail->text_length - c->at);
	while (c->span < mail->spans->len &&
	       g_array_index(mail->spans, parser_span, c->span).end <= c->at)
		c->span++;
	l->text = start;
	l->length = end ? (size_t)(end - start) : mail->text_length - c->at;
	l->offset = c->at;
	l->number = c->line;
	l->span = c->span;
	l->kind = c->span < mail->spans->len ?
			  g_array_index(mail->spans, parser_span, c->span).kind :
			  PARSER_SPAN_QUOTE;
	c->at += l->length + (end != NULL);
	c->line++;
	return true;
}

/* Skips blanks as mail has them: NBSP too. */
static const char *skip_blanks(const char *p, const char *end)
{
	for (;;) {
		if (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
			p++;
		else if (end - p >= 2 && memcmp(p, "\xc2\xa0", 2) == 0)
			p += 2;
		else
			return p;
	}
}

/* A command begins in the first column; a byte order mark or NBSP may stand before. */
static const char *skip_mark(const char *p, const char *end)
{
	if (p < end && (*p == ' ' || *p == '\t'))
		return p;
	while (end - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
		p += 3;
	return skip_blanks(p, end);
}

/* True if a word that is no word to the eye begins at p: up to a blank or colon. */
static bool is_disguised(const char *p)
{
	for (; *p && !strchr(" \t:;", *p); p = g_utf8_next_char(p))
		if (parser_is_invisible(g_utf8_get_char(p)))
			return true;
	return false;
}

/* The prefix that a line begins with, or NULL; *rest is what follows it. */
static const char *find_prefix(const char *p, const char *end, const char **rest)
{
	for (size_t i = 0; i < G_N_ELEMENTS(prefixes); i++) {
		size_t n = strlen(prefixes[i]);
		if ((size_t)(end - p) < n ||
		    g_ascii_strncasecmp(p, prefixes[i], n) != 0)
			continue;
		if (p + n < end &&
		    (g_ascii_isalnum(p[n]) || p[n] == '_' || p[n] == '#'))
			continue;
		*rest = p + n;
		return prefixes[i];
	}
	return NULL;
}

static bool is_verb_char(char c)
{
	return g_ascii_isalnum(c) || c == '-' || c == '_' || c == '^';
}

static void append_words(GString *to, const char *p, const char *end)
{
	p = skip_blanks(p, end);
	while (p < end) {
		const char *word = p;
		while (p < end && skip_blanks(p, end) == p)
			p++;
		if (to->len > 0 && to->str[to->len - 1] != ' ')
			g_string_append_c(to, ' ');
		g_string_append_len(to, word, p - word);
		p = skip_blanks(p, end);
	}
}

/*
 * Joins a continuation line.  A hyphen at the end of the line before is that of a word
 * that was cut: it goes on without a blank.
 */
static void append_line(GString *to, const char *p, const char *end)
{
	bool cut = to->len > 1 && to->str[to->len - 1] == '-' &&
		   !g_ascii_isspace(to->str[to->len - 2]) &&
		   to->str[to->len - 2] != '-';

	if (!cut) {
		append_words(to, p, end);
		return;
	}
	g_autoptr(GString) more = g_string_new(NULL);
	append_words(more, p, end);
	g_string_append_len(to, more->str, (gssize)more->len);
}

/* Cuts what is too long, but not within a character. */
static void cut_arguments(GString *text)
{
	if (text->len <= ARGUMENTS_MAX)
		return;
	gsize end = ARGUMENTS_MAX;
	while (end > 0 && ((unsigned char)text->str[end] & 0xc0) == 0x80)
		end--;
	g_string_truncate(text, end);
}

static bool may_command(const parser_mail *mail, const char *prefix)
{
	switch (mail->class) {
	case PARSER_CLASS_HUMAN:
		return !mail->auto_submitted;
	case PARSER_CLASS_BOT: /* bug trackers pass on what people wrote there */
		return strcmp(prefix, "#regzbot") == 0;
	case PARSER_CLASS_ROBOT:
	case PARSER_CLASS_AUTO:
	case PARSER_CLASS_BOUNCE:
		break;
	}
	return false;
}

static bool is_commandable(const line *l)
{
	return l->kind == PARSER_SPAN_OWN || l->kind == PARSER_SPAN_SIGNATURE;
}

static bool is_quoted(const line *l)
{
	const char *end = l->text + l->length;

	return l->kind == PARSER_SPAN_QUOTE && skip_blanks(l->text, end) < end;
}

static bool is_marked(const line *l)
{
	const char *end = l->text + l->length, *p = skip_blanks(l->text, end);

	return is_quoted(l) && *p == '>';
}

/* clang-format off */
static const char between_quotes[] =
	"it stands between quoted lines, as the rest of a wrapped one would";
static const char below_quote[] =
	"it stands right below a long quoted line, as the rest of a wrapped one would";
/* clang-format on */

/*
 * Why a line may be the rest of a quoted one that a mail program wrapped, and so not
 * the author's command; NULL if it cannot.
 */
static const char *doubt_of(const line *before, const line *l, const cursor *after)
{
	cursor ahead = *after;
	line next;

	if (!before->text || !is_quoted(before))
		return NULL;
	if (!is_commandable(l))
		return is_marked(before) && l->kind == PARSER_SPAN_QUOTE ?
			       between_quotes :
			       NULL;
	if (next_line(&ahead, &next) && is_quoted(&next))
		return between_quotes;
	return wrap_is_full(before->text, before->length, l->text, l->length) ?
		       below_quote :
		       NULL;
}

/* True if the line goes on with the command of the line before it. */
static bool continues(const line *first, const line *l)
{
	const char *end = l->text + l->length;
	const char *p = skip_blanks(l->text, end);
	const char *rest;

	if (p == end || l->kind != first->kind || l->span != first->span)
		return false;
	if (*p == '>' || *p == '|' || *p == '#')
		return false;
	if (l->length >= 2 && strspn(l->text, "-=_*") >= l->length)
		return false;
	return !find_prefix(skip_mark(l->text, end), end, &rest);
}

/* ---- what is wrong with a command --------------------------------------------------
 */

static bool is_placeholder(const parser_verb *verb, const char *arguments)
{
	size_t length = strlen(arguments);
	if (length == 0)
		return false;
	if (arguments[0] == '<' && arguments[length - 1] == '>' &&
	    !strpbrk(arguments, "@/") &&
	    strchr(arguments, '>') == arguments + length - 1)
		return true;
	if (arguments[0] == '[' && arguments[length - 1] == ']' &&
	    strcmp(arguments, verb->usage) == 0)
		return true;
	if (strspn(arguments, ".") == length)
		return true;
	if (g_str_has_prefix(arguments, "exact-") && !strchr(arguments, ' '))
		return true;
	if (length > 1 && strspn(arguments, "ABCDEFGHIJKLMNOPQRSTUVWXYZ|-_ ") == length)
		return strstr(verb->usage, arguments) != NULL;
	return false;
}

static bool is_hash_or_range(const char *text)
{
	size_t n = strcspn(text, " ");
	bool range = g_strstr_len(text, (gssize)n, "..") != NULL;
	size_t digits = strspn(text, "0123456789abcdefABCDEF");

	return range || (digits >= 7 && digits <= 40 &&
			 (text[digits] == ' ' || text[digits] == '\0' ||
			  text[digits] == ',' || text[digits] == '^'));
}

static char *problem_of(const parser_command *command)
{
	const parser_verb *v = command->known;
	const char *args = command->arguments;

	if (command->verb[0] == '\0')
		return g_strdup("no verb follows the prefix");
	if (!v)
		return g_strdup_printf("unknown verb '%s'", command->verb);
	if (v->arguments == PARSER_ARGUMENTS_REQUIRED && args[0] == '\0')
		return g_strdup_printf("'%s' needs %s", command->verb, v->usage);
	if (is_placeholder(v, args))
		return g_strdup("a placeholder stands where the arguments belong");
	if (v->act == PARSER_ACT_INTRODUCED && !is_hash_or_range(args) &&
	    !g_str_has_prefix(args, "v") && !g_str_has_prefix(args, "next-"))
		return g_strdup_printf("'%s' needs a commit or a range", command->verb);
	if (v->act == PARSER_ACT_PRIORITY && strcmp(args, "low") != 0 &&
	    strcmp(args, "normal") != 0 && strcmp(args, "high") != 0)
		return g_strdup("a priority is low, normal or high");
	return NULL;
}

/* ---- from text to records -----------------------------------------------------------
 */

typedef struct origin {
	const char *prefix;
	unsigned line;
	size_t offset;
	const char *doubt; /* why it may not be the author's; NULL */
} origin;

/* Verbs whose arguments are no prose: "; verb" after them begins a new command. */
static bool takes_prose(const parser_verb *v)
{
	return !v || v->act == PARSER_ACT_STATUS || v->act == PARSER_ACT_TITLE ||
	       v->act == PARSER_ACT_NOTE || v->act == PARSER_ACT_BACKBURNER ||
	       v->act == PARSER_ACT_REOPEN || v->act == PARSER_ACT_FIX;
}

/* Where the next command of the same line begins, or NULL; *skip passes the "; ". */
static const char *find_next(const char *text, const origin *from,
			     const parser_verb *first, const char **next)
{
	for (const char *p = strstr(text, "; "); p; p = strstr(p + 1, "; ")) {
		const char *word = p + 2, *rest = word, *end = word + strlen(word);
		if (find_prefix(word, end, &rest)) {
			*next = word;
			return p;
		}
		while (is_verb_char(*rest))
			rest++;
		g_autofree char *name = g_ascii_strdown(word, rest - word);
		bool ends = *rest == ':' ||
			    (!takes_prose(first) && (*rest == ' ' || *rest == '\0'));
		if (ends && parser_verb_find(from->prefix, name)) {
			*next = word;
			return p;
		}
	}
	return NULL;
}

/* Takes verb and arguments. */
static void add_command(GPtrArray *commands, const origin *from, char *verb,
			char *arguments, bool disguised)
{
	parser_command *command = g_new0(parser_command, 1);

	command->prefix = g_strdup(from->prefix);
	command->verb = verb;
	command->arguments = g_strstrip(arguments);
	command->line = from->line;
	command->offset = from->offset;
	command->known = parser_verb_find(from->prefix, verb);
	command->problem =
		from->doubt ? g_strdup(from->doubt) :
		disguised   ? g_strdup("an invisible character stands in its words") :
			      problem_of(command);
	g_ptr_array_add(commands, command);
}

/* Splits "verb: arguments; verb: arguments" as it stands after a prefix. */
static void add_commands(GPtrArray *commands, const origin *from, const char *text)
{
	const char *p = text;

	while (p && commands->len < COMMANDS_MAX) {
		const char *rest;
		if (find_prefix(p, p + strlen(p), &rest))
			p = rest;
		bool disguised = is_disguised(p);
		p += strspn(p, ":- \t;");
		const char *word = p;
		disguised |= is_disguised(word);
		while (is_verb_char(*p))
			p++;
		char *verb = g_ascii_strdown(word, p - word);
		p += strspn(p, " \t");
		p += *p == ':';
		const char *next = NULL;
		const char *end =
			find_next(p, from, parser_verb_find(from->prefix, verb), &next);
		add_command(commands, from, verb,
			    end ? g_strndup(p, (gsize)(end - p)) : g_strdup(p),
			    disguised);
		p = next;
	}
}

/* The command that begins on the line, and the lines that go on with it. */
static void read_command(GPtrArray *commands, const origin *from, const line *l,
			 const char *rest, cursor *c)
{
	g_autoptr(GString) text = g_string_new(NULL);
	cursor ahead = *c;
	line more;

	append_words(text, rest, l->text + l->length);
	for (unsigned n = 0; n < CONTINUATIONS_MAX && text->len < ARGUMENTS_MAX &&
			     next_line(&ahead, &more) && continues(l, &more);
	     n++) {
		append_line(text, more.text, more.text + more.length);
		*c = ahead;
	}
	cut_arguments(text);
	add_commands(commands, from, text->str);
}

static void read_body(const parser_mail *mail, GPtrArray *commands)
{
	cursor c = { .mail = mail, .line = 1 };
	line before = { 0 }, l;

	for (; commands->len < COMMANDS_MAX && next_line(&c, &l); before = l) {
		const char *end = l.text + l.length, *rest = NULL;
		const char *start = skip_mark(l.text, end);
		const char *prefix = find_prefix(start, end, &rest);
		if (!prefix || !may_command(mail, prefix))
			continue;

		origin from = { prefix, l.number, l.offset + (size_t)(start - l.text),
				doubt_of(&before, &l, &c) };
		if (is_commandable(&l) || from.doubt)
			read_command(commands, &from, &l, rest, &c);
	}
}

/* A reply inherits its Subject, so only a Subject that begins with the prefix counts.
 */
static void read_subject(const parser_mail *mail, GPtrArray *commands)
{
	const char *subject = mail->subject ? mail->subject : "";
	const char *end = subject + strlen(subject), *rest;
	const char *prefix = find_prefix(skip_blanks(subject, end), end, &rest);

	if (!prefix || !may_command(mail, prefix))
		return;
	for (guint i = 0; i < commands->len; i++) {
		const parser_command *c = g_ptr_array_index(commands, i);
		if (strcmp(c->prefix, prefix) == 0)
			return; /* what the body says wins */
	}
	g_autoptr(GString) text = g_string_new(NULL);
	append_words(text, rest, end);
	cut_arguments(text);
	add_commands(commands, &(origin){ .prefix = prefix }, text->str);
}

GPtrArray *parser_commands_read(const parser_mail *mail)
{
	GPtrArray *commands =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_command_free);

	read_body(mail, commands);
	read_subject(mail, commands);
	return commands;
}
