/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "render/tree-overlay.h"

#define LEGEND_SWATCH_WIDTH  18 /* px */
#define LEGEND_SWATCH_HEIGHT 12
#define LEGEND_LINE_STEP     18

/* Where an entry of a legend goes: the left edge of its swatch and the base line of its words,
 * from the legend's top left corner, and the left edge of its words. */
typedef struct {
	const LegendEntry *entry;
	double x, y, words_x;
} LegendItem;

/* The entries in lines no wider than `width` px; an array of LegendItem. */
GArray *legend_place(const LegendEntry *entries, uint32_t n, double width);

double legend_height(const GArray *items);
