/* SPDX-License-Identifier: MIT */
/*
 * The nested JSON that burn writes and d3-flame-graph reads, byte for byte as Go writes it: values
 * include the children, which are sorted by name.
 */

#include "render/formats.h"

#include "render/beat-ink.h"
#include "render/json-writer.h"
#include "render/tree-nested.h"

static void open_node(FILE *out, const CallTree *tree, uint32_t node, const void *context)
{
	fputs_unlocked("{\"name\":", out);
	json_write_string(out, node == 0 ? TEXT("root") : call_tree_frame(tree, node).name);
	fputs_unlocked(",\"value\":", out);
	json_write_u64(out, tree->nodes[node].total);
	if (context != NULL)
		beat_write_json(out, &((const NodeBeat *)context)[node]);
	fputs_unlocked(",\"children\":[", out);
}

bool tree_json(FILE *out, const CallTree *tree, const Caption *caption G_GNUC_UNUSED,
	       const TreeStyle *style, GError **error G_GNUC_UNUSED)
{
	tree_write_nested(out, tree, open_node, style->beats);
	return true;
}
