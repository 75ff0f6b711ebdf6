/* SPDX-License-Identifier: MIT */
/*
 * The legend. A handful of weights get a box each; more of them a box for nothing and a ramp, with
 * the weights at its quarters, read off the scale itself. Everything is placed from left to right
 * on one line, ranges and holes on a second.
 */

#include "render/heatmap-legend.h"

#include "heatmap/shade.h"
#include "render/heatmap-words.h"
#include "render/range-outline.h"
#include "render/text-escape.h"

#define MAX_BOXES	 12
#define BOX_WIDTH	 24
#define RAMP_WIDTH	 (SCALE_LEVELS + 40)
#define N_RAMP_LABELS	 4
#define MAX_RANGE_LABELS 4
#define MAX_UNIT_BYTES	 200

/* Where the next swatch goes. */
typedef struct {
	HeatmapSheet *sheet;
	const Scale *scale;
	uint32_t x, y;
} Pen;

static void add_swatch(Pen *pen, SwatchKind kind, uint32_t width, uint64_t weight)
{
	Swatch swatch = { kind, pen->x, pen->y, width, SHEET_SWATCH_HEIGHT, weight };
	g_array_append_val(pen->sheet->swatches, swatch);
	pen->x += width;
}

/* Writes `weight` beneath the swatches, centred at `x`; "+" where more is drawn alike. */
static void write_weight(const Pen *pen, double x, uint64_t weight)
{
	g_autofree char *text = words_scale(pen->scale, weight);
	StripLabel label = { x, pen->y + SHEET_SWATCH_HEIGHT + 12, 0.5, TEXT_SMALL, text };
	text_strip_add(pen->sheet->page, &label);
}

static void add_boxes(Pen *pen, uint64_t first, uint64_t last)
{
	for (uint64_t weight = first; weight <= last; weight++) {
		write_weight(pen, pen->x + BOX_WIDTH / 2.0, weight);
		add_swatch(pen, SWATCH_WEIGHT, BOX_WIDTH, weight);
	}
}

static void add_ramp(Pen *pen, uint64_t least)
{
	uint32_t begin = pen->x += 6;
	uint64_t previous = MAX(scale_value(pen->scale, 1), least);
	add_swatch(pen, SWATCH_RAMP, RAMP_WIDTH, 0);
	if (pen->scale->kind != SCALE_CAPACITY) /* nothing and hardly anything: both 0 % */
		write_weight(pen, begin + 3, previous);
	for (uint32_t i = 1; i <= N_RAMP_LABELS; i++) {
		uint64_t weight = scale_value(pen->scale, SCALE_LEVELS * i / N_RAMP_LABELS);
		if (weight > previous)
			write_weight(pen, begin + RAMP_WIDTH * (double)i / N_RAMP_LABELS, weight);
		previous = MAX(weight, previous);
	}
	pen->x += 12; /* half of the last weight */
}

/* "…, 12+ is 12 to 80" tells what a clipped scale hides. */
static char *describe_cell(const Heatmap *heatmap, const Caption *caption, const Scale *scale)
{
	const char *unit = caption->unit != NULL ? caption->unit : "samples";
	g_autofree char *clean = text_to_utf8(text_from(unit), MAX_UNIT_BYTES);
	g_autofree char *cell = words_cell(heatmap, clean);
	if (scale->kind == SCALE_CAPACITY)
		return words_capacity(heatmap);
	if (scale->kind == SCALE_SURPRISE)
		return words_surprise(heatmap);
	if (scale->max <= scale->top)
		return g_steal_pointer(&cell);
	g_autofree char *top = words_weight(scale->top);
	g_autofree char *max = words_weight(scale->max);
	return g_strdup_printf("%s; colours end at %s, the 99th percentile, cells at %s", cell, top,
			       max);
}

static void add_colours(Pen *pen, const Heatmap *heatmap, const Caption *caption,
			const HeatmapStyle *style)
{
	if (pen->scale->kind == SCALE_SURPRISE) {
		add_ramp(pen, 1);
	} else if (pen->scale->top <= MAX_BOXES) {
		add_boxes(pen, 0, pen->scale->top);
	} else {
		uint64_t last_box = style->palette->is_enhanced ? 3 : 0;
		add_boxes(pen, 0, last_box);
		add_ramp(pen, last_box + 1);
	}
	g_autofree char *text = describe_cell(heatmap, caption, pen->scale);
	heatmap_sheet_write(pen->sheet, pen->x + 12, pen->y + SHEET_SWATCH_HEIGHT - 2, TEXT_PLAIN,
			    text);
}

static char *describe_ranges(const TimeRange *ranges, size_t n, int64_t zero_ns)
{
	g_autoptr(GString) text = g_string_new("");
	for (size_t i = 0; i < n && i < MAX_RANGE_LABELS; i++) {
		g_autofree char *range = words_range(ranges[i], zero_ns);
		g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", range);
	}
	if (n > MAX_RANGE_LABELS)
		g_string_append_printf(text, " and %zu more", n - MAX_RANGE_LABELS);
	g_string_append(text, " s");
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static void add_key(Pen *pen, SwatchKind kind, const char *text)
{
	add_swatch(pen, kind, BOX_WIDTH, 0);
	heatmap_sheet_write(pen->sheet, pen->x + 8, pen->y + SHEET_SWATCH_HEIGHT - 2, TEXT_PLAIN,
			    text);
	pen->x += (uint32_t)text_strip_measure(TEXT_PLAIN, text) + 28;
}

/* Whether any of `ranges` is outlined: not those that are the whole picture, or outside of it. */
static bool has_outline(const HeatmapSheet *sheet, const Heatmap *heatmap, const TimeRange *ranges,
			size_t n)
{
	g_autoptr(RangeOutline) outline = range_outline_new(heatmap, &sheet->layout);
	range_outline_add(outline, ranges, n);
	return range_outline_count(outline) > 0;
}

/* The second line; nothing where there is nothing to explain. */
static void add_keys(Pen *pen, const Heatmap *heatmap, const HeatmapStyle *style)
{
	uint32_t begin = pen->x;
	if (heatmap_has_holes(heatmap))
		add_key(pen, SWATCH_HOLE, "not recorded");
	if (has_outline(pen->sheet, heatmap, heatmap->ranges, heatmap->n_ranges)) {
		g_autofree char *text =
			describe_ranges(heatmap->ranges, heatmap->n_ranges, heatmap->zero_ns);
		g_autofree char *key = g_strconcat("chosen: ", text, NULL);
		add_key(pen, SWATCH_RANGE, key);
	}
	if (has_outline(pen->sheet, heatmap, style->marks, style->n_marks)) {
		g_autofree char *text =
			describe_ranges(style->marks, style->n_marks, heatmap->zero_ns);
		g_autofree char *key = g_strconcat("marked: ", text, NULL);
		add_key(pen, SWATCH_RANGE, key);
	}
	if (pen->x > begin)
		pen->y += SHEET_SWATCH_HEIGHT + 8;
}

void heatmap_legend_add(HeatmapSheet *sheet, const Heatmap *heatmap, const Caption *caption,
			const HeatmapStyle *style, const Scale *scale)
{
	Pen pen = { sheet, scale, SHEET_MARGIN, (uint32_t)sheet->y };
	add_colours(&pen, heatmap, caption, style);
	pen.x = SHEET_MARGIN;
	pen.y += SHEET_SWATCH_HEIGHT + 22;
	add_keys(&pen, heatmap, style);
	sheet->y = pen.y;
}
