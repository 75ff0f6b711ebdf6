/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "heatmap/series.h"
#include "store/frame-name.h"

/*
 * Stretches in which some function is on more stacks than its share of all samples makes one
 * expect, while the load is about what it is before and after: other code at the same load.
 * Appends them to `out`, of Segment (in buckets of `series`), ascending and disjoint; `samples` and
 * `expected` are of that function. `baseline`: expected samples in all, by bucket. Looks at the
 * functions whose share varies most. Fails where the store is damaged.
 */
bool mix_find(const Series *series, const float *baseline, const Store *store, Selection *selection,
	      NamesKind names, double min_score, size_t max_length, GArray *out, GError **error);
