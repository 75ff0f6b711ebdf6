/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

/* Sums of weights that do not fit 64 bits stay at the largest number instead of beginning anew. */
static inline uint64_t weight_add(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}
