/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "heatmap/heatmap.h"
#include "render/exporter.h"

/*
 * A heat map made small enough for a terminal: always one picture that fits the width, since a
 * spike is found by eye in one picture, not in a stack of them. Columns that share a character show
 * the largest of their cells, so that no spike thins out; rows that share one are added up (of
 * peaks: the largest), so that the picture is as high as a screen.
 */
typedef struct {
	Heatmap map;   /* n_columns, n_rows, cells and max are the small picture's, the rest is
			  borrowed */
	bool *is_hole; /* as map.cells */
	uint32_t columns_each; /* of the heat map that one here stands for */
	uint32_t rows_each;
	uint32_t cell_width;  /* characters */
	uint32_t cell_height; /* lines; 0: half a line */
	int64_t column_ns;    /* time of one column here */
} TermGrid;

/* `width`: characters for cells in a line. */
void term_grid_init(TermGrid *self, const Heatmap *heatmap, const HeatmapStyle *style,
		    uint32_t width);
void term_grid_clear(TermGrid *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TermGrid, term_grid_clear)

/* Lines that the picture takes. */
uint32_t term_grid_n_lines(const TermGrid *self);

/* The lowest row of line `line` (0: on top), of a picture of half lines possibly the only one. */
uint32_t term_grid_row(const TermGrid *self, uint32_t line);
