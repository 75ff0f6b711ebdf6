/* SPDX-License-Identifier: MIT */
/*
 * Each stack remembers the row it was counted in last; that row is right as long as the group
 * stays the same, which with stacks of one program is nearly always.
 */

#include "slice/weights.h"

#include <stdlib.h>

#include "store/array.h"
#include "store/error.h"
#include "store/id-index.h"
#include "store/weight.h"

typedef struct {
	ARRAY_OF(StackWeight) rows;
	IdIndex index;
	uint64_t seed;
	uint32_t *last_row; /* by stack; ROW_NONE: none yet */
} Counter;

static bool equals(const void *table, uint32_t id, const void *key)
{
	const StackWeight *a = &((const Counter *)table)->rows.data[id], *b = key;

	return a->group == b->group && a->stack == b->stack;
}

/* Row of (group, stack), made if it is new; ROW_NONE when out of memory. */
static uint32_t find_row(Counter *self, uint32_t group, uint32_t stack)
{
	StackWeight row = { group, stack, 0 };
	uint64_t hash = hash_pair(self->seed, group, stack);
	IdSlot *slot;

	if (!id_index_reserve(&self->index))
		return ROW_NONE;
	slot = id_index_slot(&self->index, hash, equals, self, &row);
	if (slot->id == ROW_NONE) {
		if (!array_push(&self->rows, row))
			return ROW_NONE;
		id_index_put(&self->index, slot, hash, (uint32_t)(self->rows.n - 1));
	}
	self->last_row[stack] = slot->id;
	return slot->id;
}

static bool count(Counter *self, uint32_t group, uint32_t stack, uint64_t weight)
{
	uint32_t row = self->last_row[stack];

	if (row == ROW_NONE || self->rows.data[row].group != group)
		row = find_row(self, group, stack);
	if (row == ROW_NONE)
		return false;
	self->rows.data[row].weight = weight_add(self->rows.data[row].weight, weight);
	return true;
}

static bool count_block(Counter *self, const SampleBlock *block, const Grouping *grouping)
{
	for (size_t i = 0; i < block->n; i++) {
		uint32_t group = 0;

		if (grouping->by_thread != NULL)
			group = grouping->by_thread[block->thread[i]];
		else if (grouping->by_cpu != NULL)
			group = grouping->by_cpu(grouping->context, block->cpu[i]);
		else if (grouping->by_cgroup != NULL)
			group = grouping->by_cgroup(grouping->context, block->cgroup[i]);
		if (!count(self, group, block->stack[i], block->weight[i]))
			return false;
	}
	return true;
}

static unsigned wanted_by(const Grouping *grouping)
{
	return SAMPLE_STACK | (grouping->by_thread != NULL ? SAMPLE_THREAD : 0) |
	       (grouping->by_cpu != NULL ? SAMPLE_CPU : 0) |
	       (grouping->by_cgroup != NULL ? SAMPLE_CGROUP : 0);
}

static bool count_all(Counter *self, Selection *selection, const Grouping *grouping, GError **error)
{
	g_autofree SampleBlock *block = g_new(SampleBlock, 1);

	selection_rewind(selection);
	selection_want(selection, wanted_by(grouping));
	do {
		if (!selection_next(selection, block, error))
			return false;
		if (!count_block(self, block, grouping))
			return fail(error, FLAMEBEAT_ERROR_LIMIT, "out of memory");
	} while (block->n > 0);
	return true;
}

/* By group, then stack: independent of the order of samples. */
static int compare_rows(const void *left, const void *right)
{
	const StackWeight *a = left, *b = right;
	int order = (a->group > b->group) - (a->group < b->group);

	return order != 0 ? order : (a->stack > b->stack) - (a->stack < b->stack);
}

bool stack_weights_init(StackWeights *self, const Store *store, Selection *selection,
			const Grouping *grouping, GError **error)
{
	uint32_t n_stacks = store_n_stacks(store);
	Counter counter = { .seed = id_index_seed(), .last_row = g_try_new(uint32_t, n_stacks) };
	bool ok = counter.last_row != NULL || fail(error, FLAMEBEAT_ERROR_LIMIT, "out of memory");

	*self = (StackWeights){ 0 };
	if (ok)
		memset(counter.last_row, 0xff, n_stacks * sizeof(*counter.last_row));
	ok = ok && count_all(&counter, selection, grouping, error);
	g_free(counter.last_row);
	id_index_clear(&counter.index);
	if (!ok) {
		array_clear(&counter.rows);
		return false;
	}
	if (counter.rows.n > 0)
		qsort(counter.rows.data, counter.rows.n, sizeof(StackWeight), compare_rows);
	*self = (StackWeights){ counter.rows.data, (uint32_t)counter.rows.n };
	return true;
}

void stack_weights_clear(StackWeights *self)
{
	g_free(self->rows);
	*self = (StackWeights){ 0 };
}
