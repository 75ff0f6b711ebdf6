/* SPDX-License-Identifier: MIT */
/*
 * A comparison as one page that needs no network: the differential flame graph as the SVG that it
 * is, and the table of functions, which is made from the JSON of diff-json.c, in which `<` is
 * escaped.
 */

#include "render/formats.h"

#include "render/flame-graph-files.h"
#include "render/html-page.h"

bool diff_html(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
	       GError **error)
{
	Caption picture = *caption;

	/* The page has the words. */
	picture.title = "Differential flame graph";
	picture.subtitle = NULL;
	html_page_begin(out, caption, style->tree.layout);
	fputs("<div id=\"picture\">\n", out);
	if (!diff_svg_inline(out, diff, &picture, style, error))
		return false;
	fprintf(out, "</div>\n%s<script type=\"application/json\" id=\"data\">", diff_report_body);
	if (!diff_table_json(out, diff, caption, style, error))
		return false;
	fprintf(out, "</script>\n<script>\n%s</script>\n</body>\n</html>\n", diff_report_script);
	return true;
}
