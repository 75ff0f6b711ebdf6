/* SPDX-License-Identifier: MIT */
/*
 * Samples as they lie in the store, a column after another: only those columns that someone wants,
 * or that decide which samples count. Nothing is given that refers to what is not there.
 */

#include "store/selection-private.h"

#include "store/error.h"

/* What selection_decode() leaves in a block. */
typedef struct {
	StoreSection section;
	unsigned want;
} Part;

static const Part parts[] = {
	{ SECTION_STACK, SAMPLE_STACK },   { SECTION_THREAD, SAMPLE_THREAD },
	{ SECTION_CPU, SAMPLE_CPU },	   { SECTION_EVENT, SAMPLE_EVENT },
	{ SECTION_CGROUP, SAMPLE_CGROUP }, { SECTION_PERIOD, SAMPLE_WEIGHT },
};

static bool is_needed(const Selection *self, const Part *part)
{
	if (part->section == SECTION_PERIOD && selection_counts_ones(self))
		return false;
	return ((self->wanted | self->decisive) & part->want) != 0;
}

static bool touch(const Selection *self, uint64_t first, uint64_t n, GError **error)
{
	const Store *store = self->store;

	for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
		if (is_needed(self, &parts[i]) &&
		    !store_touch(store, parts[i].section, first, n, error))
			return false;
	return first >= store->n_timed ||
	       store_touch(store, SECTION_TIME, first, MIN(n, store->n_timed - first), error);
}

/* --- times ------------------------------------------------------------------------------- */

/* Samples from `i` on that are in the same bucket, at most `n`. */
static size_t run_in_bucket(Selection *self, uint64_t i, size_t n)
{
	const Store *store = self->store;

	while (self->bucket + 1 < store->n_buckets && store->buckets[self->bucket + 1].first <= i)
		self->bucket++;
	if (self->bucket + 1 < store->n_buckets)
		n = MIN(n, store->buckets[self->bucket + 1].first - i);
	return n;
}

static void decode_times(Selection *self, size_t n, int64_t *times)
{
	const Store *store = self->store;
	const Column *column = &store->columns[SECTION_TIME];
	size_t n_timed = self->next < store->n_timed ? MIN(n, store->n_timed - self->next) : 0;

	for (size_t k = 0; k < n_timed;) {
		size_t end = k + run_in_bucket(self, self->next + k, n_timed - k);
		/* Unsigned: what makes no sense must not overflow; it is refused below. */
		uint64_t begin =
			(uint64_t)store->buckets[self->bucket].number * (uint64_t)store->bucket_ns;

		for (; k < end; k++)
			times[k] = (int64_t)(begin + column_get(column, self->next + k) *
							     (uint64_t)store->tick_ns);
	}
	for (size_t k = n_timed; k < n; k++)
		times[k] = TIME_NONE;
}

/* --- what refers to what ----------------------------------------------------------------- */

static bool are_below(const uint32_t *ids, size_t n, uint64_t limit)
{
	uint32_t max = 0;

	for (size_t i = 0; i < n; i++)
		max = MAX(max, ids[i]);
	return n == 0 || max < limit;
}

static bool are_within(const Store *store, const int64_t *times, size_t n)
{
	bool ok = true;

	for (size_t i = 0; i < n; i++)
		ok &= times[i] == TIME_NONE ||
		      (times[i] >= store->start_ns && times[i] <= store->last_ns);
	return ok;
}

/* Samples [first, first + n) of the block. */
static bool is_sound(const Selection *self, const SampleBlock *block, size_t first, size_t n)
{
	const Store *store = self->store;
	unsigned decoded = self->wanted | self->decisive;

	return (!(decoded & SAMPLE_STACK) ||
		are_below(block->stack + first, n, store_n_stacks(store))) &&
	       (!(decoded & SAMPLE_THREAD) ||
		are_below(block->thread + first, n, store_n_threads(store))) &&
	       (!(decoded & SAMPLE_EVENT) ||
		are_below(self->events + first, n, store_n_events(store))) &&
	       (!(decoded & SAMPLE_CGROUP) ||
		are_below(block->cgroup + first, n, store_n_strings(store))) &&
	       are_within(store, block->time_ns + first, n);
}

static bool check(const Selection *self, const SampleBlock *block, size_t n, GError **error)
{
	size_t i = 0;

	if (is_sound(self, block, 0, n))
		return true;
	while (is_sound(self, block, i, 1))
		i++;
	return store_fail_sample(self->next + i, error);
}

/* --- weights ----------------------------------------------------------------------------- */

bool selection_counts_ones(const Selection *self)
{
	return self->weight == WEIGHT_SAMPLES && !self->is_weighted;
}

static void decode_weights(const Selection *self, size_t n, uint64_t *weights)
{
	const Column *periods = &self->store->columns[SECTION_PERIOD];
	bool is_one = selection_counts_ones(self);

	for (size_t i = 0; i < n; i++) {
		uint64_t period = is_one ? 0 : column_get(periods, self->next + i);

		weights[i] = period > 0 ? period - 1 : 1;
	}
}

static void decode_cpus(const Selection *self, size_t n, int32_t *cpus)
{
	column_unpack(&self->store->columns[SECTION_CPU], self->next, n, (uint32_t *)cpus);
	for (size_t i = 0; i < n; i++)
		cpus[i] = (int32_t)((uint32_t)cpus[i] - 1u) >= 0 ? (int32_t)((uint32_t)cpus[i] - 1u)
								 : ID_NONE;
}

bool selection_decode(Selection *self, size_t n, SampleBlock *block, GError **error)
{
	const Column *columns = self->store->columns;
	unsigned needed = self->wanted | self->decisive;

	if (!touch(self, self->next, n, error))
		return false;
	decode_times(self, n, block->time_ns);
	if (needed & SAMPLE_STACK)
		column_unpack(&columns[SECTION_STACK], self->next, n, block->stack);
	if (needed & SAMPLE_THREAD)
		column_unpack(&columns[SECTION_THREAD], self->next, n, block->thread);
	if (needed & SAMPLE_CPU)
		decode_cpus(self, n, block->cpu);
	if (needed & SAMPLE_EVENT)
		column_unpack(&columns[SECTION_EVENT], self->next, n, self->events);
	if (needed & SAMPLE_CGROUP)
		column_unpack(&columns[SECTION_CGROUP], self->next, n, block->cgroup);
	decode_weights(self, n, block->weight);
	return check(self, block, n, error);
}
