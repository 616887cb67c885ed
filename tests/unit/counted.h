/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hostile input of twice the size must not cost more than twice the work.  The parser
 * is compiled so that every basic block calls __sanitizer_cov_trace_pc(); the linker
 * leads its calls of functions that walk over bytes through wrappers that count what
 * they walk.  Operations are the sum; no clock is read.
 */
#ifndef TESTS_UNIT_COUNTED_H
#define TESTS_UNIT_COUNTED_H

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

/* Operations for a byte of input: more, and a step is repeated that need not be. */
#define COUNTED_PER_BYTE 4000

typedef struct hostile {
	const char *head;    /* once */
	const char *pattern; /* again and again */
	const char *tail;    /* once */
} hostile;

/* What is measured. */
typedef void (*counted_run)(const char *bytes, size_t length);

/* The operations for n repetitions. */
uint64_t counted_work(const hostile *h, unsigned n, counted_run run);

/*
 * Fails, and prints which, unless all cases are linear from `small` to twice and from
 * there to four times as many repetitions: linear work grows twice as much in the
 * second step, quadratic work four times, whatever it cost to start.
 */
void counted_check(const hostile *cases, size_t n, unsigned small, counted_run run);

#endif
