/* SPDX-License-Identifier: MIT */
#pragma once

/* What builder.c (taking samples in) and builder-finish.c (making the store) share. */

#include "store/array.h"
#include "store/builder.h"
#include "store/string-table.h"

typedef struct {
	uint32_t symbol, dso, flags;
	uint64_t address; /* or, with FRAME_AT_LINE, a string */
} FrameRow;

typedef struct {
	uint32_t parent, frame;
} StackRow;

typedef struct {
	uint32_t comm;
	int32_t pid, tid;
} ThreadRow;

/* A sample by ids alone. */
typedef struct {
	int64_t time_ns;
	uint64_t period; /* + 1, 0 for none */
	uint32_t stack, thread, event;
	uint32_t cpu;	 /* + 1, 0 for unknown */
	uint32_t cgroup; /* string */
} SampleRow;

struct StoreBuilder {
	StringTable strings;
	ARRAY_OF(FrameRow) frames;
	IdIndex frame_index;
	ARRAY_OF(StackRow) stacks;
	ARRAY_OF(uint32_t) latest; /* the child of each stack that was asked for last; 0: none */
	IdIndex stack_index;
	ARRAY_OF(ThreadRow) threads;
	IdIndex thread_index;
	ARRAY_OF(uint32_t) events; /* names */
	uint32_t last_event;
	uint64_t seed;

	/* The samples, a column each; `period` (+ 1, 0 for none) exists from the second distinct
	 * value on, `first_period` is the first. */
	uint64_t n_samples; /* others may look at it (atomically) meanwhile */
	ARRAY_OF(int64_t) time_ns;
	ARRAY_OF(uint32_t) stack;
	ARRAY_OF(uint32_t) thread;
	ARRAY_OF(uint32_t) cpu;	  /* + 1, 0 for unknown */
	ARRAY_OF(uint16_t) event; /* exists once there is another than the first */
	ARRAY_OF(uint64_t) period;
	uint64_t first_period;
	ARRAY_OF(uint32_t) cgroup; /* string; exists once there is one */

	int64_t last_time_ns; /* of the latest addition that had a time */
	uint64_t n_reversals;
	uint64_t max_reversal_ns;
	bool is_appending; /* another store: what was out of order there is known */
	bool is_sorted;	   /* by time, untimed ones last */

	GArray *parts;	     /* of TimeRange, in any order */
	GHashTable *facts;   /* char * -> GBytes */
	const char *failure; /* what was exceeded, or NULL */
};

/* The rows of the tables by what they consist of; ROW_NONE where the builder has failed. */
uint32_t builder_add_string(StoreBuilder *self, Text text);
uint32_t builder_add_frame(StoreBuilder *self, FrameRow row);
uint32_t builder_add_thread(StoreBuilder *self, ThreadRow row);
uint32_t builder_add_event(StoreBuilder *self, uint32_t name);
bool builder_add_sample(StoreBuilder *self, const SampleRow *row);

/* Forgets the samples, not the tables. */
void builder_drop_samples(StoreBuilder *self);

/* Makes the builder fail; returns ROW_NONE. */
uint32_t builder_fail(StoreBuilder *self, const char *what);
