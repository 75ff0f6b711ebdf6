/* SPDX-License-Identifier: MIT */
/*
 * Pre-order and a cursor per depth are all that is needed: a node begins where its left sibling
 * ended, its first child begins after the node's own self weight, and a node too narrow to be seen
 * is passed with its whole subtree by one assignment. Weights stay integers; only the finished
 * positions are px.
 */

#include "render/layout.h"

#include <math.h>

void tree_layout_init(TreeLayout *self, const CallTree *tree, double width)
{
	*self = (TreeLayout){ .tree = tree, .width = width };
	self->begins = g_new0(uint64_t, (size_t)tree->max_depth + 2);
	tree_layout_limit(self, 0, UINT32_MAX);
}

void tree_layout_limit(TreeLayout *self, double min_width, uint32_t max_rows)
{
	double share = CLAMP(min_width / self->width, 0, 1);

	self->min_weight = MAX((uint64_t)ceil(share * (double)self->tree->nodes[0].total), 1);
	self->max_rows = max_rows;
	tree_layout_rewind(self);
}

void tree_layout_clear(TreeLayout *self)
{
	g_clear_pointer(&self->begins, g_free);
}

void tree_layout_rewind(TreeLayout *self)
{
	self->node = 0;
	self->counts = (LayoutCounts){ 0 };
	self->begins[0] = 0;
}

static double to_px(const TreeLayout *self, uint64_t weight)
{
	return (double)weight * self->width / (double)self->tree->nodes[0].total;
}

bool tree_layout_next(TreeLayout *self, LayoutRect *rect)
{
	while (self->node < self->tree->n_nodes) {
		uint32_t id = self->node;
		const CallNode *node = &self->tree->nodes[id];
		uint64_t begin = self->tree->begins != NULL ? self->tree->begins[id]
							    : self->begins[node->depth];
		self->begins[node->depth] += node->total;
		if (node->total < self->min_weight || node->depth >= self->max_rows) {
			self->counts.is_cut |= node->total >= self->min_weight;
			self->counts.n_culled += node->next - id;
			self->counts.culled_weight += node->total;
			self->node = node->next;
			continue;
		}
		self->begins[node->depth + 1] = begin + node->self;
		self->node++;
		self->counts.n_drawn++;
		self->counts.n_rows = MAX(self->counts.n_rows, node->depth + 1);
		*rect = (LayoutRect){ id, node->depth, begin, to_px(self, begin),
				      to_px(self, node->total) };
		return true;
	}
	return false;
}

LayoutCounts tree_layout_measure(TreeLayout *self)
{
	LayoutRect rect;
	tree_layout_rewind(self);
	while (tree_layout_next(self, &rect))
		continue;
	LayoutCounts counts = self->counts;
	tree_layout_rewind(self);
	return counts;
}
