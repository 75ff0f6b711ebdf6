/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdlib.h>

#include "heatmap/heatmap.h"
#include "render/exporter.h"

/* Heat maps made by hand and drawn into memory, for tests of what draws them. */

typedef bool (*DrawFunc)(FILE *out, const Heatmap *heatmap, const Caption *caption,
			 const HeatmapStyle *style, GError **error);

/* free() the data. */
typedef struct {
	char *data;
	size_t len;
} Bytes;

static inline Bytes draw(DrawFunc function, const Heatmap *map, const Caption *caption,
			 const HeatmapStyle *style)
{
	g_autoptr(GError) error = NULL;
	Bytes bytes = { NULL, 0 };
	FILE *out = open_memstream(&bytes.data, &bytes.len);
	function(out, map, caption, style, &error);
	g_assert_no_error(error);
	fclose(out);
	return bytes;
}

/* A picture of n_columns seconds from 100 s on, with weight (c + r) % 5 in each cell. */
static inline Heatmap make_map(uint32_t n_columns, uint32_t n_rows)
{
	Heatmap map = { .origin_ns = 100 * NS_PER_SECOND,
			.zero_ns = 100 * NS_PER_SECOND,
			.column_ns = NS_PER_SECOND,
			.n_columns = n_columns,
			.n_rows = n_rows,
			.max = 4 };
	map.cells = g_new(uint64_t, (size_t)n_columns * n_rows);
	for (uint32_t c = 0; c < n_columns; c++) {
		for (uint32_t r = 0; r < n_rows; r++) {
			map.cells[(size_t)c * n_rows + r] = (c + r) % 5;
			map.total += (c + r) % 5;
		}
	}
	return map;
}

static const Caption caption = { .title = "a title",
				 .subtitle = "first line\nsecond line",
				 .source = "a.perf",
				 .options = "--rows 50",
				 .unit = "samples",
				 .event = "cycles",
				 .zero_ns = 100 * NS_PER_SECOND };
