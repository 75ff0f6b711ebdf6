/* SPDX-License-Identifier: MIT */
/*
 * Begins with a quantile of the counts around (the lower quarter is rarely of spikes), turned
 * into the mean that a Poisson count with this quantile has; then alternates: what stands out is
 * masked, the mean of the rest is the next baseline. It is worked out at knots and interpolated.
 */

#include "heatmap/baseline.h"

#include <math.h>
#include <stdlib.h>

#define REACH_LENGTHS	 2 /* the mean is taken over this many of the longest spike, each way */
#define MIN_REACH_NS	 (30 * NS_PER_SECOND)
#define KNOTS_PER_REACH	 8
#define N_ROUNDS	 5
#define SAMPLES_PER_PART 2.0 /* parts that the quantile is taken of hold this on average */
#define MIN_PARTS	 16
#define MAX_PARTS	 1024
#define MIN_BLOCKS	 24
#define MEDIAN_CHI2	 0.4549 /* of chi-squared with one degree of freedom */

/* Running sums: value i is the sum of buckets before i. */
typedef struct {
	const Series *series;
	size_t reach, step; /* buckets */
	uint8_t *is_masked;
	double *samples, *covered; /* n + 1, of what is not masked */
	GArray *segments;	   /* of Segment */
	bool is_lack;
} Maker;

static bool maker_init(Maker *self, const Series *series, int64_t max_length_ns)
{
	self->series = series;
	self->reach =
		(size_t)(MAX(REACH_LENGTHS * max_length_ns, MIN_REACH_NS) / series->bucket_ns) + 1;
	self->reach = MIN(self->reach, series->n);
	self->step = MAX(self->reach / KNOTS_PER_REACH, 1);
	self->is_masked = g_try_new0(uint8_t, series->n);
	self->samples = g_try_new(double, series->n + 1);
	self->covered = g_try_new(double, series->n + 1);
	self->segments = g_array_new(FALSE, FALSE, sizeof(Segment));
	return self->is_masked != NULL && self->samples != NULL && self->covered != NULL;
}

static void maker_clear(Maker *self)
{
	g_free(self->is_masked);
	g_free(self->samples);
	g_free(self->covered);
	g_array_unref(self->segments);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Maker, maker_clear)

static void sum_up(Maker *self)
{
	const Series *series = self->series;
	double samples = 0, covered = 0;

	for (size_t i = 0; i < series->n; i++) {
		self->samples[i] = samples;
		self->covered[i] = covered;
		if (self->is_masked[i])
			continue;
		samples += series->counts[i];
		covered += (double)series->covered[i];
	}
	self->samples[series->n] = samples;
	self->covered[series->n] = covered;
}

/* --- rates at a knot --------------------------------------------------------------------- */

/* The buckets around a knot; near the ends as many as elsewhere. */
static void around(const Maker *self, size_t knot, size_t *begin, size_t *end)
{
	size_t width = MIN(2 * self->reach, self->series->n);

	*begin = knot > self->reach ? knot - self->reach : 0;
	*begin = MIN(*begin, self->series->n - width);
	*end = *begin + width;
}

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* Samples in parts of the time, MAX_PARTS of them at most, as if wholly covered; sorted. Returns
 * how many. */
static size_t part_rates(const Maker *self, size_t begin, size_t end, size_t width, double *parts)
{
	size_t n = 0, stride = MAX((end - begin) / width / MAX_PARTS, 1) * width;

	for (size_t i = begin; i + width <= end && n < MAX_PARTS; i += stride) {
		double covered = self->covered[i + width] - self->covered[i];

		if (covered > (double)width / 2)
			parts[n++] = (self->samples[i + width] - self->samples[i]) * (double)width /
				     covered;
	}
	qsort(parts, n, sizeof(double), compare_doubles);
	return n;
}

/* By the lower quartile of parts, or where drops are looked for by the 0.65 quantile, since drops
 * may last half of the time, and spikes a quarter. The square root of a Poisson count has a
 * standard deviation of one half, whatever its mean. */
static double quantile_rate(const Maker *self, size_t begin, size_t end)
{
	double mean = (double)self->series->total / MAX(self->series->n_covered, 1), root;
	size_t width = (size_t)CLAMP(SAMPLES_PER_PART / MAX(mean, 1e-9), 1,
				     (double)MAX((end - begin) / MIN_PARTS, 1));
	double parts[MAX_PARTS];
	size_t n = part_rates(self, begin, end, width, parts);

	if (n == 0)
		return mean;
	root = self->is_lack ? sqrt(parts[n * 13 / 20] + 0.375) - 0.193
			     : sqrt(parts[n / 4] + 0.375) + 0.337;
	return root * MAX(root, 0.1) / (double)width;
}

static double mean_rate(const Maker *self, size_t begin, size_t end)
{
	double covered = self->covered[end] - self->covered[begin];
	double samples = self->samples[end] - self->samples[begin];

	/* Where everything around is masked, the whole recording tells. */
	if (covered < 0.02 * (double)(end - begin)) {
		covered = self->covered[self->series->n];
		samples = self->samples[self->series->n];
	}
	return MAX(samples, 0.5) / MAX(covered, 1);
}

typedef double (*RateFunc)(const Maker *self, size_t begin, size_t end);

static double rate_at(const Maker *self, size_t knot, RateFunc rate)
{
	size_t begin, end;

	around(self, knot, &begin, &end);
	return rate(self, begin, end);
}

/* Coverage ends with a sample: one at the beginning of a bucket stands for time after it. */
static double covered_share(const Series *series, size_t i)
{
	double covered = (double)series->covered[i];

	return series->counts[i] > 0 ? MAX(covered, 0.5) : covered;
}

/* Between knots the rate runs straight. */
static void interpolate(const Maker *self, RateFunc rate, float *expected)
{
	size_t n = self->series->n;
	double last = rate_at(self, 0, rate);

	for (size_t knot = 0; knot < n; knot += self->step) {
		size_t end = MIN(knot + self->step, n);
		double next = rate_at(self, end, rate);
		double slope = (next - last) / (double)(end - knot);

		for (size_t i = knot; i < end; i++)
			expected[i] = (float)((last + slope * (double)(i - knot)) *
					      covered_share(self->series, i));
		last = next;
	}
}

/* --- rounds ------------------------------------------------------------------------------ */

/* A bucket more on each side: the ends of a spike lie within buckets. */
static void mask(Maker *self)
{
	for (guint i = 0; i < self->segments->len; i++) {
		const Segment *segment = &g_array_index(self->segments, Segment, i);
		size_t begin = segment->begin - MIN(segment->begin, 1);
		size_t end = MIN(segment->end + 1, self->series->n);

		memset(self->is_masked + begin, 1, end - begin);
	}
}

static void mask_found(Maker *self, SegmentSearch *search, bool is_lack)
{
	g_array_set_size(self->segments, 0);
	search->is_lack = is_lack;
	segments_find(search, self->segments);
	mask(self);
}

static void make_rounds(Maker *self, SegmentSearch *search, float *expected)
{
	sum_up(self);
	interpolate(self, quantile_rate, expected);
	for (int round = 0; round < N_ROUNDS; round++) {
		memset(self->is_masked, 0, self->series->n);
		if (self->is_lack)
			mask_found(self, search, true);
		mask_found(self, search, false);
		sum_up(self);
		interpolate(self, mean_rate, expected);
	}
}

/* --- dispersion -------------------------------------------------------------------------- */

/* Variance over mean of blocks of `width` buckets: the median of their squared deviations, which
 * some spikes that were missed do not change. 0: too few blocks, or too little in them. */
static double dispersion_at(const Maker *self, const float *expected, size_t width)
{
	size_t n = 0, n_blocks = self->series->n / width;
	size_t stride = MAX(n_blocks / 4096, 1) * width;
	g_autofree double *squares = g_new(double, self->series->n / stride + 1);

	for (size_t begin = 0; begin + width <= self->series->n; begin += stride) {
		double mean = 0, samples = 0;
		size_t n_used = 0;

		for (size_t i = begin; i < begin + width; i++) {
			if (self->is_masked[i] || expected[i] <= 0)
				continue;
			mean += (double)expected[i];
			samples += self->series->counts[i];
			n_used++;
		}
		if (mean >= 4 && n_used >= width / 2)
			squares[n++] = (samples - mean) * (samples - mean) / mean;
	}
	if (n < MIN_BLOCKS)
		return 0;
	qsort(squares, n, sizeof(double), compare_doubles);
	return squares[n / 2] / MEDIAN_CHI2;
}

static void measure_dispersion(const Maker *self, Baseline *baseline)
{
	double last = 1;

	for (size_t scale = 0; scale < SEGMENT_SCALES; scale++) {
		size_t width = (size_t)1 << MIN(scale, 30);
		double found = width < self->series->n
				       ? dispersion_at(self, baseline->expected, width)
				       : 0;

		/* A little more than 1 is chance. */
		if (found > 0)
			last = found > 1.3 ? found : 1;
		baseline->dispersion[scale] = last;
	}
}

bool baseline_init(Baseline *self, const Series *series, int64_t max_length_ns, double min_score,
		   bool is_lack)
{
	g_auto(Maker) maker = { 0 };
	SegmentSearch search;

	self->expected = g_try_new0(float, series->n);
	if (!maker_init(&maker, series, max_length_ns) || self->expected == NULL)
		return false;
	search = (SegmentSearch){ .counts = series->counts,
				  .expected = self->expected,
				  .n = series->n,
				  .min_score = min_score,
				  .max_length = (size_t)(max_length_ns / series->bucket_ns) + 1 };
	maker.is_lack = is_lack;
	make_rounds(&maker, &search, self->expected);
	measure_dispersion(&maker, self);
	return true;
}

void baseline_clear(Baseline *self)
{
	g_clear_pointer(&self->expected, g_free);
}
