/* SPDX-License-Identifier: MIT */
/*
 * One page that needs no network: the flame graph on a canvas, a table of functions, and callers
 * and callees of one of them. The page is constant text; what comes from the recording is the JSON
 * of tree-flat.c, in which `<` is escaped, and texts between tags.
 */

#include "render/formats.h"

#include "render/flame-graph-files.h"
#include "render/html-page.h"

/* Above this many frames narrow ones are left out, as in a picture. */
#define MAX_FRAMES 400000

bool tree_html(FILE *out, const CallTree *tree, const Caption *caption, const TreeStyle *style,
	       GError **error)
{
	TreeStyle whole = *style;

	if (tree->n_nodes <= MAX_FRAMES)
		whole.min_width = 0;
	html_page_begin(out, caption, style->layout);
	fputs(flame_report_body, out);
	fputs("<script type=\"application/json\" id=\"data\">", out);
	if (!tree_flat(out, tree, caption, &whole, error))
		return false;
	fprintf(out, "</script>\n<script>\n%s</script>\n<script>\n%s</script>\n</body>\n</html>\n",
		flame_view_script, flame_report_script);
	return true;
}
