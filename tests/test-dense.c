/* SPDX-License-Identifier: MIT */
/* Conspicuous ranges: planted ones are found to the cell, noise has none. */

#include "heatmap/dense.h"

#include <glib.h>
#include <math.h>

#define MS(n) ((n)*NS_PER_MS)

#define N_COLUMNS 60
#define N_ROWS	  50
#define N_CELLS	  (N_COLUMNS * N_ROWS)

/* A minute of 20 ms cells that starts at 100 s. */
typedef struct {
	Heatmap map;
	uint64_t cells[N_CELLS];
} Minute;

static void minute_init(Minute *self)
{
	*self = (Minute){ .map = { .origin_ns = MS(100000ll),
				   .zero_ns = MS(100000ll),
				   .column_ns = NS_PER_SECOND,
				   .n_columns = N_COLUMNS,
				   .n_rows = N_ROWS } };
	self->map.cells = self->cells;
}

/* Poisson noise of `mean` a cell (Knuth's way). */
static void add_noise(Minute *self, double mean, guint32 seed)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(seed);
	for (size_t i = 0; i < N_CELLS; i++) {
		double product = g_rand_double(random);
		for (; product > exp(-mean); product *= g_rand_double(random))
			self->cells[i]++;
	}
}

static void plant(Minute *self, size_t begin, size_t end, uint64_t weight)
{
	for (size_t i = begin; i < end; i++)
		self->cells[i] += weight;
}

/* Those that stand out clearly: they come first. */
static size_t count_clear(const DenseRange *found, size_t n)
{
	size_t n_clear = 0;
	while (n_clear < n && found[n_clear].is_clear)
		n_clear++;
	for (size_t i = n_clear; i < n; i++)
		g_assert_false(found[i].is_clear);
	return n_clear;
}

static size_t find(Minute *self, DenseRange *found, size_t max)
{
	self->map.total = self->map.max = 0;
	for (size_t i = 0; i < N_CELLS; i++) {
		self->map.total += self->cells[i];
		self->map.max = MAX(self->map.max, self->cells[i]);
	}
	return count_clear(found, heatmap_densest(&self->map, found, max));
}

static void check_cells(const DenseRange *found, int64_t begin, int64_t end)
{
	g_assert_cmpint(found->range.begin_ns, ==, MS(100000) + MS(20) * begin);
	g_assert_cmpint(found->range.end_ns, ==, MS(100000) + MS(20) * end);
}

/* Also one that runs over the end of a column. */
static void test_planted(void)
{
	Minute minute;
	DenseRange found[5];
	minute_init(&minute);
	add_noise(&minute, 1, 1);
	plant(&minute, 700, 711, 12);
	plant(&minute, 1995, 2010, 9);
	g_assert_cmpuint(find(&minute, found, 5), ==, 2);
	check_cells(&found[0], 700, 711);
	check_cells(&found[1], 1995, 2010);
	uint64_t weight = 0;
	for (size_t i = 700; i < 711; i++)
		weight += minute.cells[i];
	g_assert_cmpuint(found[0].weight, ==, weight);
	double average = (double)minute.map.total / N_CELLS * 11;
	g_assert_cmpfloat_with_epsilon(found[0].ratio, (double)weight / average, 0.05);
}

static void test_single_cell(void)
{
	Minute minute;
	DenseRange found[5];
	minute_init(&minute);
	add_noise(&minute, 0.3, 2);
	plant(&minute, 1234, 1235, 20);
	g_assert_cmpuint(find(&minute, found, 5), ==, 1);
	check_cells(&found[0], 1234, 1235);
}

/* A burst with a silent cell in it is one; two bursts a second apart are two. */
static void test_gaps(void)
{
	Minute minute;
	DenseRange found[5];
	minute_init(&minute);
	add_noise(&minute, 0.2, 3);
	plant(&minute, 500, 504, 8);
	plant(&minute, 505, 510, 8);
	plant(&minute, 560, 569, 8);
	minute.cells[504] = minute.cells[499] = minute.cells[559] = 0;
	g_assert_cmpuint(find(&minute, found, 5), ==, 2);
	gint64 first = MIN(found[0].range.begin_ns, found[1].range.begin_ns);
	gint64 second = MAX(found[0].range.begin_ns, found[1].range.begin_ns);
	g_assert_cmpint(first, ==, MS(100000) + MS(20) * 500);
	g_assert_cmpint(second, ==, MS(100000) + MS(20) * 560);
}

static void test_noise(void)
{
	static const double means[] = { 0.05, 0.5, 3, 40 };
	DenseRange found[5];
	size_t n_found = 0;
	for (size_t i = 0; i < G_N_ELEMENTS(means); i++) {
		for (guint32 seed = 10; seed < 35; seed++) {
			Minute minute;
			minute_init(&minute);
			add_noise(&minute, means[i], seed);
			n_found += find(&minute, found, 5);
		}
	}
	g_assert_cmpuint(n_found, <=, 5); /* of 100 */
}

static void test_nothing(void)
{
	Minute minute;
	DenseRange found[5];
	minute_init(&minute);
	g_assert_cmpuint(find(&minute, found, 5), ==, 0);
	plant(&minute, 0, N_CELLS, 7);
	g_assert_cmpuint(find(&minute, found, 5), ==, 0);
}

/* Time without coverage is neither quiet nor part of a range: with it the rest is not dense. */
static void test_holes(void)
{
	Minute minute;
	DenseRange found[5];
	TimeRange hole = { MS(100000) + MS(20) * 100, MS(100000) + MS(20) * 2900 };
	minute_init(&minute);
	plant(&minute, 0, 100, 5);
	plant(&minute, 2900, 3000, 5);
	g_assert_cmpuint(find(&minute, found, 5), ==, 2);
	minute.map.holes = &hole;
	minute.map.n_holes = 1;
	g_assert_cmpuint(find(&minute, found, 5), ==, 0);
}

/* Weighed by period, a sample counts for thousands; that makes noise no more conspicuous. */
static void test_periods(void)
{
	Minute minute;
	DenseRange found[5];
	minute_init(&minute);
	add_noise(&minute, 1, 5);
	plant(&minute, 700, 711, 12);
	find(&minute, found, 1);
	minute.map.counts.samples = minute.map.total;
	for (size_t i = 0; i < N_CELLS; i++)
		minute.cells[i] *= 10101010;
	minute.map.counts.weight = minute.map.counts.samples * 10101010;
	g_assert_cmpuint(find(&minute, found, 5), ==, 1);
	check_cells(&found[0], 700, 711);
}

/* Of peaks, the weight is the heaviest 20 ms, and the average is that of 20 ms. */
static void test_peaks(void)
{
	Minute minute;
	DenseRange found[5];
	minute_init(&minute);
	minute.map.column_ns = 60 * NS_PER_SECOND;
	minute.map.cell = CELL_PEAK;
	plant(&minute, 0, N_CELLS, 2);
	plant(&minute, 77, 78, 40);
	find(&minute, found, 1);
	minute.map.total = 180000; /* over an hour: one in 20 ms */
	g_assert_cmpuint(count_clear(found, heatmap_densest(&minute.map, found, 5)), ==, 1);
	g_assert_cmpint(found[0].range.begin_ns, ==, MS(100000) + MS(1200) * 77);
	g_assert_cmpuint(found[0].weight, ==, 42);
	g_assert_cmpfloat_with_epsilon(found[0].ratio, 42, 0.01);
}

/* Where rows are CPUs, time is that of columns. */
static void test_by_cpu(void)
{
	Minute minute;
	DenseRange found[5];
	minute_init(&minute);
	minute.map.by = HEATMAP_BY_CPU;
	add_noise(&minute, 1, 6);
	plant(&minute, 30 * N_ROWS, 31 * N_ROWS, 4);
	g_assert_cmpuint(find(&minute, found, 5), ==, 1);
	check_cells(&found[0], 30 * N_ROWS, 31 * N_ROWS);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/heatmap/dense/planted", test_planted);
	g_test_add_func("/heatmap/dense/single-cell", test_single_cell);
	g_test_add_func("/heatmap/dense/gaps", test_gaps);
	g_test_add_func("/heatmap/dense/noise", test_noise);
	g_test_add_func("/heatmap/dense/nothing", test_nothing);
	g_test_add_func("/heatmap/dense/holes", test_holes);
	g_test_add_func("/heatmap/dense/periods", test_periods);
	g_test_add_func("/heatmap/dense/peaks", test_peaks);
	g_test_add_func("/heatmap/dense/by-cpu", test_by_cpu);
	return g_test_run();
}
