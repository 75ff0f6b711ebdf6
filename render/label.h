/* SPDX-License-Identifier: MIT */
#pragma once

#include "store/text.h"

/*
 * Names on frames: how wide they will be and where to cut them, estimated from the font the
 * pictures ask for, so that the same name is cut alike on every machine.
 */

#define LABEL_FONT	"Verdana, \"DejaVu Sans\", sans-serif"
#define LABEL_FONT_PX	12
#define LABEL_CUT	".."
#define LABEL_MIN_CHARS 3 /* what is cut shorter than this, dots included, is not worth reading */

/* A name as far as it fits: the first bytes of it, followed by LABEL_CUT where is_cut. Empty:
 * there is no room. */
typedef struct {
	Text text;
	bool is_cut;
} Label;

/* Without a trailing annotation (`_[k]`), which the colour shows. */
Label label_fit(Text name, double width_px);

/* Width of `text` in px at `font_px`, on the safe side. */
double label_width(Text text, double font_px);
