/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/curl.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "mailer/mailer.h"

static bool find_all(void *handle, curl_library *lib)
{
	const struct {
		const char *name;
		void *at; /* of the pointer to it */
	} wanted[] = {
		{ "curl_global_init", &lib->global_init },
		{ "curl_easy_init", &lib->init },
		{ "curl_easy_cleanup", &lib->cleanup },
		{ "curl_easy_reset", &lib->reset },
		{ "curl_easy_setopt", &lib->setopt },
		{ "curl_easy_perform", &lib->perform },
		{ "curl_easy_getinfo", &lib->getinfo },
		{ "curl_easy_strerror", &lib->strerror },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++) {
		void *found = dlsym(handle, wanted[i].name);

		if (!found)
			return false;
		memcpy(wanted[i].at, &found, sizeof(found));
	}
	return true;
}

const curl_library *curl_load(GError **error)
{
	static curl_library lib;
	static void *handle; /* NULL: not loaded yet */
	void *mine;

	if (handle)
		return &lib;
	mine = dlopen(MAILER_CURL, RTLD_LAZY | RTLD_LOCAL);
	if (!mine || !find_all(mine, &lib) || lib.global_init(CURL_GLOBAL_DEFAULT)) {
		const char *why = dlerror();

		g_set_error(error, MAILER_ERROR, MAILER_ERROR_IO, "libcurl: %s",
			    why ? why : "cannot be set up");
		if (mine)
			dlclose(mine);
		return NULL;
	}
	handle = mine;
	return &lib;
}
