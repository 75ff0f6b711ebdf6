/* SPDX-License-Identifier: MIT */
/*
 * Which cell a time falls into. Times are 64-bit and may be anything, so differences and products
 * of them are made in 128 bits and come back to 64 where they are known to fit: grid_init()
 * refuses a grid whose ends do not, and every other function relies on that. Division is floored,
 * also before zero.
 */

#include "heatmap/grid.h"

#include "store/time-set.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "heatmap/heatmap.h"
#include "store/error.h"
#include "store/limits.h"

__extension__ typedef __int128 Wide;

static Wide floor_div(Wide a, Wide b)
{
	Wide quotient = a / b;
	return quotient - (a % b < 0);
}

static int64_t clamp_to(int64_t value, int64_t min, int64_t max)
{
	return value < min ? min : value > max ? max : value;
}

GridSpan grid_span(const TimeFrame *frame, const TimeRange *ranges, size_t n_ranges)
{
	int64_t last = MAX(frame->end_ns - 1, frame->start_ns);
	GridSpan span = { frame->zero_ns, MIN(frame->zero_ns, frame->start_ns), last };
	if (n_ranges == 0)
		return span;
	int64_t begin = ranges[0].begin_ns, end = ranges[n_ranges - 1].end_ns;
	span.begin_ns = clamp_to(begin, span.begin_ns, last);
	span.last_ns = clamp_to(end > begin ? end - 1 : begin, span.begin_ns, last);
	return span;
}

/* The number of the column that `time_ns` lies in; 0 is the one that begins at zero. */
static Wide column_number(int64_t zero_ns, int64_t column_ns, int64_t time_ns)
{
	return floor_div((Wide)time_ns - zero_ns, column_ns);
}

uint64_t grid_n_columns(const GridSpan *span, int64_t column_ns)
{
	Wide n = column_number(span->zero_ns, column_ns, span->last_ns) -
		 column_number(span->zero_ns, column_ns, span->begin_ns) + 1;
	return n > (Wide)UINT64_MAX ? UINT64_MAX : (uint64_t)n;
}

#define MIN_SECOND_SPAN_NS (20 * NS_PER_SECOND)
#define MIN_AUTO_COLUMNS   40
#define MIN_AUTO_ROWS	   20
#define MAX_AUTO_ROWS	   100

int64_t grid_auto_column(const GridSpan *span)
{
	static const int64_t seconds[] = { 1, 5, 10, 30, 60, 300, 600, 3600 };
	static const int64_t ms[] = { 500, 200, 100, 50, 20 };
	size_t i = 0;
	if ((Wide)span->last_ns - span->begin_ns + 1 < MIN_SECOND_SPAN_NS) {
		while (i < G_N_ELEMENTS(ms) - 1 &&
		       grid_n_columns(span, ms[i] * NS_PER_MS) < MIN_AUTO_COLUMNS)
			i++;
		return ms[i] * NS_PER_MS;
	}
	while (i < G_N_ELEMENTS(seconds) - 1 &&
	       grid_n_columns(span, seconds[i] * NS_PER_SECOND) > MAX_AUTO_COLUMNS)
		i++;
	return seconds[i] * NS_PER_SECOND;
}

uint32_t grid_auto_rows(int64_t column_ns, double hz)
{
	double ticks = hz * (double)column_ns / NS_PER_SECOND;
	if (!(ticks >= MIN_AUTO_ROWS && ticks < 1e15) || ABS(ticks - round(ticks)) > 1e-6)
		return 0;
	uint64_t n = (uint64_t)round(ticks);
	uint32_t best = 0;
	for (uint32_t rows = MIN_AUTO_ROWS; rows <= MAX_AUTO_ROWS; rows++) {
		bool is_nearer = best == 0 || abs((int)rows - 50) < abs((int)best - 50);
		if (n % rows == 0 && is_nearer)
			best = rows;
	}
	return best;
}

static bool fail_too_many(const GridSpan *span, int64_t column_ns, uint32_t n_lines, GError **error)
{
	Wide length = ((Wide)span->last_ns - span->begin_ns) / NS_PER_SECOND + 1;
	g_autofree char *column = time_format_seconds(column_ns);
	return fail(error, FLAMEBEAT_ERROR_LIMIT,
		    "a heat map of %" PRIu64
		    " s in columns of %s s and %u rows would have more than "
		    "%llu cells: choose a part with --range, or a longer --column",
		    (uint64_t)length, column, n_lines, MAX_HEATMAP_CELLS);
}

bool grid_init(Grid *self, const GridSpan *span, int64_t column_ns, uint32_t n_lines,
	       GError **error)
{
	uint64_t n_columns = grid_n_columns(span, column_ns);
	if (n_columns > MAX_HEATMAP_CELLS / MAX(n_lines, 1))
		return fail_too_many(span, column_ns, n_lines, error);
	Wide first = column_number(span->zero_ns, column_ns, span->begin_ns);
	Wide origin = span->zero_ns + first * column_ns;
	Wide end = origin + (Wide)n_columns * column_ns;
	if (origin < INT64_MIN || end > INT64_MAX)
		return fail(error, FLAMEBEAT_ERROR_LIMIT,
			    "columns of %lld s reach beyond what a time can be: choose a shorter "
			    "--column",
			    column_ns / NS_PER_SECOND);
	*self = (Grid){ (int64_t)origin, column_ns, (uint32_t)n_columns, MAX(n_lines, 1) };
	return true;
}

bool grid_locate(const Grid *self, int64_t time_ns, uint32_t *c, uint32_t *r)
{
	Wide from_origin = (Wide)time_ns - self->origin_ns;
	if (from_origin < 0 || from_origin >= (Wide)self->n_columns * self->column_ns)
		return false;
	uint64_t offset = (uint64_t)from_origin; /* the grid's ends are 64-bit times */
	uint64_t within = offset % (uint64_t)self->column_ns;
	*c = (uint32_t)(offset / (uint64_t)self->column_ns);
	*r = (uint32_t)((Wide)within * self->n_rows / self->column_ns);
	return true;
}

bool grid_follow(const Grid *self, int64_t time_ns, GridCell *cell)
{
	if (time_ns >= cell->time.begin_ns && time_ns < cell->time.end_ns)
		return true;
	if (!grid_locate(self, time_ns, &cell->column, &cell->row))
		return false;
	int64_t column_begin = self->origin_ns + cell->column * self->column_ns;
	cell->time.begin_ns =
		column_begin + grid_row_begin(self->column_ns, self->n_rows, cell->row);
	cell->time.end_ns =
		column_begin + grid_row_begin(self->column_ns, self->n_rows, cell->row + 1);
	return true;
}

int64_t grid_row_begin(int64_t column_ns, uint32_t n_rows, uint32_t r)
{
	return (int64_t)(((Wide)r * column_ns + n_rows - 1) / n_rows);
}

int64_t grid_part(int64_t zero_ns, int64_t time_ns)
{
	return (int64_t)floor_div((Wide)time_ns - zero_ns, CELL_PART_NS);
}

TimeRange *grid_parse_holes(Text fact, TimeRange limits, size_t *n)
{
	g_autoptr(GArray) holes = time_set_parse(fact);
	g_autoptr(GArray) all = time_set_new(&limits, 1);
	g_autoptr(GArray) within = time_set_intersect(holes, all);
	TimeRange *copy = g_new(TimeRange, within->len + 1);

	*n = within->len;
	for (guint i = 0; i < within->len; i++)
		copy[i] = g_array_index(within, TimeRange, i);
	return copy;
}
