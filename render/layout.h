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
	bool is_cut;		/* some of them because of max_rows */
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
	uint32_t max_rows;   /* frames deeper than that are, too */
	uint64_t *begins;    /* by depth: where the next frame of that depth begins */
	uint32_t node;	     /* the next to look at */
	LayoutCounts counts;
} TreeLayout;

/* Borrows `tree`. `width` must be above 0. Nothing is culled. */
void tree_layout_init(TreeLayout *self, const CallTree *tree, double width);
void tree_layout_clear(TreeLayout *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TreeLayout, tree_layout_clear)

/* Frames narrower than `min_width` px are culled, and those beyond `max_rows` rows; rewinds. */
void tree_layout_limit(TreeLayout *self, double min_width, uint32_t max_rows);

/* Begins anew at the root. */
void tree_layout_rewind(TreeLayout *self);

/* The next frame to draw, callers before their callees; false at the end. A tree without weight
 * has none. */
bool tree_layout_next(TreeLayout *self, LayoutRect *rect);

/* Counts of the whole picture; rewinds. */
LayoutCounts tree_layout_measure(TreeLayout *self);
