/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Patches in a mail: what is handed out as good is good, and is read again as it was.
 */
#include "render/render.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/fuzz.h"

static void check_fields(const parser_patch *p)
{
	const char *const fields[] = { p->title, p->author, p->url, p->branch,
				       p->problem };

	for (size_t i = 0; i < G_N_ELEMENTS(fields); i++)
		if (fields[i] && (!*fields[i] || strchr(fields[i], '\n')))
			abort();
	if (!p->message || (p->form == PARSER_PATCH_BRANCH) != (p->diff == NULL) ||
	    (p->form == PARSER_PATCH_BRANCH) != (p->url != NULL))
		abort();
}

/* Its counts are right, and nothing follows it. */
static void check_diff(const parser_patch *p)
{
	g_autoptr(GString) diff = g_string_new(p->diff);
	g_autofree char *problem = parser_diff_check(diff, 1);

	if (problem || strcmp(diff->str, p->diff) != 0)
		abort();
}

static void check_mbox(const parser_patch *p, const parser_mail *mail)
{
	g_autofree char *mbox = render_patch_mbox(p, mail);
	const char *head = strstr(mbox, "\n\n");

	if (!g_str_has_prefix(mbox, "From ") || !head ||
	    !g_str_has_suffix(mbox, "\n-- \nregtrail\n\n") || !strstr(head, p->diff))
		abort();
	/* One mail: no line but the first looks like the beginning of another. */
	for (const char *at = mbox; (at = strstr(at, "\nFrom ")) != NULL; at++)
		if (at < head)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(parser_mail) mail =
		parser_mail_parse((const char *)data, size, PARSER_FORM_MAIL, 0, NULL);
	g_autoptr(GPtrArray) all = mail ? parser_patches_read(mail) : NULL;

	if (all && all->len > PARSER_PATCHES_MAX)
		abort();
	for (guint i = 0; all && i < all->len; i++) {
		const parser_patch *p = all->pdata[i];

		check_fields(p);
		if (p->problem || !p->diff)
			continue;
		check_diff(p);
		check_mbox(p, mail);
	}
	return 0;
}
