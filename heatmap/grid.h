/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/text.h"
#include "store/time-range.h"

/*
 * The arithmetic of a heat map, apart from any store: which column and row a time falls into,
 * which column length suits, where the holes are. All in exact integers, for any zero (also one
 * later than the samples) and any time.
 */

/* What a picture must show: the moments from begin_ns to last_ns, both included. */
typedef struct {
	int64_t zero_ns;
	int64_t begin_ns;
	int64_t last_ns;
} GridSpan;

/* From zero (or the earliest sample, where that is before) to the latest sample; with ranges
 * (ascending), from the first one's begin to the last one's end, within the former. */
GridSpan grid_span(const TimeFrame *frame, const TimeRange *ranges, size_t n_ranges);

/* How many columns of `column_ns` the span needs. */
uint64_t grid_n_columns(const GridSpan *span, int64_t column_ns);

/* The contract's automatic column: 1 s for spans of 20 s that need at most MAX_AUTO_COLUMNS of
 * them; else the shortest longer, or the longest shorter, length that is few or many enough. */
int64_t grid_auto_column(const GridSpan *span);

/*
 * Rows of whole sampling ticks, so that a steady load gives every row the same: the divisor of the
 * ticks of `hz` in a column nearest to 50 within 20..100 (of two as near, the smaller); 0 where
 * there is none or the ticks are no whole number.
 */
uint32_t grid_auto_rows(int64_t column_ns, double hz);

/* Columns begin at zero and at every multiple of column_ns before and after it. */
typedef struct {
	int64_t origin_ns; /* clock time at which column 0 begins */
	int64_t column_ns;
	uint32_t n_columns;
	uint32_t n_rows; /* parts of a column, 1 where rows are no parts of time */
} Grid;

/* Lays columns over `span`. Fails where `n_lines` (rows of the picture) by columns would exceed
 * MAX_HEATMAP_CELLS, naming the span. */
bool grid_init(Grid *self, const GridSpan *span, int64_t column_ns, uint32_t n_lines,
	       GError **error);

/* The cell of `time_ns`: row = floor((t mod column) * n_rows / column). False: outside. */
bool grid_locate(const Grid *self, int64_t time_ns, uint32_t *c, uint32_t *r);

/* A cell and the time that it is; zeroed, none. */
typedef struct {
	TimeRange time;
	uint32_t column, row;
} GridCell;

/* The same, for times of which most are in the cell of the one before. */
bool grid_follow(const Grid *self, int64_t time_ns, GridCell *cell);

/* The first nanosecond of a column that belongs to row `r` of n_rows; column_ns for r = n_rows. */
int64_t grid_row_begin(int64_t column_ns, uint32_t n_rows, uint32_t r);

/* The number of the CELL_PART_NS long part, counted from zero, that `time_ns` lies in. */
int64_t grid_part(int64_t zero_ns, int64_t time_ns);

/*
 * Holes as FACT_HOLES writes them, `begin..end` in ns, separated by blanks: those within `limits`,
 * clamped to it, ascending and disjoint. What is no such pair is passed over. g_free() it.
 */
TimeRange *grid_parse_holes(Text fact, TimeRange limits, size_t *n);
