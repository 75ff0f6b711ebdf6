/* SPDX-License-Identifier: MIT */
/*
 * Cells as shares of capacity, and as z-scores. The expectation of a cell is its row's rate times
 * its column's rate over that of all, times its covered time, from cells that are no outliers:
 * found by turns, first with all cells, then without those that stand out.
 */

#include "heatmap/shade.h"

#include <math.h>

#include "store/error.h"

#define N_TURNS	  4
#define OUTLIER_Z 5.0

static bool init_map(Shade *self, const Heatmap *heatmap)
{
	size_t n_cells = (size_t)heatmap->n_columns * heatmap->n_rows;
	self->map = *heatmap;
	self->map.cell = CELL_PEAK;
	self->map.max = 0;
	self->map.cells = self->cells = g_try_new0(uint64_t, n_cells);
	return self->cells != NULL;
}

void shade_clear(Shade *self)
{
	g_clear_pointer(&self->cells, g_free);
}

static void set_cell(Shade *self, uint32_t c, uint32_t r, uint64_t value)
{
	self->map.cells[(size_t)c * self->map.n_rows + r] = value;
	self->map.max = MAX(self->map.max, value);
}

/* --- capacity ------------------------------------------------------------------------------ */

static int64_t cell_ns(const Heatmap *heatmap)
{
	if (heatmap->cell == CELL_PEAK)
		return CELL_PART_NS;
	return heatmap->by == HEATMAP_BY_TIME ? heatmap->column_ns / heatmap->n_rows
					      : heatmap->column_ns;
}

/* Samples a second of all that one row can hold. */
static double full_rate(const Heatmap *heatmap)
{
	bool is_single = heatmap->by == HEATMAP_BY_CPU || heatmap->by == HEATMAP_BY_THREAD;
	return heatmap->sampling.hz * (is_single ? 1 : heatmap->sampling.n_cpus);
}

double shade_capacity(const Heatmap *heatmap)
{
	return full_rate(heatmap) * (double)cell_ns(heatmap) / NS_PER_SECOND;
}

static void fill_capacity(Shade *self, const Heatmap *heatmap)
{
	double rate = full_rate(heatmap) / NS_PER_SECOND;
	for (uint32_t c = 0; c < heatmap->n_columns; c++) {
		for (uint32_t r = 0; r < heatmap->n_rows; r++) {
			int64_t covered_ns = heatmap_covered_ns(heatmap, c, r);
			uint64_t weight = heatmap_cell(heatmap, c, r);
			if (heatmap->cell == CELL_PEAK)
				covered_ns = MIN(covered_ns, CELL_PART_NS);
			if (weight == 0 || covered_ns == 0)
				continue;
			double share = (double)weight / (rate * (double)covered_ns);
			set_cell(self, c, r,
				 (uint64_t)CLAMP(ceil(share * SHADE_CAPACITY - 1e-6), 1, 1e15));
		}
	}
}

static bool check_capacity(const Heatmap *heatmap, GError **error)
{
	const Sampling *sampling = &heatmap->sampling;
	if (sampling->hz > 0 && sampling->n_cpus > 0)
		return true;
	return fail(error, FLAMEBEAT_ERROR_USAGE,
		    "--scale capacity: the recording tells no %s: give %s",
		    sampling->hz > 0	   ? "CPUs"
		    : sampling->n_cpus > 0 ? "sampling frequency"
					   : "CPUs and no sampling frequency",
		    sampling->hz > 0	   ? "--cpus N"
		    : sampling->n_cpus > 0 ? "--hz N"
					   : "--cpus N --hz N");
}

/* --- surprise ------------------------------------------------------------------------------ */

/* What is expected: sums and covered cells of rows and columns, outliers left out. */
typedef struct {
	const Heatmap *heatmap;
	double sample;	  /* weight of one */
	double *exposure; /* covered share of each cell */
	double *row_sum, *row_exposure, *column_sum, *column_exposure;
	double sum, total_exposure;
} Expectation;

static void expectation_init(Expectation *self, const Heatmap *heatmap)
{
	uint32_t n_rows = heatmap->n_rows, n_columns = heatmap->n_columns;
	*self = (Expectation){ .heatmap = heatmap,
			       .sample = 1,
			       .exposure = g_new(double, (size_t)n_rows *n_columns),
			       .row_sum = g_new0(double, n_rows),
			       .row_exposure = g_new0(double, n_rows),
			       .column_sum = g_new0(double, n_columns),
			       .column_exposure = g_new0(double, n_columns) };
	if (heatmap->counts.samples > 0 && heatmap->counts.weight > 0)
		self->sample = (double)heatmap->counts.weight / (double)heatmap->counts.samples;
	for (uint32_t c = 0; c < n_columns; c++) {
		for (uint32_t r = 0; r < n_rows; r++) {
			TimeRange range = heatmap_cell_range(heatmap, c, r);
			int64_t length_ns = MAX(range.end_ns - range.begin_ns, 1);
			self->exposure[(size_t)c * n_rows + r] =
				(double)heatmap_covered_ns(heatmap, c, r) / (double)length_ns;
		}
	}
}

static void expectation_clear(Expectation *self)
{
	g_free(self->exposure);
	g_free(self->row_sum);
	g_free(self->row_exposure);
	g_free(self->column_sum);
	g_free(self->column_exposure);
}

static double exposure_of(const Expectation *self, uint32_t c, uint32_t r)
{
	return self->exposure[(size_t)c * self->heatmap->n_rows + r];
}

/* Samples expected in a cell. */
static double expected(const Expectation *self, uint32_t c, uint32_t r)
{
	double row = self->row_sum[r] / MAX(self->row_exposure[r], 1e-9);
	double column = self->column_sum[c] / MAX(self->column_exposure[c], 1e-9);
	double mean = self->sum / MAX(self->total_exposure, 1e-9);
	return mean > 0 ? exposure_of(self, c, r) * row * column / mean : 0;
}

/* Anscombe's transform makes a Poisson count nearly normal with deviation 1. */
static double z_score(double found, double mean)
{
	return 2 * (sqrt(found + 0.375) - sqrt(mean + 0.375));
}

static double cell_z(const Expectation *self, uint32_t c, uint32_t r)
{
	double found = (double)heatmap_cell(self->heatmap, c, r) / self->sample;
	return z_score(found, expected(self, c, r));
}

/* How far a row is from what all rows have in the same columns. */
static double row_z(const Expectation *self, uint32_t r)
{
	double mean = 0, covered = 0;
	for (uint32_t c = 0; c < self->heatmap->n_columns; c++) {
		double rate = self->column_sum[c] / MAX(self->column_exposure[c], 1e-9);
		mean += exposure_of(self, c, r) * rate;
		covered += exposure_of(self, c, r);
	}
	return covered > 0 ? z_score(self->row_sum[r], mean * self->row_exposure[r] / covered) : 0;
}

static void add_cell(Expectation *self, uint32_t c, uint32_t r)
{
	double exposure = exposure_of(self, c, r);
	double found = (double)heatmap_cell(self->heatmap, c, r) / self->sample;
	self->row_sum[r] += found;
	self->row_exposure[r] += exposure;
	self->column_sum[c] += found;
	self->column_exposure[c] += exposure;
	self->sum += found;
	self->total_exposure += exposure;
}

/* Whether the cell stands out from the sums there are. At first only upward: next to an outlier
 * that is still in them everything else seems to be too little. */
static bool is_outlier(const Expectation *self, uint32_t c, uint32_t r, int turn)
{
	double z = turn == 0 ? 0 : cell_z(self, c, r);
	return z > OUTLIER_Z || (turn > 1 && z < -OUTLIER_Z);
}

/* Sums anew, without outliers. */
static void expectation_turn(Expectation *self, int turn)
{
	Expectation next;
	expectation_init(&next, self->heatmap);
	for (uint32_t c = 0; c < self->heatmap->n_columns; c++) {
		for (uint32_t r = 0; r < self->heatmap->n_rows; r++) {
			if (exposure_of(self, c, r) > 0 && !is_outlier(self, c, r, turn))
				add_cell(&next, c, r);
		}
	}
	expectation_clear(self);
	*self = next;
}

static uint32_t level_of(double z)
{
	double position = (CLAMP(z, -SHADE_MAX_Z, SHADE_MAX_Z) + SHADE_MAX_Z) / (2 * SHADE_MAX_Z);
	return 1 + (uint32_t)lround(position * (SCALE_LEVELS - 1));
}

double shade_z(uint32_t level)
{
	return (level - 1) * 2.0 * SHADE_MAX_Z / (SCALE_LEVELS - 1) - SHADE_MAX_Z;
}

static void fill_surprise(Shade *self, const Heatmap *heatmap)
{
	Expectation expectation;
	expectation_init(&expectation, heatmap);
	for (int turn = 0; turn < N_TURNS; turn++)
		expectation_turn(&expectation, turn);
	bool is_by_time = heatmap->by == HEATMAP_BY_TIME;
	for (uint32_t r = 0; r < heatmap->n_rows; r++) {
		double of_row = is_by_time ? row_z(&expectation, r) : 0;
		for (uint32_t c = 0; c < heatmap->n_columns; c++) {
			double z = of_row + cell_z(&expectation, c, r);
			if (exposure_of(&expectation, c, r) > 0)
				set_cell(self, c, r, level_of(is_by_time ? z / G_SQRT2 : z));
		}
	}
	expectation_clear(&expectation);
}

bool shade_init(Shade *self, const Heatmap *heatmap, ScaleKind kind, GError **error)
{
	*self = (Shade){ .map = *heatmap };
	if (kind != SCALE_CAPACITY && kind != SCALE_SURPRISE)
		return true;
	if (kind == SCALE_CAPACITY && !check_capacity(heatmap, error))
		return false;
	if (!init_map(self, heatmap))
		return fail(error, FLAMEBEAT_ERROR_FAILED, "no memory for the picture's colours");
	if (kind == SCALE_CAPACITY)
		fill_capacity(self, heatmap);
	else
		fill_surprise(self, heatmap);
	return true;
}
