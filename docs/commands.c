/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints docs/commands.md from the table that reads commands. */
#include <stdio.h>

#include "parser/parser.h"

static const char head[] =
	"# Commands in mails\n\n"
	"<!-- Made from parser/verbs.c by the program docs/commands.c; do not edit. -->\n\n"
	"A command stands in the first column of its own line, in the author's own text or\n"
	"below the signature line:\n\n"
	"    #regtrail expected: the new lock is needed\n\n"
	"- The colon is optional, `#regtrail-dup 12345678` and `#regtrail: dup 12345678` are\n"
	"  read too; upper and lower case are the same.\n"
	"- Arguments go on over the next lines up to a blank line or the next command.\n"
	"- Several commands may stand below each other, or on one line behind `; ` when the\n"
	"  next one is written with its colon (`dup 12345678; note: see there`).\n"
	"- A Subject that begins with `#regtrail` is a command unless the text has one.\n"
	"- Never read: quotes, attributions, patches, forwarded mail, lines that a robot\n"
	"  offers for copying, automatic answers, robots' and own mails. `##regtrail` is no\n"
	"  command and serves to write about one.\n"
	"- Leave a blank line between quoted text and a command: one right below a long quoted\n"
	"  line, or between quoted lines, may be the rest of a line that a mail program wrapped\n"
	"  and is refused.\n"
	"- What cannot be carried out (an unknown verb, a missing argument, a placeholder, an\n"
	"  invisible character behind the prefix or in the verb, a place below or between\n"
	"  quoted lines as above) is listed for the operator with the reason. Nothing is ever\n"
	"  answered to a list.\n"
	"- Who may command is said in docs/operating.md; from anybody else, and without a\n"
	"  trusted host that vouches for the sender, a command only suggests. `stop`, and\n"
	"  `no-reminders` from who may not command, ask for no proof: all they do is to keep\n"
	"  reminders from the one address that the mail says it comes from.\n"
	"- `#regzbot` lines are read as well and only ever suggest. A command in an untracked\n"
	"  thread opens nothing.\n";

static void print_names(const parser_verb *v)
{
	g_auto(GStrv) aliases = g_strsplit(v->aliases, " ", -1);

	printf("`%s`", v->name);
	for (char **a = aliases; *a; a++)
		if (**a)
			printf(", `%s`", *a);
}

/* A bar ends a cell. */
static void print_cell(const char *text)
{
	g_auto(GStrv) parts = g_strsplit(text, "|", -1);
	g_autofree char *safe = g_strjoinv("\\|", parts);

	printf(" | %s", safe);
}

static void print_table(const char *title, bool regtrail)
{
	printf("\n## %s\n\n| verb | arguments | effect | status | undone by |\n"
	       "|---|---|---|---|---|\n",
	       title);
	for (const parser_verb *v = parser_verbs; v->name; v++) {
		if (regtrail ? !v->regtrail : !v->regzbot)
			continue;
		printf("| ");
		print_names(v);
		print_cell(v->usage);
		print_cell(v->effect);
		print_cell(v->status ? v->status : "");
		printf(" | %s%s%s |\n", v->undo ? "`" : "", v->undo ? v->undo : "",
		       v->undo ? "`" : "");
	}
}

int main(void)
{
	fputs(head, stdout);
	print_table("#regtrail", true);
	print_table("#regzbot", false);
	return 0;
}
