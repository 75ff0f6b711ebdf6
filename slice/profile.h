/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "slice/call-tree.h"
#include "store/selection.h"
#include "store/store.h"

/*
 * The samples of a selection one by one, for what needs more of them than a call tree tells: when
 * they were, of which thread and CPU. All members are borrowed.
 */
typedef struct {
	const Store *store;
	Selection *selection; /* walked anew by whoever reads the profile */
	const CallTree *tree; /* of the same samples, GROUP_BY_NONE, with node_of_stack */
	GroupBy group_by;     /* what the user wanted as the first frame */
	int64_t interval_ns;  /* usual distance of two samples of one CPU, above 0 */
} Profile;

/* Node of the tree that samples of `stack` end in. */
static inline uint32_t profile_node(const Profile *self, uint32_t stack)
{
	uint32_t node = self->tree->node_of_stack[stack];

	return node != ROW_NONE ? node : 0;
}

/* Fills in the interval: the recording's rate of sampling, or 1 ms where nothing tells it. */
bool profile_find_interval(Profile *self, GError **error);
