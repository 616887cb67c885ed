/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/json.h"

#include "cli/print.h"

typedef json_t *(*convert_fn)(const void *item);

static void set_array(json_t *object, const char *field, const GPtrArray *items,
		      convert_fn convert)
{
	json_t *array = json_array();

	for (guint i = 0; i < items->len; i++)
		json_array_append_new(array, convert(g_ptr_array_index(items, i)));
	json_object_set_new(object, field, array);
}

static json_t *of_text(const void *item)
{
	g_autofree char *valid = g_utf8_make_valid(item, -1);

	return json_string(valid);
}

static json_t *of_pair(const void *item)
{
	const parser_pair *pair = item;
	json_t *object = json_object();

	print_set_text(object, "name", pair->name);
	print_set_text(object, "value", pair->value);
	return object;
}

static json_t *of_address(const parser_address *address)
{
	json_t *object = json_object();

	print_set_text(object, "name", address->name);
	print_set_text(object, "address", address->address);
	return object;
}

/* ---- regressions ---- */

const char *const json_summary_fields[] = {
	"regression", "short_id",       "status",     "kind",        "metric",
	"testcase",   "change_percent", "commit",     "subject",     "author",
	"machine",    "tree",           "branch",     "reported_at", "last_human_at",
	"last_human", "replies",        "owes",       "disputed",    "title",
	"owner",      "priority",       "backburner", "suggestions", NULL
};

static json_t *of_suggestion(const void *item)
{
	const tracker_suggestion *s = item;
	json_t *object = json_object();

	print_set_text(object, "status", s->status);
	print_set_text(object, "role", s->role);
	print_set_text(object, "author", s->author);
	print_set_text(object, "quote", s->quote);
	print_set_text(object, "message_id", s->message_id);
	print_set_time(object, "at", s->at);
	return object;
}

json_t *json_of_summary(const tracker_summary *s)
{
	json_t *object = json_object();

	print_set_text(object, "regression", s->id);
	print_set_text(object, "short_id", s->short_id);
	print_set_text(object, "status", tracker_status_name(s->status));
	print_set_text(object, "kind", parser_kind_name(s->kind));
	print_set_text(object, "metric", s->metric);
	print_set_text(object, "testcase", s->testcase);
	print_set_number(object, "change_percent", s->has_change, s->change_percent);
	print_set_text(object, "commit", s->commit);
	print_set_text(object, "subject", s->commit_subject);
	print_set_text(object, "author", s->author);
	print_set_text(object, "machine", s->machine);
	print_set_text(object, "tree", s->tree);
	print_set_text(object, "branch", s->branch);
	print_set_time(object, "reported_at", s->reported_at);
	print_set_time(object, "last_human_at", s->last_human_at);
	print_set_text(object, "last_human", s->last_human);
	json_object_set_new(object, "replies", json_integer(s->replies));
	print_set_text(object, "owes", s->owes);
	json_object_set_new(object, "disputed", json_boolean(s->disputed));
	print_set_text(object, "title", s->title);
	print_set_text(object, "owner", s->owner);
	print_set_text(object, "priority", s->priority);
	json_object_set_new(object, "backburner", json_boolean(s->backburner));
	set_array(object, "suggestions", s->suggestions, of_suggestion);
	return object;
}

/* ---- messages ---- */

const char *const json_message_fields[] = {
	"message_id", "parent", "date",       "from",        "subject",
	"class",      "role",   "regression", "link_key",    "link_confidence",
	"report",     "ghost",  "depth",      "first_words", "verdicts",
	"mechanisms", NULL
};

static json_t *of_verdict(const void *item)
{
	const parser_verdict *v = item;
	json_t *object = json_object();

	print_set_text(object, "verdict", parser_verdict_name(v->kind));
	print_set_number(object, "confidence", true, v->confidence);
	print_set_text(object, "outcome", parser_outcome_name(v->outcome));
	print_set_text(object, "evidence", v->evidence);
	print_set_text(object, "rule", v->rule);
	return object;
}

static json_t *of_mechanism(const void *item)
{
	const parser_mechanism *m = item;
	json_t *object = json_object();

	print_set_text(object, "kind", m->kind);
	print_set_text(object, "object", m->object);
	print_set_text(object, "evidence", m->evidence);
	return object;
}

json_t *json_of_message(const tracker_message *m)
{
	json_t *object = json_object();

	print_set_text(object, "message_id", m->message_id);
	print_set_text(object, "parent", m->parent_id);
	print_set_time(object, "date", m->date);
	json_object_set_new(object, "from", of_address(&m->from));
	print_set_text(object, "subject", m->subject);
	print_set_text(object, "class",
		       m->is_ghost ? NULL : parser_class_name(m->class));
	print_set_text(object, "role", m->is_ghost ? NULL : tracker_role_name(m->role));
	print_set_text(object, "regression", m->regression);
	print_set_text(object, "link_key", m->link_key);
	print_set_number(object, "link_confidence", m->link_key != NULL,
			 m->link_confidence);
	json_object_set_new(object, "report", json_boolean(m->is_report));
	json_object_set_new(object, "ghost", json_boolean(m->is_ghost));
	json_object_set_new(object, "depth", json_integer(m->depth));
	print_set_text(object, "first_words", m->first_words);
	set_array(object, "verdicts", m->verdicts, of_verdict);
	set_array(object, "mechanisms", m->mechanisms, of_mechanism);
	return object;
}

/* ---- everything about one regression ---- */

static json_t *of_finding(const void *item)
{
	const tracker_finding *f = item;
	json_t *object = json_object();

	print_set_text(object, "testcase", f->testcase);
	print_set_text(object, "metric", f->metric);
	print_set_text(object, "machine", f->machine);
	print_set_text(object, "tree", f->tree);
	print_set_text(object, "kind", parser_kind_name(f->kind));
	print_set_number(object, "change_percent", f->has_change, f->change_percent);
	print_set_number(object, "ci_low", f->has_interval, f->ci_low);
	print_set_number(object, "ci_high", f->has_interval, f->ci_high);
	print_set_number(object, "p", f->has_interval, f->p);
	print_set_text(object, "message_id", f->message_id);
	json_object_set_new(object, "counts", json_boolean(f->counts));
	set_array(object, "parameters", f->parameters, of_pair);
	return object;
}

static json_t *of_event(const void *item)
{
	const tracker_event *e = item;
	json_t *object = json_object();

	print_set_time(object, "at", e->at);
	print_set_text(object, "status", tracker_status_name(e->status));
	print_set_text(object, "actor", e->actor);
	print_set_text(object, "kind", e->kind);
	print_set_text(object, "suggested",
		       e->suggested ? tracker_status_name(e->suggested) : NULL);
	print_set_text(object, "evidence", e->evidence);
	print_set_text(object, "message_id", e->message_id);
	print_set_text(object, "rule", e->rule);
	return object;
}

static json_t *of_fix(const void *item)
{
	const tracker_fix *f = item;
	json_t *object = json_object();

	print_set_text(object, "commit", f->commit);
	print_set_text(object, "subject", f->subject);
	print_set_text(object, "tree", f->tree);
	print_set_text(object, "message_id", f->message_id);
	print_set_text(object, "state", f->state);
	print_set_time(object, "at", f->at);
	return object;
}

json_t *json_of_override(const void *item)
{
	const tracker_override *o = item;
	json_t *object = json_object();

	print_set_text(object, "message_id", o->message_id);
	print_set_text(object, "check", o->check);
	print_set_text(object, "reason", o->reason);
	return object;
}

static json_t *of_message(const void *item)
{
	return json_of_message(item);
}

static json_t *of_summary(const void *item)
{
	return json_of_summary(item);
}

json_t *json_of_detail(const tracker_detail *d)
{
	json_t *object = json_of_summary(d->summary);

	print_set_text(object, "report", d->report_id);
	set_array(object, "aliases", d->aliases, of_text);
	set_array(object, "findings", d->findings, of_finding);
	set_array(object, "messages", d->messages, of_message);
	set_array(object, "events", d->events, of_event);
	set_array(object, "fixes", d->fixes, of_fix);
	set_array(object, "trailers", d->trailers, of_pair);
	set_array(object, "overrides", d->overrides, json_of_override);
	print_set_text(object, "duplicate_of", d->duplicate_of);
	set_array(object, "duplicates", d->duplicates, of_text);
	set_array(object, "related", d->related, of_summary);
	return object;
}
