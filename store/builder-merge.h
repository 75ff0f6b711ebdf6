/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/array.h"
#include "store/builder.h"

/*
 * Samples that were taken in elsewhere (by another thread) in parts, put together in the order of
 * the parts. A builder that takes in several parts one after the other keeps its tables from one
 * to the next, so that what it has in common with them is translated once.
 */

/* What the rows of one builder's tables are in another's. */
typedef struct {
	ARRAY_OF(uint32_t) strings, frames, stacks, threads, events;
} BuilderMap;

void builder_map_clear(BuilderMap *self);

/*
 * Adds the samples of `part`, which are taken from it, to `self`: as if they had been added there
 * one by one. `map` goes with the pair and is empty at first. Facts are left alone. False where
 * one of the builders has failed; `self` then has.
 */
bool store_builder_take(StoreBuilder *self, StoreBuilder *part, BuilderMap *map);
