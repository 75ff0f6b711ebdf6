/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/store.h"

/*
 * Accepts samples in any order and becomes an immutable Store. Parsers hand over names once, get
 * ids, and give samples by id; texts are copied.
 *
 * Running out of memory or past a limit of limits.h makes the builder *fail*: it then returns
 * ROW_NONE or false until `store_builder_finish` reports the error.
 */
typedef struct StoreBuilder StoreBuilder;

StoreBuilder *store_builder_new(void);
void store_builder_free(StoreBuilder *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(StoreBuilder, store_builder_free)

/* Drops everything it was given: as new. */
void store_builder_reset(StoreBuilder *self);

uint32_t store_builder_frame(StoreBuilder *self, const StoreFrame *frame);

/* `frame`, which has a symbol, at a line of the source. */
uint32_t store_builder_at_line(StoreBuilder *self, uint32_t frame, Text line);

/* Frame `inlined` (of FRAME_INLINED, without DSO) with the DSO of the frame it was inlined into. */
uint32_t store_builder_inlined(StoreBuilder *self, uint32_t inlined, uint32_t host);

/* The stack `parent` (0: the empty stack) with one more frame towards the leaf. */
uint32_t store_builder_stack(StoreBuilder *self, uint32_t parent, uint32_t frame);

/* The root of a stack that was cut: one frame `[truncated]`. */
uint32_t store_builder_truncated(StoreBuilder *self);

uint32_t store_builder_thread(StoreBuilder *self, const StoreThread *thread);
uint32_t store_builder_event(StoreBuilder *self, Text name);

typedef struct {
	int64_t time_ns; /* TIME_NONE: not known */
	uint64_t period;
	bool has_period;
	uint32_t stack, thread, event;
	int32_t cpu; /* ID_NONE: not known */
	Text cgroup; /* path; empty: not known */
} Sample;

bool store_builder_add(StoreBuilder *self, const Sample *sample);

/* Where a recording is made of several: one of them covers this time, and what lies between them
 * is a hole. A recording without parts covers all from its first sample to its last. */
void store_builder_add_part(StoreBuilder *self, TimeRange covered);

/* Sets the fact `key` (store.h), replacing an earlier value. */
void store_builder_set_fact(StoreBuilder *self, const char *key, Text value);
void store_builder_set_count(StoreBuilder *self, const char *key, uint64_t value);
/* Adds to a count; makes it `value` if it is less. */
void store_builder_add_count(StoreBuilder *self, const char *key, uint64_t value);
void store_builder_raise_count(StoreBuilder *self, const char *key, uint64_t value);

bool store_builder_has_fact(const StoreBuilder *self, const char *key);
void store_builder_drop_fact(StoreBuilder *self, const char *key);

/* Samples added so far. */
uint64_t store_builder_n_samples(const StoreBuilder *self);

/* Whether it has failed: no use in going on. */
bool store_builder_has_failed(const StoreBuilder *self);

/* Sorts by time (stable), narrows the columns, surveys the whole (facts). The builder is empty
 * afterwards and can only be freed. NULL with `error` where it had failed. */
Store *store_builder_finish(StoreBuilder *self, GError **error);

/* Sets the fact unless it is there already; true if it was not. */
bool store_builder_offer_fact(StoreBuilder *self, const char *key, Text value);
