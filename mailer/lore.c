/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/lore.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "mailer/fetch_kind.h"
#include "mailer/gunzip.h"
#include "mailer/mailer.h"

#define LORE         "lore+"
#define QUERY        "?q="
#define MANIFEST_MAX (64u << 20)  /* bytes; that of lore as a whole has one */
#define THREAD_MAX   (256u << 20) /* bytes, unpacked */
#define RAW_MAX      (MAILER_MAIL_MAX + (1u << 20))
#define MBOX_MAX     (1ull << 40)

static bool is_web(const char *url)
{
	return (g_str_has_prefix(url, "http://") && url[strlen("http://")]) ||
	       (g_str_has_prefix(url, "https://") && url[strlen("https://")]);
}

static bool parse(lore *l, const char *url, GError **error)
{
	const char *web = g_str_has_prefix(url, LORE) ? url + strlen(LORE) : url;
	size_t n = strcspn(web, "?#");
	g_autofree char *base = g_strndup(web, n);
	g_autofree char *words =
		web[n] ? g_strdup(web + n + MIN(strlen(web + n), strlen(QUERY))) : NULL;

	if (!is_web(web) || strchr(base, '@') ||
	    (web[n] && !g_str_has_prefix(web + n, QUERY))) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_USAGE,
			    "expected lore+https://HOST/INBOX/[?q=WORDS], without a "
			    "user or a password");
		return false;
	}
	l->base = g_strconcat(base, g_str_has_suffix(base, "/") ? "" : "/", NULL);
	if (web[n])
		l->query = g_uri_unescape_string(g_strdelimit(words, "+", ' '), NULL);
	if (web[n] && (!l->query || !l->query[0])) {
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_USAGE,
			    "%s: a search without words", l->base);
		return false;
	}
	l->name = g_strconcat(LORE, l->base, web + n, NULL);
	return true;
}

lore *lore_open(const char *url, const mailer_fetch_options *options, GError **error)
{
	g_autoptr(lore) l = g_new0(lore, 1);

	fetch_options_copy(&l->options, options);
	if (!parse(l, url, error))
		return NULL;
	l->http = http_new(&l->options);
	return g_steal_pointer(&l);
}

void lore_close(lore *l)
{
	if (!l)
		return;
	http_free(l->http);
	http_free(l->side);
	fetch_options_clear(&l->options);
	g_free(l->base);
	g_free(l->query);
	g_free(l->name);
	g_free(l);
}

/* Asks below the inbox; errors name the URL. */
static bool ask(lore *l, const char *path, http_request *request, GError **error)
{
	g_autofree char *url = g_strconcat(l->base, path, NULL);

	request->url = url;
	/* While a search comes in, single mails need a connection of their own. */
	if (l->busy && !l->side)
		l->side = http_new(&l->options);

	bool was_busy = l->busy, done;

	l->busy = true;
	done = http_ask(was_busy ? l->side : l->http, request, error);
	l->busy = was_busy;
	if (done)
		return true;
	g_prefix_error(error, "%s: ", url);
	return false;
}

/* ---- mails --------------------------------------------------------------------- */

static bool feed_mbox(const char *bytes, size_t length, void *context, GError **error)
{
	return mboxrd_feed(context, bytes, length, error);
}

static bool take_mail(GByteArray *mail, void *context, GError **error)
{
	GBytes **taken = context;

	(void)error;
	if (!*taken && mail)
		*taken = g_bytes_new(mail->data, mail->len);
	return true;
}

GBytes *lore_message(lore *l, const char *message_id, GError **error)
{
	g_autofree char *escaped = g_uri_escape_string(message_id, NULL, false);
	g_autofree char *path = g_strconcat(escaped, "/raw", NULL);
	g_autoptr(GBytes) mail = NULL;
	g_autoptr(mboxrd) split = mboxrd_new(take_mail, &mail);
	http_request request = {
		.type = "text/plain", .max = RAW_MAX, .fn = feed_mbox, .context = split
	};

	if (!ask(l, path, &request, error) || !mboxrd_end(split, error))
		return NULL;
	if (!mail)
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT,
			    "%s%s: no mail, or one that is too large", l->base, path);
	return g_steal_pointer(&mail);
}

/* ---- gzip ---------------------------------------------------------------------- */

/* What is unpacked goes on to `fn`. */
typedef struct unpacking {
	gunzip *gunzip;
	http_fn fn;
	void *context;
	GError *error; /* of fn */
} unpacking;

static bool pass_on(const char *bytes, size_t length, void *context)
{
	unpacking *u = context;

	return u->fn(bytes, length, u->context, &u->error);
}

static bool fail_gzip(unpacking *u, const char *wrong, int code, GError **error)
{
	if (u->error)
		g_propagate_error(error, g_steal_pointer(&u->error));
	else
		g_set_error(error, MAILER_ERROR, code, "gzip data %s", wrong);
	return false;
}

static bool feed_gzip(const char *bytes, size_t length, void *context, GError **error)
{
	unpacking *u = context;
	const char *wrong = gunzip_feed(u->gunzip, bytes, length);

	return wrong ? fail_gzip(u, wrong, MAILER_ERROR_FORMAT, error) : true;
}

/* The same, unpacked on the way: `max` of the request is what may come out. */
static bool ask_packed(lore *l, const char *path, const http_request *request,
		       GError **error)
{
	unpacking u = { .fn = request->fn, .context = request->context };
	g_autoptr(gunzip) g = gunzip_new(request->max, pass_on, &u);
	http_request packed = *request;
	const char *wrong;

	u.gunzip = g;
	packed.type = "application/gzip";
	packed.fn = feed_gzip;
	packed.context = &u;
	if (!ask(l, path, &packed, error))
		return false;
	wrong = gunzip_end(g);
	if (!wrong)
		return true;
	/* Next time it may come as a whole. */
	fail_gzip(&u, wrong, MAILER_ERROR_TEMPORARY, error);
	g_prefix_error(error, "%s%s: ", l->base, path);
	return false;
}

static bool collect(const char *bytes, size_t length, void *context, GError **error)
{
	(void)error;
	g_byte_array_append(context, (const guint8 *)bytes, (guint)length);
	return true;
}

GBytes *lore_thread(lore *l, const char *message_id, GError **error)
{
	g_autofree char *escaped = g_uri_escape_string(message_id, NULL, false);
	g_autofree char *path = g_strconcat(escaped, "/t.mbox.gz", NULL);
	g_autoptr(GByteArray) mbox = g_byte_array_new();
	const http_request request = { .max = THREAD_MAX,
				       .fn = collect,
				       .context = mbox };

	if (!ask_packed(l, path, &request, error))
		return NULL;
	return g_byte_array_free_to_bytes(g_steal_pointer(&mbox));
}

/* ---- what is new ----------------------------------------------------------------- */

static int64_t newest(const json_t *manifest)
{
	int64_t modified = 0;
	const char *name;
	json_t *epoch;

	json_object_foreach((json_t *)(guintptr)manifest, name, epoch)
		modified = MAX(modified,
			       json_integer_value(json_object_get(epoch, "modified")));
	return modified;
}

bool lore_state(lore *l, char **hash, int64_t *modified, GError **error)
{
	g_autoptr(GByteArray) text = g_byte_array_new();
	const http_request request = { .max = MANIFEST_MAX,
				       .fn = collect,
				       .context = text };

	if (!ask_packed(l, "manifest.js.gz", &request, error))
		return false;

	json_t *manifest = json_loadb((const char *)text->data, text->len, 0, NULL);

	if (!json_is_object(manifest)) {
		json_decref(manifest);
		g_set_error(error, MAILER_ERROR, MAILER_ERROR_FORMAT,
			    "%smanifest.js.gz: not a JSON object", l->base);
		return false;
	}

	/* Servers write the members in any order. */
	char *sorted = json_dumps(manifest, JSON_SORT_KEYS | JSON_COMPACT);

	*modified = newest(manifest);
	*hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, sorted, -1);
	free(sorted); /* jansson's malloc() */
	json_decref(manifest);
	return true;
}

static bool ignore(const char *bytes, size_t length, void *context, GError **error)
{
	(void)bytes;
	(void)length;
	(void)context;
	(void)error;
	return true;
}

bool lore_exists(lore *l, GError **error)
{
	http_request request = { .type = "text/html",
				 .max = MANIFEST_MAX,
				 .fn = ignore };

	return ask(l, "", &request, error);
}

bool lore_search(lore *l, const char *query, mboxrd_fn fn, void *context,
		 GError **error)
{
	g_autofree char *escaped = g_uri_escape_string(query, NULL, false);
	g_autofree char *path = g_strconcat(QUERY, escaped, "&x=m", NULL);
	g_autoptr(mboxrd) split = mboxrd_new(fn, context);
	g_autoptr(GError) cause = NULL;
	const http_request request = {
		.post = true, .max = MBOX_MAX, .fn = feed_mbox, .context = split
	};

	if (ask_packed(l, path, &request, &cause))
		return mboxrd_end(split, error);
	if (g_error_matches(cause, MAILER_ERROR, MAILER_ERROR_NOT_FOUND))
		return true;
	g_propagate_error(error, g_steal_pointer(&cause));
	return false;
}
