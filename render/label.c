/* SPDX-License-Identifier: MIT */
/*
 * Widths of characters in Verdana and DejaVu Sans, which are drawn alike: a table for ASCII, two
 * round numbers for the rest. Cuts are made between characters, never within the bytes of one.
 */

#include "render/label.h"

#include <glib.h>

#include "render/utf8.h"

/* Advance of ' ' to '~' in hundredths of the font size. */
static const uint8_t ascii_width[] = {
	35, 40, 46, 84, 64, 99, 78, 27, 45, 45, 64, 84, 36, 45,	 36, 45, 64, 64, 64,
	64, 64, 64, 64, 64, 64, 64, 45, 45, 84, 84, 84, 55, 100, 68, 69, 70, 77, 63,
	58, 78, 75, 42, 45, 69, 56, 86, 75, 79, 60, 79, 70, 68,	 62, 73, 68, 99, 69,
	62, 69, 45, 45, 45, 84, 64, 64, 61, 63, 55, 63, 62, 36,	 63, 63, 28, 35, 59,
	28, 97, 63, 61, 63, 63, 43, 52, 39, 63, 59, 82, 59, 59,	 53, 64, 45, 64, 84,
};
G_STATIC_ASSERT(sizeof(ascii_width) == '~' - ' ' + 1);

#define OTHER_WIDTH 66
#define WIDE_WIDTH  105 /* CJK */

static unsigned character_width(gunichar c)
{
	if (c >= ' ' && c <= '~')
		return ascii_width[c - ' '];
	if (c == UTF8_INVALID || utf8_is_control(c))
		return WIDE_WIDTH; /* drawn as U+FFFD */
	return g_unichar_iswide(c) ? WIDE_WIDTH : g_unichar_iszerowidth(c) ? 0 : OTHER_WIDTH;
}

double label_width(Text text, double font_px)
{
	uint64_t width = 0;
	while (text.len > 0) {
		gunichar c;
		text = text_skip(text, utf8_next(text, &c));
		width += character_width(c);
	}
	return (double)width * font_px / 100;
}

static Text strip_annotation(Text name)
{
	static const char *const annotations[] = { "_[k]", "_[j]", "_[i]", "_[w]" };
	for (size_t i = 0; i < G_N_ELEMENTS(annotations); i++) {
		if (name.len > 4 && text_ends(name, annotations[i]))
			return (Text){ name.data, name.len - 4 };
	}
	return name;
}

Label label_fit(Text name, double width_px)
{
	const Label none = { { "", 0 }, false };
	const unsigned dots = 2 * ascii_width['.' - ' '];
	if (width_px < LABEL_FONT_PX)
		return none;
	unsigned room = (unsigned)(width_px * 100 / LABEL_FONT_PX), width = 0, n_chars = 0;
	name = strip_annotation(name);
	size_t end = 0, cut = 0; /* bytes that fit, and that fit with the dots */
	while (end < name.len) {
		gunichar c;
		size_t len = utf8_next(text_skip(name, end), &c);
		width += character_width(c);
		if (width > room)
			break;
		end += len;
		if (width + dots <= room) {
			cut = end;
			n_chars++;
		}
	}
	if (end == name.len)
		return (Label){ name, false };
	if (n_chars + 2 < LABEL_MIN_CHARS)
		return none;
	return (Label){ { name.data, cut }, true };
}
