/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "heatmap/series.h"
#include "store/selection.h"
#include "store/store.h"

/* The clock that samples were taken by, where each CPU has regular ticks: such a comb has beats of
 * its own, with every period that is a whole number of ticks. */
typedef struct {
	double tick_ns; /* 0: samples come at no regular times */
} SampleClock;

/* Tells by the distances of successive samples of a CPU. Fails where the store is damaged. */
bool sample_clock_find(SampleClock *self, const Store *store, const Selection *selection,
		       GError **error);

/* Moves every time by a part of a tick, evenly spread and the same in every run: a sample stands
 * for the tick that ends with it, and the comb is gone. Nothing where samples are not regular. */
void sample_clock_spread(const SampleClock *self, Series *series);
