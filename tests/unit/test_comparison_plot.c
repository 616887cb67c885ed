/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text plots and SVG. */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "render/compare.h"
#include "tests/unit/test.h"

static const double good[] = { 100, 104, 101, 98, 103 };
static const double bad[] = { 80, 81, 79, 82, 80 };

static char *plot(const double *a, size_t n, const double *b, size_t m, bool compat)
{
	GString *out = g_string_new(NULL);

	render_plot_text("hackbench.throughput", a, n, b, m, compat, out);
	return g_string_free(out, FALSE);
}

static unsigned count(const char *text, char c)
{
	unsigned n = 0;

	for (; *text; text++)
		n += *text == c;
	return n;
}

static void every_sample_is_seen_and_the_legend_tells_the_glyphs(void **state)
{
	g_autofree char *text = plot(good, 5, bad, 5, false);
	char *legend = strstr(text, "* good (5 samples)   O bad (5 samples)   @ both");

	(void)state;
	assert_non_null(legend);
	*legend = '\0';
	assert_int_equal(count(text, '*'), 5);
	assert_int_equal(count(text, 'O'), 5);
	assert_null(strstr(text, "note:"));
}

static void samples_on_the_same_spot_have_a_glyph_of_their_own(void **state)
{
	g_autofree char *text = plot(good, 5, good, 5, false);
	char *legend = strstr(text, "* good");

	(void)state;
	*legend = '\0';
	assert_int_equal(count(text, '@'), 5);
	assert_int_equal(count(text, 'O'), 0);
}

static void every_line_is_eighty_columns_wide(void **state)
{
	for (int compat = 0; compat < 2; compat++) {
		g_autofree char *text = plot(good, 5, bad, 5, compat == 1);
		g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

		(void)state;
		for (size_t i = 0; lines[i + 1]; i++)
			assert_int_equal(strlen(lines[i]), 80);
		assert_int_equal(g_strv_length(lines) - 1, compat ? 20 : 19);
	}
}

/* Row 1 blank, title, blank, the frame of 15, two blank rows: as in the robot's mails.
 */
static void the_robot_s_geometry_is_kept_for_compatibility(void **state)
{
	static const double base[] = { 10, 12, 12, 10 }, head[] = { 18, 20, 18, 20 };
	g_autofree char *text = plot(base, 4, head, 4, true);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	(void)state;
	assert_string_equal(g_strchomp(lines[0]), "");
	assert_string_equal(g_strchomp(lines[1]), "                              "
						  "hackbench.throughput");
	assert_string_equal(g_strchomp(lines[2]), "");
	assert_true(g_str_has_prefix(lines[3], "  20 +----"));
	assert_string_equal(
		g_strchomp(lines[6]),
		"  18 |-+                                            O           "
		"            |");
	assert_string_equal(
		g_strchomp(lines[14]),
		"  12 |-+                 ....+......................+...        "
		"            |");
	assert_true(g_str_has_prefix(lines[17], "  10 +----"));
}

static void labels_never_collide(void **state)
{
	static const double near_a[] = { 1234567.01, 1234567.02 };
	static const double near_b[] = { 1234567.03, 1234567.04 };
	static const double cases[][2] = { { 0, 1e-12 },     { -3, 7 },
					   { 1e6, 1e6 },     { 0, 1e308 },
					   { 999, 1001 },    { 0, 0 },
					   { -1e308, 1e308 } };
	g_autofree char *text = plot(near_a, 2, near_b, 2, false);

	(void)state;
	for (size_t i = 0; i <= G_N_ELEMENTS(cases); i++) {
		g_autoptr(GHashTable) seen =
			g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
		g_auto(GStrv) lines = NULL;
		unsigned labels = 0;

		if (i > 0) {
			g_free(text);
			text = plot(cases[i - 1], 2, cases[i - 1], 2, false);
		}
		lines = g_strsplit(text, "\n", -1);
		for (size_t k = 3; k < 18; k++) {
			g_autofree char *label =
				g_strndup(lines[k], strcspn(lines[k], "|+") - 1);

			g_strstrip(label);
			if (!*label)
				continue;
			labels++;
			if (!g_hash_table_add(seen, g_strdup(label)))
				fail_msg("label '%s' twice in:\n%s", label, text);
		}
		assert_true(labels >= 2);
	}
}

static void ranges_far_apart_are_noted(void **state)
{
	static const double large[] = { 1e6, 2e6, 3e6 };
	g_autofree char *text = plot(large, 3, bad, 3, false);

	(void)state;
	assert_non_null(strstr(text,
			       "note: good samples are about 3.7e+04 times as large "
			       "as bad ones"));
}

static void samples_that_are_no_numbers_are_counted(void **state)
{
	static const double odd[] = { NAN, 100, INFINITY, -INFINITY };
	static const double none[] = { NAN };
	g_autofree char *text = plot(odd, 4, bad, 3, false);
	g_autofree char *nothing = plot(none, 1, NULL, 0, false);

	(void)state;
	assert_non_null(strstr(text, "note: 3 samples are no numbers, left out"));
	assert_string_equal(nothing, "no samples of hackbench.throughput\n");
}

static void any_numbers_are_survived(void **state)
{
	static const double odd[][2] = { { 1e308, -1e308 },  { 5e-324, 0 },
					 { 1e-320, 2e-320 }, { 1e15, 1e15 + 0.125 },
					 { -0.0, 0.0 },      { 1, NAN } };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(odd); i++)
		for (int compat = 0; compat < 2; compat++) {
			g_autofree char *text = plot(odd[i], 2, odd[i], 1, compat == 1);
			g_autoptr(GString) svg = g_string_new(NULL);

			render_plot_svg("m", odd[i], 2, odd[i], 1, svg);
			assert_non_null(strstr(text, "+"));
			assert_null(strstr(svg->str, "nan"));
			assert_null(strstr(svg->str, "inf"));
		}
}

/* ---- SVG --------------------------------------------------------------------------
 */

typedef struct seen {
	unsigned title, desc, circles, paths;
	bool outside; /* something is fetched from elsewhere */
} seen;

static void element(GMarkupParseContext *context, const gchar *name,
		    const gchar **names, const gchar **values, gpointer data,
		    GError **error)
{
	seen *s = data;

	(void)context;
	(void)error;
	s->title += strcmp(name, "title") == 0;
	s->desc += strcmp(name, "desc") == 0;
	s->circles += strcmp(name, "circle") == 0;
	s->paths += strcmp(name, "path") == 0;
	s->outside |= strcmp(name, "script") == 0 || strcmp(name, "image") == 0;
	for (size_t i = 0; names[i]; i++)
		s->outside |=
			strstr(names[i], "href") != NULL ||
			(strstr(values[i], "http") && strcmp(names[i], "xmlns") != 0);
}

static void the_svg_is_well_formed_alone_and_described(void **state)
{
	const GMarkupParser parser = { .start_element = element };
	seen s = { 0 };
	g_autoptr(GMarkupParseContext) context =
		g_markup_parse_context_new(&parser, 0, &s, NULL);
	g_autoptr(GString) out = g_string_new(NULL);
	g_autoptr(GError) error = NULL;

	(void)state;
	render_plot_svg("a<b>&\"c\"\x1b.score", good, 5, bad, 5, out);
	if (!g_markup_parse_context_parse(context, out->str, (gssize)out->len,
					  &error) ||
	    !g_markup_parse_context_end_parse(context, &error))
		fail_msg("%s", error->message);
	assert_int_equal(s.title, 1);
	assert_int_equal(s.desc, 1);
	assert_int_equal(s.circles, 5 + 1); /* and one in the legend */
	assert_int_equal(s.paths, 5 + 1);
	assert_false(s.outside);
	assert_non_null(strstr(out->str, "5 good samples from 98 to 104."));
	assert_null(strchr(out->str, '\x1b'));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_sample_is_seen_and_the_legend_tells_the_glyphs),
		cmocka_unit_test(samples_on_the_same_spot_have_a_glyph_of_their_own),
		cmocka_unit_test(every_line_is_eighty_columns_wide),
		cmocka_unit_test(the_robot_s_geometry_is_kept_for_compatibility),
		cmocka_unit_test(labels_never_collide),
		cmocka_unit_test(ranges_far_apart_are_noted),
		cmocka_unit_test(samples_that_are_no_numbers_are_counted),
		cmocka_unit_test(any_numbers_are_survived),
		cmocka_unit_test(the_svg_is_well_formed_alone_and_described),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
