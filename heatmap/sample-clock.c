/* SPDX-License-Identifier: MIT */
/* Regular: of the distances of two samples of one CPU that are short, most are near a whole number
 * of ticks. Distances of random times are not. */

#include "heatmap/sample-clock.h"

#include <math.h>

#include "store/sampling.h"

#define MAX_CPUS     4096
#define MAX_SAMPLES  200000
#define MIN_GAPS     50
#define MAX_MULTIPLE 4	  /* ticks: longer distances say nothing, whatever the clock */
#define TOLERANCE    0.03 /* of a tick */
#define MOST	     0.6

typedef struct {
	double tick_ns;
	int64_t last_ns[MAX_CPUS];
	size_t n_gaps, n_whole;
} Walk;

static void look_at(Walk *self, const SampleBlock *block, size_t i)
{
	int32_t cpu = block->cpu[i];
	double ticks, whole;

	if (cpu < 0 || cpu >= MAX_CPUS)
		return;
	ticks = (double)(block->time_ns[i] - self->last_ns[cpu]) / self->tick_ns;
	whole = floor(ticks + 0.5);
	if (self->last_ns[cpu] != TIME_NONE && ticks > 0.5 && ticks < MAX_MULTIPLE + 0.5) {
		self->n_gaps++;
		self->n_whole += fabs(ticks - whole) <= TOLERANCE;
	}
	self->last_ns[cpu] = block->time_ns[i];
}

bool sample_clock_find(SampleClock *self, const Store *store, Selection *selection, GError **error)
{
	g_autofree SampleBlock *block = g_new(SampleBlock, 1);
	g_autofree Walk *walk = g_new0(Walk, 1);
	Sampling sampling;

	self->tick_ns = 0;
	if (!sampling_find(&sampling, store, selection, error))
		return false;
	if (sampling.hz <= 0)
		return true;
	walk->tick_ns = 1e9 / sampling.hz;
	for (size_t i = 0; i < MAX_CPUS; i++)
		walk->last_ns[i] = TIME_NONE;
	selection_rewind(selection);
	for (size_t n = 0; n < MAX_SAMPLES; n += block->n) {
		if (!selection_next(selection, block, error))
			return false;
		if (block->n == 0)
			break;
		for (size_t i = 0; i < block->n; i++)
			look_at(walk, block, i);
	}
	if (walk->n_gaps >= MIN_GAPS && (double)walk->n_whole >= MOST * (double)walk->n_gaps)
		self->tick_ns = walk->tick_ns;
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
