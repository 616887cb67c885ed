/* SPDX-License-Identifier: GPL-2.0-or-later */
/* GMime with the cleanup functions that it lacks. */
#ifndef PARSER_GMIME_H
#define PARSER_GMIME_H

#include <gmime/gmime.h>

G_DEFINE_AUTOPTR_CLEANUP_FUNC(GMimeMessage, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GMimeParser, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GMimeStream, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GMimeObject, g_object_unref)

/* Makes GMime ready, once; cheap to call again. */
void gmime_start(void);

#endif
