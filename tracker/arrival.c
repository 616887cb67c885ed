/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One mail, read to the end, and its rows. */
#include <string.h>

#include "tracker/dkim.h"
#include "tracker/ingest.h"
#include "tracker/link.h"

#define WORDS_MAX (64u << 10) /* of the author's own words, for search */
#define LINE_MAX_ 200u        /* of the line that stands for the mail */

void arrival_clear(arrival *a)
{
	g_clear_pointer(&a->reading, parser_reading_free);
	g_clear_pointer(&a->bounce, parser_bounce_free);
	g_clear_pointer(&a->message_id, g_free);
	g_clear_pointer(&a->content, g_free);
	g_clear_pointer(&a->own_words, g_free);
	g_clear_pointer(&a->parent, g_free);
}

static char *own_words(const parser_mail *mail)
{
	GString *words = g_string_new(NULL);

	for (guint i = 0; i < mail->spans->len && words->len < WORDS_MAX; i++) {
		const parser_span *span = &g_array_index(mail->spans, parser_span, i);

		if (span->kind == PARSER_SPAN_OWN)
			g_string_append_len(words, mail->text + span->start,
					    (gssize)MIN(span->end - span->start,
							WORDS_MAX - words->len));
	}
	/* The cut may have gone through a character. */
	char *valid = g_utf8_make_valid(words->str, (gssize)words->len);

	g_string_free(words, TRUE);
	return valid;
}

static void add_words(GChecksum *sum, const char *p, const char *end)
{
	while (p < end) {
		const char *word = p;

		while (p < end && !g_ascii_isspace(*p))
			p++;
		g_checksum_update(sum, (const guchar *)word, p - word);
		while (p < end && g_ascii_isspace(*p))
			p++;
	}
}

/* Copies of a mail differ in headers, line ends and footers, not in this. */
static char *content_of(const parser_mail *mail)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	g_autofree char *head =
		g_strdup_printf("%s\n%" G_GINT64_FORMAT "\n",
				mail->from.address ? mail->from.address :
				mail->from.name    ? mail->from.name :
						     "",
				mail->date);
	g_autofree char *low = g_ascii_strdown(head, -1);

	g_checksum_update(sum, (const guchar *)low, -1);
	for (guint i = 0; i < mail->spans->len; i++) {
		const parser_span *span = &g_array_index(mail->spans, parser_span, i);

		if (span->kind == PARSER_SPAN_OWN)
			add_words(sum, mail->text + span->start,
				  mail->text + span->end);
	}
	return g_strdup(g_checksum_get_string(sum));
}

/* A path says itself where it is; a UID or a blob does not. */
static char *refusal(const tracker_place *place, const char *why)
{
	bool is_path = strcmp(place->source, "file") == 0;
	bool is_part = place->offset > 0 || place->index > 0 ||
		       place->form == PARSER_FORM_MBOX;
	g_autofree char *part =
		is_part ? g_strdup_printf(", message %u at byte %" G_GINT64_FORMAT,
					  place->index + 1, place->offset) :
			  g_strdup("");

	return g_strdup_printf("%s%s%s%s: %s", is_path ? "" : place->source,
			       is_path ? "" : " ", place->name, part, why);
}

static void note_refusal(tracker_ingest *run, const tracker_place *place,
			 const char *why)
{
	if (!run->refusals)
		run->refusals = g_ptr_array_new_with_free_func(g_free);
	if (run->refusals->len < TRACKER_REFUSALS_MAX)
		g_ptr_array_add(run->refusals, refusal(place, why));
}

const GPtrArray *tracker_ingest_refusals(const tracker_ingest *run)
{
	static GPtrArray none;

	return run->refusals ? run->refusals : &none;
}

bool arrival_refuse(tracker_ingest *run, const arrival *a, const char *why,
		    GError **error)
{
	run->counts.refused++;
	note_refusal(run, a->place, why);
	return db_run(run->t,
		      "INSERT OR REPLACE INTO refused (place, at, number, reason) "
		      "VALUES (?1, ?2, ?3, ?4)",
		      DB_ARGS(DB_INT(a->place_row), DB_INT(a->place->offset),
			      DB_INT(a->place->index), DB_TEXT(why)),
		      error);
}

/* A mail without Message-ID gets one that the same mail gets again. */
static char *make_up_id(const arrival *a)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	const parser_mail *mail = a->reading->mail;

	g_checksum_update(sum, (const guchar *)a->content, -1);
	g_checksum_update(sum, (const guchar *)mail->subject, -1);
	g_checksum_update(sum, (const guchar *)mail->text, (gssize)mail->text_length);
	return g_strdup_printf("%.32s@content.regtrail.invalid",
			       g_checksum_get_string(sum));
}

/* Messages of one archive text: each may answer one above it. */
static void note_archive(tracker_ingest *run, arrival *a)
{
	const parser_mail *mail = a->reading->mail;

	if (a->place->form != PARSER_FORM_ARCHIVE)
		return;
	if (mail->archive_parent >= 0)
		a->parent = g_strdup(g_hash_table_lookup(
			run->archive, GINT_TO_POINTER(mail->archive_parent)));
	g_hash_table_insert(run->archive, GUINT_TO_POINTER(a->place->index),
			    g_strdup(a->message_id));
}

/* A delivery report answers the mail that it is about, whatever its header says. */
static void read_bounce(arrival *a)
{
	parser_mail *mail = a->reading->mail;

	if (mail->class != PARSER_CLASS_BOUNCE)
		return;
	a->bounce = parser_bounce_read(mail, a->bytes, a->length);
	if (a->bounce && !mail->in_reply_to->len)
		g_ptr_array_add(mail->in_reply_to, g_strdup(a->bounce->message_id));
}

bool arrival_read(tracker_ingest *run, arrival *a, bool *refused, GError **error)
{
	g_autoptr(GError) why = NULL;

	a->reading = parser_read(a->bytes, a->length, a->place->form, a->place->index,
				 run->rules, run->lists, &why);
	*refused = !a->reading;
	if (!a->reading)
		return arrival_refuse(run, a, why->message, error);

	const parser_mail *mail = a->reading->mail;

	a->content = content_of(mail);
	a->own_words = own_words(mail);
	a->made_up = !mail->message_id;
	a->message_id = mail->message_id ? g_strdup(mail->message_id) : make_up_id(a);
	note_archive(run, a);
	read_bounce(a);
	return true;
}

/* ---- rows
 * ------------------------------------------------------------------------------ */

static bool is_greeting(const char *line)
{
	static const char *const words[] = { "hi", "hello", "hey", "dear", "greeting" };
	g_autofree char *low = g_ascii_strdown(line, -1);

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (g_str_has_prefix(low, words[i]) && strlen(low) < 40)
			return true;
	return false;
}

/* The line that stands for a mail in a thread: the first that says something. */
static char *first_words(const arrival *a)
{
	g_auto(GStrv) lines = g_strsplit(a->own_words, "\n", 200);

	for (char **line = lines; *line; line++) {
		g_strstrip(*line);
		if (strchr(*line, ' ') && !is_greeting(*line)) {
			const char *end;

			g_utf8_validate(*line, MIN(strlen(*line), LINE_MAX_), &end);
			return g_strndup(*line, (gsize)(end - *line));
		}
	}
	return NULL;
}

/* The row that the mail goes to: that of its ghost, or a new one. */
static bool make_row(tracker *t, const arrival *a, int64_t *row, GError **error)
{
	if (!a->variant)
		return message_or_ghost(t, a->message_id, row, error);
	if (!db_run(t,
		    "INSERT INTO message (message_id, variant, origin, class) "
		    "VALUES (?1, ?2, 'ghost', 'human')",
		    DB_ARGS(DB_TEXT(a->message_id), DB_INT(a->variant)), error))
		return false;
	*row = db_id(t);
	return true;
}

static bool write_message(tracker_ingest *run, const arrival *a, int64_t *row,
			  GError **error)
{
	const parser_mail *mail = a->reading->mail;
	g_autoptr(GBytes) packed = db_pack(a->bytes, a->length);
	g_autofree char *line = first_words(a);
	g_autofree char *passes =
		a->place->delivered ? dkim_passes(mail->authentication) : NULL;

	if (!make_row(run->t, a, row, error))
		return false;
	return db_run(
		run->t,
		"UPDATE message SET made_up = ?2, origin = 'mail', content = ?3, "
		"name = ?4, address = ?5, date = ?6, arrived = ?7, subject = ?8, "
		"class = ?9, regression = ?10, first_words = ?11, place = ?12, "
		"at = ?13, length = ?14, form = ?15, number = ?16, bytes = ?17, "
		"signed_by = ?18 "
		"WHERE id = ?1",
		DB_ARGS(DB_INT(*row), DB_INT(a->made_up), DB_TEXT(a->content),
			DB_TEXT(mail->from.name), DB_TEXT(mail->from.address),
			DB_INT(mail->date), DB_INT(run->now), DB_TEXT(mail->subject),
			DB_TEXT(parser_class_name(mail->class)),
			DB_TEXT(mail->regression), DB_TEXT(line), DB_INT(a->place_row),
			DB_INT(a->place->offset), DB_INT(a->place->length),
			DB_INT(a->place->form), DB_INT(a->place->index),
			DB_BLOB(g_bytes_get_data(packed, NULL),
				g_bytes_get_size(packed)),
			DB_TEXT(passes)),
		error);
}

static bool write_ids(tracker *t, int64_t row, const char *kind, const GPtrArray *ids,
		      GError **error)
{
	for (guint i = 0; i < ids->len; i++)
		if (!reference_insert(t, row, kind, (int)i, ids->pdata[i], error))
			return false;
	return true;
}

/* True if a link's id stands in the author's own words, not only in what he quotes. */
static bool in_own_words(const arrival *a, const char *id)
{
	g_autofree char *escaped = g_uri_escape_string(id, "@", FALSE);

	return strstr(a->own_words, id) || strstr(a->own_words, escaped);
}

/* Ids that the author points to; those of trailers have negative positions. */
static bool write_links(tracker *t, int64_t row, const arrival *a, GError **error)
{
	const GPtrArray *trailers = a->reading->trailers;
	g_autoptr(GHashTable) done =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < trailers->len; i++) {
		const parser_pair *pair = trailers->pdata[i];
		char *id = NULL;

		if (!g_ascii_strcasecmp(pair->name, "Closes") ||
		    !g_ascii_strcasecmp(pair->name, "Link") ||
		    !g_ascii_strcasecmp(pair->name, "Reported-by"))
			id = parser_url_message_id(pair->value, strlen(pair->value));
		if (id && g_hash_table_add(done, id) &&
		    !reference_insert(t, row, "link", -1 - (int)i, id, error))
			return false;
	}
	for (guint i = 0; i < a->reading->links->len; i++) {
		const char *id = a->reading->links->pdata[i];

		if (!g_hash_table_contains(done, id) && in_own_words(a, id) &&
		    !reference_insert(t, row, "link", (int)i, id, error))
			return false;
	}
	return true;
}

static bool write_references(tracker *t, int64_t row, const arrival *a, GError **error)
{
	const parser_mail *mail = a->reading->mail;

	return write_ids(t, row, "in-reply-to", mail->in_reply_to, error) &&
	       write_ids(t, row, "references", mail->references, error) &&
	       (!a->parent ||
		reference_insert(t, row, "in-reply-to", (int)mail->in_reply_to->len,
				 a->parent, error)) &&
	       write_links(t, row, a, error);
}

static bool write_lists(tracker *t, int64_t row, const GPtrArray *lists, GError **error)
{
	for (guint i = 0; i < lists->len; i++)
		if (!db_run(t,
			    "INSERT OR IGNORE INTO message_list (message, list) "
			    "VALUES (?1, ?2)",
			    DB_ARGS(DB_INT(row), DB_TEXT(lists->pdata[i])), error))
			return false;
	return true;
}

static bool write_verdicts(tracker_ingest *run, int64_t row,
			   const parser_reading *reading, GError **error)
{
	for (guint i = 0; i < reading->verdicts->len; i++) {
		const parser_verdict *v = reading->verdicts->pdata[i];

		if (!v->evidence || !*v->evidence)
			continue;
		run->counts.verdicts++;
		if (!db_run(run->t,
			    "INSERT INTO verdict (message, position, verdict, confidence, "
			    "outcome, evidence, at, rule) "
			    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
			    DB_ARGS(DB_INT(row), DB_INT(i),
				    DB_TEXT(parser_verdict_name(v->kind)),
				    DB_REAL(CLAMP(v->confidence, 0, 1)),
				    DB_TEXT(parser_outcome_name(v->outcome)),
				    DB_TEXT(v->evidence), DB_INT((int64_t)v->offset),
				    DB_TEXT(v->rule ? v->rule : "")),
			    error))
			return false;
	}
	return true;
}

static bool write_mechanisms(tracker *t, int64_t row, const GPtrArray *mechanisms,
			     GError **error)
{
	for (guint i = 0; i < mechanisms->len; i++) {
		const parser_mechanism *m = mechanisms->pdata[i];

		if (m->evidence && *m->evidence &&
		    !db_run(t,
			    "INSERT INTO mechanism (message, position, kind, object, "
			    "evidence, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
			    DB_ARGS(DB_INT(row), DB_INT(i), DB_TEXT(m->kind),
				    DB_TEXT(m->object), DB_TEXT(m->evidence),
				    DB_INT((int64_t)m->offset)),
			    error))
			return false;
	}
	return true;
}

bool arrival_stop(tracker_ingest *run, const parser_reading *reading, GError **error)
{
	const char *address = reading->mail->from.address;
	bool stop = false;

	for (guint i = 0; i < reading->commands->len; i++) {
		const parser_command *c = reading->commands->pdata[i];

		stop |= c->known && !c->problem && c->known->act == PARSER_ACT_STOP;
	}
	return !stop || !address || reading->mail->class != PARSER_CLASS_HUMAN ||
	       reminder_stop(run->t, address, run->now, error);
}

static bool write_commands(tracker *t, int64_t row, const parser_reading *reading,
			   GError **error)
{
	for (guint i = 0; i < reading->commands->len; i++) {
		const parser_command *c = reading->commands->pdata[i];

		if (!db_run(t,
			    "INSERT INTO command (message, position, prefix, verb, arguments, "
			    "line, problem) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
			    DB_ARGS(DB_INT(row), DB_INT(i), DB_TEXT(c->prefix),
				    DB_TEXT(c->verb), DB_TEXT(c->arguments),
				    DB_INT(c->line), DB_TEXT(c->problem)),
			    error))
			return false;
	}
	for (guint i = 0; i < reading->trailers->len; i++) {
		const parser_pair *pair = reading->trailers->pdata[i];

		if (!db_run(t,
			    "INSERT INTO trailer (message, position, name, value) "
			    "VALUES (?1, ?2, ?3, ?4)",
			    DB_ARGS(DB_INT(row), DB_INT(i), DB_TEXT(pair->name),
				    DB_TEXT(pair->value)),
			    error))
			return false;
	}
	return true;
}

/* Reports are found by their facts; explanations and replies by their words. */
static bool write_words(tracker *t, int64_t row, const arrival *a, GError **error)
{
	if (a->reading->report || !*a->own_words)
		return true;
	return db_run(t, "INSERT INTO words (message, text) VALUES (?1, ?2)",
		      DB_ARGS(DB_INT(row), DB_TEXT(a->own_words)), error);
}

/* What was a ghost now has content: who named it may be linked, and who quoted it may
 * be grouped, in another way. */
static bool refresh_around(tracker_ingest *run, int64_t row, const char *id,
			   GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!link_arrived(&run->r, row, error) ||
	    !db_query(run->t, &rows,
		      "SELECT DISTINCT culprit FROM report WHERE message = ?1",
		      DB_ARGS(DB_INT(row)), error))
		return false;
	while (db_next(&rows, error))
		refresh_culprit(&run->r, db_text(&rows, 0));
	refresh_message(&run->r, row);
	return !rows.failed && db_run(run->t, "DELETE FROM stray WHERE hash = ?1",
				      DB_ARGS(DB_INT(db_hash(run->t, id))), error);
}

bool arrival_store(tracker_ingest *run, arrival *a, GError **error)
{
	tracker *t = run->t;
	const parser_reading *reading = a->reading;
	int64_t row;

	if (!write_message(run, a, &row, error) ||
	    !write_references(t, row, a, error) ||
	    !write_lists(t, row, reading->mail->lists, error) ||
	    !write_verdicts(run, row, reading, error) ||
	    !write_mechanisms(t, row, reading->mechanisms, error) ||
	    !write_commands(t, row, reading, error) ||
	    !patches_insert(t, row, reading->patches, error) ||
	    !notices_insert(t, row, reading->notices, error) ||
	    !arrival_stop(run, reading, error) || !write_words(t, row, a, error) ||
	    !arrival_reports(run, a, row, error) ||
	    !refresh_around(run, row, a->message_id, error))
		return false;
	if (reading->report)
		run->counts.reports++;
	else
		run->counts.replies++;
	g_array_append_val(run->fresh, row);
	return true;
}
