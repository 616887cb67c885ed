/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * emit_mails DIRECTORY COUNT: writes random mails in both transfer encodings,
 * N.8bit.eml and N.qp.eml, and what a reader must find in them, N.json.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/mail_facts.h"
#include "tests/unit/random_facts.h"
#include "tests/unit/test.h"

static const char *const names[] = {
	"Doe, Jane",
	"J\xc3\xb6rg \"JM\" M\xc3\xbcller",
	"back\\slash",
	"\xe6\xb8\xac\xe8\xa9\xa6 \xe6\xa9\x9f\xe5\x99\xa8 \xe4\xba\xba\xe3\x81\x95\xe3\x82\x93 "
	"\xe3\x81\x8c\xe5\x87\xba\xe3\x81\x97\xe3\x81\x9f\xe5\xa0\xb1\xe5\x91\x8a\xe6\x9b\xb8",
	"(parens) [brackets]; <angle>",
	"=?utf-8?Q?not_encoded?=",
	"A. Person with a name that is so long that no header line can hold it together "
	"with what follows",
	NULL,
};
static const char *const files[] = {
	"job.yaml",
	"config x86",
	"gr\xc3\xb6\xc3\x9f"
	"e.txt",
	"\xe6\xb8\xac\xe8\xa9\xa6.txt",
	"semi;colon=\"quote\".txt",
	"a-very-long-name-of-a-file-that-does-not-fit-into-one-line-of-a-header-at-all.txt",
};

static void die(const GError *error)
{
	fprintf(stderr, "emit_mails: %s\n", error->message);
	exit(1);
}

static void write_file(const char *dir, unsigned n, const char *suffix,
		       const char *bytes, gsize length)
{
	g_autofree char *path = g_strdup_printf("%s/%u.%s", dir, n, suffix);
	g_autoptr(GError) error = NULL;

	if (!g_file_set_contents(path, bytes, (gssize)length, &error))
		die(error);
}

static void add_people(render_mail *mail, unsigned n)
{
	for (unsigned i = 0; i < n % 7; i++) {
		g_autofree char *address = g_strdup_printf("p%u@example.org", n + i);

		g_ptr_array_add(i % 2 ? mail->to : mail->cc,
				parser_address_new(names[(n + i) % G_N_ELEMENTS(names)],
						   address));
	}
}

static void add_files(render_mail *mail, unsigned n)
{
	for (unsigned i = 0; i < n % 3; i++) {
		g_autofree char *text =
			g_strdup_printf("file %u \xc2\xb1 =20 \n.\n\n%s", i,
					n % 5 ? "end\n" : "no line end");
		g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));

		g_ptr_array_add(mail->attachments,
				render_attachment_new(
					files[(n + i) % G_N_ELEMENTS(files)],
					n % 2 ? "text/plain" : "application/x-yaml",
					bytes));
	}
}

static json_t *people(const GPtrArray *all)
{
	json_t *out = json_array();

	for (guint i = 0; i < all->len; i++) {
		const parser_address *a = g_ptr_array_index(all, i);

		json_array_append_new(
			out, json_pack("[s,s]", a->name ? a->name : "", a->address));
	}
	return out;
}

static json_t *expected(const render_mail *mail)
{
	json_t *attached = json_array();
	json_t *references = json_array();

	for (guint i = 0; i < mail->attachments->len; i++) {
		const render_attachment *a = g_ptr_array_index(mail->attachments, i);
		gsize length;
		const char *bytes = g_bytes_get_data(a->bytes, &length);

		json_array_append_new(attached, json_pack("[s,s,s%]", a->name, a->type,
							  bytes, (int)length));
	}
	for (guint i = 0; i < mail->references->len; i++)
		json_array_append_new(references, json_string(g_ptr_array_index(
							  mail->references, i)));
	return json_pack("{s:s,s:s,s:I,s:s,s:s?,s:o,s:s,s:s,s:o,s:o,s:o}", "subject",
			 mail->subject, "message_id", mail->message_id, "date",
			 (json_int_t)mail->date, "regression", mail->regression,
			 "in_reply_to", mail->in_reply_to, "references", references,
			 "from", mail->from.address, "body", mail->body, "to",
			 people(mail->to), "cc", people(mail->cc), "attachments",
			 attached);
}

static void emit(const char *dir, unsigned n, const render_mail *mail)
{
	static const char *const suffixes[] = { "8bit.eml", "qp.eml" };
	json_t *json = expected(mail);
	g_autofree char *text = json_dumps(json, JSON_INDENT(1));

	for (int k = RENDER_TRANSFER_8BIT; k <= RENDER_TRANSFER_QUOTED_PRINTABLE; k++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(GBytes) bytes =
			render_compose(mail, (render_transfer)k, &error);
		gsize length;
		const char *data;

		if (!bytes && k == RENDER_TRANSFER_8BIT)
			continue; /* a line is too long for it */
		if (!bytes)
			die(error);
		data = g_bytes_get_data(bytes, &length);
		write_file(dir, n, suffixes[k], data, length);
	}
	write_file(dir, n, "json", text, strlen(text));
	json_decref(json);
}

int main(int argc, char **argv)
{
	static const char *const styles[] = { "robot", "robot-2017", "brief" };
	unsigned count = argc == 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
	unsigned done = 0;

	for (guint32 seed = 1; done < count; seed++) {
		g_autofree char *json = random_facts(seed);
		g_autoptr(mail_facts) f = mail_facts_read("random", json);
		g_autoptr(render_mail) mail = NULL;
		g_autoptr(GError) error = NULL;

		f->facts.style = styles[seed % 3];
		f->facts.own_subject = seed % 2;
		mail = render_report(&f->facts, mail_facts_text, NULL, &error);
		if (g_error_matches(error, RENDER_ERROR, RENDER_ERROR_EMPTY))
			continue;
		if (!mail)
			die(error);
		add_people(mail, seed);
		add_files(mail, seed);
		emit(argv[1], done++, mail);
	}
	return count ? 0 : 2;
}
