/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmocka's includes in the order that it requires. */
#ifndef TESTS_UNIT_TEST_H
#define TESTS_UNIT_TEST_H

/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */

#endif
