/* SPDX-License-Identifier: MIT */
/*
 * Which changes are more than noise.
 *
 *   1. Each frame is tested for itself, on counts of samples: shares by Fisher's exact test, rates
 *      and plain counts by the exact test of two Poisson rates.
 *   2. Programs are less even than coins. How much less is told by the parts of the base, its runs
 *      or blocks of its time: `variance` is how many times larger the variance between them is
 *      than counting alone makes it. Each frame's own estimate is drawn towards what all frames
 *      show together, by PRIOR_FREEDOM (as edgeR does: D. McCarthy, Y. Chen, G. Smyth, Nucleic
 *      Acids Research 40 (2012), 4288). Where it exceeds 1 the p-value is corrected.
 *   3. What is tested many times is right by chance sometimes: p-values become false discovery
 *      rates. Frames of one tree depend on each other in every way, hence Benjamini and
 *      Yekutieli's. Tests that cannot succeed whatever the samples' split are left out
 *      (P. Gilbert, Applied Statistics 54 (2005), 143), and a frame that has the same samples as
 *      its caller is the same test.
 */

#include "slice/diff-judge.h"

#include <math.h>
#include <string.h>

#include "slice/exact-test.h"

#define PRIOR_FREEDOM 10

typedef struct {
	Diff *diff;
	double exposure[N_SIDES]; /* of counts */
	double freedom;		  /* of each frame's own estimate; 0: there is none */
	double excess;		  /* squared coefficient of variation between parts, all frames */
	double scale;		  /* what 100 points are */
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

/* Variance between the base's parts, times that of counting; only where it has any count. */
static double own_variance(const Judge *self, const DiffTally *base)
{
	const DiffTotals *totals = &self->diff->totals[SIDE_BASE];
	double count = (double)base->count, rate = count / totals->part_exposure;
	double expected =
		self->diff->settings.normalize == NORMALIZE_SHARE ? rate * (1 - rate) : rate;
	double squares = base->spread - count * rate;

	return expected > 0 ? MAX(squares, 0) / expected / self->freedom : 1;
}

/* The count of one part of the base, were both sides alike. */
static double usual_count(const Judge *self, const DiffTally tally[N_SIDES])
{
	double count = (double)tally[SIDE_NEW].count + (double)tally[SIDE_BASE].count;
	double exposure = self->exposure[SIDE_NEW] + self->exposure[SIDE_BASE];

	return divided(count, exposure) * self->exposure[SIDE_BASE] /
	       self->diff->totals[SIDE_BASE].n_parts;
}

static double variance_of(const Judge *self, const DiffTally tally[N_SIDES])
{
	double common, own;

	if (self->freedom == 0)
		return 1;
	common = 1 + self->excess * usual_count(self, tally);
	own = tally[SIDE_BASE].count > 0 ? own_variance(self, &tally[SIDE_BASE]) : common;
	return MAX((PRIOR_FREEDOM * common + self->freedom * own) / (PRIOR_FREEDOM + self->freedom),
		   1);
}

/* Whether a node has the samples of its parent, all of them: the same frame, as far as tests go. */
static bool is_as_parent(const Diff *diff, uint32_t node)
{
	const DiffTally *a = diff->nodes[node].tally[MEASURE_TOTAL];
	const DiffTally *b = diff->nodes[diff->shape->nodes[node].parent].tally[MEASURE_TOTAL];

	return node > 0 && a[SIDE_NEW].count == b[SIDE_NEW].count &&
	       a[SIDE_BASE].count == b[SIDE_BASE].count;
}

/* What all nodes with at least one sample a part show together. */
static double common_excess(const Judge *self)
{
	const Diff *diff = self->diff;
	double excess = 0, counts = 0;

	for (uint32_t i = 1; i < diff->shape->n_nodes && self->freedom > 0; i++) {
		const DiffTally *base = &diff->nodes[i].tally[MEASURE_TOTAL][SIDE_BASE];
		double mean = (double)base->count / diff->totals[SIDE_BASE].n_parts;

		if (mean < 1 || is_as_parent(diff, i))
			continue;
		excess += own_variance(self, base) - 1;
		counts += mean;
	}
	return MAX(divided(excess, counts), 0);
}

/* --- tests --------------------------------------------------------------------------------- */

static double least_p(const Judge *self, const DiffTally tally[N_SIDES])
{
	const DiffTotals *totals = self->diff->totals;
	uint64_t n = tally[SIDE_NEW].count + tally[SIDE_BASE].count;

	if (self->exposure[SIDE_NEW] <= 0 || self->exposure[SIDE_BASE] <= 0)
		return 1;
	if (self->diff->settings.normalize == NORMALIZE_SHARE)
		return fisher_least(n, totals[SIDE_NEW].samples, totals[SIDE_BASE].samples);
	return poisson_rates_least((double)n, self->exposure[SIDE_NEW], self->exposure[SIDE_BASE]);
}

static double test(const Judge *self, const DiffTally tally[N_SIDES], double variance)
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
	return variance > 1 ? p_with_variance(p, variance, PRIOR_FREEDOM + self->freedom) : p;
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

		verdict->variance = variance_of(self, tally);
		if (least_p(self, tally) > DIFF_LEVEL)
			continue;
		verdicts[n] = verdict;
		p[n++] = test(self, tally, verdict->variance);
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
	double mine[] = { fabs(x[measure].delta), fabs(x[other].delta) };
	double yours[] = { fabs(y[measure].delta), fabs(y[other].delta) };
	int order = x[measure].is_significant - y[measure].is_significant;

	if (order != 0)
		return -order;
	for (int i = 0; i < N_MEASURES; i++)
		if (mine[i] != yours[i])
			return mine[i] > yours[i] ? -1 : 1;
	order = strcmp(a->name, b->name);
	return order != 0 ? order : strcmp(a->dso, b->dso);
}

void diff_judge(Diff *diff)
{
	Judge self = { .diff = diff };
	DiffNormalize normalize = diff->settings.normalize;
	uint32_t n_parts = diff->totals[SIDE_BASE].n_parts;

	for (int side = 0; side < N_SIDES; side++) {
		DiffTotals *totals = &diff->totals[side];

		self.exposure[side] = exposure_of(totals, normalize, totals->samples);
		totals->exposure = exposure_of(totals, normalize, totals->weight);
		self.scale = MAX(self.scale, divided((double)totals->weight, totals->exposure));
	}
	self.freedom = n_parts > 1 ? n_parts - 1 : 0;
	self.excess = common_excess(&self);
	for (int measure = 0; measure < N_MEASURES; measure++) {
		judge_nodes(&self, measure);
		judge_functions(&self, measure);
	}
	g_qsort_with_data(diff->functions, (gint)diff->n_functions, sizeof(*diff->functions),
			  compare_functions, &diff->settings.by);
}
