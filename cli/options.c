/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands describe their options as data; GOption reads them. */
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

#define COLUMN 26 /* where help texts start */

const cli_option options_global[] = {
	{ "config", 0, G_OPTION_ARG_FILENAME, offsetof(global_options, config), "FILE",
	  "the configuration to use" },
	{ "color", 0, G_OPTION_ARG_STRING, offsetof(global_options, color), "WHEN",
	  "auto, always or never" },
	{ "help", 'h', G_OPTION_ARG_NONE, offsetof(global_options, help), NULL,
	  "show help for the command" },
	{ "version", 0, G_OPTION_ARG_NONE, offsetof(global_options, version), NULL,
	  "show the version" },
	CLI_OPTIONS_END,
};

static bool owns_memory(const cli_option *option)
{
	return option->type == G_OPTION_ARG_STRING ||
	       option->type == G_OPTION_ARG_FILENAME;
}

static bool owns_array(const cli_option *option)
{
	return option->type == G_OPTION_ARG_STRING_ARRAY ||
	       option->type == G_OPTION_ARG_FILENAME_ARRAY;
}

static void clear(const cli_option *options, void *values)
{
	for (const cli_option *o = options; o && o->name; o++) {
		void *place = (char *)values + o->offset;

		if (owns_memory(o))
			g_clear_pointer((char **)place, g_free);
		else if (owns_array(o))
			g_clear_pointer((char ***)place, g_strfreev);
	}
}

void options_clear(const command *cmd, void *options)
{
	clear(cmd->options, options);
}

void global_options_clear(global_options *globals)
{
	clear(options_global, globals);
}

static void append_entries(GArray *entries, const cli_option *options, void *values)
{
	for (const cli_option *o = options; o && o->name; o++) {
		GOptionEntry entry = { .long_name = o->name,
				       .short_name = o->letter,
				       .arg = o->type,
				       .arg_data = (char *)values + o->offset,
				       .description = o->help,
				       .arg_description = o->value };

		g_array_append_val(entries, entry);
	}
}

static bool parse(GArray *entries, bool strict_order, char ***args, GError **error)
{
	g_autoptr(GOptionContext) context = g_option_context_new(NULL);
	g_autoptr(GError) cause = NULL;

	g_option_context_set_help_enabled(context, FALSE);
	g_option_context_set_strict_posix(context, strict_order);
	g_option_context_add_main_entries(
		context, (const GOptionEntry *)(void *)entries->data, NULL);
	if (g_option_context_parse_strv(context, args, &cause))
		return true;

	/* GLib writes sentences. */
	g_autofree char *words = g_strdup(cause->message);

	words[0] = g_ascii_tolower(words[0]);
	g_set_error_literal(error, CLI_ERROR, CLI_ERROR_USAGE, words);
	return false;
}

static bool is_set(const command *cmd, const void *options, const char *name)
{
	for (const cli_option *o = cmd->options; o && o->name; o++)
		if (o->type == G_OPTION_ARG_NONE && strcmp(o->name, name) == 0)
			return *(const gboolean *)(const void *)((const char *)options +
								 o->offset);
	return false;
}

/* One of two forms would win, and nobody would know which. */
static bool has_one_form(const command *cmd, const void *options, GError **error)
{
	if (!is_set(cmd, options, "json") || !is_set(cmd, options, "csv"))
		return true;
	g_set_error(error, CLI_ERROR, CLI_ERROR_USAGE, "either --json or --csv");
	return false;
}

bool options_parse(const command *cmd, void *options, global_options *globals,
		   char ***args, GError **error)
{
	g_autoptr(GArray) entries = g_array_new(TRUE, FALSE, sizeof(GOptionEntry));

	append_entries(entries, cmd->options, options);
	append_entries(entries, options_global, globals);
	return parse(entries, false, args, error) && has_one_form(cmd, options, error);
}

bool options_parse_global(global_options *globals, char ***args, GError **error)
{
	g_autoptr(GArray) entries = g_array_new(TRUE, FALSE, sizeof(GOptionEntry));

	append_entries(entries, options_global, globals);
	return parse(entries, true, args, error);
}

void options_help(const cli_option *options, GString *out)
{
	for (const cli_option *o = options; o && o->name; o++) {
		g_autoptr(GString) left = g_string_new("  ");

		if (o->letter)
			g_string_append_printf(left, "-%c, ", o->letter);
		g_string_append_printf(left, "--%s", o->name);
		if (o->value)
			g_string_append_printf(left, " %s", o->value);
		if (left->len + 2 > COLUMN)
			g_string_append_printf(out, "%s\n%*s%s\n", left->str, COLUMN,
					       "", o->help);
		else
			g_string_append_printf(out, "%-*s%s\n", COLUMN, left->str,
					       o->help);
	}
}
