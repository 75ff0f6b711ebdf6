/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "heatmap/heatmap.h"

/* What one part of the period holds, over all periods of the recording. */
typedef struct {
	uint64_t weight;	  /* in all of them */
	double covered_ns;	  /* time that was covered */
	double rate;		  /* weight / covered time, per second */
	double low, median, high; /* of the periods' own rates: 10th, 50th and 90th percentile */
	double error;		  /* standard error of `rate`, as the periods differ */
	uint32_t n_periods;	  /* of which at least half of this part was covered */
} FoldBin;

/*
 * The columns of a heat map, each of them one period, added up: a phase profile. A steady load is
 * a flat line; what comes once a period is a peak at its phase. Bin 0 begins at zero of the
 * recording.
 */
typedef struct {
	int64_t period_ns;
	int64_t zero_ns;
	uint32_t n_bins;
	FoldBin *bins;
	double rate;	    /* of all bins together, per second of covered time */
	double max;	    /* largest rate or 90th percentile of a bin */
	uint64_t total;	    /* weight of all bins: that of the selection */
	uint32_t n_periods; /* columns that hold covered time */
	Sampling sampling;
	SelectionCounts counts;
} Fold;

/* Of a heat map by time, of sums. */
Fold *fold_new(const Heatmap *heatmap);
void fold_free(Fold *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Fold, fold_free)
