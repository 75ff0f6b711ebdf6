/* SPDX-License-Identifier: MIT */
/*
 * Rounds: the spectrum proposes periods; each of the best is folded; the one that stands out most
 * is tested, and if it passes, it is a beat, its part of the time is masked, and the next round
 * begins.
 */

#include "heatmap/beats.h"

#include <math.h>
#include <string.h>

#include "heatmap/spectrum.h"

#define MAX_BEATS      10
#define LARGE	       ((size_t)1 << 20) /* buckets from which less is tried */
#define N_FOLDED       24
#define N_FOLDED_LARGE 8
#define MIN_SIGMA      4.5
#define MAX_PROFILE    4096
#define GUARD	       0.15 /* of the window, masked on each side */
#define MAX_MASKED     0.7  /* of a period */
#define EDGE_SIGMA     1.5  /* what still belongs to the pulse */
#define LEAST_PART     0.25 /* of the mean excess: what each pulse in a longer beat must have */

typedef struct {
	Series *series;
	const BeatSearch *search;
	Moments moments;
	GArray *found;
} Finder;

/* --- the series behind the moments --------------------------------------------------------- */

static void make_spans(Finder *self)
{
	const Series *series = self->series;

	for (guint i = 0; i < series->ranges->len; i++) {
		const TimeRange *range = &g_array_index(series->ranges, TimeRange, i);
		double begin = (double)(range->begin_ns - series->first_ns) / series->time_unit_ns;
		double end = (double)(range->end_ns - series->first_ns) / series->time_unit_ns;
		Span span = { (uint32_t)CLAMP(begin, 0, UINT32_MAX),
			      (uint32_t)CLAMP(end, 0, UINT32_MAX) };

		if (span.begin < span.end)
			g_array_append_val(self->moments.spans, span);
	}
}

static void cover_span(Series *series, double begin, double end)
{
	size_t i = (size_t)begin;

	for (; begin < end && i < series->n; i++) {
		double next = MIN((double)i + 1, end);

		series->covered[i] += (float)(next - begin);
		begin = next;
	}
}

/* Counts and coverage anew, after masking. */
static void recount(Finder *self)
{
	Series *series = self->series;
	double scale = series->time_unit_ns / (double)series->bucket_ns;
	double offset = (double)(series->first_ns - series->origin_ns) / (double)series->bucket_ns;

	memset(series->counts, 0, series->n * sizeof(*series->counts));
	memset(series->covered, 0, series->n * sizeof(*series->covered));
	for (size_t i = 0; i < self->moments.n; i++)
		series->counts[MIN((size_t)(offset + self->moments.times[i] * scale),
				   series->n - 1)]++;
	for (guint i = 0; i < self->moments.spans->len; i++) {
		const Span *span = &g_array_index(self->moments.spans, Span, i);

		cover_span(series, offset + span->begin * scale, offset + span->end * scale);
	}
	series->total = self->moments.n;
	series->n_covered =
		moments_covered(&self->moments) * series->time_unit_ns / (double)series->bucket_ns;
}

/* --- relatives ---------------------------------------------------------------------------- */

/* Whether two frequencies cannot be told apart in this time. */
static bool is_same(double period, double other)
{
	return fabs(1 / period - 1 / other) * ldexp(1, 32) < 3;
}

/* How many of `beat` make one of a beat found before; 0: it is no part of any. */
static size_t parts_of(const Finder *self, const Beat *beat, const Beat **whole)
{
	for (guint i = 0; i < self->found->len; i++) {
		const Beat *found = &g_array_index(self->found, FoundBeat, i).beat;
		double n = round(found->period / beat->period);

		*whole = found;
		if (n >= 1 && fabs(n / found->period - 1 / beat->period) * ldexp(1, 32) < 3)
			return (size_t)n;
	}
	return 0;
}

/* Whether every pulse of `beat` within the longer beat `whole` is there: else it is the longer
 * one's shape that has it as a harmonic. */
static bool is_each_there(const Finder *self, const Beat *beat, const Beat *whole, size_t n_parts)
{
	size_t each = (size_t)CLAMP(2 * beat->period / beat->width, 4, 64);
	size_t n = MIN(n_parts, MAX_PROFILE / each) * each, n_seen = 0, n_low = 0;
	g_autofree double *samples = g_new(double, n);
	g_autofree double *covered = g_new(double, n);
	Beat folded = { beat->period * (double)(n / each), 0, 0 };
	double rate = (double)self->moments.n / moments_covered(&self->moments);
	size_t first = (size_t)(beat->origin / beat->period * (double)each);
	size_t width = MAX((size_t)(beat->width / beat->period * (double)each), 1);
	double sum = 0;

	if (fabs(folded.period / whole->period - 1) > 0.5)
		return true;
	moments_profile(&self->moments, &folded, n, samples, covered);
	for (int pass = 0; pass < 2; pass++) {
		for (size_t part = 0; part < n / each; part++) {
			double on = 0, time = 0, excess;

			for (size_t i = 0; i < width; i++) {
				on += samples[(part * each + first + i) % n];
				time += covered[(part * each + first + i) % n];
			}
			if (time * (double)n <
			    0.5 * (double)width * moments_covered(&self->moments))
				continue;
			excess = on / time - rate;
			n_seen += pass == 0;
			sum += pass == 0 ? excess : 0;
			n_low += pass == 1 && excess + 2 * sqrt(on + 1) / time <
						      LEAST_PART * sum / (double)n_seen;
		}
	}
	return n_seen >= 2 && n_low == 0;
}

static bool is_relative(const Finder *self, const Beat *beat)
{
	const Beat *whole;
	size_t n = parts_of(self, beat, &whole);

	for (guint i = 0; i < self->found->len; i++)
		if (is_same(beat->period, g_array_index(self->found, FoundBeat, i).beat.period))
			return true;
	return n == 1 || n == 2 || (n > 2 && !is_each_there(self, beat, whole, n));
}

/* --- one beat ------------------------------------------------------------------------------ */

/*
 * How many beats could have been found instead, each as likely by chance: periods and phases that
 * this width tells apart, and as many again for each octave of period and of width. Windows move
 * on and widen steplessly, so that the largest of them is larger than the largest of as many that
 * have nothing in common; the square of sigma is what makes up for it (as for the maxima of random
 * fields: Adler and Taylor 2007).
 */
static double log10_trials(const Finder *self, const Fold *fold)
{
	const Beat *beat = &fold->beat;
	double n = MAX(ldexp(1, 32) * beat->period / (beat->width * beat->width), 1);
	double octaves = log2(self->search->max_period / self->search->min_period) + 1;
	double widths = log2(MAX(beat->period / self->search->min_width, 2)) + 1;

	return log10(n * octaves * widths * MAX(fold->sigma * fold->sigma, 1));
}

/* log10 of how likely a normal variable exceeds `sigma`, which must not be small. */
static double log10_tail(double sigma)
{
	return -(sigma * sigma / 2 + log(sigma * sqrt(2 * G_PI))) / M_LN10;
}

/* Excess, and the period's error: the pulse's place is known to some part of its width, at the
 * beginning as at the end of the time. */
static void measure(const Finder *self, const Fold *fold, FoundBeat *found)
{
	double all = moments_covered(&self->moments), share, n_cycles, place;
	double samples = (double)self->moments.n;
	Beat beat = fold->beat;

	share = fold->expected / samples;
	found->excess = fold->samples - (samples - fold->samples) * share / (1 - share);
	n_cycles = MAX(all / beat.period, 1);
	place = beat.width / sqrt(12) * sqrt(MAX(fold->samples, 1)) / MAX(found->excess, 1);
	found->error = 1.96 * place * sqrt(12) / n_cycles;
}

static bool is_beat(const Finder *self, const Fold *fold, FoundBeat *found)
{
	*found = (FoundBeat){ .beat = fold->beat, .sigma = fold->sigma };
	/* Bursts are judged by how they vary, and whatever varies less than chance, by chance. */
	found->log10_p = MAX(moments_test(&self->moments, &fold->beat, &found->n_cycles),
			     log10_tail(fold->sigma)) +
			 log10_trials(self, fold);
	if (found->log10_p > log10(self->search->alpha) || is_relative(self, &fold->beat))
		return false;
	measure(self, fold, found);
	return true;
}

/* --- masking ------------------------------------------------------------------------------- */

/* Rate of a bin over `base` in standard deviations. */
static double bin_sigma(double samples, double covered, double base)
{
	double expected = base * covered;

	return expected > 0 ? (samples - expected) / sqrt(MAX(expected, 1)) : 0;
}

/* The beat's window, widened to all of the pulse. */
static Beat whole_pulse(const Finder *self, const Beat *beat)
{
	size_t n = (size_t)CLAMP(8 * beat->period / beat->width, 16, MAX_PROFILE);
	g_autofree double *samples = g_new(double, n);
	g_autofree double *covered = g_new(double, n);
	double bin = beat->period / (double)n, on = 0, time = 0, base;
	size_t width = MAX((size_t)(beat->width / bin + 0.5), 1);
	size_t first = (size_t)(beat->origin / bin) % n, before = 0, after = 0;

	moments_profile(&self->moments, beat, n, samples, covered);
	for (size_t i = 0; i < n; i++) {
		bool is_in = (i + n - first) % n < width;

		on += is_in ? 0 : samples[i];
		time += is_in ? 0 : covered[i];
	}
	base = on / MAX(time, 1);
	while (before < 2 * width &&
	       bin_sigma(samples[(first + 2 * n - before - 1) % n],
			 covered[(first + 2 * n - before - 1) % n], base) > EDGE_SIGMA)
		before++;
	while (after < 2 * width &&
	       bin_sigma(samples[(first + width + after) % n], covered[(first + width + after) % n],
			 base) > EDGE_SIGMA)
		after++;
	return (Beat){ beat->period, beat->origin - (double)before * bin - GUARD * beat->width,
		       MIN(beat->width * (1 + 2 * GUARD) + (double)(before + after) * bin,
			   MAX_MASKED * beat->period) };
}

static void mask(Finder *self, const Beat *beat)
{
	Beat pulse = whole_pulse(self, beat);

	if (pulse.origin < 0)
		pulse.origin += pulse.period;
	moments_mask(&self->moments, &pulse);
	recount(self);
}

/* --- rounds -------------------------------------------------------------------------------- */

/* The best proposals, folded and tested; of FoundBeat, those that may be one. False when out of
 * memory. */
static bool test_proposals(const Finder *self, GArray *candidates)
{
	const BeatSearch *search = self->search;
	double unit = self->series->time_unit_ns;
	g_autoptr(GArray) proposals = g_array_new(FALSE, FALSE, sizeof(Proposal));
	guint limit = self->series->n < LARGE ? N_FOLDED : N_FOLDED_LARGE;

	if (!spectrum_propose(self->series, search->min_period * unit, search->max_period * unit,
			      proposals))
		return false;
	for (guint i = 0; i < proposals->len && i < limit; i++) {
		const Proposal *proposal = &g_array_index(proposals, Proposal, i);
		Fold fold = moments_fold(&self->moments, proposal->period_ns / unit,
					 1.0 / proposal->n_harmonics, search->min_width);
		FoundBeat candidate;

		if (fold.sigma >= MIN_SIGMA && is_beat(self, &fold, &candidate))
			g_array_append_val(candidates, candidate);
	}
	return true;
}

/* Least likely to be chance, then what stands out most. */
static bool is_clearer(const FoundBeat *a, const FoundBeat *b)
{
	return a->log10_p != b->log10_p ? a->log10_p < b->log10_p : a->sigma > b->sigma;
}

/* Looks for one more beat. */
static bool find_one(Finder *self, bool *is_found)
{
	g_autoptr(GArray) candidates = g_array_new(FALSE, FALSE, sizeof(FoundBeat));
	const FoundBeat *best;

	*is_found = false;
	if (!test_proposals(self, candidates))
		return false;
	if (candidates->len == 0)
		return true;
	best = &g_array_index(candidates, FoundBeat, 0);
	for (guint i = 1; i < candidates->len; i++)
		if (is_clearer(&g_array_index(candidates, FoundBeat, i), best))
			best = &g_array_index(candidates, FoundBeat, i);
	*is_found = true;
	g_array_append_val(self->found, *best);
	mask(self, &best->beat);
	return true;
}

bool beats_find(Series *series, const BeatSearch *search, GArray *out)
{
	Finder self = { .series = series,
			.search = search,
			.moments = { series->times, series->total, NULL },
			.found = out };
	bool is_found = true, is_fine = true;

	self.moments.spans = g_array_new(FALSE, FALSE, sizeof(Span));
	make_spans(&self);
	recount(&self);
	while (is_fine && is_found && out->len < MAX_BEATS && self.moments.n > 0)
		is_fine = find_one(&self, &is_found);
	g_array_unref(self.moments.spans);
	return is_fine;
}
