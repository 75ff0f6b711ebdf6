/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "heatmap/moments.h"
#include "heatmap/series.h"

/* A beat that chance does not explain. Times in units of series->time_unit_ns, from first_ns. */
typedef struct {
	Beat beat;
	double error;  /* of the period, 95 % */
	double excess; /* samples over the rate outside of the window */
	double sigma;
	double log10_p; /* corrected for all that was tried */
	uint32_t n_cycles;
} FoundBeat;

typedef struct {
	double min_period, max_period; /* units */
	double min_width;
	double alpha; /* of recordings without a beat that may have one */
} BeatSearch;

/*
 * Finds the beats of a series with times, the clearest first; appended to `out`, of FoundBeat.
 * What a beat explains is taken out of the series before the next is looked for, so that neither
 * its harmonics nor its multiples are found. Changes `series`: only its ranges and
 * units can be used afterwards. False when out of memory.
 */
bool beats_find(Series *series, const BeatSearch *search, GArray *out);
