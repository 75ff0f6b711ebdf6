/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/selection.h"
#include "store/store.h"

/*
 * How often a CPU was sampled, and how many CPUs there were: what a fully busy machine would have
 * yielded. What the header does not tell is measured on the samples themselves.
 */
typedef struct {
	double hz;	 /* samples a second of one busy CPU; 0: unknown */
	bool is_hz_told; /* by the header (`perf record -F`), not measured */
	uint32_t n_cpus; /* of those that --cpu chooses; 0: unknown */
	bool are_cpus_told;
} Sampling;

/*
 * The header's frequency and number of CPUs; else the usual distance of two samples of one CPU
 * (the median of the shorter half of the distances, if at least a third of all are within 10 % of
 * it), and the CPUs up to the last that has a sample. Fails where the store turns out to be
 * damaged.
 */
bool sampling_find(Sampling *self, const Store *store, const Selection *selection, GError **error);
