/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/cli.h"

/* clang-format off */
G_DEFINE_QUARK(cli-error, cli_error)
/* clang-format on */
