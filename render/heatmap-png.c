/* SPDX-License-Identifier: MIT */
/*
 * The heat map as an indexed PNG, painted row by row and never held as a whole: cells are computed
 * once for each row of them and repeated, texts come from strips, outlines go on top of all. A row
 * of pixels depends on nothing but its number.
 */

#include "render/heatmap-sheet.h"

#include <inttypes.h>
#include <string.h>

#include "heatmap/shade.h"
#include "render/formats.h"
#include "render/heatmap-ink.h"
#include "render/heatmap-words.h"
#include "render/png-rows.h"
#include "render/range-outline.h"
#include "render/text-escape.h"

#ifndef FLAMEBEAT_VERSION
#define FLAMEBEAT_VERSION "0"
#endif

#define HATCH_PITCH    6
#define MAX_NOTE_BYTES 8000

typedef struct {
	const Heatmap *heatmap;
	const Heatmap *shade; /* whose cells are drawn */
	const Palette *palette;
	Scale scale;
	const HeatmapSheet *sheet;
	RangeOutline *outline;
	uint8_t *mask;	    /* of the outline: a row of the picture */
	uint8_t *cell_inks; /* by column, of the row of cells at hand */
	uint32_t cell_row;  /* which one that is */
	/* In device pixels: */
	uint32_t factor, left, top, grid_width, grid_height, cell_width, cell_height, width;
} Painter;

/* --- pieces of a row ----------------------------------------------------------------------- */

static uint8_t hatch_ink(const Painter *self, uint32_t x, uint32_t y)
{
	return (x + y) % (HATCH_PITCH * self->factor) < self->factor ? INK_HATCH : INK_HOLE;
}

static void ink_cells(Painter *self, uint32_t r)
{
	const Heatmap *heatmap = self->shade;
	for (uint32_t c = 0; c < heatmap->n_columns; c++) {
		uint64_t weight = heatmap_cell(heatmap, c, r);
		bool is_hole = weight == 0 && heatmap_is_hole(heatmap, c, r);
		self->cell_inks[c] =
			is_hole ? INK_HOLE : ink_of_weight(self->palette, &self->scale, weight);
	}
	self->cell_row = r;
}

static void paint_cells(Painter *self, uint32_t y, uint8_t *row)
{
	uint32_t r = self->heatmap->n_rows - 1 - (y - self->top) / self->cell_height;
	uint32_t x = self->left;
	if (r != self->cell_row)
		ink_cells(self, r);
	for (uint32_t c = 0; c < self->heatmap->n_columns; c++, x += self->cell_width)
		memset(row + x, self->cell_inks[c], self->cell_width);
	if (!heatmap_has_holes(self->heatmap))
		return;
	for (x = self->left; x < self->left + self->grid_width; x++) {
		if (row[x] == INK_HOLE)
			row[x] = hatch_ink(self, x, y);
	}
}

/* A line around the grid, outside of it. */
static void paint_frame(const Painter *self, uint32_t y, uint8_t *row)
{
	uint32_t line = self->factor, bottom = self->top + self->grid_height;
	if (y + line < self->top || y >= bottom + line)
		return;
	uint8_t *begin = row + self->left - line, *end = row + self->left + self->grid_width;
	if (y < self->top || y >= bottom)
		memset(begin, INK_FRAME, self->grid_width + 2 * (size_t)line);
	memset(begin, INK_FRAME, line);
	memset(end, INK_FRAME, line);
}

static void paint_text(uint8_t *row, const uint8_t *coverage, uint32_t width)
{
	for (uint32_t x = 0; x < width; x++) {
		if (coverage[x] > 0)
			row[x] = ink_of_text(coverage[x]);
	}
}

/* Pixel (x, y) of a swatch's inside, `width` wide. */
static uint8_t swatch_ink(const Painter *self, const Swatch *swatch, uint32_t x, uint32_t y)
{
	uint32_t width = swatch->width * self->factor;
	switch (swatch->kind) {
	case SWATCH_RAMP:
		return (uint8_t)(INK_LEVEL + (uint64_t)x * SCALE_LEVELS / width);
	case SWATCH_HOLE:
		return hatch_ink(self, x, y);
	case SWATCH_RANGE:
		return INK_PAGE;
	default:
		return ink_of_weight(self->palette, &self->scale, swatch->weight);
	}
}

static void paint_swatch(const Painter *self, const Swatch *swatch, uint32_t y, uint8_t *row)
{
	uint32_t x = swatch->x * self->factor, width = swatch->width * self->factor;
	uint32_t top = swatch->y * self->factor, height = swatch->height * self->factor;
	bool is_range = swatch->kind == SWATCH_RANGE;
	uint32_t line = is_range ? 2 * self->factor : self->factor;
	uint8_t line_ink = is_range ? INK_OUTLINE : INK_FRAME;
	if (y < top || y >= top + height)
		return;
	for (uint32_t i = 0; i < width; i++) {
		bool is_line =
			y < top + line || y >= top + height - line || i < line || i >= width - line;
		row[x + i] = is_line ? line_ink : swatch_ink(self, swatch, i, y - top);
	}
}

static void paint_outline(Painter *self, uint32_t y, uint8_t *row)
{
	if (range_outline_count(self->outline) == 0)
		return;
	range_outline_row(self->outline, y, self->mask);
	for (uint32_t x = 0; x < self->width; x++) {
		if (self->mask[x] != OUTLINE_NONE)
			row[x] = self->mask[x] == OUTLINE_LINE ? INK_OUTLINE : INK_PAGE;
	}
}

static void paint_row(void *data, uint32_t y, uint8_t *row)
{
	Painter *self = data;
	const HeatmapSheet *sheet = self->sheet;
	memset(row, INK_PAGE, self->width);
	if (y >= self->top && y < self->top + self->grid_height)
		paint_cells(self, y, row);
	else
		paint_text(row, text_strip_row(sheet->page, y), self->width);
	if (y < self->top) {
		for (guint i = 0; i < sheet->swatches->len; i++)
			paint_swatch(self, &g_array_index(sheet->swatches, Swatch, i), y, row);
	}
	paint_text(row, text_strip_row(sheet->axis, y), self->left);
	paint_frame(self, y, row);
	paint_outline(self, y, row);
}

/* --- the file ------------------------------------------------------------------------------ */

static void painter_init(Painter *self, const Heatmap *heatmap, const Shade *shade,
			 const HeatmapSheet *sheet, const HeatmapStyle *style)
{
	const HeatmapLayout *layout = &sheet->layout;
	uint32_t factor = layout->scale_factor;
	*self = (Painter){
		.heatmap = heatmap,
		.shade = &shade->map,
		.palette = style->palette,
		.scale = scale_new(style->scale, &shade->map),
		.sheet = sheet,
		.outline = range_outline_new(heatmap, layout),
		.mask = g_malloc((size_t)layout->width * factor),
		.cell_inks = g_malloc(heatmap->n_columns),
		.cell_row = UINT32_MAX,
		.factor = factor,
		.left = layout->left * factor,
		.top = layout->top * factor,
		.grid_width = layout->grid_width * factor,
		.grid_height = layout->grid_height * factor,
		.cell_width = layout->cell_width * factor,
		.cell_height = layout->cell_height * factor,
		.width = layout->width * factor,
	};
	range_outline_add(self->outline, heatmap->ranges, heatmap->n_ranges);
	range_outline_add(self->outline, style->marks, style->n_marks);
}

static void painter_clear(Painter *self)
{
	range_outline_free(self->outline);
	g_free(self->mask);
	g_free(self->cell_inks);
}

static char *clean_note(const char *text)
{
	return text != NULL ? text_to_utf8(text_from(text), MAX_NOTE_BYTES) : NULL;
}

/* What a program needs to find times and weights in the picture again. */
static char *describe_grid(const Heatmap *heatmap, const HeatmapLayout *layout)
{
	uint32_t factor = layout->scale_factor;
	return g_strdup_printf(
		"columns=%u rows=%u column_ns=%" PRId64 " origin_ns=%" PRId64 " zero_ns=%" PRId64
		" max=%" PRIu64 " total=%" PRIu64 " left=%u top=%u cell_width=%u cell_height=%u",
		heatmap->n_columns, heatmap->n_rows, heatmap->column_ns, heatmap->origin_ns,
		heatmap->zero_ns, heatmap->max, heatmap->total, layout->left * factor,
		layout->top * factor, layout->cell_width * factor, layout->cell_height * factor);
}

static bool write_picture(FILE *out, Painter *painter, const Caption *caption, GError **error)
{
	const HeatmapLayout *layout = &painter->sheet->layout;
	Rgb inks[N_INKS];
	g_autofree char *title = clean_note(caption->title);
	g_autofree char *source = clean_note(caption->source);
	g_autofree char *options = clean_note(caption->options);
	g_autofree char *event = clean_note(caption->event);
	g_autofree char *unit = clean_note(caption->unit);
	g_autofree char *cell = words_cell(painter->heatmap, unit);
	g_autofree char *grid = describe_grid(painter->heatmap, layout);
	const PngNote notes[] = {
		{ "Title", title },	      { "Software", "flamebeat " FLAMEBEAT_VERSION },
		{ "Source", source },	      { "flamebeat:options", options },
		{ "flamebeat:event", event }, { "flamebeat:unit", unit },
		{ "flamebeat:cell", cell },   { "flamebeat:grid", grid },
	};
	PngPicture picture = {
		.width = painter->width,
		.height = layout->height * layout->scale_factor,
		.scale_factor = layout->scale_factor,
		.colours = inks,
		.n_colours = N_INKS,
		.notes = notes,
		.n_notes = G_N_ELEMENTS(notes),
	};
	ink_fill(inks, painter->palette, &painter->scale);
	return png_rows_write(out, &picture, paint_row, painter, error);
}

bool heatmap_png(FILE *out, const Heatmap *heatmap, const Caption *caption,
		 const HeatmapStyle *style, GError **error)
{
	g_auto(Shade) shade = { .cells = NULL };
	if (!shade_init(&shade, heatmap, style->scale, error))
		return false;
	Scale scale = scale_new(style->scale, &shade.map);
	g_autoptr(HeatmapSheet) sheet = heatmap_sheet_new(heatmap, caption, style, &scale, error);
	Painter painter;
	if (sheet == NULL)
		return false;
	painter_init(&painter, heatmap, &shade, sheet, style);
	bool is_written = write_picture(out, &painter, caption, error);
	painter_clear(&painter);
	return is_written;
}
