/* SPDX-License-Identifier: MIT */
/*
 * Cells of a heat map: the arithmetic of the grid against properties that leave no freedom (a time
 * lies between the beginnings of its row and the next), and whole heat maps of small recordings.
 */

#include "heatmap/heatmap.h"

#include <string.h>

#include "heatmap/grid.h"
#include "heatmap/row-table.h"
#include "store/builder.h"
#include "store/error.h"
#include "store/limits.h"

#define MS(n) ((n)*NS_PER_MS)
#define S(n)  ((n)*NS_PER_SECOND)

/* --- the grid ------------------------------------------------------------------------------ */

/* Stamps on the edges of 20 ms rows, at bases where binary fractions of a second go wrong. */
static void test_row_edges(void)
{
	static const int64_t bases[] = { 0, 28648, 331669, 6034779, -17 };
	for (size_t i = 0; i < G_N_ELEMENTS(bases); i++) {
		GridSpan span = { S(bases[i]), S(bases[i]), S(bases[i]) + S(1) - 1 };
		Grid grid;
		g_assert_true(grid_init(&grid, &span, S(1), 50, NULL));
		g_assert_cmpuint(grid.n_columns, ==, 1);
		for (uint32_t k = 0; k < 50; k++) {
			uint32_t c, r;
			g_assert_true(grid_locate(&grid, S(bases[i]) + MS(20) * k, &c, &r));
			g_assert_cmpuint(r, ==, k);
			g_assert_true(
				grid_locate(&grid, S(bases[i]) + MS(20) * (k + 1) - 1, &c, &r));
			g_assert_cmpuint(r, ==, k);
		}
	}
}

/* Any column, any number of rows, any zero: a time is in the row that begins at or before it. */
static void test_rows_hold_their_times(void)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(1);
	for (int i = 0; i < 2000; i++) {
		int64_t column = g_rand_int_range(random, 1, 2000000000);
		uint32_t n_rows = (uint32_t)g_rand_int_range(random, 1, 300), c, r;
		int64_t zero = (int64_t)(g_rand_double(random) * 1e15) - 500000000000000;
		int64_t begin = zero + g_rand_int_range(random, -2000000000, 2000000000);
		GridSpan span = { zero, begin, begin + column * 3 };
		int64_t time = begin + g_rand_int_range(random, 0, (gint32)MIN(column, 2000000000));
		Grid grid;
		g_assert_true(grid_init(&grid, &span, column, n_rows, NULL));
		g_assert_true(grid_locate(&grid, time, &c, &r));
		int64_t column_begin = grid.origin_ns + c * column;
		g_assert_cmpint((column_begin - zero) % column, ==, 0);
		g_assert_cmpint(grid_row_begin(column, n_rows, r), <=, time - column_begin);
		g_assert_cmpint(grid_row_begin(column, n_rows, r + 1), >, time - column_begin);
		uint32_t row = r;
		int64_t row_begin = column_begin + grid_row_begin(column, n_rows, row);
		g_assert_true(grid_locate(&grid, row_begin, &c, &r));
		g_assert_cmpuint(r, ==, row);
		g_assert_true(grid_locate(&grid, span.begin_ns, &c, &r));
		g_assert_cmpuint(c, ==, 0);
		g_assert_true(grid_locate(&grid, span.last_ns, &c, &r));
		g_assert_cmpuint(c, ==, grid.n_columns - 1);
	}
}

static void test_outside(void)
{
	GridSpan span = { S(10), S(10), S(12) };
	Grid grid;
	uint32_t c, r;
	g_assert_true(grid_init(&grid, &span, S(1), 50, NULL));
	g_assert_cmpuint(grid.n_columns, ==, 3);
	g_assert_false(grid_locate(&grid, S(10) - 1, &c, &r));
	g_assert_false(grid_locate(&grid, S(13), &c, &r));
	g_assert_false(grid_locate(&grid, INT64_MIN, &c, &r));
	g_assert_false(grid_locate(&grid, INT64_MAX, &c, &r));
	g_assert_true(grid_locate(&grid, S(13) - 1, &c, &r));
}

/* The picture begins at zero, or before it where samples do; only ranges make it shorter. */
static void test_span(void)
{
	TimeFrame frame = { .zero_ns = S(5), .start_ns = S(7), .end_ns = S(20) + 1 };
	GridSpan span = grid_span(&frame, NULL, 0);
	g_assert_cmpint(span.begin_ns, ==, S(5));
	g_assert_cmpint(span.last_ns, ==, S(20));

	frame.zero_ns = S(100);
	g_assert_cmpint(grid_span(&frame, NULL, 0).begin_ns, ==, S(7));
	frame.zero_ns = S(5);

	const TimeRange ranges[] = { { S(8), S(9) }, { S(12), S(13) } };
	span = grid_span(&frame, ranges, 2);
	g_assert_cmpint(span.begin_ns, ==, S(8));
	g_assert_cmpint(span.last_ns, ==, S(13) - 1);
	g_assert_cmpuint(grid_n_columns(&span, S(1)), ==, 5);

	const TimeRange beyond = { S(1), S(90) }, empty = { S(9), S(9) };
	span = grid_span(&frame, &beyond, 1);
	g_assert_cmpint(span.begin_ns, ==, S(5));
	g_assert_cmpint(span.last_ns, ==, S(20));
	span = grid_span(&frame, &empty, 1);
	g_assert_cmpuint(grid_n_columns(&span, S(1)), ==, 1);
}

static int64_t auto_column(int64_t length_ns)
{
	GridSpan span = { 0, 0, length_ns - 1 };
	return grid_auto_column(&span);
}

static void test_auto_column(void)
{
	g_assert_cmpint(auto_column(S(20)), ==, S(1));
	g_assert_cmpint(auto_column(S(1800)), ==, S(1));
	g_assert_cmpint(auto_column(S(1800) + 1), ==, S(5));
	g_assert_cmpint(auto_column(S(9000)), ==, S(5));
	g_assert_cmpint(auto_column(S(9000) + 1), ==, S(10));
	g_assert_cmpint(auto_column(S(86400)), ==, S(60));
	g_assert_cmpint(auto_column(S(7 * 86400)), ==, S(600));
	g_assert_cmpint(auto_column(S(1000 * 86400ll)), ==, S(3600));
	g_assert_cmpint(auto_column(S(20) - 1), ==, MS(500));
	g_assert_cmpint(auto_column(S(19)), ==, MS(200));
	g_assert_cmpint(auto_column(S(4)), ==, MS(100));
	g_assert_cmpint(auto_column(MS(2000)), ==, MS(50));
	g_assert_cmpint(auto_column(MS(800)), ==, MS(20));
	g_assert_cmpint(auto_column(1), ==, MS(20));
}

static void test_limits(void)
{
	g_autoptr(GError) error = NULL;
	GridSpan span = { 0, 0, S(1000000) };
	Grid grid;
	g_assert_false(grid_init(&grid, &span, S(1), 50, &error));
	g_assert_error(error, FLAMEBEAT_ERROR, FLAMEBEAT_ERROR_LIMIT);
	g_assert_nonnull(strstr(error->message, "1000001 s"));
	g_assert_nonnull(strstr(error->message, "--range"));
	g_clear_error(&error);

	/* Ends that are no 64-bit times, and a count that is no 64-bit number. */
	span = (GridSpan){ INT64_MAX - 5, INT64_MAX - 5, INT64_MAX - 1 };
	g_assert_false(grid_init(&grid, &span, S(1), 50, &error));
	g_assert_error(error, FLAMEBEAT_ERROR, FLAMEBEAT_ERROR_LIMIT);
	g_clear_error(&error);
	span = (GridSpan){ INT64_MAX, INT64_MIN + 1, INT64_MAX };
	g_assert_false(grid_init(&grid, &span, 1, 50, &error));
	g_assert_error(error, FLAMEBEAT_ERROR, FLAMEBEAT_ERROR_LIMIT);
}

static void test_holes(void)
{
	TimeRange limits = { 100, 1000 };
	size_t n;
	g_autofree TimeRange *holes = grid_parse_holes(
		TEXT("0..150 200..300 x 400 5..  700..600 900..2000 250..320 1..2"), limits, &n);
	g_assert_cmpuint(n, ==, 3);
	g_assert_cmpint(holes[0].begin_ns, ==, 100);
	g_assert_cmpint(holes[0].end_ns, ==, 150);
	g_assert_cmpint(holes[1].begin_ns, ==, 200);
	g_assert_cmpint(holes[1].end_ns, ==, 320);
	g_assert_cmpint(holes[2].end_ns, ==, 1000);
	g_autofree TimeRange *none = grid_parse_holes((Text){ NULL, 0 }, limits, &n);
	g_assert_nonnull(none);
	g_assert_cmpuint(n, ==, 0);
}

static void test_row_table(void)
{
	g_autoptr(RowTable) table = row_table_new();
	uint32_t a = row_table_key(table, "a", 3), b = row_table_key(table, "b", 1);
	uint32_t c = row_table_key(table, "c", 2), d = row_table_key(table, "d", 0);
	g_assert_cmpuint(row_table_key(table, "b", 9), ==, b);
	row_table_weigh(table, a, 5);
	row_table_weigh(table, b, 7);
	row_table_weigh(table, c, 5);
	row_table_weigh(table, d, 1);

	g_assert_cmpuint(row_table_choose(table, 3, false), ==, 3);
	g_assert_cmpuint(row_table_row(table, b), ==, 2);
	g_assert_cmpuint(row_table_row(table, a), ==, 1);
	g_assert_cmpuint(row_table_row(table, c), ==, 0);
	g_assert_cmpuint(row_table_row(table, d), ==, ROW_NONE);

	g_assert_cmpuint(row_table_choose(table, 3, true), ==, 3);
	g_auto(GStrv) labels = row_table_labels(table);
	g_assert_cmpstr(labels[2], ==, "b");
	g_assert_cmpstr(labels[1], ==, "c");
	g_assert_cmpstr(labels[0], ==, "a");
}

/* --- whole heat maps ----------------------------------------------------------------------- */

typedef struct {
	Store *store;
	Selection *selection;
	Query query;
} Recording;

/* Samples at base + times[i] (0 ends them), alternating between two threads and CPUs 0 and 10;
 * every third has period 7, the others 1. */
static void recording_init(Recording *self, int64_t base, const int64_t *times, const char *range)
{
	g_autoptr(StoreBuilder) builder = store_builder_new();
	uint32_t event = store_builder_event(builder, TEXT("cycles"));
	StoreFrame frame = { .symbol = TEXT("work"), .dso = TEXT("/bin/work") };
	uint32_t stack = store_builder_stack(builder, 0, store_builder_frame(builder, &frame));
	StoreThread thread[2] = { { TEXT("one"), 1, 1 }, { TEXT("two"), ID_NONE, 2 } };
	for (size_t i = 0; times[i] != 0; i++) {
		Sample sample = { .time_ns = base + times[i],
				  .period = i % 3 == 0 ? 7 : 1,
				  .has_period = true,
				  .stack = stack,
				  .thread = store_builder_thread(builder, &thread[i % 2]),
				  .event = event,
				  .cpu = i % 2 == 0 ? 0 : 10 };
		g_assert_true(store_builder_add(builder, &sample));
	}
	self->store = store_builder_finish(builder, NULL);
	query_init(&self->query);
	if (range != NULL) {
		self->query.range = g_ptr_array_new_with_free_func(g_free);
		g_ptr_array_add(self->query.range, g_strdup(range));
	}
	self->selection = selection_new(self->store, &self->query, NULL, NULL);
	g_assert_nonnull(self->selection);
}

static void recording_clear(Recording *self)
{
	selection_free(self->selection);
	store_free(self->store);
	query_clear(&self->query);
}

static Heatmap *count(Recording *self, HeatmapSettings settings)
{
	g_autoptr(GError) error = NULL;
	Heatmap *map = heatmap_new(self->store, self->selection, &settings, NULL, &error);
	g_assert_no_error(error);
	return map;
}

static uint64_t sum_cells(const Heatmap *map)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < (size_t)map->n_columns * map->n_rows; i++)
		sum += map->cells[i];
	return sum;
}

static void test_sum(void)
{
	const int64_t times[] = { MS(1), MS(20), MS(20), MS(39), S(1) + MS(999), S(3), 0 };
	Recording recording;
	recording_init(&recording, S(28648), times, NULL);
	HeatmapSettings settings = { .column_ns = S(1), .cell = CELL_AUTO };
	g_autoptr(Heatmap) map = count(&recording, settings);
	g_assert_cmpuint(map->n_columns, ==, 4);
	g_assert_cmpuint(map->n_rows, ==, 50);
	g_assert_cmpuint(heatmap_cell(map, 0, 0), ==, 1);
	g_assert_cmpuint(heatmap_cell(map, 0, 1), ==, 3);
	g_assert_cmpuint(heatmap_cell(map, 1, 49), ==, 1);
	g_assert_cmpuint(heatmap_cell(map, 3, 0), ==, 1);
	g_assert_cmpuint(map->max, ==, 3);
	g_assert_cmpuint(map->total, ==, 6);
	g_assert_cmpuint(map->counts.weight, ==, 6);
	g_assert_cmpint(heatmap_cell_begin_ns(map, 1, 49), ==, S(28649) + MS(980));
	g_assert_cmpint(heatmap_cell_begin_ns(map, 1, 50), ==, S(28650));
	recording_clear(&recording);
}

/* Whatever the grid, no sample is lost and none counted twice. */
static void test_sums_agree(void)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(7);
	int64_t times[1001] = { 0 };
	Recording recording;
	for (int i = 0; i < 1000; i++)
		times[i] = 1 + (int64_t)(g_rand_double(random) * 30e9);
	recording_init(&recording, S(331669), times, NULL);
	for (int i = 0; i < 100; i++) {
		HeatmapSettings settings = {
			.column_ns = i == 0 ? 0 : g_rand_int_range(random, 3000000, 2000000000),
			.n_rows = (uint32_t)g_rand_int_range(random, 1, 130),
			.by = (HeatmapBy)(i % 6),
		};
		g_autoptr(Heatmap) map = count(&recording, settings);
		g_assert_cmpuint(sum_cells(map), ==, 1000);
		g_assert_cmpuint(map->total, ==, map->counts.weight);
	}
	recording_clear(&recording);
}

/* 60 s columns of 50 rows: 1.2 s a cell. A sum would hide that 5 of its 8 samples are one burst. */
static void test_peak(void)
{
	const int64_t times[] = { MS(100),  MS(300),  MS(500),	MS(1000), MS(1001), MS(1005),
				  MS(1019), MS(1019), MS(1020), S(61),	  0 };
	Recording recording;
	recording_init(&recording, S(5), times, NULL);
	HeatmapSettings settings = { .column_ns = S(60), .cell = CELL_PEAK };
	g_autoptr(Heatmap) map = count(&recording, settings);
	g_assert_cmpint(map->cell, ==, CELL_PEAK);
	g_assert_cmpuint(heatmap_cell(map, 0, 0), ==, 5);
	g_assert_cmpuint(heatmap_cell(map, 1, 0), ==, 1);
	g_assert_cmpuint(map->total, ==, 10);

	/* Rows of 20 ms are parts themselves. */
	settings.column_ns = S(1);
	g_autoptr(Heatmap) fine = count(&recording, settings);
	g_assert_cmpint(fine->cell, ==, CELL_SUM);
	g_assert_cmpuint(sum_cells(fine), ==, 10);
	recording_clear(&recording);
}

/* A part that reaches over the end of a column is cut there. */
static void test_peak_at_edge(void)
{
	const int64_t times[] = { MS(1), MS(1001), MS(1009), MS(1010), 0 };
	Recording recording;
	recording_init(&recording, S(5), times, NULL);
	HeatmapSettings settings = { .column_ns = MS(1010), .n_rows = 1, .cell = CELL_PEAK };
	g_autoptr(Heatmap) map = count(&recording, settings);
	g_assert_cmpuint(map->n_columns, ==, 2);
	g_assert_cmpuint(heatmap_cell(map, 0, 0), ==, 2);
	g_assert_cmpuint(heatmap_cell(map, 1, 0), ==, 1);
	recording_clear(&recording);
}

/* Peaks where the column is ours and its rows exceed 100 ms, sums elsewhere. */
static void test_auto_cell(void)
{
	const int64_t day[] = { S(1), S(86400), 0 }, hour[] = { S(1), S(3600), 0 };
	HeatmapSettings automatic = { .cell = CELL_AUTO };
	HeatmapSettings chosen = { .column_ns = S(60), .cell = CELL_AUTO };
	Recording recording;
	recording_init(&recording, 0, day, NULL);
	g_autoptr(Heatmap) long_rows = count(&recording, automatic);
	g_autoptr(Heatmap) told = count(&recording, chosen);
	recording_clear(&recording);
	recording_init(&recording, 0, hour, NULL);
	g_autoptr(Heatmap) short_rows = count(&recording, automatic);
	recording_clear(&recording);
	g_assert_cmpint(long_rows->column_ns, ==, S(60));
	g_assert_cmpint(long_rows->cell, ==, CELL_PEAK);
	g_assert_true(long_rows->is_auto_column);
	g_assert_cmpint(told->cell, ==, CELL_SUM);
	g_assert_false(told->is_auto_column);
	g_assert_cmpint(short_rows->column_ns, ==, S(5));
	g_assert_cmpint(short_rows->cell, ==, CELL_SUM);
}

static void test_by_cpu(void)
{
	const int64_t times[] = { MS(1), MS(2), MS(1500), MS(1600), MS(1700), 0 };
	Recording recording;
	recording_init(&recording, S(5), times, NULL);
	HeatmapSettings settings = { .column_ns = S(1), .by = HEATMAP_BY_CPU };
	g_autoptr(Heatmap) map = count(&recording, settings);
	g_assert_cmpuint(map->n_rows, ==, 2);
	g_assert_cmpstr(map->row_labels[1], ==, "CPU 0");
	g_assert_cmpstr(map->row_labels[0], ==, "CPU 10");
	g_assert_cmpuint(heatmap_cell(map, 0, 1), ==, 1);
	g_assert_cmpuint(heatmap_cell(map, 1, 1), ==, 2);
	g_assert_cmpuint(heatmap_cell(map, 1, 0), ==, 1);

	settings = (HeatmapSettings){ .column_ns = S(1), .by = HEATMAP_BY_THREAD, .n_rows = 1 };
	g_autoptr(Heatmap) top = count(&recording, settings);
	g_assert_cmpuint(top->n_rows, ==, 1);
	g_assert_cmpstr(top->row_labels[0], ==, "one 1/1");
	g_assert_cmpuint(top->total, ==, 3);
	g_assert_cmpuint(top->counts.weight, ==, 5);
	recording_clear(&recording);
}

static void test_ranges(void)
{
	const int64_t times[] = { MS(100), MS(2100), MS(2900), MS(3500), MS(9000), 0 };
	Recording recording;
	recording_init(&recording, S(100), times, "2.5..4");
	HeatmapSettings settings = { .column_ns = S(1) };
	g_autoptr(Heatmap) map = count(&recording, settings);
	g_assert_cmpuint(map->n_columns, ==, 2);
	g_assert_cmpint(map->origin_ns, ==, S(102));
	g_assert_cmpint(map->zero_ns, ==, S(100));
	g_assert_cmpuint(map->total, ==, 2);
	g_assert_cmpuint(map->n_ranges, ==, 1);
	g_assert_cmpint(map->ranges[0].begin_ns, ==, MS(102500));
	recording_clear(&recording);
}

static void test_is_hole(void)
{
	TimeRange holes[] = { { MS(40), MS(100) }, { MS(1500), MS(2000) } };
	Heatmap map = {
		.column_ns = S(1), .n_columns = 3, .n_rows = 50, .holes = holes, .n_holes = 2
	};
	g_assert_false(heatmap_is_hole(&map, 0, 1));
	g_assert_true(heatmap_is_hole(&map, 0, 2));
	g_assert_true(heatmap_is_hole(&map, 0, 4));
	g_assert_false(heatmap_is_hole(&map, 0, 5));
	g_assert_true(heatmap_is_hole(&map, 1, 49));
	g_assert_false(heatmap_is_hole(&map, 2, 0));
	map.by = HEATMAP_BY_CPU;
	g_assert_false(heatmap_is_hole(&map, 1, 0));
	holes[1].begin_ns = S(1);
	g_assert_true(heatmap_is_hole(&map, 1, 0));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/heatmap/grid/row-edges", test_row_edges);
	g_test_add_func("/heatmap/grid/rows-hold-their-times", test_rows_hold_their_times);
	g_test_add_func("/heatmap/grid/outside", test_outside);
	g_test_add_func("/heatmap/grid/span", test_span);
	g_test_add_func("/heatmap/grid/auto-column", test_auto_column);
	g_test_add_func("/heatmap/grid/limits", test_limits);
	g_test_add_func("/heatmap/grid/holes", test_holes);
	g_test_add_func("/heatmap/row-table", test_row_table);
	g_test_add_func("/heatmap/sum", test_sum);
	g_test_add_func("/heatmap/sums-agree", test_sums_agree);
	g_test_add_func("/heatmap/peak", test_peak);
	g_test_add_func("/heatmap/peak-at-edge", test_peak_at_edge);
	g_test_add_func("/heatmap/auto-cell", test_auto_cell);
	g_test_add_func("/heatmap/by-cpu", test_by_cpu);
	g_test_add_func("/heatmap/ranges", test_ranges);
	g_test_add_func("/heatmap/is-hole", test_is_hole);
	return g_test_run();
}
