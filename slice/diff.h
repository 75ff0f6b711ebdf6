/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "slice/call-tree.h"
#include "store/selection.h"
#include "store/store.h"

/*
 * Two sides compared, frame by frame and function by function: NEW is what is judged, BASE what it
 * is compared with. A change is *significant* where noise would hardly ever have made it; how that
 * is told is written in slice/diff-judge.c and docs/diff.md.
 */
typedef enum { SIDE_NEW, SIDE_BASE, N_SIDES } DiffSide;
typedef enum { MEASURE_SELF, MEASURE_TOTAL, N_MEASURES } DiffMeasure;

/* What a side's weights are divided by. */
typedef enum {
	NORMALIZE_SHARE, /* the side's total */
	NORMALIZE_RATE,	 /* seconds of covered time */
	NORMALIZE_NONE,	 /* the number of runs */
} DiffNormalize;

/* One frame or function on one side, by one measure. */
typedef struct {
	uint64_t count;	 /* samples, whatever the weight */
	uint64_t weight; /* what is shown */
	double spread;	 /* sum of count^2 / exposure over the side's parts */
} DiffTally;

typedef struct {
	double value[N_SIDES]; /* weight / the side's exposure: a share, 1/s, a weight */
	double delta;	       /* new - base: points for shares, else as the values */
	double points;	       /* delta in percent of the larger side's total */
	double ratio;	       /* new / base; INFINITY: only new; NAN: neither */
	double variance;       /* times that of counting, as far as it is known; >= 1 */
	double q;	       /* false discovery rate; 1 where nothing could be told */
	bool is_certain;       /* q <= DIFF_LEVEL */
	bool is_significant;   /* and at least --min-change points */
} DiffVerdict;

#define DIFF_LEVEL 0.05

typedef struct {
	DiffTally tally[N_MEASURES][N_SIDES];
	DiffVerdict verdict[N_MEASURES];
} DiffItem;

typedef struct {
	char *name;
	char *dso; /* the new side's, where they differ */
	DiffItem item;
} DiffFunction;

/* What is known of a side as a whole. */
typedef struct {
	uint64_t samples, weight;
	double seconds; /* covered; 0: not known */
	uint32_t n_runs;
	uint32_t n_parts;	/* runs, or blocks of time: what the variance is told from */
	double part_exposure;	/* of all parts, as DiffTally.spread has it */
	double exposure;	/* of weights, as `normalize` has it */
	SelectionCounts counts; /* of all runs */
} DiffTotals;

typedef struct {
	CallTreeSettings tree;
	DiffNormalize normalize;
	double min_change; /* points */
	bool is_flipped;   /* widths are those of the base */
	bool uses_blocks;  /* blocks of time tell the variance where the base is one run */
	DiffMeasure by;	   /* order of functions */
} DiffSettings;

/* One run of a side. Borrowed. */
typedef struct {
	const Store *store;
	Selection *selection;
} DiffRun;

/*
 * Both call trees as one, by path of names. `shape` has all nodes in pre-order; its weights are
 * widths: the new side's, and for frames that only the base has, the base's brought to the new
 * side's scale (the other way round when flipped). `nodes[i]` is what is known of shape node i.
 */
typedef struct {
	CallTree *shape;
	DiffItem *nodes;
	DiffFunction *functions; /* significant ones first, then by size of change */
	size_t n_functions;
	DiffTotals totals[N_SIDES];
	DiffSettings settings;
	bool is_by_period;    /* weights are periods */
	uint64_t width_units; /* of a width that are one weight of the drawn side */
} Diff;

/*
 * `bases` are `n_bases` runs of which the base is the sum; how they differ tells the variance. One
 * run has that of counting, or of its blocks of time. Fails where rates are asked
 * for and a side has no covered time. Selections are left as they were.
 */
Diff *diff_new(const DiffRun *new_run, const DiffRun *bases, size_t n_bases,
	       const DiffSettings *settings, GError **error);
void diff_free(Diff *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Diff, diff_free)

/* 95 % interval of a ratio; 0 and INFINITY where it is open. Costs some microseconds. */
void diff_interval(const Diff *self, const DiffItem *item, DiffMeasure measure, double *low,
		   double *high);

/* The largest certain change of any function in that direction, self or total, in points; 0 where
 * there is none. */
double diff_largest_increase(const Diff *self);
double diff_largest_decrease(const Diff *self);

/* "points", "samples/s", "samples": the unit of DiffVerdict.delta; `unit` is that of weights.
 * g_free it. */
char *diff_delta_unit(const Diff *self, const char *unit);
