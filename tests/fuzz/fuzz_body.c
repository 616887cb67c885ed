/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first byte chooses the header, the rest is the body: the fuzzer need not find it.
 */
#include "tests/fuzz/check.h"
#include "tests/fuzz/fuzz.h"

static const char *const headers[] = {
	"Subject: x\n\n",
	"Content-Type: text/plain; format=flowed\n\n",
	"Content-Type: text/html; charset=utf-8\n\n",
	"Content-Type: multipart/mixed; boundary=b\n\n",
	"Content-Type: text/plain; charset=gb2312\n\n",
	"Content-Transfer-Encoding: quoted-printable\n\n",
	"From: kernel test robot <robot@example.org>\n\n",
	"Content-Type: message/rfc822\n\n",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	GString *bytes = g_string_new(headers[data[0] % G_N_ELEMENTS(headers)]);

	g_string_append_len(bytes, (const char *)data + 1, (gssize)size - 1);
	g_autoptr(parser_mail) mail =
		parser_mail_parse(bytes->str, bytes->len, PARSER_FORM_MBOX, 0, NULL);

	if (!mail)
		abort();
	check_mail(mail);
	g_string_free(bytes, TRUE);
	return 0;
}
