/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdint.h>

/*
 * Text for pictures that are made row by row: labels are placed first, in pixels, and drawn when
 * their rows are asked for, a band at a time. Memory does not grow with the height of the strip,
 * and its width may exceed cairo's 32,767 pixels.
 */
typedef struct TextStrip TextStrip;

typedef enum {
	TEXT_TITLE, /* bold */
	TEXT_PLAIN,
	TEXT_SMALL, /* numbers on axes */
	TEXT_FAINT, /* small and light: what is there to be looked up */
} TextStyle;

typedef struct {
	double x, y;   /* of the baseline, at the anchor */
	double anchor; /* 0: x is the left end, 0.5: the middle, 1: the right end */
	TextStyle style;
	const char *text; /* valid UTF-8; copied */
} StripLabel;

/* `width` in pixels, each of them `scale_factor` device pixels wide and high. */
TextStrip *text_strip_new(uint32_t width, uint32_t scale_factor);
void text_strip_free(TextStrip *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(TextStrip, text_strip_free)

void text_strip_add(TextStrip *self, const StripLabel *label);

/* A filled rectangle: tick marks. */
void text_strip_add_mark(TextStrip *self, double x, double y, double width, double height);

/* How much of each device pixel of row `y` ink covers, 0 to 255; rows are asked for in ascending
 * order. Valid until the next call. */
const uint8_t *text_strip_row(TextStrip *self, uint32_t y);

/* Pixels that `text` is wide, and that a line of `style` is high. */
double text_strip_measure(TextStyle style, const char *text);
double text_strip_line_height(TextStyle style);

/* `text`, or as much of it as fits into `max_width` with an ellipsis; g_free() it. */
char *text_strip_elide(TextStyle style, const char *text, double max_width);

/* `text` in lines of at most `max_width`, broken at blanks, at most `max_lines`, the last elided;
 * g_strfreev() them. */
char **text_strip_wrap(TextStyle style, const char *text, double max_width, guint max_lines);
