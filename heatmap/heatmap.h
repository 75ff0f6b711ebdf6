/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/notes.h"
#include "store/sampling.h"
#include "store/selection.h"
#include "store/store.h"
#include "store/time-range.h"

/* What the rows of the picture are: parts of a column's time, or the largest of something. */
typedef enum {
	HEATMAP_BY_TIME,
	HEATMAP_BY_CPU,
	HEATMAP_BY_THREAD,
	HEATMAP_BY_COMM,
	HEATMAP_BY_POOL,
	HEATMAP_BY_PROCESS,
	HEATMAP_BY_FUNCTION, /* of onsets.h alone: columns are distances from an onset */
} HeatmapBy;

typedef enum {
	CELL_SUM,
	CELL_PEAK, /* the largest of the cell's 20 ms parts */
	CELL_AUTO, /* pictures: peak where automatic rows exceed 100 ms */
} HeatmapCell;

#define CELL_PART_NS (20 * NS_PER_MS)

/* What was asked for. */
typedef struct {
	int64_t column_ns;  /* 0: automatic */
	uint32_t n_rows;    /* 0: the default (50 parts of a column; 20 threads, comms, …) */
	bool has_auto_rows; /* by time: rows of whole sampling ticks; n_rows does not count */
	double hz; /* samples a second of one busy CPU, and CPUs; 0: as the recording tells */
	uint32_t n_cpus;
	HeatmapBy by;
	HeatmapCell cell;
} HeatmapSettings;

/*
 * Samples over time: column c spans [origin_ns + c * column_ns, + column_ns) of the recording's
 * clock. By time, row r of it is the r-th of n_rows equal parts, r = floor((t mod column) *
 * n_rows / column) with t counted from zero, in exact integers; row 0 is the start of the column
 * and is drawn at the bottom. Otherwise rows are the `n_rows` heaviest CPUs, threads, …, row
 * n_rows - 1 (drawn on top) the first.
 */
typedef struct {
	int64_t origin_ns; /* clock time at which column 0 begins */
	int64_t zero_ns;   /* what is labelled 0 */
	WallClock wall;	   /* to label times with, where known */
	int64_t column_ns;
	uint32_t n_columns;
	uint32_t n_rows;
	HeatmapBy by;
	HeatmapCell cell;    /* CELL_SUM or CELL_PEAK */
	bool is_auto_column; /* the choice was ours: say so in the title */
	bool has_auto_rows;  /* rows are whole sampling ticks */
	Sampling sampling;   /* what a fully busy machine would yield, of the chosen CPUs */
	char **row_labels;   /* n_rows, UTF-8 or not; NULL by time */
	uint64_t *cells;     /* [c * n_rows + r] */
	uint64_t max;	     /* largest cell */
	uint64_t total;	     /* weight of all samples in the picture, whatever the cell kind */
	SelectionCounts counts;
	TimeRange recorded; /* from the first sample to one past the last, of any kind; empty: not
			       known, all of the picture */
	TimeRange *holes;   /* therein without coverage, clock time, ascending */
	size_t n_holes;
	TimeRange *ranges; /* chosen by --range, to be outlined; clock time, ascending */
	size_t n_ranges;
} Heatmap;

/* Counts `selection` into cells. Fails where the recording has no times (with advice), or where
 * the picture would exceed MAX_HEATMAP_CELLS. */
Heatmap *heatmap_new(const Store *store, Selection *selection, const HeatmapSettings *settings,
		     Notes *notes, GError **error);
void heatmap_free(Heatmap *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Heatmap, heatmap_free)

/* Clock time at which cell (c, r) begins, by time; r may be n_rows: where the next one begins. */
int64_t heatmap_cell_begin_ns(const Heatmap *self, uint32_t c, uint32_t r);

/* Value of cell (c, r). */
static inline uint64_t heatmap_cell(const Heatmap *self, uint32_t c, uint32_t r)
{
	return self->cells[(size_t)c * self->n_rows + r];
}

/* How much of column c's row r is covered: neither before or after the recording nor in a hole. */
int64_t heatmap_covered_ns(const Heatmap *self, uint32_t c, uint32_t r);

/* Clock time from which to which column c's row r (all of the column, if not by time) reaches. */
TimeRange heatmap_cell_range(const Heatmap *self, uint32_t c, uint32_t r);

/* Whether the picture has cells of which nothing is covered. */
bool heatmap_has_holes(const Heatmap *self);

/* Whether nothing of column c's row r is covered. */
bool heatmap_is_hole(const Heatmap *self, uint32_t c, uint32_t r);
