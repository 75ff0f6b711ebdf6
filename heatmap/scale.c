/* SPDX-License-Identifier: MIT */
/*
 * Levels of cells. Linear levels are exact integers, level = ceil(value * SCALE_LEVELS / top), so
 * that 1 is never "nothing" and `top` is always the last level; the logarithm is the one place
 * with floating point. scale_value() inverts either by bisection, so that a legend cannot disagree
 * with the cells.
 */

#include "heatmap/scale.h"

#include <glib.h>
#include <math.h>

#include "heatmap/shade.h"

#define CLIP_PERCENT 99

/* How many cells have the leading bits of `prefix` down to bit `shift`, by their next 8 bits. */
static void count_digits(const Heatmap *heatmap, uint64_t prefix, unsigned shift,
			 size_t counts[256])
{
	size_t n_cells = (size_t)heatmap->n_columns * heatmap->n_rows;
	for (size_t i = 0; i < 256; i++)
		counts[i] = 0;
	for (size_t i = 0; i < n_cells; i++) {
		uint64_t value = heatmap->cells[i];
		bool is_member = shift == 56 || (value ^ prefix) >> (shift + 8) == 0;
		if (value > 0 && is_member)
			counts[(value >> shift) & 255]++;
	}
}

/* The value at `rank` (from 0) among the non-zero cells in ascending order. A radix search: one
 * pass over the cells for each byte of the value, and no copy of them. */
static uint64_t value_at_rank(const Heatmap *heatmap, size_t rank)
{
	uint64_t prefix = 0;
	size_t counts[256];
	for (unsigned shift = 64; shift > 0;) {
		unsigned digit = 0;
		shift -= 8;
		count_digits(heatmap, prefix, shift, counts);
		while (digit < 255 && rank >= counts[digit])
			rank -= counts[digit++];
		prefix |= (uint64_t)digit << shift;
	}
	return prefix;
}

static size_t count_nonzero(const Heatmap *heatmap)
{
	size_t n = 0, n_cells = (size_t)heatmap->n_columns * heatmap->n_rows;
	for (size_t i = 0; i < n_cells; i++)
		n += heatmap->cells[i] > 0;
	return n;
}

/* The smallest value that at least CLIP_PERCENT of the non-zero cells do not exceed. */
static uint64_t clip_value(const Heatmap *heatmap)
{
	size_t n = count_nonzero(heatmap);
	return n == 0 ? 0 : value_at_rank(heatmap, (n * CLIP_PERCENT + 99) / 100 - 1);
}

Scale scale_new(ScaleKind kind, const Heatmap *heatmap)
{
	uint64_t top = kind == SCALE_CLIP	? clip_value(heatmap)
		       : kind == SCALE_CAPACITY ? SHADE_CAPACITY
		       : kind == SCALE_SURPRISE ? SCALE_LEVELS
						: heatmap->max;
	return (Scale){ .kind = kind, .top = MAX(top, 1), .max = heatmap->max };
}

/* ceil(value * SCALE_LEVELS / top) for value < top, without overflow. */
static uint32_t linear_level(uint64_t value, uint64_t top)
{
	while (top > UINT64_MAX / (SCALE_LEVELS + 1)) {
		value >>= 8; /* 56 bits are more than enough for 200 levels */
		top >>= 8;
	}
	return (uint32_t)MIN((value * SCALE_LEVELS + top - 1) / top, SCALE_LEVELS);
}

static uint32_t log_level(uint64_t value, uint64_t top)
{
	return (uint32_t)ceil(SCALE_LEVELS * (log1p((double)value) / log1p((double)top)));
}

uint32_t scale_level(const Scale *self, uint64_t value)
{
	if (value == 0)
		return 0;
	if (value >= self->top)
		return SCALE_LEVELS;
	uint32_t level = self->kind == SCALE_LOG ? log_level(value, self->top)
						 : linear_level(value, self->top);
	return CLAMP(level, 1, SCALE_LEVELS);
}

uint64_t scale_value(const Scale *self, uint32_t level)
{
	uint64_t low = 1, high = self->top;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (scale_level(self, middle) < level)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
