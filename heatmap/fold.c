/* SPDX-License-Identifier: MIT */
/*
 * Rows of a heat map over its columns. Parts of a period are compared by their rates, since the
 * first and last column, and those with a hole, are covered in part only; quartiles come from the
 * periods that cover half of a part at least.
 */

#include "heatmap/fold.h"

#include <math.h>
#include <stdlib.h>

static int compare_rates(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

/* The `share` quantile of ascending values, between neighbours where it falls between them. */
static double quantile(const double *sorted, uint32_t n, double share)
{
	double place = share * (n - 1);
	uint32_t below = (uint32_t)place;
	if (below + 1 >= n)
		return sorted[n - 1];
	return sorted[below] + (place - below) * (sorted[below + 1] - sorted[below]);
}

static double standard_error(const double *rates, uint32_t n)
{
	double sum = 0, squares = 0;
	for (uint32_t i = 0; i < n; i++)
		sum += rates[i];
	for (uint32_t i = 0; i < n; i++)
		squares += (rates[i] - sum / n) * (rates[i] - sum / n);
	return n > 1 ? sqrt(squares / (n - 1) / n) : 0;
}

/* Adds row `r` up; `rates` has room for one a column. */
static FoldBin fold_row(const Heatmap *heatmap, uint32_t r, double *rates)
{
	FoldBin bin = { 0 };
	TimeRange cell = heatmap_cell_range(heatmap, 0, r);
	int64_t length_ns = cell.end_ns - cell.begin_ns;
	for (uint32_t c = 0; c < heatmap->n_columns; c++) {
		uint64_t weight = heatmap_cell(heatmap, c, r);
		int64_t covered_ns = heatmap_covered_ns(heatmap, c, r);
		bin.weight += weight;
		bin.covered_ns += (double)covered_ns;
		if (covered_ns > 0 && covered_ns >= length_ns / 2)
			rates[bin.n_periods++] =
				(double)weight * NS_PER_SECOND / (double)covered_ns;
	}
	if (bin.covered_ns > 0)
		bin.rate = (double)bin.weight * NS_PER_SECOND / bin.covered_ns;
	if (bin.n_periods == 0)
		return bin;
	bin.error = standard_error(rates, bin.n_periods);
	qsort(rates, bin.n_periods, sizeof(*rates), compare_rates);
	bin.low = quantile(rates, bin.n_periods, 0.1);
	bin.median = quantile(rates, bin.n_periods, 0.5);
	bin.high = quantile(rates, bin.n_periods, 0.9);
	return bin;
}

Fold *fold_new(const Heatmap *heatmap)
{
	Fold *self = g_new(Fold, 1);
	g_autofree double *rates = g_new(double, heatmap->n_columns);
	double covered_ns = 0;
	*self = (Fold){ .period_ns = heatmap->column_ns,
			.zero_ns = heatmap->zero_ns,
			.n_bins = heatmap->n_rows,
			.bins = g_new(FoldBin, heatmap->n_rows),
			.sampling = heatmap->sampling,
			.counts = heatmap->counts };
	for (uint32_t r = 0; r < self->n_bins; r++) {
		FoldBin *bin = &self->bins[r];
		*bin = fold_row(heatmap, r, rates);
		self->total += bin->weight;
		covered_ns += bin->covered_ns;
		self->max = MAX(self->max, MAX(bin->rate, bin->high));
		self->n_periods = MAX(self->n_periods, bin->n_periods);
	}
	self->rate = covered_ns > 0 ? (double)self->total * NS_PER_SECOND / covered_ns : 0;
	return self;
}

void fold_free(Fold *self)
{
	if (self == NULL)
		return;
	g_free(self->bins);
	g_free(self);
}
