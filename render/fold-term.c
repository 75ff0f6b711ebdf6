/* SPDX-License-Identifier: MIT */
/* The phase profile as text: a bar for each part of the period, and its spread in numbers. */

#include <string.h>

#include "heatmap/grid.h"
#include "render/formats.h"
#include "render/heatmap-words.h"
#include "render/text-escape.h"

#define BAR_WIDTH 40

static void write_bar(FILE *out, const Fold *fold, const FoldBin *bin, bool is_utf8)
{
	uint32_t n = fold->max > 0 ? (uint32_t)(bin->rate / fold->max * BAR_WIDTH + 0.5) : 0;
	for (uint32_t i = 0; i < BAR_WIDTH; i++)
		fputs(i >= n ? " " : is_utf8 ? "\xe2\x96\x88" : "#", out);
}

bool fold_term(FILE *out, const Fold *fold, const Caption *caption, const HeatmapStyle *style,
	       GError **error)
{
	g_autofree char *title = text_to_terminal(text_from(caption->title));
	g_autofree char *subtitle = text_to_terminal(text_from(caption->subtitle));
	g_autofree char *unit = text_to_terminal(text_from(caption->unit));
	g_autofree char *period = words_duration(fold->period_ns);
	fprintf(out, "%s\n%s\n\n%u period%s of %s, added up: %s per second\n", title, subtitle,
		fold->n_periods, plural(fold->n_periods), period, unit);
	fprintf(out, "%10s %-*s %9s %9s %9s\n", "phase", BAR_WIDTH, "", "mean", "10 %", "90 %");
	for (uint32_t i = 0; i < fold->n_bins; i++) {
		const FoldBin *bin = &fold->bins[i];
		int64_t offset_ns = grid_row_begin(fold->period_ns, fold->n_bins, i);
		g_autofree char *offset = words_duration(offset_ns / 1000 * 1000);
		fprintf(out, "%10s ", offset);
		write_bar(out, fold, bin, style->is_utf8);
		fprintf(out, " %9.1f %9.1f %9.1f\n", bin->rate, bin->low, bin->high);
	}
	return true;
}
