/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "heatmap/periods.h"
#include "heatmap/spikes.h"
#include "tests/beat-scene.h"

/* Trials of the detection: a scene from a seed, and whether what was planted is found. */

/* What a trial of periods plants. */
typedef struct {
	double period_s;
	double sigma;  /* excess, in standard deviations of the background in the window */
	double width;  /* of the period; at least one tick of 99 Hz */
	double jitter; /* of the width */
	double seconds;
	double rate;	     /* of the background, a second */
	double max_period_s; /* 0: the default */
	bool is_holed;	     /* two minutes, then a hole of 1.2 s, and so on */
} PeriodTrial;

/* Whether the period is found within P^2 / T, and neither half nor twice of it before it. */
bool trial_period(const PeriodTrial *trial, uint64_t seed);

/* How many periods are found in a scene with that seed. */
size_t trial_count(Scene scene, uint64_t seed);

/* Runs `run(context, seed)` for seeds 1 to n, on all CPUs; returns how many were true. */
int trials_run(bool (*run)(const void *context, uint64_t seed), const void *context, int n);

/* Spikes of widths from 20 ms to 60 s in one recording, some seconds apart. */
typedef struct {
	double rate;	  /* of the background, a second */
	double sigma;	  /* excess in all, in standard deviations of the background there, and */
	double sigma_end; /* in a bucket of 20 ms: whichever asks for more */
	bool is_certain; /* some more are planted, and only those judged that chance left as much */
	int n_spikes;
	bool is_lack; /* drops: nothing runs */
} SpikeTrial;

typedef struct {
	int n_planted;
	int n_met;     /* planted ones that overlap one that is found */
	int n_exact;   /* and whose ends are those of it, within 20 ms */
	int n_printed; /* found */
	int n_right;   /* and overlap a planted one */
} SpikeScore;

SpikeScore trial_spikes(const SpikeTrial *trial, uint64_t seed);
