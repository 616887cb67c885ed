/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parser/error.h"

/* clang-format off */
G_DEFINE_QUARK(parser-error, parser_error)
/* clang-format on */
