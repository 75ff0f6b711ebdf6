/* SPDX-License-Identifier: MIT */
/*
 * From one weight per (group, stack) to a tree of displayed frames, in four steps without
 * recursion:
 *   1. every stack finds its node: stacks are a prefix tree, so most find their parent's node
 *      remembered, and a node is made once per distinct (parent node, displayed frame);
 *   2. totals: parents come before children, one backward pass adds each into its parent;
 *   3. children are put in order of name, by ranks of the names;
 *   4. nodes are laid out in pre-order.
 */

#include "slice/call-tree.h"

#include <stdlib.h>

#include "slice/group.h"
#include "slice/weights.h"
#include "store/array.h"
#include "store/error.h"
#include "store/id-index.h"
#include "store/limits.h"
#include "store/weight.h"

/* A node in the making: children as a linked list, from step 3 on. */
typedef struct {
	uint32_t display, parent;
	uint32_t first_child, next_sibling; /* ROW_NONE: none */
	uint32_t depth;			    /* frames from the group on; 0: root and groups */
	uint64_t self, total;
} Draft;

typedef struct {
	const Store *store;
	FrameNames *names;
	ARRAY_OF(Draft) drafts;
	IdIndex index;
	uint64_t seed;
	bool is_reversed;
	const TreeRules *rules;
	TreeJudge *judge;
	uint32_t *root_of;	    /* by stack: the first, from the root, whose frame is a root for
				       --focus; 0: none. NULL: no such rule */
	uint32_t *node_of;	    /* by stack, for the group in hand; ROW_NONE: not known */
	ARRAY_OF(uint32_t) path;    /* scratch: stacks on the way to a known one */
	ARRAY_OF(uint32_t) touched; /* stacks whose node_of is set */
	bool is_out_of_memory;
	bool is_too_large;
} Builder;

/* --- nodes ------------------------------------------------------------------------------- */

static bool equals(const void *table, uint32_t id, const void *key)
{
	const Draft *a = &((const Builder *)table)->drafts.data[id], *b = key;

	return a->parent == b->parent && a->display == b->display;
}

static uint32_t child_of(Builder *self, uint32_t parent, uint32_t display, uint32_t depth)
{
	Draft draft = { display, parent, ROW_NONE, ROW_NONE, depth, 0, 0 };
	uint64_t hash = hash_pair(self->seed, parent, display);
	IdSlot *slot;

	if (!id_index_reserve(&self->index)) {
		self->is_out_of_memory = true;
		return parent;
	}
	slot = id_index_slot(&self->index, hash, equals, self, &draft);
	if (slot->id != ROW_NONE)
		return slot->id;
	self->is_too_large = self->drafts.n >= MAX_TREE_NODES;
	if (self->is_too_large || !array_push(&self->drafts, draft)) {
		self->is_out_of_memory = !self->is_too_large;
		return parent;
	}
	id_index_put(&self->index, slot, hash, (uint32_t)(self->drafts.n - 1));
	return slot->id;
}

/* The node for one displayed frame below `node`, which it is itself where a rule says so. */
static uint32_t frame_below(Builder *self, uint32_t node, uint32_t display)
{
	const Draft *above = &self->drafts.data[node];

	if (tree_judge_has_hidden(self->judge) &&
	    (tree_judge_display(self->judge, display) & FRAME_IS_HIDDEN) != 0)
		return node;
	if (self->rules->collapse_recursion && above->depth > 0 && above->display == display)
		return node;
	if (self->rules->max_depth > 0 && above->depth >= self->rules->max_depth)
		return node;
	return child_of(self, node, display, above->depth + 1);
}

/* Whether the callers of this stack's frame are cut off. */
static bool is_root(const Builder *self, uint32_t stack)
{
	return self->root_of != NULL && self->root_of[stack] == stack;
}

/* How many of the `n` displays of a frame come before the one that is a root. */
static uint32_t n_before_root(const Builder *self, const uint32_t *ids, uint32_t n)
{
	uint32_t i = 0;

	while (i < n && (tree_judge_display(self->judge, ids[i]) & FRAME_IS_ROOT) == 0)
		i++;
	return i < n ? i : 0;
}

/* The node for one frame of perf's below `node`: several where it is displayed as several. */
static uint32_t below(Builder *self, uint32_t node, uint32_t stack)
{
	uint32_t n, first;
	const uint32_t *ids =
		frame_names_ids(self->names, store_stack_frame(self->store, stack), &n);

	first = is_root(self, stack) ? n_before_root(self, ids, n) : 0;
	for (uint32_t i = first; i < n; i++)
		node = frame_below(self, node, ids[self->is_reversed ? n - 1 - (i - first) : i]);
	return node;
}

/* Parents have lower ids: one pass carries the first root of every stack up to its leaf. */
static bool find_roots(Builder *self)
{
	uint32_t n_stacks = store_n_stacks(self->store);

	if (!tree_judge_has_roots(self->judge))
		return true;
	self->root_of = g_try_new0(uint32_t, n_stacks);
	for (uint32_t i = 1; self->root_of != NULL && i < n_stacks; i++) {
		uint32_t n, above = self->root_of[store_stack_parent(self->store, i)];
		const uint32_t *ids =
			frame_names_ids(self->names, store_stack_frame(self->store, i), &n);
		bool has_root = false;

		for (uint32_t k = 0; above == 0 && k < n; k++)
			has_root |= (tree_judge_display(self->judge, ids[k]) & FRAME_IS_ROOT) != 0;
		self->root_of[i] = has_root ? i : above;
	}
	return self->root_of != NULL;
}

/* Up to the nearest stack whose node is known, and down again. */
static uint32_t node_from_root(Builder *self, uint32_t group_node, uint32_t stack)
{
	uint32_t node = group_node;

	self->path.n = 0;
	while (stack != 0 && self->node_of[stack] == ROW_NONE) {
		if (!array_push(&self->path, stack))
			self->is_out_of_memory = true;
		stack = is_root(self, stack) ? 0 : store_stack_parent(self->store, stack);
	}
	if (stack != 0)
		node = self->node_of[stack];
	while (self->path.n > 0 && !self->is_out_of_memory) {
		stack = self->path.data[--self->path.n];
		node = below(self, node, stack);
		self->node_of[stack] = node;
		if (!array_push(&self->touched, stack))
			self->is_out_of_memory = true;
	}
	return node;
}

static uint32_t node_from_leaf(Builder *self, uint32_t group_node, uint32_t stack)
{
	uint32_t node = group_node;

	while (stack != 0) {
		node = below(self, node, stack);
		stack = is_root(self, stack) ? 0 : store_stack_parent(self->store, stack);
	}
	return node;
}

static void forget_nodes(Builder *self)
{
	for (size_t i = 0; i < self->touched.n; i++)
		self->node_of[self->touched.data[i]] = ROW_NONE;
	self->touched.n = 0;
}

/* Of all stacks, each in full: what a merge from the leaf looks at. */
static uint64_t n_frames_in_all(const Store *store, const StackWeights *weights)
{
	g_autofree uint32_t *depths = g_new0(uint32_t, store_n_stacks(store));
	uint64_t n = 0;

	for (uint32_t i = 1; i < store_n_stacks(store); i++)
		depths[i] = depths[store_stack_parent(store, i)] + 1;
	for (uint32_t i = 0; i < weights->n_rows; i++)
		n += depths[weights->rows[i].stack];
	return n;
}

static void merge(Builder *self, const StackWeights *weights, const Groups *groups)
{
	uint32_t group_node = 0;

	for (uint32_t i = 0; i < weights->n_rows && !self->is_out_of_memory && !self->is_too_large;
	     i++) {
		const StackWeight *row = &weights->rows[i];
		uint32_t node;

		if (i == 0 || row->group != weights->rows[i - 1].group) {
			Text name = groups_name(groups, row->group);

			forget_nodes(self);
			group_node =
				name.len > 0
					? child_of(self, 0, frame_names_label(self->names, name), 0)
					: 0;
		}
		node = self->is_reversed ? node_from_leaf(self, group_node, row->stack)
					 : node_from_root(self, group_node, row->stack);
		self->drafts.data[node].self =
			weight_add(self->drafts.data[node].self, row->weight);
		self->node_of[row->stack] = node;
	}
}

static void add_totals(Builder *self)
{
	Draft *drafts = self->drafts.data;

	for (size_t i = self->drafts.n; i-- > 0;) {
		drafts[i].total = weight_add(drafts[i].total, drafts[i].self);
		if (i > 0)
			drafts[drafts[i].parent].total =
				weight_add(drafts[drafts[i].parent].total, drafts[i].total);
	}
}

/* --- order ------------------------------------------------------------------------------- */

static int compare_displays(const void *left, const void *right, void *names)
{
	DisplayFrame a = frame_names_get(names, *(const uint32_t *)left);
	DisplayFrame b = frame_names_get(names, *(const uint32_t *)right);
	int order = text_compare(a.name, b.name);

	return order != 0 ? order : (int)a.class - (int)b.class;
}

/* Displays in order of name: order[rank] is a display id. */
static uint32_t *rank_displays(FrameNames *names, uint32_t n)
{
	uint32_t *order = g_new(uint32_t, (gsize)n + 1);

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	g_qsort_with_data(order, (gint)n, sizeof(*order), compare_displays, names);
	return order;
}

/* Nodes by descending rank (a counting sort), each put first in its parent's list: the lists
 * then ascend. */
static void link_children(Builder *self)
{
	uint32_t n_displays = frame_names_count(self->names);
	g_autofree uint32_t *order = rank_displays(self->names, n_displays);
	g_autofree uint32_t *head = g_new(uint32_t, (gsize)n_displays + 1);
	g_autofree uint32_t *next = g_new(uint32_t, self->drafts.n);

	memset(head, 0xff, ((gsize)n_displays + 1) * sizeof(*head));
	for (uint32_t i = 1; i < self->drafts.n; i++) {
		uint32_t display = self->drafts.data[i].display;

		next[i] = head[display];
		head[display] = i;
	}
	for (uint32_t rank = n_displays; rank-- > 0;)
		for (uint32_t i = head[order[rank]]; i != ROW_NONE; i = next[i]) {
			Draft *draft = &self->drafts.data[i];
			Draft *parent = &self->drafts.data[draft->parent];

			draft->next_sibling = parent->first_child;
			parent->first_child = i;
		}
}

/* --- pre-order --------------------------------------------------------------------------- */

/* From here on the draft tells where its node is: in `depth`, which nobody needs any more. */
static uint32_t emit(CallTree *tree, Draft *draft, uint32_t parent)
{
	uint32_t at = tree->n_nodes++;
	CallNode *node = &tree->nodes[at];

	*node = (CallNode){ .display = draft->display,
			    .parent = parent,
			    .depth = at > 0 ? tree->nodes[parent].depth + 1 : 0,
			    .self = draft->self,
			    .total = draft->total };
	tree->max_depth = MAX(tree->max_depth, node->depth);
	draft->depth = at;
	return at;
}

static void lay_out(const Builder *self, CallTree *tree)
{
	Draft *drafts = self->drafts.data;
	uint32_t draft = 0, at = emit(tree, &drafts[0], 0);

	while (true) {
		if (drafts[draft].first_child != ROW_NONE) {
			draft = drafts[draft].first_child;
			at = emit(tree, &drafts[draft], at);
			continue;
		}
		while (draft != 0 && drafts[draft].next_sibling == ROW_NONE) {
			tree->nodes[at].next = tree->n_nodes;
			draft = drafts[draft].parent;
			at = tree->nodes[at].parent;
		}
		tree->nodes[at].next = tree->n_nodes;
		if (draft == 0)
			return;
		draft = drafts[draft].next_sibling;
		at = emit(tree, &drafts[draft], tree->nodes[at].parent);
	}
}

/* Stacks that samples end in, from drafts to nodes. */
static uint32_t *map_stacks(Builder *self, const StackWeights *weights)
{
	uint32_t n = store_n_stacks(self->store);
	uint32_t *node_of_stack = g_try_new(uint32_t, n);

	if (node_of_stack == NULL)
		return NULL;
	memset(node_of_stack, 0xff, n * sizeof(*node_of_stack));
	for (uint32_t i = 0; i < weights->n_rows; i++) {
		uint32_t stack = weights->rows[i].stack;

		node_of_stack[stack] = self->drafts.data[self->node_of[stack]].depth;
	}
	return node_of_stack;
}

/* --- the whole --------------------------------------------------------------------------- */

static bool builder_init(Builder *self, const Store *store, const CallTreeSettings *settings)
{
	uint32_t n_stacks = store_n_stacks(store);
	Draft root = { .first_child = ROW_NONE, .next_sibling = ROW_NONE };

	*self = (Builder){ .store = store,
			   .seed = id_index_seed(),
			   .is_reversed = settings->is_reversed,
			   .rules = &settings->rules,
			   .names = frame_names_new(store, settings->names, settings->name_flags) };
	root.display = frame_names_label(self->names, TEXT("root"));
	self->judge = tree_judge_new(&settings->rules, self->names);
	self->node_of = g_try_new(uint32_t, n_stacks);
	if (self->node_of == NULL || !array_push(&self->drafts, root))
		return false;
	memset(self->node_of, 0xff, n_stacks * sizeof(*self->node_of));
	return find_roots(self);
}

/* False where a rule's expression gave up. */
static bool builder_clear(Builder *self, GError **error)
{
	bool ok = tree_judge_finish(self->judge, error);

	frame_names_free(self->names);
	array_clear(&self->drafts);
	id_index_clear(&self->index);
	g_free(self->node_of);
	array_clear(&self->path);
	array_clear(&self->touched);
	g_free(self->root_of);
	return ok;
}

static CallTree *finish(Builder *self, const Selection *selection, const StackWeights *weights,
			bool keep_stacks)
{
	CallTree *tree = g_new0(CallTree, 1);

	add_totals(self);
	link_children(self);
	tree->nodes = g_try_new(CallNode, self->drafts.n);
	if (tree->nodes == NULL) {
		g_free(tree);
		return NULL;
	}
	lay_out(self, tree);
	if (keep_stacks && (tree->node_of_stack = map_stacks(self, weights)) == NULL) {
		call_tree_free(tree);
		return NULL;
	}
	tree->names = g_steal_pointer(&self->names);
	tree->counts = selection_counts(selection);
	return tree;
}

CallTree *call_tree_new(const Store *store, Selection *selection, const CallTreeSettings *settings,
			GError **error)
{
	g_autoptr(Groups) groups = groups_new(store, settings->group_by, false);
	g_auto(StackWeights) weights = { 0 };
	Grouping grouping = groups_grouping(groups);
	CallTree *tree = NULL;
	Builder builder;

	if (!stack_weights_init(&weights, store, selection, &grouping, error))
		return NULL;
	if (builder_init(&builder, store, settings)) {
		builder.is_too_large = settings->is_reversed &&
				       n_frames_in_all(store, &weights) > MAX_REVERSED_FRAMES;
		merge(&builder, &weights, groups);
		if (!builder.is_out_of_memory && !builder.is_too_large)
			tree = finish(&builder, selection, &weights, settings->keep_stacks);
	}
	if (!builder_clear(&builder, error))
		g_clear_pointer(&tree, call_tree_free);
	else if (builder.is_too_large)
		fail(error, FLAMEBEAT_ERROR_LIMIT,
		     "too much to merge: more than %u nodes, or %" G_GUINT64_FORMAT
		     " frames from the leaf; choose less with --range or --match, or --group-by "
		     "none",
		     MAX_TREE_NODES, MAX_REVERSED_FRAMES);
	else if (tree == NULL)
		fail(error, FLAMEBEAT_ERROR_LIMIT, "out of memory for the call tree");
	return tree;
}

void call_tree_free(CallTree *self)
{
	if (self == NULL)
		return;
	g_free(self->nodes);
	g_free(self->node_of_stack);
	g_free(self->begins);
	frame_names_free(self->names);
	g_free(self);
}
