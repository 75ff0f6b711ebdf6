/* SPDX-License-Identifier: MIT */
/*
 * Rows that a part has met since the last time are translated in the order in which it met them.
 * As parts are taken in order, each table here grows in the order in which one builder alone
 * would have met its rows: the result does not depend on who took in what.
 */

#include "store/builder-merge.h"

#include "store/builder-private.h"

void builder_map_clear(BuilderMap *self)
{
	array_clear(&self->strings);
	array_clear(&self->frames);
	array_clear(&self->stacks);
	array_clear(&self->threads);
	array_clear(&self->events);
}

static bool map_names(StoreBuilder *self, const StoreBuilder *part, BuilderMap *map)
{
	for (size_t i = map->strings.n; i < part->strings.ends.n; i++) {
		Text text = string_table_get(&part->strings, (uint32_t)i);

		if (!array_push(&map->strings, builder_add_string(self, text)))
			return false;
	}
	for (size_t i = map->threads.n; i < part->threads.n; i++) {
		ThreadRow row = part->threads.data[i];

		row.comm = map->strings.data[row.comm];
		if (!array_push(&map->threads, builder_add_thread(self, row)))
			return false;
	}
	for (size_t i = map->events.n; i < part->events.n; i++) {
		uint32_t name = map->strings.data[part->events.data[i]];

		if (!array_push(&map->events, builder_add_event(self, name)))
			return false;
	}
	return true;
}

static bool map_stacks(StoreBuilder *self, const StoreBuilder *part, BuilderMap *map)
{
	for (size_t i = map->frames.n; i < part->frames.n; i++) {
		FrameRow row = part->frames.data[i];

		row.symbol = map->strings.data[row.symbol];
		row.dso = map->strings.data[row.dso];
		if (row.flags & FRAME_AT_LINE)
			row.address = map->strings.data[row.address];
		if (!array_push(&map->frames, builder_add_frame(self, row)))
			return false;
	}
	if (map->stacks.n == 0 && !array_push(&map->stacks, 0))
		return false;
	for (size_t i = map->stacks.n; i < part->stacks.n; i++) {
		StackRow row = part->stacks.data[i];
		uint32_t parent = map->stacks.data[row.parent];
		uint32_t frame = map->frames.data[row.frame];

		if (!array_push(&map->stacks, store_builder_stack(self, parent, frame)))
			return false;
	}
	return true;
}

static SampleRow sample_at(const StoreBuilder *part, const BuilderMap *map, size_t i)
{
	return (SampleRow){
		.time_ns = part->time_ns.data[i],
		.period = part->period.data != NULL ? part->period.data[i] : part->first_period,
		.stack = map->stacks.data[part->stack.data[i]],
		.thread = map->threads.data[part->thread.data[i]],
		.event = map->events.data[part->event.data != NULL ? part->event.data[i] : 0],
		.cpu = part->cpu.data[i],
		.cgroup = part->cgroup.data != NULL ? map->strings.data[part->cgroup.data[i]] : 0,
	};
}

static void take_samples(StoreBuilder *self, StoreBuilder *part, const BuilderMap *map)
{
	for (size_t i = 0; i < part->time_ns.n && self->failure == NULL; i++) {
		SampleRow row = sample_at(part, map, i);

		builder_add_sample(self, &row);
	}
	builder_drop_samples(part);
}

bool store_builder_take(StoreBuilder *self, StoreBuilder *part, BuilderMap *map)
{
	if (part->failure != NULL)
		builder_fail(self, part->failure);
	if (self->failure == NULL && (!map_names(self, part, map) || !map_stacks(self, part, map)))
		builder_fail(self, "out of memory");
	if (self->failure == NULL)
		take_samples(self, part, map);
	return self->failure == NULL;
}
