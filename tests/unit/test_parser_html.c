/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/mail.h"

static parser_mail *html_mail(const char *html)
{
	g_autofree char *bytes =
		g_strconcat("From: Jane Doe <jane@example.org>\nSubject: Re: x\n"
			    "Message-ID: <a1@example.org>\n"
			    "Content-Type: text/html; charset=utf-8\n\n",
			    html, NULL);

	return mail_of(bytes);
}

static void expect_text(const char *html, const char *text)
{
	g_autoptr(parser_mail) mail = html_mail(html);

	if (strcmp(mail->text, text) != 0)
		fail_msg("%s\ngives\n%s", html, mail->text);
}

#define COMMAND "#regtrail invalid: noise"

/* Neither a command nor words of the author's come out of it; what is below stays. */
static void expect_not_own(const char *html)
{
	g_autofree char *whole = g_strconcat(html, "\n<p>Own words.</p>\n", NULL);
	g_autoptr(parser_mail) mail = html_mail(whole);
	g_autoptr(GPtrArray) commands = parser_commands_read(mail);
	g_autofree char *own = text_of_kind(mail, PARSER_SPAN_OWN);

	if (commands->len || strstr(own, "regtrail") || !strstr(own, "Own words."))
		fail_msg("%s\ngives %u commands and\n%s", html, commands->len,
			 mail->text);
}

static void what_nobody_sees_is_left_out(void **state)
{
	static const char *const hidden[] = {
		"<div style=\"display:none\">" COMMAND "</div>",
		"<div style='color: red; DISPLAY : none !important'><p>" COMMAND
		"</p></div>",
		"<div style=display:none>" COMMAND "</div>",
		"<div style=\"display&#58;none\">" COMMAND "</div>",
		"<div style=\"display:/* x */none\">" COMMAND "</div>",
		"<div style=\"d\\69splay:none\">" COMMAND "</div>",
		"<div style=\"d\\000069 splay:n\\6f \\6E e\">" COMMAND "</div>",
		"<div style=\"d\\isplay:none\">" COMMAND "</div>",
		"<style>@import url(a);.pre{display:none}</style><div class=pre>" COMMAND
		"</div>",
		"<style>@charset \"utf-8\"; @import 'a;b';\n.pre{display:none}</style>"
		"<div class=pre>" COMMAND "</div>",
		"<style>.p\\72 e{display:none}</style><div class=pre>" COMMAND "</div>",
		"<style>aside{display:none}</style><ASIDE>" COMMAND "</ASIDE>",
		"<p style=\"visibility: hidden\">" COMMAND "</p>",
		"<p style=\"visibility:collapse\">" COMMAND "</p>",
		"<div style=\"font-size:0\">" COMMAND "</div>",
		"<div style=\"font-size: 0px\">" COMMAND "</div>",
		"<div style=\"font-size:1px\">" COMMAND "</div>",
		"<div style=\"font:0/0 a\">" COMMAND "</div>",
		"<div style=\"opacity:0\">" COMMAND "</div>",
		"<div style=\"max-height:0;overflow:hidden\">" COMMAND "</div>",
		"<div style=\"position:absolute;left:-9999px\">" COMMAND "</div>",
		"<div style=\"mso-hide:all\">" COMMAND "</div>",
		"<div hidden>" COMMAND "</div>",
		"<div hidden=\"\"><div>x</div>" COMMAND "</div>",
		"<div HIDDEN=until-found><br>" COMMAND "<br></div>",
		"<div style=\"display:none\"><div>a</div><div>b</div>" COMMAND "</div>",
		"<div style=\"display:none\"><br></p></span>" COMMAND "</div>",
		"<!-- " COMMAND " -->",
		"<!--\n" COMMAND "\n--!>",
		"<style>\n" COMMAND "\n</style>",
		"<script>\n" COMMAND "\n</script>",
		"<title>\n" COMMAND "\n</title>",
		"<template><p>" COMMAND "</p></template>",
		"<div title=\">\n" COMMAND "\n\">x</div>",
		"<img alt='>\n" COMMAND "\n'>",
		"<style>.pre, p.x { display: none }</style><div class=\"a pre\">" COMMAND
		"</div>",
		"<style>/* { */ #top{display:none}</style><div id=top>" COMMAND
		"</div>",
		"<style>aside{visibility:hidden}</style><aside>" COMMAND "</aside>",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(hidden); i++)
		expect_not_own(hidden[i]);
	g_autoptr(parser_mail) mail = html_mail("a<span hidden>b</span>c");
	assert_true(warns(mail, "hidden text"));
}

static void what_everybody_sees_stays(void **state)
{
	static const char *const shown[] = {
		"<div style=\"display:block;font-size:10px;opacity:0.9\">a</div>",
		"<div style=\"font-size:1em\">a</div>",
		"<div style=\"height:0\">a</div>",
		"<div style=\"color:#000;left:0;top:0;margin-left:-5px\">a</div>",
		"<style>@media print { .s { display:none } } .t{color:red}</style>"
		"<div class=\"s t\">a</div>",
		"<head><style>x</style><div>a</div>",
		"<style>.b{display:none}</style>a",
		"<style>@media print{@page{size:a4;}.s{display:none}}</style>"
		"<div class=s>a</div>",
		"<div style=\"color:red\\3b display:none\">a</div>",
		"<style>.c:hover{display:none}</style><div class=c>a</div>",
		"<p style=\"display:none\">b<p>a",
		"<div hidden>b</div>a",
		"<!-->a<!--->",
		"<meta name=hidden><input hidden>a",
		"<a title='x > y'>a</a>",
		"<div aria-hidden=true>a</div>",
		"<div title='hidden'>a</div>",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(shown); i++)
		expect_text(shown[i], "a\n");
	g_autoptr(parser_mail) mail = html_mail("<p>a</p>");
	assert_false(warns(mail, "hidden text"));
}

static void what_mail_programs_quote_is_quoted(void **state)
{
	static const char *const quotes[] = {
		"<blockquote>" COMMAND "</blockquote>",
		"<div style=\"border-left:1px solid #ccc;padding-left:1ex\">" COMMAND
		"</div>",
		"<div style='BORDER-LEFT: #0f0 2px solid'><p>a<p>" COMMAND "</div>",
		"<p style='border-inline-start: thick double'>" COMMAND "</p>",
		"<blockquote type=cite><div>x</div><div>" COMMAND "</div></blockquote>",
		"<div class=\"gmail_quote\">" COMMAND "</div>",
		"<div class=\"x gmail_quote gmail_quote_container\"><div>a</div>\n<div>" COMMAND
		"</div></div>",
		"<div class=gmail_extra>" COMMAND "</div>",
		"<div class=\"moz-cite-prefix\">On Monday, Joe wrote:<br>" COMMAND
		"</div>",
		"<div class='yahoo_quoted' id='yahoo_quoted_123'>" COMMAND "</div>",
		"<div id=\"yahoo_quoted_4711\">" COMMAND "</div>",
		"<div class=\"protonmail_quote\">a<blockquote>b</blockquote>" COMMAND
		"</div>",
		"<span class=gmail_quote>" COMMAND "</span>",
		"<div class=GMAIL_QUOTE>" COMMAND "</div>",
		"<pre class=gmail_quote>a\n" COMMAND "\n</pre>",
		"<blockquote><pre>a\n" COMMAND "\nb</pre></blockquote>",
		"<blockquote>a<br>" COMMAND "<br></p></div></blockquote>",
		"<blockquote><table><tr><td>" COMMAND "</table></blockquote>",
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(quotes); i++)
		expect_not_own(quotes[i]);
	expect_text(
		"<div>a</div><div class=gmail_quote>On Monday, Joe wrote:<blockquote>"
		"b</blockquote></div>c",
		"a\n> On Monday, Joe wrote:\n> b\nc\n");
	expect_text("<blockquote>a<blockquote>b</blockquote></blockquote>c",
		    "> a\n>> b\nc\n");
}

static void below_outlook_s_mark_all_is_anothers(void **state)
{
	static const char *const marks[] = { "<div id=\"divRplyFwdMsg\" dir=ltr>",
					     "<div id=appendonsend></div><hr><div>" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(marks); i++) {
		g_autofree char *html =
			g_strconcat("<p>Own words.</p>", marks[i],
				    "<b>From:</b> Joe</div>"
				    "<div>it is slow</div><div>" COMMAND "</div>",
				    NULL);
		g_autoptr(parser_mail) mail = html_mail(html);
		g_autoptr(GPtrArray) commands = parser_commands_read(mail);
		g_autofree char *own = text_of_kind(mail, PARSER_SPAN_OWN);

		assert_int_equal(commands->len, 0);
		assert_non_null(strstr(own, "Own words."));
		assert_null(strstr(own, "slow"));
	}
}

static void commands_of_the_author_still_count(void **state)
{
	static const char *const own[] = {
		"<div>Hm.</div><div>" COMMAND "</div>",
		"<blockquote>b</blockquote><div>" COMMAND "</div><br>",
		"<div class=gmail_quote>b</div>\n<p>" COMMAND "</p>",
		"<div hidden>b</div>" COMMAND,
	};

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(own); i++) {
		g_autoptr(parser_mail) mail = html_mail(own[i]);
		g_autoptr(GPtrArray) commands = parser_commands_read(mail);

		if (commands->len != 1)
			fail_msg("%u commands: %s\n%s", commands->len, own[i],
				 mail->text);
	}
}

/* More within each other than are kept: quoted to the end rather than not at all. */
static void floods_of_elements_end_no_quote(void **state)
{
	g_autoptr(GString) html = g_string_new(NULL);

	(void)state;
	for (int i = 0; i < 3000; i++)
		g_string_append(html, "<blockquote>");
	g_string_append(html, COMMAND);
	for (int i = 0; i < 1500; i++)
		g_string_append(html, "</blockquote>");
	g_string_append(html, "<p>" COMMAND "</p>");
	g_autoptr(parser_mail) mail = html_mail(html->str);
	g_autoptr(GPtrArray) commands = parser_commands_read(mail);

	assert_int_equal(commands->len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_nobody_sees_is_left_out),
		cmocka_unit_test(what_everybody_sees_stays),
		cmocka_unit_test(what_mail_programs_quote_is_quoted),
		cmocka_unit_test(below_outlook_s_mark_all_is_anothers),
		cmocka_unit_test(commands_of_the_author_still_count),
		cmocka_unit_test(floods_of_elements_end_no_quote),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
