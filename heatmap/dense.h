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
	bool is_clear;	 /* chance hardly makes such a range of evenly spread samples */
} DenseRange;

/*
 * The most conspicuous ranges, at most `max` of them into `out`, the clearest first; returns how
 * many. They hold at least one and a half times the average weight, two samples or more, and do
 * not overlap. Ranked by how little chance explains them: neither the shortest and sharpest nor
 * the longest and mildest wins as such; those that chance may well have made come last and are not
 * `is_clear`.
 */
size_t heatmap_densest(const Heatmap *self, DenseRange *out, size_t max);
