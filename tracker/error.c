/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracker/tracker.h"

/* clang-format off */
G_DEFINE_QUARK(tracker-error, tracker_error)
/* clang-format on */
