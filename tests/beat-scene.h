/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "store/store.h"

/*
 * Recordings made from a seed: CPUs, a background, and what is planted in it. The same scene and
 * seed give the same recording on every machine.
 */

/* Something that runs now and then: every period_s from phase_s on, for width_s. */
typedef struct {
	double period_s; /* 0: once */
	double phase_s;
	double width_s;
	double rate;	   /* samples a second while it runs, from all CPUs together; with ticks:
			      how many CPUs it keeps busy */
	double total;	   /* instead of a rate: samples in all, spread at random */
	double jitter_s;   /* standard deviation of a beat's begin; does not add up */
	double drift;	   /* what one period is longer than the one before, as a share of it */
	double missed;	   /* share of the beats that do not take place */
	double until_s;	   /* 0: to the end */
	double ahead_s;	   /* with `ahead`: this stack has one sample so long before each beat */
	const char *stack; /* "main;work" */
	const char *ahead;
	const char *comm;
	bool is_of_server; /* its threads are of the background's process */
	int n_threads;	   /* 0: one; they are called "COMM#0", … where more */
	bool is_quiet;	   /* instead: of the background only a fifth runs meanwhile */
} Plant;

#define MAX_PLANTS 128

typedef struct {
	uint64_t seed;
	int n_cpus; /* 0: 4 */
	double seconds;
	double start_s; /* clock of the first moment; 0: 1000 */
	double hz;	/* of regular ticks on each CPU; 0: samples come at random times */
	double rate;   /* of the background, in samples a second; with ticks: busy share of a CPU */
	bool has_idle; /* with ticks: CPUs that do nothing are sampled as well */
	double burst_gap_s; /* not 0: the background comes in bursts, on average so far apart */
	double burst_s;	    /* average length of one */
	double hole_every_s, hole_s; /* every so often, nothing is recorded for so long */
	double slope; /* the background ends with this many times more than it begins with */
	Plant plants[MAX_PLANTS];
	int n_plants;
} Scene;

/* The recording as a store, or as `perf script` prints it. */
Store *scene_store(const Scene *scene);
void scene_print(const Scene *scene, FILE *out);

/*
 * A scene by name: `noise`, `bursts`, `alias`, `gc`, …, and the patterns of brendangregg.com (2018,
 * "FlameScope pattern recognition") as `pattern-1` to `pattern-17`. False: there is none.
 */
bool scene_by_name(const char *name, Scene *scene);
