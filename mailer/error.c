/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "mailer/mailer.h"

/* clang-format off */
G_DEFINE_QUARK(mailer-error, mailer_error)
/* clang-format on */
