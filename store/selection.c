/* SPDX-License-Identifier: MIT */
/*
 * The walk over the samples that count. Samples are read a block at a time: the bytes concerned
 * are verified, then decoded, tested and packed. Ids are checked here before anyone indexes with
 * them, since a store is believed no further than its checksums go.
 */

#include "store/selection-private.h"
#include "store/weight.h"

#include "store/error.h"
#include "store/idle.h"

const char *selection_unit(const Selection *self)
{
	return self->unit;
}

const char *selection_event(const Selection *self)
{
	return self->event_name;
}

bool selection_has_event(const Selection *self, uint32_t event)
{
	return event < store_n_events(self->store) && self->is_event_chosen[event];
}

int64_t selection_zero_ns(const Selection *self)
{
	return self->zero_ns;
}

const WallClock *selection_wall(const Selection *self)
{
	return &self->wall;
}

TimeFrame selection_time_frame(const Selection *self)
{
	const Store *store = self->store;

	return (TimeFrame){ .zero_ns = self->zero_ns,
			    .start_ns = store->start_ns,
			    .end_ns = store->n_timed > 0 ? store->last_ns + 1 : 0,
			    .has_wall = self->wall.is_known,
			    .wall_offset_ns = self->wall.offset_ns };
}

const TimeRange *selection_ranges(const Selection *self, size_t *n)
{
	*n = self->n_ranges;
	return self->ranges;
}

bool selection_has_ranges(const Selection *self)
{
	return self->has_ranges;
}

SelectionPhase selection_phase(const Selection *self)
{
	return (SelectionPhase){ self->every_ns, self->every_origin_ns, self->phase_begin_ns,
				 self->phase_end_ns };
}

SelectionCounts selection_counts(const Selection *self)
{
	return self->counts;
}

static bool fail_untimed(const Store *store, GError **error)
{
	if (text_equal(store_fact(store, FACT_FORMAT), TEXT("folded")))
		return fail(
			error, FLAMEBEAT_ERROR_FAILED,
			"no timestamps: folded stacks have no time; record with `perf record -F 99 "
			"-a -g`, print with `perf script`, and give that text");
	return fail(
		error, FLAMEBEAT_ERROR_FAILED,
		"no timestamps: none of the %" G_GUINT64_FORMAT
		" samples tells when it was taken; record without --per-thread and --no-timestamp "
		"(or with -T), and print the field `time` if you give -F",
		store->n_samples);
}

bool selection_require_time(Selection *self, Notes *notes, GError **error)
{
	uint64_t n_untimed = self->store->n_samples - self->store->n_timed;

	self->only_timed = true;
	if (self->store->n_timed == 0)
		return fail_untimed(self->store, error);
	if (n_untimed > 0)
		notes_add_shortfall(notes, "%" G_GUINT64_FORMAT " sample%s no time and %s left out",
				    n_untimed, n_untimed == 1 ? " has" : "s have",
				    n_untimed == 1 ? "is" : "are");
	return true;
}

void selection_set_ranges(Selection *self, const TimeRange *ranges, size_t n)
{
	TimeRange *copy = g_new(TimeRange, n + 1);

	for (size_t i = 0; i < n; i++)
		copy[i] = ranges[i];
	g_free(self->ranges);
	self->ranges = copy;
	self->n_ranges = n;
	self->has_ranges = true;
	self->only_timed = true;
	selection_rewind(self);
}

void selection_unset_ranges(Selection *self)
{
	selection_set_ranges(self, NULL, 0);
	self->has_ranges = false;
}

void selection_set_weight(Selection *self, WeightMode weight)
{
	self->weight = weight;
	selection_rewind(self);
}

WeightMode selection_weight(const Selection *self)
{
	return self->weight;
}

bool selection_is_timed(const Selection *self)
{
	return self->store->n_timed > 0 && (self->only_timed || self->every_ns > 0 ||
					    self->store->n_timed == self->store->n_samples);
}

void selection_rewind(Selection *self)
{
	self->range = 0;
	self->is_inside = false;
	self->next = self->end = self->bucket = 0;
	self->window = (TimeRange){ 0, 0 };
	selection_want(self, SAMPLE_ALL);
	memset(&self->counts, 0, sizeof(self->counts));
}

void selection_rewind_to(Selection *self, TimeRange window)
{
	selection_rewind(self);
	self->window = window;
}

/* --- which samples ----------------------------------------------------------------------- */

bool selection_has_cpu(const Selection *self, int32_t cpu)
{
	if (self->cpus == NULL)
		return true;
	for (guint i = 0; cpu >= 0 && i < self->cpus->len; i++) {
		const CpuRange *range = &g_array_index(self->cpus, CpuRange, i);

		if ((uint32_t)cpu >= range->first && (uint32_t)cpu <= range->last)
			return true;
	}
	return false;
}

static bool is_phase_chosen(const Selection *self, int64_t time_ns)
{
	int64_t phase;

	if (self->every_ns == 0)
		return true;
	phase = (time_ns - self->every_origin_ns) % self->every_ns;
	if (phase < 0)
		phase += self->every_ns;
	if (self->phase_begin_ns <= self->phase_end_ns)
		return phase >= self->phase_begin_ns && phase < self->phase_end_ns;
	return phase >= self->phase_begin_ns || phase < self->phase_end_ns;
}

static bool is_leaf_idle(Selection *self, uint32_t stack)
{
	const Store *store = self->store;

	if (self->leaf_kinds[stack] == LEAF_UNKNOWN && stack == 0)
		self->leaf_kinds[stack] = LEAF_BUSY;
	if (self->leaf_kinds[stack] == LEAF_UNKNOWN) {
		Text symbol = store_frame(store, store_stack_frame(store, stack)).symbol;

		self->leaf_kinds[stack] = idle_is_routine(symbol) ? LEAF_IDLE : LEAF_BUSY;
	}
	return self->leaf_kinds[stack] == LEAF_IDLE;
}

static bool is_idle(Selection *self, uint32_t thread, uint32_t stack)
{
	return (self->thread_flags[thread] & THREAD_IDLE_TASK) &&
	       (self->is_idle_presumed || is_leaf_idle(self, stack));
}

/* Drops by idleness; counts what it drops. */
static bool passes_idle(Selection *self, uint32_t thread, uint32_t stack)
{
	bool idle;

	if (self->idle == IDLE_KEEP)
		return true;
	idle = is_idle(self, thread, stack);
	if (idle == (self->idle == IDLE_ONLY))
		return true;
	if (idle && self->is_idle_presumed)
		self->counts.idle_presumed++;
	else
		self->counts.idle++;
	return false;
}

/* Whether all that is asked of a sample is its thread and its idleness. */
static bool is_simple(const Selection *self)
{
	return self->decisive == (SAMPLE_THREAD | SAMPLE_STACK) && self->every_ns == 0 &&
	       self->is_stack_chosen == NULL && self->idle != IDLE_KEEP && self->is_event_chosen[0];
}

/* Which columns have a say, for the filters there are. */
static unsigned decisive_columns(const Selection *self)
{
	const Column *events = &self->store->columns[SECTION_EVENT];

	return SAMPLE_THREAD |
	       (self->idle != IDLE_KEEP || self->is_stack_chosen != NULL ? SAMPLE_STACK : 0) |
	       (self->cpus != NULL ? SAMPLE_CPU : 0) |
	       (self->is_cgroup_chosen != NULL ? SAMPLE_CGROUP : 0) |
	       (store_n_events(self->store) != 1 || events->width > 0 || events->base > 0
			? SAMPLE_EVENT
			: 0);
}

static bool passes_filters(const Selection *self, const SampleBlock *block, size_t i)
{
	return (self->thread_flags[block->thread[i]] & THREAD_CHOSEN) &&
	       (self->cpus == NULL || selection_has_cpu(self, block->cpu[i])) &&
	       (self->is_cgroup_chosen == NULL || self->is_cgroup_chosen[block->cgroup[i]]) &&
	       (self->is_stack_chosen == NULL || self->is_stack_chosen[block->stack[i]]);
}

static bool passes(Selection *self, const SampleBlock *block, size_t i)
{
	uint32_t event = self->decisive & SAMPLE_EVENT ? self->events[i] : 0;

	if (block->time_ns[i] != TIME_NONE && !is_phase_chosen(self, block->time_ns[i]))
		return false;
	self->counts.seen++;
	if (!self->is_event_chosen[event]) {
		self->counts.other_event++;
		return false;
	}
	if (!passes_filters(self, block, i)) {
		self->counts.filtered++;
		return false;
	}
	return self->idle == IDLE_KEEP || passes_idle(self, block->thread[i], block->stack[i]);
}

/* --- packing ----------------------------------------------------------------------------- */

static uint8_t leaf_kind(Selection *self, uint32_t stack)
{
	if (G_UNLIKELY(self->leaf_kinds[stack] == LEAF_UNKNOWN))
		is_leaf_idle(self, stack);
	return self->leaf_kinds[stack];
}

/* The same as passes() for each sample, where is_simple() and idleness matters. Who is idle is as
 * good as random, so that nothing here branches on it. */
static size_t keep_simple(Selection *self, const SampleBlock *block, size_t n)
{
	bool is_only = self->idle == IDLE_ONLY, is_presumed = self->is_idle_presumed;
	size_t n_kept = 0, n_chosen = 0;

	for (size_t i = 0; i < n; i++) {
		uint8_t flags = self->thread_flags[block->thread[i]];
		bool is_leaf = leaf_kind(self, block->stack[i]) == LEAF_IDLE;
		bool is_task = (flags & THREAD_IDLE_TASK) != 0;
		bool is_chosen = (flags & THREAD_CHOSEN) != 0;
		bool is_idle_sample = is_task & (is_presumed | is_leaf);

		self->kept[n_kept] = (uint16_t)i;
		n_kept += is_chosen & (is_idle_sample == is_only);
		n_chosen += is_chosen;
	}
	self->counts.seen += n;
	self->counts.filtered += n - n_chosen;
	if (is_presumed && !is_only)
		self->counts.idle_presumed += n_chosen - n_kept;
	else
		self->counts.idle += n_chosen - n_kept;
	return n_kept;
}

static size_t keep(Selection *self, const SampleBlock *block, size_t n)
{
	size_t n_kept = 0;

	for (size_t i = 0; i < n; i++)
		if (passes(self, block, i))
			self->kept[n_kept++] = (uint16_t)i;
	return n_kept;
}

/* The numbers ascend, so that a column can be packed in place. */
#define PACK(column, kept, n)                                                                      \
	for (size_t pack_i = 0; pack_i < (n); pack_i++)                                            \
	(column)[pack_i] = (column)[(kept)[pack_i]]

static void pack(Selection *self, SampleBlock *block, size_t n)
{
	const uint16_t *kept = self->kept;

	PACK(block->time_ns, kept, n);
	if (self->wanted & SAMPLE_STACK)
		PACK(block->stack, kept, n);
	if (self->wanted & SAMPLE_THREAD)
		PACK(block->thread, kept, n);
	if (self->wanted & SAMPLE_CPU)
		PACK(block->cpu, kept, n);
	if (self->wanted & SAMPLE_CGROUP)
		PACK(block->cgroup, kept, n);
	for (size_t i = 0; (self->wanted & SAMPLE_INDEX) && i < n; i++)
		block->index[i] = self->next + kept[i];
	if (!selection_counts_ones(self))
		PACK(block->weight, kept, n);
	for (size_t i = 0; !selection_counts_ones(self) && i < n; i++)
		self->counts.weight = weight_add(self->counts.weight, block->weight[i]);
	if (selection_counts_ones(self))
		self->counts.weight += n;
	self->counts.samples += n;
	block->n = n;
}

/* Takes samples [next, next + n) into `block`, which has room for them. */
static bool take(Selection *self, uint64_t n, SampleBlock *block, GError **error)
{
	self->decisive = decisive_columns(self);
	if (!selection_decode(self, n, block, error))
		return false;
	pack(self, block, is_simple(self) ? keep_simple(self, block, n) : keep(self, block, n));
	self->next += n;
	return true;
}

void selection_want(Selection *self, unsigned columns)
{
	self->wanted = columns | SAMPLE_WEIGHT;
}

/* --- the walk ---------------------------------------------------------------------------- */

/* Sets [next, end) to the samples of `range`. */
static bool enter_time(Selection *self, TimeRange range, GError **error)
{
	const Store *store = self->store;

	if (!store_lower_bound(store, range.begin_ns, &self->next, error) ||
	    !store_lower_bound(store, range.end_ns, &self->end, error))
		return false;
	self->bucket = store->n_buckets > 0 ? store_bucket_of(store, self->next) : 0;
	return true;
}

/* Without ranges: everything, or the window; false at the end, or with `error` set. */
static bool enter_whole(Selection *self, GError **error)
{
	bool with_untimed = !self->only_timed && self->every_ns == 0;

	if (self->range++ > 0)
		return false;
	if (self->window.begin_ns < self->window.end_ns)
		return enter_time(self, self->window, error);
	self->end = with_untimed ? self->store->n_samples : self->store->n_timed;
	return true;
}

/* Sets [next, end) to the samples of the next range; false at the end, or with `error` set. */
static bool enter_range(Selection *self, GError **error)
{
	TimeRange range;

	if (!self->has_ranges)
		return enter_whole(self, error);
	if (self->range >= self->n_ranges)
		return false;
	range = self->ranges[self->range++];
	if (self->window.begin_ns < self->window.end_ns) {
		range.begin_ns = MAX(range.begin_ns, self->window.begin_ns);
		range.end_ns = MAX(MIN(range.end_ns, self->window.end_ns), range.begin_ns);
	}
	return enter_time(self, range, error);
}

void selection_set_cancel(Selection *self, const gint *is_cancelled)
{
	self->is_cancelled = is_cancelled;
}

bool selection_next(Selection *self, SampleBlock *block, GError **error)
{
	GError *cause = NULL;

	block->n = 0;
	while (block->n == 0) {
		if (self->is_cancelled != NULL && g_atomic_int_get(self->is_cancelled) != 0)
			return fail(error, FLAMEBEAT_ERROR_FAILED, "cancelled");
		if (self->next >= self->end) {
			if (!enter_range(self, &cause))
				break;
			continue;
		}
		if (!take(self, MIN(self->end - self->next, SAMPLE_BLOCK), block, &cause))
			break;
	}
	if (cause == NULL)
		return true;
	g_propagate_error(error, cause);
	return false;
}
