/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RENDER_TEXT_H
#define RENDER_TEXT_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parser/parser.h"

/*
 * A reading as one line of JSON, field names as docs/parse.schema.json lists them.
 * file is the name that the user gave.  Returns a new string without newline (g_free).
 */
char *render_reading_json(const char *file, const parser_reading *reading);

/*
 * A JSON value as one line that steers no terminal: ASCII, and DEL escaped like the
 * other control characters, which jansson leaves alone.  Fifteen digits, as doubles
 * keep.  g_free.
 */
struct json_t;
char *render_json_text(const struct json_t *value);

/*
 * Appends a character that may reach a terminal or a plain-text mail as it is, or
 * U+FFFD: for a control character (TAB and LF are allowed when `lines`), one that turns
 * the direction of text or shows nothing, U+2028, U+2029, and a combining mark more
 * than four on a letter.  *letter remembers what came before, at first
 * RENDER_NO_LETTER.
 */
#define RENDER_NO_LETTER 4u
void render_append_safe(GString *out, gunichar c, bool lines, unsigned *letter);

/*
 * Text from outside made safe for a terminal or a plain-text mail: control characters
 * (TAB and LF kept when `lines`), bidirectional controls, invisible characters, floods
 * of combining marks and invalid UTF-8 are replaced by U+FFFD.  Returns a new string
 * (g_free).
 */
char *render_safe_text(const char *text, bool lines);

/* The same as one line: white space of any kind becomes one blank.  g_free. */
char *render_safe_line(const char *text);

/*
 * A URL pattern with its first %s replaced by a Message-ID or another id,
 * percent-encoded where a URL wants it; a pattern without %s as it is; "" when pattern
 * or id is NULL. g_free.
 */
char *render_link(const char *pattern, const char *id);

/* Display width in terminal cells; text is valid UTF-8, here and below. */
size_t render_text_width(const char *text);

/* At most `width` cells of text, the rest replaced by "..." (U+2026).  g_free. */
char *render_text_fit(const char *text, size_t width);

/*
 * Lines wider than so many cells are continued on the next one, two cells deeper than
 * they began, at a blank where there is one.  A link is never broken.  g_free.
 */
char *render_text_wrap(const char *text, size_t width);

/* What a metric is counted in, as far as its name tells: "MB/s", "ops/s", "us" ...
 * NULL if it does not.  g_free. */
char *render_metric_unit(const char *metric);

/* RFC 3339 in UTC: "2023-08-11T01:11:21Z".  g_free. */
char *render_time_utc(int64_t seconds);

/* As the Date: of a mail has it, in that zone; NULL for what is no time.  g_free. */
char *render_time_mail(int64_t seconds, int minutes_east);

/*
 * A patch that a mail offers as the mbox of one mail, as `git am` takes it.  mail: what
 * it came in, for author, date and title where the patch has none.  NULL for a branch.
 * g_free.
 */
char *render_patch_mbox(const parser_patch *patch, const parser_mail *mail);

#endif
