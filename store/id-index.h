/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "store/store.h"

/*
 * Open-addressing hash index from keys to the 32-bit ids of rows that live elsewhere: it holds a
 * tag of 32 hash bits and an id in each slot and asks the caller whether a candidate is the key.
 * Hashes should be seeded with id_index_seed(), since keys come from hostile input.
 */
typedef struct {
	uint32_t tag;
	uint32_t id; /* ROW_NONE: free */
} IdSlot;

typedef struct {
	IdSlot *slots;
	size_t n_slots; /* a power of two, or 0 */
	size_t n;
} IdIndex;

typedef bool (*IdEqual)(const void *table, uint32_t id, const void *key);

/* A seed for the hashes of one process; different in every run. */
uint64_t id_index_seed(void);

/* Doubles the slots where needed so that one more fits; false when out of memory. */
bool id_index_reserve(IdIndex *self);

static inline uint32_t id_index_tag(uint64_t hash)
{
	return (uint32_t)(hash >> 32);
}

/* Slot of the key, or the free slot where it belongs. The index must have a free slot. */
static inline IdSlot *id_index_slot(const IdIndex *self, uint64_t hash, IdEqual equal,
				    const void *table, const void *key)
{
	uint32_t tag = id_index_tag(hash);
	size_t i = tag & (self->n_slots - 1);

	while (self->slots[i].id != ROW_NONE) {
		if (self->slots[i].tag == tag && equal(table, self->slots[i].id, key))
			break;
		i = (i + 1) & (self->n_slots - 1);
	}
	return &self->slots[i];
}

static inline void id_index_put(IdIndex *self, IdSlot *slot, uint64_t hash, uint32_t id)
{
	slot->tag = id_index_tag(hash);
	slot->id = id;
	self->n++;
}

static inline void id_index_clear(IdIndex *self)
{
	g_free(self->slots);
	memset(self, 0, sizeof(*self));
}

/* A well mixed 64-bit hash of two numbers (the finalizer of MurmurHash3, public domain). */
static inline uint64_t hash_pair(uint64_t seed, uint64_t a, uint64_t b)
{
	uint64_t h = (a * 0x9e3779b97f4a7c15ull) ^ (b + seed);

	h ^= h >> 33;
	h *= 0xff51afd7ed558ccdull;
	h ^= h >> 33;
	h *= 0xc4ceb9fe1a85ec53ull;
	return h ^ (h >> 33);
}
