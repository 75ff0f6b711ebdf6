/* SPDX-License-Identifier: MIT */
/*
 * The phase profile as a picture: the rate over one period as a filled line of steps, the range
 * from the 10th to the 90th percentile of the single periods as bars on it, the average as a dashed
 * line. Where the frequency is known the right axis says the same in busy CPUs.
 */

#include <cairo.h>
#include <math.h>

#include "render/formats.h"
#include "render/heatmap-words.h"
#include "render/png-rows.h"
#include "render/text-escape.h"
#include "render/time-axis.h"
#include "store/error.h"

#define FONT	      "DejaVu Sans"
#define WIDTH	      1100
#define HEIGHT	      430
#define LEFT	      76
#define RIGHT	      70
#define TOP	      96
#define BOTTOM	      62
#define PLOT_WIDTH    (WIDTH - LEFT - RIGHT)
#define PLOT_HEIGHT   (HEIGHT - TOP - BOTTOM)
#define DEFAULT_SCALE 2
#define N_Y_TICKS     5
#define MIN_TICK_PX   70
#define HEADROOM      1.06

typedef struct {
	const Fold *fold;
	cairo_t *cr;
	cairo_surface_t *surface;
	double top; /* rate at the top of the plot */
} Chart;

static double x_of(const Chart *self, double bin)
{
	return LEFT + bin * PLOT_WIDTH / self->fold->n_bins;
}

static double y_of(const Chart *self, double rate)
{
	return TOP + PLOT_HEIGHT * (1 - CLAMP(rate / self->top, 0, 1));
}

static void set_grey(cairo_t *cr, double grey)
{
	cairo_set_source_rgb(cr, grey, grey, grey);
}

/* `anchor`: how much of the text is left of x. */
static void write_text(const Chart *self, double x, double y, double anchor, const char *text)
{
	cairo_text_extents_t extents;
	cairo_text_extents(self->cr, text, &extents);
	cairo_move_to(self->cr, x - anchor * extents.x_advance, y);
	cairo_show_text(self->cr, text);
}

/* As much of a hostile text as fits. */
static void write_line(const Chart *self, double y, double size, double grey, const char *text)
{
	g_autofree char *clean = text_to_utf8(text_from(text != NULL ? text : ""), 170);
	set_grey(self->cr, grey);
	cairo_set_font_size(self->cr, size);
	write_text(self, 16, y, 0, clean);
}

/* --- axes ---------------------------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten, at least `min`. */
static double round_step(double min)
{
	double power = pow(10, floor(log10(min)));
	double digits = min / power;
	return power * (digits <= 1 ? 1 : digits <= 2 ? 2 : digits <= 5 ? 5 : 10);
}

/* Ticks of one side: `factor` is from its numbers to rates. */
static void draw_rate_axis(const Chart *self, double factor, bool is_left)
{
	double step = round_step(self->top / factor / N_Y_TICKS);
	double x = is_left ? LEFT : LEFT + PLOT_WIDTH;
	cairo_set_font_size(self->cr, 11);
	for (double value = 0; value * factor <= self->top; value += step) {
		char number[32];
		double y = y_of(self, value * factor);
		if (is_left) {
			set_grey(self->cr, 0.9);
			cairo_rectangle(self->cr, LEFT, floor(y), PLOT_WIDTH, 1);
			cairo_fill(self->cr);
		}
		g_ascii_formatd(number, sizeof(number),
				step < 0.1 ? "%.2f"
				: step < 1 ? "%.1f"
					   : "%.0f",
				value);
		set_grey(self->cr, 0.3);
		write_text(self, is_left ? x - 8 : x + 8, y + 4, is_left ? 1 : 0, number);
	}
}

static void draw_phase_axis(const Chart *self)
{
	int64_t period_ns = self->fold->period_ns;
	int64_t step = time_axis_step(MAX(period_ns / (PLOT_WIDTH / MIN_TICK_PX), 1));
	TimeUnit unit = time_axis_unit(period_ns);
	double y = TOP + PLOT_HEIGHT;
	for (int64_t t = 0; t <= period_ns; t += step) {
		g_autofree char *number = time_axis_number(t, unit);
		double x = LEFT + (double)t / (double)period_ns * PLOT_WIDTH;
		set_grey(self->cr, 0.55);
		cairo_rectangle(self->cr, floor(x), y, 1, 5);
		cairo_fill(self->cr);
		set_grey(self->cr, 0.3);
		write_text(self, x, y + 18, 0.5, number);
	}
	g_autofree char *zero = time_format_seconds(self->fold->zero_ns);
	g_autofree char *label = g_strdup_printf(
		"time within the period (%s); phase 0 is %s s on the recording's clock", unit.name,
		zero);
	write_text(self, LEFT, y + 38, 0, label);
}

static void draw_axes(const Chart *self)
{
	const Sampling *sampling = &self->fold->sampling;
	draw_rate_axis(self, 1, true);
	if (sampling->hz > 0) {
		draw_rate_axis(self, sampling->hz, false);
		write_text(self, WIDTH - 12, TOP - 12, 1, "CPUs busy");
	}
	draw_phase_axis(self);
}

/* --- the profile --------------------------------------------------------------------------- */

static void trace_steps(const Chart *self)
{
	cairo_move_to(self->cr, LEFT, y_of(self, self->fold->bins[0].rate));
	for (uint32_t i = 0; i < self->fold->n_bins; i++) {
		double y = y_of(self, self->fold->bins[i].rate);
		cairo_line_to(self->cr, x_of(self, i), y);
		cairo_line_to(self->cr, x_of(self, i + 1), y);
	}
}

static void draw_profile(const Chart *self)
{
	cairo_t *cr = self->cr;
	trace_steps(self);
	cairo_line_to(cr, LEFT + PLOT_WIDTH, TOP + PLOT_HEIGHT);
	cairo_line_to(cr, LEFT, TOP + PLOT_HEIGHT);
	cairo_close_path(cr);
	cairo_set_source_rgba(cr, 0.90, 0.22, 0.12, 0.28);
	cairo_fill(cr);
	trace_steps(self);
	cairo_set_source_rgb(cr, 0.80, 0.10, 0.07);
	cairo_set_line_width(cr, 1.75);
	cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
	cairo_stroke(cr);
}

static void draw_spread(const Chart *self)
{
	double bar = MAX(PLOT_WIDTH / (double)self->fold->n_bins * 0.36, 1);
	cairo_set_source_rgba(self->cr, 0.20, 0.24, 0.36, 0.34);
	for (uint32_t i = 0; i < self->fold->n_bins; i++) {
		const FoldBin *bin = &self->fold->bins[i];
		double y = y_of(self, bin->high), bottom = y_of(self, bin->low);
		if (bin->n_periods > 1 && bin->high > bin->low)
			cairo_rectangle(self->cr, x_of(self, i + 0.5) - bar / 2, y, bar,
					MAX(bottom - y, 1));
	}
	cairo_fill(self->cr);
}

static void draw_average(const Chart *self)
{
	static const double dashes[] = { 5, 4 };
	double y = floor(y_of(self, self->fold->rate)) + 0.5;
	set_grey(self->cr, 0.25);
	cairo_set_line_width(self->cr, 1);
	cairo_set_dash(self->cr, dashes, G_N_ELEMENTS(dashes), 0);
	cairo_move_to(self->cr, LEFT, y);
	cairo_line_to(self->cr, LEFT + PLOT_WIDTH, y);
	cairo_stroke(self->cr);
	cairo_set_dash(self->cr, NULL, 0, 0);
}

static void draw_head(const Chart *self, const Caption *caption)
{
	g_autofree char *period = words_duration(self->fold->period_ns);
	g_autofree char *unit = text_to_utf8(text_from(caption->unit), 100);
	g_autofree char *key = g_strdup_printf(
		"%s per second by phase, %u period%s of %s added up; bars: from the 10th to the "
		"90th percentile of the periods; dashed: average",
		unit, self->fold->n_periods, plural(self->fold->n_periods), period);
	cairo_select_font_face(self->cr, FONT, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_BOLD);
	write_line(self, 30, 17, 0, caption->title);
	cairo_select_font_face(self->cr, FONT, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
	write_line(self, 50, 12, 0.15, caption->subtitle);
	write_line(self, 69, 12, 0.15, key);
}

static void draw(const Chart *self, const Caption *caption)
{
	set_grey(self->cr, 1);
	cairo_paint(self->cr);
	draw_head(self, caption);
	draw_axes(self);
	draw_profile(self);
	draw_spread(self);
	draw_average(self);
	set_grey(self->cr, 0.55);
	cairo_rectangle(self->cr, LEFT, TOP + PLOT_HEIGHT, PLOT_WIDTH, 1);
	cairo_fill(self->cr);
	g_autofree char *origin = g_strdup_printf("flamebeat " FLAMEBEAT_VERSION "   %s",
						  caption->options != NULL ? caption->options : "");
	write_line(self, HEIGHT - 8, 10, 0.45, origin);
}

/* --- the file ------------------------------------------------------------------------------ */

static void fill_row(void *data, uint32_t y, uint8_t *row)
{
	const Chart *self = data;
	const uint8_t *line = cairo_image_surface_get_data(self->surface) +
			      (size_t)y * (size_t)cairo_image_surface_get_stride(self->surface);
	int width = cairo_image_surface_get_width(self->surface);
	for (int x = 0; x < width; x++) {
		uint32_t pixel;
		memcpy(&pixel, line + 4 * (size_t)x, sizeof(pixel));
		*row++ = (uint8_t)(pixel >> 16);
		*row++ = (uint8_t)(pixel >> 8);
		*row++ = (uint8_t)pixel;
	}
}

static bool write_picture(FILE *out, Chart *self, const Caption *caption, uint32_t factor,
			  GError **error)
{
	g_autofree char *title = text_to_utf8(text_from(caption->title), 0);
	const PngNote notes[] = { { "Title", title },
				  { "Software", "flamebeat " FLAMEBEAT_VERSION } };
	const PngPicture picture = { .width = WIDTH * factor,
				     .height = HEIGHT * factor,
				     .scale_factor = factor,
				     .notes = notes,
				     .n_notes = G_N_ELEMENTS(notes) };
	cairo_surface_flush(self->surface);
	if (cairo_status(self->cr) != CAIRO_STATUS_SUCCESS)
		return fail(error, FLAMEBEAT_ERROR_FAILED, "could not draw the picture: %s",
			    cairo_status_to_string(cairo_status(self->cr)));
	return png_rows_write(out, &picture, fill_row, self, error);
}

bool fold_png(FILE *out, const Fold *fold, const Caption *caption, const HeatmapStyle *style,
	      GError **error)
{
	uint32_t factor = style->scale_factor > 0 ? style->scale_factor : DEFAULT_SCALE;
	Chart self = { .fold = fold, .top = MAX(fold->max, 1e-6) * HEADROOM };
	self.surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)(WIDTH * factor),
						  (int)(HEIGHT * factor));
	self.cr = cairo_create(self.surface);
	cairo_scale(self.cr, factor, factor);
	draw(&self, caption);
	bool is_written = write_picture(out, &self, caption, factor, error);
	cairo_destroy(self.cr);
	cairo_surface_destroy(self.surface);
	return is_written;
}
