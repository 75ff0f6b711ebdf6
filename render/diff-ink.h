/* SPDX-License-Identifier: MIT */
#pragma once

#include "render/tree-overlay.h"
#include "slice/diff.h"

/*
 * How changes look: orange where there is more than in the base, blue where there is less, the
 * stronger the larger the ratio (width tells how much of all it is), grey where nothing is known
 * to have changed, hatched where only the side that is not drawn has something. Orange and blue
 * are told apart with any kind of colour vision, and each is one hue that darkens.
 */
typedef struct {
	const Diff *diff;
	const char *unit; /* of weights */
	TreeOverlay overlay;
	LegendEntry *legend;
	char *noise_words, *hatch_words;
} DiffInk;

void diff_ink_init(DiffInk *self, const Diff *diff, const char *unit);
void diff_ink_clear(DiffInk *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(DiffInk, diff_ink_clear)
