/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A news server's side of a conversation: greeting, login, an article, an overview. */
#include "mailer/mailer.h"
#include "mailer/nntp.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/server.h"

static void converse(nntp *n)
{
	g_autoptr(GError) error = NULL;
	GByteArray *article = NULL;
	const char *text;
	unsigned code = nntp_ask(n, "ARTICLE 1", &text, &error);

	server_check(code != 0, error);
	if (code != 220)
		return;

	bool done = nntp_article(n, &article, &error);

	server_check(done, error);
	if (article) {
		if (article->len > MAILER_MAIL_MAX)
			abort();
		g_byte_array_unref(article);
	}
	if (!done || nntp_ask(n, "OVER 1-5", &text, &error) != 224)
		return;
	for (bool end = false; !end && !error;) {
		size_t length;
		const char *line = nntp_line(n, 4096, &length, &end, &error);

		if (line ? end || error || length > 65536 : !end && !error)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	server script = { text, text + size };
	const server_url url = { .scheme = (char *)"nntp", .user = (char *)"ann" };
	const mailer_options options = { .password = "secret", .timeout = 5 };
	g_autoptr(GError) error = NULL;
	g_autoptr(nntp) n = nntp_begin(server_wire(&script), &url, &options, &error);

	server_check(n != NULL, error);
	if (n)
		converse(n);
	return 0;
}
