/* SPDX-License-Identifier: MIT */
#include "render/html-page.h"

#include "render/flame-graph-files.h"
#include "render/text-escape.h"

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

static void write_lines(FILE *out, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text != NULL ? text : "", "\n", -1);

	for (char **line = lines; *line != NULL; line++)
		write_element(out, "<p>", *line, "</p>\n");
}

void html_page_begin(FILE *out, const Caption *caption, Layout layout)
{
	write_head(out, caption);
	fprintf(out, "<body data-layout=\"%s\">\n", layout == LAYOUT_ICICLE ? "icicle" : "flame");
	write_element(out, "<header>\n<h1>", caption->title, "</h1>\n");
	write_lines(out, caption->subtitle);
	write_element(out, "<p>", caption->source, "");
	write_element(out, " ", caption->options, "</p>\n</header>\n");
}
