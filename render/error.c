/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/render.h"

G_DEFINE_QUARK(render-error, render_error)
