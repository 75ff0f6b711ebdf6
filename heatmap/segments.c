/* SPDX-License-Identifier: MIT */
/*
 * For a rate of rho times what is expected, a bucket's log-likelihood ratio is x ln(rho) -
 * (rho - 1) e. Where stretches of that rate may begin at a price, the best path through the two
 * states (Viterbi's) is found in one pass: a stretch begins at the lowest running sum once the sum
 * is higher by the price, and ends at the highest once it is lower by the price. One pass for each
 * of a ladder of rates proposes; from the proposals, which overlap, weighted interval scheduling
 * chooses those of the largest sum. So a long mild spike, a short sharp one, and two with a gap
 * between them all come out as what they are.
 */

#include "heatmap/segments.h"

#include <math.h>

#include "heatmap/segments-split.h"

/* Ratios of rates to look for; a true one in between loses little. */
static const double more_ratios[] = { 1.15, 1.4, 1.8, 2.5, 3.5, 5, 8, 14, 25, 50, 120, 400, 2000 };
static const double less_ratios[] = { 0.87, 0.7, 0.5, 0.3, 0.12, 0.03 };

static double dispersion_of(const SegmentSearch *search, size_t length)
{
	return search->dispersion != NULL
		       ? search->dispersion[MIN(g_bit_storage(length), SEGMENT_SCALES) - 1]
		       : 1;
}

static double score_of(const SegmentSearch *search, const Segment *segment)
{
	double samples = segment->samples, expected = segment->expected, score = expected;
	bool is_right = search->is_lack ? samples < expected : samples > expected;

	if (!is_right || expected <= 0)
		return 0;
	if (samples > 0)
		score = samples * log(samples / expected) - (samples - expected);
	return score;
}

double segments_min_score(double n, double alpha)
{
	/* Karlin and Altschul (1990): n K exp(-score) segments by chance, with K about 0.1 for
	 * such scores, times some for the ladder. */
	return log(MAX(n, 2) * 0.5 / alpha);
}

/* --- proposals --------------------------------------------------------------------------- */

/* The walk of one ratio. */
typedef struct {
	const SegmentSearch *search;
	double sum;
	bool is_open;  /* in a stretch */
	size_t low_at; /* where the lowest sum was since the last stretch: a stretch begins there */
	size_t high_at; /* where the highest sum was in it: it ends there */
	double low, high;
	GArray *out;
} Walk;

Segment segment_over(const SegmentSearch *search, size_t begin, size_t end)
{
	Segment segment = { .begin = begin, .end = end };

	for (size_t i = begin; i < end; i++) {
		segment.samples += search->counts[i];
		segment.expected += (double)search->expected[i];
	}
	segment.score = score_of(search, &segment);
	return segment;
}

bool segment_stands_out(const SegmentSearch *search, const Segment *segment)
{
	size_t length = segment->end - segment->begin;

	return segment->score >= search->min_score * dispersion_of(search, length);
}

/* Adds the segment, where it is one, with the sums of its buckets. */
static void propose(const SegmentSearch *search, size_t begin, size_t end, GArray *out)
{
	Segment segment;

	if (end - begin > search->max_length)
		return;
	segment = segment_over(search, begin, end);
	if (segment_stands_out(search, &segment))
		g_array_append_val(out, segment);
}

/* Ends the stretch, if there is one; the next begins at bucket `at` or later. */
static void close_stretch(Walk *self, size_t at)
{
	if (self->is_open)
		propose(self->search, self->low_at, self->high_at, self->out);
	self->is_open = false;
	self->low = self->sum;
	self->low_at = at;
}

/* After bucket `at - 1` was added. */
static void look(Walk *self, size_t at)
{
	double price = self->search->min_score;

	if (!self->is_open && self->sum < self->low) {
		self->low = self->sum;
		self->low_at = at;
	}
	if (!self->is_open && self->sum - self->low >= price) {
		self->is_open = true;
		self->high = self->sum - 1;
	}
	if (self->is_open && self->sum > self->high) {
		self->high = self->sum;
		self->high_at = at;
	}
	if (self->is_open && self->high - self->sum >= price)
		close_stretch(self, at);
}

static void walk_ratio(const SegmentSearch *search, double ratio, GArray *out)
{
	Walk self = { .search = search, .out = out };
	double gain = log(ratio), cost = ratio - 1;

	for (size_t i = 0; i < search->n; i++) {
		if (search->expected[i] <= 0) {
			close_stretch(&self, i + 1);
			continue;
		}
		self.sum += gain * search->counts[i] - cost * (double)search->expected[i];
		look(&self, i + 1);
	}
	close_stretch(&self, search->n);
}

/* --- the choice -------------------------------------------------------------------------- */

static int compare_ends(const void *left, const void *right)
{
	const Segment *a = left, *b = right;

	if (a->end != b->end)
		return a->end < b->end ? -1 : 1;
	return (a->begin > b->begin) - (a->begin < b->begin);
}

/* How many of the first `n` segments end at or before `begin`. */
static size_t count_before(const GArray *segments, size_t n, size_t begin)
{
	size_t low = 0;

	while (low < n) {
		size_t middle = low + (n - low) / 2;

		if (g_array_index(segments, Segment, middle).end <= begin)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

/* Weighted interval scheduling: best[i] is the largest sum of the first i. */
void segments_choose(GArray *segments, double price, GArray *out)
{
	g_autofree double *best = g_new0(double, (gsize)segments->len + 1);
	guint first = out->len;

	g_array_sort(segments, compare_ends);
	for (size_t i = 0; i < segments->len; i++) {
		const Segment *segment = &g_array_index(segments, Segment, i);
		size_t before = count_before(segments, i, segment->begin);

		best[i + 1] = MAX(best[i], best[before] + segment->score - price);
	}
	for (size_t i = segments->len; i > 0;) {
		const Segment *segment = &g_array_index(segments, Segment, i - 1);

		if (best[i] == best[i - 1]) {
			i--;
			continue;
		}
		g_array_append_val(out, *segment);
		i = count_before(segments, i - 1, segment->begin);
	}
	for (guint a = first, b = out->len; a + 1 < b; a++, b--) {
		Segment swapped = g_array_index(out, Segment, a);

		g_array_index(out, Segment, a) = g_array_index(out, Segment, b - 1);
		g_array_index(out, Segment, b - 1) = swapped;
	}
}

void segments_find(const SegmentSearch *search, GArray *out)
{
	const double *ratios = search->is_lack ? less_ratios : more_ratios;
	size_t n_ratios = search->is_lack ? G_N_ELEMENTS(less_ratios) : G_N_ELEMENTS(more_ratios);
	g_autoptr(GArray) proposals = g_array_new(FALSE, FALSE, sizeof(Segment));
	g_autoptr(GArray) chosen = g_array_new(FALSE, FALSE, sizeof(Segment));

	for (size_t i = 0; i < n_ratios; i++)
		walk_ratio(search, ratios[i], proposals);
	segments_choose(proposals, search->min_score, search->is_lack ? out : chosen);
	for (guint i = 0; i < chosen->len; i++)
		segments_split(search, &g_array_index(chosen, Segment, i), out);
}
