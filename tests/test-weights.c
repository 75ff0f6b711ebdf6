/* SPDX-License-Identifier: MIT */
/*
 * One weight per (group, stack): the first half of every merge, against plain counting.
 */

#include "slice/weights.h"

#include "tests/store-fixture.h"

static void weigh(StackWeights *weights, const Store *store, const char *words,
		  const Grouping *grouping)
{
	g_autoptr(Selection) selection = selection_fixture(store, words, NULL);
	g_autoptr(GError) error = NULL;

	g_assert_true(stack_weights_init(weights, store, selection, grouping, &error));
	g_assert_no_error(error);
}

static const char *const recording = "1   a 1/1 0 c 10 main;x\n"
				     "2   b 2/2 1 c 20 main;x\n"
				     "3   a 1/1 1 c 30 main;x\n"
				     "4   a 1/1 0 c 40 main\n"
				     "4.5 b 2/2 - c 50\n"
				     "5   b 2/2 0 c 60 main;x\n";

/* The rows as text, in their order. */
static char *rows_of(const StackWeights *weights, const Store *store)
{
	GString *rows = g_string_new(NULL);

	for (uint32_t i = 0; i < weights->n_rows; i++) {
		g_autofree char *stack = store_fixture_folded(store, weights->rows[i].stack);

		g_string_append_printf(rows, "%u:%s=%" G_GUINT64_FORMAT " ", weights->rows[i].group,
				       stack, weights->rows[i].weight);
	}
	return g_string_free(rows, FALSE);
}

static void check_rows(const char *words, const Grouping *grouping, const char *expected)
{
	g_autoptr(Store) store = store_fixture_new(recording);
	g_auto(StackWeights) weights;
	weigh(&weights, store, words, grouping);
	g_autofree char *rows = rows_of(&weights, store);

	g_assert_cmpstr(rows, ==, expected);
}

/* Stack ids here: 0 empty, 1 `main`, 2 `main;x`. */
static void test_ungrouped(void)
{
	const Grouping none = { 0 };

	check_rows("", &none, "0:=1 0:main=1 0:main;x=4 ");
	check_rows("weight=period", &none, "0:=50 0:main=40 0:main;x=120 ");
	check_rows("range=0..3", &none, "0:main;x=3 ");
	check_rows("pid=4711", &none, "");
}

/* In order of group, then stack, whatever the order of samples. */
static void test_by_thread(void)
{
	static const uint32_t groups[] = { 7, 3 }; /* of threads a, b */
	const Grouping by_thread = { .by_thread = groups };

	check_rows("weight=period", &by_thread, "3:=50 3:main;x=80 7:main=40 7:main;x=40 ");
}

static uint32_t group_of_cpu(void *context, int32_t cpu)
{
	g_assert_true(context == recording);
	return cpu == ID_NONE ? 100 : (uint32_t)cpu + 10;
}

static void test_by_cpu(void)
{
	const Grouping by_cpu = { .by_cpu = group_of_cpu, .context = (void *)recording };

	check_rows("weight=period", &by_cpu, "10:main=40 10:main;x=70 11:main;x=50 100:=50 ");
}

static void test_saturation(void)
{
	g_autoptr(Store) store = store_fixture_new("1 a 1/1 0 c 18446744073709551614 f\n"
						   "2 a 1/1 0 c 18446744073709551614 f\n"
						   "3 a 1/1 0 c 0 g\n");
	const Grouping none = { 0 };
	g_auto(StackWeights) weights;
	weigh(&weights, store, "weight=period", &none);

	g_assert_cmpuint(weights.n_rows, ==, 2);
	g_assert_cmpuint(weights.rows[0].weight, ==, UINT64_MAX);
	g_assert_cmpuint(weights.rows[1].weight, ==, 0);
}

static void test_empty(void)
{
	g_autoptr(Store) store = store_fixture_new("");
	const Grouping none = { 0 };
	g_auto(StackWeights) weights;
	weigh(&weights, store, "", &none);

	g_assert_cmpuint(weights.n_rows, ==, 0);
}

enum { N_SAMPLES = 20000, N_STACKS = 40, N_THREADS = 9, N_GROUPS = 4 };

/* More samples than a block of the selection holds; groups change from sample to sample. */
static void test_random(void)
{
	StoreBuilder *builder = store_builder_new();
	uint64_t expected[N_GROUPS][N_STACKS + 1] = { { 0 } };
	uint32_t stacks[N_STACKS + 1] = { 0 }, groups[N_THREADS];
	uint32_t event = store_builder_event(builder, TEXT("c"));

	for (int i = 1; i <= N_STACKS; i++) {
		g_autofree char *frame = g_strdup_printf("f%d", i);
		const StoreFrame row = { .symbol = text_from(frame) };

		stacks[i] = store_builder_stack(builder, stacks[g_test_rand_int_range(0, i)],
						store_builder_frame(builder, &row));
		g_assert_cmpuint(stacks[i], ==, i);
	}
	for (int i = 0; i < N_THREADS; i++)
		groups[i] = (uint32_t)g_test_rand_int_range(0, N_GROUPS);
	for (int i = 0; i < N_SAMPLES; i++) {
		/* Threads in order of their earliest sample: ids are not renumbered. */
		int32_t tid = i < N_THREADS ? i : g_test_rand_int_range(0, N_THREADS);
		const StoreThread thread = { TEXT("t"), 1, tid };
		Sample sample = { .time_ns = i,
				  .has_period = true,
				  .period = (uint64_t)g_test_rand_int_range(0, 1000),
				  .event = event,
				  .thread = store_builder_thread(builder, &thread),
				  .stack = stacks[g_test_rand_int_range(0, N_STACKS + 1)] };

		expected[groups[tid]][sample.stack] += sample.period;
		g_assert_true(store_builder_add(builder, &sample));
	}
	g_autoptr(Store) store = store_fixture_finish(builder);
	const Grouping by_thread = { .by_thread = groups };
	g_auto(StackWeights) weights;
	weigh(&weights, store, "weight=period", &by_thread);

	for (uint32_t i = 0; i < weights.n_rows; i++) {
		const StackWeight *row = &weights.rows[i];

		g_assert_cmpuint(row->weight, ==, expected[row->group][row->stack]);
		expected[row->group][row->stack] = 0;
		if (i > 0)
			g_assert_true(row->group > row[-1].group ||
				      (row->group == row[-1].group && row->stack > row[-1].stack));
	}
	for (int g = 0; g < N_GROUPS; g++)
		for (int s = 0; s <= N_STACKS; s++)
			g_assert_cmpuint(expected[g][s], ==, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/weights/ungrouped", test_ungrouped);
	g_test_add_func("/weights/by-thread", test_by_thread);
	g_test_add_func("/weights/by-cpu", test_by_cpu);
	g_test_add_func("/weights/saturation", test_saturation);
	g_test_add_func("/weights/empty", test_empty);
	g_test_add_func("/weights/random", test_random);
	return g_test_run();
}
