/* SPDX-License-Identifier: MIT */
/*
 * The interactive flame graph: one SVG file that needs nothing else. It is written by hand, frame
 * by frame, since cairo's SVG has no text to search. Its elements and ids are those that users of
 * flamegraph.pl know; everything is readable without the script too. The script is a constant:
 * what comes from the recording is only ever text between tags and numbers in attributes.
 */

#include "render/formats.h"

#include <inttypes.h>
#include <string.h>

#include "render/flame-graph-files.h"
#include "render/flame-page.h"
#include "render/label.h"
#include "render/number.h"
#include "render/text-escape.h"

#define MAX_SVG_BYTES  19500000u /* of frames: the file stays below 20 MB */
#define FRAME_BYTES    210u	 /* of a frame less its name, its unit and four weights */
#define OVERLAY_BYTES  200u	 /* of what an overlay says beyond that */
#define EDGE_PX	       26	 /* where half a time fits in */
#define MAX_NAME_BYTES 4096u	 /* of a name in a tooltip */

typedef struct {
	FILE *out;
	const CallTree *tree;
	const TreeStyle *style;
	FlamePage *page;
} SvgWriter;

/* Hundredths of a px, rounded: edges that meet are rounded alike and meet in the file too. */
static uint64_t to_hundredths(double px)
{
	return (uint64_t)(px * 100 + 0.5);
}

static void write_px(FILE *out, uint64_t hundredths)
{
	char text[NUMBER_SIZE];
	size_t len = number_format_hundredths(text, hundredths);
	while (text[len - 1] == '0')
		len--;
	len -= text[len - 1] == '.';
	fwrite_unlocked(text, 1, len, out);
}

/* ` NAME="PX"`; `prefix` is the part before the number. */
static void write_attribute(FILE *out, const char *prefix, uint64_t hundredths)
{
	fputs_unlocked(prefix, out);
	write_px(out, hundredths);
	putc_unlocked('"', out);
}

static void write_cstring(FILE *out, const char *string)
{
	xml_write_text(out, text_from(string));
}

/* --- the page around the frames ------------------------------------------------------------ */

static void write_description(const SvgWriter *self, const Caption *caption)
{
	const struct {
		const char *name, *value;
	} facts[] = {
		{ "source", caption->source },
		{ "event", caption->event },
		{ "options", caption->options },
	};
	fputs("<title>", self->out);
	write_cstring(self->out, self->page->title);
	fputs("</title>\n<desc>flamebeat", self->out);
	for (size_t i = 0; i < G_N_ELEMENTS(facts); i++) {
		if (facts[i].value == NULL || *facts[i].value == '\0')
			continue;
		fprintf(self->out, "; %s: ", facts[i].name);
		write_cstring(self->out, facts[i].value);
	}
	fputs("</desc>\n", self->out);
}

static void write_colour(FILE *out, Rgb colour)
{
	fprintf(out, "#%02x%02x%02x", colour.r, colour.g, colour.b);
}

/* A pattern for each colour of an overlay that is hatched: `hatch0`, … */
static void write_hatches(const SvgWriter *self)
{
	const TreeOverlay *overlay = self->style->overlay;
	fputs("<defs>", self->out);
	for (unsigned i = 0; i < overlay->n_colours; i++) {
		fprintf(self->out,
			"<pattern id=\"hatch%u\" width=\"7\" height=\"7\" "
			"patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
			"<rect width=\"7\" height=\"7\" fill=\"",
			i);
		write_colour(self->out, overlay->colours[i]);
		fputs("\"/><rect width=\"2.5\" height=\"7\" fill=\"#fff\" "
		      "fill-opacity=\"0.75\"/></pattern>",
		      self->out);
	}
	fputs("</defs>\n", self->out);
}

static void write_fill(const SvgWriter *self, FrameInk ink)
{
	if (ink.is_hatched)
		fprintf(self->out, "url(#hatch%u)", ink.colour);
	else
		write_colour(self->out, self->style->overlay->colours[ink.colour]);
}

static void write_legend_item(const SvgWriter *self, const LegendItem *item)
{
	double top = self->page->legend_y + item->y - LEGEND_SWATCH_HEIGHT + 1;
	write_attribute(self->out, "<rect x=\"", to_hundredths(PAGE_PAD + item->x));
	write_attribute(self->out, " y=\"", to_hundredths(top));
	write_attribute(self->out, " width=\"", 100 * LEGEND_SWATCH_WIDTH);
	write_attribute(self->out, " height=\"", 100 * LEGEND_SWATCH_HEIGHT);
	fputs(" rx=\"2\" fill=\"", self->out);
	write_fill(self, item->entry->ink);
	write_attribute(self->out, "\"/><text x=\"", to_hundredths(PAGE_PAD + item->words_x));
	write_attribute(self->out, " y=\"", to_hundredths(self->page->legend_y + item->y));
	putc('>', self->out);
	write_cstring(self->out, item->entry->words);
	fputs("</text>", self->out);
}

static void write_legend(const SvgWriter *self)
{
	fputs("<g id=\"legend\">", self->out);
	for (guint i = 0; i < self->page->legend->len; i++)
		write_legend_item(self, &g_array_index(self->page->legend, LegendItem, i));
	fputs("</g>\n", self->out);
}

static void write_background(const SvgWriter *self)
{
	const FrameGround *ground = self->page->ground;
	fputs("<defs><linearGradient id=\"background\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">"
	      "<stop stop-color=\"",
	      self->out);
	write_colour(self->out, ground->top);
	fputs("\" offset=\"0\"/><stop stop-color=\"", self->out);
	write_colour(self->out, ground->bottom);
	fputs("\" offset=\"1\"/></linearGradient></defs>\n"
	      "<rect id=\"ground\" x=\"0\" y=\"0\" width=\"100%\" height=\"100%\" "
	      "fill=\"url(#background)\"/>\n",
	      self->out);
}

static void write_subtitle(const SvgWriter *self)
{
	const GPtrArray *lines = self->page->subtitle;
	if (lines->len == 0)
		return;
	fputs("<text id=\"subtitle\" text-anchor=\"middle\">", self->out);
	for (guint i = 0; i < lines->len; i++) {
		fputs("<tspan", self->out);
		write_attribute(self->out, " x=\"", to_hundredths(self->page->width / 2));
		write_attribute(self->out, " y=\"", to_hundredths(flame_page_subtitle_y(i)));
		putc('>', self->out);
		write_cstring(self->out, g_ptr_array_index(lines, i));
		fputs("</tspan>", self->out);
	}
	fputs("</text>\n", self->out);
}

/* One of the texts around the frames, some of which the script fills, shows or turns to buttons. */
typedef struct {
	const char *id, *attributes;
	double x, y;
	const char *text;
} PageText;

static void write_texts(const SvgWriter *self)
{
	const FlamePage *page = self->page;
	bool is_empty = page->counts.n_drawn == 0;
	const char *at_end = " text-anchor=\"end\"";
	const char *unzoom = " class=\"control hide\" role=\"button\" tabindex=\"0\"";
	const char *search =
		" class=\"control\" role=\"button\" tabindex=\"0\" text-anchor=\"end\"";
	const char *case_ =
		" class=\"control off\" role=\"button\" tabindex=\"0\" text-anchor=\"end\"";
	const double left = PAGE_PAD, right = page->width - PAGE_PAD, top = PAGE_TITLE_Y;
	const PageText texts[] = {
		{ "title", " text-anchor=\"middle\"", page->width / 2, top, page->title },
		{ "unzoom", unzoom, left, top, "Reset Zoom" },
		{ "search", search, right - 26, top, "Search" },
		{ "ignorecase", case_, right, top, "ic" },
		{ "details", "", left, page->details_y, " " },
		{ "matched", at_end, right, page->details_y, " " },
		{ "note", is_empty ? " text-anchor=\"middle\"" : "",
		  is_empty ? page->width / 2 : left, page->note_y,
		  page->note != NULL ? page->note : " " },
	};
	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		fprintf(self->out, "<text id=\"%s\"", texts[i].id);
		write_attribute(self->out, " x=\"", to_hundredths(texts[i].x));
		write_attribute(self->out, " y=\"", to_hundredths(texts[i].y));
		fprintf(self->out, "%s>", texts[i].attributes);
		write_cstring(self->out, texts[i].text);
		fputs("</text>\n", self->out);
	}
	write_subtitle(self);
}

/* --- frames -------------------------------------------------------------------------------- */

/* A name as far as it is told: what is longer helps nobody and would be in the file many times. */
static Text told_name(Text name)
{
	if (name.len <= MAX_NAME_BYTES)
		return name;
	name.len = MAX_NAME_BYTES;
	while (name.len > MAX_NAME_BYTES - 4 && (name.data[name.len] & 0xc0) == 0x80)
		name.len--;
	return name;
}

/* ` (1,234 samples, 5.67%)` */
static void write_frame_words(const SvgWriter *self, uint32_t node)
{
	uint64_t weight = flame_page_weight(self->page, node);
	char percent[NUMBER_SIZE];
	number_format_hundredths(percent, number_percent(weight, self->tree->nodes[0].total));
	fputs_unlocked(" (", self->out);
	number_write_grouped(self->out, weight);
	putc_unlocked(' ', self->out);
	write_cstring(self->out, self->page->unit);
	fputs_unlocked(", ", self->out);
	fputs_unlocked(node == 0 ? "100" : percent, self->out);
	fputs_unlocked("%)", self->out);
}

/* What the mouse shows and a search looks at. */
static void write_frame_title(const SvgWriter *self, uint32_t node, Text name)
{
	const TreeOverlay *overlay = self->style->overlay;
	fputs_unlocked("<title>", self->out);
	xml_write_text(self->out, told_name(name));
	fputs_unlocked(name.len > MAX_NAME_BYTES ? ".." : "", self->out);
	if (overlay != NULL)
		overlay->write_words(self->out, overlay->context, node);
	else
		write_frame_words(self, node);
	fputs_unlocked("</title>", self->out);
}

/* The colour of the overlay, else of the palette. */
static void write_frame_fill(const SvgWriter *self, uint32_t node)
{
	const TreeStyle *style = self->style;
	if (style->overlay != NULL)
		write_fill(self, style->overlay->ink(style->overlay->context, node));
	else
		write_colour(self->out, flame_page_colour(self->page, style, node));
}

static void write_rect(const SvgWriter *self, const LayoutRect *rect)
{
	FILE *out = self->out;
	uint64_t x = to_hundredths(PAGE_PAD + rect->x);
	uint64_t end = to_hundredths(PAGE_PAD + rect->x + rect->width);
	double y = flame_page_row_y(self->page, rect->depth);
	write_attribute(out, "<rect x=\"", x);
	write_attribute(out, " y=\"", to_hundredths(y));
	write_attribute(out, " width=\"", end - x);
	write_attribute(out, " height=\"", to_hundredths(self->page->row_height - PAGE_FRAME_GAP));
	fputs_unlocked(" fill=\"", out);
	write_frame_fill(self, rect->node);
	fputs_unlocked("\" rx=\"2\"/>", out);
}

static void write_label(const SvgWriter *self, const LayoutRect *rect, Text name)
{
	FILE *out = self->out;
	Label label = flame_page_label(self->page, name, rect->width);
	double y = flame_page_row_y(self->page, rect->depth) + flame_page_text_base(self->page);
	write_attribute(out, "<text x=\"", to_hundredths(PAGE_PAD + rect->x + PAGE_TEXT_INSET));
	write_attribute(out, " y=\"", to_hundredths(y));
	putc_unlocked('>', out);
	xml_write_text(out, label.text);
	if (label.is_cut)
		fputs_unlocked(LABEL_CUT, out);
	fputs_unlocked("</text>", out);
}

/* The script computes with data-b (weight to the left) and data-w: they are exact. */
static void write_frame(const SvgWriter *self, const LayoutRect *rect)
{
	Text name = flame_page_name(self->page, rect->node);
	fputs_unlocked("<g data-b=\"", self->out);
	number_write(self->out, rect->begin);
	fputs_unlocked("\" data-w=\"", self->out);
	number_write(self->out, self->tree->nodes[rect->node].total);
	fputs_unlocked("\">", self->out);
	write_frame_title(self, rect->node, name);
	write_rect(self, rect);
	write_label(self, rect, name);
	fputs_unlocked("</g>\n", self->out);
}

static void write_data(FILE *out, const char *name, const char *value)
{
	fprintf(out, " data-%s=\"", name);
	write_cstring(out, value);
	putc('"', out);
}

/* Times over a chart, and lines down from them; the script makes them anew when it zooms. */
static void write_axis(const SvgWriter *self)
{
	const FlamePage *page = self->page;
	double bottom = page->frames_y + (double)page->counts.n_rows * page->row_height;
	AxisTick tick;
	fprintf(self->out, "<g id=\"axis\" data-begin=\"%" PRId64 "\">",
		(self->tree->begin_ns - page->zero_ns) / 1000);
	for (uint32_t i = 0; flame_page_tick(page, i, &tick); i++) {
		write_attribute(self->out, "<line x1=\"", to_hundredths(tick.x));
		write_attribute(self->out, " x2=\"", to_hundredths(tick.x));
		write_attribute(self->out, " y1=\"", to_hundredths(page->axis_y + 3));
		write_attribute(self->out, " y2=\"", to_hundredths(bottom));
		write_attribute(self->out, "/><text x=\"",
				to_hundredths(CLAMP(tick.x, EDGE_PX, page->width - EDGE_PX)));
		write_attribute(self->out, " y=\"", to_hundredths(page->axis_y));
		fprintf(self->out, ">%s</text>", tick.text);
		g_free(tick.text);
	}
	fputs("</g>\n", self->out);
}

static void write_frames(const SvgWriter *self)
{
	const TreeStyle *style = self->style;
	LayoutRect rect;
	fputs("<g id=\"frames\" tabindex=\"0\"", self->out);
	write_data(self->out, "layout", style->layout == LAYOUT_ICICLE ? "icicle" : "flame");
	write_data(self->out, "unit", self->page->unit);
	write_data(self->out, "kind", style->name_type != NULL ? style->name_type : "Function:");
	fputs(" data-total=\"", self->out);
	number_write(self->out, flame_page_whole(self->page));
	putc('"', self->out);
	write_attribute(self->out, " data-row=\"", to_hundredths(self->page->row_height));
	fputs(style->overlay != NULL ? " class=\"overlay\"" : "", self->out);
	fputs(style->is_fluid ? " data-fluid=\"1\">\n" : ">\n", self->out);
	while (tree_layout_next(&self->page->layout, &rect))
		write_frame(self, &rect);
	fputs("</g>\n", self->out);
}

/* --- the size of the file ------------------------------------------------------------------- */

static uint64_t escaped_bytes(Text text)
{
	uint64_t n = text.len;
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.data[i];
		if (c < ' ' || c > '~')
			n += 2; /* U+FFFD */
		else if (strchr("&<>\"'", c) != NULL)
			n += 5; /* `&quot;` */
	}
	return n;
}

/* At most what the frames will take. */
static uint64_t frames_bytes(const SvgWriter *self)
{
	LayoutRect rect;
	char total[NUMBER_SIZE];
	uint64_t n = 0, fixed = FRAME_BYTES + escaped_bytes(text_from(self->page->unit));
	fixed += self->style->overlay != NULL ? OVERLAY_BYTES : 0;
	fixed += 4 * number_format_grouped(total, self->tree->nodes[0].total);
	tree_layout_rewind(&self->page->layout);
	while (tree_layout_next(&self->page->layout, &rect) && n <= MAX_SVG_BYTES) {
		Text name = flame_page_name(self->page, rect.node);
		uint64_t told = escaped_bytes(told_name(name));
		n += fixed + told + (rect.width < LABEL_FONT_PX ? 0 : told);
	}
	tree_layout_rewind(&self->page->layout);
	return n;
}

/* Narrow frames go first; where all are wide, deep ones do. */
static void keep_size(const SvgWriter *self)
{
	double min_width = MAX(self->style->min_width, 0.01);
	uint32_t max_rows = UINT32_MAX;
	while (frames_bytes(self) > MAX_SVG_BYTES && max_rows > 1) {
		if (min_width < self->page->width / 100)
			min_width *= 1.25;
		else
			max_rows = MIN(max_rows, self->page->counts.n_rows) / 4 * 3;
		flame_page_limit(self->page, min_width, max_rows);
	}
}

/* --- the whole ------------------------------------------------------------------------------ */

/* `text` fit to stand within a declaration of CSS. */
static char *css_family(const char *text)
{
	g_autofree char *valid = text_to_utf8(text_from(text), 100);
	return g_strdelimit(g_steal_pointer(&valid), "\"'\\<>{};:()@/&]*\n", ' ');
}

static void write_style(const SvgWriter *self)
{
	char px[NUMBER_SIZE];
	fprintf(self->out, "<style><![CDATA[\n%s", flame_graph_style);
	if (self->style->font != NULL) {
		g_autofree char *family = css_family(self->style->font);
		fprintf(self->out, "text { font-family: \"%s\", " LABEL_FONT "; }\n", family);
	}
	if (self->page->font_px != LABEL_FONT_PX) {
		g_ascii_formatd(px, sizeof(px), "%.4g", self->page->font_px);
		fprintf(self->out, "#frames text { font-size: %spx; }\n", px);
	}
	fputs("]]></style>\n", self->out);
}

static void write_svg(const SvgWriter *self, const Caption *caption)
{
	FILE *out = self->out;
	uint64_t width = to_hundredths(self->page->width);
	uint64_t height = to_hundredths(self->page->height);
	write_attribute(out, "<svg version=\"1.1\" width=\"", width);
	write_attribute(out, " height=\"", height);
	fputs(" viewBox=\"0 0 ", out);
	write_px(out, width);
	putc(' ', out);
	write_px(out, height);
	fputs("\" xmlns=\"http://www.w3.org/2000/svg\">\n", out);
	write_description(self, caption);
	write_style(self);
	write_background(self);
	if (self->style->overlay != NULL)
		write_hatches(self);
	write_texts(self);
	if (self->page->axis_y > 0)
		write_axis(self);
	write_frames(self);
	if (self->style->overlay != NULL)
		write_legend(self);
	fprintf(out, "<script><![CDATA[\n%s]]></script>\n</svg>\n", flame_graph_script);
}

bool tree_svg_inline(FILE *out, const CallTree *tree, const Caption *caption,
		     const TreeStyle *style, GError **error G_GNUC_UNUSED)
{
	g_auto(FlamePage) page;
	flame_page_init(&page, tree, caption, style);
	const SvgWriter self = { out, tree, style, &page };
	keep_size(&self);
	write_svg(&self, caption);
	return true;
}

bool tree_svg(FILE *out, const CallTree *tree, const Caption *caption, const TreeStyle *style,
	      GError **error)
{
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n", out);
	return tree_svg_inline(out, tree, caption, style, error);
}
