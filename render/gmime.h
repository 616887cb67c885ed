/* SPDX-License-Identifier: GPL-2.0-or-later */
/* GMime has no g_autoptr support. */
#ifndef RENDER_GMIME_H
#define RENDER_GMIME_H

#include <gmime/gmime.h>

G_DEFINE_AUTOPTR_CLEANUP_FUNC(GMimeMessage, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GMimeMultipart, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GMimePart, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GMimeObject, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GMimeStream, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GMimeDataWrapper, g_object_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(GMimeFormatOptions, g_mime_format_options_free)

#endif
