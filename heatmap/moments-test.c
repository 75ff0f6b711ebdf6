/* SPDX-License-Identifier: MIT */
/* Whether a beat is one: its windows against all others of their length. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "heatmap/moments.h"

#define N_LEVELS    1024 /* of the histogram of what windows hold */
#define MIN_COVERED 0.5	 /* of a window, to be counted */
#define CAP_SIGMA   3.0
#define MAX_TILES   ((double)(1 << 25))

/* Counts and coverage by tile: row j is the period that begins with window j of the beat. */
typedef struct {
	size_t n_rows, n_tiles; /* tiles in a row */
	double period, width, begin;
	uint32_t *counts;
	float *covered; /* share of the tile */
} Tiles;

static bool tiles_init(Tiles *self, const Beat *beat)
{
	self->period = beat->period;
	self->width = beat->width;
	self->begin = beat->origin - beat->period;
	self->n_tiles = (size_t)(beat->period / beat->width);
	self->n_rows = (size_t)((ldexp(1, 32) - self->begin) / beat->period) + 1;
	if ((double)self->n_rows * (double)self->n_tiles > MAX_TILES)
		return false;
	self->counts = g_new0(uint32_t, self->n_rows * self->n_tiles);
	self->covered = g_new0(float, self->n_rows * self->n_tiles);
	return true;
}

static void tiles_clear(Tiles *self)
{
	g_free(self->counts);
	g_free(self->covered);
}

static void count_times(Tiles *self, const Moments *moments)
{
	double per_period = 1 / self->period, per_width = 1 / self->width;

	for (size_t i = 0; i < moments->n; i++) {
		double at = (double)moments->times[i] - self->begin;
		size_t row = (size_t)(at * per_period);
		size_t tile = (size_t)((at - (double)row * self->period) * per_width);

		if (tile < self->n_tiles && row < self->n_rows)
			self->counts[row * self->n_tiles + tile]++;
	}
}

/* Adds what of [begin, end), counted from the row's begin, is in its tiles; what is left over at
 * the period's end is in none. */
static void cover_row(Tiles *self, size_t row, double begin, double end)
{
	size_t first = (size_t)(begin / self->width);
	size_t last = MIN((size_t)(end / self->width) + 1, self->n_tiles);

	for (size_t tile = first; tile < last; tile++) {
		double from = MAX(begin, (double)tile * self->width);
		double to = MIN(end, (double)(tile + 1) * self->width);

		if (to > from)
			self->covered[row * self->n_tiles + tile] +=
				(float)((to - from) / self->width);
	}
}

static void cover(Tiles *self, const Span *span)
{
	double begin = span->begin - self->begin, end = span->end - self->begin;

	for (size_t row = (size_t)(begin / self->period); row < self->n_rows; row++) {
		double row_begin = (double)row * self->period;

		if (row_begin >= end)
			return;
		cover_row(self, row, MAX(begin - row_begin, 0), MIN(end - row_begin, self->period));
	}
}

/* --- what a window has over the mean of its period ---------------------------------------- */

/* Every window's surplus, sorted into those of the beat and the others. */
typedef struct {
	double *own; /* of the beat's windows */
	size_t n_own;
	double *others;
	size_t n_others;
} Surplus;

/* Samples per covered tile in the whole row; < 0 where hardly anything is covered. */
static double row_mean(const Tiles *self, size_t row)
{
	double samples = 0, covered = 0;

	for (size_t i = row * self->n_tiles; i < (row + 1) * self->n_tiles; i++) {
		samples += self->counts[i];
		covered += (double)self->covered[i];
	}
	return covered >= 1.5 ? samples / covered : -1;
}

static void find_surplus(const Tiles *self, Surplus *surplus)
{
	for (size_t row = 0; row < self->n_rows; row++) {
		double mean = row_mean(self, row);

		for (size_t tile = 0; mean >= 0 && tile < self->n_tiles; tile++) {
			size_t i = row * self->n_tiles + tile;
			double covered = (double)self->covered[i];

			if (covered < MIN_COVERED)
				continue;
			if (tile == 0)
				surplus->own[surplus->n_own++] = self->counts[i] - mean * covered;
			else
				surplus->others[surplus->n_others++] =
					self->counts[i] - mean * covered;
		}
	}
}

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static double mean_of(const double *values, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += values[i];
	return sum / (double)n;
}

/* Mean samples of a window. */
static double mean_count(const Tiles *self)
{
	double samples = 0, covered = 0;

	for (size_t i = 0; i < self->n_rows * self->n_tiles; i++) {
		samples += self->counts[i];
		covered += (double)self->covered[i];
	}
	return samples / MAX(covered, 1);
}

/* What no window may exceed: the typical one of the beat, or what chance makes now and then. */
static double find_cap(const Tiles *self, const Surplus *surplus)
{
	g_autofree double *own = g_memdup2(surplus->own, surplus->n_own * sizeof(double));

	qsort(own, surplus->n_own, sizeof(double), compare_doubles);
	return MAX(own[surplus->n_own / 2], CAP_SIGMA * sqrt(MAX(mean_count(self), 0.05)));
}

static void cap(double *values, size_t n, double limit)
{
	for (size_t i = 0; i < n; i++)
		values[i] = CLAMP(values[i], -limit, limit);
}

/* --- Chernoff's bound -------------------------------------------------------------------- */

/* Distribution of the surplus of a window that is not the beat's. */
typedef struct {
	double share[N_LEVELS];
	double value[N_LEVELS];
	size_t n;
} Levels;

/* How often the limit is reached beyond what was seen: one time more than it was, or what a normal
 * distribution of the same variance says, if that is less (but not much less). */
static double unseen_share(const double *values, size_t n, double limit)
{
	double seen = 1 / ((double)n + 1), square = 0;

	for (size_t i = 0; i < n; i++)
		square += values[i] * values[i] / (double)n;
	return CLAMP(erfc(limit / sqrt(2 * MAX(square, 1e-12))) / 2, seen * seen, seen);
}

static void make_levels(Levels *self, const double *values, size_t n, double limit)
{
	double step = 2 * limit / (N_LEVELS - 1), mean = 0;
	double unseen = unseen_share(values, n, limit), each = (1 - unseen) / (double)n;

	memset(self, 0, sizeof(*self));
	for (size_t i = 0; i < n; i++)
		self->share[(size_t)((values[i] + limit) / step + 0.5)] += each;
	self->share[N_LEVELS - 1] += unseen;
	for (size_t i = 0; i < N_LEVELS; i++) {
		self->value[i] = -limit + step * (double)i;
		mean += self->share[i] * self->value[i];
	}
	for (size_t i = 0; i < N_LEVELS; i++) {
		self->value[i] -= mean;
		if (self->share[i] > 0) {
			self->share[self->n] = self->share[i];
			self->value[self->n++] = self->value[i];
		}
	}
}

/* Logarithm of the moment generating function at `theta`, and its derivative. */
static double cumulant(const Levels *self, double theta, double *slope)
{
	double top = theta * self->value[self->n - 1], sum = 0, moment = 0;

	for (size_t i = 0; i < self->n; i++) {
		double part = self->share[i] * exp(theta * self->value[i] - top);

		sum += part;
		moment += part * self->value[i];
	}
	*slope = moment / sum;
	return log(sum) + top;
}

/* Logarithm of a bound for the probability that `n` windows have `mean` or more on average. */
static double chernoff(const Levels *self, double mean, double n)
{
	double low = 0, high = 1 / MAX(self->value[self->n - 1], 1e-9), slope = 0, bound;

	if (mean <= 0)
		return 0;
	mean = MIN(mean, self->value[self->n - 1]);
	for (int i = 0; i < 60; i++) {
		cumulant(self, high, &slope);
		if (slope >= mean || high * self->value[self->n - 1] > 600)
			break;
		high *= 2;
	}
	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		cumulant(self, middle, &slope);
		if (slope < mean)
			low = middle;
		else
			high = middle;
	}
	bound = n * (cumulant(self, low, &slope) - low * mean);
	return MIN(bound, 0);
}

static double test(const Tiles *tiles, Surplus *surplus)
{
	g_autofree Levels *levels = g_new(Levels, 1);
	double limit;

	if (surplus->n_own < 3 || surplus->n_others < 3)
		return 0;
	limit = find_cap(tiles, surplus);
	cap(surplus->own, surplus->n_own, limit);
	cap(surplus->others, surplus->n_others, limit);
	make_levels(levels, surplus->others, surplus->n_others, limit);
	return chernoff(levels, mean_of(surplus->own, surplus->n_own), (double)surplus->n_own) /
	       M_LN10;
}

double moments_test(const Moments *self, const Beat *beat, uint32_t *n_cycles)
{
	Tiles tiles = { 0 };
	Surplus surplus = { 0 };
	double log10_p;

	*n_cycles = 0;
	if (beat->width <= 0 || !tiles_init(&tiles, beat))
		return 0;
	count_times(&tiles, self);
	for (guint i = 0; i < self->spans->len; i++) {
		const Span *span = &g_array_index(self->spans, Span, i);

		cover(&tiles, span);
	}
	surplus.own = g_new(double, tiles.n_rows + 1);
	surplus.others = g_new(double, tiles.n_rows *tiles.n_tiles + 1);
	find_surplus(&tiles, &surplus);
	*n_cycles = (uint32_t)surplus.n_own;
	log10_p = test(&tiles, &surplus);
	g_free(surplus.own);
	g_free(surplus.others);
	tiles_clear(&tiles);
	return log10_p;
}
