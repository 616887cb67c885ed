/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A mail whose Message-ID is known already. */
#include "tracker/dkim.h"
#include "tracker/ingest.h"

#include <string.h>

static bool add_lists(tracker_ingest *run, int64_t known, const GPtrArray *lists,
		      GError **error)
{
	for (guint i = 0; i < lists->len; i++)
		if (!db_run(run->t,
			    "INSERT OR IGNORE INTO message_list (message, list) "
			    "VALUES (?1, ?2)",
			    DB_ARGS(DB_INT(known), DB_TEXT(lists->pdata[i])), error))
			return false;
	return true;
}

typedef struct variant {
	int64_t row, date, number;
	char *content, *words;
	bool own;
} variant;

static void variant_free(variant *v)
{
	g_free(v->content);
	g_free(v->words);
	g_free(v);
}

static GPtrArray *load_variants(tracker *t, const char *message_id, GError **error)
{
	g_autoptr(GPtrArray) all =
		g_ptr_array_new_with_free_func((GDestroyNotify)variant_free);
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    t, &rows,
		    "SELECT m.id, m.date, m.variant, m.content, w.text, m.origin = 'own' "
		    "FROM message m LEFT JOIN words w ON w.message = m.id "
		    "WHERE m.message_id = ?1 ORDER BY m.variant",
		    DB_ARGS(DB_TEXT(message_id)), error))
		return NULL;
	while (db_next(&rows, error)) {
		variant *v = g_new0(variant, 1);

		v->row = db_int(&rows, 0);
		v->date = db_int(&rows, 1);
		v->number = db_int(&rows, 2);
		v->content = db_dup(&rows, 3);
		v->words = db_dup(&rows, 4);
		v->own = db_int(&rows, 5);
		g_ptr_array_add(all, v);
	}
	return rows.failed ? NULL : g_steal_pointer(&all);
}

static char *without_blanks(const char *text)
{
	GString *out = g_string_new(NULL);

	for (const char *s = text ? text : ""; *s; s++)
		if (!g_ascii_isspace(*s))
			g_string_append_c(out, *s);
	return g_string_free(out, FALSE);
}

/* A list may have added a footer that was taken for the author's words. */
static bool is_copy(const variant *v, const arrival *a)
{
	if (v->own || !g_strcmp0(v->content, a->content))
		return true;
	if (v->date != a->reading->mail->date || !v->words)
		return false;

	g_autofree char *stored = without_blanks(v->words);
	g_autofree char *come = without_blanks(a->own_words);

	return *stored && *come && (strstr(stored, come) || strstr(come, stored));
}

static bool set_variant(tracker *t, int64_t row, int64_t number, GError **error)
{
	return db_run(t, "UPDATE message SET variant = ?2 WHERE id = ?1",
		      DB_ARGS(DB_INT(row), DB_INT(number)), error);
}

/* Threads use the earliest of the mails under an id, whichever came first. */
static bool choose_first(tracker_ingest *run, const variant *first, const arrival *a,
			 int64_t number, GError **error)
{
	int64_t date = a->reading->mail->date;
	int64_t row = g_array_index(run->fresh, int64_t, run->fresh->len - 1);

	if (first->date < date ||
	    (first->date == date && g_strcmp0(first->content, a->content) < 0))
		return true;
	refresh_message(&run->r, first->row);
	return set_variant(run->t, first->row, -1, error) &&
	       set_variant(run->t, row, 0, error) &&
	       set_variant(run->t, first->row, number, error);
}

/* The bytes of the stored mail with this id, if sender, date and form are the same. */
static bool find_twin(tracker_ingest *run, const arrival *a, const parser_scan *scan,
		      int64_t *row, GBytes **packed, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(
		    run->t, &rows,
		    "SELECT id, bytes FROM message WHERE message_id = ?1 AND variant = 0 "
		    "AND origin = 'mail' AND made_up = 0 AND address IS ?2 AND date = ?3 "
		    "AND form = ?4 AND name IS ?5",
		    DB_ARGS(DB_TEXT(scan->message_id), DB_TEXT(scan->from.address),
			    DB_INT(scan->date), DB_INT(a->place->form),
			    DB_TEXT(scan->from.name)),
		    error))
		return false;
	if (db_next(&rows, error)) {
		*row = db_int(&rows, 0);
		*packed = db_bytes(&rows, 1);
	}
	return !rows.failed;
}

static bool same_ids(const GPtrArray *a, const GPtrArray *b)
{
	for (guint i = 0; i < MIN(a->len, b->len); i++)
		if (strcmp(a->pdata[i], b->pdata[i]))
			return false;
	return a->len == b->len;
}

/* Of the same text both: whether that is about the same. */
static bool same_place(const parser_mail *a, const parser_mail *b)
{
	return !strcmp(a->subject, b->subject) &&
	       !g_strcmp0(a->regression, b->regression) &&
	       same_ids(a->in_reply_to, b->in_reply_to) &&
	       same_ids(a->references, b->references);
}

/*
 * A list brings a mail sooner than our own server does, and says nothing of who signed
 * it that could be believed.  What our server says of its copy then counts for the
 * stored one, if all that counts is the same in both: else one's words would get the
 * other's proof.  *may: there could be such news in this copy.
 */
static bool may_prove(tracker_ingest *run, int64_t row, const arrival *a, bool *may,
		      GError **error)
{
	int64_t unproved = 0;

	*may = false;
	if (!a->place->delivered || !run->t->trusted_hosts ||
	    !run->t->trusted_hosts->len)
		return true;
	if (!db_get_int(run->t,
			"SELECT 1 FROM message WHERE id = ?1 AND signed_by IS NULL",
			DB_ARGS(DB_INT(row)), &unproved, error))
		return false;
	*may = unproved;
	return true;
}

static bool set_passes(tracker_ingest *run, int64_t row, const parser_mail *come,
		       GError **error)
{
	g_autofree char *passes = dkim_passes(come->authentication);

	if (!passes)
		return true;
	refresh_message(&run->r, row);
	return report_changed(&run->r, row, error) &&
	       db_run(run->t, "UPDATE message SET signed_by = ?2 WHERE id = ?1",
		      DB_ARGS(DB_INT(row), DB_TEXT(passes)), error);
}

/* Of a mail with the text, sender and form of the stored one. */
static bool note_of_twin(tracker_ingest *run, int64_t row, const arrival *a,
			 GBytes *stored, GError **error)
{
	gsize length;
	const char *bytes = g_bytes_get_data(stored, &length);
	bool may;

	if (!may_prove(run, row, a, &may, error))
		return false;
	if (!may)
		return true;

	g_autoptr(parser_mail) come = parser_mail_parse(
		a->bytes, a->length, a->place->form, a->place->index, NULL);
	g_autoptr(parser_mail) first =
		parser_mail_parse(bytes, length, a->place->form, a->place->index, NULL);

	return !come || !first || !same_place(come, first) ||
	       set_passes(run, row, come, error);
}

/* The stored mail, read anew as what it came as; *reading NULL if it is not kept. */
static bool read_stored(tracker_ingest *run, int64_t row, parser_reading **reading,
			GError **error)
{
	g_auto(db_rows) rows = { 0 };

	*reading = NULL;
	if (!db_query(run->t, &rows,
		      "SELECT bytes, form, number FROM message WHERE id = ?1",
		      DB_ARGS(DB_INT(row)), error))
		return false;
	if (!db_next(&rows, error))
		return !rows.failed;

	g_autoptr(GBytes) packed = db_bytes(&rows, 0);
	g_autoptr(GBytes) bytes = packed ? db_unpack(g_bytes_get_data(packed, NULL),
						     g_bytes_get_size(packed)) :
					   NULL;
	gsize length = 0;
	const char *start = bytes ? g_bytes_get_data(bytes, &length) : NULL;

	if (start)
		*reading = parser_read(start, length, (parser_form)db_int(&rows, 1),
				       (unsigned)db_int(&rows, 2), run->rules,
				       run->lists, NULL);
	return true;
}

/* Whether a mail gives just the commands that are stored of another. */
static bool same_commands(tracker *t, int64_t row, const GPtrArray *commands,
			  bool *same, GError **error)
{
	g_auto(db_rows) rows = { 0 };
	guint n = 0;

	*same = true;
	if (!db_query(t, &rows,
		      "SELECT prefix, verb, arguments FROM command WHERE message = ?1 "
		      "ORDER BY position",
		      DB_ARGS(DB_INT(row)), error))
		return false;
	for (; db_next(&rows, error); n++) {
		const parser_command *c = n < commands->len ? commands->pdata[n] : NULL;

		*same &= c && !g_strcmp0(c->prefix, db_text(&rows, 0)) &&
			 !g_strcmp0(c->verb, db_text(&rows, 1)) &&
			 !g_strcmp0(c->arguments, db_text(&rows, 2));
	}
	*same &= n == commands->len;
	return !rows.failed;
}

/* What more than commands gets weight from who vouches for it. */
static bool is_plain(const parser_reading *reading)
{
	return reading->mail->class == PARSER_CLASS_HUMAN && !reading->report &&
	       !reading->notices->len;
}

static bool same_text(const parser_mail *a, const parser_mail *b)
{
	g_autofree char *x = without_blanks(a->text);
	g_autofree char *y = without_blanks(b->text);

	return !strcmp(x, y);
}

/* Of another copy of the stored mail: in another form, or with a footer in one. */
static bool note_of_copy(tracker_ingest *run, int64_t row, const arrival *a,
			 GError **error)
{
	g_autoptr(parser_reading) stored = NULL;
	const parser_mail *come = a->reading->mail;
	bool may, same;

	if (!may_prove(run, row, a, &may, error) ||
	    (may && !read_stored(run, row, &stored, error)))
		return false;

	const parser_mail *first = stored ? stored->mail : NULL;

	if (!first || !same_place(come, first) ||
	    g_strcmp0(come->from.name, first->from.name) ||
	    !same_person(NULL, come->from.address, NULL, first->from.address))
		return true;
	same = same_text(come, first);
	if (!same && is_plain(a->reading) && is_plain(stored) &&
	    !same_commands(run->t, row, a->reading->commands, &same, error))
		return false;
	return !same || set_passes(run, row, come, error);
}

bool copy_seen(tracker_ingest *run, const arrival *a, const parser_scan *scan,
	       bool *seen, GError **error)
{
	g_autoptr(GBytes) packed = NULL, stored = NULL;
	int64_t row = 0;
	gsize length;

	*seen = false;
	if (!find_twin(run, a, scan, &row, &packed, error))
		return false;
	if (packed)
		stored = db_unpack(g_bytes_get_data(packed, NULL),
				   g_bytes_get_size(packed));
	if (!stored)
		return true;

	const char *bytes = g_bytes_get_data(stored, &length);

	*seen = parser_same_text(bytes, length, a->bytes, a->length);
	if (!*seen)
		return true;
	run->counts.duplicates++;
	return add_lists(run, row, scan->lists, error) &&
	       note_of_twin(run, row, a, stored, error) &&
	       report_came_again(&run->r, row, scan->date, scan->received, error) &&
	       outbox_returned(&run->r, row, error);
}

/*
 * Whether a mail says what ours says: a Message-ID of ours proves nothing, for it can
 * be known or guessed before the mail has left.  A list may add a footer.
 */
static bool says_ours(tracker *t, int64_t message, const arrival *a, bool *says,
		      GError **error)
{
	g_auto(db_rows) rows = { 0 };

	*says = false;
	if (!db_query(t, &rows,
		      "SELECT quoted_printable FROM outbox WHERE message = ?1",
		      DB_ARGS(DB_INT(message)), error))
		return false;
	if (!db_next(&rows, error))
		return !rows.failed;

	g_autoptr(GBytes) bytes = outbox_unpack(&rows, 0);
	gsize length = 0;
	const char *start = bytes ? g_bytes_get_data(bytes, &length) : NULL;
	g_autoptr(parser_mail) mail =
		start ? parser_mail_parse(start, length, PARSER_FORM_MAIL, 0, NULL) :
			NULL;

	if (mail) {
		g_autofree char *ours = without_blanks(mail->text);
		g_autofree char *come = without_blanks(a->reading->mail->text);

		*says = g_str_has_prefix(come, ours);
	}
	return true;
}

bool copy_store(tracker_ingest *run, int64_t known, arrival *a, GError **error)
{
	g_autoptr(GPtrArray) all = load_variants(run->t, a->message_id, error);

	if (!all)
		return false;
	for (guint i = 0; i < all->len; i++) {
		const variant *v = all->pdata[i];

		if (!is_copy(v, a))
			continue;
		bool ours = true;

		run->counts.duplicates++;
		if (v->own && !says_ours(run->t, v->row, a, &ours, error))
			return false;
		return !ours ||
		       (add_lists(run, v->row, a->reading->mail->lists, error) &&
			(v->own || note_of_copy(run, v->row, a, error)) &&
			report_came_again(&run->r, v->row, a->reading->mail->date,
					  a->reading->mail->received, error) &&
			outbox_returned(&run->r, known, error));
	}
	a->variant = ((variant *)all->pdata[all->len - 1])->number + 1;
	return arrival_store(run, a, error) &&
	       choose_first(run, all->pdata[0], a, a->variant, error);
}
