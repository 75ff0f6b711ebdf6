/* SPDX-License-Identifier: MIT */

#include "heatmap/alias.h"

#include <math.h>

#define MAX_CPUS    256
#define MAX_SAMPLES 2000000
#define MIN_LINES   2.0 /* frequencies that lie closer, in 1 / T, are one */
#define CLEARLY	    2.0 /* times as coherent: that is what it is */

/* What kernels tick at, mains, and displays. */
static const double timers_hz[] = { 50, 60, 100, 120, 144, 250, 300, 1000 };

/* Sums of exp(2 pi i f t), by CPU, at the period's frequency and at the timer's. */
typedef struct {
	double slow_hz, fast_hz;
	double slow[MAX_CPUS][2], fast[MAX_CPUS][2];
} Sums;

/* The timer that `hz` may be a beat of; 0: none. */
static double find_timer(double hz, double clock_hz, double span_s)
{
	for (size_t i = 0; i < G_N_ELEMENTS(timers_hz); i++) {
		double k = round(timers_hz[i] / clock_hz);
		double beat = fabs(timers_hz[i] - k * clock_hz);

		if (k >= 1 && fabs(beat - hz) <= MIN_LINES / span_s)
			return timers_hz[i];
	}
	return 0;
}

static void add(double sum[2], double hz, double time_s)
{
	double angle = 2 * G_PI * fmod(hz * time_s, 1);

	sum[0] += cos(angle);
	sum[1] += sin(angle);
}

static bool sum_up(Sums *self, int64_t zero_ns, Selection *selection, GError **error)
{
	g_autofree SampleBlock *block = g_new(SampleBlock, 1);

	selection_rewind(selection);
	for (size_t n = 0; n < MAX_SAMPLES; n += block->n) {
		if (!selection_next(selection, block, error))
			return false;
		if (block->n == 0)
			break;
		for (size_t i = 0; i < block->n; i++) {
			double time_s = (double)(block->time_ns[i] - zero_ns) / 1e9;

			if (block->cpu[i] < 0 || block->cpu[i] >= MAX_CPUS)
				continue;
			add(self->slow[block->cpu[i]], self->slow_hz, time_s);
			add(self->fast[block->cpu[i]], self->fast_hz, time_s);
		}
	}
	return true;
}

/* 1 where CPUs are in step at random, their number where they are in step. */
static double coherence(double sums[MAX_CPUS][2])
{
	double re = 0, im = 0, power = 0;

	for (size_t i = 0; i < MAX_CPUS; i++) {
		re += sums[i][0];
		im += sums[i][1];
		power += sums[i][0] * sums[i][0] + sums[i][1] * sums[i][1];
	}
	return power > 0 ? (re * re + im * im) / power : 1;
}

static bool mark(const Periods *self, Period *period, double clock_hz, Selection *selection,
		 GError **error)
{
	double hz = 1e9 / (double)period->period_ns;
	double timer_hz = find_timer(hz, clock_hz, self->covered_ns / 1e9);
	double k = round(timer_hz / clock_hz);
	g_autofree Sums *sums = g_new0(Sums, 1);

	if (timer_hz <= 0)
		return true;
	sums->slow_hz = hz;
	sums->fast_hz = k * clock_hz + (timer_hz > k * clock_hz ? hz : -hz);
	if (!sum_up(sums, self->zero_ns, selection, error))
		return false;
	if (coherence(sums->slow) < CLEARLY * coherence(sums->fast))
		period->alias_hz = timer_hz;
	return true;
}

bool alias_mark(Periods *self, const SampleClock *clock, Selection *selection, GError **error)
{
	if (clock->tick_ns <= 0)
		return true;
	for (size_t i = 0; i < self->n; i++)
		if (!mark(self, &self->items[i], 1e9 / clock->tick_ns, selection, error))
			return false;
	return true;
}
