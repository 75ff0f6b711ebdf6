/* SPDX-License-Identifier: MIT */
/* The differential flame graph: a flame graph (or its text) of the merged tree, inked by what
 * changed. */

#include "render/diff-ink.h"
#include "render/formats.h"

typedef bool (*TreeFunc)(FILE *out, const CallTree *tree, const Caption *caption,
			 const TreeStyle *style, GError **error);

/* No colour of its own beside those that mean something. */
static const FrameGround ground = { "grey", { 0xfc, 0xfc, 0xfc }, { 0xf3, 0xf3, 0xf1 } };

static bool draw(TreeFunc tree, FILE *out, const Diff *diff, const Caption *caption,
		 const DiffStyle *style, GError **error)
{
	g_auto(DiffInk) ink;
	TreeStyle inked = style->tree;

	diff_ink_init(&ink, diff, caption->unit);
	if (inked.ground == NULL)
		inked.ground = &ground;
	inked.overlay = &ink.overlay;
	return tree(out, diff->shape, caption, &inked, error);
}

bool diff_svg(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
	      GError **error)
{
	return draw(tree_svg, out, diff, caption, style, error);
}

bool diff_svg_inline(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
		     GError **error)
{
	return draw(tree_svg_inline, out, diff, caption, style, error);
}

bool diff_png(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
	      GError **error)
{
	return draw(tree_png, out, diff, caption, style, error);
}

bool diff_text(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
	       GError **error)
{
	return draw(tree_text, out, diff, caption, style, error);
}
