/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tracker/tracker.h"

GQuark tracker_error_quark(void)
{
	return g_quark_from_static_string("tracker-error");
}
