/* SPDX-License-Identifier: MIT */
/* A differential as `flat` has trees (tree-flat.c), and what each side has of each frame. */

#include <math.h>

#include "render/flat.h"
#include "render/formats.h"
#include "render/json-writer.h"

typedef void (*WriteValue)(FILE *out, const Diff *diff, uint32_t node);

static void write_new(FILE *out, const Diff *diff, uint32_t node)
{
	json_write_u64(out, diff->nodes[node].tally[MEASURE_TOTAL][SIDE_NEW].weight);
}

static void write_base(FILE *out, const Diff *diff, uint32_t node)
{
	json_write_u64(out, diff->nodes[node].tally[MEASURE_TOTAL][SIDE_BASE].weight);
}

/* Millionths of a doubling, 20 doublings where one side has nothing: ratios as integers. */
static void write_ratio(FILE *out, const Diff *diff, uint32_t node)
{
	double doublings = log2(diff->nodes[node].verdict[MEASURE_TOTAL].ratio);

	json_write_i64(out, isnan(doublings) ? 0 : lround(1e6 * CLAMP(doublings, -20, 20)));
}

static void write_points(FILE *out, const Diff *diff, uint32_t node)
{
	json_write_ratio(out, lround(1e6 * diff->nodes[node].verdict[MEASURE_TOTAL].points),
			 1000000);
}

static void write_significance(FILE *out, const Diff *diff, uint32_t node)
{
	json_write_u64(out, diff->nodes[node].verdict[MEASURE_TOTAL].is_significant);
}

static void write_extra(FILE *out, const void *context, const LayoutRect *rects, guint n)
{
	static const struct {
		const char *key;
		WriteValue write;
	} columns[] = { { "new", write_new },
			{ "base", write_base },
			{ "points", write_points },
			{ "log2_ratio_ppm", write_ratio },
			{ "significant", write_significance } };
	const Diff *diff = context;

	for (size_t c = 0; c < G_N_ELEMENTS(columns); c++) {
		fprintf(out, ",\"%s\":[", columns[c].key);
		for (guint i = 0; i < n; i++) {
			if (i > 0)
				putc_unlocked(',', out);
			columns[c].write(out, diff, rects[i].node);
		}
		putc_unlocked(']', out);
	}
	fprintf(out, ",\"width_units\":%" G_GUINT64_FORMAT, diff->width_units);
}

bool diff_flat(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
	       GError **error G_GNUC_UNUSED)
{
	flat_write(out, diff->shape, caption, &style->tree, write_extra, diff);
	return true;
}
