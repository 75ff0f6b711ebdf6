/* SPDX-License-Identifier: MIT */
/* From two selections to a Diff: parts, merged trees and tables, verdicts, widths. */

#include "slice/diff.h"

#include <math.h>

#include "slice/diff-judge.h"
#include "slice/diff-merge.h"
#include "slice/diff-parts.h"
#include "slice/exact-test.h"
#include "store/error.h"
#include "store/weight.h"

/* Widths are counted in parts of a weight, so that the few samples of a long base are not rounded
 * to nothing beside a short new side; scripts must still be able to count them exactly. */
#define WIDTH_UNITS 1000
#define MAX_WIDTH   (1ull << 52)

static bool add_parts(Diff *self, GArray *parts, const DiffRun *new_run, const DiffRun *bases,
		      size_t n_bases, GError **error)
{
	bool in_blocks = self->settings.uses_blocks && n_bases == 1;

	if (!diff_parts_add(parts, &self->totals[SIDE_NEW], SIDE_NEW, new_run, in_blocks,
			    &self->settings, error))
		return false;
	for (size_t i = 0; i < n_bases; i++)
		if (!diff_parts_add(parts, &self->totals[SIDE_BASE], SIDE_BASE, &bases[i],
				    in_blocks, &self->settings, error))
			return false;
	return true;
}

static bool check_time(const Diff *self, GError **error)
{
	static const char *const names[] = { "the new side", "the base" };

	for (int side = 0; side < N_SIDES && self->settings.normalize == NORMALIZE_RATE; side++)
		if (self->totals[side].seconds <= 0 && self->totals[side].samples > 0)
			return fail(error, FLAMEBEAT_ERROR_FAILED,
				    "--normalize rate: %s covers no time that samples could be "
				    "divided by; shares need none (--normalize share)",
				    names[side]);
	return true;
}

/* --- widths -------------------------------------------------------------------------------- */

/* What one weight of the other side is worth on the side whose widths are drawn. */
static double worth(const DiffTotals *drawn, const DiffTotals *other)
{
	return drawn->exposure > 0 && other->exposure > 0 && drawn->weight > 0
		       ? drawn->exposure / other->exposure
		       : 1;
}

static uint64_t rounded(double width)
{
	return width < (double)MAX_WIDTH ? (uint64_t)(width + 0.5) : MAX_WIDTH;
}

static void set_widths(Diff *self)
{
	CallNode *nodes = self->shape->nodes;
	DiffSide drawn = self->settings.is_flipped ? SIDE_BASE : SIDE_NEW;
	DiffSide other = N_SIDES - 1 - drawn;
	double factor = worth(&self->totals[drawn], &self->totals[other]);
	double whole =
		(double)self->totals[drawn].weight + (double)self->totals[other].weight * factor;
	double units = whole * WIDTH_UNITS < (double)MAX_WIDTH
			       ? WIDTH_UNITS
			       : MIN((double)MAX_WIDTH / MAX(whole, 1), 1);

	self->width_units = units > 1 ? WIDTH_UNITS : 1;
	for (uint32_t i = 0; i < self->shape->n_nodes; i++) {
		const DiffItem *item = &self->nodes[i];
		bool is_gone = item->tally[MEASURE_TOTAL][drawn].weight == 0;
		const DiffTally *tally = &item->tally[MEASURE_SELF][is_gone ? other : drawn];

		nodes[i].self = rounded((double)tally->weight * units * (is_gone ? factor : 1));
		nodes[i].total = 0;
	}
	for (uint32_t i = self->shape->n_nodes; i-- > 0;) {
		nodes[i].total += nodes[i].self;
		if (i > 0)
			nodes[nodes[i].parent].total += nodes[i].total;
	}
}

/* --- the whole ----------------------------------------------------------------------------- */

Diff *diff_new(const DiffRun *new_run, const DiffRun *bases, size_t n_bases,
	       const DiffSettings *settings, GError **error)
{
	g_autoptr(Diff) self = g_new0(Diff, 1);
	g_autoptr(GArray) parts = diff_parts_new();

	self->settings = *settings;
	self->is_by_period = selection_weight(new_run->selection) == WEIGHT_PERIOD;
	if (!add_parts(self, parts, new_run, bases, n_bases, error) || !check_time(self, error) ||
	    !diff_merge_trees(self, parts, new_run->store, error))
		return NULL;
	diff_merge_functions(self, parts);
	diff_judge(self);
	set_widths(self);
	self->shape->counts = self->totals[SIDE_NEW].counts;
	return g_steal_pointer(&self);
}

void diff_free(Diff *self)
{
	if (self == NULL)
		return;
	call_tree_free(self->shape);
	g_free(self->nodes);
	for (size_t i = 0; i < self->n_functions; i++) {
		g_free(self->functions[i].name);
		g_free(self->functions[i].dso);
	}
	g_free(self->functions);
	g_free(self);
}

/* --- answers ------------------------------------------------------------------------------- */

/*
 * What a count says as a Poisson count would. A share p of n samples varies less than a Poisson
 * count of as many, by 1 - p, and programs vary more, by `variance`; for rare frames of an even
 * program this is the count itself, and the interval exact.
 */
static Observed effective(const Diff *self, const DiffItem *item, DiffMeasure measure,
			  DiffSide side)
{
	const DiffTotals *totals = &self->totals[side];
	double count = (double)item->tally[measure][side].count;
	double samples = (double)totals->samples;
	double exposure = self->settings.normalize == NORMALIZE_SHARE  ? samples
			  : self->settings.normalize == NORMALIZE_RATE ? totals->seconds
								       : totals->n_runs;
	double factor = 1 / item->verdict[measure].variance;

	if (self->settings.normalize == NORMALIZE_SHARE)
		factor *= (samples + 1) / (samples - count + 1);
	return (Observed){ count * factor, exposure * factor };
}

void diff_interval(const Diff *self, const DiffItem *item, DiffMeasure measure, double *low,
		   double *high)
{
	Observed new_side = effective(self, item, measure, SIDE_NEW);
	Observed base = effective(self, item, measure, SIDE_BASE);
	double ratio = item->verdict[measure].ratio, scale;

	*low = 0;
	*high = (double)INFINITY;
	if (new_side.exposure <= 0 || base.exposure <= 0 || isnan(ratio))
		return;
	rate_ratio_interval(new_side, base, low, high);
	if (new_side.count <= 0 || base.count <= 0 || !isfinite(ratio))
		return;
	/* Of samples, laid around the ratio of what is shown. */
	scale = ratio / (new_side.count / new_side.exposure / (base.count / base.exposure));
	*low *= scale;
	*high *= scale;
}

static double largest(const Diff *self, int sign)
{
	double most = 0;

	for (size_t i = 0; i < self->n_functions; i++)
		for (int m = 0; m < N_MEASURES; m++) {
			const DiffVerdict *verdict = &self->functions[i].item.verdict[m];

			if (verdict->is_certain)
				most = MAX(most, sign * verdict->points);
		}
	return most;
}

double diff_largest_increase(const Diff *self)
{
	return largest(self, 1);
}

double diff_largest_decrease(const Diff *self)
{
	return largest(self, -1);
}

char *diff_delta_unit(const Diff *self, const char *unit)
{
	switch (self->settings.normalize) {
	case NORMALIZE_SHARE:
		return g_strdup("points");
	case NORMALIZE_RATE:
		return g_strdup_printf("%s/s", unit);
	default:
		return g_strdup(unit);
	}
}
