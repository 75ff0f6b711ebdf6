/* SPDX-License-Identifier: MIT */
/*
 * For a rate of rho times what is expected, a bucket's log-likelihood ratio is x ln(rho) -
 * (rho - 1) e, and the stretches to look at are the maximal scoring subsequences of that series,
 * all of which one pass finds (Ruzzo and Tompa, "A linear time algorithm for finding all maximal
 * scoring subsequences", 1999). One pass for each of a ladder of rates proposes; from the
 * proposals, which overlap, weighted interval scheduling chooses those of the largest sum. So a
 * long mild spike, a short sharp one, and two with a gap between them all come out as what they
 * are.
 */

#include "heatmap/segments.h"

#include <math.h>

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
	return score / dispersion_of(search, segment->end - segment->begin);
}

double segments_min_score(double n, double alpha)
{
	/* Karlin and Altschul (1990): n K exp(-score) segments by chance, with K about 0.1 for
	 * such scores, times some for the ladder. */
	return log(MAX(n, 2) * 0.3 / alpha);
}

/* --- maximal subsequences ---------------------------------------------------------------- */

/* A candidate that may yet be joined with later ones; `left`, `right`: the running sums before
 * its first and after its last bucket. */
typedef struct {
	size_t begin, end;
	double left, right;
	size_t lower; /* the last candidate before it of a smaller `left`, + 1; 0: none */
} Candidate;

/* The walk of one ratio. */
typedef struct {
	const SegmentSearch *search;
	double gain, cost; /* of a sample, of an expected sample */
	GArray *candidates;
	GArray *out;
} Walk;

static Candidate *candidate(const Walk *self, size_t i)
{
	return &g_array_index(self->candidates, Candidate, i);
}

/* Adds the segment, where it is one, with the sums of its buckets. */
static void propose(const Walk *self, const Candidate *found)
{
	const SegmentSearch *search = self->search;
	Segment segment = { .begin = found->begin, .end = found->end };

	if (found->end - found->begin > search->max_length)
		return;
	for (size_t i = found->begin; i < found->end; i++) {
		segment.samples += search->counts[i];
		segment.expected += (double)search->expected[i];
	}
	segment.score = score_of(search, &segment);
	if (segment.score >= search->min_score)
		g_array_append_val(self->out, segment);
}

/* No later bucket can join what there is. */
static void flush(Walk *self)
{
	for (guint i = 0; i < self->candidates->len; i++)
		propose(self, candidate(self, i));
	g_array_set_size(self->candidates, 0);
}

/* The last candidate whose left sum is below `left`, + 1; 0: none. */
static size_t find_lower(const Walk *self, double left)
{
	size_t i = self->candidates->len;

	while (i > 0 && candidate(self, i - 1)->left >= left)
		i = candidate(self, i - 1)->lower;
	return i;
}

static void add_positive(Walk *self, Candidate new)
{
	for (;;) {
		size_t lower = find_lower(self, new.left);

		if (lower == 0)
			flush(self);
		if (lower == 0 || candidate(self, lower - 1)->right >= new.right) {
			new.lower = lower;
			g_array_append_val(self->candidates, new);
			return;
		}
		new.begin = candidate(self, lower - 1)->begin;
		new.left = candidate(self, lower - 1)->left;
		g_array_set_size(self->candidates, (guint)lower - 1);
	}
}

static void walk(Walk *self)
{
	const SegmentSearch *search = self->search;
	double sum = 0;

	for (size_t i = 0; i < search->n; i++) {
		double step =
			self->gain * search->counts[i] - self->cost * (double)search->expected[i];

		if (search->expected[i] <= 0)
			flush(self);
		else if (step > 0)
			add_positive(self, (Candidate){ i, i + 1, sum, sum + step, 0 });
		sum += step;
	}
	flush(self);
}

static void walk_ratio(const SegmentSearch *search, double ratio, GArray *candidates, GArray *out)
{
	Walk self = { .search = search,
		      .gain = log(ratio),
		      .cost = ratio - 1,
		      .candidates = candidates,
		      .out = out };

	walk(&self);
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
static void choose(const GArray *segments, double price, GArray *out)
{
	g_autofree double *best = g_new0(double, (gsize)segments->len + 1);
	guint first = out->len;

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
	g_autoptr(GArray) candidates = g_array_new(FALSE, FALSE, sizeof(Candidate));

	for (size_t i = 0; i < n_ratios; i++)
		walk_ratio(search, ratios[i], candidates, proposals);
	g_array_sort(proposals, compare_ends);
	choose(proposals, search->min_score, out);
}
