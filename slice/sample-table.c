/* SPDX-License-Identifier: MIT */
#include "slice/sample-table.h"

#include <stdlib.h>

#include "store/array.h"
#include "store/error.h"
#include "store/id-index.h"
#include "store/weight.h"

typedef struct {
	ARRAY_OF(SampleRow) rows;
	IdIndex index;
	uint64_t seed;
} Counter;

static bool equals(const void *table, uint32_t id, const void *key)
{
	const SampleRow *a = &((const Counter *)table)->rows.data[id], *b = key;

	return a->thread == b->thread && a->cpu == b->cpu && a->node == b->node;
}

static bool count(Counter *self, const SampleRow *sample)
{
	uint64_t hash = hash_pair(self->seed, sample->thread, (uint32_t)sample->cpu);
	SampleRow *row;
	IdSlot *slot;

	hash = hash_pair(self->seed, hash, sample->node);
	if (!id_index_reserve(&self->index))
		return false;
	slot = id_index_slot(&self->index, hash, equals, self, sample);
	if (slot->id == ROW_NONE) {
		if (self->rows.n >= ROW_NONE || !array_push(&self->rows, *sample))
			return false;
		id_index_put(&self->index, slot, hash, (uint32_t)(self->rows.n - 1));
		return true;
	}
	row = &self->rows.data[slot->id];
	row->n_samples += sample->n_samples;
	row->weight = weight_add(row->weight, sample->weight);
	return true;
}

static bool count_all(Counter *self, const Profile *profile, GError **error)
{
	g_autofree SampleBlock *block = g_new(SampleBlock, 1);

	selection_rewind(profile->selection);
	do {
		if (!selection_next(profile->selection, block, error))
			return false;
		for (size_t i = 0; i < block->n; i++) {
			const SampleRow sample = { block->thread[i], block->cpu[i],
						   profile_node(profile, block->stack[i]), 1,
						   block->weight[i] };

			if (!count(self, &sample))
				return fail(error, FLAMEBEAT_ERROR_LIMIT, "out of memory");
		}
	} while (block->n > 0);
	return true;
}

static int compare_rows(const void *left, const void *right)
{
	const SampleRow *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

bool sample_table_init(SampleTable *self, const Profile *profile, GError **error)
{
	Counter counter = { .seed = id_index_seed() };
	bool ok = count_all(&counter, profile, error);

	id_index_clear(&counter.index);
	*self = (SampleTable){ counter.rows.data, counter.rows.n };
	if (!ok)
		sample_table_clear(self);
	else if (self->n_rows > 0)
		qsort(self->rows, self->n_rows, sizeof(*self->rows), compare_rows);
	return ok;
}

void sample_table_clear(SampleTable *self)
{
	g_free(self->rows);
	*self = (SampleTable){ 0 };
}
