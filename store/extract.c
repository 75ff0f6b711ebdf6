/* SPDX-License-Identifier: MIT */
/* Names and stacks are taken over when a sample needs them. */

#include "store/extract.h"

#include "store/builder-private.h"
#include "store/summary.h"

typedef struct {
	const Store *store;
	StoreBuilder *builder;
	/* Ids of the store -> ids of the builder; ROW_NONE: not taken over. */
	uint32_t *stacks, *threads, *events;
	GArray *path; /* scratch */
	uint32_t *depths;
	uint64_t n_frames;
} Extract;

static uint32_t *new_map(uint32_t n)
{
	uint32_t *map = g_new(uint32_t, (gsize)n + 1);

	memset(map, 0xff, ((gsize)n + 1) * sizeof(*map));
	return map;
}

static uint32_t *find_depths(const Store *store)
{
	uint32_t *depths = g_new0(uint32_t, store_n_stacks(store));

	for (uint32_t i = 1; i < store_n_stacks(store); i++)
		depths[i] = depths[store_stack_parent(store, i)] + 1;
	return depths;
}

/* Up to the nearest stack that is there, and down again. */
static uint32_t take_stack(Extract *self, uint32_t stack)
{
	uint32_t id;

	g_array_set_size(self->path, 0);
	for (; self->stacks[stack] == ROW_NONE; stack = store_stack_parent(self->store, stack))
		g_array_append_val(self->path, stack);
	id = self->stacks[stack];
	for (guint i = self->path->len; i-- > 0 && id != ROW_NONE;) {
		uint32_t child = g_array_index(self->path, uint32_t, i);
		StoreFrame frame = store_frame(self->store, store_stack_frame(self->store, child));

		id = store_builder_stack(self->builder, id,
					 store_builder_frame(self->builder, &frame));
		self->stacks[child] = id;
	}
	return id;
}

static uint32_t take_thread(Extract *self, uint32_t id)
{
	StoreThread thread = store_thread(self->store, id);

	if (self->threads[id] == ROW_NONE)
		self->threads[id] = store_builder_thread(self->builder, &thread);
	return self->threads[id];
}

static uint32_t take_event(Extract *self, uint64_t i)
{
	uint32_t id = (uint32_t)column_get(&self->store->columns[SECTION_EVENT], i);

	if (self->events[id] == ROW_NONE)
		self->events[id] =
			store_builder_event(self->builder, store_event_name(self->store, id));
	return self->events[id];
}

static bool take_block(Extract *self, const SampleBlock *block)
{
	for (size_t k = 0; k < block->n; k++) {
		uint64_t period =
			column_get(&self->store->columns[SECTION_PERIOD], block->index[k]);
		Sample sample = { .time_ns = block->time_ns[k],
				  .period = period > 0 ? period - 1 : 0,
				  .has_period = period > 0,
				  .stack = take_stack(self, block->stack[k]),
				  .thread = take_thread(self, block->thread[k]),
				  .event = take_event(self, block->index[k]),
				  .cpu = block->cpu[k],
				  .cgroup = store_string(self->store, block->cgroup[k]) };

		if (sample.stack == ROW_NONE || sample.thread == ROW_NONE ||
		    sample.event == ROW_NONE || !store_builder_add(self->builder, &sample))
			return false; /* said by store_builder_finish */
		self->n_frames += self->depths[block->stack[k]];
	}
	return true;
}

static bool take_samples(Extract *self, Selection *selection, GError **error)
{
	g_autofree SampleBlock *block = g_new(SampleBlock, 1);

	/* They come in order: reversals were counted when they were read. */
	self->builder->is_appending = true;
	selection_rewind(selection);
	do {
		if (!selection_next(selection, block, error))
			return false;
	} while (take_block(self, block) && block->n > 0);
	self->builder->is_appending = false;
	return true;
}

static void take_facts(Extract *self)
{
	for (uint32_t i = 0; i < store_n_facts(self->store); i++) {
		Text key = store_fact_key(self->store, i);
		g_autofree char *name = g_strndup(key.data, key.len);

		/* Of the samples: they are found anew. */
		if (!text_starts(key, FACT_SUMMARY) && !text_starts(key, FACT_EVENT))
			store_builder_set_fact(self->builder, name,
					       store_fact_value(self->store, i));
	}
	store_builder_set_count(self->builder, FACT_FRAMES, self->n_frames);
}

Store *selection_extract(const Store *store, Selection *selection, GError **error)
{
	g_autoptr(StoreBuilder) builder = store_builder_new();
	Extract self = { .store = store,
			 .builder = builder,
			 .stacks = new_map(store_n_stacks(store)),
			 .threads = new_map(store_n_threads(store)),
			 .events = new_map(store_n_events(store)),
			 .path = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
			 .depths = find_depths(store) };
	bool ok;

	self.stacks[0] = 0;
	ok = take_samples(&self, selection, error);
	take_facts(&self);
	g_free(self.stacks);
	g_free(self.threads);
	g_free(self.events);
	g_array_unref(self.path);
	g_free(self.depths);
	return ok ? store_builder_finish(builder, error) : NULL;
}
