/* SPDX-License-Identifier: MIT */
/*
 * Distances of successive samples of one CPU, of the chosen event and idle ones included, from the
 * first MAX_SAMPLES of them: a machine that never sleeps has one distance, one that sleeps has
 * multiples and silences beside it, which lie in the longer half.
 */

#include "store/sampling.h"

#include <stdlib.h>
#include <string.h>

#define MAX_SAMPLES  200000
#define MAX_CPUS     4096
#define MIN_GAPS     50
#define TOLERANCE    10 /* percent */
#define LEAST_SHARE  3	/* of all distances: one in so many is near the usual one */
#define ROUND_WITHIN 0.005

typedef struct {
	const Store *store;
	const Selection *selection;
	int64_t last_ns[MAX_CPUS];
	int64_t *gaps;
	size_t n_gaps;
} Walk;

static void look_at(Walk *self, uint64_t i, uint64_t bucket)
{
	uint64_t cpu = column_get(&self->store->columns[SECTION_CPU], i);
	uint32_t event = (uint32_t)column_get(&self->store->columns[SECTION_EVENT], i);
	int64_t time_ns = store_time_ns(self->store, i, bucket);

	if (cpu == 0 || cpu >= MAX_CPUS || !selection_has_event(self->selection, event))
		return;
	if (self->last_ns[cpu] != TIME_NONE && time_ns > self->last_ns[cpu])
		self->gaps[self->n_gaps++] = time_ns - self->last_ns[cpu];
	self->last_ns[cpu] = time_ns;
}

static bool walk_samples(Walk *self, GError **error)
{
	uint64_t n = MIN(self->store->n_timed, MAX_SAMPLES);
	static const StoreSection sections[] = { SECTION_TIME, SECTION_CPU, SECTION_EVENT };

	for (size_t s = 0; n > 0 && s < G_N_ELEMENTS(sections); s++)
		if (self->store->columns[sections[s]].width > 0 &&
		    !store_touch(self->store, sections[s], 0, n, error))
			return false;
	for (uint64_t i = 0, bucket = 0; i < n; i++) {
		while (bucket + 1 < self->store->n_buckets &&
		       self->store->buckets[bucket + 1].first <= i)
			bucket++;
		look_at(self, i, bucket);
	}
	return true;
}

/* The k-th smallest (from 0) of numbers that are not negative, a byte at a time from the highest:
 * how many numbers have each value there, of those that agree with it so far. */
static int64_t kth_smallest(const int64_t *numbers, size_t n, size_t k)
{
	uint64_t found = 0, decided = 0;

	for (int shift = 56; shift >= 0; shift -= 8) {
		size_t counts[256] = { 0 };
		uint64_t byte = 0;

		for (size_t i = 0; i < n; i++)
			if (((uint64_t)numbers[i] & decided) == found)
				counts[(uint64_t)numbers[i] >> shift & 0xff]++;
		for (; k >= counts[byte]; byte++)
			k -= counts[byte];
		found |= byte << shift;
		decided |= (uint64_t)0xff << shift;
	}
	return (int64_t)found;
}

/* The usual distance; 0 where there is none. */
static int64_t usual_gap(int64_t *gaps, size_t n)
{
	size_t n_near = 0;
	int64_t usual;

	if (n < MIN_GAPS)
		return 0;
	usual = kth_smallest(gaps, n, n / 4);
	for (size_t i = 0; i < n; i++)
		n_near += llabs(gaps[i] - usual) <= usual / 100 * TOLERANCE;
	return n_near * LEAST_SHARE >= n ? usual : 0;
}

/* Frequencies are whole numbers where people choose them. */
static double hz_of(int64_t gap_ns)
{
	double hz = gap_ns > 0 ? (double)NS_PER_SECOND / (double)gap_ns : 0;
	double whole = (double)(int64_t)(hz + 0.5);

	return hz > 0 && whole > 0 && ABS(hz - whole) <= ROUND_WITHIN * hz ? whole : hz;
}

static bool measure_hz(Sampling *self, const Store *store, const Selection *selection,
		       GError **error)
{
	g_autofree Walk *walk = g_new(Walk, 1);
	g_autofree int64_t *gaps = g_new(int64_t, MAX_SAMPLES);

	*walk = (Walk){ .store = store, .selection = selection, .gaps = gaps };
	for (size_t i = 0; i < MAX_CPUS; i++)
		walk->last_ns[i] = TIME_NONE;
	if (!walk_samples(walk, error))
		return false;
	self->hz = hz_of(usual_gap(gaps, walk->n_gaps));
	return true;
}

/* One past the last CPU that the list (`0-3,7`) names. */
static uint32_t cpus_end(Text list)
{
	g_autofree char *copy = g_strndup(list.data != NULL ? list.data : "", list.len);
	const char *last = strrchr(copy, ',') != NULL ? strrchr(copy, ',') + 1 : copy;
	const char *dash = strchr(last, '-');
	guint64 cpu = g_ascii_strtoull(dash != NULL ? dash + 1 : last, NULL, 10);

	return *copy != '\0' ? (uint32_t)MIN(cpu, MAX_CPUS - 1) + 1 : 0;
}

/* How many CPUs there are, less those that --cpu leaves out. */
static uint32_t count_cpus(const Selection *selection, uint64_t n)
{
	uint32_t count = 0;

	for (int32_t cpu = 0; cpu < (int32_t)MIN(n, MAX_CPUS); cpu++)
		count += selection_has_cpu(selection, cpu);
	return count;
}

bool sampling_find(Sampling *self, const Store *store, const Selection *selection, GError **error)
{
	uint64_t hz = store_fact_count(store, "sample_freq");
	uint64_t cpus = store_fact_count(store, "nrcpus online");

	*self = (Sampling){ .hz = (double)hz, .is_hz_told = hz > 0, .are_cpus_told = cpus > 0 };
	if (cpus == 0)
		cpus = cpus_end(store_fact(store, FACT_CPUS));
	self->n_cpus = count_cpus(selection, cpus);
	return hz > 0 || measure_hz(self, store, selection, error);
}
