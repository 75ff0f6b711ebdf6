/* SPDX-License-Identifier: MIT */
/*
 * The power spectrum of the counts less their mean rate (in covered time), divided by the noise
 * around each frequency: the median of its neighbours, so that bursts and drifts, which raise whole
 * stretches of the spectrum, raise no line of it. A beat of narrow pulses has its power in many
 * harmonics, so the power at 1, 2, 4, … of them is added up for every fundamental (Ransom,
 * Eikenberry and Middleditch 2002); of noise, n of them have a gamma distribution of shape n.
 */

#include "heatmap/spectrum.h"

#include <kiss_fftr.h>
#include <math.h>
#include <stdlib.h>

#define MAX_PADDED  ((size_t)1 << 22) /* buckets up to which the series is padded to twice */
#define LOG2_MOST   6		      /* of the number of harmonics */
#define LOG2_FEW    5		      /* where the series is not padded */
#define CELL_WIDTH  0.01	      /* of the logarithm of the period */
#define MIN_SCORE   5.0
#define MIN_BLOCK   48 /* lines whose median is the noise */
#define MAX_BLOCK   8192
#define BLOCK_SHARE 0.1 /* of the frequency */

typedef struct {
	float *power; /* by line: of noise 1 on average */
	size_t n;
	double line_ns; /* period of line 1: the time that is transformed */
} Spectrum;

static void spectrum_clear(Spectrum *self)
{
	g_clear_pointer(&self->power, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Spectrum, spectrum_clear)

/* --- transform --------------------------------------------------------------------------- */

static void fill(const Series *series, float *values, size_t n)
{
	float mean = (float)((double)series->total / MAX(series->n_covered, 1));

	for (size_t i = 0; i < series->n; i++)
		values[i] = (float)series->counts[i] - mean * series->covered[i];
	memset(values + series->n, 0, (n - series->n) * sizeof(float));
}

static bool transform(Spectrum *self, const Series *series)
{
	size_t wanted = series->n <= MAX_PADDED ? 2 * series->n : series->n;
	int n = kiss_fftr_next_fast_size_real((int)MAX(wanted, 64));
	g_autofree float *values = g_try_new(float, (gsize)n);
	g_autofree kiss_fft_cpx *lines = g_try_new(kiss_fft_cpx, (gsize)n / 2 + 1);
	kiss_fftr_cfg plan = kiss_fftr_alloc(n, 0, NULL, NULL);

	self->n = (size_t)n / 2;
	self->line_ns = (double)n * (double)series->bucket_ns;
	self->power = g_try_new(float, self->n + 1);
	if (values != NULL && lines != NULL && plan != NULL && self->power != NULL) {
		fill(series, values, (size_t)n);
		kiss_fftr(plan, values, lines);
		for (size_t i = 0; i <= self->n; i++)
			self->power[i] = lines[i].r * lines[i].r + lines[i].i * lines[i].i;
	}
	kiss_fftr_free(plan);
	return values != NULL && lines != NULL && plan != NULL && self->power != NULL;
}

/* --- noise ------------------------------------------------------------------------------- */

static int compare_floats(const void *left, const void *right)
{
	float a = *(const float *)left, b = *(const float *)right;

	return (a > b) - (a < b);
}

/* Mean power of the noise in lines [begin, end), by their median. */
static double noise_level(const Spectrum *self, size_t begin, size_t end, float *scratch)
{
	/* Every few lines do where there are many. */
	size_t stride = MAX((end - begin) / 1024, 1), n = 0;

	for (size_t i = begin; i < end; i += stride)
		scratch[n++] = self->power[i];
	qsort(scratch, n, sizeof(float), compare_floats);
	return MAX((double)scratch[n / 2] / M_LN2, 1e-20);
}

/* Divides lines [from, to) by a level that runs from one to the other. */
static void divide(Spectrum *self, size_t from, size_t to, const double level[2])
{
	double slope = (level[1] - level[0]) / (double)MAX(to - from, 1);

	for (size_t i = from; i < to; i++)
		self->power[i] /= (float)(level[0] + slope * (double)(i - from));
}

static void whiten(Spectrum *self)
{
	g_autofree float *scratch = g_new(float, MAX_BLOCK);
	size_t begin = 1, middle = 0;
	double level[2] = { 0, 0 };

	while (begin <= self->n) {
		size_t width = (size_t)CLAMP(BLOCK_SHARE * (double)begin, MIN_BLOCK, MAX_BLOCK - 1);
		size_t end = MIN(begin + width, self->n + 1);

		level[1] = noise_level(self, begin, end, scratch);
		if (begin == 1)
			level[0] = level[1];
		divide(self, middle, (begin + end) / 2, level);
		middle = (begin + end) / 2;
		level[0] = level[1];
		begin = end;
	}
	divide(self, middle, self->n + 1, level);
}

/* --- harmonic sums ----------------------------------------------------------------------- */

/* The best of each stretch of periods. */
typedef struct {
	Proposal *cells;
	size_t n;
	double min_ns;
} Cells;

/* Minus the logarithm of Chernoff's bound for a sum of `n` powers of noise. */
static double score_of(double sum, double n)
{
	return sum > n ? sum - n - n * log(sum / n) : 0;
}

static void offer(Cells *cells, double period_ns, uint32_t n_harmonics, double score)
{
	size_t i = (size_t)MAX(log(period_ns / cells->min_ns) / CELL_WIDTH, 0);

	if (i < cells->n && score > cells->cells[i].score)
		cells->cells[i] = (Proposal){ period_ns, n_harmonics, score };
}

/* Sums the powers of n = 2^log2_n harmonics of every fundamental, in steps of 1 / n of a line, so
 * that the highest harmonic moves on by one line. */
static void add_harmonics(const Spectrum *self, uint32_t log2_n, double max_ns, Cells *cells)
{
	size_t n = (size_t)1 << log2_n;
	size_t first = (size_t)ceil(self->line_ns / max_ns * (double)n);
	size_t last = (size_t)MIN(self->line_ns / cells->min_ns * (double)n, (double)self->n);
	/* Half a score above that of noise: the logarithm is not worth its time below. */
	double least = (double)n + sqrt(2.0 * MIN_SCORE * (double)n);

	for (size_t j = first; j <= last; j++) {
		double sum = 0, score;

		for (size_t h = 1; h <= n; h++)
			sum += (double)self->power[(j * h + n / 2) >> log2_n];
		if (sum < least)
			continue;
		score = score_of(sum, (double)n);
		if (score >= MIN_SCORE)
			offer(cells, self->line_ns * (double)n / (double)j, (uint32_t)n, score);
	}
}

static int compare_scores(const void *left, const void *right)
{
	const Proposal *a = left, *b = right;

	return (a->score < b->score) - (a->score > b->score);
}

bool spectrum_propose(const Series *series, double min_ns, double max_ns, GArray *out)
{
	g_auto(Spectrum) spectrum = { 0 };
	Cells cells = { .n = (size_t)(log(max_ns / min_ns) / CELL_WIDTH) + 1, .min_ns = min_ns };
	g_autofree Proposal *values = g_new0(Proposal, cells.n);
	uint32_t most;

	cells.cells = values;
	if (!transform(&spectrum, series))
		return false;
	whiten(&spectrum);
	most = series->n <= MAX_PADDED ? LOG2_MOST : LOG2_FEW;
	for (uint32_t n = 0; n <= most; n++)
		add_harmonics(&spectrum, n, max_ns, &cells);
	for (size_t i = 0; i < cells.n; i++)
		if (values[i].score > 0)
			g_array_append_val(out, values[i]);
	g_array_sort(out, compare_scores);
	return true;
}
