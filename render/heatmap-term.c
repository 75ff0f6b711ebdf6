/* SPDX-License-Identifier: MIT */
/*
 * The heat map on a terminal: one picture that fits, axes, a legend, and beneath it the densest
 * ranges as options to paste, since ssh has no mouse. Cells come from a TermGrid and are drawn by
 * a TermPen; everything else here is plain text, of which nothing from a recording is written
 * without text_to_terminal().
 */

#include <string.h>

#include "heatmap/dense.h"
#include "heatmap/grid.h"
#include "heatmap/shade.h"
#include "render/formats.h"
#include "render/heatmap-words.h"
#include "render/term-grid.h"
#include "render/term-pen.h"
#include "render/text-escape.h"
#include "render/time-axis.h"

#define DEFAULT_WIDTH	  80
#define MIN_CELLS_WIDTH	  10
#define MAX_LABEL_WIDTH	  24
#define MIN_LINES_A_LABEL 4
#define MIN_TICK_WIDTH	  10 /* characters from one time to the next */
#define MAX_DENSE_RANGES  5

typedef struct {
	FILE *out;
	const Heatmap *heatmap;
	const Heatmap *shade; /* whose cells are drawn */
	const HeatmapStyle *style;
	TermGrid grid;
	TermPen pen;
	uint32_t label_width; /* characters to the left of the cells, with a blank */
	TimeUnit unit;	      /* of the rows' labels, by time */
	int64_t step_ns;      /* between them */
} Screen;

/* `text` for the terminal, in ASCII where it has nothing else; g_free() it. */
static char *clean_text(const HeatmapStyle *style, const char *text)
{
	char *clean = text_to_terminal(text_from(text != NULL ? text : ""));
	if (style->is_utf8)
		return clean;
	char *end = clean;
	for (const char *c = clean; *c != '\0'; c++) {
		unsigned char byte = (unsigned char)*c;
		if (byte < 0x80 || byte >= 0xc0) /* the first byte stands for its character */
			*end++ = byte < 0x80 ? *c : '?';
	}
	*end = '\0';
	return clean;
}

static void write_title(const Screen *self, const Caption *caption)
{
	g_autofree char *title = clean_text(self->style, caption->title);
	bool is_bold = self->style->is_colour;
	if (title[0] != '\0')
		fprintf(self->out, "%s%s%s\n", is_bold ? "\x1b[1m" : "", title,
			is_bold ? "\x1b[0m" : "");
	g_auto(GStrv) lines =
		g_strsplit(caption->subtitle != NULL ? caption->subtitle : "", "\n", -1);
	for (char **line = lines; *line != NULL; line++) {
		g_autofree char *clean = clean_text(self->style, *line);
		fprintf(self->out, "%s\n", clean);
	}
	putc_unlocked('\n', self->out);
}

/* --- rows ---------------------------------------------------------------------------------- */

/* The label of row `r` where rows have names, at most MAX_LABEL_WIDTH long. */
static char *name_of_row(const Screen *self, uint32_t r)
{
	g_autofree char *label = clean_text(self->style, self->heatmap->row_labels[r]);
	if (g_utf8_strlen(label, -1) <= MAX_LABEL_WIDTH)
		return g_steal_pointer(&label);
	g_autofree char *kept = g_utf8_substring(label, 0, MAX_LABEL_WIDTH - 2);
	return g_strconcat(kept, "..", NULL);
}

static void measure_labels(Screen *self)
{
	const Heatmap *heatmap = self->heatmap;
	glong width = 0;
	if (heatmap->by != HEATMAP_BY_TIME) {
		for (uint32_t r = 0; r < heatmap->n_rows; r++) {
			g_autofree char *name = name_of_row(self, r);
			width = MAX(width, g_utf8_strlen(name, -1));
		}
	} else {
		self->unit = time_axis_unit(heatmap->column_ns);
		g_autofree char *last = time_axis_number(
			heatmap->column_ns / self->unit.ns * self->unit.ns, self->unit);
		width = MAX((glong)strlen(last), 4);
	}
	self->label_width = (uint32_t)width + 1;
}

/* Rows of the heat map, by time, that line `line` shows: [*begin, *end). */
static void rows_of_line(const Screen *self, uint32_t line, uint32_t *begin, uint32_t *end)
{
	uint32_t lowest = term_grid_row(&self->grid, line);
	uint32_t above = line == 0 ? self->grid.map.n_rows : term_grid_row(&self->grid, line - 1);
	*begin = lowest * self->grid.rows_each;
	*end = MIN(above * self->grid.rows_each, self->heatmap->n_rows);
}

/* The first round time that begins within line `line`; NULL: none does. */
static char *time_of_line(const Screen *self, uint32_t line)
{
	uint32_t begin, end;
	rows_of_line(self, line, &begin, &end);
	int64_t begin_ns = grid_row_begin(self->heatmap->column_ns, self->heatmap->n_rows, begin);
	int64_t end_ns = grid_row_begin(self->heatmap->column_ns, self->heatmap->n_rows, end);
	int64_t time_ns = begin_ns / self->step_ns * self->step_ns;
	if (time_ns < begin_ns)
		time_ns += self->step_ns;
	return time_ns < end_ns ? time_axis_number(time_ns, self->unit) : NULL;
}

static void write_label(const Screen *self, uint32_t line)
{
	uint32_t height = MAX(self->grid.cell_height, 1);
	g_autofree char *label = NULL;
	if (self->heatmap->by == HEATMAP_BY_TIME)
		label = time_of_line(self, line);
	else if (line % height == 0)
		label = name_of_row(self, term_grid_row(&self->grid, line));
	glong width = label != NULL ? g_utf8_strlen(label, -1) : 0;
	fprintf(self->out, "%*s%s%c", (int)(self->label_width - 1 - width), "",
		label != NULL ? label : "", self->style->is_colour ? ' ' : '|');
}

static TermCell cell_at(const Screen *self, uint32_t c, uint32_t r)
{
	size_t i = (size_t)c * self->grid.map.n_rows + r;
	return (TermCell){ self->grid.map.cells[i], self->grid.is_hole[i] };
}

static void write_line(Screen *self, uint32_t line)
{
	const TermGrid *grid = &self->grid;
	uint32_t lower = term_grid_row(grid, line);
	bool has_lower = 2 * line + 2 <= grid->map.n_rows; /* of half lines */
	write_label(self, line);
	for (uint32_t c = 0; c < grid->map.n_columns; c++) {
		TermCell cell = cell_at(self, c, lower);
		if (grid->cell_height > 0)
			term_pen_cell(&self->pen, cell, grid->cell_width);
		else if (has_lower)
			term_pen_halves(&self->pen, cell_at(self, c, lower + 1), &cell,
					grid->cell_width);
		else
			term_pen_halves(&self->pen, cell, NULL, grid->cell_width);
	}
	term_pen_reset(&self->pen);
	fputs(self->style->is_colour ? "\n" : "|\n", self->out);
}

static void write_grid(Screen *self)
{
	uint32_t n_lines = term_grid_n_lines(&self->grid);
	int64_t column_ns = self->heatmap->column_ns,
		n_labels = MAX(n_lines / MIN_LINES_A_LABEL, 1);
	self->step_ns = time_axis_step(column_ns / n_labels + (column_ns % n_labels > 0));
	fprintf(self->out, "%s%s%s%s\n", words_rows(self->heatmap),
		self->heatmap->by == HEATMAP_BY_TIME ? " (" : "",
		self->heatmap->by == HEATMAP_BY_TIME ? self->unit.name : "",
		self->heatmap->by == HEATMAP_BY_TIME ? ")" : "");
	for (uint32_t line = 0; line < n_lines; line++)
		write_line(self, line);
}

/* --- the time axis ------------------------------------------------------------------------- */

/* `|12` where the column that time 12 lies in begins. */
static void write_ticks(const Screen *self)
{
	const TermGrid *grid = &self->grid;
	int64_t n_columns = (MIN_TICK_WIDTH + grid->cell_width - 1) / grid->cell_width;
	int64_t step = time_axis_column_step(self->heatmap->column_ns, grid->column_ns * n_columns);
	int64_t begin = words_relative(self->heatmap->origin_ns, self->heatmap->zero_ns);
	g_autoptr(GString) line = g_string_new("");
	for (uint32_t c = 0; c < grid->map.n_columns; c++, begin += grid->column_ns) {
		int64_t tick = begin / step * step;
		size_t x = (size_t)c * grid->cell_width;
		if (tick < begin)
			tick += step;
		if (n_columns >= grid->map.n_columns && c == 0)
			tick = begin; /* too narrow for round times */
		if (tick >= begin + grid->column_ns || line->len > x)
			continue;
		g_autofree char *text = time_format_seconds(tick);
		g_string_append_printf(line, "%*s|%s", (int)(x - line->len), "", text);
	}
	fprintf(self->out, "%*s%s\n", (int)self->label_width, "", line->str);
}

/* What was merged to make the picture fit; nothing where nothing was. */
static void write_merging(const Screen *self)
{
	uint32_t columns = self->grid.columns_each, rows = self->grid.rows_each;
	if (columns == 1 && rows == 1)
		return;
	fputs("; each character shows ", self->out);
	if (columns > 1)
		fprintf(self->out, "the largest of %u columns", columns);
	if (rows > 1)
		fprintf(self->out, "%sthe %s of %u rows", columns > 1 ? " and " : "",
			self->shade->cell == CELL_PEAK ? "largest" : "sum", rows);
}

static void write_time_axis(const Screen *self)
{
	const Heatmap *heatmap = self->heatmap;
	g_autofree char *column = words_column(heatmap);
	write_ticks(self);
	fprintf(self->out, "time in seconds; %s", column);
	write_merging(self);
	if (heatmap->wall.is_known) {
		g_autofree char *wall =
			wall_time_format(heatmap->zero_ns + heatmap->wall.offset_ns, true, 3);
		g_autofree char *zone = clean_text(self->style, heatmap->wall.zone);
		fprintf(self->out, "\n0 is %s %s on the wall clock", wall, zone);
	}
	fputs("\n\n", self->out);
}

/* --- legend and ranges --------------------------------------------------------------------- */

static void write_legend(Screen *self, const char *unit)
{
	uint64_t weights[TERM_LEGEND_WEIGHTS];
	uint32_t n = term_pen_legend(&self->pen, weights);
	g_autofree char *cell =
		self->pen.scale.kind == SCALE_CAPACITY	 ? words_capacity(self->heatmap)
		: self->pen.scale.kind == SCALE_SURPRISE ? words_surprise(self->heatmap)
							 : words_cell(self->heatmap, unit);
	fprintf(self->out, "%s:", cell);
	for (uint32_t i = 0; i < n; i++) {
		g_autofree char *number = words_scale(&self->pen.scale, weights[i]);
		fputs(self->style->is_colour ? "  " : "  '", self->out);
		term_pen_cell(&self->pen, (TermCell){ weights[i], false },
			      self->style->is_colour ? 2 : 1);
		term_pen_reset(&self->pen);
		fprintf(self->out, "%s %s", self->style->is_colour ? "" : "'", number);
	}
	if (heatmap_has_holes(self->heatmap)) {
		putc_unlocked('\n', self->out);
		term_pen_cell(&self->pen, (TermCell){ 0, true }, 2);
		term_pen_reset(&self->pen);
		fputs(" not recorded", self->out);
	}
	putc_unlocked('\n', self->out);
}

/* "37 samples (9.3x the average)" */
static char *describe_dense(const Heatmap *heatmap, const DenseRange *dense, const char *unit)
{
	g_autofree char *weight = words_weight(dense->weight);
	bool is_peak = heatmap->cell == CELL_PEAK;
	return g_strdup_printf("%s%s %s%s (%.*fx the average)", is_peak ? "up to " : "", weight,
			       unit, is_peak ? " in 20 ms" : "", dense->ratio < 99.95 ? 1 : 0,
			       dense->ratio);
}

static void write_dense_ranges(const Screen *self, const char *unit)
{
	DenseRange dense[MAX_DENSE_RANGES];
	char *ranges[MAX_DENSE_RANGES];
	size_t n = heatmap_densest(self->heatmap, dense, MAX_DENSE_RANGES), width = 0;
	/* The clearest is first: where it may be chance, so are all. */
	if (n > 0 && !dense[0].is_clear)
		n = 0;
	fputs(n > 0 ? "\ndensest ranges:\n" : "\nno range stands out from the average\n",
	      self->out);
	for (size_t i = 0; i < n; i++) {
		ranges[i] = words_range(dense[i].range, self->heatmap->zero_ns);
		width = MAX(width, strlen(ranges[i]));
	}
	for (size_t i = 0; i < n; i++) {
		g_autofree char *text = describe_dense(self->heatmap, &dense[i], unit);
		fprintf(self->out, "  --range %-*s  %s%s\n", (int)width, ranges[i], text,
			dense[i].is_clear ? "" : ", may be chance");
		g_free(ranges[i]);
	}
}

bool heatmap_term(FILE *out, const Heatmap *heatmap, const Caption *caption,
		  const HeatmapStyle *style, GError **error)
{
	Screen screen = { .out = out, .heatmap = heatmap, .style = style };
	g_autofree char *unit =
		clean_text(style, caption->unit != NULL ? caption->unit : "samples");
	uint32_t width = style->width > 0 ? style->width : DEFAULT_WIDTH;
	g_auto(Shade) shade = { .cells = NULL };
	if (!shade_init(&shade, heatmap, style->scale, error))
		return false;
	screen.shade = &shade.map;
	measure_labels(&screen);
	/* One character stays free: for the right edge, or the cursor. */
	width -= MIN(width, screen.label_width + 1);
	width = MAX(width, MIN_CELLS_WIDTH);
	term_grid_init(&screen.grid, &shade.map, style, width);
	term_pen_init(&screen.pen, out, style, scale_new(style->scale, &screen.grid.map));
	write_title(&screen, caption);
	write_grid(&screen);
	write_time_axis(&screen);
	write_legend(&screen, unit);
	write_dense_ranges(&screen, unit);
	term_grid_clear(&screen.grid);
	return true;
}
