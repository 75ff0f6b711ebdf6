/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "heatmap/heatmap.h"

/* A run of cells, contiguous in time, with conspicuously many samples. */
typedef struct {
	TimeRange range; /* from cell edge to cell edge, clock time */
	uint64_t weight; /* in the range; of CELL_PEAK: its heaviest CELL_PART_NS */
	double ratio;	 /* to the average of the same length of covered time */
} DenseRange;

/*
 * The most conspicuous ranges, at most `max` of them into `out`, the clearest first; returns how
 * many. They hold at least one and a half times the average weight and do not overlap; a range
 * that chance may have made of evenly spread samples is none, so there can be fewer than `max`, or
 * none at all. Ranked by how little chance explains them: neither the shortest and sharpest nor
 * the longest and mildest wins as such.
 */
size_t heatmap_densest(const Heatmap *self, DenseRange *out, size_t max);
