/* SPDX-License-Identifier: MIT */
/*
 * The nested JSON of FlameScope's server: name, library type, *self* weight, children.
 */

#include "render/formats.h"

#include "render/json-writer.h"
#include "render/tree-nested.h"

static void open_node(FILE *out, const CallTree *tree, uint32_t node,
		      const void *context G_GNUC_UNUSED)
{
	DisplayFrame frame = call_tree_frame(tree, node);
	fputs_unlocked("{\"n\":", out);
	json_write_string(out, node == 0 ? TEXT("root") : frame.name);
	fputs_unlocked(",\"l\":\"", out);
	fputs_unlocked(frame_class_name(frame.class), out);
	fputs_unlocked("\",\"v\":", out);
	json_write_u64(out, tree->nodes[node].self);
	fputs_unlocked(",\"c\":[", out);
}

bool tree_flamescope(FILE *out, const CallTree *tree, const Caption *caption G_GNUC_UNUSED,
		     const TreeStyle *style G_GNUC_UNUSED, GError **error G_GNUC_UNUSED)
{
	tree_write_nested(out, tree, open_node, NULL);
	return true;
}
