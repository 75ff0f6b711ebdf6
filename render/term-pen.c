/* SPDX-License-Identifier: MIT */
/*
 * Cells as terminal characters. With 24-bit or 256 colours they look as on paper, on a background
 * of their own, whatever the terminal's is. The 16 colours differ from terminal to terminal, so
 * these get a ramp of their own that grows brighter on black; without colours, characters of
 * growing ink do.
 */

#include "render/term-pen.h"

#include <glib.h>

#include "render/heatmap-ink.h"

#define COLOUR_DEFAULT UINT32_MAX
#define HOLE_GREY      0xb0
#define UPPER_HALF     "\xe2\x96\x80"

static const char ink_ramp[] = " .:-=+*#%@";
#define N_INK_STEPS (sizeof(ink_ramp) - 2) /* without the blank and the NUL */

/* Black, then blue, magenta, red, bright red, bright yellow, bright white. */
static const uint8_t ansi_ramp[] = { 0, 4, 5, 1, 9, 11, 15 };
#define N_ANSI_STEPS (sizeof(ansi_ramp) - 1)
#define ANSI_HOLE    8

void term_pen_init(TermPen *self, FILE *out, const HeatmapStyle *style, Scale scale)
{
	*self = (TermPen){ out, style, scale, COLOUR_DEFAULT, COLOUR_DEFAULT };
}

/* --- colours ------------------------------------------------------------------------------- */

/* Which of `n` equal steps, from 1, a weight is on; 0 for nothing. */
static uint32_t step_of(const TermPen *self, uint64_t weight, uint32_t n)
{
	uint32_t level = scale_level(&self->scale, weight);
	return level == 0 ? 0 : 1 + (level - 1) * n / SCALE_LEVELS;
}

static uint32_t distance(Rgb a, Rgb b)
{
	int r = a.r - b.r, g = a.g - b.g, blue = a.b - b.b;
	return (uint32_t)(r * r + g * g + blue * blue);
}

/* Number 16 to 255 of the 256 colours: a 6 x 6 x 6 cube, then greys. */
static Rgb palette_256(uint32_t number)
{
	static const uint8_t steps[] = { 0, 95, 135, 175, 215, 255 };
	uint32_t i = number - 16;
	if (i >= 216) {
		uint8_t grey = (uint8_t)(8 + 10 * (i - 216));
		return (Rgb){ grey, grey, grey };
	}
	return (Rgb){ steps[i / 36], steps[i / 6 % 6], steps[i % 6] };
}

static uint32_t nearest_256(Rgb colour)
{
	uint32_t best = 16;
	for (uint32_t i = 17; i < 256; i++) {
		if (distance(palette_256(i), colour) < distance(palette_256(best), colour))
			best = i;
	}
	return best;
}

/* The colour of a cell in the terminal's own numbers. */
static uint32_t colour_of(const TermPen *self, TermCell cell)
{
	Rgb colour = cell.is_hole ? (Rgb){ HOLE_GREY, HOLE_GREY, HOLE_GREY }
				  : heatmap_colour(self->style->palette, &self->scale, cell.weight);
	if (self->style->n_colours > 256)
		return (uint32_t)(colour.r << 16 | colour.g << 8 | colour.b);
	if (self->style->n_colours == 256)
		return nearest_256(colour);
	return cell.is_hole ? ANSI_HOLE : ansi_ramp[step_of(self, cell.weight, N_ANSI_STEPS)];
}

static void write_colour(const TermPen *self, uint32_t colour, bool is_background)
{
	unsigned base = is_background ? 40 : 30;
	if (colour == COLOUR_DEFAULT)
		fprintf(self->out, "\x1b[%um", base + 9);
	else if (self->style->n_colours > 256)
		fprintf(self->out, "\x1b[%u;2;%u;%u;%um", base + 8, colour >> 16,
			(colour >> 8) & 255, colour & 255);
	else if (self->style->n_colours == 256)
		fprintf(self->out, "\x1b[%u;5;%um", base + 8, colour);
	else
		fprintf(self->out, "\x1b[%um", colour < 8 ? base + colour : base + 52 + colour);
}

static void set_colours(TermPen *self, uint32_t foreground, uint32_t background)
{
	if (foreground != self->foreground)
		write_colour(self, foreground, false);
	if (background != self->background)
		write_colour(self, background, true);
	self->foreground = foreground;
	self->background = background;
}

/* --- cells --------------------------------------------------------------------------------- */

static void write_repeated(FILE *out, const char *text, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		fputs(text, out);
}

void term_pen_cell(TermPen *self, TermCell cell, uint32_t n)
{
	char character[2] = { ' ', '\0' };
	if (self->style->is_colour)
		set_colours(self, self->foreground, colour_of(self, cell));
	else
		character[0] =
			cell.is_hole ? '/' : ink_ramp[step_of(self, cell.weight, N_INK_STEPS)];
	write_repeated(self->out, character, n);
}

void term_pen_halves(TermPen *self, TermCell upper, const TermCell *lower, uint32_t n)
{
	uint32_t background = lower != NULL ? colour_of(self, *lower) : COLOUR_DEFAULT;
	uint32_t foreground = colour_of(self, upper);
	bool is_uniform = foreground == background;
	set_colours(self, is_uniform ? self->foreground : foreground, background);
	write_repeated(self->out, is_uniform ? " " : UPPER_HALF, n);
}

void term_pen_reset(TermPen *self)
{
	if (self->foreground != COLOUR_DEFAULT || self->background != COLOUR_DEFAULT)
		fputs("\x1b[0m", self->out);
	self->foreground = self->background = COLOUR_DEFAULT;
}

/* --- legend -------------------------------------------------------------------------------- */

uint32_t term_pen_legend(const TermPen *self, uint64_t weights[TERM_LEGEND_WEIGHTS])
{
	uint32_t n_steps = self->style->is_colour ? 4 : N_INK_STEPS, n = 0;
	uint64_t n_small = self->style->palette->is_enhanced ? 3 : 1;
	bool is_z = self->scale.kind == SCALE_SURPRISE;
	bool are_few = self->scale.top < TERM_LEGEND_WEIGHTS;
	for (uint64_t weight = is_z; weight <= (are_few ? self->scale.top : n_small); weight++)
		weights[n++] = weight;
	for (uint32_t i = 1; i <= n_steps && n < TERM_LEGEND_WEIGHTS; i++) {
		uint32_t level = self->style->is_colour
					 ? SCALE_LEVELS * i / n_steps
					 : (SCALE_LEVELS * (i - 1) + n_steps - 1) / n_steps + 1;
		uint64_t weight = scale_value(&self->scale, level);
		if (weight > weights[n - 1])
			weights[n++] = weight;
	}
	return n;
}
