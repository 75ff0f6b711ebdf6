/* SPDX-License-Identifier: MIT */
/*
 * Which changes are more than noise.
 *
 *   1. Each frame is tested for itself, on counts of samples: shares by Fisher's exact test, rates
 *      and plain counts by the exact test of two Poisson rates.
 *   2. Programs are less even than coins. How much less is told by parts that should be alike: the
 *      base's runs or, within one recording, blocks of time of each side. `variance` is how many
 * times larger the variance between them is than counting alone makes it. Each frame's own estimate
 *      is drawn towards what all frames show together, by PRIOR_FREEDOM (as edgeR does:
 *      D. McCarthy, Y. Chen, G. Smyth, Nucleic Acids Research 40 (2012), 4288). Where it exceeds 1
 *      the p-value is corrected. Of two recordings blocks would say too much: a program that
 *      does one thing after the other varies from block to block by design.
 *   3. What is tested many times is right by chance sometimes: p-values become false discovery
 *      rates (Benjamini and Hochberg's: a frame and its callees depend on each other positively;
 *      tests/campaign diff measures what is left of noise). Tests that cannot succeed whatever the
 * samples' split are left out (P. Gilbert, Applied Statistics 54 (2005), 143), and a frame that has
 * the same samples as its caller is the same test.
 */

#include "slice/diff-judge.h"

#include <math.h>
#include <string.h>

#include "slice/exact-test.h"
#include "store/weight.h"

#define PRIOR_FREEDOM 10
#define LEAST_TABLE   64

typedef struct {
	Diff *diff;
	double exposure[N_SIDES]; /* of counts */
	double excess;		  /* (variance - 1) / mean count of a part, as all frames show it */
	double scale;		  /* what 100 points are */
	double least[LEAST_TABLE]; /* least p-value by count of both sides; filled beforehand */
} Judge;

/* --- values -------------------------------------------------------------------------------- */

static double exposure_of(const DiffTotals *totals, DiffNormalize normalize, uint64_t total)
{
	switch (normalize) {
	case NORMALIZE_SHARE:
		return (double)total;
	case NORMALIZE_RATE:
		return totals->seconds;
	default:
		return totals->n_runs;
	}
}

static double divided(double a, double b)
{
	return b > 0 ? a / b : 0;
}

static double ratio_of(double a, double b)
{
	if (b > 0)
		return a / b;
	return a > 0 ? (double)INFINITY : (double)NAN;
}

static void compare(const Judge *self, const DiffTally tally[N_SIDES], DiffVerdict *verdict)
{
	const Diff *diff = self->diff;
	double difference;

	for (int side = 0; side < N_SIDES; side++)
		verdict->value[side] =
			divided((double)tally[side].weight, diff->totals[side].exposure);
	difference = verdict->value[SIDE_NEW] - verdict->value[SIDE_BASE];
	verdict->points = 100 * divided(difference, self->scale);
	verdict->delta =
		diff->settings.normalize == NORMALIZE_SHARE ? 100 * difference : difference;
	verdict->ratio = ratio_of(verdict->value[SIDE_NEW], verdict->value[SIDE_BASE]);
	verdict->variance = 1;
	verdict->q = 1;
}

/* --- variance ------------------------------------------------------------------------------ */

/* What the parts of one side say of one frame. */
typedef struct {
	double squares; /* of the distances from the mean, in units of counting's variance */
	double freedom;
} Scatter;

static Scatter scatter_of(const Judge *self, const DiffTally *tally, DiffSide side)
{
	const DiffTotals *totals = &self->diff->totals[side];
	double count = (double)tally->count, rate = divided(count, totals->part_exposure);
	double expected =
		self->diff->settings.normalize == NORMALIZE_SHARE ? rate * (1 - rate) : rate;

	/* A frame that is not there, or everywhere, does not vary; nothing is learnt from that. */
	if (totals->n_parts < 2 || expected <= 0)
		return (Scatter){ 0, 0 };
	return (Scatter){ MAX(tally->spread - count * rate, 0) / expected, totals->n_parts - 1 };
}

/* Several runs of the base say it all; blocks of time of either side add up. */
static Scatter scatter_of_item(const Judge *self, const DiffTally tally[N_SIDES])
{
	Scatter base = scatter_of(self, &tally[SIDE_BASE], SIDE_BASE);
	Scatter sum = scatter_of(self, &tally[SIDE_NEW], SIDE_NEW);

	if (self->diff->totals[SIDE_BASE].n_runs > 1 && base.freedom > 0)
		return base;
	sum.squares += base.squares;
	sum.freedom += base.freedom;
	return sum;
}

/* The count of one part of either side, were both alike. */
static double usual_count(const Judge *self, const DiffTally tally[N_SIDES])
{
	const DiffTotals *totals = self->diff->totals;
	double count = (double)tally[SIDE_NEW].count + (double)tally[SIDE_BASE].count;

	return count / MAX(totals[SIDE_NEW].n_parts + totals[SIDE_BASE].n_parts, 1);
}

/* Also returns with how many degrees of freedom it is known. */
static double variance_of(const Judge *self, const DiffTally tally[N_SIDES], double *freedom)
{
	Scatter own = scatter_of_item(self, tally);
	double common = 1 + self->excess * usual_count(self, tally);

	*freedom = PRIOR_FREEDOM + own.freedom;
	return MAX((PRIOR_FREEDOM * common + own.squares) / *freedom, 1);
}

/* Whether a node has the samples of its parent, all of them: the same frame, as far as tests go. */
static bool is_as_parent(const Diff *diff, uint32_t node)
{
	const DiffTally *a = diff->nodes[node].tally[MEASURE_TOTAL];
	const DiffTally *b = diff->nodes[diff->shape->nodes[node].parent].tally[MEASURE_TOTAL];

	return node > 0 && a[SIDE_NEW].count == b[SIDE_NEW].count &&
	       a[SIDE_BASE].count == b[SIDE_BASE].count;
}

/* What one frame says of all: (variance - 1) / mean, and how much it has to say. */
typedef struct {
	double excess, mean;
} Witness;

static gint compare_witnesses(gconstpointer left, gconstpointer right)
{
	const Witness *a = left, *b = right;

	return (a->excess > b->excess) - (a->excess < b->excess);
}

/* Of a chi-squared variable divided by its degrees of freedom (Wilson and Hilferty). */
static double median_variance(double freedom)
{
	return pow(1 - 2 / (9 * freedom), 3);
}

/* All nodes with at least one sample a part, each once. */
static GArray *call_witnesses(const Judge *self)
{
	const Diff *diff = self->diff;
	GArray *witnesses = g_array_new(FALSE, FALSE, sizeof(Witness));

	for (uint32_t i = 1; i < diff->shape->n_nodes; i++) {
		const DiffTally *tally = diff->nodes[i].tally[MEASURE_TOTAL];
		Scatter own = scatter_of_item(self, tally);
		Witness witness = { .mean = usual_count(self, tally) };
		double variance;

		if (witness.mean < 1 || own.freedom == 0 || is_as_parent(diff, i))
			continue;
		variance = own.squares / own.freedom / median_variance(own.freedom);
		witness.excess = (variance - 1) / witness.mean;
		g_array_append_val(witnesses, witness);
	}
	return witnesses;
}

/* The median of what they say, weighted by their counts: a few frames that come in bursts say
 * nothing of the others. */
static double common_excess(const Judge *self)
{
	g_autoptr(GArray) witnesses = call_witnesses(self);
	double half = 0;

	for (guint i = 0; i < witnesses->len; i++)
		half += g_array_index(witnesses, Witness, i).mean / 2;
	g_array_sort(witnesses, compare_witnesses);
	for (guint i = 0; i < witnesses->len; i++) {
		const Witness *witness = &g_array_index(witnesses, Witness, i);

		half -= witness->mean;
		if (half <= 0)
			return MAX(witness->excess, 0);
	}
	return 0;
}

/* --- tests --------------------------------------------------------------------------------- */

static double least_p(const Judge *self, uint64_t n)
{
	const DiffTotals *totals = self->diff->totals;

	if (self->exposure[SIDE_NEW] <= 0 || self->exposure[SIDE_BASE] <= 0)
		return 1;
	if (self->diff->settings.normalize == NORMALIZE_SHARE)
		return fisher_least(n, totals[SIDE_NEW].samples, totals[SIDE_BASE].samples);
	return poisson_rates_least((double)n, self->exposure[SIDE_NEW], self->exposure[SIDE_BASE]);
}

/* Most frames have few samples: what these can tell is worked out once. */
static void fill_least(Judge *self)
{
	for (uint64_t n = 0; n < LEAST_TABLE; n++)
		self->least[n] = least_p(self, n);
}

static bool can_succeed(const Judge *self, const DiffTally tally[N_SIDES])
{
	uint64_t n = weight_add(tally[SIDE_NEW].count, tally[SIDE_BASE].count);

	return (n < LEAST_TABLE ? self->least[n] : least_p(self, n)) <= DIFF_LEVEL;
}

/* `variance` is an estimate with so many degrees of `freedom`. */
static double test(const Judge *self, const DiffTally tally[N_SIDES], double variance,
		   double freedom)
{
	const DiffTotals *totals = self->diff->totals;
	Observed sides[N_SIDES];
	double p;

	for (int side = 0; side < N_SIDES; side++)
		sides[side] = (Observed){ (double)tally[side].count, self->exposure[side] };
	if (self->diff->settings.normalize == NORMALIZE_SHARE)
		p = fisher_test(tally[SIDE_NEW].count, totals[SIDE_NEW].samples,
				tally[SIDE_BASE].count, totals[SIDE_BASE].samples);
	else
		p = poisson_rates_test(sides[SIDE_NEW], sides[SIDE_BASE]);
	return variance > 1 ? p_with_variance(p, variance, freedom) : p;
}

static void judge(const Judge *self, DiffVerdict *verdict)
{
	verdict->is_certain = verdict->q <= DIFF_LEVEL;
	verdict->is_significant =
		verdict->is_certain && fabs(verdict->points) >= self->diff->settings.min_change;
}

/* One family of tests: `items` are those to be tested, by one measure. */
static void test_family(const Judge *self, GPtrArray *items, DiffMeasure measure)
{
	g_autofree double *p = g_new(double, items->len + 1);
	g_autofree DiffVerdict **verdicts = g_new(DiffVerdict *, items->len + 1);
	size_t n = 0;

	for (guint i = 0; i < items->len; i++) {
		DiffItem *item = g_ptr_array_index(items, i);
		const DiffTally *tally = item->tally[measure];
		DiffVerdict *verdict = &item->verdict[measure];
		double freedom;

		verdict->variance = variance_of(self, tally, &freedom);
		if (!can_succeed(self, tally))
			continue;
		verdicts[n] = verdict;
		p[n++] = test(self, tally, verdict->variance, freedom);
	}
	false_discovery_rates(p, n);
	for (size_t i = 0; i < n; i++) {
		verdicts[i]->q = p[i];
		judge(self, verdicts[i]);
	}
}

static void judge_nodes(const Judge *self, DiffMeasure measure)
{
	Diff *diff = self->diff;
	g_autoptr(GPtrArray) items = g_ptr_array_new();

	for (uint32_t i = 0; i < diff->shape->n_nodes; i++) {
		DiffItem *item = &diff->nodes[i];

		compare(self, item->tally[measure], &item->verdict[measure]);
		if (measure != MEASURE_TOTAL || !is_as_parent(diff, i))
			g_ptr_array_add(items, item);
	}
	test_family(self, items, measure);
	/* Parents come first. */
	for (uint32_t i = 1; i < diff->shape->n_nodes && measure == MEASURE_TOTAL; i++) {
		if (!is_as_parent(diff, i))
			continue;
		diff->nodes[i].verdict[measure].variance =
			diff->nodes[diff->shape->nodes[i].parent].verdict[measure].variance;
		diff->nodes[i].verdict[measure].q =
			diff->nodes[diff->shape->nodes[i].parent].verdict[measure].q;
		judge(self, &diff->nodes[i].verdict[measure]);
	}
}

static void judge_functions(const Judge *self, DiffMeasure measure)
{
	Diff *diff = self->diff;
	g_autoptr(GPtrArray) items = g_ptr_array_new();

	for (size_t i = 0; i < diff->n_functions; i++) {
		DiffItem *item = &diff->functions[i].item;

		compare(self, item->tally[measure], &item->verdict[measure]);
		g_ptr_array_add(items, item);
	}
	test_family(self, items, measure);
}

/* --- order --------------------------------------------------------------------------------- */

static gint compare_functions(gconstpointer left, gconstpointer right, gpointer by)
{
	const DiffFunction *a = left, *b = right;
	DiffMeasure measure = *(const DiffMeasure *)by, other = N_MEASURES - 1 - measure;
	const DiffVerdict *x = a->item.verdict, *y = b->item.verdict;
	/* What did not change at all stands in order of size. */
	double mine[] = { fabs(x[measure].delta), fabs(x[other].delta),
			  x[measure].value[SIDE_NEW] };
	double yours[] = { fabs(y[measure].delta), fabs(y[other].delta),
			   y[measure].value[SIDE_NEW] };
	int order = x[measure].is_significant - y[measure].is_significant;

	if (order != 0)
		return -order;
	for (size_t i = 0; i < G_N_ELEMENTS(mine); i++)
		if (mine[i] != yours[i])
			return mine[i] > yours[i] ? -1 : 1;
	order = strcmp(a->name, b->name);
	return order != 0 ? order : strcmp(a->dso, b->dso);
}

void diff_judge(Diff *diff)
{
	Judge self = { .diff = diff };
	DiffNormalize normalize = diff->settings.normalize;

	for (int side = 0; side < N_SIDES; side++) {
		DiffTotals *totals = &diff->totals[side];

		self.exposure[side] = exposure_of(totals, normalize, totals->samples);
		totals->exposure = exposure_of(totals, normalize, totals->weight);
		self.scale = MAX(self.scale, divided((double)totals->weight, totals->exposure));
	}
	fill_least(&self);
	self.excess = common_excess(&self);
	for (int measure = 0; measure < N_MEASURES; measure++) {
		judge_nodes(&self, measure);
		judge_functions(&self, measure);
	}
	g_qsort_with_data(diff->functions, (gint)diff->n_functions, sizeof(*diff->functions),
			  compare_functions, &diff->settings.by);
}
