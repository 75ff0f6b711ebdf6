/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "slice/call-tree.h"

/* One frame of the picture, `width` px wide at `x` from the left edge of the root. */
typedef struct {
	uint32_t node;
	uint32_t depth;
	uint64_t begin; /* weight to the left of it */
	double x, width;
} LayoutRect;

/* What a walk over the tree met so far. */
typedef struct {
	uint32_t n_drawn;
	uint32_t n_rows;	/* depths with a frame that is drawn */
	uint32_t n_culled;	/* nodes left out */
	uint64_t culled_weight; /* what they stand for, nothing twice */
} LayoutCounts;

/*
 * Where the frames of a call tree go: a frame is as wide as its share of the total; what it did
 * itself comes first (left), then its children in their order. Frames narrower than `min_width`
 * are left out with all they call. Keeps nothing but one number a level.
 */
typedef struct {
	const CallTree *tree;
	double width;	     /* px of the root */
	uint64_t min_weight; /* frames with less are culled */
	uint64_t *begins;    /* by depth: where the next frame of that depth begins */
	uint32_t node;	     /* the next to look at */
	LayoutCounts counts;
} TreeLayout;

/* Borrows `tree`. `width` must be above 0. */
void tree_layout_init(TreeLayout *self, const CallTree *tree, double width, double min_width);
void tree_layout_clear(TreeLayout *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TreeLayout, tree_layout_clear)

/* Begins anew at the root. */
void tree_layout_rewind(TreeLayout *self);

/* The next frame to draw, callers before their callees; false at the end. A tree without weight
 * has none. */
bool tree_layout_next(TreeLayout *self, LayoutRect *rect);

/* Counts of the whole picture; rewinds. */
LayoutCounts tree_layout_measure(TreeLayout *self);
