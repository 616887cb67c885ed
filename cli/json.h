/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tracker's records as JSON objects; docs/output.md lists their fields. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <jansson.h>

#include "tracker/tracker.h"

json_t *json_of_summary(const tracker_summary *summary);
json_t *json_of_message(const tracker_message *message);
json_t *json_of_override(const void *item); /* tracker_override * */
json_t *json_of_detail(const tracker_detail *detail);

/* The fields of a summary and of a message, for CSV; end with NULL. */
extern const char *const json_summary_fields[];
extern const char *const json_message_fields[];

#endif
