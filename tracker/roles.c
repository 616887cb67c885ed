/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who is who towards a regression.  For our own reports author and maintainers come
 * from the culprit's trailers, for those of others from the report's To: and Cc:.
 */
#include <string.h>

#include "tracker/trust.h"

typedef struct role_person {
	tracker_role role;
	char *name, *address;
	bool signer;
	bool ours; /* by a report of ours: from the culprit's trailers */
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

const char *person_address(const tracker *t, const char *address)
{
	g_autofree char *low =
		t->aliases && address ? g_ascii_strdown(address, -1) : NULL;
	const char *proper = low ? g_hash_table_lookup(t->aliases, low) : NULL;

	return proper ? proper : address;
}

bool same_person(const char *name_a, const char *address_a, const char *name_b,
		 const char *address_b)
{
	if (address_a || address_b)
		return address_a && address_b &&
		       !g_ascii_strcasecmp(address_a, address_b);
	return name_a && !g_strcmp0(name_a, name_b);
}

/* Senders of the reports that count. */
static bool load_robots(tracker *t, int64_t regression, roles *r, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	if (!db_query(t, &rows,
		      "SELECT DISTINCT m.address FROM report r "
		      "JOIN message m ON m.id = r.message WHERE r.regression = ?1 "
		      "AND r.origin = 'seen' AND r.counts AND m.address IS NOT NULL",
		      DB_ARGS(DB_INT(regression)), error))
		return false;
	while (db_next(&rows, error))
		g_ptr_array_add(r->robots, db_dup(&rows, 0));
	return !rows.failed;
}

bool roles_load(tracker *t, int64_t regression, roles *r, GError **error)
{
	g_auto(db_rows) rows = { 0 };

	r->t = t;
	if (!r->persons)
		r->persons = g_ptr_array_new_with_free_func(
			(GDestroyNotify)role_person_free);
	if (!r->robots)
		r->robots = g_ptr_array_new_with_free_func(g_free);
	if (!load_robots(t, regression, r, error) ||
	    !db_query(
		    t, &rows,
		    "SELECT p.role, p.name, p.address, p.signer, r.origin = 'own' "
		    "FROM person p "
		    "JOIN report r ON r.id = p.report WHERE r.regression = ?1 "
		    /* Of what we reported ourselves, nobody else names the people. */
		    "AND r.counts AND (r.origin = 'own' OR NOT EXISTS (SELECT 1 FROM report o "
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
		person->ours = db_int(&rows, 4);
		g_ptr_array_add(r->persons, person);
	}
	return !rows.failed;
}

void roles_clear(roles *r)
{
	g_clear_pointer(&r->persons, g_ptr_array_unref);
	g_clear_pointer(&r->robots, g_ptr_array_unref);
}

/*
 * True for who sends the reports of this regression, and for who sends such reports
 * elsewhere, from the same house.  To have sent some report makes nobody one of a team.
 */
static bool is_team(const roles *r, const char *address, bool *team, GError **error)
{
	g_autofree char *low = address ? g_ascii_strdown(address, -1) : NULL;
	bool house = false;
	int64_t known = 0;

	*team = address && trust_of(r->t, address, NULL) != TRUST_ANYBODY &&
		!addresses_have(r->t->own, address);
	for (guint i = 0; address && i < r->robots->len; i++) {
		*team |= !g_ascii_strcasecmp(r->robots->pdata[i], address);
		house |= trust_same_house(r->robots->pdata[i], address);
	}
	if (*team || !house)
		return true;
	if (!db_get_int(r->t, "SELECT 1 FROM robot WHERE address = ?1",
			DB_ARGS(DB_TEXT(low)), &known, error))
		return false;
	*team = known;
	return true;
}

/* By the address: anybody can write another's name.  ours: by trailers alone. */
static bool named_as(const roles *r, tracker_role role, const char *address, bool ours)
{
	const char *his = person_address(r->t, address);

	for (guint i = 0; address && i < r->persons->len; i++) {
		const role_person *person = r->persons->pdata[i];

		if (person->role == role && (person->ours || !ours) &&
		    person->address &&
		    !g_ascii_strcasecmp(person_address(r->t, person->address), his))
			return true;
	}
	return false;
}

/* A person, of whom a robot team is where nothing else is known of him for sure. */
static tracker_role role_of_human(const roles *r, const char *address, bool team)
{
	bool reports = addresses_have(r->robots, address);
	bool operates = addresses_have(r->t->own, address) ||
			addresses_have(r->t->operators, address);

	if (addresses_have(r->t->robot_team, address))
		return TRACKER_ROLE_ROBOT_TEAM;
	/* Whom a report is addressed to may be who sends it, too. */
	if (named_as(r, TRACKER_ROLE_AUTHOR, address, reports))
		return TRACKER_ROLE_AUTHOR;
	if (!operates && (named_as(r, TRACKER_ROLE_MAINTAINER, address, true) ||
			  addresses_have(r->t->maintainers, address)))
		return TRACKER_ROLE_MAINTAINER;
	if (team)
		return TRACKER_ROLE_ROBOT_TEAM;
	if (operates)
		return TRACKER_ROLE_OPERATOR;
	return named_as(r, TRACKER_ROLE_MAINTAINER, address, false) ?
		       TRACKER_ROLE_MAINTAINER :
		       TRACKER_ROLE_OTHER;
}

bool roles_of(const roles *r, const char *class, const char *address,
	      tracker_role *role, GError **error)
{
	bool team;

	if (!is_team(r, address, &team, error))
		return false;
	/* What only looks like the word of a robot that we know counts as a bot's. */
	if (!strcmp(class, "robot"))
		*role = team || addresses_have(r->t->own, address) ?
				TRACKER_ROLE_ROBOT :
				TRACKER_ROLE_BOT;
	else if (strcmp(class, "human"))
		*role = TRACKER_ROLE_BOT;
	else
		*role = role_of_human(r, address, team);
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
