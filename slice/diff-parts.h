/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "slice/call-tree.h"
#include "slice/diff.h"
#include "slice/top.h"

/*
 * A side's samples merged in parts: one a run, or one a block of time. The parts of a side add up
 * to it; how they differ tells its variance. With --weight period a part is merged twice.
 */
typedef struct {
	DiffSide side;
	bool has_counts;  /* weights of `tree` and `top` are numbers of samples */
	bool has_weights; /* they are what is shown */
	double exposure;  /* samples, or seconds; 1 where there is no other */
	CallTree *tree;
	Top *top;
} DiffPart;

/* Most blocks that one run is cut into. */
#define DIFF_BLOCKS 16

/* Appends the parts of a run to `parts` (of DiffPart, cleared by diff_parts_new()'s array) and
 * adds it to `totals`. */
GArray *diff_parts_new(void);
bool diff_parts_add(GArray *parts, DiffTotals *totals, DiffSide side, const DiffRun *run,
		    bool in_blocks, const DiffSettings *settings, GError **error);
