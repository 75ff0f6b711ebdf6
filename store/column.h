/* SPDX-License-Identifier: MIT */
#pragma once

#include <endian.h>
#include <stdint.h>
#include <string.h>

/* A load may read this many bytes past the last value: every column has them. */
#define COLUMN_PADDING 8

/*
 * A read-only array of unsigned integers, all stored in the same number of bytes (0 to 8, little
 * endian) as the distance to `base`. Width 0 is a constant. The same bytes serve in memory and in
 * a file, and value `i` is found without decoding those before it.
 */
typedef struct {
	const uint8_t *data; /* n * width bytes and COLUMN_PADDING; NULL when width is 0 */
	uint64_t n;
	uint64_t base;
	uint8_t width;
} Column;

static inline uint64_t column_mask(uint8_t width)
{
	return width >= 8 ? UINT64_MAX : (1ull << (8 * width)) - 1;
}

/* Value `i`, which must be below `n`. */
static inline uint64_t column_get(const Column *self, uint64_t i)
{
	uint64_t raw;
	if (self->width == 0)
		return self->base;
	memcpy(&raw, self->data + i * self->width, sizeof(raw));
	return self->base + (le64toh(raw) & column_mask(self->width));
}
