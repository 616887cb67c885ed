/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_mails RULES [--features] FILE...: what the parser decides about mails under the
 * rule files of a directory, one JSON object a line; or the features that it decides
 * from.
 */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "parser/features.h"
#include "parser/parser.h"

static const char *const rule_files[] = { "verdicts.rules", "mechanisms.rules",
					  "weights.list" };

static bool add_rules(parser_rules *rules, const char *directory, GError **error)
{
	for (size_t i = 0; i < G_N_ELEMENTS(rule_files); i++) {
		g_autofree char *path =
			g_build_filename(directory, rule_files[i], NULL);
		g_autofree char *text = NULL;
		gsize length;
		if (!g_file_get_contents(path, &text, &length, error) ||
		    !parser_rules_add(rules, rule_files[i], text, length, error))
			return false;
	}
	return true;
}

static json_t *feature_names(const parser_reading *reading, const parser_rules *rules)
{
	g_autoptr(features) f = features_read(reading, rules);
	json_t *names = json_array();

	for (guint i = 0; i < f->list->len; i++)
		json_array_append_new(
			names, json_string(g_array_index(f->list, feature, i).name));
	return names;
}

static json_t *verdicts(const parser_reading *reading)
{
	json_t *list = json_array();

	for (guint i = 0; i < reading->verdicts->len; i++) {
		const parser_verdict *v = g_ptr_array_index(reading->verdicts, i);
		const char *outcome = parser_outcome_name(v->outcome);
		json_array_append_new(
			list, json_pack("{s:s, s:f, s:s?, s:s, s:I, s:s}", "verdict",
					parser_verdict_name(v->kind), "confidence",
					v->confidence, "outcome", outcome, "evidence",
					v->evidence, "offset", (json_int_t)v->offset,
					"rule", v->rule));
	}
	return list;
}

static json_t *mechanisms(const parser_reading *reading)
{
	json_t *list = json_array();

	for (guint i = 0; i < reading->mechanisms->len; i++) {
		const parser_mechanism *m = g_ptr_array_index(reading->mechanisms, i);
		json_array_append_new(list, json_pack("{s:s, s:s?, s:s, s:I}", "kind",
						      m->kind, "object", m->object,
						      "evidence", m->evidence, "offset",
						      (json_int_t)m->offset));
	}
	return list;
}

static json_t *commands(const parser_reading *reading)
{
	json_t *list = json_array();

	for (guint i = 0; i < reading->commands->len; i++) {
		const parser_command *c = g_ptr_array_index(reading->commands, i);
		json_array_append_new(list,
				      json_pack("{s:s, s:s, s:s, s:i, s:s?}", "prefix",
						c->prefix, "verb", c->verb, "arguments",
						c->arguments, "line", (int)c->line,
						"problem", c->problem));
	}
	return list;
}

static void print_reading(const char *path, const parser_reading *reading,
			  const parser_rules *rules, bool show_features)
{
	json_t *line = json_pack("{s:s}", "file", path);

	if (show_features) {
		json_object_set_new(line, "features", feature_names(reading, rules));
	} else {
		json_object_set_new(line, "text", json_string(reading->mail->text));
		json_object_set_new(line, "verdicts", verdicts(reading));
		json_object_set_new(line, "mechanisms", mechanisms(reading));
		json_object_set_new(line, "commands", commands(reading));
	}
	json_dumpf(line, stdout, JSON_COMPACT);
	putchar('\n');
	json_decref(line);
}

static bool read_file(const char *path, const parser_rules *rules, bool show_features,
		      GError **error)
{
	g_autofree char *bytes = NULL;
	gsize length;
	if (!g_file_get_contents(path, &bytes, &length, error))
		return false;

	parser_splitter splitter;
	parser_slice slice;
	g_autoptr(parser_lists) lists = parser_lists_new();
	parser_splitter_init(&splitter, bytes, length);
	while (parser_splitter_next(&splitter, &slice)) {
		g_autoptr(parser_reading) reading =
			parser_read(bytes + slice.offset, slice.length, slice.form,
				    slice.index, rules, lists, error);
		if (!reading)
			return false;
		print_reading(path, reading, rules, show_features);
	}
	return true;
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(parser_rules) rules = parser_rules_new();
	bool show_features = argc > 2 && strcmp(argv[2], "--features") == 0;

	if (argc < 3) {
		fprintf(stderr, "usage: read_mails RULES [--features] FILE...\n");
		return 2;
	}
	if (!add_rules(rules, argv[1], &error)) {
		fprintf(stderr, "read_mails: %s\n", error->message);
		return 1;
	}
	for (int i = 2 + show_features; i < argc; i++) {
		if (read_file(argv[i], rules, show_features, &error))
			continue;
		fprintf(stderr, "read_mails: %s: %s\n", argv[i], error->message);
		g_clear_error(&error);
	}
	return 0;
}
