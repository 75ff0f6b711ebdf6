/* SPDX-License-Identifier: MIT */
/*
 * In the order of time a range is a run of cells, [first, last] by number; in one row of cells it
 * is a run of columns. The outline is that shape spread by some pixels to all sides, less the
 * shape itself: for a row of pixels, the runs of all rows at most that far away, each widened,
 * painted over one another: halo, line, then the cells, with a halo at their edge where they are
 * large enough to lose a pixel.
 */

#include "render/range-outline.h"

#include <string.h>

#include "heatmap/grid.h"

#define LINE_PX	    2
#define HALO_PX	    1
#define MIN_CELL_PX 5 /* times the halo: narrower cells would lose too much to one inside */

typedef struct {
	uint64_t first, last;
} CellRun;

typedef struct {
	int64_t begin, end; /* columns of pixels, end excluded */
} PixelRun;

struct RangeOutline {
	Grid grid;		  /* n_rows is 1 where rows are no parts of time */
	int64_t left, top, width; /* of the grid, and of the picture */
	int64_t cell_width, cell_height, grid_height;
	int64_t scale_factor;
	GArray *runs; /* of CellRun */
};

RangeOutline *range_outline_new(const Heatmap *heatmap, const HeatmapLayout *layout)
{
	RangeOutline *self = g_new0(RangeOutline, 1);
	bool is_by_time = heatmap->by == HEATMAP_BY_TIME;
	int64_t factor = layout->scale_factor;
	self->grid = (Grid){ heatmap->origin_ns, heatmap->column_ns, heatmap->n_columns,
			     is_by_time ? heatmap->n_rows : 1 };
	self->left = layout->left * factor;
	self->top = layout->top * factor;
	self->width = layout->width * factor;
	self->cell_width = layout->cell_width * factor;
	self->cell_height = (is_by_time ? layout->cell_height : layout->grid_height) * factor;
	self->grid_height = layout->grid_height * factor;
	self->scale_factor = factor;
	self->runs = g_array_new(FALSE, FALSE, sizeof(CellRun));
	return self;
}

void range_outline_free(RangeOutline *self)
{
	if (self == NULL)
		return;
	g_array_unref(self->runs);
	g_free(self);
}

static uint64_t cell_number(const Grid *grid, int64_t time_ns)
{
	uint32_t c = 0, r = 0;
	grid_locate(grid, time_ns, &c, &r);
	return (uint64_t)c * grid->n_rows + r;
}

void range_outline_add(RangeOutline *self, const TimeRange *ranges, size_t n_ranges)
{
	const Grid *grid = &self->grid;
	int64_t grid_end = grid->origin_ns + grid->n_columns * grid->column_ns;
	uint64_t n_cells = (uint64_t)grid->n_columns * grid->n_rows;
	for (size_t i = 0; i < n_ranges; i++) {
		int64_t begin = MAX(ranges[i].begin_ns, grid->origin_ns);
		int64_t end = MIN(ranges[i].end_ns, grid_end);
		if (begin >= end)
			continue;
		CellRun run = { cell_number(grid, begin), cell_number(grid, end - 1) };
		if (run.first > 0 || run.last < n_cells - 1)
			g_array_append_val(self->runs, run);
	}
}

size_t range_outline_count(const RangeOutline *self)
{
	return self->runs->len;
}

/* The columns of `run` in row `r` of cells, as pixels of the picture; empty where it has none. */
static PixelRun columns_of(const RangeOutline *self, const CellRun *run, int64_t r)
{
	int64_t n = self->grid.n_rows, first = (int64_t)run->first, last = (int64_t)run->last;
	int64_t begin = first <= r ? 0 : (first - r + n - 1) / n;
	int64_t end = last < r ? 0 : (last - r) / n + 1;
	if (r < 0 || r >= n)
		end = 0;
	return (PixelRun){ self->left + begin * self->cell_width,
			   self->left + end * self->cell_width };
}

/* The row of cells that a pixel row, counted from the top of the grid, is in; none: -1. */
static int64_t cell_row(const RangeOutline *self, int64_t y)
{
	if (y < 0 || y >= self->grid_height)
		return -1;
	return self->grid.n_rows - 1 - y / self->cell_height;
}

static void paint(const RangeOutline *self, PixelRun pixels, uint8_t *mask, uint8_t value)
{
	pixels.begin = MAX(pixels.begin, 0);
	pixels.end = MIN(pixels.end, self->width);
	if (pixels.begin < pixels.end)
		memset(mask + pixels.begin, value, (size_t)(pixels.end - pixels.begin));
}

/* Paints the runs, spread by `reach` pixels to all sides. */
static void paint_spread(const RangeOutline *self, int64_t y, int64_t reach, uint8_t *mask,
			 uint8_t value)
{
	int64_t previous = -1;
	for (int64_t near = y - reach; near <= y + reach; near++) {
		int64_t r = cell_row(self, near);
		if (r == previous)
			continue;
		previous = r;
		for (guint i = 0; i < self->runs->len; i++) {
			PixelRun run = columns_of(self, &g_array_index(self->runs, CellRun, i), r);
			if (run.begin < run.end)
				paint(self, (PixelRun){ run.begin - reach, run.end + reach }, mask,
				      value);
		}
	}
}

/* Paints what is left of the runs when `reach` pixels are taken off all sides. */
static void paint_shrunk(const RangeOutline *self, int64_t y, int64_t reach, uint8_t *mask,
			 uint8_t value)
{
	for (guint i = 0; i < self->runs->len; i++) {
		const CellRun *run = &g_array_index(self->runs, CellRun, i);
		PixelRun common = columns_of(self, run, cell_row(self, y - reach));
		PixelRun below = columns_of(self, run, cell_row(self, y + reach));
		common.begin = MAX(common.begin, below.begin) + reach;
		common.end = MIN(common.end, below.end) - reach;
		paint(self, common, mask, value);
	}
}

void range_outline_row(const RangeOutline *self, uint32_t y, uint8_t *mask)
{
	int64_t from_top = (int64_t)y - self->top;
	int64_t line = LINE_PX * self->scale_factor, halo = HALO_PX * self->scale_factor;
	bool has_room = MIN(self->cell_width, self->cell_height) >= MIN_CELL_PX * halo;
	memset(mask, OUTLINE_NONE, (size_t)self->width);
	paint_spread(self, from_top, line + halo, mask, OUTLINE_HALO);
	paint_spread(self, from_top, line, mask, OUTLINE_LINE);
	paint_spread(self, from_top, 0, mask, has_room ? OUTLINE_HALO : OUTLINE_NONE);
	if (has_room)
		paint_shrunk(self, from_top, halo, mask, OUTLINE_NONE);
}
