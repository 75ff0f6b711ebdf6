/* SPDX-License-Identifier: MIT */
/* Many values at once. */

#include "store/column.h"

void column_unpack(const Column *self, uint64_t first, size_t n, uint32_t *values)
{
	const uint64_t width = self->width;
	const uint64_t mask = width > 0 ? column_mask(self->width) : 0;
	const uint32_t base = (uint32_t)self->base;
	uint64_t bit = first * width;

	for (size_t i = 0; i < n; i++, bit += width) {
		uint64_t raw = 0;

		if (width > 0)
			memcpy(&raw, self->data + bit / 8, sizeof(raw));
		values[i] = base + (uint32_t)(le64toh(raw) >> bit % 8 & mask);
	}
}
