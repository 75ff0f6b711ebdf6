/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

#include "render/heatmap-layout.h"

/*
 * Outlines of ranges around the cells that they touch: contiguous in time, a range runs up one
 * column and on at the bottom of the next, so its outline is a staircase. Drawn outside of the
 * cells, which stay visible, and row by row. Works in device pixels.
 */
typedef struct RangeOutline RangeOutline;

enum {
	OUTLINE_NONE,
	OUTLINE_HALO, /* to be left blank, so that the line stands out from any colour */
	OUTLINE_LINE,
};

/* Borrows nothing. Ranges outside of the picture, and one that is all of it, have no outline. */
RangeOutline *range_outline_new(const Heatmap *heatmap, const HeatmapLayout *layout);
void range_outline_free(RangeOutline *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RangeOutline, range_outline_free)

/* Adds ranges in clock time. */
void range_outline_add(RangeOutline *self, const TimeRange *ranges, size_t n_ranges);

/* How many have been added that have an outline. */
size_t range_outline_count(const RangeOutline *self);

/* What row `y` of the picture shows of the outlines: one OUTLINE_ value a pixel, in `mask`. */
void range_outline_row(const RangeOutline *self, uint32_t y, uint8_t *mask);
