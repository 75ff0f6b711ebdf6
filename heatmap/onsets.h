/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "heatmap/heatmap.h"
#include "heatmap/spikes.h"
#include "store/frame-name.h"
#include "store/selection.h"
#include "store/store.h"

/*
 * What runs just before and after spikes begin, averaged over all of them: samples by function and
 * by their distance in time from the onset (an event-triggered average). The victim of a trigger
 * fills the spike; the trigger itself is what is always there a moment before.
 */

#define ONSET_BIN_NS  (20 * NS_PER_MS)
#define ONSET_REACH   25 /* bins to either side: 500 ms */
#define ONSET_BINS    (2 * ONSET_REACH + 1)
#define ONSET_MAX     2000 /* spikes, of the largest excess, that are averaged */
#define ONSET_CLEAR_Z 5.0  /* more than this many deviations are hardly chance */

/* One function, wherever it is on a stack; once a sample. Bin b is around (b - ONSET_REACH) *
 * ONSET_BIN_NS from the onset, half a bin to either side. */
typedef struct {
	char *name;
	double rate; /* samples per second of covered time, in all of the recording */
	uint32_t counts[ONSET_BINS];
	uint32_t self[ONSET_BINS]; /* of these, those that run the function itself */
	double z[ONSET_BINS];	   /* deviations over what `rate` lets expect */
	uint32_t peak;		   /* bin of the largest z */
} OnsetFunction;

typedef struct {
	OnsetFunction *functions; /* those that stand out somewhere, by the lag of their peak */
	uint32_t n_functions;
	uint32_t n_onsets;
	double covered_ns[ONSET_BINS]; /* time of each bin over all onsets */
	uint32_t totals[ONSET_BINS];   /* samples in each bin */
	/* The function that stands out most in each bin, an index; ROW_NONE: none does. */
	uint32_t top[ONSET_BINS];
} Onsets;

/* Of the spikes found in this selection; at most `max_functions` functions. */
Onsets *onsets_new(const Store *store, Selection *selection, const Spikes *spikes, NamesKind names,
		   uint32_t max_functions, GError **error);
void onsets_free(Onsets *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Onsets, onsets_free)

/* Samples of a function that a bin holds on average. */
double onsets_expected(const Onsets *self, const OnsetFunction *function, uint32_t bin);

static inline int64_t onsets_lag_ns(uint32_t bin)
{
	return ((int64_t)bin - ONSET_REACH) * ONSET_BIN_NS;
}

/* As a picture: a column a bin, a row a function, the earliest peak on top. Time 0 is the onset.
 */
Heatmap *onsets_heatmap(const Onsets *self);
