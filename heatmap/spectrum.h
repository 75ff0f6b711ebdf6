/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "heatmap/series.h"

/* A frequency at which a series may have a beat. */
typedef struct {
	double period_ns;
	uint32_t n_harmonics; /* that were added up: the period is good to P^2 / (T n_harmonics) */
	double score;	      /* minus the logarithm of how likely chance is, for this one */
} Proposal;

/*
 * Proposes periods of [min_ns, max_ns]: the best of each hundredth of the logarithm of the period,
 * largest score first; appended to `out`, of Proposal. False when out of memory.
 */
bool spectrum_propose(const Series *series, double min_ns, double max_ns, GArray *out);
