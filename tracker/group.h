/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef TRACKER_GROUP_H
#define TRACKER_GROUP_H

#include "tracker/trust.h"

/* A report of the culprit. */
typedef struct member {
	int64_t report, message, regression; /* the last: where it stands now */
	char *own_id;
	bool quote;
	bool brief; /* names fewer than ten digits of its culprit */
	bool live;
	bool ours;
	trust trust;
	bool proved;         /* its sender */
	bool counts, stored; /* and what is written down of that */
	char *sender;        /* address; NULL if unknown */
	int64_t at;
	char *message_id;
	GPtrArray *findings; /* char *: "testcase\nmetric", headline first */
	bool full;           /* test and metric of the headline are known */
} member;

typedef struct group {
	GPtrArray *members; /* member *, lent */
	int64_t row;        /* of regression */
} group;

/* All reports of a culprit (member *), in the order in which they are grouped. */
GPtrArray *group_members(tracker *t, const char *culprit, GError **error);

/* Works out which of its members count. */
void group_weigh(const group *g);

#endif
