/* SPDX-License-Identifier: MIT */
/*
 * A merge of many sorted trees at once. Children are in order of name in every tree, so the next
 * merged child is the smallest name under the cursors of the open node; the trees that have it
 * give it what they hold and open a level of their own below. Cursors of all open levels are one
 * array; nothing recurses.
 */

#include "slice/diff-merge.h"

#include "store/array.h"
#include "store/error.h"
#include "store/weight.h"

/* Where one tree is among the children of the open node: next is node `at`, none from `end` on. */
typedef struct {
	const DiffPart *part;
	uint32_t at, end;
} Cursor;

/* An open node and its cursors: from `first` on, up to those of the next level. */
typedef struct {
	uint32_t node;
	size_t first;
} Level;

typedef struct {
	FrameNames *names;
	ARRAY_OF(CallNode) nodes;
	ARRAY_OF(DiffItem) items;
	ARRAY_OF(Cursor) cursors;
	ARRAY_OF(Level) levels;
	uint32_t max_depth;
} Merger;

void diff_item_add(DiffItem *item, const DiffPart *part, uint64_t self, uint64_t total)
{
	const uint64_t weights[N_MEASURES] = { [MEASURE_SELF] = self, [MEASURE_TOTAL] = total };

	for (int m = 0; m < N_MEASURES; m++) {
		DiffTally *tally = &item->tally[m][part->side];
		double count = (double)weights[m];

		if (part->has_weights)
			tally->weight = weight_add(tally->weight, weights[m]);
		if (!part->has_counts)
			continue;
		tally->count = weight_add(tally->count, weights[m]);
		if (part->exposure > 0)
			tally->spread += count * count / part->exposure;
	}
}

static Text name_at(const Cursor *cursor)
{
	return call_tree_frame(cursor->part->tree, cursor->at).name;
}

/* The smallest name under the cursors of the innermost level; false where all are at their end. */
static bool next_name(const Merger *self, size_t first, size_t end, Text *name)
{
	bool found = false;

	for (size_t i = first; i < end; i++) {
		const Cursor *cursor = &self->cursors.data[i];

		if (cursor->at < cursor->end &&
		    (!found || text_compare(name_at(cursor), *name) < 0)) {
			*name = name_at(cursor);
			found = true;
		}
	}
	return found;
}

/* Opens a node that has no cursors yet. */
static bool open_node(Merger *self, uint32_t parent, Text name)
{
	uint32_t at = (uint32_t)self->nodes.n;
	CallNode node = { .parent = parent, .display = frame_names_label(self->names, name) };
	DiffItem item = { 0 };

	if (at > 0)
		node.depth = self->nodes.data[parent].depth + 1;
	self->max_depth = MAX(self->max_depth, node.depth);
	return self->nodes.n < ROW_NONE && array_push(&self->nodes, node) &&
	       array_push(&self->items, item) &&
	       array_push(&self->levels, ((Level){ at, self->cursors.n }));
}

/* Takes node `at` of a part's tree into the innermost node. */
static bool enter(Merger *self, const DiffPart *part, uint32_t at)
{
	const CallNode *node = &part->tree->nodes[at];

	diff_item_add(&self->items.data[self->items.n - 1], part, node->self, node->total);
	return array_push(&self->cursors, ((Cursor){ part, at + 1, node->next }));
}

static bool open_root(Merger *self, const GArray *parts)
{
	bool ok = open_node(self, 0, TEXT("root"));

	for (guint i = 0; i < parts->len && ok; i++)
		ok = enter(self, &g_array_index(parts, DiffPart, i), 0);
	return ok;
}

/* Opens the child called `name`, of all trees that have it, under the level [first, end). */
static bool open_child(Merger *self, uint32_t parent, size_t first, size_t end, Text name)
{
	bool ok = open_node(self, parent, name);

	for (size_t i = first; i < end && ok; i++) {
		Cursor cursor = self->cursors.data[i];

		if (cursor.at >= cursor.end || !text_equal(name_at(&cursor), name))
			continue;
		self->cursors.data[i].at = cursor.part->tree->nodes[cursor.at].next;
		ok = enter(self, cursor.part, cursor.at);
	}
	return ok;
}

static bool merge(Merger *self)
{
	bool ok = true;

	while (self->levels.n > 0 && ok) {
		Level level = self->levels.data[self->levels.n - 1];
		Text name = { 0 };

		if (next_name(self, level.first, self->cursors.n, &name)) {
			ok = open_child(self, level.node, level.first, self->cursors.n, name);
			continue;
		}
		self->nodes.data[level.node].next = (uint32_t)self->nodes.n;
		self->cursors.n = level.first;
		self->levels.n--;
	}
	return ok;
}

bool diff_merge_trees(Diff *diff, const GArray *parts, const Store *store, GError **error)
{
	Merger self = { .names = frame_names_new(store, NAMES_RAW, 0) };
	bool ok = open_root(&self, parts) && merge(&self);

	array_clear(&self.cursors);
	array_clear(&self.levels);
	diff->shape = g_new0(CallTree, 1);
	diff->shape->nodes = self.nodes.data;
	diff->shape->n_nodes = (uint32_t)self.nodes.n;
	diff->shape->max_depth = self.max_depth;
	diff->shape->names = self.names;
	diff->nodes = self.items.data;
	return ok || fail(error, FLAMEBEAT_ERROR_LIMIT, "out of memory for the two call trees");
}
