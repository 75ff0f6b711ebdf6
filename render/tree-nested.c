/* SPDX-License-Identifier: MIT */
/*
 * Nested JSON from a pre-order array: open every node in turn; after one whose subtree ends here,
 * close it and every ancestor that ends at the same place. Each node is opened and closed once.
 */

#include "render/tree-nested.h"

static void close_nodes(FILE *out, const CallTree *tree, uint32_t node)
{
	const uint32_t end = node + 1;
	while (tree->nodes[node].next == end) {
		fputs_unlocked("]}", out);
		if (node == 0)
			return;
		node = tree->nodes[node].parent;
	}
	if (tree->nodes[end].parent != end - 1)
		putc_unlocked(',', out);
}

void tree_write_nested(FILE *out, const CallTree *tree, TreeOpenFunc open, const void *context)
{
	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		open(out, tree, i, context);
		close_nodes(out, tree, i);
	}
	putc_unlocked('\n', out);
}
