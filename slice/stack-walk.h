/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "slice/weights.h"
#include "store/store.h"

/*
 * The stacks of a selection as the tree that they are, from the root on, depth first. Each is met
 * once however many samples share it, so that a walk takes time in proportion to the distinct
 * stacks, where going up from each sampled stack would take the sum of their depths: in a store
 * made with ill intent, the square of its size.
 */
typedef struct {
	const Store *store;
	uint64_t *self;	       /* by stack: weight of the samples that end there */
	uint64_t *total;       /* with those of all stacks that begin with it */
	uint32_t *first_child; /* 0: none. Only stacks of the selection */
	uint32_t *next_sibling;
	uint32_t at;
	bool is_leaving;
} StackWalk;

/* `weights`: of all groups together. */
bool stack_walk_init(StackWalk *self, const Store *store, const StackWeights *weights,
		     GError **error);
void stack_walk_clear(StackWalk *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(StackWalk, stack_walk_clear)

/* The next stack that is entered or, after all that begin with it, left; never the empty one.
 * False at the end. */
bool stack_walk_next(StackWalk *self, uint32_t *stack, bool *is_leaving);
