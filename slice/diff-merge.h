/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "slice/diff-parts.h"
#include "slice/diff.h"

/* Adds what a part holds of one frame or function to `item`. */
void diff_item_add(DiffItem *item, const DiffPart *part, uint64_t self, uint64_t total);

/*
 * Merges the trees of `parts` by path of names into `diff->shape` (names, order, parents; no
 * weights yet) and `diff->nodes`. `store` is for the names' table. False when out of memory.
 */
bool diff_merge_trees(Diff *diff, const GArray *parts, const Store *store, GError **error);

/* Merges the tables of `parts` by name and DSO into `diff->functions`, in order of name. Where a
 * function has one DSO on one side and another on the other, as a library has that was replaced,
 * it is one function. */
void diff_merge_functions(Diff *diff, const GArray *parts);
