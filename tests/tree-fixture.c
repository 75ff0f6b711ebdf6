/* SPDX-License-Identifier: MIT */
/*
 * Stacks are split into texts and sorted frame by frame; a pre-order tree then comes out of one
 * pass in which every stack opens what it does not share with the one before.
 */

#include "tests/tree-fixture.h"

#include <string.h>

#include "store/builder.h"

typedef struct {
	char **frames; /* NULL-terminated; the texts are changed in place */
	uint64_t weight;
} Stack;

static void stack_clear(gpointer data)
{
	g_strfreev(((Stack *)data)->frames);
}

static gint compare_stacks(gconstpointer a, gconstpointer b)
{
	char *const *x = ((const Stack *)a)->frames;
	char *const *y = ((const Stack *)b)->frames;
	for (; *x != NULL && *y != NULL; x++, y++) {
		int order = strcmp(*x, *y);
		if (order != 0)
			return order;
	}
	return (*x != NULL) - (*y != NULL);
}

static GArray *parse(const char *lines)
{
	GArray *stacks = g_array_new(FALSE, FALSE, sizeof(Stack));
	g_array_set_clear_func(stacks, stack_clear);
	g_auto(GStrv) split = g_strsplit(lines, "\n", -1);
	for (char **line = split; *line != NULL; line++) {
		char *blank = strrchr(*line, ' ');
		if (blank == NULL)
			continue;
		*blank = '\0';
		Stack stack = { g_strsplit(*line, ";", -1), g_ascii_strtoull(blank + 1, NULL, 10) };
		g_array_append_val(stacks, stack);
	}
	g_array_sort(stacks, compare_stacks);
	return stacks;
}

/* Takes ` (DSO)` off the end of `frame`. */
static Text take_dso(Text *frame)
{
	const char *open = text_ends(*frame, ")")
				   ? g_strrstr_len(frame->data, (gssize)frame->len, " (")
				   : NULL;
	if (open == NULL)
		return TEXT("");
	Text dso = { open + 2, frame->len - (size_t)(open - frame->data) - 3 };
	frame->len = (size_t)(open - frame->data);
	return dso;
}

static uint32_t add_frame(StoreBuilder *builder, const char *text)
{
	StoreFrame frame = { .symbol = text_from(text) };
	frame.dso = take_dso(&frame.symbol);
	return store_builder_frame(builder, &frame);
}

/* Nodes whose `display` is still a frame of the store's. */
static GArray *grow(StoreBuilder *builder, GArray *stacks)
{
	GArray *nodes = g_array_new(FALSE, FALSE, sizeof(CallNode));
	g_autoptr(GPtrArray) path = g_ptr_array_new(); /* names of the open nodes */
	g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(uint32_t)); /* root first */
	const CallNode root = { 0 };
	const uint32_t zero = 0;
	g_array_append_val(nodes, root);
	g_array_append_val(open, zero);
	for (guint i = 0; i < stacks->len; i++) {
		const Stack *stack = &g_array_index(stacks, Stack, i);
		guint shared = 0;
		while (shared < path->len && stack->frames[shared] != NULL &&
		       strcmp(path->pdata[shared], stack->frames[shared]) == 0)
			shared++;
		g_ptr_array_set_size(path, (int)shared);
		g_array_set_size(open, shared + 1);
		for (guint d = shared; stack->frames[d] != NULL; d++) {
			uint32_t id = nodes->len;
			const CallNode node = { .display = add_frame(builder, stack->frames[d]),
						.parent = g_array_index(open, uint32_t, d),
						.depth = d + 1 };
			g_array_append_val(nodes, node);
			g_array_append_val(open, id);
			g_ptr_array_add(path, stack->frames[d]);
		}
		uint32_t leaf = g_array_index(open, uint32_t, open->len - 1);
		g_array_index(nodes, CallNode, leaf).self += stack->weight;
	}
	return nodes;
}

/* Takes `nodes` (as of grow()) and fills in what follows from the rest. */
static void finish(TreeFixture *self, StoreBuilder *builder, GArray *nodes)
{
	CallTree *tree = &self->tree;
	self->store = store_builder_finish(builder, NULL);
	g_assert_nonnull(self->store);
	tree->n_nodes = nodes->len;
	tree->nodes = (CallNode *)(void *)g_array_free(nodes, FALSE);
	tree->names = frame_names_new(self->store, NAMES_RAW, FRAME_NAMES_BY_CLASS);
	for (uint32_t i = tree->n_nodes; i-- > 0;) {
		CallNode *node = &tree->nodes[i];
		uint32_t n;
		node->display = i == 0 ? frame_names_label(tree->names, TEXT("root"))
				       : frame_names_ids(tree->names, node->display, &n)[0];
		node->total += node->self;
		node->next = MAX(node->next, i + 1);
		tree->max_depth = MAX(tree->max_depth, node->depth);
		if (i > 0) {
			tree->nodes[node->parent].total += node->total;
			tree->nodes[node->parent].next =
				MAX(tree->nodes[node->parent].next, node->next);
		}
	}
}

void tree_fixture_init(TreeFixture *self, const char *lines)
{
	*self = (TreeFixture){ 0 };
	g_autoptr(StoreBuilder) builder = store_builder_new();
	g_autoptr(GArray) stacks = parse(lines);
	finish(self, builder, grow(builder, stacks));
}

void tree_fixture_init_chain(TreeFixture *self, uint32_t n, uint32_t self_step)
{
	*self = (TreeFixture){ 0 };
	g_autoptr(StoreBuilder) builder = store_builder_new();
	GArray *nodes = g_array_new(FALSE, FALSE, sizeof(CallNode));
	uint32_t frame = add_frame(builder, "frame");
	for (uint32_t i = 0; i <= n; i++) {
		bool has_self = i == n || (i > 0 && self_step > 0 && i % self_step == 0);
		const CallNode node = {
			.display = frame, .parent = i > 0 ? i - 1 : 0, .depth = i, .self = has_self
		};
		g_array_append_val(nodes, node);
	}
	finish(self, builder, nodes);
}

void tree_fixture_clear(TreeFixture *self)
{
	frame_names_free(self->tree.names);
	store_free(self->store);
	g_free(self->tree.nodes);
	*self = (TreeFixture){ 0 };
}
