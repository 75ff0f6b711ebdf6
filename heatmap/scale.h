/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "heatmap/heatmap.h"

typedef enum {
	SCALE_LINEAR,	/* value / largest */
	SCALE_LOG,	/* log(1 + value) / log(1 + largest) */
	SCALE_CLIP,	/* value / 99th percentile of the non-zero cells; more is the top colour */
	SCALE_CAPACITY, /* of a Shade: share of what the machine could do */
	SCALE_SURPRISE, /* of a Shade: z-score */
} ScaleKind;

/* How a cell's value becomes a position on a palette. */
typedef struct {
	ScaleKind kind;
	uint64_t top; /* the value that reaches the end of the palette, at least 1 */
	uint64_t max; /* the largest value there is; beyond `top` only where clipped */
} Scale;

#define SCALE_LEVELS 200 /* positions: 0 is "no samples", 1 .. SCALE_LEVELS are colours */

/* The scale of `kind` for the cells of `heatmap`: those of a Shade, if the scale is of one. */
Scale scale_new(ScaleKind kind, const Heatmap *heatmap);

/* Level of `value`: 0 for 0, else 1 .. SCALE_LEVELS, never falling as `value` grows. */
uint32_t scale_level(const Scale *self, uint64_t value);

/* The smallest value that has at least `level` (1 .. SCALE_LEVELS): what a legend writes there. */
uint64_t scale_value(const Scale *self, uint32_t level);
