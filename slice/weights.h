/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/selection.h"

/* Weight of all chosen samples of one stack in one group. */
typedef struct {
	uint32_t group;
	uint32_t stack;
	uint64_t weight;
} StackWeight;

/*
 * The first half of every merge: one weight per (group, stack), in order of group. A sample costs
 * two loads and an addition; only where a stack changes its group between samples is anything
 * hashed.
 */
typedef struct {
	StackWeight *rows;
	uint32_t n_rows;
} StackWeights;

/* Which group a sample is in: by its thread, CPU or cgroup, or none of them. */
typedef struct {
	const uint32_t *by_thread; /* thread id -> group; NULL: not by thread */
	uint32_t (*by_cpu)(void *context, int32_t cpu);	       /* NULL: not by CPU */
	uint32_t (*by_cgroup)(void *context, uint32_t cgroup); /* NULL: not by cgroup */
	void *context;
} Grouping;

bool stack_weights_init(StackWeights *self, const Store *store, Selection *selection,
			const Grouping *grouping, GError **error);
void stack_weights_clear(StackWeights *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(StackWeights, stack_weights_clear)
