/* SPDX-License-Identifier: MIT */
/*
 * Taking samples in. Every name is interned once; a sample costs 20 bytes, plus 8 where periods
 * vary. Stacks form a prefix tree from the root, so that a parent always has the lower id.
 */

#include "store/builder.h"

#include "store/builder-private.h"
#include "store/dso.h"
#include "store/error.h"
#include "store/limits.h"
#include "store/weight.h"

#define OUT_OF_MEMORY "out of memory"

static void init(StoreBuilder *self)
{
	*self = (StoreBuilder){ 0 };
	self->seed = id_index_seed();
	self->last_time_ns = INT64_MIN;
	self->is_sorted = true;
	self->parts = g_array_new(FALSE, FALSE, sizeof(TimeRange));
	self->facts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
					    (GDestroyNotify)g_bytes_unref);
	if (!string_table_init(&self->strings) ||
	    !array_push(&self->stacks, ((StackRow){ 0, 0 })) || !array_push(&self->latest, 0))
		self->failure = OUT_OF_MEMORY;
}

static void clear(StoreBuilder *self)
{
	string_table_clear(&self->strings);
	array_clear(&self->frames);
	id_index_clear(&self->frame_index);
	array_clear(&self->stacks);
	array_clear(&self->latest);
	id_index_clear(&self->stack_index);
	array_clear(&self->threads);
	id_index_clear(&self->thread_index);
	array_clear(&self->events);
	array_clear(&self->time_ns);
	array_clear(&self->stack);
	array_clear(&self->thread);
	array_clear(&self->cpu);
	array_clear(&self->event);
	array_clear(&self->period);
	array_clear(&self->cgroup);
	g_array_unref(self->parts);
	g_hash_table_unref(self->facts);
}

StoreBuilder *store_builder_new(void)
{
	StoreBuilder *self = g_new(StoreBuilder, 1);

	init(self);
	return self;
}

void store_builder_free(StoreBuilder *self)
{
	if (self == NULL)
		return;
	clear(self);
	g_free(self);
}

void store_builder_reset(StoreBuilder *self)
{
	clear(self);
	init(self);
}

uint32_t builder_fail(StoreBuilder *self, const char *what)
{
	if (self->failure == NULL)
		self->failure = what;
	return ROW_NONE;
}

uint32_t builder_add_string(StoreBuilder *self, Text text)
{
	uint32_t id = string_table_add(&self->strings, text);

	return id != ROW_NONE ? id
			      : builder_fail(self, "too many distinct names, or out of memory");
}

/* The id of a row: `slot` is where the index has it or wants it, `n` is the id a new one gets. */
static uint32_t row_added(StoreBuilder *self, IdIndex *index, IdSlot *slot, uint64_t hash, size_t n)
{
	if (n >= MAX_TABLE_IDS)
		return builder_fail(self, "too many distinct stacks");
	id_index_put(index, slot, hash, (uint32_t)n);
	return (uint32_t)n;
}

static bool frame_equals(const void *table, uint32_t id, const void *key)
{
	const FrameRow *a = &((const StoreBuilder *)table)->frames.data[id];
	const FrameRow *b = key;

	return a->symbol == b->symbol && a->dso == b->dso && a->address == b->address &&
	       a->flags == b->flags;
}

uint32_t builder_add_frame(StoreBuilder *self, FrameRow row)
{
	uint64_t hash = hash_pair(self->seed + row.flags, (uint64_t)row.symbol << 32 | row.dso,
				  row.address);
	IdSlot *slot;

	if (self->failure != NULL || !id_index_reserve(&self->frame_index))
		return builder_fail(self, OUT_OF_MEMORY);
	slot = id_index_slot(&self->frame_index, hash, frame_equals, self, &row);
	if (slot->id != ROW_NONE)
		return slot->id;
	if (!array_push(&self->frames, row))
		return builder_fail(self, OUT_OF_MEMORY);
	return row_added(self, &self->frame_index, slot, hash, self->frames.n - 1);
}

uint32_t store_builder_frame(StoreBuilder *self, const StoreFrame *frame)
{
	uint64_t address = frame->symbol.len == 0 ? dso_offset(frame->dso, frame->address) : 0;
	uint32_t id = builder_add_frame(self, (FrameRow){ builder_add_string(self, frame->symbol),
							  builder_add_string(self, frame->dso),
							  frame->flags, address });

	return frame->line.len > 0 ? store_builder_at_line(self, id, frame->line) : id;
}

uint32_t store_builder_at_line(StoreBuilder *self, uint32_t frame, Text line)
{
	FrameRow row;

	if (frame == ROW_NONE)
		return ROW_NONE;
	row = self->frames.data[frame];
	if (row.symbol == 0 || line.len == 0)
		return frame;
	row.flags |= FRAME_AT_LINE;
	row.address = builder_add_string(self, line);
	return builder_add_frame(self, row);
}

uint32_t store_builder_inlined(StoreBuilder *self, uint32_t inlined, uint32_t host)
{
	FrameRow row;

	if (inlined == ROW_NONE || host == ROW_NONE)
		return ROW_NONE;
	row = self->frames.data[inlined];
	row.flags |= FRAME_INLINED;
	row.dso = self->frames.data[host].dso;
	return builder_add_frame(self, row);
}

static bool stack_equals(const void *table, uint32_t id, const void *key)
{
	const StackRow *a = &((const StoreBuilder *)table)->stacks.data[id];
	const StackRow *b = key;

	return a->parent == b->parent && a->frame == b->frame;
}

static uint32_t find_stack(StoreBuilder *self, StackRow row)
{
	uint64_t hash = hash_pair(self->seed, row.parent, row.frame);
	IdSlot *slot;

	if (self->failure != NULL || !id_index_reserve(&self->stack_index))
		return builder_fail(self, OUT_OF_MEMORY);
	slot = id_index_slot(&self->stack_index, hash, stack_equals, self, &row);
	if (slot->id != ROW_NONE)
		return slot->id;
	if (!array_push(&self->stacks, row) || !array_push(&self->latest, 0))
		return builder_fail(self, OUT_OF_MEMORY);
	return row_added(self, &self->stack_index, slot, hash, self->stacks.n - 1);
}

uint32_t store_builder_stack(StoreBuilder *self, uint32_t parent, uint32_t frame)
{
	uint32_t id = parent < self->latest.n ? self->latest.data[parent] : 0;

	if (id != 0 && self->stacks.data[id].frame == frame)
		return id;
	id = find_stack(self, (StackRow){ parent, frame });
	if (id != ROW_NONE && parent < self->latest.n)
		self->latest.data[parent] = id;
	return id;
}

uint32_t store_builder_truncated(StoreBuilder *self)
{
	static const StoreFrame frame = { { "[truncated]", 11 }, { "", 0 }, 0, 0, { "", 0 } };

	return store_builder_stack(self, 0, store_builder_frame(self, &frame));
}

static bool thread_equals(const void *table, uint32_t id, const void *key)
{
	const ThreadRow *a = &((const StoreBuilder *)table)->threads.data[id];
	const ThreadRow *b = key;

	return a->comm == b->comm && a->pid == b->pid && a->tid == b->tid;
}

uint32_t builder_add_thread(StoreBuilder *self, ThreadRow row)
{
	uint64_t hash = hash_pair(self->seed + row.comm, (uint32_t)row.pid, (uint32_t)row.tid);
	IdSlot *slot;

	if (self->failure != NULL || !id_index_reserve(&self->thread_index))
		return builder_fail(self, OUT_OF_MEMORY);
	slot = id_index_slot(&self->thread_index, hash, thread_equals, self, &row);
	if (slot->id != ROW_NONE)
		return slot->id;
	if (!array_push(&self->threads, row))
		return builder_fail(self, OUT_OF_MEMORY);
	return row_added(self, &self->thread_index, slot, hash, self->threads.n - 1);
}

uint32_t store_builder_thread(StoreBuilder *self, const StoreThread *thread)
{
	return builder_add_thread(self, (ThreadRow){ builder_add_string(self, thread->comm),
						     thread->pid, thread->tid });
}

uint32_t builder_add_event(StoreBuilder *self, uint32_t name)
{
	for (size_t i = 0; i < self->events.n; i++) {
		/* Mostly it is the one of the sample before. */
		size_t k = (self->last_event + i) % self->events.n;

		if (self->events.data[k] == name)
			return self->last_event = (uint32_t)k;
	}
	if (self->events.n >= MAX_EVENTS)
		return builder_fail(self, "more than 4,096 events");
	if (self->failure != NULL || !array_push(&self->events, name))
		return builder_fail(self, OUT_OF_MEMORY);
	return (uint32_t)(self->events.n - 1);
}

uint32_t store_builder_event(StoreBuilder *self, Text name)
{
	return builder_add_event(self, builder_add_string(self, name));
}

/* Keeps count of samples that are older than the one before. */
static void follow_time(StoreBuilder *self, int64_t time_ns)
{
	if (time_ns == TIME_NONE)
		return;
	if (time_ns < self->last_time_ns) {
		self->is_sorted = false;
		self->n_reversals += !self->is_appending;
	}
	if (time_ns < self->last_time_ns && !self->is_appending) {
		self->max_reversal_ns =
			MAX(self->max_reversal_ns, (uint64_t)(self->last_time_ns - time_ns));
	}
	if (self->time_ns.n > 0 && self->time_ns.data[self->time_ns.n - 1] == TIME_NONE)
		self->is_sorted = false;
	self->last_time_ns = time_ns;
}

/* The period column comes into being with the second distinct value. */
static bool add_period(StoreBuilder *self, uint64_t period, size_t n_before)
{
	if (n_before == 0)
		self->first_period = period;
	if (self->period.data == NULL && period == self->first_period)
		return true;
	if (self->period.data == NULL) {
		if (!array_reserve(&self->period, n_before + 1))
			return false;
		for (size_t i = 0; i < n_before; i++)
			self->period.data[i] = self->first_period;
		self->period.n = n_before;
	}
	return array_push(&self->period, period);
}

/* The cgroup column comes into being with the first one. */
static bool add_cgroup(StoreBuilder *self, uint32_t cgroup, size_t n_before)
{
	if (cgroup == 0 && self->cgroup.data == NULL)
		return true;
	if (!array_reserve(&self->cgroup, n_before + 1 - self->cgroup.n))
		return false;
	while (self->cgroup.n < n_before)
		self->cgroup.data[self->cgroup.n++] = 0;
	return array_push(&self->cgroup, cgroup);
}

/* So does the column of events with the second one. */
static bool add_event(StoreBuilder *self, uint16_t event, size_t n_before)
{
	if (event == 0 && self->event.data == NULL)
		return true;
	if (!array_reserve(&self->event, n_before + 1 - self->event.n))
		return false;
	while (self->event.n < n_before)
		self->event.data[self->event.n++] = 0;
	return array_push(&self->event, event);
}

bool builder_add_sample(StoreBuilder *self, const SampleRow *row)
{
	size_t n = self->time_ns.n;

	if (self->failure != NULL)
		return false;
	if (n >= MAX_SAMPLES) {
		builder_fail(self, "more than 4,294,967,280 samples");
		return false;
	}
	follow_time(self, row->time_ns);
	if (array_push(&self->time_ns, row->time_ns) && array_push(&self->stack, row->stack) &&
	    array_push(&self->thread, row->thread) && array_push(&self->cpu, row->cpu) &&
	    add_event(self, (uint16_t)row->event, n) && add_period(self, row->period, n) &&
	    add_cgroup(self, row->cgroup, n)) {
		__atomic_store_n(&self->n_samples, n + 1, __ATOMIC_RELAXED);
		return true;
	}
	builder_fail(self, OUT_OF_MEMORY);
	return false;
}

bool store_builder_add(StoreBuilder *self, const Sample *sample)
{
	bool is_timed = sample->time_ns <= MAX_TIME_NS && sample->time_ns >= MIN_TIME_NS;
	SampleRow row = {
		.time_ns = is_timed ? sample->time_ns : TIME_NONE,
		/* One less than the largest period still has room for the "+ 1". */
		.period = sample->has_period ? MIN(sample->period, UINT64_MAX - 1) + 1 : 0,
		.stack = sample->stack,
		.thread = sample->thread,
		.event = sample->event,
		.cpu = sample->cpu < 0 ? 0 : (uint32_t)sample->cpu + 1,
		.cgroup = sample->cgroup.len > 0 ? builder_add_string(self, sample->cgroup) : 0,
	};

	return builder_add_sample(self, &row);
}

void builder_drop_samples(StoreBuilder *self)
{
	self->time_ns.n = self->stack.n = self->thread.n = self->cpu.n = 0;
	array_clear(&self->event);
	array_clear(&self->period);
	array_clear(&self->cgroup);
	self->is_sorted = true;
	self->last_time_ns = INT64_MIN;
	self->n_samples = 0;
}

void store_builder_add_part(StoreBuilder *self, TimeRange covered)
{
	g_array_append_val(self->parts, covered);
}

void store_builder_set_fact(StoreBuilder *self, const char *key, Text value)
{
	g_hash_table_replace(self->facts, g_strdup(key), g_bytes_new(value.data, value.len));
}

void store_builder_set_count(StoreBuilder *self, const char *key, uint64_t value)
{
	g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, value);

	store_builder_set_fact(self, key, text_from(text));
}

static uint64_t count_of(const StoreBuilder *self, const char *key)
{
	GBytes *bytes = g_hash_table_lookup(self->facts, key);
	gsize len = 0;
	const char *text = bytes != NULL ? g_bytes_get_data(bytes, &len) : NULL;
	g_autofree char *copy = g_strndup(text, len);

	return copy != NULL ? g_ascii_strtoull(copy, NULL, 10) : 0;
}

void store_builder_add_count(StoreBuilder *self, const char *key, uint64_t value)
{
	store_builder_set_count(self, key, weight_add(count_of(self, key), value));
}

void store_builder_raise_count(StoreBuilder *self, const char *key, uint64_t value)
{
	store_builder_set_count(self, key, MAX(count_of(self, key), value));
}

uint64_t store_builder_n_samples(const StoreBuilder *self)
{
	return __atomic_load_n(&self->n_samples, __ATOMIC_RELAXED);
}

bool store_builder_has_failed(const StoreBuilder *self)
{
	return self->failure != NULL;
}

bool store_builder_has_fact(const StoreBuilder *self, const char *key)
{
	return g_hash_table_contains(self->facts, key);
}

bool store_builder_offer_fact(StoreBuilder *self, const char *key, Text value)
{
	if (store_builder_has_fact(self, key))
		return false;
	store_builder_set_fact(self, key, value);
	return true;
}

void store_builder_drop_fact(StoreBuilder *self, const char *key)
{
	g_hash_table_remove(self->facts, key);
}
