/* SPDX-License-Identifier: MIT */
#pragma once

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A load may read this many bytes past the last value: every column has them. */
#define COLUMN_PADDING 8

/* Wider values take 64 bits, so that 8 bytes hold a value whatever bit it begins at. */
#define COLUMN_MAX_PACKED 57

/*
 * A read-only array of unsigned integers, all stored in the same number of bits (0 to 57, or 64) as
 * the distance to `base`: value `i` is in the bits from `i * width` on, the lowest first, of bytes
 * in little-endian order. Width 0 is a constant. The same bytes serve in memory and in a file, and
 * a value is found without decoding those before it.
 */
typedef struct {
	const uint8_t *data; /* column_bytes() and COLUMN_PADDING; NULL when width is 0 */
	uint64_t n;
	uint64_t base;
	uint8_t width;
} Column;

/* Bytes of `n` values. Callers have checked that n * width does not overflow. */
static inline uint64_t column_bytes(uint64_t n, uint64_t width)
{
	return n * width / 8 + (n * width % 8 != 0);
}

static inline bool column_width_is_valid(uint64_t width)
{
	return width <= COLUMN_MAX_PACKED || width == 64;
}

/* Of a width that is not 0. */
static inline uint64_t column_mask(uint8_t width)
{
	return UINT64_MAX >> (64 - width);
}

/* Values [first, first + n), each as 32 bits: of a column whose values fit them. */
void column_unpack(const Column *self, uint64_t first, size_t n, uint32_t *values);

/* Value `i`, which must be below `n`. */
static inline uint64_t column_get(const Column *self, uint64_t i)
{
	uint64_t bit = i * self->width, raw;

	if (self->width == 0)
		return self->base;
	memcpy(&raw, self->data + bit / 8, sizeof(raw));
	return self->base + (le64toh(raw) >> bit % 8 & column_mask(self->width));
}
