/* SPDX-License-Identifier: MIT */
/* Five steps of one hue that darkens, and grey. */

#include "render/beat-ink.h"

#include "render/json-writer.h"
#include "render/text-escape.h"

#define N_STEPS 5

static const Rgb colours[N_STEPS + 1] = {
	{ 0xdb, 0xdb, 0xd8 }, { 0xfe, 0xe0, 0xb6 }, { 0xfd, 0xbe, 0x85 },
	{ 0xf9, 0x94, 0x5c }, { 0xe8, 0x5f, 0x3c }, { 0xd0, 0x30, 0x24 },
};

static const LegendEntry legend[] = {
	{ { 0, false }, "may be chance" }, { { 1, false }, "hardly in phase" },
	{ { 2, false }, "over 0.2" },	   { { 3, false }, "over 0.4" },
	{ { 4, false }, "over 0.6" },	   { { 5, false }, "over 0.8: always at one phase" },
};

static FrameInk ink_of(const void *context, uint32_t node)
{
	const NodeBeat *beat = &((const BeatInk *)context)->beats[node];
	uint8_t step = (uint8_t)MIN(beat->strength * N_STEPS, N_STEPS - 1);
	return (FrameInk){ beat->is_clear ? (uint8_t)(1 + step) : 0, false };
}

static void write_decimals(FILE *out, const char *format, double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];
	fputs(g_ascii_formatd(text, sizeof(text), format, value), out);
}

static void write_words(FILE *out, const void *context, uint32_t node)
{
	const BeatInk *self = context;
	const NodeBeat *beat = &self->beats[node];
	uint64_t total = self->tree->nodes[node].total, whole = self->tree->nodes[0].total;
	fprintf(out, " (%" G_GUINT64_FORMAT " ", total);
	xml_write_text(out, text_from(self->unit));
	fputs(", ", out);
	write_decimals(out, "%.2f", whole > 0 ? 100 * (double)total / (double)whole : 0);
	fputs(beat->is_clear ? "%; in phase: " : "%; may be chance: ", out);
	write_decimals(out, "%.2f", beat->strength);
	fputs(" at ", out);
	write_decimals(out, "%.3f", beat->phase);
	fprintf(out, " of the period, %u cycles)", beat->n_cycles);
}

static void write_figures(FILE *out, const void *context, uint32_t node, bool is_colour)
{
	const NodeBeat *beat = &((const BeatInk *)context)->beats[node];
	bool is_dim = is_colour && !beat->is_clear;
	fputs(is_dim ? "\033[2m" : "", out);
	write_decimals(out, "%9.2f", beat->strength);
	write_decimals(out, "%9.3f", beat->phase);
	fprintf(out, " %9u%s  ", beat->n_cycles, beat->is_clear ? " " : "~");
	fputs(is_dim ? "\033[0m" : "", out);
}

void beat_ink_init(BeatInk *self, const CallTree *tree, const NodeBeat *beats, const char *unit)
{
	*self = (BeatInk){ .tree = tree, .beats = beats, .unit = unit };
	self->overlay = (TreeOverlay){ .colours = colours,
				       .n_colours = G_N_ELEMENTS(colours),
				       .ink = ink_of,
				       .write_words = write_words,
				       .write_figures = write_figures,
				       .figures_head = " in phase       at     cycles ",
				       .legend = legend,
				       .n_legend = G_N_ELEMENTS(legend),
				       .context = self };
}

void beat_write_json(FILE *out, const NodeBeat *beat)
{
	fputs(",\"beat\":{\"strength\":", out);
	write_decimals(out, "%.4f", beat->strength);
	fputs(",\"phase\":", out);
	write_decimals(out, "%.4f", beat->phase);
	fputs(",\"p\":", out);
	write_decimals(out, "%.3e", beat->p);
	fprintf(out, ",\"cycles\":%u,\"clear\":%s}", beat->n_cycles,
		beat->is_clear ? "true" : "false");
}
