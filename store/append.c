/* SPDX-License-Identifier: MIT */
/* Ids of one store become ids of another through a map for each table; samples are then copied. */

#include "store/append.h"

#include "store/builder-private.h"
#include "store/time-set.h"
#include "store/summary.h"

typedef struct {
	uint32_t *frames, *stacks, *threads, *events;
} Maps;

static void map_frames(StoreBuilder *builder, const Store *store, Maps *maps)
{
	maps->frames = g_new(uint32_t, (gsize)store_n_frames(store) + 1);
	for (uint32_t i = 0; i < store_n_frames(store); i++) {
		StoreFrame frame = store_frame(store, i);
		maps->frames[i] = store_builder_frame(builder, &frame);
	}
	maps->stacks = g_new(uint32_t, store_n_stacks(store));
	maps->stacks[0] = 0;
	for (uint32_t i = 1; i < store_n_stacks(store); i++)
		maps->stacks[i] =
			store_builder_stack(builder, maps->stacks[store_stack_parent(store, i)],
					    maps->frames[store_stack_frame(store, i)]);
}

static void map_threads(StoreBuilder *builder, const Store *store, Maps *maps)
{
	maps->threads = g_new(uint32_t, (gsize)store_n_threads(store) + 1);
	for (uint32_t i = 0; i < store_n_threads(store); i++) {
		StoreThread thread = store_thread(store, i);
		maps->threads[i] = store_builder_thread(builder, &thread);
	}
	maps->events = g_new(uint32_t, (gsize)store_n_events(store) + 1);
	for (uint32_t i = 0; i < store_n_events(store); i++)
		maps->events[i] = store_builder_event(builder, store_event_name(store, i));
}

static void maps_clear(Maps *maps)
{
	g_free(maps->frames);
	g_free(maps->stacks);
	g_free(maps->threads);
	g_free(maps->events);
}

/* --- facts ------------------------------------------------------------------------------- */

static bool is_sum(const char *key)
{
	static const char *const sums[] = { FACT_FRAMES,     FACT_LINES,     FACT_BYTES,
					    FACT_LOST,	     FACT_TRUNCATED, FACT_SIDE_RECORDS,
					    FACT_SUSPICIOUS, FACT_REVERSALS, FACT_THROTTLED };

	for (size_t i = 0; i < G_N_ELEMENTS(sums); i++)
		if (g_str_equal(key, sums[i]))
			return true;
	return g_str_has_prefix(key, FACT_SKIPPED);
}

/* Examples of skipped lines are numbered: those of later inputs follow. */
static void append_example(StoreBuilder *builder, Text value)
{
	for (int i = 0; i < 5; i++) {
		g_autofree char *key = g_strdup_printf(FACT_SKIPPED_LINE "%d", i);

		if (store_builder_offer_fact(builder, key, value))
			return;
	}
}

static void append_facts(StoreBuilder *builder, const Store *store)
{
	for (uint32_t i = 0; i < store_n_facts(store); i++) {
		Text key = store_fact_key(store, i), value = store_fact_value(store, i);
		g_autofree char *name = g_strndup(key.data, key.len);
		g_autofree char *number = g_strndup(value.data, value.len);

		if (g_str_has_prefix(name, FACT_SKIPPED_LINE))
			append_example(builder, value);
		else if (g_str_equal(name, FACT_MAX_REVERSAL))
			store_builder_raise_count(builder, name,
						  g_ascii_strtoull(number, NULL, 10));
		else if (is_sum(name))
			store_builder_add_count(builder, name, g_ascii_strtoull(number, NULL, 10));
		else if (!g_str_has_prefix(name, FACT_SUMMARY)) /* made anew */
			store_builder_offer_fact(builder, name, value);
	}
}

/* --- samples ----------------------------------------------------------------------------- */

static Sample sample_at(const Store *store, const Maps *maps, uint64_t i, uint64_t bucket)
{
	const Column *columns = store->columns;
	uint64_t period = column_get(&columns[SECTION_PERIOD], i);

	return (Sample){
		.time_ns = i < store->n_timed ? store_time_ns(store, i, bucket) : TIME_NONE,
		.period = period > 0 ? period - 1 : 0,
		.has_period = period > 0,
		.stack = maps->stacks[column_get(&columns[SECTION_STACK], i)],
		.thread = maps->threads[column_get(&columns[SECTION_THREAD], i)],
		.event = maps->events[column_get(&columns[SECTION_EVENT], i)],
		.cpu = (int32_t)((uint32_t)column_get(&columns[SECTION_CPU], i) - 1u),
		.cgroup = store_string(store, (uint32_t)column_get(&columns[SECTION_CGROUP], i)),
	};
}

static bool append_samples(StoreBuilder *builder, const Store *store, const Maps *maps,
			   int64_t shift_ns, GError **error)
{
	const Column *columns = store->columns;

	for (uint64_t i = 0, bucket = 0; i < store->n_samples; i++) {
		Sample sample;

		if (!store_has_rows(store, column_get(&columns[SECTION_STACK], i),
				    column_get(&columns[SECTION_THREAD], i),
				    column_get(&columns[SECTION_EVENT], i),
				    column_get(&columns[SECTION_CGROUP], i)))
			return store_fail_sample(i, error);
		while (i < store->n_timed && bucket + 1 < store->n_buckets &&
		       store->buckets[bucket + 1].first <= i)
			bucket++;
		sample = sample_at(store, maps, i, bucket);
		if (sample.time_ns != TIME_NONE &&
		    __builtin_add_overflow(sample.time_ns, shift_ns, &sample.time_ns))
			sample.time_ns = TIME_NONE;
		if (!store_builder_add(builder, &sample))
			return true; /* said by store_builder_finish */
	}
	return true;
}

/* What the store covers, from hole to hole. */
static void append_parts(StoreBuilder *builder, const Store *store, int64_t shift_ns)
{
	g_autoptr(GArray) holes = time_set_parse(store_fact(store, FACT_HOLES));
	TimeRange part = { time_add(store->start_ns, shift_ns), 0 };

	if (store->n_timed == 0)
		return;
	for (guint i = 0; i < holes->len; i++) {
		const TimeRange *hole = &g_array_index(holes, TimeRange, i);

		part.end_ns = time_add(time_add(hole->begin_ns, shift_ns), 1);
		store_builder_add_part(builder, part);
		part.begin_ns = time_add(hole->end_ns, shift_ns);
	}
	part.end_ns = time_add(time_add(store->last_ns, shift_ns), 1);
	store_builder_add_part(builder, part);
}

bool store_append(StoreBuilder *builder, const Store *store, int64_t shift_ns, GError **error)
{
	Maps maps = { 0 };
	bool ok;

	for (int section = SECTION_TIME; section <= SECTION_CGROUP; section++)
		if (!store_touch(store, (StoreSection)section, 0, store->columns[section].n, error))
			return false;
	map_frames(builder, store, &maps);
	map_threads(builder, store, &maps);
	builder->is_appending = true;
	ok = append_samples(builder, store, &maps, shift_ns, error);
	builder->is_appending = false;
	maps_clear(&maps);
	append_facts(builder, store);
	append_parts(builder, store, shift_ns);
	return ok;
}
