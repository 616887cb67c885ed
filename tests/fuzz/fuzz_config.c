/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A configuration is refused with its name in the words, or answers for every key. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/config.h"
#include "tests/fuzz/fuzz.h"

static void ask(const config *c, const char *group, const config_key *key)
{
	g_autofree char *text = config_text(c, group, key->key);
	g_autoptr(GPtrArray) words = config_words(c, group, key->key);

	if (text && !g_utf8_validate(text, -1, NULL))
		abort();
	config_bool(c, group, key->key);
	config_number(c, group, key->key);
}

/* Each key in its group; those of "KIND *" in every group of the kind that is there. */
static void ask_all(const config *c)
{
	for (const config_key *key = config_keys; key->group; key++) {
		const char *star = strstr(key->group, " *");
		g_autofree char *kind = NULL;
		g_autoptr(GPtrArray) names = NULL;

		if (!star) {
			ask(c, key->group, key);
			continue;
		}
		kind = g_strndup(key->group, (gsize)(star - key->group));
		names = config_names(c, kind);
		for (guint i = 0; i < names->len && i < 4; i++) {
			g_autofree char *group = g_strconcat(
				kind, " ", g_ptr_array_index(names, i), NULL);

			ask(c, group, key);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("config", MFD_CLOEXEC);
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();

	g_autoptr(GError) error = NULL;
	g_autoptr(config) c = config_load(path, &error);

	if (c)
		ask_all(c);
	else if (!error || !strstr(error->message, path))
		abort();
	close(fd);
	return 0;
}
