/* SPDX-License-Identifier: MIT */
/*
 * Weak spikes close to each other are cheapest to explain as one, gaps included, where few samples
 * lie in the gaps. So within each segment the question is asked again: is it of two rates, a high
 * one and a low one? The high rate is not known: it is guessed from the mean upwards, what is too
 * few against it are the gaps, and what is left gives the rate to begin again with. Two rates are
 * taken where their likelihood is better than one rate's by the price of each gap.
 */

#include "heatmap/segments-split.h"

#include <math.h>

#define N_ROUNDS 3

/* The high rate over the segment's mean. */
static const double first_guesses[] = { 1, 2, 4, 8, 16 };

/* What a gap must be worth, by chance less than once in 100 segments of `n` buckets: as
 * segments_min_score(), though two rates are fitted: as measured on noise. */
static double gap_price(size_t n)
{
	return log(20 * (double)n);
}

static void find_gaps(const SegmentSearch *search, const Segment *whole, double rate, GArray *gaps)
{
	size_t n = whole->end - whole->begin;
	g_autofree float *expected = g_new(float, n);

	for (size_t i = 0; i < n; i++)
		expected[i] = (float)(rate * (double)search->expected[whole->begin + i]);
	g_array_set_size(gaps, 0);
	segments_find(&(SegmentSearch){ .counts = search->counts + whole->begin,
					.expected = expected,
					.n = n,
					.dispersion = search->dispersion,
					.is_lack = true,
					.min_score = gap_price(n),
					.max_length = n },
		      gaps);
	for (guint i = 0; i < gaps->len; i++) {
		Segment *gap = &g_array_index(gaps, Segment, i);

		*gap = segment_over(search, whole->begin + gap->begin, whole->begin + gap->end);
	}
}

/* Times what is expected. */
static double rate_of(const Segment *segment)
{
	return segment->samples / segment->expected;
}

/* Whether `gap` parts the buckets from `begin` to `end`: not where it is at an edge, or a stall
 * in something much longer, or busy itself and not much less so than what is beside it. */
static bool is_true_gap(const SegmentSearch *search, const Segment *gap, size_t begin, size_t end)
{
	size_t left = gap->begin - begin, right = end - gap->end;
	Segment before = segment_over(search, begin, gap->begin);
	Segment after = segment_over(search, gap->end, end);

	if (left == 0 || right == 0 || 2 * (gap->end - gap->begin) < MIN(left, right))
		return false;
	return !segment_stands_out(search, gap) ||
	       4 * rate_of(gap) < MIN(rate_of(&before), rate_of(&after));
}

static void keep_true_gaps(const SegmentSearch *search, const Segment *whole, GArray *gaps)
{
	size_t begin = whole->begin;
	guint n = 0;

	for (guint i = 0; i < gaps->len; i++) {
		const Segment *gap = &g_array_index(gaps, Segment, i);
		bool is_last = i + 1 == gaps->len;
		size_t end = is_last ? whole->end : g_array_index(gaps, Segment, i + 1).begin;

		if (!is_true_gap(search, gap, begin, end))
			continue;
		begin = gap->end;
		g_array_index(gaps, Segment, n++) = *gap;
	}
	g_array_set_size(gaps, n);
}

static double log_likelihood(double samples, double expected)
{
	return samples > 0 ? samples * log(samples / expected) : 0;
}

/* What two rates explain better than one, less the gaps' price. The high one: in `rate`. */
static double gain_of(const Segment *whole, const GArray *gaps, double *rate)
{
	double samples = 0, expected = 0;

	for (guint i = 0; i < gaps->len; i++) {
		samples += g_array_index(gaps, Segment, i).samples;
		expected += g_array_index(gaps, Segment, i).expected;
	}
	*rate = (whole->samples - samples) / (whole->expected - expected);
	return log_likelihood(samples, expected) +
	       log_likelihood(whole->samples - samples, whole->expected - expected) -
	       log_likelihood(whole->samples, whole->expected) -
	       gaps->len * gap_price(whole->end - whole->begin);
}

/* The gaps of the largest gain, none where none gains. */
static GArray *best_gaps(const SegmentSearch *search, const Segment *whole)
{
	GArray *best = g_array_new(FALSE, FALSE, sizeof(Segment));
	g_autoptr(GArray) gaps = g_array_new(FALSE, FALSE, sizeof(Segment));
	double best_gain = 0;

	for (size_t i = 0; i < G_N_ELEMENTS(first_guesses); i++) {
		double rate = first_guesses[i] * whole->samples / whole->expected, gain;

		for (int round = 0; round < N_ROUNDS; round++) {
			find_gaps(search, whole, rate, gaps);
			keep_true_gaps(search, whole, gaps);
			gain = gain_of(whole, gaps, &rate);
			if (gain <= best_gain)
				continue;
			best_gain = gain;
			g_array_set_size(best, 0);
			g_array_append_vals(best, gaps->data, gaps->len);
		}
	}
	return best;
}

static void add_part(const SegmentSearch *search, size_t begin, size_t end, GArray *out)
{
	Segment part = segment_over(search, begin, end);

	if (segment_stands_out(search, &part))
		g_array_append_val(out, part);
}

void segments_split(const SegmentSearch *search, const Segment *whole, GArray *out)
{
	g_autoptr(GArray) gaps = best_gaps(search, whole);
	size_t begin = whole->begin;

	for (guint i = 0; i < gaps->len; i++) {
		const Segment *gap = &g_array_index(gaps, Segment, i);

		add_part(search, begin, gap->begin, out);
		begin = gap->end;
	}
	add_part(search, begin, whole->end, out);
}
