/* SPDX-License-Identifier: MIT */
/* Steps of the ratio as colours, and the legend that says so. */

#include "render/diff-ink.h"

#include <math.h>

#include "render/diff-words.h"

enum {
	INK_NOISE,
	INK_MORE, /* the first of four */
	INK_LESS = INK_MORE + 4,
	N_INKS = INK_LESS + 4,
};

/* Light enough for black text, each step about a tenth darker than the one before. */
static const Rgb colours[N_INKS] = {
	{ 0xdb, 0xdb, 0xd8 },

	{ 0xfd, 0xe3, 0xc0 }, { 0xfd, 0xc5, 0x80 }, { 0xf7, 0xa0, 0x40 }, { 0xe7, 0x7c, 0x12 },

	{ 0xd5, 0xe5, 0xf5 }, { 0xa8, 0xce, 0xf0 }, { 0x74, 0xb0, 0xe6 }, { 0x4a, 0x90, 0xd9 },
};

/* Ratios where a step ends; each way. */
static const double steps[] = { 1.25, 2, 4 };

static uint8_t step_of(double ratio)
{
	uint8_t step = 0;

	while (step < G_N_ELEMENTS(steps) && ratio > steps[step])
		step++;
	return step;
}

static FrameInk ink_of(const void *context, uint32_t node)
{
	const Diff *diff = ((const DiffInk *)context)->diff;
	const DiffVerdict *verdict = &diff->nodes[node].verdict[MEASURE_TOTAL];
	DiffSide drawn = diff->settings.is_flipped ? SIDE_BASE : SIDE_NEW;
	FrameInk ink = { INK_NOISE, diff->nodes[node].tally[MEASURE_TOTAL][drawn].weight == 0 };

	if (!verdict->is_significant)
		return ink;
	ink.colour = verdict->delta > 0 ? (uint8_t)(INK_MORE + step_of(verdict->ratio))
					: (uint8_t)(INK_LESS + step_of(1 / verdict->ratio));
	return ink;
}

static void write_words(FILE *out, const void *context, uint32_t node)
{
	const DiffInk *self = context;

	diff_write_words(out, self->diff, &self->diff->nodes[node], self->unit);
}

/* As in the table; what is within noise is dim, and has no sign that it changed. */
static void write_figures(FILE *out, const void *context, uint32_t node, bool is_colour)
{
	const Diff *diff = ((const DiffInk *)context)->diff;
	const DiffVerdict *verdict = &diff->nodes[node].verdict[MEASURE_TOTAL];
	char base[DIFF_WORDS_SIZE], now[DIFF_WORDS_SIZE], delta[DIFF_WORDS_SIZE];
	const char *colour = "";

	diff_format_value(base, diff, verdict->value[SIDE_BASE]);
	diff_format_value(now, diff, verdict->value[SIDE_NEW]);
	diff_format_delta(delta, verdict->delta);
	if (is_colour)
		colour = !verdict->is_significant ? "\033[2m"
			 : verdict->delta > 0	  ? "\033[33m"
						  : "\033[34m";
	fprintf(out, "%s%9s %9s %9s%s  ", colour, base, now, verdict->is_significant ? delta : "~",
		*colour != '\0' ? "\033[0m" : "");
}

/* From less to more, with what is not drawn by its own width at the end that it belongs to. */
static LegendEntry *make_legend(const DiffInk *self, uint32_t *n)
{
	bool is_flipped = self->diff->settings.is_flipped;
	const LegendEntry entries[] = {
		{ { INK_LESS + 3, false }, "less than \xc2\xbc" },
		{ { INK_LESS + 2, false }, "\xc2\xbc to \xc2\xbd" },
		{ { INK_LESS + 1, false }, "\xc2\xbd to 0.8" },
		{ { INK_LESS, false }, "less" },
		{ { INK_NOISE, false }, self->noise_words },
		{ { INK_MORE, false }, "more" },
		{ { INK_MORE + 1, false },
		  "\xc3\x97"
		  "1.25 to \xc3\x97"
		  "2" },
		{ { INK_MORE + 2, false },
		  "\xc3\x97"
		  "2 to \xc3\x97"
		  "4" },
		{ { INK_MORE + 3, false },
		  "over \xc3\x97"
		  "4" },
		{ { is_flipped ? INK_MORE + 3 : INK_LESS + 3, true }, self->hatch_words },
	};

	*n = G_N_ELEMENTS(entries);
	return g_memdup2(entries, sizeof(entries));
}

void diff_ink_init(DiffInk *self, const Diff *diff, const char *unit)
{
	char limit[DIFF_WORDS_SIZE];

	*self = (DiffInk){ .diff = diff, .unit = unit };
	g_ascii_formatd(limit, sizeof(limit), "%.3g", diff->settings.min_change);
	self->noise_words = g_strdup_printf("noise, or under %s points", limit);
	self->hatch_words = g_strdup(diff->settings.is_flipped ? "only in new" : "only in base");
	self->overlay = (TreeOverlay){ .colours = colours,
				       .n_colours = N_INKS,
				       .ink = ink_of,
				       .write_words = write_words,
				       .write_figures = write_figures,
				       .figures_head = "     base       new    change",
				       .context = self };
	self->legend = make_legend(self, &self->overlay.n_legend);
	self->overlay.legend = self->legend;
}

void diff_ink_clear(DiffInk *self)
{
	g_free(self->noise_words);
	g_free(self->hatch_words);
	g_free(self->legend);
}
