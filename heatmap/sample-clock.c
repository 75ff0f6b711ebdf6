/* SPDX-License-Identifier: MIT */
/*
 * Distances of two samples of one CPU: the tick is the shortest that is common. Regular: of the
 * distances that are short, most are near a whole number of ticks. Those of random times are not.
 */

#include "heatmap/sample-clock.h"

#include <math.h>
#include <stdlib.h>

#define MAX_CPUS     4096
#define MAX_SAMPLES  200000
#define MIN_GAPS     50
#define MAX_MULTIPLE 4	  /* ticks: longer distances say nothing, whatever the clock */
#define TOLERANCE    0.03 /* of a tick */
#define MOST	     0.6
#define COMMON	     20 /* one distance in so many is no longer than a tick */

typedef struct {
	int64_t last_ns[MAX_CPUS];
	double *gaps;
	size_t n;
} Walk;

static void look_at(Walk *self, uint64_t cpu, int64_t time_ns)
{
	if (cpu == 0 || cpu > MAX_CPUS)
		return;
	if (self->last_ns[cpu - 1] != TIME_NONE && time_ns > self->last_ns[cpu - 1])
		self->gaps[self->n++] = (double)(time_ns - self->last_ns[cpu - 1]);
	self->last_ns[cpu - 1] = time_ns;
}

/* Idle samples as well: they are taken by the same clock. */
static bool walk_samples(Walk *self, const Store *store, const Selection *selection, GError **error)
{
	static const StoreSection sections[] = { SECTION_TIME, SECTION_CPU, SECTION_EVENT };
	uint64_t n = MIN(store->n_timed, MAX_SAMPLES);

	for (size_t i = 0; i < MAX_CPUS; i++)
		self->last_ns[i] = TIME_NONE;
	for (size_t s = 0; n > 0 && s < G_N_ELEMENTS(sections); s++)
		if (!store_touch(store, sections[s], 0, n, error))
			return false;
	for (uint64_t i = 0, bucket = 0; i < n; i++) {
		while (bucket + 1 < store->n_buckets && store->buckets[bucket + 1].first <= i)
			bucket++;
		if (selection_has_event(selection,
					(uint32_t)column_get(&store->columns[SECTION_EVENT], i)))
			look_at(self, column_get(&store->columns[SECTION_CPU], i),
				store_time_ns(store, i, bucket));
	}
	return true;
}

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* The middle of the gaps that are near `tick`; sorted. */
static double refine(const Walk *self, double tick)
{
	size_t first = 0, end;

	while (first < self->n && self->gaps[first] < tick * (1 - TOLERANCE))
		first++;
	for (end = first; end < self->n && self->gaps[end] <= tick * (1 + TOLERANCE);)
		end++;
	return end > first ? self->gaps[(first + end) / 2] : tick;
}

static bool is_regular(const Walk *self, double tick)
{
	size_t n_short = 0, n_whole = 0;

	for (size_t i = 0; i < self->n; i++) {
		double ticks = self->gaps[i] / tick;

		if (ticks >= MAX_MULTIPLE + 0.5)
			break;
		n_short++;
		n_whole += fabs(ticks - floor(ticks + 0.5)) <= TOLERANCE;
	}
	return n_short >= MIN_GAPS && (double)n_whole >= MOST * (double)n_short;
}

bool sample_clock_find(SampleClock *self, const Store *store, const Selection *selection,
		       GError **error)
{
	g_autofree Walk *walk = g_new0(Walk, 1);
	g_autofree double *gaps = g_new(double, MAX_SAMPLES);
	double tick;

	self->tick_ns = 0;
	walk->gaps = gaps;
	if (!walk_samples(walk, store, selection, error))
		return false;
	if (walk->n < MIN_GAPS)
		return true;
	qsort(gaps, walk->n, sizeof(double), compare_doubles);
	tick = refine(walk, gaps[walk->n / COMMON]);
	if (is_regular(walk, tick))
		self->tick_ns = tick;
	return true;
}

/* A well mixed number of 32 bits (the finalizer of MurmurHash3). */
static uint32_t mix(uint32_t value)
{
	value ^= value >> 16;
	value *= 0x85ebca6bu;
	value ^= value >> 13;
	value *= 0xc2b2ae35u;
	return value ^ (value >> 16);
}

void sample_clock_spread(const SampleClock *self, Series *series)
{
	double tick = self->tick_ns / series->time_unit_ns;

	if (self->tick_ns <= 0)
		return;
	for (uint64_t i = 0; i < series->total; i++) {
		double part = (double)mix((uint32_t)i) / 4294967296.0;
		double time = (double)series->times[i] + (part - 0.5) * tick;

		series->times[i] = (uint32_t)CLAMP(time, 0, 4294967295.0);
	}
}
