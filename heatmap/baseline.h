/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "heatmap/segments.h"
#include "heatmap/series.h"

/*
 * What a series would count if there were no spikes: the mean of some minutes around, less the
 * spikes and drops in it, which are found on the way.
 */
typedef struct {
	float *expected;		   /* samples by bucket; 0 only where nothing is covered */
	double dispersion[SEGMENT_SCALES]; /* for SegmentSearch */
} Baseline;

/* What lasts up to max_length_ns is no part of the baseline; with `is_lack` drops are taken out as
 * well as spikes. False when out of memory. */
bool baseline_init(Baseline *self, const Series *series, int64_t max_length_ns, double min_score,
		   bool is_lack);
void baseline_clear(Baseline *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Baseline, baseline_clear)
