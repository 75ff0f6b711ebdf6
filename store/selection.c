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
	uint32_t frame;

	if (stack == 0)
		return false;
	frame = store_stack_frame(self->store, stack);
	if (self->leaf_kinds[frame] == LEAF_UNKNOWN)
		self->leaf_kinds[frame] = idle_is_routine(store_frame(self->store, frame).symbol)
						  ? LEAF_IDLE
						  : LEAF_BUSY;
	return self->leaf_kinds[frame] == LEAF_IDLE;
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

/* One decoded sample. */
typedef struct {
	int64_t time_ns;
	uint32_t stack, thread, event, cgroup;
	int32_t cpu;
} Decoded;

static bool passes(Selection *self, const Decoded *sample)
{
	if (sample->time_ns != TIME_NONE && !is_phase_chosen(self, sample->time_ns))
		return false;
	self->counts.seen++;
	if (!self->is_event_chosen[sample->event]) {
		self->counts.other_event++;
		return false;
	}
	if (!(self->thread_flags[sample->thread] & THREAD_CHOSEN) ||
	    !selection_has_cpu(self, sample->cpu) ||
	    (self->is_cgroup_chosen != NULL && !self->is_cgroup_chosen[sample->cgroup]) ||
	    (self->is_stack_chosen != NULL && !self->is_stack_chosen[sample->stack])) {
		self->counts.filtered++;
		return false;
	}
	return passes_idle(self, sample->thread, sample->stack);
}

/* --- decoding ---------------------------------------------------------------------------- */

static bool touch_all(const Selection *self, uint64_t first, uint64_t n, GError **error)
{
	static const StoreSection sections[] = { SECTION_STACK, SECTION_THREAD, SECTION_CPU,
						 SECTION_EVENT, SECTION_PERIOD, SECTION_CGROUP };

	for (size_t i = 0; i < G_N_ELEMENTS(sections); i++)
		if (!store_touch(self->store, sections[i], first, n, error))
			return false;
	return first >= self->store->n_timed ||
	       store_touch(self->store, SECTION_TIME, first, MIN(n, self->store->n_timed - first),
			   error);
}

static int64_t decode_time(Selection *self, uint64_t i)
{
	const Store *store = self->store;

	if (i >= store->n_timed)
		return TIME_NONE;
	while (self->bucket + 1 < store->n_buckets && store->buckets[self->bucket + 1].first <= i)
		self->bucket++;
	return store_time_ns(store, i, self->bucket);
}

static Decoded decode(Selection *self, uint64_t i)
{
	const Column *columns = self->store->columns;

	return (Decoded){
		.time_ns = decode_time(self, i),
		.stack = (uint32_t)column_get(&columns[SECTION_STACK], i),
		.thread = (uint32_t)column_get(&columns[SECTION_THREAD], i),
		.event = (uint32_t)column_get(&columns[SECTION_EVENT], i),
		.cgroup = (uint32_t)column_get(&columns[SECTION_CGROUP], i),
		.cpu = (int32_t)((uint32_t)column_get(&columns[SECTION_CPU], i) - 1u),
	};
}

static bool is_sound(const Store *store, const Decoded *sample)
{
	return store_has_rows(store, sample->stack, sample->thread, sample->event,
			      sample->cgroup) &&
	       (sample->time_ns == TIME_NONE ||
		(sample->time_ns >= store->start_ns && sample->time_ns <= store->last_ns));
}

static uint64_t weight_of(const Selection *self, uint64_t i)
{
	uint64_t period;

	if (self->weight == WEIGHT_SAMPLES && !self->is_weighted)
		return 1;
	period = column_get(&self->store->columns[SECTION_PERIOD], i);
	return period > 0 ? period - 1 : 1;
}

static void put(Selection *self, SampleBlock *block, const Decoded *sample, uint64_t i)
{
	size_t k = block->n++;

	block->index[k] = i;
	block->time_ns[k] = sample->time_ns;
	block->stack[k] = sample->stack;
	block->thread[k] = sample->thread;
	block->cpu[k] = sample->cpu >= 0 ? sample->cpu : ID_NONE;
	block->cgroup[k] = sample->cgroup;
	block->weight[k] = weight_of(self, i);
	self->counts.samples++;
	self->counts.weight = weight_add(self->counts.weight, block->weight[k]);
}

/* Takes samples [next, next + n) into `block`, which has room for them. */
static bool take(Selection *self, uint64_t n, SampleBlock *block, GError **error)
{
	if (!touch_all(self, self->next, n, error))
		return false;
	for (uint64_t i = self->next; i < self->next + n; i++) {
		Decoded sample = decode(self, i);

		if (!is_sound(self->store, &sample))
			return store_fail_sample(i, error);
		if (passes(self, &sample))
			put(self, block, &sample, i);
	}
	self->next += n;
	return true;
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
