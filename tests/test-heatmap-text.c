/* SPDX-License-Identifier: MIT */
/* Heat maps as text: JSON and terminal pictures as a whole, and the words and axes they share. */

#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "render/formats.h"
#include "render/heatmap-words.h"
#include "render/time-axis.h"
#include "tests/heatmap-fixture.h"

/* --- JSON ---------------------------------------------------------------------------------- */

static void check_text(DrawFunc function, const Heatmap *map, const HeatmapStyle *style,
		       const char *expected)
{
	Bytes text = draw(function, map, &caption, style);
	g_assert_cmpstr(text.data, ==, expected);
	free(text.data);
}

static void test_json(void)
{
	uint64_t cells[] = { 1, 0, 2, 0, 5, 0 };
	TimeRange hole = { 101 * NS_PER_SECOND, 101500000000 };
	Heatmap map = { .origin_ns = 99 * NS_PER_SECOND,
			.zero_ns = 100 * NS_PER_SECOND,
			.column_ns = NS_PER_SECOND,
			.n_columns = 2,
			.n_rows = 3,
			.cells = cells,
			.max = 5,
			.total = 8,
			.counts = { .samples = 8,
				    .idle = 1,
				    .idle_presumed = 2,
				    .other_event = 3,
				    .filtered = 4 },
			.holes = &hole,
			.n_holes = 1 };
	check_text(heatmap_json, &map, &(HeatmapStyle){ 0 },
		   "{\"rows\":[666.666667,333.333333,0],\"columns\":[0,1],"
		   "\"values\":[[2,0,1],[0,5,0]],\"maxvalue\":5,"
		   "\"schema\":\"flamebeat/heatmap/1\",\"unit\":\"samples\",\"event\":\"cycles\","
		   "\"column_ns\":1000000000,\"zero_ns\":100000000000,\"origin_ns\":99000000000,"
		   "\"by\":\"time\",\"cell\":\"sum\",\"total\":8,\"samples\":8,\"dropped\":{"
		   "\"idle\":1,\"idle_presumed\":2,\"other_event\":3,\"filtered\":4},"
		   "\"holes\":[{\"begin_ns\":1000000000,\"end_ns\":1500000000}],"
		   "\"options\":\"--rows 50\"}\n");
}

/* --- the terminal -------------------------------------------------------------------------- */

static void test_term_plain(void)
{
	uint64_t cells[] = { 0, 1, 2, 4, 4, 2, 1, 0 };
	HeatmapStyle style = { .palette = &palettes[0], .width = 40 };
	Heatmap map = { .zero_ns = 100 * NS_PER_SECOND,
			.origin_ns = 102 * NS_PER_SECOND,
			.column_ns = NS_PER_SECOND,
			.n_columns = 2,
			.n_rows = 4,
			.cells = cells,
			.max = 4,
			.total = 14 };
	check_text(heatmap_term, &map, &style,
		   "a title\nfirst line\nsecond line\n\n"
		   "time within each second (ms)\n"
		   "    |@@@@    |\n"
		   "    |++++----|\n"
		   "    |----++++|\n"
		   "   0|    @@@@|\n"
		   "     |2\n"
		   "time in seconds; one column is 1 s\n\n"
		   "samples per cell (1 s / 4 = 250 ms):  ' ' 0  '-' 1  '+' 2  '#' 3  '@' 4\n\n"
		   "no range stands out from the average\n");
}

/* Merged columns show the largest, so that a spike is as dark as on its own; merged rows add up. */
static void test_term_merging(void)
{
	HeatmapStyle style = { .palette = &palettes[0], .width = 45 };
	Heatmap map = { .column_ns = NS_PER_SECOND, .n_columns = 400, .n_rows = 50 };
	map.cells = g_new0(uint64_t, 400 * 50);
	map.cells[203 * 50 + 1] = 9;
	map.cells[203 * 50 + 0] = 9;
	map.cells[205 * 50 + 0] = 9; /* behind the same character */
	map.max = 9;
	map.total = 27;
	Bytes text = draw(heatmap_term, &map, &caption, &style);
	g_assert_nonnull(strstr(text.data, "   0|                  @                  |\n"));
	g_assert_nonnull(strstr(text.data, "'@' 17"));
	g_assert_nonnull(strstr(text.data, "the largest of 11 columns and the sum of 2 rows"));
	g_assert_nonnull(strstr(text.data, "--range 203..203.04  18 samples"));
	g_auto(GStrv) lines = g_strsplit(text.data, "\n", -1);
	guint n_grid = 0;
	for (char **line = lines; *line != NULL; line++) {
		n_grid += g_str_has_suffix(*line, "|");
		g_assert_cmpuint(g_str_has_suffix(*line, "|") ? strlen(*line) : 0, <=, style.width);
	}
	g_assert_cmpuint(n_grid, ==, 25);
	g_free(map.cells);
	free(text.data);
}

/* Half blocks: two rows a line, upper in front; a colour is set only where it changes. */
static void test_term_colour(void)
{
	uint64_t cells[] = { 4, 0, 4, 4, 0, 0 };
	HeatmapStyle style = { .palette = &palettes[0],
			       .width = 12,
			       .is_colour = true,
			       .is_utf8 = true,
			       .n_colours = 1 << 24,
			       .cell_width = 1 };
	Heatmap map = { .column_ns = NS_PER_SECOND,
			.n_columns = 3,
			.n_rows = 2,
			.cells = cells,
			.max = 4,
			.total = 12 };
	Bytes text = draw(heatmap_term, &map, &caption, &style);
	g_assert_nonnull(strstr(text.data, "\x1b[38;2;255;255;255m\x1b[48;2;229;9;20m\xe2\x96\x80"
					   " "
					   "\x1b[48;2;255;255;255m \x1b[0m\n"));
	free(text.data);
	style.n_colours = 256;
	text = draw(heatmap_term, &map, &caption, &style);
	g_assert_nonnull(strstr(text.data, "\x1b[38;5;231m\x1b[48;5;160m\xe2\x96\x80"));
	free(text.data);
	style.n_colours = 16;
	text = draw(heatmap_term, &map, &caption, &style);
	g_assert_nonnull(strstr(text.data, "\x1b[30m\x1b[107m\xe2\x96\x80"));
	free(text.data);
}

/* --- words and axes ------------------------------------------------------------------------ */

static void check_word(char *text, const char *expected)
{
	g_assert_cmpstr(text, ==, expected);
	g_free(text);
}

static void test_words(void)
{
	check_word(words_duration(20 * NS_PER_MS), "20 ms");
	check_word(words_duration(1300 * NS_PER_MS), "1.3 s");
	check_word(words_duration(300 * NS_PER_SECOND), "5 min");
	check_word(words_duration(3600 * NS_PER_SECOND), "1 h");
	check_word(words_duration(90 * NS_PER_SECOND), "90 s");
	check_word(words_duration(1500), "1.5 us");
	check_word(words_weight(99999), "99,999");
	check_word(words_weight(123456), "123k");
	check_word(words_weight(1234567), "1.23M");
	check_word(words_weight(98765432100ull), "98.7G");
	check_word(words_weight(UINT64_MAX), "18.4E");
	check_word(words_range((TimeRange){ 112400000000, 112620000000 }, 100 * NS_PER_SECOND),
		   "12.4..12.62");
	check_word(words_range((TimeRange){ 99500000000, 112620000000 }, 100 * NS_PER_SECOND),
		   "@99.5..112.62");
	Heatmap map = { .column_ns = NS_PER_SECOND, .n_rows = 30 };
	check_word(words_cell(&map, "samples"), "samples per cell (1 s / 30 = 33.33 ms)");
	map = (Heatmap){ .column_ns = 10 * NS_PER_SECOND, .n_rows = 50, .cell = CELL_PEAK };
	check_word(words_cell(&map, "samples"),
		   "samples in the busiest 20 ms of each cell (10 s / 50 = 200 ms)");
}

static void test_axis(void)
{
	g_assert_cmpint(time_axis_step(1), ==, 1);
	g_assert_cmpint(time_axis_step(110 * NS_PER_MS), ==, 200 * NS_PER_MS);
	g_assert_cmpint(time_axis_step(21 * NS_PER_SECOND), ==, 30 * NS_PER_SECOND);
	g_assert_cmpint(time_axis_step(601 * NS_PER_SECOND), ==, 1200 * NS_PER_SECOND);
	g_assert_cmpint(time_axis_step(90000 * NS_PER_SECOND), ==, 172800 * NS_PER_SECOND);
	g_assert_cmpint(time_axis_step(INT64_MAX), ==, INT64_MAX);
	g_assert_cmpint(time_axis_column_step(NS_PER_SECOND, 6 * NS_PER_SECOND), ==,
			10 * NS_PER_SECOND);
	g_assert_cmpint(time_axis_column_step(1300 * NS_PER_MS, 9 * NS_PER_SECOND), ==,
			13 * NS_PER_SECOND);
	check_word(time_axis_clock(90 * NS_PER_SECOND), "1:30");
	check_word(time_axis_clock(7500 * NS_PER_SECOND), "2:05:00");
	check_word(time_axis_clock(-5 * NS_PER_SECOND), "-0:05");
	check_word(time_axis_number(200 * NS_PER_MS, time_axis_unit(NS_PER_SECOND)), "200");
	check_word(time_axis_number(120 * NS_PER_SECOND, time_axis_unit(300 * NS_PER_SECOND)), "2");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/heatmap/json", test_json);
	g_test_add_func("/heatmap/term/plain", test_term_plain);
	g_test_add_func("/heatmap/term/merging", test_term_merging);
	g_test_add_func("/heatmap/term/colour", test_term_colour);
	g_test_add_func("/heatmap/words", test_words);
	g_test_add_func("/heatmap/axis", test_axis);
	return g_test_run();
}
