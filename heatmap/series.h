/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "heatmap/who.h"
#include "store/selection.h"
#include "store/store.h"
#include "store/time-range.h"

/*
 * A selection's samples counted in equal buckets of time, and how much of each bucket was covered:
 * what searches for spikes and periods look at. Bucket i spans [origin_ns + i * bucket_ns, +
 * bucket_ns) of the recording's clock; edges are multiples of bucket_ns from zero.
 */
typedef struct {
	int64_t origin_ns;
	int64_t zero_ns;
	int64_t bucket_ns;
	size_t n;
	uint32_t *counts;
	float *covered;	  /* share of the bucket, 0 to 1: not in holes, nor outside of the ranges */
	double n_covered; /* sum of `covered` */
	GArray *ranges;	  /* of TimeRange: what is covered, clock time, ascending, disjoint */
	/* Every sample's time, ascending, in 2^-32 of the time from first_ns on that is spanned;
	 * NULL unless asked for. */
	uint32_t *times;
	int64_t first_ns;
	double time_unit_ns;
	uint64_t total; /* sum of `counts` */
	SelectionCounts selection;
} Series;

/* More of them, or far more than there are samples, and buckets are made longer: a time far off
 * must not ask for more memory than the samples did. */
#define MAX_SERIES_BUCKETS ((size_t)1 << 24)
#define MIN_SERIES_BUCKETS ((size_t)1 << 20) /* that are never too many */
#define BUCKETS_A_SAMPLE   64

/* The bucket length that is used where `bucket_ns` is asked for: a multiple of it. */
int64_t series_bucket_ns(const Store *store, int64_t bucket_ns);

/* Counts all of `selection`, from its beginning; with `tally`, also who, and `with_times` when.
 * Fails where nothing is timed, or memory does not suffice. */
bool series_init(Series *self, const Store *store, Selection *selection, int64_t bucket_ns,
		 bool with_times, Tally *tally, GError **error);
void series_clear(Series *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Series, series_clear)

/* Clock time at which bucket `i` begins; i may be n. */
static inline int64_t series_time(const Series *self, size_t i)
{
	return self->origin_ns + (int64_t)i * self->bucket_ns;
}
