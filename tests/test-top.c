/* SPDX-License-Identifier: MIT */
/*
 * Tables of who runs: self and total by function and DSO, one row a group by anything else.
 */

#include "slice/top.h"

#include "tests/store-fixture.h"

static Top *top_of(const Store *store, const char *words, TopBy by, bool sort_by_total)
{
	g_autoptr(Selection) selection = selection_fixture(store, words, NULL);
	g_autoptr(GError) error = NULL;
	Top *top = top_new(store, selection, by, sort_by_total, NAMES_TIDY, &error);
	uint64_t sum = 0;

	g_assert_no_error(error);
	g_assert_nonnull(top);
	g_assert_cmpuint(top->total, ==, top->counts.weight);
	/* Every sample runs in one place. */
	for (size_t i = 0; i < top->n_rows; i++) {
		g_assert_cmpuint(top->rows[i].self, <=, top->rows[i].total);
		g_assert_cmpuint(top->rows[i].total, <=, top->total);
		sum += top->rows[i].self;
	}
	g_assert_cmpuint(sum, ==, top->total);
	return top;
}

/* `name self/total` of all rows, joined by `, `; by function with the DSO in brackets. */
static char *text_of(const Top *top)
{
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < top->n_rows; i++) {
		const TopRow *row = &top->rows[i];

		g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", row->name);
		if (row->dso != NULL)
			g_string_append_printf(text, " (%s)", row->dso);
		g_string_append_printf(text, " %" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT, row->self,
				       row->total);
	}
	return g_string_free(text, FALSE);
}

static void check_sorted(const char *lines, const char *words, TopBy by, bool sort_by_total,
			 const char *expected)
{
	g_autoptr(Store) store = store_fixture_new(lines);
	g_autoptr(Top) top = top_of(store, words, by, sort_by_total);
	g_autofree char *text = text_of(top);

	g_assert_cmpstr(text, ==, expected);
}

static void check(const char *lines, TopBy by, const char *expected)
{
	check_sorted(lines, "", by, false, expected);
}

/* --- functions --------------------------------------------------------------------------- */

static const char *const stacks = "1 a 1/1 0 c 10 main (/bin/x);f (/bin/x);g (/lib/y.so)\n"
				  "2 a 1/1 0 c 20 main (/bin/x);f (/bin/x)\n"
				  "3 a 1/1 0 c 30 main (/bin/x);f (/bin/x);g (/lib/y.so)\n"
				  "4 a 1/1 0 c 40 main (/bin/x);g (/lib/y.so)\n";

static void test_by_function(void)
{
	check(stacks, TOP_BY_FUNCTION, "g (/lib/y.so) 3/3, f (/bin/x) 1/3, main (/bin/x) 0/4");
	check_sorted(stacks, "weight=period", TOP_BY_FUNCTION, false,
		     "g (/lib/y.so) 80/80, f (/bin/x) 20/60, main (/bin/x) 0/100");
	check_sorted(stacks, "range=@1.5..3.5", TOP_BY_FUNCTION, false,
		     "f (/bin/x) 1/2, g (/lib/y.so) 1/1, main (/bin/x) 0/2");
}

static void test_sort_by_total(void)
{
	check_sorted(stacks, "weight=period", TOP_BY_FUNCTION, true,
		     "main (/bin/x) 0/100, g (/lib/y.so) 80/80, f (/bin/x) 20/60");
}

/* Largest first, then by name. */
static void test_ties(void)
{
	const char *lines = "1 a 1/1 0 c 1 b\n2 a 1/1 0 c 1 B\n3 a 1/1 0 c 1 a\n4 a 1/1 0 c 1 _\n";

	check(lines, TOP_BY_FUNCTION, "B () 1/1, _ () 1/1, a () 1/1, b () 1/1");
	check_sorted(lines, "", TOP_BY_FUNCTION, true, "B () 1/1, _ () 1/1, a () 1/1, b () 1/1");
}

/* A function is on a stack or not, however often. */
static void test_recursion(void)
{
	check("1 a 1/1 0 c 1 f;f;f\n2 a 1/1 0 c 1 f;g;f;g\n3 a 1/1 0 c 1 f;g;f;h\n",
	      TOP_BY_FUNCTION, "f () 1/3, g () 1/2, h () 1/1");
}

/* The same name in another library is another function. */
static void test_same_name(void)
{
	check("1 a 1/1 0 c 1 f (/x)\n2 a 1/1 0 c 1 f (/y)\n3 a 1/1 0 c 1 f (/y)\n", TOP_BY_FUNCTION,
	      "f (/y) 2/2, f (/x) 1/1");
}

/* Functions are counted as they are displayed. */
static void test_displayed(void)
{
	check("1 a 1/1 0 c 1 f(int) (/x)\n"
	      "2 a 1/1 0 c 1 f(char) (/x)\n"
	      "3 a 1/1 0 c 1 A->B (/tmp/perf-1.map)\n"
	      "4 a 1/1 0 c 1 A (/tmp/perf-1.map);f(int) (/x)\n",
	      TOP_BY_FUNCTION, "f (/x) 3/3, B (/tmp/perf-1.map) 1/1, A (/tmp/perf-1.map) 0/2");
}

/* Samples without a stack run somewhere, too. */
static void test_no_stack(void)
{
	g_autoptr(Store) store =
		store_fixture_new("1 a 1/1 0 c 1\n2 a 1/1 0 c 1\n3 a 1/1 0 c 1 f\n");
	static const TopBy kinds[] = { TOP_BY_FUNCTION, TOP_BY_DSO };

	for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
		g_autoptr(Top) top = top_of(store, "", kinds[i], false);

		g_assert_cmpuint(top->total, ==, 3);
		g_assert_cmpstr(top->rows[0].name, !=, "");
	}
}

static void test_nothing(void)
{
	for (int by = TOP_BY_FUNCTION; by <= TOP_BY_DSO; by++) {
		g_autoptr(Store) store = store_fixture_new("1 a 1/1 0 c 1 f\n");
		g_autoptr(Top) top = top_of(store, "pid=9", (TopBy)by, false);

		g_assert_cmpuint(top->n_rows, ==, 0);
		g_assert_cmpuint(top->total, ==, 0);
	}
}

static void test_deep(void)
{
	StoreBuilder *builder = store_builder_new();
	const StoreThread thread = { TEXT("a"), 1, 1 };
	Sample sample = { .thread = store_builder_thread(builder, &thread),
			  .event = store_builder_event(builder, TEXT("c")) };
	const StoreFrame names[] = { { TEXT("f"), TEXT("/x"), 0, 0, TEXT("") },
				     { TEXT("g"), TEXT("/x"), 0, 0, TEXT("") } };

	for (int i = 0; i < 100000; i++)
		sample.stack = store_builder_stack(builder, sample.stack,
						   store_builder_frame(builder, &names[i % 2]));
	g_assert_true(store_builder_add(builder, &sample));
	g_autoptr(Store) store = store_fixture_finish(builder);
	g_autoptr(Top) top = top_of(store, "", TOP_BY_FUNCTION, false);
	g_autofree char *text = text_of(top);

	g_assert_cmpstr(text, ==, "g (/x) 1/1, f (/x) 0/1");
}

/* --- DSOs -------------------------------------------------------------------------------- */

static void test_by_dso(void)
{
	check_sorted("1 a 1/1 0 c 10 main (/bin/x);f (/bin/x);g (/lib/y.so)\n"
		     "2 a 1/1 0 c 20 main (/bin/x);g (/lib/y.so);f (/bin/x)\n"
		     "3 a 1/1 0 c 40 main (/bin/x);h (/lib/y.so);g (/lib/y.so)\n",
		     "weight=period", TOP_BY_DSO, false, "/lib/y.so 50/70, /bin/x 20/70");
}

/* Frames without a DSO are in an unknown one. */
static void test_unknown_dso(void)
{
	check("1 a 1/1 0 c 1 main (/bin/x);@1f\n"
	      "2 a 1/1 0 c 1 main (/bin/x);@1f ([unknown])\n"
	      "3 a 1/1 0 c 1 main (/bin/x);sym\n",
	      TOP_BY_DSO, "[unknown] 3/3, /bin/x 0/3");
}

/* --- groups ------------------------------------------------------------------------------ */

static const char *const threads = "1 java        10/10 0 c 1 f\n"
				   "2 java        10/11 1 c 1 f\n"
				   "3 GC+Thread#1 10/12 1 c 1 g\n"
				   "4 GC+Thread#2 10/13 1 c 1 g\n"
				   "5 sh          -/20  3 c 1 f\n"
				   "6 java        30/30 1 c 1 f\n";

/* As they are: blanks are no problem in a table. */
static void test_by_comm(void)
{
	check(threads, TOP_BY_COMM, "java 3/3, GC Thread#1 1/1, GC Thread#2 1/1, sh 1/1");
}

static void test_by_process(void)
{
	check(threads, TOP_BY_PROCESS, "java 5/5, sh 1/1");
}

static void test_by_ids(void)
{
	g_autoptr(Store) store = store_fixture_new(threads);
	g_autoptr(Top) by_pid = top_of(store, "", TOP_BY_PID, false);
	g_autoptr(Top) by_thread = top_of(store, "", TOP_BY_THREAD, false);

	g_assert_cmpuint(by_thread->n_rows, ==, 6);
	for (size_t i = 0; i < by_thread->n_rows; i++)
		g_assert_cmpuint(by_thread->rows[i].self, ==, 1);
	g_assert_cmpuint(by_pid->rows[0].self, >=, 2);
}

/* Rows are processes: the threads of one are one row, whatever their names. */
static void test_by_pid_whole(void)
{
	g_autoptr(Store) store = store_fixture_new(threads);
	g_autoptr(Top) top = top_of(store, "", TOP_BY_PID, false);

	g_assert_cmpuint(top->n_rows, ==, 3); /* 10, 30, unknown */
	g_assert_cmpuint(top->rows[0].self, ==, 4);
}

static void test_by_pool(void)
{
	g_autoptr(Store) store = store_fixture_new(threads);
	g_autoptr(Top) top = top_of(store, "", TOP_BY_POOL, false);

	g_assert_cmpuint(top->n_rows, ==, 3);
	g_assert_cmpstr(top->rows[0].name, ==, "java");
	g_assert_cmpuint(top->rows[0].self, ==, 3);
	g_assert_nonnull(strstr(top->rows[1].name, "GC Thread#N"));
	g_assert_cmpuint(top->rows[1].self, ==, 2);
}

static void test_by_cpu(void)
{
	g_autoptr(Store) store = store_fixture_new(threads);
	g_autoptr(Top) top = top_of(store, "", TOP_BY_CPU, false);

	g_assert_cmpuint(top->n_rows, ==, 3);
	g_assert_cmpuint(top->rows[0].self, ==, 4);
	g_assert_nonnull(strchr(top->rows[0].name, '1'));
	g_assert_cmpuint(top->rows[0].total, ==, 4);
}

/* --- random ------------------------------------------------------------------------------ */

typedef struct {
	uint64_t self, total;
} Weight;

/* Against counting each sample by itself. */
static void test_random(void)
{
	enum { N = 12 };
	for (int round = 0; round < 60; round++) {
		StoreBuilder *builder = store_builder_new();
		Weight expected[N] = { { 0, 0 } };
		size_t n_rows = 0;

		for (int i = g_test_rand_int_range(1, 300); i > 0; i--) {
			g_autoptr(GString) line = g_string_new(NULL);
			int period = g_test_rand_int_range(1, 100), leaf = -1;
			bool seen[N] = { false };

			g_string_printf(line, "%d.5 t%d 1/%d 0 c %d ", i, i % 3, i % 3, period);
			for (int k = g_test_rand_int_range(1, 10); k > 0; k--) {
				leaf = g_test_rand_int_range(0, N);
				seen[leaf] = true;
				g_string_append_printf(line, "f%02d;", leaf);
			}
			store_fixture_add(builder, line->str);
			expected[leaf].self += (uint64_t)period;
			for (int f = 0; f < N; f++)
				expected[f].total += seen[f] ? (uint64_t)period : 0;
		}
		g_autoptr(Store) store = store_fixture_finish(builder);
		g_autoptr(Top) top = top_of(store, "weight=period", TOP_BY_FUNCTION, round % 2);
		for (int f = 0; f < N; f++)
			n_rows += expected[f].total > 0;
		g_assert_cmpuint(top->n_rows, ==, n_rows);
		for (size_t i = 0; i < top->n_rows; i++) {
			const Weight *weight = &expected[atoi(top->rows[i].name + 1)];

			g_assert_cmpuint(top->rows[i].self, ==, weight->self);
			g_assert_cmpuint(top->rows[i].total, ==, weight->total);
			if (i > 0 && round % 2)
				g_assert_cmpuint(top->rows[i].total, <=, top->rows[i - 1].total);
			else if (i > 0)
				g_assert_cmpuint(top->rows[i].self, <=, top->rows[i - 1].self);
		}
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/top/function", test_by_function);
	g_test_add_func("/top/function/sort-by-total", test_sort_by_total);
	g_test_add_func("/top/function/ties", test_ties);
	g_test_add_func("/top/function/recursion", test_recursion);
	g_test_add_func("/top/function/same-name", test_same_name);
	g_test_add_func("/top/function/displayed", test_displayed);
	g_test_add_func("/top/no-stack", test_no_stack);
	g_test_add_func("/top/nothing", test_nothing);
	g_test_add_func("/top/deep", test_deep);
	g_test_add_func("/top/dso", test_by_dso);
	g_test_add_func("/top/dso/unknown", test_unknown_dso);
	g_test_add_func("/top/comm", test_by_comm);
	g_test_add_func("/top/process", test_by_process);
	g_test_add_func("/top/ids", test_by_ids);
	g_test_add_func("/top/pid", test_by_pid_whole);
	g_test_add_func("/top/pool", test_by_pool);
	g_test_add_func("/top/cpu", test_by_cpu);
	g_test_add_func("/top/random", test_random);
	return g_test_run();
}
