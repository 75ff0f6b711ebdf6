/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/notes.h"
#include "store/query.h"
#include "store/store.h"
#include "store/wall-clock.h"

/* What became of the samples that a selection looked at; the parts add up to `seen`. */
typedef struct {
	uint64_t seen;	  /* samples in the chosen time */
	uint64_t samples; /* that count */
	uint64_t weight;  /* their weight */
	uint64_t idle;	  /* dropped as idle, known by an idle routine (or, with `only`, as not) */
	uint64_t idle_presumed; /* dropped as presumed idle */
	uint64_t other_event;	/* of another event */
	uint64_t filtered;	/* dropped by another filter */
} SelectionCounts;

/*
 * A Query made out against one Store: which samples count and what each adds. The same selection
 * feeds heat maps and call trees, so the two agree. Borrows the store.
 */
typedef struct Selection Selection;

/* Notes: other events that were left out, ranges swapped or clamped, filters that match nothing. */
Selection *selection_new(const Store *store, const Query *query, Notes *notes, GError **error);
void selection_free(Selection *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Selection, selection_free)

/* "samples" or, weighed by period, the event's unit ("period of cycles"). Borrowed. */
const char *selection_unit(const Selection *self);
/* Displayed name of the chosen event ("cycles", "all events"). Borrowed. */
const char *selection_event(const Selection *self);
/* Whether samples of this event (an id of the store) count. */
bool selection_has_event(const Selection *self, uint32_t event);
/* Whether --cpu, if it was given, chose this CPU. */
bool selection_has_cpu(const Selection *self, int32_t cpu);
/* What `0` is on the recording's clock. */
int64_t selection_zero_ns(const Selection *self);
/* What the recording's clock is in the time of the day, if that is known. Borrowed. */
const WallClock *selection_wall(const Selection *self);
/* What words for times mean here: for --mark and the like. */
TimeFrame selection_time_frame(const Selection *self);
/* The chosen ranges (clock time, ascending, disjoint); none chosen: n = 0, all samples count. */
const TimeRange *selection_ranges(const Selection *self, size_t *n);

/* Chooses these ranges instead of the query's (normalized, clock time), and only timed samples;
 * begins anew. For what a query cannot say: everything but a range, a part of one. */
void selection_set_ranges(Selection *self, const TimeRange *ranges, size_t n);
/* The same, to all samples. */
void selection_unset_ranges(Selection *self);
/* Weighs samples in this way instead of the query's. The unit stays the query's. */
void selection_set_weight(Selection *self, WeightMode weight);
WeightMode selection_weight(const Selection *self);
/* Whether every sample has a time, or only those that have one are asked for. */
bool selection_is_timed(const Selection *self);
/* Whether there is a --range at all. */
bool selection_has_ranges(const Selection *self);

/* The part of every period that counts (--every, --phase), counted from origin_ns on the
 * recording's clock; it wraps where end_ns < begin_ns. */
typedef struct {
	int64_t every_ns; /* 0: all of the time counts */
	int64_t origin_ns, begin_ns, end_ns;
} SelectionPhase;

SelectionPhase selection_phase(const Selection *self);

/* From here on only samples that have a time are given. Fails, with advice, where none has one. */
bool selection_require_time(Selection *self, Notes *notes, GError **error);

#define SAMPLE_BLOCK 4096

/* Up to SAMPLE_BLOCK samples that count, in the store's order; time_ns is TIME_NONE if untimed. */
typedef struct {
	size_t n;
	uint64_t index[SAMPLE_BLOCK]; /* number of the sample in the store */
	int64_t time_ns[SAMPLE_BLOCK];
	uint32_t stack[SAMPLE_BLOCK];
	uint32_t thread[SAMPLE_BLOCK];
	int32_t cpu[SAMPLE_BLOCK];     /* ID_NONE where unknown */
	uint32_t cgroup[SAMPLE_BLOCK]; /* string of the store; 0: unknown */
	uint64_t weight[SAMPLE_BLOCK];
} SampleBlock;

/* Columns of a SampleBlock. */
#define SAMPLE_INDEX  1u
#define SAMPLE_STACK  2u
#define SAMPLE_THREAD 4u
#define SAMPLE_CPU    8u
#define SAMPLE_CGROUP 16u
#define SAMPLE_ALL    31u /* the default; times and weights are always there */

/* Until the next rewind only these columns of the blocks are filled: what nobody reads costs
 * nothing. */
void selection_want(Selection *self, unsigned columns);

/* From here on selection_next() fails as soon as `*is_cancelled` is not 0; it outlives `self`. */
void selection_set_cancel(Selection *self, const gint *is_cancelled);

/* Begins anew at the first sample. */
void selection_rewind(Selection *self);

/* The same, but only samples of `window` (clock time) are given until the next rewind. */
void selection_rewind_to(Selection *self, TimeRange window);

/* The next samples; block->n is 0 at the end. Fails where the store turns out to be damaged. */
bool selection_next(Selection *self, SampleBlock *block, GError **error);

/* What was met since the last rewind. */
SelectionCounts selection_counts(const Selection *self);
