/* SPDX-License-Identifier: MIT */
/*
 * The page around a flame graph: headline, subtitle broken into lines, rows of frames, and under
 * them the line for details and the note on what is not drawn. In an icicle graph the details come
 * above the rows, since they belong near the root.
 */

#include "render/flame-page.h"

#include "render/label.h"
#include "render/number.h"
#include "render/text-escape.h"
#include "render/time-axis.h"
#include "render/utf8.h"

#define MIN_WIDTH	   100
#define DEFAULT_WIDTH	   1200
#define BUTTONS_WIDTH	   220 /* left and right of the title, together */
#define DETAILS_HEIGHT	   26
#define BOTTOM_PAD	   10
#define LEGEND_GAP	   8
#define AXIS_HEIGHT	   20
#define MIN_TICK_STEP	   100 /* px between times */
#define MAX_SUBTITLE_LINES 6

/* Cuts the first line off `*rest`: as many words as fit, at least one. */
static Text take_line(Text *rest, double width)
{
	size_t end = 0, next = 0; /* of the line; of the line after it */
	for (size_t i = 1; i <= rest->len; i++) {
		if (i < rest->len && rest->data[i] != ' ')
			continue;
		if (end > 0 && label_width((Text){ rest->data, i }, LABEL_FONT_PX) > width)
			break;
		end = i;
		next = MIN(i + 1, rest->len);
	}
	Text line = { rest->data, end };
	*rest = text_skip(*rest, next);
	return line;
}

static char *cut_line(Text line, double width)
{
	if (label_width(line, LABEL_FONT_PX) <= width)
		return g_strndup(line.data, line.len);
	Label label = label_fit(line, width);
	return g_strdup_printf("%.*s..", (int)label.text.len, label.text.data);
}

static void break_lines(GPtrArray *lines, const char *text, double width)
{
	g_auto(GStrv) paragraphs = g_strsplit(text, "\n", MAX_SUBTITLE_LINES);
	for (char **paragraph = paragraphs; *paragraph != NULL; paragraph++) {
		g_autofree char *clean = text_to_utf8(text_from(*paragraph), 0);
		Text rest = text_from(clean);
		while (rest.len > 0 && lines->len < MAX_SUBTITLE_LINES)
			g_ptr_array_add(lines, cut_line(take_line(&rest, width), width));
	}
}

static char *make_title(const Caption *caption, const TreeStyle *style, double width)
{
	const char *title = caption->title;
	if (title == NULL || *title == '\0')
		title = style->layout == LAYOUT_ICICLE ? "Icicle Graph" : "Flame Graph";
	g_autofree char *clean = text_to_utf8(text_from(title), 0);
	/* In units of the label font, for which label_fit() is made. */
	return cut_line(text_from(clean), width * LABEL_FONT_PX / PAGE_TITLE_PX);
}

static char *make_reason(const FlamePage *self, double min_width)
{
	char px[NUMBER_SIZE], rows[NUMBER_SIZE];
	g_ascii_formatd(px, sizeof(px), "%.4g", min_width);
	if (!self->counts.is_cut)
		return g_strdup_printf("narrower than %s px", px);
	number_format_grouped(rows, self->counts.n_rows);
	return g_strdup_printf("narrower than %s px, or beyond row %s,", px, rows);
}

static char *make_note(const FlamePage *self, double min_width)
{
	char n[NUMBER_SIZE], weight[NUMBER_SIZE];
	if (self->counts.n_drawn == 0)
		return g_strdup("No samples in this selection");
	if (self->counts.n_culled == 0)
		return NULL;
	number_format_grouped(n, self->counts.n_culled);
	number_format_grouped(weight, self->counts.culled_weight);
	g_autofree char *reason = make_reason(self, min_width);
	if (self->legend->len > 0) /* widths are no weights */
		return g_strdup_printf("%s %s %s not drawn", n,
				       self->counts.n_culled == 1 ? "frame" : "frames", reason);
	return g_strdup_printf("%s %s %s not drawn (%s %s)", n,
			       self->counts.n_culled == 1 ? "frame" : "frames", reason, weight,
			       self->unit);
}

static void place(FlamePage *self)
{
	bool is_icicle = self->orientation == LAYOUT_ICICLE;
	double y = PAGE_TITLE_Y + PAGE_LINE_STEP * self->subtitle->len + 14;
	bool is_chart = self->layout.tree->begins != NULL;
	self->details_y = y + 6;
	self->frames_y = is_icicle ? y + DETAILS_HEIGHT - 10 : y;
	if (is_chart) {
		self->frames_y += AXIS_HEIGHT;
		self->axis_y = self->frames_y - 6;
	}
	y = self->frames_y + (double)self->counts.n_rows * self->row_height;
	if (!is_icicle) {
		self->details_y = y + DETAILS_HEIGHT - 8;
		y += DETAILS_HEIGHT;
	}
	if (self->legend->len > 0) {
		self->legend_y = y + LEGEND_GAP;
		y = self->legend_y + legend_height(self->legend);
	}
	self->note_y =
		self->counts.n_drawn == 0 ? self->frames_y + PAGE_LINE_STEP : y + PAGE_LINE_STEP;
	self->height = MAX(self->note != NULL ? self->note_y : 0, y) + BOTTOM_PAD;
}

void flame_page_init(FlamePage *self, const CallTree *tree, const Caption *caption,
		     const TreeStyle *style)
{
	double width = style->width > 0 ? MAX(style->width, MIN_WIDTH) : DEFAULT_WIDTH;
	*self = (FlamePage){
		.orientation = style->layout,
		.ground = style->ground != NULL ? style->ground : &style->palette->ground,
		.width = width,
		.row_height = style->row_height > 0 ? style->row_height : PAGE_ROW_HEIGHT,
		.font_px = style->font_px > 0 ? style->font_px : LABEL_FONT_PX
	};
	tree_layout_init(&self->layout, tree, width - 2 * PAGE_PAD);
	self->unit = style->count_name != NULL ? style->count_name : caption->unit;
	if (self->unit == NULL)
		self->unit = "samples";
	self->zero_ns = caption->zero_ns;
	self->title = make_title(caption, style, MAX(width - BUTTONS_WIDTH, MIN_WIDTH));
	self->subtitle = g_ptr_array_new_with_free_func(g_free);
	if (caption->subtitle != NULL)
		break_lines(self->subtitle, caption->subtitle, width - 2 * PAGE_PAD);
	self->legend = legend_place(style->overlay != NULL ? style->overlay->legend : NULL,
				    style->overlay != NULL ? style->overlay->n_legend : 0,
				    width - 2 * PAGE_PAD);
	flame_page_limit(self, style->min_width, UINT32_MAX);
}

void flame_page_limit(FlamePage *self, double min_width, uint32_t max_rows)
{
	tree_layout_limit(&self->layout, min_width, max_rows);
	self->counts = tree_layout_measure(&self->layout);
	g_free(self->note);
	self->note = make_note(self, min_width);
	place(self);
}

void flame_page_clear(FlamePage *self)
{
	tree_layout_clear(&self->layout);
	g_clear_pointer(&self->title, g_free);
	g_clear_pointer(&self->subtitle, g_ptr_array_unref);
	g_clear_pointer(&self->legend, g_array_unref);
	g_clear_pointer(&self->note, g_free);
}

/* The same both ways: the row of a depth, the depth of a row. */
uint32_t flame_page_depth_of_row(const FlamePage *self, uint32_t row)
{
	return self->orientation == LAYOUT_ICICLE ? row : self->counts.n_rows - 1 - row;
}

double flame_page_row_y(const FlamePage *self, uint32_t depth)
{
	uint32_t row = flame_page_depth_of_row(self, depth);
	return self->frames_y + (double)row * self->row_height;
}

/* Half the height of small letters below the middle of the frame. */
double flame_page_text_base(const FlamePage *self)
{
	return (self->row_height - PAGE_FRAME_GAP) / 2 + 0.29 * self->font_px;
}

/* label_fit() is made for one size of font: the width is told in units of that. */
Label flame_page_label(const FlamePage *self, Text name, double width)
{
	return label_fit(name, (width - 2 * PAGE_TEXT_INSET) * LABEL_FONT_PX / self->font_px);
}

double flame_page_subtitle_y(guint i)
{
	return PAGE_TITLE_Y + 4 + PAGE_LINE_STEP * (double)(i + 1);
}

uint64_t flame_page_weight(const FlamePage *self, uint32_t node)
{
	const CallTree *tree = self->layout.tree;
	uint64_t sum = 0;
	if (!call_tree_is_lane(tree, node))
		return tree->nodes[node].total;
	for (uint32_t i = node + 1; i < tree->nodes[node].next; i = tree->nodes[i].next)
		sum += tree->nodes[i].total;
	return sum;
}

uint64_t flame_page_whole(const FlamePage *self)
{
	const CallTree *tree = self->layout.tree;
	uint64_t sum = 0;
	if (tree->begins == NULL)
		return tree->nodes[0].total;
	for (uint32_t i = 1; i < tree->n_nodes; i = tree->nodes[i].next)
		sum += flame_page_weight(self, i);
	return sum;
}

Rgb flame_page_colour(const FlamePage *self, const TreeStyle *style, uint32_t node)
{
	static const Rgb lane = { 0xd2, 0xd2, 0xcc };
	if (self->layout.tree->begins != NULL &&
	    (node == 0 || call_tree_is_lane(self->layout.tree, node)))
		return lane;
	return style->palette->colour(flame_page_name(self, node),
				      call_tree_frame(self->layout.tree, node).class);
}

bool flame_page_tick(const FlamePage *self, uint32_t number, AxisTick *tick)
{
	const CallTree *tree = self->layout.tree;
	double length_ns = (double)tree->nodes[0].total * 1000, room = self->layout.width;
	int64_t begin_ns = tree->begin_ns - self->zero_ns, at_ns;
	int64_t step_ns = time_axis_step(MAX((int64_t)(length_ns * MIN_TICK_STEP / room), 1000));
	int64_t first = begin_ns / step_ns + (begin_ns % step_ns > 0);
	if (__builtin_mul_overflow(first + number, step_ns, &at_ns) ||
	    (double)(at_ns - begin_ns) > length_ns || length_ns <= 0)
		return false;
	g_autofree char *seconds = time_format_seconds(at_ns);
	tick->x = PAGE_PAD + (double)(at_ns - begin_ns) * room / length_ns;
	tick->text = g_strdup_printf("%s s", seconds);
	return true;
}

Text flame_page_name(const FlamePage *self, uint32_t node)
{
	return node == 0 ? TEXT("all") : call_tree_frame(self->layout.tree, node).name;
}
