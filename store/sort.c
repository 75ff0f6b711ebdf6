/* SPDX-License-Identifier: MIT */
/* Natural merge sort of indices (Knuth, The Art of Computer Programming 3, 5.2.4, algorithm N),
 * with the runs found once and merged pairwise until one is left. */

#include "store/sort.h"

#include <glib.h>

#include "store/array.h"
#include "store/time-range.h"

typedef ARRAY_OF(size_t) Runs; /* where each run ends */

/* Untimed samples come last. As unsigned keys, TIME_NONE wraps to the largest. */
static inline uint64_t key(int64_t time_ns)
{
	return (uint64_t)time_ns - 1 - (uint64_t)INT64_MIN;
}

static bool find_runs(const int64_t *times, size_t n, Runs *runs)
{
	for (size_t i = 1; i < n; i++)
		if (key(times[i]) < key(times[i - 1]) && !array_push(runs, i))
			return false;
	return array_push(runs, n);
}

static void merge(const int64_t *times, const uint32_t *from, uint32_t *to, const size_t ends[3])
{
	size_t a = ends[0], b = ends[1];

	for (size_t k = ends[0]; k < ends[2]; k++) {
		bool take_a =
			a < ends[1] && (b >= ends[2] || key(times[from[a]]) <= key(times[from[b]]));
		to[k] = take_a ? from[a++] : from[b++];
	}
}

/* Merges neighbouring runs; a last one without partner is copied. */
static void merge_pass(const int64_t *times, const uint32_t *from, uint32_t *to, Runs *runs)
{
	size_t begin = 0, n_merged = 0;

	for (size_t r = 0; r < runs->n; r += 2) {
		size_t middle = runs->data[r];
		size_t end = r + 1 < runs->n ? runs->data[r + 1] : middle;
		const size_t ends[3] = { begin, middle, end };

		merge(times, from, to, ends);
		runs->data[n_merged++] = end;
		begin = end;
	}
	runs->n = n_merged;
}

uint32_t *sort_times(const int64_t *times, size_t n)
{
	g_autofree uint32_t *from = g_try_new(uint32_t, MAX(n, 1));
	g_autofree uint32_t *to = g_try_new(uint32_t, MAX(n, 1));
	Runs runs = { 0 };
	bool ok = from != NULL && to != NULL && find_runs(times, n, &runs);

	for (size_t i = 0; ok && i < n; i++)
		from[i] = (uint32_t)i;
	while (ok && runs.n > 1) {
		uint32_t *swap = from;

		merge_pass(times, from, to, &runs);
		from = to;
		to = swap;
	}
	array_clear(&runs);
	return ok ? g_steal_pointer(&from) : NULL;
}
