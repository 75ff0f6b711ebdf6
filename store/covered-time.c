/* SPDX-License-Identifier: MIT */
/* Coverage from the facts that the survey left: the holes, as text, and the ends of the recording.
 */

#include "store/covered-time.h"

#include "store/selection-private.h"

GArray *covered_time(const Store *store)
{
	TimeRange extent = { store_start_ns(store), store_last_ns(store) };
	g_autoptr(GArray) whole = time_set_new(&extent, store->n_timed > 0 ? 1 : 0);
	g_autoptr(GArray) holes = time_set_parse(store_fact(store, FACT_HOLES));
	g_autoptr(GArray) outside = time_set_complement(holes);

	return time_set_intersect(whole, outside);
}

GArray *covered_time_chosen(const Store *store, const Selection *selection)
{
	g_autoptr(GArray) covered = covered_time(store);
	g_autoptr(GArray) chosen = NULL;

	if (!selection->has_ranges)
		return g_steal_pointer(&covered);
	chosen = time_set_new(selection->ranges, selection->n_ranges);
	return time_set_intersect(covered, chosen);
}

/* How much of a period's first `ns` is in the phase. */
static int64_t phase_until(const Selection *self, int64_t ns)
{
	int64_t begin = self->phase_begin_ns, end = self->phase_end_ns;

	if (begin <= end)
		return CLAMP(ns, begin, end) - begin;
	return MIN(ns, end) + MAX(ns - begin, 0);
}

/* The phase's share of all time from its origin to `time_ns`, in ns; negative before. */
static int64_t phase_time(const Selection *self, int64_t time_ns)
{
	int64_t since = time_add(time_ns, -self->every_origin_ns);
	int64_t rest = since % self->every_ns;

	if (rest < 0)
		rest += self->every_ns;
	return (since - rest) / self->every_ns * phase_until(self, self->every_ns) +
	       phase_until(self, rest);
}

uint64_t covered_time_of(const Store *store, const Selection *selection)
{
	g_autoptr(GArray) set = covered_time_chosen(store, selection);
	uint64_t sum = 0;

	if (selection->every_ns == 0)
		return time_set_length(set);
	for (guint i = 0; i < set->len; i++) {
		const TimeRange *range = &g_array_index(set, TimeRange, i);

		sum += (uint64_t)(phase_time(selection, range->end_ns) -
				  phase_time(selection, range->begin_ns));
	}
	return sum;
}
