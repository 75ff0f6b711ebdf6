/* SPDX-License-Identifier: MIT */
/*
 * One pass over the samples, which ascend, so that the bucket is found without a division; then
 * the coverage: the chosen ranges, less the recording's holes, less what a phase leaves out.
 */

#include "heatmap/series.h"

#include "heatmap/grid.h"
#include "store/error.h"

static int64_t floor_to(int64_t time_ns, int64_t step_ns)
{
	int64_t rest = time_ns % step_ns;

	return time_ns - (rest < 0 ? rest + step_ns : rest);
}

int64_t series_bucket_ns(const Store *store, int64_t bucket_ns)
{
	uint64_t span = (uint64_t)(store->last_ns - store->start_ns) + 1;
	uint64_t n = span / (uint64_t)bucket_ns + 2;
	uint64_t most =
		CLAMP(BUCKETS_A_SAMPLE * store->n_timed, MIN_SERIES_BUCKETS, MAX_SERIES_BUCKETS);
	uint64_t factor = (n + most - 1) / most;

	return bucket_ns * (int64_t)MAX(factor, 1);
}

/* --- coverage ---------------------------------------------------------------------------- */

static void cover(Series *self, int64_t begin_ns, int64_t end_ns)
{
	TimeRange range = { begin_ns, end_ns };
	size_t i = (size_t)((begin_ns - self->origin_ns) / self->bucket_ns);

	if (begin_ns < end_ns)
		g_array_append_val(self->ranges, range);
	while (begin_ns < end_ns && i < self->n) {
		int64_t next_ns = MIN(series_time(self, i + 1), end_ns);
		float share = (float)((double)(next_ns - begin_ns) / (double)self->bucket_ns);

		self->covered[i] = MIN(self->covered[i] + share, 1.0f);
		self->n_covered += (double)share;
		begin_ns = next_ns;
		i++;
	}
}

/* Of [begin_ns, end_ns) what the selection's phase takes in. */
static void cover_phase(Series *self, const SelectionPhase *phase, int64_t begin_ns, int64_t end_ns)
{
	int64_t cycle_ns;

	if (phase->every_ns == 0) {
		cover(self, begin_ns, end_ns);
		return;
	}
	cycle_ns = phase->origin_ns + floor_to(begin_ns - phase->origin_ns, phase->every_ns);
	for (cycle_ns -= phase->every_ns; cycle_ns < end_ns; cycle_ns += phase->every_ns) {
		bool wraps = phase->end_ns < phase->begin_ns;
		int64_t last_ns = phase->end_ns + (wraps ? phase->every_ns : 0);

		cover(self, MAX(cycle_ns + phase->begin_ns, begin_ns),
		      MIN(cycle_ns + last_ns, end_ns));
	}
}

/* A range, less the holes. */
static void cover_range(Series *self, const Selection *selection, TimeRange range,
			const TimeRange *holes, size_t n_holes)
{
	SelectionPhase phase = selection_phase(selection);

	for (size_t i = 0; i < n_holes && range.begin_ns < range.end_ns; i++) {
		if (holes[i].end_ns <= range.begin_ns)
			continue;
		cover_phase(self, &phase, range.begin_ns, MIN(holes[i].begin_ns, range.end_ns));
		range.begin_ns = holes[i].end_ns;
	}
	cover_phase(self, &phase, range.begin_ns, range.end_ns);
}

static void cover_all(Series *self, const Store *store, const Selection *selection)
{
	TimeRange whole = { store->start_ns, store->last_ns + 1 };
	size_t n_holes, n_ranges;
	const TimeRange *ranges = selection_ranges(selection, &n_ranges);
	g_autofree TimeRange *holes =
		grid_parse_holes(store_fact(store, FACT_HOLES), whole, &n_holes);

	if (!selection_has_ranges(selection)) {
		cover_range(self, selection, whole, holes, n_holes);
		return;
	}
	for (size_t i = 0; i < n_ranges; i++) {
		TimeRange range = { MAX(ranges[i].begin_ns, whole.begin_ns),
				    MIN(ranges[i].end_ns, whole.end_ns) };

		cover_range(self, selection, range, holes, n_holes);
	}
}

/* --- counting ---------------------------------------------------------------------------- */

/* What one pass fills beside the counts. */
typedef struct {
	Tally *tally; /* NULL: not wanted */
	size_t bucket;
	int64_t end_ns; /* of the bucket */
} Pass;

static void count_sample(Series *self, Pass *pass, const SampleBlock *block, size_t i)
{
	int64_t time_ns = block->time_ns[i];

	if (time_ns >= pass->end_ns) {
		pass->bucket = (size_t)((time_ns - self->origin_ns) / self->bucket_ns);
		pass->end_ns = series_time(self, pass->bucket + 1);
	}
	self->counts[pass->bucket]++;
	if (self->times != NULL)
		self->times[self->total + i] =
			(uint32_t)((double)(time_ns - self->first_ns) / self->time_unit_ns);
	if (pass->tally != NULL)
		tally_add(pass->tally, block, i);
}

static bool count(Series *self, Selection *selection, Tally *tally, GError **error)
{
	g_autofree SampleBlock *block = g_new(SampleBlock, 1);
	Pass pass = { .tally = tally, .end_ns = series_time(self, 1) };

	selection_rewind(selection);
	do {
		if (!selection_next(selection, block, error))
			return false;
		for (size_t i = 0; i < block->n; i++)
			count_sample(self, &pass, block, i);
		self->total += block->n;
	} while (block->n > 0);
	self->selection = selection_counts(selection);
	return true;
}

static bool allocate(Series *self, const Store *store, bool with_times, GError **error)
{
	self->ranges = g_array_new(FALSE, FALSE, sizeof(TimeRange));
	self->counts = g_try_new0(uint32_t, self->n);
	self->covered = g_try_new0(float, self->n);
	self->first_ns = store->start_ns;
	self->time_unit_ns = ((double)(store->last_ns - store->start_ns) + 1) / 4294967295.0;
	if (with_times)
		self->times = g_try_new(uint32_t, MAX(store->n_timed, 1));
	if (self->counts != NULL && self->covered != NULL && (!with_times || self->times != NULL))
		return true;
	return fail(error, FLAMEBEAT_ERROR_FAILED, "out of memory for %" G_GSIZE_FORMAT " buckets",
		    self->n);
}

bool series_init(Series *self, const Store *store, Selection *selection, int64_t bucket_ns,
		 bool with_times, Tally *tally, GError **error)
{
	if (!selection_require_time(selection, NULL, error))
		return false;
	self->zero_ns = selection_zero_ns(selection);
	self->bucket_ns = series_bucket_ns(store, bucket_ns);
	self->origin_ns =
		self->zero_ns + floor_to(store->start_ns - self->zero_ns, self->bucket_ns);
	self->n = (size_t)((store->last_ns - self->origin_ns) / self->bucket_ns) + 1;
	if (!allocate(self, store, with_times, error))
		return false;
	cover_all(self, store, selection);
	return count(self, selection, tally, error);
}

void series_clear(Series *self)
{
	g_clear_pointer(&self->counts, g_free);
	g_clear_pointer(&self->covered, g_free);
	g_clear_pointer(&self->times, g_free);
	g_clear_pointer(&self->ranges, g_array_unref);
}
