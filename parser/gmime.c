/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/gmime.h"

void gmime_start(void)
{
	static gsize started;

	if (g_once_init_enter(&started)) {
		g_mime_init();
		g_once_init_leave(&started, 1);
	}
}
