/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * When samples were taken, and which time was covered: what is folded at a period. Time counts
 * from the first moment, in units of 2^-32 of all of the time, so that a phase is one
 * multiplication; a period is given in units.
 */
typedef struct {
	uint32_t *times; /* borrowed; changed by moments_mask(); in any order */
	size_t n;
	GArray *spans; /* of Span: covered, ascending, disjoint */
} Moments;

typedef struct {
	uint32_t begin, end;
} Span;

/* A periodic part of the time: [origin, origin + width) and every period before and after. */
typedef struct {
	double period;
	double origin; /* 0 to period */
	double width;
} Beat;

/* Units that are covered. */
double moments_covered(const Moments *self);

/* Takes the beat's part out: its samples, and its time from what is covered. */
void moments_mask(Moments *self, const Beat *beat);

/* --- folding ----------------------------------------------------------------------------- */

/* The best window found, and what is in it. */
typedef struct {
	Beat beat;
	double samples;	 /* in the window */
	double expected; /* there, by the rest */
	double sigma;	 /* (samples - expected) over the square root of what chance varies */
} Fold;

/*
 * The window of most sigma among those of `min_width` or longer (up to half a period), for periods
 * within `reach` beats of `period`: those for which the number of beats in all of the time differs
 * by no more. The samples are folded once into a table of time by phase, whose rows are then
 * shifted for each period.
 */
Fold moments_fold(const Moments *self, double period, double reach, double min_width);

/* Samples and covered units by phase, `n_bins` of each. */
void moments_profile(const Moments *self, const Beat *beat, size_t n_bins, double *samples,
		     double *covered);

/* --- test -------------------------------------------------------------------------------- */

/*
 * How likely windows elsewhere are as full as those of the beat: log10 of the probability, for this
 * beat alone. Every period is cut into windows of the beat's width; the sum over the beat's own,
 * each less the mean of its period, is compared with what the distribution of the others makes of
 * a sum of as many (Chernoff's bound, from the empirical moment generating function: Davison and
 * Hinkley 1988). No window counts for more than the typical one of the beat, so that some large
 * bursts make no beat. `n_cycles`: how many windows of the beat are covered.
 */
double moments_test(const Moments *self, const Beat *beat, uint32_t *n_cycles);
