/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "heatmap/scale.h"
#include "render/palette.h"

/* The colours of a heat map: of its cells, and, in an indexed picture, of everything else. */

/* The colour of a cell of `weight`. */
Rgb heatmap_colour(const Palette *palette, const Scale *scale, uint64_t weight);

#define N_TEXT_INKS 40

/* Indices of a picture's colours. */
enum {
	INK_PAGE,
	INK_LEVEL, /* less 1, and so on to SCALE_LEVELS: cells by level; level 0 is INK_NOTHING */
	INK_SMALL = INK_LEVEL + SCALE_LEVELS, /* cells of 1, 2 and 3 on an enhanced palette */
	INK_NOTHING = INK_SMALL + 3,
	INK_HOLE, /* no coverage */
	INK_HATCH,
	INK_OUTLINE, /* of chosen ranges */
	INK_FRAME,
	INK_TEXT, /* from white to black */
	N_INKS = INK_TEXT + N_TEXT_INKS,
};

void ink_fill(Rgb inks[N_INKS], const Palette *palette, const Scale *scale);

/* The ink of a cell of `weight`. */
uint8_t ink_of_weight(const Palette *palette, const Scale *scale, uint64_t weight);

/* The ink of text that covers `coverage` / 255 of a pixel of the page. */
static inline uint8_t ink_of_text(uint8_t coverage)
{
	return (uint8_t)(INK_TEXT + coverage * (N_TEXT_INKS - 1) / 255);
}
