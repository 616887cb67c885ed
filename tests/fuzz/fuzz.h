/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* One input; aborts on what must not be.  Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
