/* SPDX-License-Identifier: MIT */
/*
 * The interactive flame graph: one SVG file that needs nothing else. It is written by hand, frame
 * by frame, since cairo's SVG has no text to search. Its elements and ids are those that users of
 * flamegraph.pl know; everything is readable without the script too. The script is a constant:
 * what comes from the recording is only ever text between tags and numbers in attributes.
 */

#include "render/formats.h"

#include "render/flame-graph-files.h"
#include "render/flame-page.h"
#include "render/label.h"
#include "render/number.h"
#include "render/text-escape.h"

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

static void write_background(const SvgWriter *self)
{
	Rgb top = self->style->palette->background_top;
	Rgb bottom = self->style->palette->background_bottom;
	fprintf(self->out,
		"<defs><linearGradient id=\"background\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">"
		"<stop stop-color=\"rgb(%u,%u,%u)\" offset=\"0\"/>"
		"<stop stop-color=\"rgb(%u,%u,%u)\" offset=\"1\"/>"
		"</linearGradient></defs>\n"
		"<rect x=\"0\" y=\"0\" width=\"100%%\" height=\"100%%\" "
		"fill=\"url(#background)\"/>\n",
		top.r, top.g, top.b, bottom.r, bottom.g, bottom.b);
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

/* `NAME (1,234 samples, 5.67%)`; what the mouse shows and a search looks at. */
static void write_frame_title(const SvgWriter *self, uint32_t node, Text name)
{
	uint64_t weight = self->tree->nodes[node].total;
	char percent[NUMBER_SIZE];
	number_format_hundredths(percent, number_percent(weight, self->tree->nodes[0].total));
	fputs_unlocked("<title>", self->out);
	xml_write_text(self->out, name);
	fputs_unlocked(" (", self->out);
	number_write_grouped(self->out, weight);
	putc_unlocked(' ', self->out);
	write_cstring(self->out, self->page->unit);
	fputs_unlocked(", ", self->out);
	fputs_unlocked(node == 0 ? "100" : percent, self->out);
	fputs_unlocked("%)</title>", self->out);
}

static void write_rect(const SvgWriter *self, const LayoutRect *rect, Rgb colour)
{
	FILE *out = self->out;
	uint64_t x = to_hundredths(PAGE_PAD + rect->x);
	uint64_t end = to_hundredths(PAGE_PAD + rect->x + rect->width);
	double y = flame_page_row_y(self->page, rect->depth);
	write_attribute(out, "<rect x=\"", x);
	write_attribute(out, " y=\"", to_hundredths(y));
	write_attribute(out, " width=\"", end - x);
	write_attribute(out, " height=\"", 100 * (PAGE_ROW_HEIGHT - PAGE_FRAME_GAP));
	fputs_unlocked(" fill=\"rgb(", out);
	number_write(out, colour.r);
	putc_unlocked(',', out);
	number_write(out, colour.g);
	putc_unlocked(',', out);
	number_write(out, colour.b);
	fputs_unlocked(")\" rx=\"2\" ry=\"2\"/>", out);
}

static void write_label(const SvgWriter *self, const LayoutRect *rect, Text name)
{
	FILE *out = self->out;
	Label label = label_fit(name, rect->width - 2 * PAGE_TEXT_INSET);
	double y = flame_page_row_y(self->page, rect->depth) + PAGE_TEXT_BASE;
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
	FrameClass class = call_tree_frame(self->tree, rect->node).class;
	fputs_unlocked("<g data-b=\"", self->out);
	number_write(self->out, rect->begin);
	fputs_unlocked("\" data-w=\"", self->out);
	number_write(self->out, self->tree->nodes[rect->node].total);
	fputs_unlocked("\">", self->out);
	write_frame_title(self, rect->node, name);
	write_rect(self, rect, self->style->palette->colour(name, class));
	write_label(self, rect, name);
	fputs_unlocked("</g>\n", self->out);
}

static void write_frames(const SvgWriter *self)
{
	LayoutRect rect;
	fprintf(self->out, "<g id=\"frames\" tabindex=\"0\" data-layout=\"%s\" data-unit=\"",
		self->style->layout == LAYOUT_ICICLE ? "icicle" : "flame");
	write_cstring(self->out, self->page->unit);
	fputs("\">\n", self->out);
	while (tree_layout_next(&self->page->layout, &rect))
		write_frame(self, &rect);
	fputs("</g>\n", self->out);
}

bool tree_svg(FILE *out, const CallTree *tree, const Caption *caption, const TreeStyle *style,
	      GError **error G_GNUC_UNUSED)
{
	g_auto(FlamePage) page;
	flame_page_init(&page, tree, caption, style);
	const SvgWriter self = { out, tree, style, &page };
	uint64_t width = to_hundredths(page.width), height = to_hundredths(page.height);
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n", out);
	write_attribute(out, "<svg version=\"1.1\" width=\"", width);
	write_attribute(out, " height=\"", height);
	fputs(" viewBox=\"0 0 ", out);
	write_px(out, width);
	putc(' ', out);
	write_px(out, height);
	fputs("\" xmlns=\"http://www.w3.org/2000/svg\">\n", out);
	write_description(&self, caption);
	fprintf(out, "<style><![CDATA[\n%s]]></style>\n", flame_graph_style);
	write_background(&self);
	write_texts(&self);
	write_frames(&self);
	fprintf(out, "<script><![CDATA[\n%s]]></script>\n</svg>\n", flame_graph_script);
	return true;
}
