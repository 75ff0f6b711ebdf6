/* SPDX-License-Identifier: MIT */
/*
 * Folding. Phases are 64-bit fixed-point fractions of the period: time times (2^64 / period)
 * wraps by itself. The table has rows for parts of the time and bins for parts of the period; for
 * another period near the first, every row is shifted by what it has drifted, and rows are added
 * (as pulsar searches do). Then all windows, in steps of a bin, of a ladder of widths are tried.
 */

#include "heatmap/moments.h"

#include <math.h>
#include <string.h>

#define ROW_BITS   6
#define N_ROWS	   (1u << ROW_BITS) /* parts of the time */
#define MAX_BINS   2048
#define BINS_EACH  3 /* bins in the shortest window */
#define WIDTH_STEP 1.3

double moments_covered(const Moments *self)
{
	double sum = 0;

	for (guint i = 0; i < self->spans->len; i++) {
		const Span *span = &g_array_index(self->spans, Span, i);

		sum += (double)span->end - span->begin;
	}
	return sum;
}

/* Fixed-point phase of time 1. */
static uint64_t phase_step(double period)
{
	return (uint64_t)(ldexp(1.0 / period, 63) * 2);
}

static uint64_t phase_of(uint32_t time, uint64_t step, uint64_t origin)
{
	return time * step - origin;
}

/* --- masks ------------------------------------------------------------------------------- */

static void mask_times(Moments *self, const Beat *beat)
{
	uint64_t step = phase_step(beat->period);
	uint64_t origin = (uint64_t)(beat->origin * (double)step);
	uint64_t width = (uint64_t)(beat->width * (double)step);
	size_t n = 0;

	for (size_t i = 0; i < self->n; i++)
		if (phase_of(self->times[i], step, origin) >= width)
			self->times[n++] = self->times[i];
	self->n = n;
}

static void add_span(GArray *spans, double begin, double end)
{
	Span span = { (uint32_t)MAX(begin, 0), (uint32_t)MIN(MAX(end, 0), UINT32_MAX) };

	if (span.begin < span.end)
		g_array_append_val(spans, span);
}

void moments_mask(Moments *self, const Beat *beat)
{
	GArray *spans = g_array_new(FALSE, FALSE, sizeof(Span));

	for (guint i = 0; i < self->spans->len; i++) {
		const Span *span = &g_array_index(self->spans, Span, i);
		double cycle = floor((span->begin - beat->origin) / beat->period);
		double at = span->begin;

		for (; at < span->end; cycle++) {
			double begin = cycle * beat->period + beat->origin;

			add_span(spans, at, MIN(begin, span->end));
			at = MAX(at, begin + beat->width);
		}
	}
	g_array_unref(self->spans);
	self->spans = spans;
	mask_times(self, beat);
}

/* --- the table --------------------------------------------------------------------------- */

typedef struct {
	size_t n_bins;
	double period;
	double *samples; /* N_ROWS * n_bins */
	double *covered;
} Table;

static void fold_times(const Moments *self, Table *table)
{
	uint64_t step = phase_step(table->period);

	for (size_t i = 0; i < self->n; i++) {
		uint32_t time = self->times[i];
		uint64_t bin = ((phase_of(time, step, 0) >> 32) * table->n_bins) >> 32;

		table->samples[(time >> (32 - ROW_BITS)) * table->n_bins + bin]++;
	}
}

/* Adds [begin, end) (in bins, of less than a period) to one row of covered time. */
static void cover_part(double *row, size_t n_bins, double begin, double end)
{
	double bin = floor(begin);

	for (; bin < end; bin++) {
		double part = MIN(bin + 1, end) - MAX(bin, begin);

		row[(size_t)bin % n_bins] += part;
	}
}

/* Covered time of one row: whole periods are the same for every bin. Returns those. */
static double cover_row(const Table *table, double *row, double begin, double end)
{
	double per_bin = table->period / (double)table->n_bins;
	double first = fmod(begin, table->period) / per_bin;
	double length = (end - begin) / per_bin;
	double whole = floor(length / (double)table->n_bins);

	cover_part(row, table->n_bins, first, first + length - whole * (double)table->n_bins);
	return whole;
}

/* Covered time, in bins. */
static void fold_spans(const Moments *self, Table *table)
{
	double row_units = ldexp(1, 32 - ROW_BITS);
	double whole[N_ROWS] = { 0 };

	for (guint i = 0; i < self->spans->len; i++) {
		const Span *span = &g_array_index(self->spans, Span, i);
		double at = span->begin;

		while (at < span->end) {
			size_t row = (size_t)(at / row_units);
			double end = MIN((double)(row + 1) * row_units, (double)span->end);

			whole[row] +=
				cover_row(table, table->covered + row * table->n_bins, at, end);
			at = end;
		}
	}
	for (size_t row = 0; row < N_ROWS; row++)
		for (size_t bin = 0; bin < table->n_bins; bin++)
			table->covered[row * table->n_bins + bin] += whole[row];
}

static void table_init(Table *self, const Moments *moments, double period, size_t n_bins)
{
	self->n_bins = n_bins;
	self->period = period;
	self->samples = g_new0(double, N_ROWS *n_bins);
	self->covered = g_new0(double, N_ROWS *n_bins);
	fold_times(moments, self);
	fold_spans(moments, self);
}

static void table_clear(Table *self)
{
	g_free(self->samples);
	g_free(self->covered);
}

/* --- the search -------------------------------------------------------------------------- */

/* Running sums over two periods, so that windows may wrap: value i is the sum of bins before i. */
typedef struct {
	double *samples, *covered; /* 2 * n_bins + 1 */
} Sums;

/* Adds up the rows, those at the end of the time shifted by `drift` bins. */
static void sum_rows(const Table *table, double drift, Sums *sums)
{
	size_t n = table->n_bins;

	memset(sums->samples, 0, (2 * n + 1) * sizeof(double));
	memset(sums->covered, 0, (2 * n + 1) * sizeof(double));
	for (size_t row = 0; row < N_ROWS; row++) {
		double shift = drift * ((double)row + 0.5) / N_ROWS;
		size_t begin = (size_t)((int64_t)n * 1024 + (int64_t)floor(shift + 0.5)) % n;

		for (size_t i = 0; i < n; i++) {
			size_t bin = begin + i < n ? begin + i : begin + i - n;

			sums->samples[i + 1] += table->samples[row * n + bin];
			sums->covered[i + 1] += table->covered[row * n + bin];
		}
	}
	for (size_t i = 0; i < n; i++) {
		sums->samples[n + i + 1] = sums->samples[i + 1];
		sums->covered[n + i + 1] = sums->covered[i + 1];
	}
	for (size_t i = 0; i < 2 * n; i++) {
		sums->samples[i + 1] += sums->samples[i];
		sums->covered[i + 1] += sums->covered[i];
	}
}

/* A window in bins. */
typedef struct {
	size_t begin, width;
	double drift;
	double samples, expected, sigma;
} Window;

static void try_windows(const Table *table, const Sums *sums, double drift, size_t width,
			Window *best)
{
	size_t n = table->n_bins;
	double all = sums->samples[n], time = sums->covered[n];

	for (size_t i = 0; i < n && time > 0; i++) {
		double samples = sums->samples[i + width] - sums->samples[i];
		double share = (sums->covered[i + width] - sums->covered[i]) / time;
		double excess = samples - all * share;
		double variance = all * share * (1 - share);

		if (excess > 0 && variance > 0 && excess * excess > best->sigma * variance)
			*best = (Window){ i,	   width,	drift,
					  samples, all * share, excess * excess / variance };
	}
}

static void try_drift(const Table *table, double drift, double min_bins, Sums *sums, Window *best)
{
	double width = MAX(min_bins, 1);

	sum_rows(table, drift, sums);
	while ((size_t)width <= table->n_bins / 2) {
		size_t whole = (size_t)width;

		try_windows(table, sums, drift, whole, best);
		width = MAX(width * WIDTH_STEP, (double)whole + 1);
	}
}

static Window search(const Table *table, double max_drift, double min_bins)
{
	size_t n = table->n_bins;
	Sums sums = { g_new(double, 2 * n + 1), g_new(double, 2 * n + 1) };
	Window best = { .sigma = 0 };

	for (double drift = -max_drift; drift <= max_drift; drift++)
		try_drift(table, drift, min_bins, &sums, &best);
	g_free(sums.samples);
	g_free(sums.covered);
	best.sigma = sqrt(best.sigma);
	return best;
}

/* A shift of `drift` bins over all of the time makes one period of another. */
static double drifted_period(double period, double drift, size_t n_bins)
{
	double n_cycles = ldexp(1, 32) / period;

	return period * (1 + drift / (double)n_bins / n_cycles);
}

static Fold fold_of(const Table *table, const Window *window)
{
	double period = drifted_period(table->period, window->drift, table->n_bins);
	double per_bin = period / (double)table->n_bins;

	return (Fold){ .beat = { period, (double)window->begin * per_bin,
				 (double)window->width * per_bin },
		       .samples = window->samples,
		       .expected = window->expected,
		       .sigma = window->sigma };
}

static Fold fold_at(const Moments *self, double period, double reach, double min_width,
		    size_t n_bins)
{
	Table table;
	Window window;
	Fold fold;

	table_init(&table, self, period, n_bins);
	window = search(&table, ceil(reach * (double)n_bins),
			floor(min_width / period * (double)n_bins));
	fold = fold_of(&table, &window);
	table_clear(&table);
	return fold;
}

/* --- the period's last digits ------------------------------------------------------------- */

/* Sums for a straight line through the places of samples within the window, by time. */
typedef struct {
	double n, time, place, time2, both;
} Line;

static void add_to_line(Line *line, double time, double place)
{
	line->n++;
	line->time += time;
	line->place += place;
	line->time2 += time * time;
	line->both += time * place;
}

/* Windows of a range of periods catch the whole pulse; of these, the one along which the pulse
 * does not drift. `place` is -1/2 to 1/2 of the window. */
static void straighten(const Moments *self, Beat *beat)
{
	uint64_t step = phase_step(beat->period);
	uint64_t origin = (uint64_t)(beat->origin * (double)step);
	double width = beat->width * (double)step, slope, spread;
	Line line = { 0 };

	for (size_t i = 0; i < self->n; i++) {
		double phase = (double)phase_of(self->times[i], step, origin);

		if (phase < width)
			add_to_line(&line, self->times[i], phase / width - 0.5);
	}
	spread = line.n * line.time2 - line.time * line.time;
	slope = spread > 0 ? (line.n * line.both - line.time * line.place) / spread : 0;
	/* The window keeps its place in the middle of the time. */
	slope *= beat->width;
	beat->origin -= slope * (ldexp(1, 31) - beat->origin);
	beat->period *= 1 + slope;
	beat->origin -= floor(beat->origin / beat->period) * beat->period;
}

Fold moments_fold(const Moments *self, double period, double reach, double min_width)
{
	size_t wanted = (size_t)MIN(BINS_EACH * period / min_width, MAX_BINS);
	/* Coarsely first: as many bins as the reach can be told from. */
	size_t n_bins = CLAMP((size_t)(16 / reach), 16, MAX(wanted, 16));
	Fold fold = fold_at(self, period, reach, min_width, n_bins);

	while (n_bins < wanted) {
		reach = 2.0 / (double)n_bins;
		n_bins = MIN(n_bins * 4, wanted);
		fold = fold_at(self, fold.beat.period, reach, min_width, n_bins);
	}
	if (fold.sigma > 0)
		straighten(self, &fold.beat);
	return fold;
}

void moments_profile(const Moments *self, const Beat *beat, size_t n_bins, double *samples,
		     double *covered)
{
	Table table;

	table_init(&table, self, beat->period, n_bins);
	memset(samples, 0, n_bins * sizeof(double));
	memset(covered, 0, n_bins * sizeof(double));
	for (size_t i = 0; i < N_ROWS * n_bins; i++) {
		samples[i % n_bins] += table.samples[i];
		covered[i % n_bins] += table.covered[i] * beat->period / (double)n_bins;
	}
	table_clear(&table);
}
