/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/render.h"

/* clang-format off */
G_DEFINE_QUARK(render-error, render_error)
/* clang-format on */
