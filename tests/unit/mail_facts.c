/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/mail_facts.h"

#include <string.h>

#include "templates/templates.h"
#include "tests/unit/test.h"

const char *mail_facts_text(const char *name, void *context)
{
	const templates_file *file = templates_find(name);

	(void)context;
	return file ? file->text : NULL;
}

static parser_lists *read_lists(void)
{
	parser_lists *lists = parser_lists_new();

	for (const templates_file *f = templates_files; f->name; f++) {
		g_autofree char *base = g_path_get_basename(f->name);
		g_autoptr(GError) error = NULL;

		if (!g_str_has_prefix(f->name, "metrics/"))
			continue;
		base[strcspn(base, ".")] = '\0';
		if (!parser_lists_add(lists, base, f->text, f->length, &error))
			fail_msg("%s", error->message);
	}
	return lists;
}

const parser_lists *mail_facts_lists(void)
{
	static parser_lists *lists;

	if (!lists)
		lists = read_lists();
	return lists;
}

static const char *text_of(const json_t *o, const char *name)
{
	return json_string_value(json_object_get(o, name));
}

/*
 * "metric" names the headline of all comparisons; with "all" it is the first failure or
 * metric of each.
 */
static const char *headline_asked(const mail_facts *f, const json_t *comparison)
{
	const json_t *failures = json_object_get(comparison, "failures");
	const json_t *metrics = json_object_get(comparison, "metrics");

	if (!json_is_true(json_object_get(f->json, "all")))
		return text_of(f->json, "metric");
	if (json_is_true(json_object_get(f->json, "fails")) &&
	    comparison == json_object_get(f->json, "comparison"))
		return text_of(json_array_get(failures, 0), "name");
	return text_of(json_array_get(metrics, 0), "name");
}

static render_comparison *read_comparison(mail_facts *f, const char *name,
					  const json_t *value)
{
	g_autofree char *text = json_dumps(value, 0);
	const render_options options = {
		.short_commits = true,
		.compat_lkp = json_is_true(json_object_get(f->json, "compat")),
		.all = json_is_true(json_object_get(f->json, "all")),
		.metric = headline_asked(f, value),
		.culprit = text_of(f->json, "culprit"),
	};
	g_autoptr(GError) error = NULL;
	parser_comparison *source =
		parser_comparison_from_json(text, strlen(text), name, &error);
	render_comparison *c;

	if (!source)
		fail_msg("%s: %s", name, error->message);
	g_ptr_array_add(f->sources, source);
	c = render_compare(source, f->lists, &options, &error);
	if (!c)
		fail_msg("%s: %s", name, error->message);
	g_ptr_array_add(f->comparisons, c);
	return c;
}

static GPtrArray *new_array(mail_facts *f, GDestroyNotify free_member)
{
	GPtrArray *array = g_ptr_array_new_with_free_func(free_member);

	g_ptr_array_add(f->arrays, array);
	return array;
}

static GPtrArray *read_further(mail_facts *f, const char *name)
{
	GPtrArray *all = new_array(f, NULL);
	size_t i;
	json_t *value;

	json_array_foreach(json_object_get(f->json, name), i, value)
		g_ptr_array_add(all, read_comparison(f, name, value));
	return all;
}

static GPtrArray *read_strings(mail_facts *f, const char *name)
{
	GPtrArray *all = new_array(f, NULL);
	size_t i;
	json_t *value;

	json_array_foreach(json_object_get(f->json, name), i, value)
		g_ptr_array_add(all, (gpointer)json_string_value(value));
	return all;
}

static GPtrArray *read_addresses(mail_facts *f, const char *name)
{
	GPtrArray *all = new_array(f, (GDestroyNotify)parser_address_free);
	g_autoptr(GError) error = NULL;
	size_t i;
	json_t *value;

	json_array_foreach(json_object_get(f->json, name), i, value)
		if (!render_addresses_read(json_string_value(value), all, &error))
			fail_msg("%s", error->message);
	return all;
}

static GPtrArray *read_pairs(mail_facts *f, const char *name)
{
	GPtrArray *all = new_array(f, (GDestroyNotify)parser_pair_free);
	const char *key;
	json_t *value;

	json_object_foreach(json_object_get(f->json, name), key, value)
		g_ptr_array_add(all, parser_pair_new(key, json_string_value(value)));
	return all;
}

static GPtrArray *read_attachments(mail_facts *f)
{
	GPtrArray *all = new_array(f, (GDestroyNotify)render_attachment_free);
	const char *key;
	json_t *value;

	json_object_foreach(json_object_get(f->json, "attachments"), key, value) {
		g_autoptr(GBytes) bytes =
			json_is_string(value) ? g_bytes_new(json_string_value(value),
							    json_string_length(value)) :
						NULL;

		g_ptr_array_add(all, render_attachment_new(key, "text/plain", bytes));
	}
	return all;
}

static render_mail_kind mail_kind_of(const char *name)
{
	for (int k = RENDER_MAIL_REPORT; name && k <= RENDER_MAIL_DIGEST; k++)
		if (strcmp(name, render_mail_kind_name((render_mail_kind)k)) == 0)
			return (render_mail_kind)k;
	return RENDER_MAIL_REPORT;
}

static void read_settings(render_facts *facts, const json_t *o)
{
	const char *kind = text_of(o, "kind");

	facts->kind = kind ? parser_kind_from_name(kind) : PARSER_KIND_UNKNOWN;
	facts->mail_kind = mail_kind_of(text_of(o, "mail"));
	facts->style = text_of(o, "style");
	facts->created = json_integer_value(json_object_get(o, "created"));
	facts->utc_offset = (int)json_integer_value(json_object_get(o, "utc_offset"));
	facts->revision = (unsigned)json_integer_value(json_object_get(o, "revision"));
	facts->archive_url = text_of(o, "archive_url");
	facts->materials_url = text_of(o, "materials_url");
	facts->first_report = text_of(o, "first_report");
	facts->first_subject = text_of(o, "first_subject");
	facts->regression = text_of(o, "regression");
	facts->note = text_of(o, "note");
	facts->reproduce = text_of(o, "reproduce");
	facts->signature = text_of(o, "signature");
	facts->test_description = text_of(o, "test_description");
	facts->test_url = text_of(o, "test_url");
	facts->regzbot = json_is_true(json_object_get(o, "regzbot"));
	facts->own_subject = json_is_true(json_object_get(o, "own_subject"));
	facts->plots = json_is_true(json_object_get(o, "plots"));
	facts->max_size = (size_t)json_integer_value(json_object_get(o, "max_size"));
}

static void read_seen(mail_facts *f)
{
	const json_t *o = json_object_get(f->json, "seen");

	if (!o)
		return;
	f->seen = (render_seen){
		.commit = text_of(o, "commit"),
		.subject = text_of(o, "subject"),
		.metric = text_of(o, "metric"),
		.kind = PARSER_KIND_REGRESSION,
		.has_change = json_is_number(json_object_get(o, "change")),
		.change_percent = json_number_value(json_object_get(o, "change")),
		.object = text_of(o, "object"),
		.status = text_of(o, "status"),
		.words = text_of(o, "words"),
		.by = text_of(o, "by"),
		.message_id = text_of(o, "message_id"),
	};
	f->facts.seen = &f->seen;
}

mail_facts *mail_facts_read(const char *name, const char *json)
{
	mail_facts *f = g_new0(mail_facts, 1);
	json_error_t where;
	GPtrArray *from;

	f->json = json_loads(json, JSON_REJECT_DUPLICATES, &where);
	if (!f->json)
		fail_msg("%s:%d: %s", name, where.line, where.text);
	f->lists = mail_facts_lists();
	f->sources =
		g_ptr_array_new_with_free_func((GDestroyNotify)parser_comparison_free);
	f->comparisons =
		g_ptr_array_new_with_free_func((GDestroyNotify)render_comparison_free);
	f->arrays = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	read_settings(&f->facts, f->json);
	f->facts.comparison =
		read_comparison(f, name, json_object_get(f->json, "comparison"));
	/* In the order of the mail's tables. */
	f->facts.machines = read_further(f, "machines");
	f->facts.also = read_further(f, "also");
	f->facts.references = read_strings(f, "references");
	f->facts.to = read_addresses(f, "to");
	f->facts.cc = read_addresses(f, "cc");
	f->facts.still_failing = read_pairs(f, "still_failing");
	f->facts.attachments = read_attachments(f);
	read_seen(f);
	from = read_addresses(f, "from");
	if (from->len > 0)
		f->facts.from = *(parser_address *)g_ptr_array_index(from, 0);
	return f;
}

void mail_facts_free(mail_facts *f)
{
	if (!f)
		return;
	g_ptr_array_unref(f->comparisons);
	g_ptr_array_unref(f->sources);
	g_ptr_array_unref(f->arrays);
	json_decref(f->json);
	g_free(f);
}
