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

typedef enum {
	SPIKE_LOAD, /* more samples than before and after */
	SPIKE_DROP, /* fewer: the machine goes quiet */
	SPIKE_MIX,  /* as many, or nearly, but of other code */
} SpikeKind;

/* What was asked for; zeroed: the defaults. */
typedef struct {
	SpikeKind kind;
	double min_excess; /* samples over (of drops: under) the baseline */
	int64_t min_length_ns;
	int64_t max_length_ns; /* 0: the default; what lasts longer is the baseline */
	NamesKind names;
} SpikeSettings;

/* The default: a minute, but no more than this part of the covered time. */
#define SPIKE_MAX_LENGTH_NS (60 * NS_PER_SECOND)
#define SPIKE_MIN_SHARE	    4

/* A stretch of time that stands out against its surroundings, from bucket edge to bucket edge. */
typedef struct {
	TimeRange range;  /* clock time */
	uint64_t samples; /* of the selection, in the range: what `--range` of it yields */
	double expected;  /* by the local baseline; of SPIKE_MIX: of the function */
	double excess;	  /* over it; negative for drops */
	double peak;	  /* samples in its fullest (of drops: emptiest) bucket */
	double score;	  /* log-likelihood ratio against chance, in nats */
	int64_t gap_ns;	  /* since the previous one's begin; -1 for the first */
	Who who;
} Spike;

/* All spikes of a selection, in order of time; they do not overlap. */
typedef struct {
	SpikeKind kind;
	Spike *items;
	size_t n;
	int64_t zero_ns;
	int64_t bucket_ns; /* what ends are multiples of, counted from zero */
	double covered_ns; /* time that was searched */
	SelectionCounts counts;
	/* Their rhythm, of three or more: the median distance from begin to begin, how much
	 * distances differ (median absolute deviation, as a standard deviation), and how many beats
	 * seem to be missing in longer distances. Else 0. */
	double median_gap_ns;
	double jitter_ns;
	uint32_t n_missed;
} Spikes;

/*
 * Finds the spikes of `selection`. Buckets hold counts of samples; the baseline is their mean over
 * some minutes around, less the spikes themselves; spikes are the segments whose
 * likelihood ratio chance reaches in less than one of ten recordings (Karlin and Altschul 1990),
 * chosen so that together they explain the counts best. Holes are not
 * quiet: only covered time counts. Fails where nothing is timed.
 */
Spikes *spikes_new(const Store *store, Selection *selection, const SpikeSettings *settings,
		   Notes *notes, GError **error);
void spikes_free(Spikes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Spikes, spikes_free)

/* `range` as --range takes it, relative to zero: "12.34..12.41". g_free() it. */
char *spike_range_text(const Spikes *self, const Spike *spike);
