/* SPDX-License-Identifier: MIT */
/*
 * Sizes of cells. A column is at least a pixel wide: what does not fit on a page makes a wide
 * picture, not a wrong one. Sizes come from the command line and the number of cells from the
 * recording, so products are made in 64 bits of bounded factors, and checked.
 */

#include "render/heatmap-layout.h"

#include "render/png-rows.h"
#include "store/limits.h"

#define AIM_WIDTH	1300 /* of the grid */
#define MIN_WIDTH	900  /* below it, a pixel more for each column is better … */
#define MAX_WIDTH	1800 /* … unless it then exceeds this */
#define MAX_CELL_WIDTH	40
#define AIM_HEIGHT	400
#define MAX_CELL_HEIGHT 24
#define LABELLED_HEIGHT 18 /* of a row that has a name */
#define MAX_LABELLED	720

static uint32_t fitting_width(uint32_t n_columns)
{
	uint32_t width = CLAMP(AIM_WIDTH / MAX(n_columns, 1), 1, MAX_CELL_WIDTH);
	bool is_narrow = (uint64_t)width * n_columns < MIN_WIDTH;
	bool has_room = (uint64_t)(width + 1) * n_columns <= MAX_WIDTH;
	return is_narrow && has_room && width < MAX_CELL_WIDTH ? width + 1 : width;
}

static uint32_t fitting_height(const Heatmap *heatmap)
{
	if (heatmap->by != HEATMAP_BY_TIME)
		return CLAMP(MAX_LABELLED / heatmap->n_rows, 4, LABELLED_HEIGHT);
	return CLAMP(AIM_HEIGHT / heatmap->n_rows, 1, MAX_CELL_HEIGHT);
}

bool heatmap_layout_init(HeatmapLayout *self, const Heatmap *heatmap, const HeatmapStyle *style,
			 GError **error)
{
	uint64_t factor = CLAMP(style->scale_factor, 1, MAX_PICTURE_SIDE);
	uint64_t width =
		style->cell_width > 0 ? style->cell_width : fitting_width(heatmap->n_columns);
	uint64_t height = style->cell_height > 0 ? style->cell_height : fitting_height(heatmap);
	width = MIN(width, MAX_PICTURE_SIDE);
	height = MIN(height, MAX_PICTURE_SIDE);
	/* At most 2^22 * 2^32, so that a factor of 2^22 at most must not be multiplied in yet. */
	uint64_t grid_width = width * heatmap->n_columns, grid_height = height * heatmap->n_rows;
	if (!png_rows_check(MIN(grid_width, UINT32_MAX) * factor,
			    MIN(grid_height, UINT32_MAX) * factor, error))
		return false;
	*self = (HeatmapLayout){
		.scale_factor = (uint32_t)factor,
		.cell_width = (uint32_t)width,
		.cell_height = (uint32_t)height,
		.grid_width = (uint32_t)grid_width,
		.grid_height = (uint32_t)grid_height,
	};
	return true;
}
