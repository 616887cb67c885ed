/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who is who towards a regression.  For our own reports author and maintainers come
 * from the culprit's trailers, for those of others from the report's To: and Cc:.
 */
#include <string.h>

#include "tracker/store.h"

typedef struct role_person {
	tracker_role role;
	char *name, *address;
	bool signer;
} role_person;

static void role_person_free(role_person *person)
{
	g_free(person->name);
	g_free(person->address);
	g_free(person);
}

bool addresses_have(const GPtrArray *addresses, const char *address)
{
	for (guint i = 0; address && addresses && i < addresses->len; i++)
		if (!g_ascii_strcasecmp(addresses->pdata[i], address))
			return true;
	return false;
}

/* A name must be more than one word to be told from other people's. */
static bool same_name(const char *a, const char *b)
{
	if (!a || !b || !strchr(a, ' '))
		return false;

	g_autofree char *x = g_utf8_casefold(a, -1);
	g_autofree char *y = g_utf8_casefold(b, -1);

	return !strcmp(x, y);
}

bool same_person(const char *name_a, const char *address_a, const char *name_b,
		 const char *address_b)
{
	if (address_a && address_b && !g_ascii_strcasecmp(address_a, address_b))
		return true;
	return same_name(name_a, name_b);
}

bool roles_load(tracker *t, int64_t regression, roles *r, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	r->t = t;
	if (!r->persons)
		r->persons = g_ptr_array_new_with_free_func(
			(GDestroyNotify)role_person_free);
	if (!db_query(t, &rows,
		      "SELECT p.role, p.name, p.address, p.signer FROM person p "
		      "JOIN report r ON r.id = p.report WHERE r.regression = ?1 "
		      /* Of what we reported ourselves, nobody else names the people. */
		      "AND (r.origin = 'own' OR NOT EXISTS (SELECT 1 FROM report o "
		      " WHERE o.regression = ?1 AND o.origin = 'own' AND o.live = 1))",
		      DB_ARGS(DB_INT(regression)), error))
		return false;
	while (db_next(&rows, error)) {
		role_person *person = g_new0(role_person, 1);

		person->role = strcmp(db_text(&rows, 0), "author") ?
				       TRACKER_ROLE_MAINTAINER :
				       TRACKER_ROLE_AUTHOR;
		person->name = db_dup(&rows, 1);
		person->address = db_dup(&rows, 2);
		person->signer = db_int(&rows, 3);
		g_ptr_array_add(r->persons, person);
	}
	return !rows.failed;
}

void roles_clear(roles *r)
{
	g_clear_pointer(&r->persons, g_ptr_array_unref);
}

/* True for an address that has sent a robot report. */
static bool has_reported(tracker *t, const char *address, bool *team, GError **error)
{
	g_autofree char *lower = address ? g_ascii_strdown(address, -1) : NULL;
	int64_t known = 0;

	*team = false;
	if (!address)
		return true;
	if (!db_get_int(t, "SELECT 1 FROM robot WHERE address = ?1",
			DB_ARGS(DB_TEXT(lower)), &known, error))
		return false;
	*team = known;
	return true;
}

static bool named_as(const roles *r, tracker_role role, const char *name,
		     const char *address)
{
	for (guint i = 0; i < r->persons->len; i++) {
		const role_person *person = r->persons->pdata[i];

		if (person->role == role &&
		    same_person(person->name, person->address, name, address))
			return true;
	}
	return false;
}

bool roles_of(const roles *r, const char *class, const char *name, const char *address,
	      tracker_role *role, GError **error)
{
	bool team;

	if (!has_reported(r->t, address, &team, error))
		return false;
	if (!strcmp(class, "robot"))
		*role = TRACKER_ROLE_ROBOT;
	else if (strcmp(class, "human"))
		*role = TRACKER_ROLE_BOT;
	else if (addresses_have(r->t->robot_team, address))
		*role = TRACKER_ROLE_ROBOT_TEAM;
	else if (named_as(r, TRACKER_ROLE_AUTHOR, name, address))
		*role = TRACKER_ROLE_AUTHOR; /* whatever was forged in this name */
	else if (team)
		*role = TRACKER_ROLE_ROBOT_TEAM;
	else if (addresses_have(r->t->own, address) ||
		 addresses_have(r->t->operators, address))
		*role = TRACKER_ROLE_OPERATOR;
	else if (named_as(r, TRACKER_ROLE_MAINTAINER, name, address) ||
		 addresses_have(r->t->maintainers, address))
		*role = TRACKER_ROLE_MAINTAINER;
	else
		*role = TRACKER_ROLE_OTHER;
	return true;
}

bool roles_entitled(const roles *r, const char *address)
{
	if (addresses_have(r->t->own, address) ||
	    addresses_have(r->t->operators, address))
		return true;
	for (guint i = 0; address && i < r->persons->len; i++) {
		const role_person *person = r->persons->pdata[i];

		if (person->signer && person->address &&
		    !g_ascii_strcasecmp(person->address, address))
			return true;
	}
	return false;
}
