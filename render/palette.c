/* SPDX-License-Identifier: MIT */
/*
 * Colours of cells. On all of them more is darker on a white page, and the first stop is far
 * enough from white that one sample is seen. The perceptually uniform ones take the hues of the
 * well-known maps of their names; their stops are equal steps of CIE lightness, from 86 downward,
 * so that they also survive a greyscale print.
 */

#include "render/palette.h"

#include <glib.h>
#include <math.h>
#include <string.h>

/* clang-format off */
#define RGB(hex) { ((hex) >> 16) & 0xff, ((hex) >> 8) & 0xff, (hex) & 0xff }
/* clang-format on */

const Palette palettes[] = {
	{ .name = "flame",
	  .help = "white to red, FlameScope's own",
	  .background = RGB(0xffffff),
	  .n_stops = 3,
	  .stops = { RGB(0xffd2c8), RGB(0xff5032), RGB(0xe50914) } },
	{ .name = "enhanced",
	  .help = "as flame, but 1 to 3 samples in colours of their own: single threads stand out",
	  .background = RGB(0xffffff),
	  .n_stops = 4,
	  .stops = { RGB(0x6aaaff), RGB(0xfaa0b5), RGB(0xff5032), RGB(0xe50914) },
	  .is_enhanced = true },
	{ .name = "viridis",
	  .help = "yellow over green to violet; even, also for the colour-blind",
	  .background = RGB(0xffffff),
	  .n_stops = 11,
	  .stops = { RGB(0xd1e229), RGB(0x94d645), RGB(0x5ec665), RGB(0x32b27d), RGB(0x209c89),
		     RGB(0x26858e), RGB(0x306e8e), RGB(0x3b558b), RGB(0x443c82), RGB(0x482271),
		     RGB(0x440456) } },
	{ .name = "inferno",
	  .help = "yellow over red to black; even, also for the colour-blind",
	  .background = RGB(0xffffff),
	  .n_stops = 11,
	  .stops = { RGB(0xf8d548), RGB(0xfab424), RGB(0xf99211), RGB(0xef7122), RGB(0xdc543a),
		     RGB(0xc23c4f), RGB(0xa12a61), RGB(0x7c1d6c), RGB(0x58106c), RGB(0x340d57),
		     RGB(0x180b33) } },
	{ .name = "cividis",
	  .help = "yellow to blue; even, the same with and without colour-blindness",
	  .background = RGB(0xffffff),
	  .n_stops = 11,
	  .stops = { RGB(0xebd54d), RGB(0xd4c15e), RGB(0xbcae6c), RGB(0xa39b74), RGB(0x8c8878),
		     RGB(0x767674), RGB(0x60646f), RGB(0x49536d), RGB(0x2f416e), RGB(0x0e3168),
		     RGB(0x00224f) } },
	{ .name = "balance",
	  .help = "blue over white to red, for --scale surprise: less and more than expected",
	  .background = RGB(0xffffff),
	  .n_stops = 9,
	  .stops = { RGB(0x14366b), RGB(0x2f68a8), RGB(0x76a6d1), RGB(0xc3d9ea), RGB(0xf6f5f3),
		     RGB(0xf5cdb6), RGB(0xe58f6e), RGB(0xc24433), RGB(0x7a0f1c) },
	  .is_diverging = true },
	{ .name = "grey",
	  .help = "light grey to black",
	  .background = RGB(0xffffff),
	  .n_stops = 2,
	  .stops = { RGB(0xd4d4d4), RGB(0x000000) } },
	{ 0 },
};

const Palette *palette_by_name(const char *name)
{
	for (const Palette *palette = palettes; palette->name != NULL; palette++) {
		if (strcmp(palette->name, name) == 0)
			return palette;
	}
	return NULL;
}

static uint8_t mix_channel(uint8_t a, uint8_t b, double share)
{
	return (uint8_t)lround(a + (b - a) * share);
}

/* `a` where share is 0, `b` where it is 1. */
static Rgb mix(Rgb a, Rgb b, double share)
{
	return (Rgb){ mix_channel(a.r, b.r, share), mix_channel(a.g, b.g, share),
		      mix_channel(a.b, b.b, share) };
}

/* The first two stops are the counts 1 and 3, whatever the largest is; the others are half of it
 * and all of it. Where 3 is more than half there is no way from the second to the third. */
static Rgb enhanced_colour(const Rgb *stops, double position, uint64_t value, uint64_t max)
{
	if (value <= 3)
		return mix(stops[0], stops[1], value <= 1 ? 0 : (double)(value - 1) / 2);
	double three = 3.0 / (double)max;
	if (position < 0.5 && three < 0.5)
		return mix(stops[1], stops[2], MAX(position - three, 0) / (0.5 - three));
	return mix(stops[2], stops[3], MAX(2 * position - 1, 0));
}

Rgb palette_colour(const Palette *self, double position, uint64_t value, uint64_t max)
{
	position = CLAMP(position, 0, 1);
	if (self->is_enhanced)
		return enhanced_colour(self->stops, position, value, max);
	double place = position * (self->n_stops - 1);
	uint32_t stop = MIN((uint32_t)place, self->n_stops - 2);
	return mix(self->stops[stop], self->stops[stop + 1], place - stop);
}
