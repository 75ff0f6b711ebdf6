/* SPDX-License-Identifier: MIT */
/*
 * The walk over the distinct stacks: each entered and left once, sums right; and a store such as
 * nobody records, in which the sum of depths is the square of the size: tables are as fast as ever,
 * merging it from the leaf is refused.
 */

#include "slice/stack-walk.h"

#include "slice/call-tree.h"
#include "slice/top.h"
#include "store/error.h"
#include "tests/store-fixture.h"

static void weigh(StackWeights *weights, const Store *store)
{
	g_autoptr(Selection) selection = selection_fixture(store, "", NULL);
	g_autoptr(GError) error = NULL;
	Grouping none = { 0 };

	g_assert_true(stack_weights_init(weights, store, selection, &none, &error));
	g_assert_no_error(error);
}

/* `+leaf self/total` entered, `-leaf` left. */
static void check_walk(const char *lines, const char *expected)
{
	g_autoptr(Store) store = store_fixture_new(lines);
	g_auto(StackWeights) weights = { 0 };
	g_auto(StackWalk) walk = { 0 };
	g_autoptr(GString) text = g_string_new(NULL);
	uint32_t stack;
	bool is_leaving;

	weigh(&weights, store);
	g_assert_true(stack_walk_init(&walk, store, &weights, NULL));
	while (stack_walk_next(&walk, &stack, &is_leaving)) {
		Text name = store_frame(store, store_stack_frame(store, stack)).symbol;

		g_string_append_printf(text, " %c%.*s", is_leaving ? '-' : '+', (int)name.len,
				       name.data);
		if (!is_leaving)
			g_string_append_printf(text, " %d/%d", (int)walk.self[stack],
					       (int)walk.total[stack]);
	}
	g_assert_cmpstr(text->str, ==, expected);
	g_assert_false(stack_walk_next(&walk, &stack, &is_leaving));
}

static void test_order(void)
{
	check_walk("", "");
	check_walk("1 a 1/1 0 c 1 \n", "");
	check_walk("1 a 1/1 0 c 1 f\n", " +f 1/1 -f");
	check_walk("1 a 1/1 0 c 1 f;g\n2 a 1/1 0 c 1 f;h;i\n3 a 1/1 0 c 1 f\n4 b 1/1 0 c 1 k\n"
		   "5 a 1/1 0 c 1 f;h;i\n",
		   " +f 1/4 +g 1/1 -g +h 0/2 +i 2/2 -i -h -f +k 1/1 -k");
}

enum { DEPTH = 200000 };

/* A chain of `f` and `g`, sampled at each of its frames. */
static Store *ladder(void)
{
	StoreBuilder *builder = store_builder_new();
	StoreThread thread = { TEXT("a"), 1, 1 };
	StoreFrame frames[] = { { .symbol = TEXT("f"), .dso = TEXT("/x") },
				{ .symbol = TEXT("g"), .dso = TEXT("/x") } };
	Sample sample = { .thread = store_builder_thread(builder, &thread),
			  .event = store_builder_event(builder, TEXT("c")),
			  .cpu = ID_NONE };

	for (int i = 0; i < DEPTH; i++) {
		uint32_t frame = store_builder_frame(builder, &frames[i % 2]);

		sample.time_ns = i;
		sample.stack = store_builder_stack(builder, sample.stack, frame);
		store_builder_add(builder, &sample);
	}
	return store_fixture_finish(builder);
}

static void test_ladder(void)
{
	g_autoptr(Store) store = ladder();
	g_autoptr(Selection) selection = selection_fixture(store, "", NULL);
	g_autoptr(Top) top = top_new(store, selection, TOP_BY_FUNCTION, true, NAMES_TIDY, NULL);

	g_assert_cmpuint(top->n_rows, ==, 2);
	g_assert_cmpstr(top->rows[0].name, ==, "f");
	g_assert_cmpuint(top->rows[0].total, ==, DEPTH);
	g_assert_cmpuint(top->rows[0].self, ==, DEPTH / 2);
	g_assert_cmpuint(top->rows[1].total, ==, DEPTH - 1);
	g_assert_cmpuint(top->rows[1].self, ==, DEPTH / 2);
}

static void test_ladder_reversed(void)
{
	g_autoptr(Store) store = ladder();
	g_autoptr(Selection) selection = selection_fixture(store, "", NULL);
	const CallTreeSettings reversed = { .group_by = GROUP_BY_NONE, .is_reversed = true };
	const CallTreeSettings forward = { .group_by = GROUP_BY_NONE };
	g_autoptr(CallTree) tree = call_tree_new(store, selection, &forward, NULL);
	g_autoptr(GError) error = NULL;

	g_assert_cmpuint(tree->n_nodes, ==, DEPTH + 1);
	g_assert_null(call_tree_new(store, selection, &reversed, &error));
	g_assert_error(error, FLAMEBEAT_ERROR, FLAMEBEAT_ERROR_LIMIT);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/stack-walk/order", test_order);
	g_test_add_func("/stack-walk/ladder", test_ladder);
	g_test_add_func("/stack-walk/ladder/reversed", test_ladder_reversed);
	return g_test_run();
}
