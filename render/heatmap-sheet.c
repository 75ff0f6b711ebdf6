/* SPDX-License-Identifier: MIT */
/*
 * What is around the cells, from top to bottom: title, subtitle, legend, name of the rows, the
 * grid with its left axis, the time axis, where it all comes from. The picture must explain itself
 * when it has left its folder, so nothing here is optional; what is too long is elided. Texts that
 * come from recordings pass text_to_utf8().
 */

#include "render/heatmap-sheet.h"

#include "render/heatmap-legend.h"
#include "render/heatmap-words.h"
#include "render/png-rows.h"
#include "render/text-escape.h"
#include "render/time-axis.h"

#ifndef FLAMEBEAT_VERSION
#define FLAMEBEAT_VERSION "0"
#endif

#define RIGHT_MARGIN	    28 /* half a time label fits */
#define MIN_PAGE_WIDTH	    900
#define MAX_TEXT_WIDTH	    1600 /* of the subtitle */
#define MAX_SUBTITLE_LINES  4
#define MAX_TEXT_BYTES	    2000
#define MAX_ROW_LABEL_WIDTH 240
#define TICK_LENGTH	    5
#define MIN_ROW_TICK_PX	    40
#define MIN_TIME_TICK_PX    64
#define MIN_LONG_TICK_PX    96 /* wall clock times with milliseconds */
#define MIN_LABEL_PITCH	    13
#define CLOCK_SPAN_NS	    (120 * NS_PER_SECOND) /* longer pictures also say minutes and hours */

void heatmap_sheet_free(HeatmapSheet *self)
{
	if (self == NULL)
		return;
	text_strip_free(self->page);
	text_strip_free(self->axis);
	g_array_unref(self->swatches);
	g_free(self);
}

void heatmap_sheet_write(HeatmapSheet *self, double x, double y, TextStyle style, const char *text)
{
	g_autofree char *fitting =
		text_strip_elide(style, text, self->layout.width - SHEET_MARGIN - x);
	StripLabel label = { x, y, 0, style, fitting };
	text_strip_add(self->page, &label);
}

/* --- above the grid ------------------------------------------------------------------------ */

static void write_line(HeatmapSheet *self, TextStyle style, const char *text)
{
	double height = text_strip_line_height(style);
	heatmap_sheet_write(self, SHEET_MARGIN, self->y + height * 0.75, style, text);
	self->y += height;
}

static void write_title(HeatmapSheet *self, const Caption *caption)
{
	if (caption->title == NULL || caption->title[0] == '\0')
		return;
	g_autofree char *title = text_to_utf8(text_from(caption->title), MAX_TEXT_BYTES);
	write_line(self, TEXT_TITLE, title);
}

static void write_subtitle(HeatmapSheet *self, const Caption *caption)
{
	double max_width = MIN(self->layout.width - 2 * SHEET_MARGIN, MAX_TEXT_WIDTH);
	guint n_left = MAX_SUBTITLE_LINES;
	g_auto(GStrv) parts = g_strsplit(caption->subtitle != NULL ? caption->subtitle : "", "\n",
					 MAX_SUBTITLE_LINES);
	for (char **part = parts; *part != NULL && n_left > 0; part++) {
		g_autofree char *clean = text_to_utf8(text_from(*part), MAX_TEXT_BYTES);
		g_auto(GStrv) lines = text_strip_wrap(TEXT_PLAIN, clean, max_width, n_left);
		for (char **line = lines; *line != NULL; line++, n_left--)
			write_line(self, TEXT_PLAIN, *line);
	}
}

/* --- the left axis ------------------------------------------------------------------------- */

static char *row_label(const Heatmap *heatmap, uint32_t r)
{
	g_autofree char *clean = text_to_utf8(text_from(heatmap->row_labels[r]), MAX_TEXT_BYTES);
	return text_strip_elide(TEXT_SMALL, clean, MAX_ROW_LABEL_WIDTH);
}

/* Ticks of a column's time, from its start upward; the topmost names the unit. */
typedef struct {
	TimeUnit unit;
	int64_t step_ns;
	int64_t n; /* ticks after the first */
} RowTicks;

static RowTicks row_ticks(const Heatmap *heatmap, const HeatmapLayout *layout)
{
	int64_t max_ticks = MAX(layout->grid_height / MIN_ROW_TICK_PX, 1);
	int64_t min_step = heatmap->column_ns / max_ticks + (heatmap->column_ns % max_ticks > 0);
	RowTicks ticks = { time_axis_unit(heatmap->column_ns), time_axis_step(min_step), 0 };
	ticks.n = heatmap->column_ns / ticks.step_ns;
	return ticks;
}

static char *row_tick_text(const RowTicks *ticks, int64_t i)
{
	g_autofree char *number = time_axis_number(i * ticks->step_ns, ticks->unit);
	return i < ticks->n ? g_steal_pointer(&number)
			    : g_strdup_printf("%s %s", number, ticks->unit.name);
}

static double widest_label(const Heatmap *heatmap, const HeatmapLayout *layout)
{
	double width = 0;
	if (heatmap->by != HEATMAP_BY_TIME) {
		for (uint32_t r = 0; r < heatmap->n_rows; r++) {
			g_autofree char *text = row_label(heatmap, r);
			width = MAX(width, text_strip_measure(TEXT_SMALL, text));
		}
		return width;
	}
	RowTicks ticks = row_ticks(heatmap, layout);
	for (int64_t i = 0; i <= ticks.n; i++) {
		g_autofree char *text = row_tick_text(&ticks, i);
		width = MAX(width, text_strip_measure(TEXT_SMALL, text));
	}
	return width;
}

/* One label of the left axis, its middle at `y`. */
static void add_row_label(HeatmapSheet *self, double y, const char *text)
{
	double x = self->layout.left - 1;
	StripLabel label = { x - TICK_LENGTH - 4, y + 4, 1, TEXT_SMALL, text };
	text_strip_add(self->axis, &label);
	text_strip_add_mark(self->axis, x - TICK_LENGTH, y, TICK_LENGTH, 1);
}

static void add_time_rows(HeatmapSheet *self, const Heatmap *heatmap)
{
	RowTicks ticks = row_ticks(heatmap, &self->layout);
	uint32_t bottom = self->layout.top + self->layout.grid_height;
	for (int64_t i = 0; i <= ticks.n; i++) {
		g_autofree char *text = row_tick_text(&ticks, i);
		double share = (double)(i * ticks.step_ns) / (double)heatmap->column_ns;
		uint32_t y = bottom - (uint32_t)(share * self->layout.grid_height + 0.5);
		add_row_label(self, y, text);
	}
}

static void add_named_rows(HeatmapSheet *self, const Heatmap *heatmap)
{
	uint32_t height = self->layout.cell_height, n = heatmap->n_rows;
	uint32_t pitch = (MIN_LABEL_PITCH + height - 1) / height; /* rows a label */
	for (uint32_t i = 0; i < n; i += pitch) {
		g_autofree char *text = row_label(heatmap, n - 1 - i);
		add_row_label(self, self->layout.top + i * height + height / 2, text);
	}
}

/* --- the time axis ------------------------------------------------------------------------- */

static void add_time_label(HeatmapSheet *self, double x, double y, char *text)
{
	double half = text_strip_measure(TEXT_SMALL, text) / 2;
	StripLabel label = { x, y, 0.5, TEXT_SMALL, text };
	if (x + half < self->layout.width)
		text_strip_add(self->page, &label);
	g_free(text);
}

/* What stands below the seconds: the wall clock where it is known, else minutes and hours. */
static char *second_label(const Heatmap *heatmap, int64_t time_ns)
{
	int64_t clock_ns = heatmap->zero_ns + time_ns;
	int digits = heatmap->column_ns >= NS_PER_SECOND ? 0 : 3;

	return heatmap->wall.is_known
		       ? wall_time_format(time_add(clock_ns, heatmap->wall.offset_ns), false,
					  digits)
		       : time_axis_clock(time_ns);
}

/* What a tick says: of columns that are no round number, a thousandth of one is exact enough. */
static char *tick_text(int64_t time_ns, int64_t column_ns)
{
	int64_t unit = 1;

	while (unit <= column_ns / 1000)
		unit *= 10;
	int64_t half = time_ns < 0 ? -unit / 2 : unit / 2;
	return time_format_seconds(time_add(time_ns, half) / unit * unit);
}

static void add_time_ticks(HeatmapSheet *self, const Heatmap *heatmap, bool has_clock)
{
	const HeatmapLayout *layout = &self->layout;
	bool is_long = heatmap->wall.is_known && heatmap->column_ns < NS_PER_SECOND;
	int64_t min_px = is_long ? MIN_LONG_TICK_PX : MIN_TIME_TICK_PX;
	int64_t min_columns = (min_px + layout->cell_width - 1) / layout->cell_width;
	int64_t step = time_axis_column_step(heatmap->column_ns, heatmap->column_ns * min_columns);
	int64_t step_columns = step / heatmap->column_ns;
	int64_t origin = words_relative(heatmap->origin_ns, heatmap->zero_ns);
	int64_t first = (step_columns - origin / heatmap->column_ns % step_columns) % step_columns;
	if (first > heatmap->n_columns)
		first = 0; /* better one tick that is not round than none */
	for (int64_t c = first; c <= heatmap->n_columns; c += step_columns) {
		int64_t time_ns = origin + c * heatmap->column_ns;
		double x = layout->left + (double)c * layout->cell_width;
		text_strip_add_mark(self->page, x, self->y, 1, TICK_LENGTH);
		add_time_label(self, x, self->y + TICK_LENGTH + 12,
			       tick_text(time_ns, heatmap->column_ns));
		if (has_clock)
			add_time_label(self, x, self->y + TICK_LENGTH + 25,
				       second_label(heatmap, time_ns));
	}
}

static char *describe_time(const Heatmap *heatmap, bool has_clock)
{
	g_autofree char *zero = time_format_seconds(heatmap->zero_ns);
	g_autofree char *column = words_column(heatmap);
	g_autofree char *wall =
		wall_time_format(time_add(heatmap->zero_ns, heatmap->wall.offset_ns), true, 3);
	if (heatmap->by == HEATMAP_BY_FUNCTION)
		return g_strdup_printf("seconds from the onset; %s", column);
	if (heatmap->wall.is_known)
		return g_strdup_printf("time in seconds and on the wall clock; 0 is %s %s, %s s on "
				       "the recording's clock; %s",
				       wall, heatmap->wall.zone, zero, column);
	return g_strdup_printf("time in seconds%s; 0 is %s s on the recording's clock; %s",
			       has_clock ? " and as minutes:seconds" : "", zero, column);
}

static void add_time_axis(HeatmapSheet *self, const Heatmap *heatmap)
{
	int64_t origin = words_relative(heatmap->origin_ns, heatmap->zero_ns);
	int64_t length = heatmap->n_columns * heatmap->column_ns;
	bool has_clock = heatmap->wall.is_known ||
			 (length > CLOCK_SPAN_NS && heatmap->column_ns % NS_PER_SECOND == 0 &&
			  origin % NS_PER_SECOND == 0);
	g_autofree char *text = describe_time(heatmap, has_clock);
	self->y += 1;
	add_time_ticks(self, heatmap, has_clock);
	self->y += TICK_LENGTH + (has_clock ? 31 : 18);
	heatmap_sheet_write(self, self->layout.left, self->y + 11, TEXT_SMALL, text);
	self->y += 16;
}

/* The input's name is in the headline and the metadata: pixels must not depend on its form. */
static void write_origin(HeatmapSheet *self, const Caption *caption)
{
	g_autofree char *options = text_to_utf8(
		text_from(caption->options != NULL ? caption->options : ""), MAX_TEXT_BYTES);
	g_autofree char *line = g_strdup_printf("flamebeat %s   %s", FLAMEBEAT_VERSION, options);
	self->y += 4;
	heatmap_sheet_write(self, self->layout.left, self->y + 10, TEXT_FAINT, g_strchomp(line));
	self->y += 14 + SHEET_MARGIN / 2.0;
}

/* --- all of it ----------------------------------------------------------------------------- */

/* Horizontal extent: known first, since it says where texts must end. */
static bool lay_out_width(HeatmapSheet *self, const Heatmap *heatmap, GError **error)
{
	HeatmapLayout *layout = &self->layout;
	layout->left = SHEET_MARGIN + (uint32_t)widest_label(heatmap, layout) + TICK_LENGTH + 6;
	layout->width = MAX(layout->left + layout->grid_width + RIGHT_MARGIN, MIN_PAGE_WIDTH);
	if (!png_rows_check((uint64_t)layout->width * layout->scale_factor,
			    (uint64_t)layout->grid_height * layout->scale_factor, error))
		return false;
	self->page = text_strip_new(layout->width, layout->scale_factor);
	self->axis = text_strip_new(layout->left, layout->scale_factor);
	return true;
}

HeatmapSheet *heatmap_sheet_new(const Heatmap *heatmap, const Caption *caption,
				const HeatmapStyle *style, const Scale *scale, GError **error)
{
	g_autoptr(HeatmapSheet) self = g_new0(HeatmapSheet, 1);
	HeatmapLayout *layout = &self->layout;
	self->swatches = g_array_new(FALSE, FALSE, sizeof(Swatch));
	if (!heatmap_layout_init(layout, heatmap, style, error) ||
	    !lay_out_width(self, heatmap, error))
		return NULL;
	self->y = SHEET_MARGIN - 4;
	write_title(self, caption);
	write_subtitle(self, caption);
	self->y += 10;
	heatmap_legend_add(self, heatmap, caption, style, scale);
	self->y += 2;
	write_line(self, TEXT_SMALL, words_rows(heatmap));
	layout->top = (uint32_t)self->y + 8;
	if (heatmap->by == HEATMAP_BY_TIME)
		add_time_rows(self, heatmap);
	else
		add_named_rows(self, heatmap);
	self->y = layout->top + layout->grid_height;
	add_time_axis(self, heatmap);
	write_origin(self, caption);
	layout->height = (uint32_t)self->y;
	if (!png_rows_check((uint64_t)layout->width * layout->scale_factor,
			    (uint64_t)layout->height * layout->scale_factor, error))
		return NULL;
	return g_steal_pointer(&self);
}
