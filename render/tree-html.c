/* SPDX-License-Identifier: MIT */
/*
 * One page that needs no network: the flame graph on a canvas, a table of functions, and callers
 * and callees of one of them. The page is constant text; what comes from the recording is the JSON
 * of tree-flat.c, in which `<` is escaped, and texts between tags.
 */

#include "render/formats.h"

#include "render/flame-graph-files.h"
#include "render/text-escape.h"

/* Above this many frames narrow ones are left out, as in a picture. */
#define MAX_FRAMES 400000

static void write_element(FILE *out, const char *begin, const char *text, const char *end)
{
	fputs(begin, out);
	xml_write_text(out, text_from(text != NULL ? text : ""));
	fputs(end, out);
}

static void write_head(FILE *out, const Caption *caption)
{
	fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width\">\n"
	      "<meta name=\"generator\" content=\"flamebeat " FLAMEBEAT_VERSION "\">\n",
	      out);
	write_element(out, "<title>", caption->title, "</title>\n");
	fprintf(out, "<style>\n%s</style>\n</head>\n", flame_report_style);
}

static void write_body(FILE *out, const Caption *caption, const TreeStyle *style)
{
	fprintf(out, "<body data-layout=\"%s\">\n",
		style->layout == LAYOUT_ICICLE ? "icicle" : "flame");
	write_element(out, "<header>\n<h1>", caption->title, "</h1>\n");
	write_element(out, "<p>", caption->subtitle, "</p>\n");
	write_element(out, "<p>", caption->source, "");
	write_element(out, " ", caption->options, "</p>\n</header>\n");
	fputs(flame_report_body, out);
}

bool tree_html(FILE *out, const CallTree *tree, const Caption *caption, const TreeStyle *style,
	       GError **error)
{
	TreeStyle whole = *style;

	if (tree->n_nodes <= MAX_FRAMES)
		whole.min_width = 0;
	write_head(out, caption);
	write_body(out, caption, style);
	fputs("<script type=\"application/json\" id=\"data\">", out);
	if (!tree_flat(out, tree, caption, &whole, error))
		return false;
	fprintf(out, "</script>\n<script>\n%s</script>\n<script>\n%s</script>\n</body>\n</html>\n",
		flame_view_script, flame_report_script);
	return true;
}
