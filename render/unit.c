/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a metric is counted in, as far as its name tells. */
#include <string.h>

#include "render/render.h"

/* How names end, and the unit; a separator stands before, or the name begins there. */
static const struct ending {
	const char *end, *unit;
} endings[] = {
	{ "KBps", "KB/s" },       { "MBps", "MB/s" },       { "GBps", "GB/s" },
	{ "Kbps", "kbit/s" },     { "Mbps", "Mbit/s" },     { "Gbps", "Gbit/s" },
	{ "KB_per_sec", "KB/s" }, { "MB_per_sec", "MB/s" }, { "GB_per_sec", "GB/s" },
	{ "iops", "IOPS" },       { "IOPS", "IOPS" },       { "ns", "ns" },
	{ "us", "us" },           { "usec", "us" },         { "ms", "ms" },
	{ "msec", "ms" },         { "seconds", "s" },       { "elapsed_time", "s" },
	{ "user_time", "s" },     { "system_time", "s" },   { "bytes", "B" },
	{ "KB", "KB" },           { "MB", "MB" },           { "GB", "GB" },
	{ "Joules", "J" },        { "Watts", "W" },
};

/* "files_per_sec", "jobs-per-min": what stands before "per" is counted. */
static const struct rate {
	const char *end, *unit;
} rates[] = {
	{ "per_second", "/s" }, { "per_sec", "/s" },   { "per-sec", "/s" },
	{ "per_min", "/min" },  { "per-min", "/min" }, { "per_hour", "/h" },
};

static bool is_separator(char c)
{
	return c == '.' || c == '_' || c == '-';
}

/* Where the ending begins in the name, or NULL. */
static const char *ends_with(const char *metric, const char *end)
{
	size_t n = strlen(metric), k = strlen(end);
	const char *at = metric + n - MIN(n, k);

	if (n < k || strcmp(at, end) != 0)
		return NULL;
	return at == metric || is_separator(at[-1]) ? at : NULL;
}

/* The word before a rate: "files" of "fsmark.files_per_sec"; "" if there is none. */
static char *counted(const char *metric, const char *at)
{
	const char *end = at > metric ? at - 1 : at, *start = end;

	if (*end == '.')
		return g_strdup("");
	while (start > metric && !is_separator(start[-1]))
		start--;
	return g_strndup(start, (gsize)(end - start));
}

char *render_metric_unit(const char *metric)
{
	size_t n = strlen(metric);

	for (size_t i = 0; i < G_N_ELEMENTS(endings); i++)
		if (ends_with(metric, endings[i].end))
			return g_strdup(endings[i].unit);
	for (size_t i = 0; i < G_N_ELEMENTS(rates); i++) {
		const char *at = ends_with(metric, rates[i].end);
		g_autofree char *what = at ? counted(metric, at) : NULL;

		if (what)
			return g_strconcat(*what ? what : "1", rates[i].unit, NULL);
	}
	if (ends_with(metric, "sec"))
		return g_strdup("s");
	return n && metric[n - 1] == '%' ? g_strdup("%") : NULL;
}
