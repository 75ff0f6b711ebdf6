/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "render/exporter.h"

/*
 * Where the parts of a heat map's picture are, in pixels (each scale_factor device pixels wide
 * and high): the grid at (left, top), its axes to the left of it and beneath, the rest above.
 */
typedef struct {
	uint32_t scale_factor;
	uint32_t cell_width, cell_height;
	uint32_t grid_width, grid_height;
	uint32_t left, top;
	uint32_t width, height;
} HeatmapLayout;

/*
 * Chooses the size of cells, where `style` does not: a grid about 900 to 1,800 pixels wide and 300
 * to 500 high where the number of columns allows. The rest is left for the caller. Fails where the
 * grid alone exceeds MAX_PICTURE_SIDE.
 */
bool heatmap_layout_init(HeatmapLayout *self, const Heatmap *heatmap, const HeatmapStyle *style,
			 GError **error);
