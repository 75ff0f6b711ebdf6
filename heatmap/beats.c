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

#define MAX_ROUNDS     12
#define FOLDED_SAMPLES 12000000.0 /* in a round, about */
#define MIN_FOLDED     8
#define MAX_FOLDED     24
#define NEAR	       0.015 /* of logarithms: proposals of the same line */
#define MAX_TESTS      8
#define MIN_SIGMA      4.5
#define MAX_PROFILE    4096
#define MAX_PARTS      64   /* pulses that are told apart */
#define MAX_PULSES     6    /* in a beat of several */
#define GUARD	       0.15 /* of the window, masked on each side */
#define SHADOW	       2.0  /* widths around a beat that are its own */
#define STANDS_OUT     1.1  /* times the sigma: that is the beat */
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

/* What successive pulses have over the rest, by their number modulo `n_parts`. */
typedef struct {
	double rate[MAX_PARTS];	 /* excess in a covered unit; only where is_seen */
	double error[MAX_PARTS]; /* its standard deviation */
	bool is_seen[MAX_PARTS];
} Pulses;

static void look_at_pulses(const Finder *self, const Beat *beat, size_t n_parts, Pulses *pulses)
{
	size_t each = (size_t)CLAMP(4 * beat->period / beat->width, 4, MAX_PROFILE / MAX_PARTS);
	size_t n = n_parts * each, width;
	g_autofree double *samples = g_new(double, n);
	g_autofree double *covered = g_new(double, n);
	Beat whole = { beat->period * (double)n_parts, 0, 0 };
	double rate = (double)self->moments.n / moments_covered(&self->moments);
	size_t first = (size_t)(beat->origin / beat->period * (double)each);

	width = MAX((size_t)(beat->width / beat->period * (double)each), 1);
	moments_profile(&self->moments, &whole, n, samples, covered);
	for (size_t part = 0; part < n_parts; part++) {
		double on = 0, time = 0;

		for (size_t i = 0; i < width; i++) {
			on += samples[(part * each + first + i) % n];
			time += covered[(part * each + first + i) % n];
		}
		pulses->is_seen[part] =
			time * (double)n >= 0.5 * (double)width * moments_covered(&self->moments);
		pulses->rate[part] = on / MAX(time, 1) - rate;
		pulses->error[part] = sqrt(on + 1) / MAX(time, 1);
	}
}

/* Whether every pulse of `beat` within a longer beat of `n_parts` of them is there: else it is the
 * longer one's shape that has it as a harmonic. */
static bool is_each_there(const Finder *self, const Beat *beat, size_t n_parts)
{
	size_t n = MIN(n_parts, MAX_PARTS), n_seen = 0;
	Pulses pulses;
	double mean = 0;

	look_at_pulses(self, beat, n, &pulses);
	for (size_t i = 0; i < n; i++) {
		mean += pulses.is_seen[i] ? pulses.rate[i] : 0;
		n_seen += pulses.is_seen[i];
	}
	mean /= (double)MAX(n_seen, 1);
	for (size_t i = 0; i < n; i++)
		if (pulses.is_seen[i] && pulses.rate[i] + 2 * pulses.error[i] < LEAST_PART * mean)
			return false;
	return n_seen >= 2;
}

/* Whether some of `n_parts` successive pulses lack nearly all that others have: they are not a
 * beat of that period, but some in a longer one. */
static bool is_one_missing(const Finder *self, const Beat *beat, size_t n_parts)
{
	Pulses pulses;
	size_t most = 0;

	look_at_pulses(self, beat, n_parts, &pulses);
	for (size_t i = 1; i < n_parts; i++)
		if (pulses.is_seen[i] && pulses.rate[i] > pulses.rate[most])
			most = i;
	for (size_t i = 0; i < n_parts; i++)
		if (pulses.is_seen[i] &&
		    pulses.rate[i] + 3 * (pulses.error[i] + LEAST_PART * pulses.error[most]) <
			    LEAST_PART * pulses.rate[most])
			return true;
	return false;
}

/* The number of pulses after which what is missing repeats; 1: none is. */
static size_t n_pulses(const Finder *self, const Beat *beat)
{
	for (size_t n = 2; n <= MAX_PULSES; n++)
		if (beat->period * (double)n <= self->search->max_period &&
		    is_one_missing(self, beat, n))
			return n;
	return 1;
}

/* A part of a beat found before, and no beat by itself. */
static bool is_relative(const Finder *self, const Beat *beat)
{
	const Beat *whole;
	size_t n = parts_of(self, beat, &whole);

	return n == 2 || (n > 2 && !is_each_there(self, beat, n));
}

/* What is left over around a beat found before, of the same period: pulses that come early or
 * late. */
static bool is_shadow(const Finder *self, const Beat *beat)
{
	for (guint i = 0; i < self->found->len; i++) {
		const Beat *found = &g_array_index(self->found, FoundBeat, i).beat;
		double middle = beat->origin + beat->width / 2;
		double distance = middle - (found->origin + found->width / 2);

		distance -= round(distance / found->period) * found->period;
		if (is_same(beat->period, found->period) &&
		    fabs(distance) < beat->width / 2 + SHADOW * found->width)
			return true;
	}
	return false;
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
	double log10_n = log10_trials(self, fold), tail = log10_tail(fold->sigma);

	*found = (FoundBeat){ .beat = fold->beat, .sigma = fold->sigma };
	/* Bursts are judged by how they vary, and whatever varies less than chance, by chance. */
	if (tail + log10_n <= log10(self->search->alpha))
		found->log10_p =
			MAX(moments_test(&self->moments, &fold->beat, &found->n_cycles), tail) +
			log10_n;
	if (found->log10_p > log10(self->search->alpha) || found->n_cycles == 0 ||
	    is_relative(self, &fold->beat))
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

static bool is_near_another(const GArray *proposals, guint i)
{
	double period = g_array_index(proposals, Proposal, i).period_ns;

	for (guint k = 0; k < i; k++)
		if (fabs(log(g_array_index(proposals, Proposal, k).period_ns / period)) < NEAR)
			return true;
	return false;
}

static int compare_sigmas(const void *left, const void *right)
{
	const Fold *a = left, *b = right;

	return (a->sigma < b->sigma) - (a->sigma > b->sigma);
}

/* The best proposals, folded; of Fold, clearest first. False when out of memory. */
static bool fold_proposals(const Finder *self, GArray *folds)
{
	const BeatSearch *search = self->search;
	double unit = self->series->time_unit_ns;
	g_autoptr(GArray) proposals = g_array_new(FALSE, FALSE, sizeof(Proposal));
	size_t limit = CLAMP(FOLDED_SAMPLES / MAX(self->moments.n, 1), MIN_FOLDED, MAX_FOLDED);

	if (!spectrum_propose(self->series, search->min_period * unit, search->max_period * unit,
			      proposals))
		return false;
	for (guint i = 0; i < proposals->len && limit > 0; i++) {
		const Proposal *proposal = &g_array_index(proposals, Proposal, i);
		Fold fold;

		if (is_near_another(proposals, i))
			continue;
		fold = moments_fold(&self->moments, proposal->period_ns / unit,
				    1.0 / proposal->n_harmonics, search->min_width);
		g_array_append_val(folds, fold);
		limit--;
	}
	g_array_sort(folds, compare_sigmas);
	return true;
}

/* Of FoundBeat, those of the folds that may be one. */
static GArray *test_folds(const Finder *self, const GArray *folds)
{
	GArray *candidates = g_array_new(FALSE, FALSE, sizeof(FoundBeat));

	for (guint i = 0; i < folds->len && i < MAX_TESTS; i++) {
		const Fold *fold = &g_array_index(folds, Fold, i);
		FoundBeat candidate;

		if (fold->sigma >= MIN_SIGMA && is_beat(self, fold, &candidate))
			g_array_append_val(candidates, candidate);
	}
	return candidates;
}

/* Least likely to be chance, then what stands out most. */
static bool is_clearer(const FoundBeat *a, const FoundBeat *b)
{
	return a->log10_p != b->log10_p ? a->log10_p < b->log10_p : a->sigma > b->sigma;
}

/* `found`, or the beat of which it is but some of the pulses. */
static const FoundBeat *longer_beat(const Finder *self, const FoundBeat *found, FoundBeat *longer)
{
	size_t n = n_pulses(self, &found->beat);
	Fold fold;

	if (n == 1)
		return found;
	fold = moments_fold(&self->moments, found->beat.period * (double)n, 0.5 / (double)n,
			    self->search->min_width);
	return is_beat(self, &fold, longer) ? longer : found;
}

/* `found`, or the beat of which it is every second or third pulse: all of them stand out more. */
static const FoundBeat *shorter_beat(const Finder *self, const FoundBeat *found, FoundBeat *shorter)
{
	for (int n = 2; n <= 3; n++) {
		Fold fold;

		if (found->beat.period / n < self->search->min_period)
			break;
		fold = moments_fold(&self->moments, found->beat.period / n, 0.5,
				    self->search->min_width);
		if (fold.sigma > STANDS_OUT * found->sigma && is_beat(self, &fold, shorter))
			return shorter;
	}
	return found;
}

/* Looks for one more beat. */
static bool find_one(Finder *self, bool *is_found)
{
	g_autoptr(GArray) folds = g_array_new(FALSE, FALSE, sizeof(Fold));
	g_autoptr(GArray) candidates = NULL;
	const FoundBeat *best;
	FoundBeat shorter, longer;

	*is_found = false;
	if (!fold_proposals(self, folds))
		return false;
	candidates = test_folds(self, folds);
	if (candidates->len == 0)
		return true;
	best = &g_array_index(candidates, FoundBeat, 0);
	for (guint i = 1; i < candidates->len; i++)
		if (is_clearer(&g_array_index(candidates, FoundBeat, i), best))
			best = &g_array_index(candidates, FoundBeat, i);
	*is_found = true;
	best = shorter_beat(self, best, &shorter);
	best = longer_beat(self, best, &longer);
	if (!is_shadow(self, &best->beat))
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
	for (int i = 0; is_fine && is_found && i < MAX_ROUNDS && self.moments.n > 0; i++)
		is_fine = find_one(&self, &is_found);
	g_array_unref(self.moments.spans);
	return is_fine;
}
