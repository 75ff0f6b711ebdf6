/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/frame-name.h"
#include "store/option.h"

/* Which frames of the stacks that count go into a call tree; zeros: all of them. Lists are of
 * char *, regular expressions on displayed names, NULL where not given. */
typedef struct {
	GPtrArray *focus;	 /* callers of the first frame that matches are cut off */
	GPtrArray *root_at;	 /* the same; and stacks without one do not count (Query.root_at) */
	GPtrArray *hide;	 /* frames that match are spliced out */
	bool collapse_recursion; /* a frame that calls itself is one */
	gint64 max_depth;	 /* frames of a stack, its group's not counted; 0: any */
} TreeRules;

void tree_rules_clear(TreeRules *self);

/* The rows that fill TreeRules. */
extern const OptionRow tree_rule_options[];

/* What the rules say of every displayed frame, looked up when first asked. */
typedef struct TreeJudge TreeJudge;

enum {
	FRAME_IS_ROOT = 1,   /* --focus or --root-at matches */
	FRAME_IS_HIDDEN = 2, /* --hide matches */
};

/* Borrows both. */
TreeJudge *tree_judge_new(const TreeRules *rules, FrameNames *names);
/* Frees it. False where an expression gave up on a name. */
bool tree_judge_finish(TreeJudge *self, GError **error);

/* Whether any frame can be a root or hidden: else there is no need to ask. */
bool tree_judge_has_roots(const TreeJudge *self);
bool tree_judge_has_hidden(const TreeJudge *self);

/* FRAME_IS_ROOT, FRAME_IS_HIDDEN. */
uint8_t tree_judge_display(TreeJudge *self, uint32_t display);
