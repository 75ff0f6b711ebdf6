/* SPDX-License-Identifier: MIT */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * The order in which `times` (n of them) ascend, TIME_NONE last: order[k] is the index of the k-th.
 * Stable. A natural merge sort: as many passes as the logarithm of the number of ascending runs,
 * so that a recording with a few samples out of place costs a few passes. NULL when out of memory;
 * g_free() it.
 */
uint32_t *sort_times(const int64_t *times, size_t n);
