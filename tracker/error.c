/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracker/tracker.h"

G_DEFINE_QUARK(tracker-error, tracker_error)
