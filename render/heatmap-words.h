/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "heatmap/heatmap.h"
#include "heatmap/scale.h"

/* What the heat map's pictures say in words and numbers, on paper and on a terminal alike. All
 * strings are ASCII and the caller's to g_free(), unless said otherwise. */

/* "20 ms", "1.3 s", "5 min", "1 h"; exact. */
char *words_duration(int64_t ns);

/* "1,234"; from 100,000 on three digits and a suffix: "1.23M". */
char *words_weight(uint64_t weight);

/* What a value of a scale is in a legend: a weight, "25 %" of capacity, "+4" deviations; a "+"
 * behind it where more is drawn alike. */
char *words_scale(const Scale *scale, uint64_t value);

/* What the colours of the two scales of shade.h are. */
char *words_capacity(const Heatmap *heatmap);
char *words_surprise(const Heatmap *heatmap);

/* What a cell's number is: "samples per cell (1 s / 50 = 20 ms)". `unit` may hold any bytes. */
char *words_cell(const Heatmap *heatmap, const char *unit);

/* What the columns are: "one column is 1 s" and whether that was our choice. */
char *words_column(const Heatmap *heatmap);

/* What the rows are: "time within each second", "CPUs", … A constant. */
const char *words_rows(const Heatmap *heatmap);

/* `range` as --range takes it: from `zero_ns`, or on the recording's clock (`@…`) where that would
 * be negative and thus count from the end. */
char *words_range(TimeRange range, int64_t zero_ns);

/* time_ns - zero_ns, or the nearest that fits. */
int64_t words_relative(int64_t time_ns, int64_t zero_ns);
