/* SPDX-License-Identifier: MIT */
/* Capacity and surprise: what a colour means does not depend on the rest of the picture. */

#include "heatmap/shade.h"

#include <glib.h>

#include "heatmap/grid.h"

#define N_COLUMNS 60
#define N_ROWS	  20

/* A machine of 4 CPUs at 100 Hz: a cell of 50 ms holds 20 samples. */
static Heatmap make_map(uint64_t *cells, uint32_t n_columns)
{
	return (Heatmap){ .column_ns = NS_PER_SECOND,
			  .n_columns = n_columns,
			  .n_rows = N_ROWS,
			  .sampling = { .hz = 100, .n_cpus = 4 },
			  .cells = cells };
}

static void shade(Shade *self, const Heatmap *map, ScaleKind kind)
{
	g_autoptr(GError) error = NULL;
	shade_init(self, map, kind, &error);
	g_assert_no_error(error);
}

/* Level of the cell as it is drawn. */
static uint32_t level(const Shade *self, ScaleKind kind, uint32_t c, uint32_t r)
{
	Scale scale = scale_new(kind, &self->map);
	return scale_level(&scale, heatmap_cell(&self->map, c, r));
}

static void test_capacity(void)
{
	uint64_t cells[N_COLUMNS * N_ROWS] = { 10, 20, 30, 1, 0, 5 };
	Heatmap map = make_map(cells, N_COLUMNS);
	g_auto(Shade) self = { .cells = NULL };
	shade(&self, &map, SCALE_CAPACITY);
	g_assert_cmpuint(level(&self, SCALE_CAPACITY, 0, 0), ==, SCALE_LEVELS / 2);
	g_assert_cmpuint(level(&self, SCALE_CAPACITY, 0, 1), ==, SCALE_LEVELS);
	g_assert_cmpuint(level(&self, SCALE_CAPACITY, 0, 2), ==, SCALE_LEVELS);
	g_assert_cmpuint(level(&self, SCALE_CAPACITY, 0, 3), ==, SCALE_LEVELS / 20);
	g_assert_cmpuint(level(&self, SCALE_CAPACITY, 0, 4), ==, 0);
	g_assert_cmpuint(level(&self, SCALE_CAPACITY, 0, 5), ==, SCALE_LEVELS / 4);
	g_assert_cmpfloat(shade_capacity(&map), ==, 20);
}

/* Neither the length of the recording nor an outlier changes another cell. */
static void test_capacity_is_absolute(void)
{
	uint64_t a[N_COLUMNS * N_ROWS], b[2 * N_ROWS];
	for (size_t i = 0; i < G_N_ELEMENTS(a); i++)
		a[i] = i % 21;
	for (size_t i = 0; i < G_N_ELEMENTS(b); i++)
		b[i] = a[i];
	b[7] = 100000;
	Heatmap long_map = make_map(a, N_COLUMNS), short_map = make_map(b, 2);
	g_auto(Shade) x = { .cells = NULL }, y = { .cells = NULL };
	shade(&x, &long_map, SCALE_CAPACITY);
	shade(&y, &short_map, SCALE_CAPACITY);
	for (uint32_t i = 0; i < 2 * N_ROWS; i++) {
		if (i != 7)
			g_assert_cmpuint(level(&x, SCALE_CAPACITY, i / N_ROWS, i % N_ROWS), ==,
					 level(&y, SCALE_CAPACITY, i / N_ROWS, i % N_ROWS));
	}
}

/* Half of the cell is not covered: 10 samples are all that it can hold. */
static void test_capacity_divides_by_covered_time(void)
{
	uint64_t cells[2 * N_ROWS] = { 10, 10 };
	TimeRange hole = { 50 * NS_PER_MS, 75 * NS_PER_MS };
	Heatmap map = make_map(cells, 2);
	map.holes = &hole;
	map.n_holes = 1;
	g_auto(Shade) self = { .cells = NULL };
	shade(&self, &map, SCALE_CAPACITY);
	g_assert_cmpuint(level(&self, SCALE_CAPACITY, 0, 0), ==, SCALE_LEVELS / 2);
	g_assert_cmpuint(level(&self, SCALE_CAPACITY, 0, 1), ==, SCALE_LEVELS);
}

static void test_capacity_needs_the_machine(void)
{
	uint64_t cells[2 * N_ROWS] = { 1 };
	Heatmap map = make_map(cells, 2);
	g_autoptr(GError) error = NULL;
	g_auto(Shade) self = { .cells = NULL };
	map.sampling.hz = 0;
	g_assert_false(shade_init(&self, &map, SCALE_CAPACITY, &error));
	g_assert_nonnull(strstr(error->message, "give --hz N"));
	g_clear_error(&error);
	map.sampling = (Sampling){ .hz = 99 };
	g_assert_false(shade_init(&self, &map, SCALE_CAPACITY, &error));
	g_assert_nonnull(strstr(error->message, "give --cpus N"));
}

/* What `n_tries` ticks of CPUs yield that are busy for `share` of the time. */
static uint64_t draw(GRand *rand, int n_tries, double share)
{
	uint64_t n = 0;
	for (int i = 0; i < n_tries; i++)
		n += g_rand_double(rand) < share;
	return n;
}

static double mean_z(const Shade *self, uint32_t r)
{
	double sum = 0;
	for (uint32_t c = 0; c < N_COLUMNS; c++)
		sum += shade_z(level(self, SCALE_SURPRISE, c, r));
	return sum / N_COLUMNS;
}

/* A band of 5 points on a background of 60 %: less than a step of the linear scale's colours, but
 * clear of every other row in surprise. */
static void test_weak_band(void)
{
	for (guint32 seed = 1; seed <= 20; seed++) {
		g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
		uint64_t cells[N_COLUMNS * N_ROWS];
		for (uint32_t i = 0; i < N_COLUMNS * N_ROWS; i++)
			cells[i] = draw(rand, 320, i % N_ROWS == 7 ? 0.65 : 0.6);
		Heatmap map = make_map(cells, N_COLUMNS);
		g_auto(Shade) self = { .cells = NULL };
		shade(&self, &map, SCALE_SURPRISE);
		double band = mean_z(&self, 7);
		g_assert_cmpfloat(band, >, 3);
		for (uint32_t r = 0; r < N_ROWS; r++) {
			if (r != 7)
				g_assert_cmpfloat(mean_z(&self, r), <, band - 2);
		}
	}
}

/* One outlier is the top colour, and no other cell's colour is seen to change. */
static void test_outlier_changes_nothing_else(void)
{
	g_autoptr(GRand) rand = g_rand_new_with_seed(5);
	uint64_t cells[N_COLUMNS * N_ROWS];
	for (uint32_t i = 0; i < N_COLUMNS * N_ROWS; i++)
		cells[i] = draw(rand, 20, 0.5);
	Heatmap map = make_map(cells, N_COLUMNS);
	g_auto(Shade) before = { .cells = NULL }, after = { .cells = NULL };
	shade(&before, &map, SCALE_SURPRISE);
	cells[10 * N_ROWS + 3] = 5000;
	shade(&after, &map, SCALE_SURPRISE);
	g_assert_cmpuint(level(&after, SCALE_SURPRISE, 10, 3), ==, SCALE_LEVELS);
	for (uint32_t c = 0; c < N_COLUMNS; c++) {
		for (uint32_t r = 0; r < N_ROWS; r++) {
			if (c != 10 || r != 3)
				g_assert_cmpint(ABS((int)level(&before, SCALE_SURPRISE, c, r) -
						    (int)level(&after, SCALE_SURPRISE, c, r)),
						<=, 3);
		}
	}
}

/* A column that is busier all along is no surprise in any of its rows. */
static void test_columns_are_taken_out(void)
{
	uint64_t cells[N_COLUMNS * N_ROWS];
	for (uint32_t i = 0; i < N_COLUMNS * N_ROWS; i++)
		cells[i] = i / N_ROWS == 30 ? 16 : 8;
	Heatmap map = make_map(cells, N_COLUMNS);
	g_auto(Shade) self = { .cells = NULL };
	shade(&self, &map, SCALE_SURPRISE);
	for (uint32_t i = 0; i < N_COLUMNS * N_ROWS; i++)
		g_assert_cmpfloat(
			ABS(shade_z(level(&self, SCALE_SURPRISE, i / N_ROWS, i % N_ROWS))), <, 0.1);
}

static void test_holes_are_no_surprise(void)
{
	uint64_t cells[N_COLUMNS * N_ROWS];
	TimeRange hole = { 10 * NS_PER_SECOND, 20 * NS_PER_SECOND };
	for (uint32_t i = 0; i < N_COLUMNS * N_ROWS; i++)
		cells[i] = i / N_ROWS >= 10 && i / N_ROWS < 20 ? 0 : 8;
	Heatmap map = make_map(cells, N_COLUMNS);
	map.holes = &hole;
	map.n_holes = 1;
	g_auto(Shade) self = { .cells = NULL };
	shade(&self, &map, SCALE_SURPRISE);
	g_assert_cmpuint(heatmap_cell(&self.map, 15, 0), ==, 0);
	g_assert_cmpfloat(ABS(shade_z(level(&self, SCALE_SURPRISE, 30, 0))), <, 0.1);
}

static void test_auto_rows(void)
{
	g_assert_cmpuint(grid_auto_rows(NS_PER_SECOND, 99), ==, 33);
	g_assert_cmpuint(grid_auto_rows(NS_PER_SECOND, 49), ==, 49);
	g_assert_cmpuint(grid_auto_rows(NS_PER_SECOND, 100), ==, 50);
	g_assert_cmpuint(grid_auto_rows(NS_PER_SECOND, 999), ==, 37);
	g_assert_cmpuint(grid_auto_rows(NS_PER_SECOND, 997), ==, 0);
	g_assert_cmpuint(grid_auto_rows(5 * NS_PER_SECOND, 99), ==, 45);
	g_assert_cmpuint(grid_auto_rows(1300 * NS_PER_MS, 99), ==, 0);
	g_assert_cmpuint(grid_auto_rows(NS_PER_SECOND, 0), ==, 0);
	g_assert_cmpuint(grid_auto_rows(NS_PER_SECOND, 1e300), ==, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/shade/capacity", test_capacity);
	g_test_add_func("/shade/capacity/absolute", test_capacity_is_absolute);
	g_test_add_func("/shade/capacity/covered", test_capacity_divides_by_covered_time);
	g_test_add_func("/shade/capacity/unknown", test_capacity_needs_the_machine);
	g_test_add_func("/shade/surprise/weak-band", test_weak_band);
	g_test_add_func("/shade/surprise/outlier", test_outlier_changes_nothing_else);
	g_test_add_func("/shade/surprise/columns", test_columns_are_taken_out);
	g_test_add_func("/shade/surprise/holes", test_holes_are_no_surprise);
	g_test_add_func("/grid/auto-rows", test_auto_rows);
	return g_test_run();
}
