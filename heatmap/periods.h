/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "heatmap/who.h"
#include "store/notes.h"
#include "store/selection.h"
#include "store/store.h"
#include "store/time-range.h"

/* What was asked for; zeroed: the defaults. */
typedef struct {
	int64_t min_period_ns; /* 0: 20 ms, or two sampling ticks */
	int64_t max_period_ns; /* 0: a fifth of the covered time */
	NamesKind names;
} PeriodSettings;

#define PERIOD_PROFILE_BINS 64

/* One periodic activity: every `period_ns`, for `duty` of it, more samples than else. */
typedef struct {
	int64_t period_ns;
	int64_t error_ns;  /* the period lies within +/- error_ns (95 %) */
	double phase;	   /* where in the period, counted from zero, the active part begins */
	double duty;	   /* the active part's share of the period */
	double excess;	   /* samples over what the rest of the period has, in all cycles */
	double sigma;	   /* the same in standard deviations */
	double log10_p;	   /* of this or more by chance, corrected for all that was tried */
	uint32_t n_cycles; /* periods that are covered */
	double alias_hz;   /* not 0: perhaps work of this frequency, sampled at regular ticks */
	double profile[PERIOD_PROFILE_BINS]; /* samples per covered second by phase, from zero */
	Who who;
} Period;

/* Periods, strongest first; none is a multiple or a part of a stronger one. */
typedef struct {
	Period *items;
	size_t n;
	int64_t zero_ns;
	int64_t min_period_ns; /* searched, both included */
	int64_t max_period_ns;
	int64_t tick_ns; /* of regular sampling, as told by the samples; 0: not regular */
	double covered_ns;
	uint64_t n_lost; /* samples that perf says it lost */
	SelectionCounts counts;
} Periods;

/* Chance makes periods in this share of recordings without any. */
#define PERIOD_ALPHA 0.005

/*
 * Finds what is periodic in `selection`. The power spectrum of bucket counts and its harmonic sums
 * (Ransom, Eikenberry and Middleditch 2002) propose; folding at the period, and a window in phase
 * (Kovacs, Zucker and Mazeh 2002), refine; the excess is then tested cycle by cycle against the
 * counts of all other windows of this length (Chernoff's bound of the empirical distribution), so
 * that bursts without a beat are no period. Fails where nothing is timed, or the bounds make no
 * sense.
 */
Periods *periods_new(const Store *store, Selection *selection, const PeriodSettings *settings,
		     Notes *notes, GError **error);
void periods_free(Periods *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Periods, periods_free)
