/* SPDX-License-Identifier: MIT */
/* Parents have lower ids than children: sums and lists are made in one pass from the end. */

#include "slice/stack-walk.h"

#include "store/error.h"
#include "store/weight.h"

static bool allocate(StackWalk *self, GError **error)
{
	gsize n = store_n_stacks(self->store);

	self->self = g_try_new0(uint64_t, n);
	self->total = g_try_new0(uint64_t, n);
	self->first_child = g_try_new0(uint32_t, n);
	self->next_sibling = g_try_new0(uint32_t, n);
	if (self->self != NULL && self->total != NULL && self->first_child != NULL &&
	    self->next_sibling != NULL)
		return true;
	stack_walk_clear(self);
	return fail(error, FLAMEBEAT_ERROR_LIMIT, "out of memory for %" G_GSIZE_FORMAT " stacks",
		    n);
}

/* Puts stack `i`, and what it leads to, below its parent. */
static void link_stack(StackWalk *self, uint32_t i)
{
	uint32_t parent = store_stack_parent(self->store, i);

	self->total[parent] = weight_add(self->total[parent], self->total[i]);
	self->next_sibling[i] = self->first_child[parent];
	self->first_child[parent] = i;
}

bool stack_walk_init(StackWalk *self, const Store *store, const StackWeights *weights,
		     GError **error)
{
	g_autofree bool *is_sampled = g_try_new0(bool, store_n_stacks(store));

	*self = (StackWalk){ .store = store };
	if (is_sampled == NULL)
		return fail(error, FLAMEBEAT_ERROR_LIMIT, "out of memory for stacks");
	if (!allocate(self, error))
		return false;
	for (uint32_t i = 0; i < weights->n_rows; i++) {
		uint32_t stack = weights->rows[i].stack;

		is_sampled[stack] = true;
		self->self[stack] = weight_add(self->self[stack], weights->rows[i].weight);
	}
	for (uint32_t i = store_n_stacks(store); i-- > 0;) {
		self->total[i] = weight_add(self->total[i], self->self[i]);
		/* A weight can be 0. */
		if (i > 0 && (is_sampled[i] || self->first_child[i] != 0))
			link_stack(self, i);
	}
	return true;
}

void stack_walk_clear(StackWalk *self)
{
	g_clear_pointer(&self->self, g_free);
	g_clear_pointer(&self->total, g_free);
	g_clear_pointer(&self->first_child, g_free);
	g_clear_pointer(&self->next_sibling, g_free);
}

bool stack_walk_next(StackWalk *self, uint32_t *stack, bool *is_leaving)
{
	if (!self->is_leaving && self->first_child[self->at] != 0) {
		self->at = self->first_child[self->at];
	} else if (!self->is_leaving) {
		self->is_leaving = true;
	} else if (self->at != 0 && self->next_sibling[self->at] != 0) {
		self->at = self->next_sibling[self->at];
		self->is_leaving = false;
	} else if (self->at != 0) {
		self->at = store_stack_parent(self->store, self->at);
	}
	*stack = self->at;
	*is_leaving = self->is_leaving;
	return self->at != 0;
}
