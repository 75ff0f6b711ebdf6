/* SPDX-License-Identifier: MIT */
/*
 * The heat map as one line of JSON in FlameScope's shape: `values` by column, the last row of each
 * first. What FlameScope has not follows under further keys. Streamed: nothing is kept.
 */

#include <inttypes.h>

#include "heatmap/shade.h"
#include "render/formats.h"
#include "render/json-writer.h"
#include "render/heatmap-words.h"

#define SCHEMA "flamebeat/heatmap/1"

static void write_key(FILE *out, const char *key)
{
	putc_unlocked(',', out);
	json_write_cstring(out, key);
	putc_unlocked(':', out);
}

static void write_string(FILE *out, const char *key, const char *value)
{
	write_key(out, key);
	if (value != NULL)
		json_write_cstring(out, value);
	else
		fputs("null", out);
}

static void write_integer(FILE *out, const char *key, int64_t value)
{
	write_key(out, key);
	json_write_i64(out, value);
}

static void write_count(FILE *out, const char *key, uint64_t value)
{
	write_key(out, key);
	json_write_u64(out, value);
}

/* Milliseconds from the start of a column to that of its row `r`. */
static void write_row_offset(FILE *out, const Heatmap *heatmap, uint32_t r)
{
	int64_t numerator, ms = heatmap->n_rows * NS_PER_MS;
	if (__builtin_mul_overflow(heatmap->column_ns, (int64_t)r, &numerator))
		json_write_ratio(out, heatmap->column_ns / ms * r, 1); /* years: whole ones do */
	else
		json_write_ratio(out, numerator, ms);
}

static void write_rows(FILE *out, const Heatmap *heatmap)
{
	fputs("{\"rows\":[", out);
	for (uint32_t r = heatmap->n_rows; r-- > 0;) {
		if (heatmap->by == HEATMAP_BY_TIME)
			write_row_offset(out, heatmap, r);
		else
			json_write_cstring(out, heatmap->row_labels[r]);
		if (r > 0)
			putc_unlocked(',', out);
	}
	putc_unlocked(']', out);
}

static void write_columns(FILE *out, const Heatmap *heatmap)
{
	fputs(",\"columns\":[", out);
	for (uint32_t c = 0; c < heatmap->n_columns; c++) {
		if (c > 0)
			putc_unlocked(',', out);
		json_write_u64(out, c);
	}
	putc_unlocked(']', out);
}

static void write_values(FILE *out, const char *key, const Heatmap *heatmap)
{
	write_key(out, key);
	putc_unlocked('[', out);
	for (uint32_t c = 0; c < heatmap->n_columns; c++) {
		fputs(c > 0 ? ",[" : "[", out);
		for (uint32_t r = heatmap->n_rows; r-- > 0;) {
			json_write_u64(out, heatmap_cell(heatmap, c, r));
			if (r > 0)
				putc_unlocked(',', out);
		}
		putc_unlocked(']', out);
	}
	putc_unlocked(']', out);
}

static void write_counts(FILE *out, const SelectionCounts *counts)
{
	write_count(out, "samples", counts->samples);
	write_key(out, "dropped");
	fprintf(out,
		"{\"idle\":%" PRIu64 ",\"idle_presumed\":%" PRIu64 ",\"other_event\":%" PRIu64
		",\"filtered\":%" PRIu64 "}",
		counts->idle, counts->idle_presumed, counts->other_event, counts->filtered);
}

static void write_holes(FILE *out, const Heatmap *heatmap)
{
	write_key(out, "holes");
	putc_unlocked('[', out);
	for (size_t i = 0; i < heatmap->n_holes; i++) {
		TimeRange hole = heatmap->holes[i];
		fprintf(out, "%s{\"begin_ns\":%" PRId64 ",\"end_ns\":%" PRId64 "}",
			i > 0 ? "," : "", words_relative(hole.begin_ns, heatmap->zero_ns),
			words_relative(hole.end_ns, heatmap->zero_ns));
	}
	putc_unlocked(']', out);
}

/* What a scale that looks at more than the weights makes of the cells: capacity in parts of
 * SHADE_CAPACITY, surprise in levels; `top` is the largest there can be. */
static void write_shade(FILE *out, const Shade *shade, ScaleKind kind)
{
	write_values(out, "shade", &shade->map);
	write_count(out, "shade_top", kind == SCALE_CAPACITY ? SHADE_CAPACITY : SCALE_LEVELS);
}

bool heatmap_json(FILE *out, const Heatmap *heatmap, const Caption *caption,
		  const HeatmapStyle *style, GError **error)
{
	static const char *const by_names[] = {
		"time", "cpu", "thread", "comm", "pool", "process"
	};
	g_auto(Shade) shade = { .cells = NULL };

	if (!shade_init(&shade, heatmap, style->scale, error))
		return false;
	write_rows(out, heatmap);
	write_columns(out, heatmap);
	write_values(out, "values", heatmap);
	write_count(out, "maxvalue", heatmap->max);
	write_string(out, "schema", SCHEMA);
	write_string(out, "unit", caption->unit);
	write_string(out, "event", caption->event);
	write_integer(out, "column_ns", heatmap->column_ns);
	write_integer(out, "zero_ns", heatmap->zero_ns);
	write_integer(out, "origin_ns", heatmap->origin_ns);
	write_string(out, "by", by_names[heatmap->by]);
	write_string(out, "cell", heatmap->cell == CELL_PEAK ? "peak" : "sum");
	write_count(out, "total", heatmap->total);
	write_counts(out, &heatmap->counts);
	write_holes(out, heatmap);
	write_string(out, "options", caption->options);
	if (shade.cells != NULL)
		write_shade(out, &shade, style->scale);
	fputs("}\n", out);
	return true;
}
