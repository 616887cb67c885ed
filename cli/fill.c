/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is missing in tracked threads, from an archive that knows mails by their ids. */
#include <stdio.h>

#include "cli/fill.h"

/* Asks for one thread, and writes down that it was asked for. */
static bool ask(intake *in, mailer_archive *archive, const char *id, bool *found,
		GError **error)
{
	g_autoptr(GError) cause = NULL;
	g_autoptr(GBytes) thread = mailer_archive_thread(archive, id, &cause);
	g_autofree char *name = g_strconcat(TRACKER_ASKED, id, NULL);

	*found = thread;
	if (!thread && !g_error_matches(cause, MAILER_ERROR, MAILER_ERROR_NOT_FOUND)) {
		g_propagate_error(error, g_steal_pointer(&cause));
		return false;
	}
	return (!thread || intake_text(in, "archive", id, thread, error)) &&
	       intake_cursor(in, name, thread ? "found" : "not found", error) &&
	       intake_commit(in, error);
}

static bool fill(intake *in, mailer_archive *archive, uint64_t max, GError **error)
{
	unsigned asked = 0, found = 0;
	bool hit, good = true;

	/* What came with one thread need not be asked for again: one at a time. */
	while (good && asked < max) {
		g_autofree char *id = NULL;

		good = tracker_missing(in->t, &id, error);
		if (!good || !id)
			break;
		good = ask(in, archive, id, &hit, error);
		asked++;
		found += good && hit;
	}
	if (asked)
		printf("archive: asked for %u missing mails, found %u\n", asked, found);
	return good;
}

int fill_missing(intake *in, GError **error)
{
	uint64_t max = config_number(in->c->config, "regtrail", "fill-max");
	g_autoptr(mailer_archive) archive = NULL;
	g_autoptr(GError) cause = NULL;

	in->now = NULL;
	if (max == 0 || (in->stop && *in->stop))
		return CLI_OK;
	if (sources_archive(in->c->config, &archive, &cause) &&
	    (!archive || fill(in, archive, max, &cause)))
		return CLI_OK;
	if (cause->domain == TRACKER_ERROR) {
		g_propagate_error(error, g_steal_pointer(&cause));
		return CLI_FAIL;
	}
	g_prefix_error(&cause, "archive: ");
	return intake_commit(in, error) ? cli_fail(in->c, cause) : CLI_FAIL;
}
