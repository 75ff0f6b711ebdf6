/* SPDX-License-Identifier: MIT */
/* Merging cells; see the header for the rule. Row 0 stays the start of a column. */

#include "render/term-grid.h"

#define MAX_CELL_WIDTH 4
#define MAX_LINES      25

static uint32_t divide_up(uint32_t a, uint32_t b)
{
	return a / b + (a % b > 0);
}

static void choose_sizes(TermGrid *self, const Heatmap *heatmap, const HeatmapStyle *style,
			 uint32_t width)
{
	bool is_by_time = heatmap->by == HEATMAP_BY_TIME;
	bool has_halves = style->is_colour && style->is_utf8 && is_by_time;
	uint32_t max_rows = has_halves ? 2 * MAX_LINES : MAX_LINES;
	self->columns_each = style->cell_width > 0 ? 1 : divide_up(heatmap->n_columns, width);
	self->rows_each = is_by_time ? divide_up(heatmap->n_rows, max_rows) : 1;
	self->cell_width = CLAMP(width / heatmap->n_columns, 1, MAX_CELL_WIDTH);
	self->cell_height = has_halves ? 0 : 1;
	if (style->cell_width > 0)
		self->cell_width = style->cell_width;
	if (style->cell_height > 0) {
		self->cell_height = style->cell_height;
		self->rows_each = 1;
	}
}

/* Cell (c, r) of the small picture. */
static void merge(TermGrid *self, const Heatmap *heatmap, uint32_t c, uint32_t r)
{
	uint32_t end_c = MIN((c + 1) * self->columns_each, heatmap->n_columns);
	uint32_t end_r = MIN((r + 1) * self->rows_each, heatmap->n_rows);
	uint64_t largest = 0;
	bool is_hole = true;
	for (uint32_t column = c * self->columns_each; column < end_c; column++) {
		uint64_t merged = 0;
		for (uint32_t row = r * self->rows_each; row < end_r; row++) {
			uint64_t weight = heatmap_cell(heatmap, column, row);
			merged = heatmap->cell == CELL_PEAK ? MAX(merged, weight) : merged + weight;
			is_hole = is_hole && heatmap_is_hole(heatmap, column, row);
		}
		largest = MAX(largest, merged);
	}
	size_t i = (size_t)c * self->map.n_rows + r;
	self->map.cells[i] = largest;
	self->is_hole[i] = is_hole && largest == 0;
	self->map.max = MAX(self->map.max, largest);
}

void term_grid_init(TermGrid *self, const Heatmap *heatmap, const HeatmapStyle *style,
		    uint32_t width)
{
	*self = (TermGrid){ .map = *heatmap };
	choose_sizes(self, heatmap, style, width);
	Heatmap *map = &self->map;
	map->n_columns = divide_up(heatmap->n_columns, self->columns_each);
	map->n_rows = divide_up(heatmap->n_rows, self->rows_each);
	map->max = 0;
	map->cells = g_new(uint64_t, (size_t)map->n_columns * map->n_rows);
	self->is_hole = g_new(bool, (size_t)map->n_columns * map->n_rows);
	self->column_ns = heatmap->column_ns * self->columns_each;
	for (uint32_t c = 0; c < map->n_columns; c++) {
		for (uint32_t r = 0; r < map->n_rows; r++)
			merge(self, heatmap, c, r);
	}
}

void term_grid_clear(TermGrid *self)
{
	g_clear_pointer(&self->map.cells, g_free);
	g_clear_pointer(&self->is_hole, g_free);
}

uint32_t term_grid_n_lines(const TermGrid *self)
{
	return self->cell_height == 0 ? divide_up(self->map.n_rows, 2)
				      : self->map.n_rows * self->cell_height;
}

uint32_t term_grid_row(const TermGrid *self, uint32_t line)
{
	uint32_t n = self->map.n_rows;
	if (self->cell_height > 0)
		return n - 1 - line / self->cell_height;
	return 2 * line + 2 > n ? 0 : n - 2 * line - 2;
}
