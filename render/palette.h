/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "store/frame-name.h"
#include "store/text.h"

typedef struct {
	uint8_t r, g, b;
} Rgb;

/* Colours of heat map cells: a sequence of stops between which colours are interpolated. */
typedef struct {
	const char *name;
	const char *help;
	Rgb background; /* "no samples" */
	uint32_t n_stops;
	Rgb stops[12];
	bool is_diverging; /* the middle is the lightest: for scales with two sides */
	bool is_enhanced;  /* FlameScope's: counts 1, 2 and 3 have colours of their own */
} Palette;

/* Ends with a row without a name. */
extern const Palette palettes[];
const Palette *palette_by_name(const char *name);

/* Colour at `position` (0 the least that is not nothing, 1 the most). `value` and `max` are the
 * weights behind it, for palettes that look at small counts. */
Rgb palette_colour(const Palette *self, double position, uint64_t value, uint64_t max);

/* Behind frames: a gradient from top to bottom. */
typedef struct {
	const char *name; /* NULL: given as colours */
	Rgb top, bottom;
} FrameGround;

extern const FrameGround frame_grounds[]; /* ends with a row without a name */

/* `yellow`, `blue`, `green`, `grey` or `#rrggbb`; false: none of them. */
bool frame_ground_parse(const char *text, FrameGround *ground);

/* Colours of frames: by name, stable between runs and pictures, hue by palette. */
typedef struct {
	const char *name;
	const char *help;
	Rgb (*colour)(Text name, FrameClass class);
	FrameGround ground;
} FramePalette;

extern const FramePalette frame_palettes[];
const FramePalette *frame_palette_by_name(const char *name);
