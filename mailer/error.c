/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/mailer.h"

G_DEFINE_QUARK(mailer-error, mailer_error)
