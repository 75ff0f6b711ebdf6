/* SPDX-License-Identifier: MIT */
/*
 * Making the store: threads and events are renumbered by their earliest sample (so that ids, and
 * what is chosen by them, do not depend on the order of records in the input), samples are put in
 * order of time, and each column is narrowed to as few bytes as its values need.
 */

#include "store/builder-private.h"
#include "store/error.h"
#include "store/limits.h"
#include "store/sort.h"
#include "store/survey.h"

/* One read of a bucket should be worth its entry in the index, and an offset in µs should fit
 * 19 bits. */
#define BUCKET_NS (NS_PER_SECOND / 2)

/* Two strings. */
typedef struct {
	uint32_t key, value;
} FactRow;

/* The work in progress: what the samples' own ids become. */
typedef struct {
	StoreBuilder *builder;
	Store *store;
	uint32_t *order;      /* NULL: the samples are in order already */
	uint32_t *thread_map; /* old id -> new id */
	uint32_t *event_map;
	FactRow *facts;
} Finish;

/* Old index of the k-th sample. */
static inline size_t at(const Finish *self, uint64_t k)
{
	return self->order != NULL ? self->order[k] : k;
}

/* --- narrowing --------------------------------------------------------------------------- */

typedef uint64_t (*ValueFunc)(const Finish *self, uint64_t i);

static uint8_t width_of(uint64_t range)
{
	uint8_t width = 0;

	while (width < 64 && range >> width > 0)
		width++;
	return width <= COLUMN_MAX_PACKED ? width : 64;
}

/* Adds to bits that are 0. */
static inline void put_value(uint8_t *data, uint64_t bit, uint64_t value)
{
	uint64_t raw;

	memcpy(&raw, data + bit / 8, sizeof(raw));
	raw |= htole64(value << bit % 8);
	memcpy(data + bit / 8, &raw, sizeof(raw));
}

static bool column_fill(Finish *self, StoreSection section, uint64_t n, ValueFunc value)
{
	Column *column = &self->store->columns[section];
	uint64_t min = n > 0 ? UINT64_MAX : 0, max = 0;
	uint8_t *data;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t v = value(self, i);
		min = MIN(min, v);
		max = MAX(max, v);
	}
	*column = (Column){ .n = n, .base = min, .width = width_of(max - min) };
	data = g_try_malloc0(column_bytes(n, column->width) + COLUMN_PADDING);
	column->data = data;
	for (uint64_t i = 0; data != NULL && i < n && column->width > 0; i++)
		put_value(data, i * column->width, value(self, i) - min);
	return data != NULL;
}

static uint64_t value_time(const Finish *self, uint64_t i)
{
	int64_t offset = self->builder->time_ns.data[at(self, i)] % BUCKET_NS;

	return (uint64_t)((offset < 0 ? offset + BUCKET_NS : offset) / self->store->tick_ns);
}

static uint64_t value_stack(const Finish *self, uint64_t i)
{
	return self->builder->stack.data[at(self, i)];
}

static uint64_t value_thread(const Finish *self, uint64_t i)
{
	return self->thread_map[self->builder->thread.data[at(self, i)]];
}

static uint64_t value_cpu(const Finish *self, uint64_t i)
{
	return self->builder->cpu.data[at(self, i)];
}

static inline uint16_t event_of(const StoreBuilder *b, size_t i)
{
	return b->event.data != NULL ? b->event.data[i] : 0;
}

static uint64_t value_event(const Finish *self, uint64_t i)
{
	return self->event_map[event_of(self->builder, at(self, i))];
}

static uint64_t value_period(const Finish *self, uint64_t i)
{
	const StoreBuilder *b = self->builder;

	return b->period.data != NULL ? b->period.data[at(self, i)] : b->first_period;
}

static uint64_t value_cgroup(const Finish *self, uint64_t i)
{
	const StoreBuilder *b = self->builder;

	return b->cgroup.data != NULL ? b->cgroup.data[at(self, i)] : 0;
}

static uint64_t value_string_offset(const Finish *self, uint64_t i)
{
	return i > 0 ? self->builder->strings.ends.data[i - 1] : 0;
}

static uint64_t value_string_byte(const Finish *self, uint64_t i)
{
	return (uint8_t)self->builder->strings.bytes.data[i];
}

static uint64_t value_frame_symbol(const Finish *self, uint64_t i)
{
	return self->builder->frames.data[i].symbol;
}

static uint64_t value_frame_dso(const Finish *self, uint64_t i)
{
	return self->builder->frames.data[i].dso;
}

static uint64_t value_frame_address(const Finish *self, uint64_t i)
{
	return self->builder->frames.data[i].address;
}

static uint64_t value_frame_flags(const Finish *self, uint64_t i)
{
	return self->builder->frames.data[i].flags;
}

static uint64_t value_stack_parent(const Finish *self, uint64_t i)
{
	return self->builder->stacks.data[i].parent;
}

static uint64_t value_stack_frame(const Finish *self, uint64_t i)
{
	return self->builder->stacks.data[i].frame;
}

/* Threads and events were permuted in place by renumber(). */
static uint64_t value_thread_comm(const Finish *self, uint64_t i)
{
	return self->builder->threads.data[i].comm;
}

static uint64_t value_thread_pid(const Finish *self, uint64_t i)
{
	return (uint32_t)self->builder->threads.data[i].pid;
}

static uint64_t value_thread_tid(const Finish *self, uint64_t i)
{
	return (uint32_t)self->builder->threads.data[i].tid;
}

static uint64_t value_event_name(const Finish *self, uint64_t i)
{
	return self->builder->events.data[i];
}

/* --- renumbering ------------------------------------------------------------------------- */

typedef struct {
	uint32_t old_id;
	int64_t first_ns; /* of its earliest sample; INT64_MAX: none timed */
	const StoreBuilder *builder;
} Ranked;

static int compare_text(const StoreBuilder *b, uint32_t left, uint32_t right)
{
	return text_compare(string_table_get(&b->strings, left),
			    string_table_get(&b->strings, right));
}

static int compare_threads(const void *left, const void *right)
{
	const Ranked *a = left, *b = right;
	const ThreadRow *x = &a->builder->threads.data[a->old_id];
	const ThreadRow *y = &a->builder->threads.data[b->old_id];
	int order = (a->first_ns > b->first_ns) - (a->first_ns < b->first_ns);

	if (order == 0)
		order = compare_text(a->builder, x->comm, y->comm);
	if (order == 0)
		order = (x->pid > y->pid) - (x->pid < y->pid);
	return order != 0 ? order : (x->tid > y->tid) - (x->tid < y->tid);
}

static int compare_events(const void *left, const void *right)
{
	const Ranked *a = left, *b = right;
	int order = (a->first_ns > b->first_ns) - (a->first_ns < b->first_ns);

	return order != 0 ? order
			  : compare_text(a->builder, a->builder->events.data[a->old_id],
					 a->builder->events.data[b->old_id]);
}

static Ranked *rank_new(const StoreBuilder *builder, size_t n)
{
	Ranked *ranks = g_try_new(Ranked, n + 1);

	for (size_t i = 0; ranks != NULL && i < n; i++)
		ranks[i] = (Ranked){ (uint32_t)i, INT64_MAX, builder };
	return ranks;
}

static void first_seen(Ranked *rank, int64_t time_ns)
{
	if (time_ns != TIME_NONE)
		rank->first_ns = MIN(rank->first_ns, time_ns);
}

static bool renumber_threads(Finish *self)
{
	StoreBuilder *b = self->builder;
	g_autofree Ranked *ranks = rank_new(b, b->threads.n);
	g_autofree ThreadRow *rows = g_try_new(ThreadRow, b->threads.n + 1);

	self->thread_map = g_try_new(uint32_t, b->threads.n + 1);
	if (ranks == NULL || rows == NULL || self->thread_map == NULL)
		return false;
	for (size_t i = 0; i < b->time_ns.n; i++)
		first_seen(&ranks[b->thread.data[i]], b->time_ns.data[i]);
	qsort(ranks, b->threads.n, sizeof(*ranks), compare_threads);
	for (size_t i = 0; i < b->threads.n; i++) {
		self->thread_map[ranks[i].old_id] = (uint32_t)i;
		rows[i] = b->threads.data[ranks[i].old_id];
	}
	if (b->threads.n > 0)
		memcpy(b->threads.data, rows, b->threads.n * sizeof(*rows));
	return true;
}

static bool renumber_events(Finish *self)
{
	StoreBuilder *b = self->builder;
	g_autofree Ranked *ranks = rank_new(b, b->events.n);
	g_autofree uint32_t *rows = g_try_new(uint32_t, b->events.n + 1);

	self->event_map = g_try_new(uint32_t, b->events.n + 1);
	if (ranks == NULL || rows == NULL || self->event_map == NULL)
		return false;
	for (size_t i = 0; i < b->time_ns.n; i++)
		first_seen(&ranks[event_of(b, i)], b->time_ns.data[i]);
	qsort(ranks, b->events.n, sizeof(*ranks), compare_events);
	for (size_t i = 0; i < b->events.n; i++) {
		self->event_map[ranks[i].old_id] = (uint32_t)i;
		rows[i] = b->events.data[ranks[i].old_id];
	}
	if (b->events.n > 0)
		memcpy(b->events.data, rows, b->events.n * sizeof(*rows));
	return true;
}

/* --- buckets ----------------------------------------------------------------------------- */

static bool make_buckets(Finish *self)
{
	ARRAY_OF(StoreBucket) buckets = { 0 };

	for (uint64_t i = 0; i < self->store->n_timed; i++) {
		int64_t time_ns = self->builder->time_ns.data[at(self, i)];
		int64_t number = time_ns / BUCKET_NS - (time_ns % BUCKET_NS < 0);

		if (buckets.n > 0 && buckets.data[buckets.n - 1].number == number)
			continue;
		if (!array_push(&buckets, ((StoreBucket){ number, i }))) {
			array_clear(&buckets);
			return false;
		}
	}
	self->store->buckets = buckets.data;
	self->store->n_buckets = buckets.n;
	return true;
}

static void survey_times(Finish *self)
{
	const StoreBuilder *b = self->builder;
	Store *store = self->store;
	uint64_t n = b->time_ns.n;

	store->n_samples = n;
	store->bucket_ns = BUCKET_NS;
	store->tick_ns = 1000;
	for (uint64_t i = 0; i < n; i++) {
		int64_t time_ns = b->time_ns.data[i];

		store->n_timed += time_ns != TIME_NONE;
		if (time_ns != TIME_NONE && time_ns % 1000 != 0)
			store->tick_ns = 1;
	}
}

static bool put_in_order(Finish *self)
{
	StoreBuilder *b = self->builder;
	Store *store = self->store;

	survey_times(self);
	if (!b->is_sorted)
		self->order = sort_times(b->time_ns.data, b->time_ns.n);
	if (!b->is_sorted && self->order == NULL)
		return false;
	if (store->n_timed > 0) {
		store->start_ns = b->time_ns.data[at(self, 0)];
		store->last_ns = b->time_ns.data[at(self, store->n_timed - 1)];
	}
	return make_buckets(self);
}

/* --- the whole --------------------------------------------------------------------------- */

/* What was narrowed is given back at once: the two together would be the most memory of all. */
static bool fill_samples(Finish *self)
{
	StoreBuilder *b = self->builder;
	uint64_t n = self->store->n_samples;
	bool ok = column_fill(self, SECTION_TIME, self->store->n_timed, value_time);

	array_clear(&b->time_ns);
	ok = ok && column_fill(self, SECTION_STACK, n, value_stack);
	array_clear(&b->stack);
	ok = ok && column_fill(self, SECTION_THREAD, n, value_thread);
	array_clear(&b->thread);
	ok = ok && column_fill(self, SECTION_CPU, n, value_cpu);
	array_clear(&b->cpu);
	ok = ok && column_fill(self, SECTION_EVENT, n, value_event);
	array_clear(&b->event);
	ok = ok && column_fill(self, SECTION_PERIOD, n, value_period);
	array_clear(&b->period);
	ok = ok && column_fill(self, SECTION_CGROUP, n, value_cgroup);
	array_clear(&b->cgroup);
	return ok;
}

static bool fill_tables(Finish *self)
{
	const StoreBuilder *b = self->builder;

	return column_fill(self, SECTION_FRAME_SYMBOL, b->frames.n, value_frame_symbol) &&
	       column_fill(self, SECTION_FRAME_DSO, b->frames.n, value_frame_dso) &&
	       column_fill(self, SECTION_FRAME_ADDRESS, b->frames.n, value_frame_address) &&
	       column_fill(self, SECTION_FRAME_FLAGS, b->frames.n, value_frame_flags) &&
	       column_fill(self, SECTION_STACK_PARENT, b->stacks.n, value_stack_parent) &&
	       column_fill(self, SECTION_STACK_FRAME, b->stacks.n, value_stack_frame) &&
	       column_fill(self, SECTION_THREAD_COMM, b->threads.n, value_thread_comm) &&
	       column_fill(self, SECTION_THREAD_PID, b->threads.n, value_thread_pid) &&
	       column_fill(self, SECTION_THREAD_TID, b->threads.n, value_thread_tid) &&
	       column_fill(self, SECTION_EVENT_NAME, b->events.n, value_event_name);
}

/* String bytes keep 8 bits whatever their values: texts point into them. */
static bool fill_strings(Finish *self)
{
	const StringTable *strings = &self->builder->strings;
	Column *bytes = &self->store->columns[SECTION_STRING_BYTES];
	uint8_t *data = g_try_malloc0(strings->bytes.n + COLUMN_PADDING);

	if (data == NULL)
		return false;
	for (uint64_t i = 0; i < strings->bytes.n; i++)
		data[i] = (uint8_t)value_string_byte(self, i);
	*bytes = (Column){ .data = data, .n = strings->bytes.n, .width = 8 };
	return column_fill(self, SECTION_STRING_OFFSET, strings->ends.n + 1, value_string_offset);
}

/* --- facts ------------------------------------------------------------------------------- */

static uint64_t value_fact_key(const Finish *self, uint64_t i)
{
	return self->facts[i].key;
}

static uint64_t value_fact_value(const Finish *self, uint64_t i)
{
	return self->facts[i].value;
}

/* Facts sorted by key, so that the same recording gives the same bytes. */
static bool fill_facts(Finish *self)
{
	StoreBuilder *b = self->builder;
	g_autoptr(GList) keys =
		g_list_sort(g_hash_table_get_keys(b->facts), (GCompareFunc)g_strcmp0);
	guint n = g_list_length(keys);
	g_autofree FactRow *rows = g_new(FactRow, n + 1);
	guint i = 0;

	for (GList *key = keys; key != NULL; key = key->next, i++) {
		gsize len;
		const char *value =
			g_bytes_get_data(g_hash_table_lookup(b->facts, key->data), &len);

		rows[i].key = string_table_add(&b->strings, text_from(key->data));
		rows[i].value = string_table_add(&b->strings, (Text){ value, len });
		if (rows[i].key == ROW_NONE || rows[i].value == ROW_NONE)
			return false;
	}
	self->facts = rows;
	return column_fill(self, SECTION_FACT_KEY, n, value_fact_key) &&
	       column_fill(self, SECTION_FACT_VALUE, n, value_fact_value);
}

static void release_memory(Store *store)
{
	for (int i = 0; i < N_SECTIONS; i++)
		g_free((void *)store->columns[i].data);
	g_free((void *)store->buckets);
}

/* Strings are filled twice: the survey needs the names, and adds facts of its own. */
static bool survey(Finish *self)
{
	Column *columns = self->store->columns;

	if (!fill_strings(self) || !survey_store(self->store, self->builder))
		return false;
	g_free((void *)columns[SECTION_STRING_BYTES].data);
	g_free((void *)columns[SECTION_STRING_OFFSET].data);
	columns[SECTION_STRING_BYTES].data = NULL;
	columns[SECTION_STRING_OFFSET].data = NULL;
	return true;
}

Store *store_builder_finish(StoreBuilder *self, GError **error)
{
	g_autoptr(Store) store = g_new0(Store, 1);
	Finish finish = { .builder = self, .store = store };
	bool ok;

	store->release = release_memory;
	store_builder_add_count(self, FACT_REVERSALS, self->n_reversals);
	store_builder_raise_count(self, FACT_MAX_REVERSAL, self->max_reversal_ns);
	ok = self->failure == NULL && put_in_order(&finish) && renumber_threads(&finish) &&
	     renumber_events(&finish) && fill_samples(&finish) && fill_tables(&finish);
	ok = ok && survey(&finish) && fill_facts(&finish) && fill_strings(&finish);
	g_free(finish.order);
	g_free(finish.thread_map);
	g_free(finish.event_map);
	if (ok)
		return g_steal_pointer(&store);
	fail(error, FLAMEBEAT_ERROR_LIMIT, "%s",
	     self->failure != NULL ? self->failure : "out of memory");
	return NULL;
}
