/* SPDX-License-Identifier: GPL-2.0-or-later */
/* GMime gives nothing for ISO 8601, ":60" and odd years, so dates are read here. */
#include "parser/date.h"

#include <glib.h>
#include <string.h>

#define DATE_MAX    200 /* bytes of a field that are looked at */
#define DAY_SECONDS 86400
#define EARLIEST    INT64_C(315532800) /* 1980: before that, a clock was not set */

typedef struct reading {
	int year, month, day; /* -1: not seen */
	int hour, minute, second;
	int zone; /* seconds east */
	bool has_zone, pm, am;
} reading;

static int64_t days_from_civil(int64_t y, int m, int d)
{
	y -= m <= 2;
	int64_t era = (y >= 0 ? y : y - 399) / 400;
	int64_t yoe = y - era * 400;
	int64_t doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;

	return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

static int month_of(const char *s, size_t n)
{
	static const char names[] = "janfebmaraprmayjunjulaugsepoctnovdec";
	const char *name = names;

	if (n < 3)
		return -1;
	while (*name && (name[0] != (s[0] | 0x20) || name[1] != (s[1] | 0x20) ||
			 name[2] != (s[2] | 0x20)))
		name += 3;
	return *name ? (int)(name - names) / 3 + 1 : -1;
}

static bool zone_of(const char *s, size_t n, int *zone)
{
	static const struct {
		const char *name;
		int hours;
	} zones[] = { { "ut", 0 },   { "utc", 0 },  { "gmt", 0 },  { "z", 0 },
		      { "est", -5 }, { "edt", -4 }, { "cst", -6 }, { "cdt", -5 },
		      { "mst", -7 }, { "mdt", -6 }, { "pst", -8 }, { "pdt", -7 },
		      { "cet", 1 },  { "cest", 2 }, { "jst", 9 } };

	for (size_t i = 0; i < G_N_ELEMENTS(zones); i++)
		if (strlen(zones[i].name) == n &&
		    g_ascii_strncasecmp(zones[i].name, s, n) == 0) {
			*zone = zones[i].hours * 3600;
			return true;
		}
	return false;
}

/* Digits of at most nine places; *s moves behind them.  -1 if there are none or more.
 */
static int number(const char **s, const char *end, int *places)
{
	int value = 0;
	const char *start = *s;

	while (*s < end && g_ascii_isdigit(**s)) {
		if (*s - start < 9)
			value = value * 10 + (**s - '0');
		(*s)++;
	}
	*places = (int)(*s - start);
	return *places && *places <= 9 ? value : -1;
}

static void read_time(reading *r, int hour, const char **s, const char *end)
{
	int places;

	(*s)++;
	r->hour = hour;
	r->minute = number(s, end, &places);
	r->second = 0;
	if (*s < end && **s == ':') {
		(*s)++;
		r->second = number(s, end, &places);
	}
	if (*s + 1 < end && **s == '.' && g_ascii_isdigit((*s)[1])) {
		(*s)++; /* fractions of a second */
		number(s, end, &places);
	}
}

/* "+0200", "+02:00", "-5", "+00.00"; what is out of range counts as UTC. */
static void read_zone(reading *r, const char **s, const char *end)
{
	int sign = *(*s)++ == '-' ? -1 : 1, places;
	int hours = number(s, end, &places), minutes = 0;

	if (hours < 0)
		return;
	if (places >= 3) {
		minutes = hours % 100;
		hours /= 100;
	} else if (*s + 1 < end && strchr(":.", **s) && g_ascii_isdigit((*s)[1])) {
		(*s)++;
		minutes = number(s, end, &places);
		minutes = minutes < 0 ? 0 : minutes;
	}
	r->has_zone = true;
	r->zone =
		hours <= 14 && minutes < 60 ? sign * (hours * 3600 + minutes * 60) : 0;
}

static void set_year(reading *r, int value, int places)
{
	if (places == 2) /* RFC 5322, 4.3 */
		value += value < 50 ? 2000 : 1900;
	else if (places == 3)
		value += 1900;
	r->year = value;
}

static void read_number(reading *r, const char **s, const char *end)
{
	int places, value = number(s, end, &places);

	if (*s < end && **s == ':' && places <= 2 && r->hour < 0) {
		read_time(r, value, s, end);
	} else if (places == 4 && *s + 1 < end && strchr("-/", **s) &&
		   g_ascii_isdigit((*s)[1])) { /* ISO 8601 */
		r->year = value;
		(*s)++;
		r->month = number(s, end, &places);
		if (*s < end && strchr("-/", **s)) {
			(*s)++;
			r->day = number(s, end, &places);
		}
	} else if (r->day < 0 && places <= 2) {
		r->day = value;
	} else if (r->year < 0 && places <= 4) {
		set_year(r, value, places);
	}
}

static void read_word(reading *r, const char **s, const char *end)
{
	const char *start = *s;

	while (*s < end && g_ascii_isalpha(**s))
		(*s)++;
	size_t n = (size_t)(*s - start);
	int zone, month = r->month < 0 ? month_of(start, n) : -1;

	if (month > 0)
		r->month = month;
	else if (n == 2 && g_ascii_strncasecmp(start, "pm", 2) == 0)
		r->pm = true;
	else if (n == 2 && g_ascii_strncasecmp(start, "am", 2) == 0)
		r->am = true;
	else if (r->hour >= 0 && !r->has_zone && zone_of(start, n, &zone)) {
		r->zone = zone;
		r->has_zone = true;
	}
}

static bool finish(const reading *r, int64_t *seconds)
{
	int hour = r->hour < 0 ? 0 : r->hour;

	if (r->year < 1 || r->year > 9999 || r->month < 1 || r->month > 12 ||
	    r->day < 1 || r->day > 31 || hour > 24 || r->minute < 0 || r->minute > 59 ||
	    r->second < 0 || r->second > 61)
		return false;
	if (r->pm && hour < 12)
		hour += 12;
	if (r->am && hour == 12)
		hour = 0;
	*seconds = days_from_civil(r->year, r->month, r->day) * DAY_SECONDS +
		   hour * 3600 + r->minute * 60 + r->second - r->zone;
	return true;
}

bool date_parse(const char *s, size_t length, int64_t *seconds)
{
	reading r = { -1, -1, -1, -1, 0, 0, 0, false, false, false };
	const char *end = s + MIN(length, DATE_MAX);
	unsigned depth = 0;

	while (s < end) {
		if (*s == '(' || *s == ')') {
			depth += *s == '(' ? 1 : depth ? -1U : 0;
			s++;
		} else if (depth) {
			s++;
		} else if (g_ascii_isdigit(*s)) {
			read_number(&r, &s, end);
		} else if (g_ascii_isalpha(*s)) {
			read_word(&r, &s, end);
		} else if ((*s == '+' || *s == '-') && r.hour >= 0 && !r.has_zone) {
			read_zone(&r, &s, end);
		} else {
			s++;
		}
	}
	return finish(&r, seconds);
}

/* The date of a Received: line stands after its last semicolon. */
static int64_t received_date(const field *f)
{
	const char *semicolon = f ? memrchr(f->value, ';', f->length) : NULL;
	int64_t t;

	if (!semicolon ||
	    !date_parse(semicolon + 1, (size_t)(f->value + f->length - semicolon - 1),
			&t))
		return 0;
	return t < EARLIEST ? 0 : t;
}

void date_of_message(const head *h, int64_t *date, int64_t *received)
{
	*received = received_date(head_first(h, FIELD_RECEIVED));
	*date = 0;
	for (const field *f = head_first(h, FIELD_DATE); f && !*date;
	     f = head_next(h, f))
		if (!date_parse(f->value, f->length, date) || *date < EARLIEST)
			*date = 0;
	if (*received && (!*date || *date > *received))
		*date = *received;
}
