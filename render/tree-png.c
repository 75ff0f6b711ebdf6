/* SPDX-License-Identifier: MIT */
/*
 * The flame graph as a still picture: the page of flame-page.h drawn with cairo. The PNG asks for
 * one row of pixels after the other, cairo draws a band of them at a time (its surfaces end at
 * 32,767 px, stacks do not), on a page shifted up by where the band begins. Frames are sorted by
 * depth beforehand, so that a band looks only at its own.
 */

#include "render/formats.h"

#include <cairo.h>
#include <inttypes.h>
#include <math.h>

#include "render/flame-page.h"
#include "render/label.h"
#include "render/png-rows.h"
#include "render/text-escape.h"
#include "store/error.h"

#define FONT		"DejaVu Sans"
#define BAND_HEIGHT	256
#define MAX_BAND_WIDTH	32767
#define DEFAULT_SCALE	2
#define CORNER_PX	2
#define MAX_LABEL_BYTES 1024 /* more never fits in a frame */

/* A frame within its row. */
typedef struct {
	float x, width;
	uint32_t node;
} Bar;

typedef struct {
	const CallTree *tree;
	const TreeStyle *style;
	FlamePage *page;
	uint32_t scale;
	Bar *bars;	     /* by depth */
	uint32_t *row_begin; /* by depth, and one more: where its bars begin */
	cairo_surface_t *surface;
	cairo_t *cr;
	uint32_t width, height;	       /* of the picture, device pixels */
	uint32_t band_begin, band_end; /* rows of it that `surface` shows */
} Painter;

/* --- frames by depth ------------------------------------------------------------------------ */

static void count_rows(Painter *self)
{
	TreeLayout *layout = &self->page->layout;
	LayoutRect rect;
	uint32_t n_rows = self->page->counts.n_rows;
	self->row_begin = g_new0(uint32_t, (size_t)n_rows + 2);
	tree_layout_rewind(layout);
	while (tree_layout_next(layout, &rect))
		self->row_begin[rect.depth + 2]++;
	for (uint32_t d = 2; d <= n_rows; d++)
		self->row_begin[d] += self->row_begin[d - 1];
}

/* A counting sort: row_begin[d + 1] is where the next frame of depth d goes, and in the end where
 * those of depth d + 1 begin. */
static void sort_bars(Painter *self)
{
	TreeLayout *layout = &self->page->layout;
	LayoutRect rect;
	count_rows(self);
	self->bars = g_new(Bar, (size_t)self->page->counts.n_drawn + 1);
	tree_layout_rewind(layout);
	while (tree_layout_next(layout, &rect))
		self->bars[self->row_begin[rect.depth + 1]++] =
			(Bar){ (float)rect.x, (float)rect.width, rect.node };
}

/* --- drawing -------------------------------------------------------------------------------- */

static void set_colour(cairo_t *cr, Rgb colour)
{
	cairo_set_source_rgb(cr, colour.r / 255.0, colour.g / 255.0, colour.b / 255.0);
}

static void round_rectangle(cairo_t *cr, double x, double y, double width, double height)
{
	const double r = MIN(CORNER_PX, height / 2);
	if (width < 4 * r) {
		cairo_rectangle(cr, x, y, width, height);
		return;
	}
	cairo_new_sub_path(cr);
	cairo_arc(cr, x + width - r, y + r, r, -G_PI / 2, 0);
	cairo_arc(cr, x + width - r, y + height - r, r, 0, G_PI / 2);
	cairo_arc(cr, x + r, y + height - r, r, G_PI / 2, G_PI);
	cairo_arc(cr, x + r, y + r, r, G_PI, 3 * G_PI / 2);
	cairo_close_path(cr);
}

static void draw_label(cairo_t *cr, Label label, double x, double y)
{
	if (label.text.len == 0)
		return;
	g_autofree char *clean = text_to_utf8(label.text, MAX_LABEL_BYTES);
	g_autofree char *shown = g_strconcat(clean, label.is_cut ? LABEL_CUT : "", NULL);
	cairo_move_to(cr, x, y);
	cairo_show_text(cr, shown);
}

/* White stripes over the path in hand; they are in one place of the page whatever the band. */
static void hatch(cairo_t *cr)
{
	double left, top, right, bottom;
	const double step = 10;
	cairo_path_extents(cr, &left, &top, &right, &bottom);
	cairo_save(cr);
	cairo_clip(cr);
	cairo_set_source_rgba(cr, 1, 1, 1, 0.75);
	cairo_set_line_width(cr, 2.5);
	for (double x = floor((left - bottom) / step) * step; x < right - top; x += step) {
		cairo_move_to(cr, x + top, top);
		cairo_line_to(cr, x + bottom, bottom);
		cairo_stroke(cr);
	}
	cairo_restore(cr);
}

/* Fills the path in hand. */
static void fill_ink(const Painter *self, FrameInk ink)
{
	set_colour(self->cr, self->style->overlay->colours[ink.colour]);
	cairo_fill_preserve(self->cr);
	if (ink.is_hatched)
		hatch(self->cr);
	cairo_new_path(self->cr);
}

static void fill_frame(const Painter *self, uint32_t node)
{
	const TreeOverlay *overlay = self->style->overlay;
	if (overlay != NULL) {
		fill_ink(self, overlay->ink(overlay->context, node));
		return;
	}
	set_colour(self->cr, flame_page_colour(self->page, self->style, node));
	cairo_fill(self->cr);
}

static void draw_bar(const Painter *self, const Bar *bar, double y)
{
	Text name = flame_page_name(self->page, bar->node);
	double x = PAGE_PAD + (double)bar->x;
	/* Where neighbours have few colours, a gap shows where one ends. */
	double gap = self->style->overlay != NULL && bar->width > 2 ? 0.5 : 0;
	round_rectangle(self->cr, x, y, (double)bar->width - gap,
			self->page->row_height - PAGE_FRAME_GAP);
	fill_frame(self, bar->node);
	set_colour(self->cr, (Rgb){ 0x1a, 0x1a, 0x1a });
	draw_label(self->cr, flame_page_label(self->page, name, (double)bar->width),
		   x + PAGE_TEXT_INSET, y + flame_page_text_base(self->page));
}

/* Rows of which some part is between `top` and `bottom`, px of the page. */
static void draw_rows(const Painter *self, double top, double bottom)
{
	const FlamePage *page = self->page;
	int64_t first = (int64_t)floor((top - page->frames_y) / page->row_height);
	int64_t last = (int64_t)floor((bottom - page->frames_y) / page->row_height);
	first = MAX(first, 0);
	last = MIN(last, (int64_t)page->counts.n_rows - 1);
	cairo_set_font_size(self->cr, page->font_px);
	for (int64_t row = first; row <= last; row++) {
		uint32_t depth = flame_page_depth_of_row(page, (uint32_t)row);
		double y = flame_page_row_y(page, depth);
		for (uint32_t i = self->row_begin[depth]; i < self->row_begin[depth + 1]; i++)
			draw_bar(self, &self->bars[i], y);
	}
}

static void draw_centred(const Painter *self, const char *text, double y)
{
	cairo_text_extents_t extents;
	cairo_text_extents(self->cr, text, &extents);
	cairo_move_to(self->cr, (self->page->width - extents.x_advance) / 2, y);
	cairo_show_text(self->cr, text);
}

static void draw_texts(const Painter *self)
{
	const FlamePage *page = self->page;
	set_colour(self->cr, (Rgb){ 0x1a, 0x1a, 0x1a });
	cairo_set_font_size(self->cr, PAGE_TITLE_PX);
	draw_centred(self, page->title, PAGE_TITLE_Y);
	set_colour(self->cr, (Rgb){ 0x6b, 0x6b, 0x66 });
	cairo_set_font_size(self->cr, LABEL_FONT_PX);
	for (guint i = 0; i < page->subtitle->len; i++)
		draw_centred(self, g_ptr_array_index(page->subtitle, i), flame_page_subtitle_y(i));
	if (page->counts.n_drawn == 0) {
		draw_centred(self, page->note, page->note_y);
	} else if (page->note != NULL) {
		cairo_move_to(self->cr, PAGE_PAD, page->note_y);
		cairo_show_text(self->cr, page->note);
	}
}

static void draw_legend(const Painter *self)
{
	const GArray *legend = self->page->legend;
	for (guint i = 0; i < legend->len; i++) {
		const LegendItem *item = &g_array_index(legend, LegendItem, i);
		double y = self->page->legend_y + item->y;
		round_rectangle(self->cr, PAGE_PAD + item->x, y - LEGEND_SWATCH_HEIGHT + 1,
				LEGEND_SWATCH_WIDTH, LEGEND_SWATCH_HEIGHT);
		fill_ink(self, item->entry->ink);
		set_colour(self->cr, (Rgb){ 0x1a, 0x1a, 0x1a });
		cairo_move_to(self->cr, PAGE_PAD + item->words_x, y);
		cairo_show_text(self->cr, item->entry->words);
	}
}

static void draw_axis(const Painter *self)
{
	const FlamePage *page = self->page;
	double bottom = page->frames_y + (double)page->counts.n_rows * page->row_height;
	AxisTick tick;
	for (uint32_t i = 0; page->axis_y > 0 && flame_page_tick(page, i, &tick); i++) {
		set_colour(self->cr, (Rgb){ 0xc4, 0xc4, 0xbc });
		cairo_rectangle(self->cr, tick.x, page->axis_y + 3, 1, bottom - page->axis_y - 3);
		cairo_fill(self->cr);
		set_colour(self->cr, (Rgb){ 0x5f, 0x5f, 0x5a });
		cairo_set_font_size(self->cr, LABEL_FONT_PX);
		cairo_text_extents_t extents;
		cairo_text_extents(self->cr, tick.text, &extents);
		double x =
			CLAMP(tick.x - extents.x_advance / 2, 0, page->width - extents.x_advance);
		cairo_move_to(self->cr, x, page->axis_y);
		cairo_show_text(self->cr, tick.text);
		g_free(tick.text);
	}
}

static double mix(uint8_t a, uint8_t b, double share)
{
	return (a + (b - a) * share) / 255;
}

static void add_stop(const Painter *self, cairo_pattern_t *pattern, double offset, double y)
{
	Rgb a = self->page->ground->top, b = self->page->ground->bottom;
	double share = CLAMP(y / self->page->height, 0, 1);
	cairo_pattern_add_color_stop_rgb(pattern, offset, mix(a.r, b.r, share),
					 mix(a.g, b.g, share), mix(a.b, b.b, share));
}

/* The part of the page's gradient that is seen here: a gradient as high as the page could be too
 * high for cairo's coordinates. */
static void draw_background(const Painter *self, double top, double bottom)
{
	cairo_pattern_t *pattern = cairo_pattern_create_linear(0, 0, 0, bottom - top);
	add_stop(self, pattern, 0, top);
	add_stop(self, pattern, 1, bottom);
	cairo_set_source(self->cr, pattern);
	cairo_paint(self->cr);
	cairo_pattern_destroy(pattern);
}

static void draw_band(Painter *self, uint32_t begin)
{
	double top = (double)begin / self->scale;
	double bottom = (double)(begin + BAND_HEIGHT) / self->scale;
	cairo_save(self->cr);
	cairo_scale(self->cr, self->scale, self->scale);
	draw_background(self, top, bottom);
	cairo_translate(self->cr, 0, -top);
	draw_axis(self);
	draw_rows(self, top, bottom);
	draw_texts(self);
	draw_legend(self);
	cairo_restore(self->cr);
	cairo_surface_flush(self->surface);
	self->band_begin = begin;
	self->band_end = begin + BAND_HEIGHT;
}

/* --- rows of pixels ------------------------------------------------------------------------- */

static void fill_row(void *data, uint32_t y, uint8_t *row)
{
	Painter *self = data;
	if (y < self->band_begin || y >= self->band_end)
		draw_band(self, y - y % BAND_HEIGHT);
	const uint8_t *line = cairo_image_surface_get_data(self->surface);
	if (line == NULL)
		return;
	line += (size_t)(y - self->band_begin) *
		(size_t)cairo_image_surface_get_stride(self->surface);
	for (uint32_t x = 0; x < self->width; x++) {
		uint32_t pixel;
		memcpy(&pixel, line + 4 * (size_t)x, sizeof(pixel));
		*row++ = (uint8_t)(pixel >> 16);
		*row++ = (uint8_t)(pixel >> 8);
		*row++ = (uint8_t)pixel;
	}
}

/* Grey, advances unhinted: the same pixels whatever screen the user's desktop is set up for. */
static void set_font(cairo_t *cr, const char *font)
{
	cairo_font_options_t *options = cairo_font_options_create();
	cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
	cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
	cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
	cairo_set_font_options(cr, options);
	cairo_font_options_destroy(options);
	cairo_select_font_face(cr, font, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
}

static bool check_size(uint64_t width, uint64_t height, GError **error)
{
	if (width <= MAX_BAND_WIDTH && png_rows_check(width, height, NULL))
		return true;
	return fail(error, FLAMEBEAT_ERROR_LIMIT,
		    "the flame graph would be %" PRIu64 " x %" PRIu64 " pixels, too many for a "
		    "PNG: choose --format svg, a smaller --scale-factor or --width, or a larger "
		    "--min-width",
		    width, height);
}

/* Empty is left out, like what is not known. */
static char *clean(const char *text)
{
	return text == NULL || *text == '\0' ? NULL : text_to_utf8(text_from(text), 0);
}

static bool write_picture(FILE *out, Painter *self, const Caption *caption, GError **error)
{
	g_autofree char *source = clean(caption->source), *options = clean(caption->options);
	g_autofree char *event = clean(caption->event), *unit = clean(caption->unit);
	const PngNote notes[] = {
		{ "Title", self->page->title }, { "Software", "flamebeat " FLAMEBEAT_VERSION },
		{ "Source", source },		{ "flamebeat:options", options },
		{ "flamebeat:event", event },	{ "flamebeat:unit", unit },
	};
	const PngPicture picture = { .width = self->width,
				     .height = self->height,
				     .scale_factor = self->scale,
				     .notes = notes,
				     .n_notes = G_N_ELEMENTS(notes) };
	if (!png_rows_write(out, &picture, fill_row, self, error))
		return false;
	cairo_status_t status = cairo_status(self->cr);
	return status == CAIRO_STATUS_SUCCESS ||
	       fail(error, FLAMEBEAT_ERROR_FAILED, "could not draw the picture: %s",
		    cairo_status_to_string(status));
}

static bool paint(FILE *out, Painter *self, const Caption *caption, GError **error)
{
	uint64_t width = (uint64_t)ceil(self->page->width * self->scale);
	uint64_t height = (uint64_t)ceil(self->page->height * self->scale);
	if (!check_size(width, height, error))
		return false;
	self->width = (uint32_t)width;
	self->height = (uint32_t)height;
	self->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, BAND_HEIGHT);
	self->cr = cairo_create(self->surface);
	set_font(self->cr, self->style->font != NULL ? self->style->font : FONT);
	sort_bars(self);
	return write_picture(out, self, caption, error);
}

bool tree_png(FILE *out, const CallTree *tree, const Caption *caption, const TreeStyle *style,
	      GError **error)
{
	g_auto(FlamePage) page;
	flame_page_init(&page, tree, caption, style);
	Painter self = { .tree = tree,
			 .style = style,
			 .page = &page,
			 .scale = style->scale_factor > 0 ? style->scale_factor : DEFAULT_SCALE };
	bool is_painted = paint(out, &self, caption, error);
	g_clear_pointer(&self.cr, cairo_destroy);
	g_clear_pointer(&self.surface, cairo_surface_destroy);
	g_free(self.bars);
	g_free(self.row_begin);
	return is_painted;
}
