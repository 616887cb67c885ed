/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/random_facts.h"

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

/* Letters of subjects, values and machines: what has broken readers of mails before. */
static const char *const odd_words[] = {
	/* clang-format off */
	"\"quoted\"", "(\"both\")", "(again)", "it's", "a:b", "x=y", "100%", "-5.2%",
	"regression", "improvement", "commit:", "50/50", "[PATCH]", "\xc3\xbc" "ber", "\xe6\xb8\xac\xe8\xa9\xa6",
	"\xf0\x9f\x90\xa7", "<tag>", "a@b.example", "|", "||", "{{x}}", "\\", "~", "*", "=?utf-8?Q?x?=",
	"https://example.org/a?b=c&d", "#regzbot", "&amp;", "noticed", "of", "on:",
	/* clang-format on */
};

/* Characters of metric names besides letters and digits. */
static const char metric_marks[] = "._-/%:()[]#+=*~@!$&<>|;?^{}'\\,`\"";

static bool chance(GRand *r, int percent)
{
	return g_rand_int_range(r, 0, 100) < percent;
}

static char *hex(GRand *r, int digits)
{
	char *out = g_malloc((gsize)digits + 1);

	for (int i = 0; i < digits; i++)
		out[i] = "0123456789abcdef"[g_rand_int_range(r, 0, 16)];
	out[digits] = '\0';
	return out;
}

static char *word(GRand *r, int least, int most)
{
	int length = g_rand_int_range(r, least, most + 1);
	char *out = g_malloc((gsize)length + 1);

	for (int i = 0; i < length; i++)
		out[i] = "abcdefghijklmnopqrstuvwxyz0123456789"[g_rand_int_range(
			r, 0, i == 0 ? 26 : 36)];
	out[length] = '\0';
	return out;
}

/* Words with single blanks between them, at most `most` bytes. */
static char *prose(GRand *r, size_t most)
{
	GString *out = g_string_new(NULL);
	int words = g_rand_int_range(r, 1, 40);

	for (int i = 0; i < words; i++) {
		g_autofree char *plain = word(r, 1, 12);
		const char *next = chance(r, 25) ?
					   odd_words[g_rand_int_range(
						   r, 0, G_N_ELEMENTS(odd_words))] :
					   plain;

		if (out->len + strlen(next) + 1 > most)
			break;
		g_string_append_printf(out, "%s%s", out->len > 0 ? " " : "", next);
	}
	if (out->len == 0)
		g_string_append(out, "x");
	return g_string_free(out, FALSE);
}

/* Takes value. */
static void put(json_t *o, const char *name, char *value)
{
	json_object_set_new(o, name, json_string(value));
	g_free(value);
}

/* The n-th of a comparison: names must differ. */
static char *metric_name(GRand *r, const char *testcase, int n)
{
	GString *out = g_string_new(NULL);
	int length = chance(r, 3) ? g_rand_int_range(r, 200, 900) :
		     chance(r, 3) ? 0 :
				    g_rand_int_range(r, 1, 50);
	g_autofree char *other = word(r, 1, 10);

	if (chance(r, 4))
		g_string_append_c(out, "_/:.0379%"[g_rand_int_range(r, 0, 9)]);
	g_string_append_printf(out, "%s%s", chance(r, 50) ? testcase : other,
			       chance(r, 95) ? "." : "");
	for (int i = 0; i < length; i++)
		if (chance(r, 15))
			g_string_append_c(out,
					  metric_marks[g_rand_int_range(
						  r, 0, sizeof(metric_marks) - 1)]);
		else if (chance(r, 2))
			g_string_append(out, "\xc3\xa9");
		else
			g_string_append_c(out, (char)g_rand_int_range(r, 'a', 'z' + 1));
	g_string_append_printf(out, "%c%d", g_rand_int_range(r, 'a', 'z' + 1), n);
	if (chance(r, 10))
		g_string_append_c(out, '%');
	return g_string_free(out, FALSE);
}

static json_t *sample(GRand *r, double mean, double spread, bool whole)
{
	double value = mean * (1 + spread * (g_rand_double(r) - 0.5));

	if (whole)
		return json_integer((json_int_t)value);
	return json_real((double)(gint64)(value * 100) / 100);
}

/* odd: a column may lack it, or hold nothing but zeros. */
static json_t *metric(GRand *r, char *name, guint columns, int runs, bool odd)
{
	static const double scales[] = { 0.1, 5, 99, 1500, 70000, 4e6, 8e8, 3e11 };
	double scale = scales[g_rand_int_range(r, 0, G_N_ELEMENTS(scales))] *
		       (chance(r, 8) ? -1 : 1);
	double spread = chance(r, 50) ? 0.01 : chance(r, 50) ? 0.2 : 3;
	bool whole = scale > 1000 && chance(r, 50);
	json_t *o = json_object();
	json_t *all = json_array();

	put(o, "name", name);
	for (guint i = 0; i < columns; i++) {
		json_t *one = json_array();
		double mean =
			scale * (chance(r, 10) ? 40 : 0.3 + 1.4 * g_rand_double(r));

		bool absent = odd && chance(r, 8);

		if (odd && chance(r, 5))
			mean = 0;
		for (int k = 0; k < runs; k++)
			json_array_append_new(one,
					      absent ? json_null() :
						       sample(r, mean, spread, whole));
		json_array_append_new(all, one);
	}
	json_object_set_new(o, "samples", all);
	return o;
}

static json_t *failure(GRand *r, char *name, guint columns, int runs)
{
	json_t *o = json_object();
	json_t *all = json_array();

	put(o, "name", name);
	for (guint i = 0; i < columns; i++)
		json_array_append_new(all, json_pack("{s:i,s:i}", "fails",
						     g_rand_int_range(r, 0, runs + 1),
						     "runs", runs));
	json_object_set_new(o, "counts", all);
	return o;
}

static json_t *pairs(GRand *r, int most)
{
	json_t *o = json_object();
	int n = g_rand_int_range(r, 0, most + 1);

	for (int i = 0; i < n; i++) {
		g_autofree char *name = word(r, 1, 12);
		char *value = chance(r, 60) ? word(r, 1, 10) : prose(r, 60);

		put(o, name, value);
	}
	return o;
}

static json_t *commit(GRand *r)
{
	json_t *o = json_object();

	put(o, "id", hex(r, 40));
	put(o, "subject", prose(r, chance(r, 20) ? 300 : 75));
	return o;
}

static json_t *culprit(GRand *r)
{
	json_t *o = commit(r);
	json_t *patch;

	put(o, "url", g_strdup_printf("https://git.example.org/%u.git", g_rand_int(r)));
	if (chance(r, 30)) {
		patch = json_object();
		put(patch, "message_id",
		    g_strdup_printf("%u.patch@example.org", g_rand_int(r)));
		put(patch, "subject",
		    g_strdup_printf("[PATCH v%d] mm: %u", g_rand_int_range(r, 1, 9),
				    g_rand_int(r)));
		json_object_set_new(o, "patch", patch);
		put(o, "base", g_strdup("v6.15-rc5"));
		return o;
	}
	put(o, "tree", word(r, 1, 12));
	put(o, "branch", g_strdup_printf("dev/x-%u", g_rand_int(r) % 100));
	return o;
}

static json_t *columns(GRand *r, guint n, json_t *base, json_t *head)
{
	json_t *all = json_array();

	json_array_append_new(all, json_pack("{s:O}", "commit", base));
	json_array_append_new(all, json_pack("{s:O}", "commit", head));
	for (guint i = 2; i < n; i++)
		json_array_append_new(all, json_pack("{s:o}", "commit", commit(r)));
	return all;
}

static json_t *machine(GRand *r)
{
	json_t *o = json_object();

	put(o, "name", g_strdup_printf("box-%u", g_rand_int(r) % 1000));
	if (chance(r, 20))
		put(o, "description", prose(r, 100));
	else if (chance(r, 80))
		put(o, "description",
		    g_strdup_printf("%d threads %d sockets Example(R) CPU @ 2.%dGHz",
				    g_rand_int_range(r, 1, 512),
				    g_rand_int_range(r, 1, 8),
				    g_rand_int_range(r, 0, 10)));
	return o;
}

/* A comparison whose first metric (or failure) is the headline. */
static json_t *comparison(GRand *r, json_t *base, json_t *head, bool fails)
{
	guint n = (guint)g_rand_int_range(r, 2, 8);
	int runs = g_rand_int_range(r, 3, 8);
	g_autofree char *testcase = word(r, 2, 12);
	json_t *o = json_pack("{s:i,s:s,s:o,s:o,s:o}", "version", 1, "testcase",
			      testcase, "axes", json_object(), "parameters",
			      pairs(r, 6), "machine", machine(r));
	json_t *metrics = json_array();
	json_t *failures = json_array();
	int more = g_rand_int_range(r, 1, 12);

	put(json_object_get(o, "axes"), "kconfig", g_strdup("x86_64-rhel-9.4"));
	if (chance(r, 70))
		put(json_object_get(o, "axes"), "compiler", g_strdup("gcc-12"));
	json_object_set_new(o, "columns", columns(r, n, base, head));
	for (int i = 0; i < more; i++)
		json_array_append_new(metrics, metric(r, metric_name(r, testcase, i), n,
						      runs, i > 0));
	for (int i = chance(r, 40) ? 3 : fails ? 1 : 0; i > 0; i--)
		json_array_append_new(
			failures,
			failure(r,
				g_strdup_printf("dmesg.WARNING:at_%u", g_rand_int(r)),
				n, runs));
	json_object_set_new(o, "metrics", metrics);
	json_object_set_new(o, "failures", failures);
	return o;
}

/* Sides of a plot, good and bad. */
static json_t *bisection(GRand *r, const char *metric)
{
	json_t *o = json_object();
	const char *const sides[] = { "good", "bad" };

	put(o, "metric", g_strdup(metric));
	for (size_t i = 0; i < G_N_ELEMENTS(sides); i++) {
		json_t *all = json_array();

		for (int k = g_rand_int_range(r, 1, 30); k > 0; k--)
			json_array_append_new(
				all, sample(r, i ? 900 : 1000, 0.1, chance(r, 50)));
		json_object_set_new(o, sides[i], all);
	}
	return o;
}

static void put_plots(GRand *r, json_t *o)
{
	json_t *comparison = json_object_get(o, "comparison");
	json_t *plots = json_array();

	for (int i = g_rand_int_range(r, 1, 4); i > 0; i--) {
		g_autofree char *name = metric_name(r, "plotted", i);

		json_array_append_new(plots, bisection(r, name));
	}
	json_object_set_new(comparison, "bisect", plots);
	json_object_set_new(o, "plots", json_true());
}

/* What others said of an earlier regression: any words at all. */
static void put_seen(GRand *r, json_t *o)
{
	json_t *seen = json_object();

	put(seen, "commit", hex(r, 40));
	put(seen, "subject", prose(r, chance(r, 20) ? 300 : 75));
	put(seen, "metric", metric_name(r, "seen", 1));
	put(seen, "object", word(r, 1, 12));
	put(seen, "status", g_strdup("ignored"));
	put(seen, "words", prose(r, 500));
	put(seen, "by", prose(r, 30));
	put(seen, "message_id", g_strdup("1@example.org"));
	json_object_set_new(seen, "change", json_real(-12.5));
	json_object_set_new(o, "seen", seen);
}

static void put_words(GRand *r, json_t *o)
{
	if (chance(r, 20))
		put(o, "signature", prose(r, 60));
	if (chance(r, 20))
		put(o, "reproduce", g_strdup("git clone x\n\ncommit: y\nrun it\n"));
	if (chance(r, 20))
		put(o, "test_description", prose(r, 90));
	if (chance(r, 20))
		put(o, "test_url", g_strdup("https://example.org/test"));
	if (chance(r, 20))
		json_object_set_new(o, "regzbot", json_true());
	if (chance(r, 25))
		put_seen(r, o);
	if (chance(r, 20))
		put_plots(r, o);
}

static void put_settings(GRand *r, json_t *o)
{
	static const char *const trees[] = { "linus/master", "linux-next/master",
					     "net/main" };

	put(o, "archive_url", g_strdup("https://lore.example.org/r/%s"));
	if (chance(r, 50))
		put(o, "materials_url", g_strdup("https://download.example.org/%s"));
	if (chance(r, 10))
		put(o, "note", prose(r, 200));
	json_object_set_new(
		o, "from",
		json_pack("[s]", chance(r, 80) ? "perf robot <robot@example.org>" :
						 "Speed Watch <speed@example.org>"));
	json_object_set_new(o, "to", json_pack("[s]", "Ada <ada@example.org>"));
	json_object_set_new(o, "created", json_integer(1749535493));
	json_object_set_new(o, "all", json_true());
	json_object_set_new(o, "compat", json_boolean(chance(r, 20)));
	if (chance(r, 50)) {
		json_t *still = json_object();

		for (size_t i = 0; i < G_N_ELEMENTS(trees); i++)
			if (chance(r, 50))
				put(still, trees[i], hex(r, 40));
		json_object_set_new(o, "still_failing", still);
	}
}

char *random_facts(guint32 seed)
{
	GRand *r = g_rand_new_with_seed(seed);
	bool fails = chance(r, 15);
	json_t *base = commit(r);
	json_t *head = culprit(r);
	json_t *o = json_pack("{s:o}", "comparison", comparison(r, base, head, fails));
	json_t *also = json_array();
	json_t *machines = json_array();
	char *text;

	put_settings(r, o);
	put_words(r, o);
	for (int i = chance(r, 30) ? g_rand_int_range(r, 1, 4) : 0; i > 0; i--)
		json_array_append_new(also, comparison(r, base, head, false));
	for (int i = chance(r, 15) ? g_rand_int_range(r, 1, 3) : 0; i > 0; i--)
		json_array_append_new(machines, comparison(r, base, head, false));
	json_object_set_new(o, "also", also);
	json_object_set_new(o, "machines", machines);
	json_object_set_new(o, "fails", json_boolean(fails));
	put(o, "kind",
	    g_strdup(fails         ? "failure" :
		     chance(r, 50) ? "regression" :
				     "improvement"));
	text = json_dumps(o, 0);
	json_decref(o);
	json_decref(base);
	json_decref(head);
	g_rand_free(r);
	return text;
}
