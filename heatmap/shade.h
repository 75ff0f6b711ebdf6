/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "heatmap/heatmap.h"
#include "heatmap/scale.h"

/*
 * What is drawn instead of the weights where a scale looks at more than the largest cell.
 *
 * SCALE_CAPACITY: the share of what the CPUs could have yielded in the covered time of the cell,
 * CPUs * Hz * time, in SHADE_CAPACITY parts: the same load has the same colour in every picture. A
 * CPU or thread fills one CPU, every other row all of them.
 *
 * SCALE_SURPRISE: how far the cell is from what its row and column let expect, as a level, 1 for
 * -SHADE_MAX_Z standard deviations or less and SCALE_LEVELS for as many or more above; 0 where
 * nothing is covered. The column's load is taken out; what its row has beyond the other rows
 * counts (by time), pooled over all columns, together with what the cell has beyond row and column
 * (two z-scores of Poisson counts after Anscombe's square root, added and divided by the root of 2,
 * as Stouffer does). So a band too weak to be seen in any cell shows, and single outliers, which
 * are left out of the expectation, change no other cell's colour.
 */
#define SHADE_CAPACITY 10000
#define SHADE_MAX_Z    8

/* The heat map with these cells, or as it is where the scale looks at nothing else; all but the
 * cells is borrowed from it. Cells of a Shade are merged like peaks. */
typedef struct {
	Heatmap map;
	uint64_t *cells; /* of its own, or NULL */
} Shade;

/* Fails (capacity alone) where CPUs or frequency are not known, or samples do not count as 1. */
bool shade_init(Shade *self, const Heatmap *heatmap, ScaleKind kind, GError **error);
void shade_clear(Shade *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Shade, shade_clear)

/* The z-score in the middle of a level of SCALE_SURPRISE. */
double shade_z(uint32_t level);

/* What a fully busy machine yields in one cell; 0: unknown. */
double shade_capacity(const Heatmap *heatmap);
