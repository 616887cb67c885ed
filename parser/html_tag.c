/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/html_tag.h"

#include <string.h>

#include "parser/html.h"

#define CLASS_NAME_MAX 64u /* bytes of a class or an id that count */

/* ---- names ------------------------------------------------------------------------
 */

static bool is_name(const char *p, size_t length, const char *name)
{
	return strlen(name) == length && g_ascii_strncasecmp(p, name, length) == 0;
}

static bool is_one_of(const char *p, size_t length, const char *const *names)
{
	for (; *names; names++)
		if (is_name(p, length, *names))
			return true;
	return false;
}

bool html_tag_is(const html_tag *tag, const char *name)
{
	return is_name(tag->name, tag->length, name);
}

bool html_tag_is_paragraph(const html_tag *tag)
{
	static const char *const names[] = { "p",  "h1", "h2", "h3", "h4",    "h5",
					     "h6", "ul", "ol", "dl", "table", NULL };

	return is_one_of(tag->name, tag->length, names);
}

bool html_tag_is_block(const html_tag *tag)
{
	static const char *const names[] = {
		"div",    "tr",         "li",      "dt",  "dd",    "section", "article",
		"header", "footer",     "main",    "nav", "aside", "center",  "form",
		"pre",    "blockquote", "address", "hr",  NULL
	};

	return html_tag_is_paragraph(tag) || is_one_of(tag->name, tag->length, names);
}

/* Elements without an end, which hold nothing. */
static bool is_void(const html_tag *tag)
{
	static const char *const names[] = { "br",     "hr",    "img", "input",
					     "meta",   "link",  "col", "area",
					     "base",   "embed", "wbr", "param",
					     "source", "track", NULL };

	return is_one_of(tag->name, tag->length, names);
}

static html_tag_kind kind_of_name(const html_tag *tag)
{
	static const char *const raw[] = { "style",   "script",   "title",    "iframe",
					   "noembed", "noframes", "textarea", NULL };
	static const char *const hidden[] = { "template", "datalist", NULL };

	if (html_tag_is(tag, "blockquote"))
		return HTML_TAG_BLOCKQUOTE;
	if (html_tag_is(tag, "pre"))
		return HTML_TAG_PRE;
	if (is_one_of(tag->name, tag->length, raw))
		return HTML_TAG_RAW;
	return is_one_of(tag->name, tag->length, hidden) ? HTML_TAG_HIDDEN : 0;
}

/* ---- attributes ---------------------------------------------------------------------
 */

/* Classes and ids that mail programs give to what they quote. */
static const char *const quote_names[] = {
	/* clang-format off */
	"gmail_quote", "gmail_extra", "gmail_attr", "moz-cite-prefix",
	"moz-forward-container", "moz-email-headers-table", "yahoo_quoted",
	"protonmail_quote", "tutanota_quote", "zmail_extra", "reply-intro",
	"OutlookMessageHeader", "OLK_SRC_BODY_SECTION", "isReplyContent",
	"isForwardContent", "ms-outlook-mobile-reference-message",
	"mail-editor-reference-message-container", "front-blockquote", NULL
	/* clang-format on */
};

/* Outlook marks where the other's mail begins, and not where it ends. */
static const char *const rest_names[] = { "divRplyFwdMsg", "x_divRplyFwdMsg",
					  "appendonsend", NULL };

/* "yahoo_quoted_0815" */
static bool is_numbered_quote(const char *p, size_t length)
{
	static const char prefix[] = "yahoo_quoted";

	return length > sizeof(prefix) &&
	       g_ascii_strncasecmp(p, prefix, sizeof(prefix) - 1) == 0;
}

static bool is_styled(const html_styles *styles, char mark, const char *p,
		      size_t length)
{
	char key[CLASS_NAME_MAX + 2];

	if (length > CLASS_NAME_MAX || g_hash_table_size((GHashTable *)styles) == 0)
		return false;
	key[0] = mark;
	for (size_t i = 0; i < length; i++) /* names of elements have no case */
		key[i + 1] = mark == '<' ? g_ascii_tolower(p[i]) : p[i];
	key[length + 1] = '\0';
	return g_hash_table_contains((GHashTable *)styles, key);
}

/* What a class or an id says; mark is '.' or '#'. */
static html_tag_kind kind_of_class(const html_styles *styles, char mark, const char *p,
				   size_t length)
{
	html_tag_kind kind = 0;

	if (is_one_of(p, length, quote_names) || is_numbered_quote(p, length))
		kind |= HTML_TAG_QUOTE;
	if (is_one_of(p, length, rest_names))
		kind |= HTML_TAG_REST;
	if (is_styled(styles, mark, p, length))
		kind |= HTML_TAG_HIDDEN;
	return kind;
}

static html_tag_kind kind_of_classes(const html_styles *styles, const char *p,
				     size_t length)
{
	const char *end = p + length;
	html_tag_kind kind = 0;

	while (p < end) {
		const char *word = p;
		while (p < end && !g_ascii_isspace(*p))
			p++;
		if (p > word)
			kind |= kind_of_class(styles, '.', word, (size_t)(p - word));
		p += p < end;
	}
	return kind;
}

typedef struct attribute {
	const char *name, *value;
	size_t name_length, value_length;
} attribute;

static html_tag_kind kind_of_attribute(const attribute *a, const html_styles *styles)
{
	if (is_name(a->name, a->name_length, "hidden"))
		return HTML_TAG_HIDDEN;
	if (is_name(a->name, a->name_length, "class"))
		return kind_of_classes(styles, a->value, a->value_length);
	if (is_name(a->name, a->name_length, "id"))
		return kind_of_class(styles, '#', a->value, a->value_length);
	if (is_name(a->name, a->name_length, "style")) {
		g_autofree char *css = html_unescape(a->value, a->value_length);

		return (html_css_hides(css, strlen(css)) ? HTML_TAG_HIDDEN : 0) |
		       (html_css_quotes(css, strlen(css)) ? HTML_TAG_QUOTE : 0);
	}
	return 0;
}

static const char *skip_space(const char *p, const char *end)
{
	while (p < end && g_ascii_isspace(*p))
		p++;
	return p;
}

/*
 * Reads one attribute; NULL where the tag ends.  A value in quote marks may hold '>';
 * one that is never closed reaches to the end of the text.
 */
static const char *read_attribute(attribute *a, const char *p, const char *end)
{
	while (p < end && (g_ascii_isspace(*p) || *p == '/'))
		p++;
	if (p >= end || *p == '>')
		return NULL;
	*a = (attribute){ .name = p, .value = p };
	p++; /* even a '=' may begin a name */
	while (p < end && !g_ascii_isspace(*p) && !strchr("=>/", *p))
		p++;
	a->name_length = (size_t)(p - a->name);
	const char *equals = skip_space(p, end);
	if (equals >= end || *equals != '=')
		return p;
	p = skip_space(equals + 1, end);
	if (p < end && (*p == '"' || *p == '\'')) {
		const char *close = memchr(p + 1, *p, (size_t)(end - p - 1));
		a->value = p + 1;
		p = close ? close : end;
		a->value_length = (size_t)(p - a->value);
		return p + (p < end);
	}
	a->value = p;
	while (p < end && !g_ascii_isspace(*p) && *p != '>')
		p++;
	a->value_length = (size_t)(p - a->value);
	return p;
}

bool html_tag_read(html_tag *tag, const char *p, const char *end,
		   const html_styles *styles)
{
	const char *name = p + 1, *next;
	attribute a;

	*tag = (html_tag){ .close = name < end && *name == '/' };
	name += tag->close;
	tag->name = name;
	while (name + tag->length < end &&
	       (g_ascii_isalnum(name[tag->length]) || name[tag->length] == '-'))
		tag->length++;
	if (!tag->length || !g_ascii_isalpha(*name)) {
		if (name >= end || (*name != '!' && *name != '?' && !tag->close))
			return false;
		const char *gt = memchr(name, '>', (size_t)(end - name));
		tag->length = 0;
		tag->next = gt ? gt + 1 : end;
		return true;
	}
	tag->kind = kind_of_name(tag);
	if (is_styled(styles, '<', tag->name, tag->length))
		tag->kind |= HTML_TAG_HIDDEN;
	for (p = name + tag->length; (next = read_attribute(&a, p, end)); p = next)
		if (!tag->close)
			tag->kind |= kind_of_attribute(&a, styles);
	while (p < end && *p != '>')
		p++;
	tag->next = p + (p < end);
	if (is_void(tag))
		tag->kind &= HTML_TAG_REST;
	return true;
}
