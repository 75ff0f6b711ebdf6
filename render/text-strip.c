/* SPDX-License-Identifier: MIT */
/*
 * Labels by cairo's toy text API, as coverage only: what colour ink has is the painter's choice. A
 * band of rows is drawn in tiles narrow enough for a cairo surface; a label that reaches over an
 * edge of a tile is drawn in both and cut by cairo at the same place. Hinting is off for positions,
 * so that a label looks alike wherever a band or tile begins.
 */

#include "render/text-strip.h"

#include <cairo.h>
#include <stdbool.h>
#include <string.h>

#define TILE_WIDTH    16384
#define BAND_BYTES    (16u << 20)
#define MAX_BAND_ROWS 256
#define FONT_FAMILY   "DejaVu Sans"
#define ELLIPSIS      "\xe2\x80\xa6"

static const struct {
	double size; /* px */
	double line_height;
	double alpha;
	cairo_font_weight_t weight;
} styles[] = {
	[TEXT_TITLE] = { 17, 24, 1.0, CAIRO_FONT_WEIGHT_BOLD },
	[TEXT_PLAIN] = { 12, 17, 0.85, CAIRO_FONT_WEIGHT_NORMAL },
	[TEXT_SMALL] = { 11, 14, 0.85, CAIRO_FONT_WEIGHT_NORMAL },
	[TEXT_FAINT] = { 10, 14, 0.6, CAIRO_FONT_WEIGHT_NORMAL },
};

/* A placed label, or a mark where text is NULL. `x` is its left end, `y` the baseline, or the top
 * of a mark. */
typedef struct {
	double x, y, width, height;
	TextStyle style;
	char *text;
} Placed;

struct TextStrip {
	uint32_t width; /* device pixels */
	uint32_t scale_factor;
	GArray *labels; /* of Placed */
	uint8_t *band;
	uint32_t band_begin;
	uint32_t band_rows; /* 0: nothing is drawn yet */
};

static void clear_placed(gpointer data)
{
	g_free(((Placed *)data)->text);
}

TextStrip *text_strip_new(uint32_t width, uint32_t scale_factor)
{
	TextStrip *self = g_new0(TextStrip, 1);
	self->width = MAX(width * scale_factor, 1);
	self->scale_factor = scale_factor;
	self->labels = g_array_new(FALSE, FALSE, sizeof(Placed));
	g_array_set_clear_func(self->labels, clear_placed);
	return self;
}

void text_strip_free(TextStrip *self)
{
	if (self == NULL)
		return;
	g_array_unref(self->labels);
	g_free(self->band);
	g_free(self);
}

static void set_font(cairo_t *cr, TextStyle style)
{
	cairo_font_options_t *options = cairo_font_options_create();
	cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
	cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
	cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	cairo_set_font_options(cr, options);
	cairo_font_options_destroy(options);
	cairo_select_font_face(cr, FONT_FAMILY, CAIRO_FONT_SLANT_NORMAL, styles[style].weight);
	cairo_set_font_size(cr, styles[style].size);
}

double text_strip_measure(TextStyle style, const char *text)
{
	cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
	cairo_t *cr = cairo_create(surface);
	cairo_text_extents_t extents = { 0 };
	set_font(cr, style);
	cairo_text_extents(cr, text, &extents);
	cairo_destroy(cr);
	cairo_surface_destroy(surface);
	return extents.x_advance;
}

double text_strip_line_height(TextStyle style)
{
	return styles[style].line_height;
}

void text_strip_add(TextStrip *self, const StripLabel *label)
{
	double width = text_strip_measure(label->style, label->text);
	double x = label->x - width * label->anchor;
	double height = styles[label->style].size;
	Placed placed = { x, label->y, width, height, label->style, g_strdup(label->text) };
	g_array_append_val(self->labels, placed);
}

void text_strip_add_mark(TextStrip *self, double x, double y, double width, double height)
{
	Placed placed = { x, y, width, height, TEXT_SMALL, NULL };
	g_array_append_val(self->labels, placed);
}

static void draw_placed(cairo_t *cr, const Placed *placed)
{
	if (placed->text == NULL) {
		cairo_set_source_rgba(cr, 0, 0, 0, 0.55);
		cairo_rectangle(cr, placed->x, placed->y, placed->width, placed->height);
		cairo_fill(cr);
		return;
	}
	set_font(cr, placed->style);
	cairo_set_source_rgba(cr, 0, 0, 0, styles[placed->style].alpha);
	cairo_move_to(cr, placed->x, placed->y);
	cairo_show_text(cr, placed->text);
}

/* Draws what touches the surface, whose top left is (x, y) in device pixels. */
static void draw_labels(const TextStrip *self, cairo_t *cr, double x, double y, double height)
{
	double factor = self->scale_factor;
	cairo_translate(cr, -x, -y);
	cairo_scale(cr, factor, factor);
	for (guint i = 0; i < self->labels->len; i++) {
		const Placed *placed = &g_array_index(self->labels, Placed, i);
		double reach = placed->height * 1.5; /* of ink beyond where it should be */
		if ((placed->y + reach) * factor >= y &&
		    (placed->y - reach) * factor <= y + height &&
		    (placed->x + placed->width + reach) * factor >= x &&
		    (placed->x - reach) * factor <= x + TILE_WIDTH)
			draw_placed(cr, placed);
	}
}

/* Fills the band's columns from `x` on. */
static void draw_tile(TextStrip *self, uint32_t x)
{
	uint32_t width = MIN(self->width - x, TILE_WIDTH);
	cairo_surface_t *surface =
		cairo_image_surface_create(CAIRO_FORMAT_A8, (int)width, (int)self->band_rows);
	cairo_t *cr = cairo_create(surface);
	draw_labels(self, cr, x, self->band_begin, self->band_rows);
	cairo_surface_flush(surface);
	const uint8_t *pixels = cairo_image_surface_get_data(surface);
	size_t stride = (size_t)cairo_image_surface_get_stride(surface);
	for (uint32_t row = 0; pixels != NULL && row < self->band_rows; row++)
		memcpy(self->band + (size_t)row * self->width + x, pixels + row * stride, width);
	cairo_destroy(cr);
	cairo_surface_destroy(surface);
}

static void draw_band(TextStrip *self, uint32_t y)
{
	uint32_t n_rows = CLAMP(BAND_BYTES / self->width, 1, MAX_BAND_ROWS);
	if (self->band == NULL)
		self->band = g_malloc0((size_t)n_rows * self->width);
	self->band_begin = y;
	self->band_rows = n_rows;
	for (uint32_t x = 0; x < self->width; x += TILE_WIDTH)
		draw_tile(self, x);
}

const uint8_t *text_strip_row(TextStrip *self, uint32_t y)
{
	if (y - self->band_begin >= self->band_rows)
		draw_band(self, y);
	return self->band + (size_t)(y - self->band_begin) * self->width;
}

char *text_strip_elide(TextStyle style, const char *text, double max_width)
{
	if (text_strip_measure(style, text) <= max_width)
		return g_strdup(text);
	glong low = 0, high = g_utf8_strlen(text, -1); /* characters that surely fit, that do not */
	g_autofree char *best = g_strdup(ELLIPSIS);
	while (high - low > 1) {
		glong middle = low + (high - low) / 2;
		g_autofree char *kept = g_utf8_substring(text, 0, middle);
		g_autofree char *trial = g_strconcat(kept, ELLIPSIS, NULL);
		if (text_strip_measure(style, trial) <= max_width) {
			low = middle;
			g_free(best);
			best = g_steal_pointer(&trial);
		} else {
			high = middle;
		}
	}
	return g_steal_pointer(&best);
}

/* Bytes of the longest beginning of `text` that fits and ends at a blank; all of the first word
 * where even that does not fit. */
static size_t fitting_words(TextStyle style, const char *text, double max_width)
{
	size_t fits = strcspn(text, " ");
	while (text[fits] != '\0') {
		size_t next = fits + 1 + strcspn(text + fits + 1, " ");
		g_autofree char *trial = g_strndup(text, next);
		if (text_strip_measure(style, trial) > max_width)
			break;
		fits = next;
	}
	return fits;
}

char **text_strip_wrap(TextStyle style, const char *text, double max_width, guint max_lines)
{
	GPtrArray *lines = g_ptr_array_new();
	while (*text != '\0' && lines->len < max_lines) {
		bool is_last = lines->len + 1 == max_lines;
		size_t len = is_last ? strlen(text) : fitting_words(style, text, max_width);
		g_autofree char *line = g_strndup(text, len);
		g_ptr_array_add(lines, text_strip_elide(style, line, max_width));
		text += len + (text[len] == ' ');
	}
	g_ptr_array_add(lines, NULL);
	return (char **)g_ptr_array_free(lines, FALSE);
}
