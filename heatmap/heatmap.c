/* SPDX-License-Identifier: MIT */
/*
 * Counts a selection into the cells of a grid. By time one pass suffices; where rows are CPUs,
 * threads, … a first pass weighs what could be a row, and the heaviest are then counted like
 * columns of one row each. Invariant: with CELL_SUM the cells add up to `total`, and by time
 * `total` is the weight of the whole selection.
 */

#include "heatmap/heatmap.h"

#include <inttypes.h>

#include "heatmap/grid.h"
#include "heatmap/sample-row.h"
#include "store/error.h"
#include "store/limits.h"
#include "store/weight.h"

#define DEFAULT_ROWS	  50
#define DEFAULT_CPU_ROWS  128 /* a CPU is looked for by its number: leave none out if possible */
#define DEFAULT_LIST_ROWS 20
#define MAX_SUM_ROW_NS	  (100 * NS_PER_MS) /* CELL_AUTO: longer rows show peaks */

/* The part that a row is in, and what it weighs so far. */
typedef struct {
	uint32_t column;
	int64_t part;
	uint64_t weight;
} RunningPart;

/* What counting needs beside the picture it fills. */
typedef struct {
	Heatmap *map;
	Grid grid;
	GridCell cell; /* that the sample before was in */
	int64_t part;  /* and the part, for peaks */
	TimeRange part_time;
	SampleRows *rows;   /* NULL by time */
	RunningPart *parts; /* by row; NULL for sums */
} Counter;

void heatmap_free(Heatmap *self)
{
	if (self == NULL)
		return;
	g_strfreev(self->row_labels);
	g_free(self->cells);
	g_free(self->holes);
	g_free(self->ranges);
	g_free(self);
}

/* The number of the part that `time_ns` lies in: mostly that of the sample before. */
static int64_t follow_part(Counter *self, int64_t time_ns)
{
	if (time_ns < self->part_time.begin_ns || time_ns >= self->part_time.end_ns) {
		self->part = grid_part(self->map->zero_ns, time_ns);
		self->part_time.begin_ns = self->map->zero_ns + self->part * CELL_PART_NS;
		self->part_time.end_ns = self->part_time.begin_ns + CELL_PART_NS;
	}
	return self->part;
}

/* The peak of a cell is the largest weight among its samples of one part; parts that reach over
 * an edge of the cell are cut there. Samples come in time order, so a part once left stays left. */
static void add_to_peak(Counter *self, const uint32_t at[2], int64_t time_ns, uint64_t weight)
{
	RunningPart *running = &self->parts[at[1]];
	int64_t part = follow_part(self, time_ns);
	uint64_t *cell = &self->map->cells[(size_t)at[0] * self->map->n_rows + at[1]];
	if (running->part != part || running->column != at[0])
		*running = (RunningPart){ at[0], part, 0 };
	running->weight = weight_add(running->weight, weight);
	*cell = MAX(*cell, running->weight);
}

static void add_to_cell(Heatmap *map, const uint32_t at[2], uint64_t weight)
{
	uint64_t *cell = &map->cells[(size_t)at[0] * map->n_rows + at[1]];
	*cell = weight_add(*cell, weight);
}

static void count_sample(Counter *self, const SampleBlock *block, size_t i)
{
	Heatmap *map = self->map;
	if (!grid_follow(&self->grid, block->time_ns[i], &self->cell))
		return;
	uint32_t at[2] = { self->cell.column, self->cell.row };
	if (self->rows != NULL)
		at[1] = row_table_row(sample_rows_table(self->rows),
				      sample_rows_key(self->rows, block, i));
	if (at[1] == ROW_NONE)
		return;
	map->total = weight_add(map->total, block->weight[i]);
	if (self->parts != NULL)
		add_to_peak(self, at, block->time_ns[i], block->weight[i]);
	else
		add_to_cell(map, at, block->weight[i]);
}

static bool count_samples(Counter *self, Selection *selection, GError **error)
{
	g_autofree SampleBlock *block = g_new(SampleBlock, 1);
	selection_rewind(selection);
	/* Where rows are CPUs or threads, these say which. */
	selection_want(selection, self->rows != NULL ? SAMPLE_CPU | SAMPLE_THREAD : 0);
	do {
		if (!selection_next(selection, block, error))
			return false;
		for (size_t i = 0; i < block->n; i++)
			count_sample(self, block, i);
	} while (block->n > 0);
	return true;
}

static uint64_t max_cell(const Heatmap *map)
{
	uint64_t max = 0;
	size_t n_cells = (size_t)map->n_columns * map->n_rows;
	for (size_t i = 0; i < n_cells; i++)
		max = MAX(max, map->cells[i]);
	return max;
}

static bool weigh_rows(SampleRows *rows, Selection *selection, GError **error)
{
	g_autofree SampleBlock *block = g_new(SampleBlock, 1);
	selection_rewind(selection);
	do {
		if (!selection_next(selection, block, error))
			return false;
		for (size_t i = 0; i < block->n; i++)
			row_table_weigh(sample_rows_table(rows), sample_rows_key(rows, block, i),
					block->weight[i]);
	} while (block->n > 0);
	return true;
}

/* Finds the rows of a picture that is not by time. */
static bool choose_rows(Heatmap *map, SampleRows *rows, Selection *selection, uint32_t max_rows,
			GError **error)
{
	bool is_cpu = map->by == HEATMAP_BY_CPU;
	if (!weigh_rows(rows, selection, error))
		return false;
	if (max_rows == 0)
		max_rows = is_cpu ? DEFAULT_CPU_ROWS : DEFAULT_LIST_ROWS;
	map->n_rows = row_table_choose(sample_rows_table(rows), max_rows, is_cpu);
	map->row_labels = row_table_labels(sample_rows_table(rows));
	return true;
}

static GridSpan span_of(const Heatmap *map)
{
	TimeFrame frame = { .zero_ns = map->zero_ns,
			    .start_ns = map->recorded.begin_ns,
			    .end_ns = map->recorded.end_ns };
	return grid_span(&frame, map->ranges, map->n_ranges);
}

/* What was said of the machine goes before what the recording tells. */
static bool find_sampling(Heatmap *map, const Store *store, const Selection *selection,
			  const HeatmapSettings *settings, GError **error)
{
	if (!sampling_find(&map->sampling, store, selection, error))
		return false;
	if (settings->hz > 0)
		map->sampling.hz = settings->hz;
	if (settings->n_cpus > 0)
		map->sampling.n_cpus = settings->n_cpus;
	return true;
}

static void choose_auto_rows(Heatmap *map, Notes *notes)
{
	map->n_rows = grid_auto_rows(map->column_ns, map->sampling.hz);
	map->has_auto_rows = map->n_rows > 0;
	if (map->has_auto_rows)
		return;
	map->n_rows = DEFAULT_ROWS;
	notes_add(notes,
		  "--rows auto: no number of rows from 20 to 100 holds whole sampling ticks (%s): "
		  "%u rows",
		  map->sampling.hz > 0 ? "by the sampling frequency and the column's length"
				       : "the sampling frequency is unknown: --hz",
		  map->n_rows);
}

/* How long columns are, and how many rows they have. */
static void choose_parts(Heatmap *map, const GridSpan *span, const HeatmapSettings *settings,
			 Notes *notes)
{
	map->is_auto_column = settings->column_ns == 0;
	map->column_ns = map->is_auto_column ? grid_auto_column(span) : settings->column_ns;
	if (map->by == HEATMAP_BY_TIME && settings->has_auto_rows)
		choose_auto_rows(map, notes);
}

/* Where the columns are, and what a cell is. */
static bool lay_grid(Heatmap *map, const GridSpan *span, const HeatmapSettings *settings,
		     Grid *grid, GError **error)
{
	bool is_by_time = map->by == HEATMAP_BY_TIME;
	if (!grid_init(grid, span, map->column_ns, map->n_rows, error))
		return false;
	map->origin_ns = grid->origin_ns;
	map->n_columns = grid->n_columns;
	grid->n_rows = is_by_time ? map->n_rows : 1;

	int64_t row_ns = map->column_ns / grid->n_rows;
	map->cell = settings->cell;
	if (map->cell == CELL_AUTO)
		map->cell = map->is_auto_column && is_by_time && row_ns > MAX_SUM_ROW_NS ? CELL_PEAK
											 : CELL_SUM;
	if (row_ns <= CELL_PART_NS)
		map->cell = CELL_SUM; /* of a single part: the two are the same */
	return true;
}

static bool allocate(Counter *self, GError **error)
{
	Heatmap *map = self->map;
	size_t n_cells = (size_t)map->n_columns * map->n_rows;
	map->cells = g_try_new0(uint64_t, n_cells);
	if (map->cells == NULL)
		return fail(error, FLAMEBEAT_ERROR_FAILED, "no memory for a heat map of %zu cells",
			    n_cells);
	if (map->cell == CELL_PEAK) {
		self->parts = g_new0(RunningPart, map->n_rows);
		for (uint32_t r = 0; r < map->n_rows; r++)
			self->parts[r].column = UINT32_MAX;
	}
	return true;
}

static void copy_ranges(Heatmap *map, const Selection *selection)
{
	const TimeRange *ranges = selection_ranges(selection, &map->n_ranges);
	map->ranges = g_new(TimeRange, map->n_ranges + 1);
	for (size_t i = 0; i < map->n_ranges; i++)
		map->ranges[i] = ranges[i];
}

static void find_holes(Heatmap *map, const Store *store)
{
	TimeRange limits = { map->origin_ns, map->origin_ns + map->column_ns * map->n_columns };
	map->holes = grid_parse_holes(store_fact(store, FACT_HOLES), limits, &map->n_holes);
}

static void add_notes(const Counter *self, Notes *notes)
{
	if (self->rows == NULL)
		return;
	uint32_t n_keys = row_table_n_keys(sample_rows_table(self->rows));
	if (n_keys > self->map->n_rows)
		notes_add(notes,
			  "the %u largest of %u rows are shown, with %" PRIu64 " of %" PRIu64
			  " by weight: --rows shows more",
			  self->map->n_rows, n_keys, self->map->total, self->map->counts.weight);
}

Heatmap *heatmap_new(const Store *store, Selection *selection, const HeatmapSettings *settings,
		     Notes *notes, GError **error)
{
	if (!selection_require_time(selection, notes, error))
		return NULL;
	g_autoptr(Heatmap) map = g_new0(Heatmap, 1);
	g_autoptr(SampleRows) rows = NULL;
	map->by = settings->by;
	map->zero_ns = selection_zero_ns(selection);
	map->wall = *selection_wall(selection);
	map->n_rows = settings->n_rows > 0 ? settings->n_rows : DEFAULT_ROWS;
	map->recorded = (TimeRange){ store_start_ns(store), time_add(store_last_ns(store), 1) };
	if (!find_sampling(map, store, selection, settings, error))
		return NULL;
	copy_ranges(map, selection);
	if (map->by != HEATMAP_BY_TIME) {
		rows = sample_rows_new(store, map->by);
		if (!choose_rows(map, rows, selection, settings->n_rows, error))
			return NULL;
	}

	GridSpan span = span_of(map);
	choose_parts(map, &span, settings, notes);
	Counter counter = { .map = map, .rows = rows };
	bool is_counted = lay_grid(map, &span, settings, &counter.grid, error) &&
			  allocate(&counter, error) && count_samples(&counter, selection, error);
	g_free(counter.parts);
	if (!is_counted)
		return NULL;
	map->max = max_cell(map);
	map->counts = selection_counts(selection);
	find_holes(map, store);
	add_notes(&counter, notes);
	return g_steal_pointer(&map);
}

int64_t heatmap_cell_begin_ns(const Heatmap *self, uint32_t c, uint32_t r)
{
	return self->origin_ns + c * self->column_ns +
	       grid_row_begin(self->column_ns, self->n_rows, r);
}

TimeRange heatmap_cell_range(const Heatmap *self, uint32_t c, uint32_t r)
{
	if (self->by == HEATMAP_BY_TIME)
		return (TimeRange){ heatmap_cell_begin_ns(self, c, r),
				    heatmap_cell_begin_ns(self, c, r + 1) };
	int64_t begin_ns = self->origin_ns + c * self->column_ns;
	return (TimeRange){ begin_ns, begin_ns + self->column_ns };
}

/* The first hole that ends after `time_ns`. */
static size_t find_hole(const Heatmap *self, int64_t time_ns)
{
	size_t low = 0, high = self->n_holes;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (self->holes[middle].end_ns <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int64_t heatmap_covered_ns(const Heatmap *self, uint32_t c, uint32_t r)
{
	TimeRange cell = heatmap_cell_range(self, c, r);
	if (self->recorded.begin_ns < self->recorded.end_ns) {
		cell.begin_ns = MAX(cell.begin_ns, self->recorded.begin_ns);
		cell.end_ns = MIN(cell.end_ns, self->recorded.end_ns);
	}
	if (cell.begin_ns >= cell.end_ns)
		return 0;
	int64_t covered_ns = cell.end_ns - cell.begin_ns;
	for (size_t i = find_hole(self, cell.begin_ns); i < self->n_holes; i++) {
		const TimeRange *hole = &self->holes[i];
		if (hole->begin_ns >= cell.end_ns)
			break;
		covered_ns -= MIN(hole->end_ns, cell.end_ns) - MAX(hole->begin_ns, cell.begin_ns);
	}
	return covered_ns;
}

bool heatmap_is_hole(const Heatmap *self, uint32_t c, uint32_t r)
{
	return heatmap_covered_ns(self, c, r) == 0;
}

bool heatmap_has_holes(const Heatmap *self)
{
	return self->n_holes > 0 || heatmap_is_hole(self, 0, 0) ||
	       heatmap_is_hole(self, self->n_columns - 1, self->n_rows - 1);
}
