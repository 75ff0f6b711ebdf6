/* SPDX-License-Identifier: MIT */
/*
 * An indexed picture has a colour for each level of the scale, not for each weight; what the
 * smallest weight of a level looks like stands for all of it. Only the enhanced palette tells 1, 2
 * and 3 apart whatever the scale, so these have inks of their own.
 */

#include "render/heatmap-ink.h"

#include <glib.h>

G_STATIC_ASSERT(N_INKS <= 256);

#define MAX_SMALL 3

static Rgb level_colour(const Palette *palette, const Scale *scale, uint32_t level)
{
	uint64_t weight = scale_value(scale, level);
	if (palette->is_enhanced)
		weight = MAX(weight, MAX_SMALL + 1);
	return palette_colour(palette, (level - 1) / (double)(SCALE_LEVELS - 1), weight,
			      scale->top);
}

Rgb heatmap_colour(const Palette *palette, const Scale *scale, uint64_t weight)
{
	if (weight == 0)
		return palette->background;
	if (palette->is_enhanced && weight <= MAX_SMALL)
		return palette_colour(palette, 0, weight, scale->top);
	return level_colour(palette, scale, scale_level(scale, weight));
}

void ink_fill(Rgb inks[N_INKS], const Palette *palette, const Scale *scale)
{
	inks[INK_PAGE] = (Rgb){ 255, 255, 255 };
	for (uint32_t level = 1; level <= SCALE_LEVELS; level++)
		inks[INK_LEVEL + level - 1] = level_colour(palette, scale, level);
	for (uint32_t weight = 1; weight <= MAX_SMALL; weight++)
		inks[INK_SMALL + weight - 1] = palette_colour(palette, 0, weight, scale->top);
	inks[INK_NOTHING] = palette->background;
	inks[INK_HOLE] = (Rgb){ 0xf0, 0xf0, 0xf0 };
	inks[INK_HATCH] = (Rgb){ 0xc4, 0xc4, 0xc4 };
	inks[INK_OUTLINE] = (Rgb){ 0x00, 0x38, 0xff };
	inks[INK_FRAME] = (Rgb){ 0x90, 0x90, 0x90 };
	for (uint32_t i = 0; i < N_TEXT_INKS; i++) {
		uint8_t grey = (uint8_t)(255 - i * 255 / (N_TEXT_INKS - 1));
		inks[INK_TEXT + i] = (Rgb){ grey, grey, grey };
	}
}

uint8_t ink_of_weight(const Palette *palette, const Scale *scale, uint64_t weight)
{
	if (weight == 0)
		return INK_NOTHING;
	if (palette->is_enhanced && weight <= MAX_SMALL)
		return (uint8_t)(INK_SMALL + weight - 1);
	return (uint8_t)(INK_LEVEL + scale_level(scale, weight) - 1);
}
