/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "slice/call-tree.h"
#include "slice/weights.h"

/*
 * The first frames of stacks (`--group-by`) and the rows of `top --by`: every sample is in one
 * group, told by its thread or its CPU. Groups of equal names are one group.
 */
typedef struct Groups Groups;

/* `keep_blanks`: for tables; folded stacks have `_` for the blanks of a comm. */
Groups *groups_new(const Store *store, GroupBy by, bool keep_blanks);
void groups_free(Groups *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Groups, groups_free)

/* For stack_weights_init(); valid as long as `self`. */
Grouping groups_grouping(Groups *self);

/* Name of a group, empty for GROUP_BY_NONE; valid until a group is added. */
Text groups_name(const Groups *self, uint32_t group);
