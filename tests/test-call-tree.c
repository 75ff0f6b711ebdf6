/* SPDX-License-Identifier: MIT */
/*
 * Stacks merged into a tree: totals, order, first frames, merging from the leaf, and random
 * recordings against a plain sum per path.
 */

#include "slice/call-tree.h"

#include "tests/store-fixture.h"

/* --- looking at trees -------------------------------------------------------------------- */

/* What holds for every tree: pre-order, sorted children, totals. */
static void check_shape(const CallTree *tree)
{
	g_autofree uint64_t *sums = g_new0(uint64_t, tree->n_nodes);
	uint32_t max_depth = 0;

	g_assert_cmpuint(tree->n_nodes, >, 0);
	g_assert_cmpuint(tree->nodes[0].parent, ==, 0);
	g_assert_cmpuint(tree->nodes[0].depth, ==, 0);
	g_assert_cmpuint(tree->nodes[0].next, ==, tree->n_nodes);
	g_assert_cmpuint(tree->nodes[0].total, ==, tree->counts.weight);
	for (uint32_t i = tree->n_nodes; i-- > 0;) {
		const CallNode *node = &tree->nodes[i];

		g_assert_cmpuint(node->total, ==, node->self + sums[i]);
		g_assert_cmpuint(call_tree_frame(tree, i).name.len, >, 0);
		max_depth = MAX(max_depth, node->depth);
		if (i == 0)
			continue;
		g_assert_cmpuint(node->parent, <, i);
		g_assert_cmpuint(node->depth, ==, tree->nodes[node->parent].depth + 1);
		g_assert_cmpuint(node->next, >, i);
		g_assert_cmpuint(node->next, <=, tree->nodes[node->parent].next);
		sums[node->parent] += node->total;
		/* The next sibling, if there is one, follows in order of name, then class. */
		if (node->next < tree->nodes[node->parent].next) {
			DisplayFrame a = call_tree_frame(tree, i);
			DisplayFrame b = call_tree_frame(tree, node->next);
			int order = text_compare(a.name, b.name);

			g_assert_true(order < 0 || (order == 0 && a.class < b.class));
		}
	}
	g_assert_cmpuint(tree->max_depth, ==, max_depth);
}

static CallTree *tree_of(const Store *store, const char *words, const CallTreeSettings *settings)
{
	g_autoptr(Selection) selection = selection_fixture(store, words, NULL);
	g_autoptr(GError) error = NULL;
	CallTree *tree = call_tree_new(store, selection, settings, &error);

	g_assert_no_error(error);
	g_assert_nonnull(tree);
	check_shape(tree);
	return tree;
}

/* `name self/total`, each node in brackets behind its parent: a 0/3 [b 1/1, c 2/2]. */
static char *text_of(const CallTree *tree)
{
	GString *text = g_string_new(NULL);
	uint32_t depth = 0;

	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		const CallNode *node = &tree->nodes[i];
		Text name = call_tree_frame(tree, i).name;

		if (i > 0 && node->depth == depth)
			g_string_append(text, ", ");
		else if (node->depth > depth)
			g_string_append(text, " [");
		for (; depth > node->depth; depth--)
			g_string_append(text, node->depth + 1 == depth ? "], " : "]");
		depth = node->depth;
		g_string_append_len(text, name.data, (gssize)name.len);
		g_string_append_printf(text, " %" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT,
				       node->self, node->total);
	}
	for (; depth > 0; depth--)
		g_string_append_c(text, ']');
	return g_string_free(text, FALSE);
}

static void check_with(const char *lines, const char *words, CallTreeSettings settings,
		       const char *expected)
{
	g_autoptr(Store) store = store_fixture_new(lines);
	g_autoptr(CallTree) tree = tree_of(store, words, &settings);
	g_autofree char *text = text_of(tree);

	g_assert_cmpstr(text, ==, expected);
}

static void check(const char *lines, GroupBy by, const char *expected)
{
	check_with(lines, "", (CallTreeSettings){ .group_by = by }, expected);
}

/* --- merging ----------------------------------------------------------------------------- */

static void test_merge(void)
{
	check("1 a 1/1 0 c 1 main;b;y\n"
	      "2 a 1/1 0 c 1 main;a\n"
	      "3 a 1/1 0 c 1 main;b;x\n"
	      "4 a 1/1 0 c 1 main;b\n"
	      "5 a 1/1 0 c 1 main;b;y\n"
	      "6 a 1/1 0 c 1 other\n",
	      GROUP_BY_NONE, "root 0/6 [main 0/5 [a 1/1, b 1/4 [x 1/1, y 2/2]], other 1/1]");
}

/* Bytewise, whatever the locale: capitals before small letters, UTF-8 last. */
static void test_order(void)
{
	check("1 a 1/1 0 c 1 b\n2 a 1/1 0 c 1 a\n3 a 1/1 0 c 1 B\n4 a 1/1 0 c 1 ab\n"
	      "5 a 1/1 0 c 1 \xc3\xa4\n6 a 1/1 0 c 1 _\n7 a 1/1 0 c 1 10\n8 a 1/1 0 c 1 9\n",
	      GROUP_BY_NONE,
	      "root 0/8 [10 1/1, 9 1/1, B 1/1, _ 1/1, a 1/1, ab 1/1, b 1/1, \xc3\xa4 1/1]");
}

static void test_recursion(void)
{
	check("1 a 1/1 0 c 1 f;f;f\n2 a 1/1 0 c 1 f;f\n3 a 1/1 0 c 1 f;g;f\n", GROUP_BY_NONE,
	      "root 0/3 [f 0/3 [f 1/2 [f 1/1], g 0/1 [f 1/1]]]");
}

/* Samples without a stack are the root's or the group's own. */
static void test_no_stack(void)
{
	check("1 a 1/1 0 c 1\n2 a 1/1 0 c 1 f\n", GROUP_BY_NONE, "root 1/2 [f 1/1]");
	check("1 a 1/1 0 c 1\n2 a 1/1 0 c 1 f\n", GROUP_BY_COMM, "root 0/2 [a 1/2 [f 1/1]]");
}

static void test_nothing(void)
{
	check("", GROUP_BY_COMM, "root 0/0");
	check_with("1 a 1/1 0 c 1 f\n", "pid=7", (CallTreeSettings){ .group_by = GROUP_BY_NONE },
		   "root 0/0");
}

/* Names of frames, and the root's, are told apart by where they are. */
static void test_frames_like_labels(void)
{
	check("1 a 1/1 0 c 1 root;a\n2 a 1/1 0 c 1 a;root\n", GROUP_BY_COMM,
	      "root 0/2 [a 0/2 [a 0/1 [root 1/1], root 0/1 [a 1/1]]]");
}

static void test_weight_and_range(void)
{
	const char *lines = "1   a 1/1 0 c 100 f;g\n2 a 1/1 0 c 50 f\n3 a 1/1 0 c - f;g\n";
	const CallTreeSettings none = { .group_by = GROUP_BY_NONE };

	check_with(lines, "weight=period", none, "root 0/151 [f 50/151 [g 101/101]]");
	check_with(lines, "weight=period range=1..3", none, "root 0/51 [f 50/51 [g 1/1]]");
	check_with(lines, "range=0..1", none, "root 0/1 [f 0/1 [g 1/1]]");
}

static void test_saturation(void)
{
	g_autoptr(Store) store = store_fixture_new("1 a 1/1 0 c 18446744073709551614 f;g\n"
						   "2 a 1/1 0 c 18446744073709551614 f;h\n"
						   "3 a 1/1 0 c 5 f\n");
	g_autoptr(Selection) selection = selection_fixture(store, "weight=period", NULL);
	const CallTreeSettings settings = { .group_by = GROUP_BY_NONE };
	g_autoptr(CallTree) tree = call_tree_new(store, selection, &settings, NULL);

	g_assert_cmpuint(tree->nodes[0].total, ==, UINT64_MAX);
	g_assert_cmpuint(tree->nodes[1].total, ==, UINT64_MAX);
	g_assert_cmpuint(tree->nodes[1].self, ==, 5);
	g_assert_cmpuint(tree->nodes[2].total, ==, UINT64_MAX - 1);
}

/* --- displayed names --------------------------------------------------------------------- */

/* Frames that are displayed alike are one node, with all that is below them. */
static void test_display_merge(void)
{
	check("1 a 1/1 0 c 1 f(int) (/bin/x);g (/bin/x)\n"
	      "2 a 1/1 0 c 1 f(char) (/bin/y);g (/bin/y)\n"
	      "3 a 1/1 0 c 1 @1f (/lib/z.so)\n"
	      "4 a 1/1 0 c 1 @2f (/lib/z.so)\n",
	      GROUP_BY_NONE, "root 0/4 [[z.so] 2/2, f 0/2 [g 2/2]]");
	check_with("1 a 1/1 0 c 1 f(int) (/bin/x)\n2 a 1/1 0 c 1 f(char) (/bin/y)\n", "",
		   (CallTreeSettings){ .group_by = GROUP_BY_NONE, .names = NAMES_RAW },
		   "root 0/2 [f(char) 1/1, f(int) 1/1]");
}

/* One frame of perf's can be several nodes, outermost first. */
static void test_inlined(void)
{
	const char *lines = "1 a 1/1 0 c 1 main;A::f->B::g (/tmp/perf-1.map)\n"
			    "2 a 1/1 0 c 1 main;A::f (/tmp/perf-1.map)\n"
			    "3 a 1/1 0 c 1 main;A::f->B::g (/tmp/perf-1.map);native\n";

	check(lines, GROUP_BY_NONE, "root 0/3 [main 0/3 [A::f 1/3 [B::g 1/2 [native 1/1]]]]");
	check_with(lines, "",
		   (CallTreeSettings){ .group_by = GROUP_BY_NONE,
				       .name_flags = FRAME_ANNOTATE_JIT | FRAME_ANNOTATE_INLINE },
		   "root 0/3 [main 0/3 [A::f_[j] 1/3 [B::g_[i] 1/2 [native 1/1]]]]");
	check_with(lines, "", (CallTreeSettings){ .group_by = GROUP_BY_NONE, .is_reversed = true },
		   "root 0/3 [A::f 0/1 [main 1/1], B::g 0/1 [A::f 0/1 [main 1/1]], "
		   "native 0/1 [B::g 0/1 [A::f 0/1 [main 1/1]]]]");
}

static void test_by_class(void)
{
	const char *lines = "1 a 1/1 0 c 1 f (/bin/x)\n2 a 1/1 0 c 1 f ([kernel.kallsyms])\n";

	check(lines, GROUP_BY_NONE, "root 0/2 [f 2/2]");
	check_with(
		lines, "",
		(CallTreeSettings){ .group_by = GROUP_BY_NONE, .name_flags = FRAME_NAMES_BY_CLASS },
		"root 0/2 [f 1/1, f 1/1]");
}

/* --- first frames ------------------------------------------------------------------------ */

static const char *const groups = "1 java        10/10 0 c 1 f\n"
				  "2 java        10/11 1 c 1 f\n"
				  "3 GC+Thread#1 10/12 1 c 1 g\n"
				  "4 GC+Thread#2 10/13 3 c 1 g\n"
				  "5 sh          -/20  3 c 1 f\n"
				  "6 java        30/30 - c 1 f\n";

static void test_group_by_comm(void)
{
	check(groups, GROUP_BY_COMM,
	      "root 0/6 [GC_Thread#1 0/1 [g 1/1], GC_Thread#2 0/1 [g 1/1], java 0/3 [f 3/3], "
	      "sh 0/1 [f 1/1]]");
}

static void test_group_by_ids(void)
{
	check(groups, GROUP_BY_PID,
	      "root 0/6 [GC_Thread#1-10 0/1 [g 1/1], GC_Thread#2-10 0/1 [g 1/1], "
	      "java-10 0/2 [f 2/2], java-30 0/1 [f 1/1], sh-? 0/1 [f 1/1]]");
	check(groups, GROUP_BY_TID,
	      "root 0/6 [GC_Thread#1-10/12 0/1 [g 1/1], GC_Thread#2-10/13 0/1 [g 1/1], "
	      "java-10/10 0/1 [f 1/1], java-10/11 0/1 [f 1/1], java-30/30 0/1 [f 1/1], "
	      "sh-?/20 0/1 [f 1/1]]");
}

static void test_group_by_process(void)
{
	check(groups, GROUP_BY_PROCESS, "root 0/6 [java 0/5 [f 3/3, g 2/2], sh 0/1 [f 1/1]]");
}

/* The threads of one process whose names differ only in numbers. */
static void test_group_by_pool(void)
{
	g_autoptr(Store) store = store_fixture_new(groups);
	const CallTreeSettings settings = { .group_by = GROUP_BY_POOL };
	g_autoptr(CallTree) tree = tree_of(store, "", &settings);

	/* java, its GC threads, sh; and two frames below them. */
	g_assert_cmpuint(tree->n_nodes, ==, 1 + 3 + 3);
	g_assert_cmpint(text_compare(call_tree_frame(tree, 1).name, TEXT("java")), ==, 0);
	g_assert_cmpuint(tree->nodes[1].total, ==, 3);
	g_assert_cmpuint(tree->nodes[3].total, ==, 2);
	g_assert_true(text_ends(call_tree_frame(tree, 3).name, "Thread#N"));
}

static void test_group_by_cpu(void)
{
	g_autoptr(Store) store = store_fixture_new(groups);
	const CallTreeSettings settings = { .group_by = GROUP_BY_CPU };
	g_autoptr(CallTree) tree = tree_of(store, "", &settings);
	static const uint64_t totals[] = { 1, 2, 2, 1 }; /* of 0, 1, 3, unknown */
	uint32_t n = 0;

	for (uint32_t i = 1; i < tree->n_nodes; i = tree->nodes[i].next)
		g_assert_cmpuint(tree->nodes[i].total, ==, totals[n++]);
	g_assert_cmpuint(n, ==, 4);
}

static void test_group_by_cgroup(void)
{
	static const char *const paths[] = { "/b", "/a", "/b", "" };
	StoreBuilder *builder = store_builder_new();
	const StoreThread thread = { TEXT("a"), 1, 1 };
	Sample sample = { .thread = store_builder_thread(builder, &thread),
			  .event = store_builder_event(builder, TEXT("c")),
			  .stack = store_fixture_stack(builder, "f") };
	for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
		sample.cgroup = text_from(paths[i]);
		g_assert_true(store_builder_add(builder, &sample));
	}
	g_autoptr(Store) store = store_fixture_finish(builder);
	const CallTreeSettings settings = { .group_by = GROUP_BY_CGROUP };
	g_autoptr(CallTree) tree = tree_of(store, "", &settings);

	g_assert_cmpuint(tree->n_nodes, ==, 1 + 3 * 2); /* the one without has a name as well */
	g_assert_true(text_equal(call_tree_frame(tree, 1).name, TEXT("/a")));
	g_assert_cmpuint(tree->nodes[1].total, ==, 1);
	g_assert_true(text_equal(call_tree_frame(tree, 3).name, TEXT("/b")));
	g_assert_cmpuint(tree->nodes[3].total, ==, 2);
}

/* A thread without a name still has a first frame. */
static void test_group_without_name(void)
{
	StoreBuilder *builder = store_builder_new();
	const StoreThread thread = { TEXT(""), 7, 8 };
	Sample sample = { .thread = store_builder_thread(builder, &thread),
			  .event = store_builder_event(builder, TEXT("c")),
			  .stack = store_fixture_stack(builder, "f") };
	g_assert_true(store_builder_add(builder, &sample));
	g_autoptr(Store) store = store_fixture_finish(builder);
	const CallTreeSettings settings = { .group_by = GROUP_BY_COMM };
	g_autoptr(CallTree) tree = tree_of(store, "", &settings);

	g_assert_cmpuint(tree->n_nodes, ==, 3);
}

/* --- from the leaf ----------------------------------------------------------------------- */

static void test_reverse(void)
{
	const char *lines = "1 a 1/1 0 c 1 main;x;memcpy\n"
			    "2 a 1/1 0 c 1 main;y;memcpy\n"
			    "3 b 2/2 0 c 1 main;y\n"
			    "4 b 2/2 0 c 1\n";

	check_with(lines, "", (CallTreeSettings){ .group_by = GROUP_BY_NONE, .is_reversed = true },
		   "root 1/4 [memcpy 0/2 [x 0/1 [main 1/1], y 0/1 [main 1/1]], y 0/1 [main 1/1]]");
	check_with(lines, "", (CallTreeSettings){ .group_by = GROUP_BY_COMM, .is_reversed = true },
		   "root 0/4 [a 0/2 [memcpy 0/2 [x 0/1 [main 1/1], y 0/1 [main 1/1]]], "
		   "b 1/2 [y 0/1 [main 1/1]]]");
}

/* --- depth ------------------------------------------------------------------------------- */

enum { DEEP = 100000 };

/* A stack of 100,000 frames, and another that leaves it half way; nothing recurses. */
static void test_deep(void)
{
	StoreBuilder *builder = store_builder_new();
	const StoreThread thread = { TEXT("a"), 1, 1 };
	Sample sample = { .thread = store_builder_thread(builder, &thread),
			  .event = store_builder_event(builder, TEXT("c")) };
	uint32_t half = 0;
	for (int i = 0; i < DEEP; i++) {
		g_autofree char *name = g_strdup_printf("f%d", i % 1000);
		const StoreFrame frame = { .symbol = text_from(name) };

		sample.stack = store_builder_stack(builder, sample.stack,
						   store_builder_frame(builder, &frame));
		if (i == DEEP / 2)
			half = sample.stack;
	}
	g_assert_true(store_builder_add(builder, &sample));
	sample.stack = half;
	g_assert_true(store_builder_add(builder, &sample));
	g_autoptr(Store) store = store_fixture_finish(builder);

	for (int is_reversed = 0; is_reversed < 2; is_reversed++) {
		const CallTreeSettings settings = { .group_by = GROUP_BY_NONE,
						    .is_reversed = is_reversed };
		g_autoptr(CallTree) tree = tree_of(store, "", &settings);

		g_assert_cmpuint(tree->max_depth, ==, DEEP);
		g_assert_cmpuint(tree->nodes[0].total, ==, 2);
		if (!is_reversed)
			g_assert_cmpuint(tree->n_nodes, ==, DEEP + 1);
	}
}

/* --- random ------------------------------------------------------------------------------ */

/* Frames as typed, and what they are displayed as, outermost first. */
static const struct {
	const char *typed;
	const char *shown[3];
} frames[] = {
	{ "a (/bin/x)", { "a" } },
	{ "a(int) (/bin/y)", { "a" } },
	{ "b(char) (/bin/x)", { "b" } },
	{ "a->b (/tmp/perf-1.map)", { "a", "b" } },
	{ "b->c->a (/tmp/perf-1.map)", { "b", "c", "a" } },
	{ "c ([kernel.kallsyms])", { "c" } },
	{ "@1f (/lib/z.so)", { "[z.so]" } },
	{ "@2f (/lib/z.so)", { "[z.so]" } },
	{ "@3f", { "[unknown]" } },
	{ "(anonymous namespace)::f (/bin/x)", { "(anonymous namespace)::f" } },
};

typedef struct {
	uint64_t self, total;
} Weight;

static void add_path(GHashTable *sums, const char *path, bool is_leaf, uint64_t weight)
{
	Weight *sum = g_hash_table_lookup(sums, path);

	if (sum == NULL) {
		sum = g_new0(Weight, 1);
		g_hash_table_insert(sums, g_strdup(path), sum);
	}
	sum->total += weight;
	sum->self += is_leaf ? weight : 0;
}

/* The plain way: every prefix of every sample's path is a key. */
static void add_sample(GHashTable *sums, const char *group, const GPtrArray *shown, bool reversed,
		       uint64_t weight)
{
	g_autoptr(GString) path = g_string_new("root");

	add_path(sums, path->str, false, weight);
	g_string_append_printf(path, "\n%s", group);
	add_path(sums, path->str, shown->len == 0, weight);
	for (guint i = 0; i < shown->len; i++) {
		guint at = reversed ? shown->len - 1 - i : i;

		g_string_append_printf(path, "\n%s", (char *)g_ptr_array_index(shown, at));
		add_path(sums, path->str, i + 1 == shown->len, weight);
	}
}

/* Every node is among the sums, and there are as many. */
static void check_sums(const CallTree *tree, GHashTable *sums)
{
	g_auto(GStrv) paths = g_new0(char *, (gsize)tree->n_nodes + 1);

	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		Text name = call_tree_frame(tree, i).name;
		g_autofree char *own = g_strndup(name.data, name.len);

		paths[i] = i == 0 ? g_strdup(own)
				  : g_strconcat(paths[tree->nodes[i].parent], "\n", own, NULL);
		const Weight *sum = g_hash_table_lookup(sums, paths[i]);
		g_assert_nonnull(sum);
		g_assert_cmpuint(tree->nodes[i].self, ==, sum->self);
		g_assert_cmpuint(tree->nodes[i].total, ==, sum->total);
	}
	g_assert_cmpuint(tree->n_nodes, ==, g_hash_table_size(sums));
}

static Store *random_store(GHashTable *sums, bool reversed)
{
	StoreBuilder *builder = store_builder_new();

	for (int i = g_test_rand_int_range(1, 300); i > 0; i--) {
		g_autoptr(GString) line = g_string_new(NULL);
		g_autoptr(GPtrArray) shown = g_ptr_array_new();
		int thread = g_test_rand_int_range(0, 4), period = g_test_rand_int_range(0, 100);

		g_string_printf(line, "%d.5 t%d 1/%d 0 c %d ", g_test_rand_int_range(0, 50),
				thread % 3, thread, period);
		for (int k = g_test_rand_int_range(0, 6); k > 0; k--) {
			int f = g_test_rand_int_range(0, G_N_ELEMENTS(frames));

			g_string_append_printf(line, "%s;", frames[f].typed);
			for (int n = 0; n < 3 && frames[f].shown[n] != NULL; n++)
				g_ptr_array_add(shown, (char *)frames[f].shown[n]);
		}
		store_fixture_add(builder, line->str);
		g_string_printf(line, "t%d", thread % 3);
		add_sample(sums, line->str, shown, reversed, (uint64_t)period);
	}
	return store_fixture_finish(builder);
}

static void test_random(void)
{
	for (int round = 0; round < 60; round++) {
		g_autoptr(GHashTable) sums =
			g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
		g_autoptr(Store) store = random_store(sums, round % 2);
		const CallTreeSettings settings = { .group_by = GROUP_BY_COMM,
						    .is_reversed = round % 2 };
		g_autoptr(CallTree) tree = tree_of(store, "weight=period", &settings);

		check_sums(tree, sums);
	}
}

static void shuffle(uint32_t *order, uint32_t n)
{
	for (uint32_t i = n; i-- > 1;) {
		uint32_t other = (uint32_t)g_test_rand_int_range(0, (gint32)i + 1);
		uint32_t swap = order[i];

		order[i] = order[other];
		order[other] = swap;
	}
}

enum { N_LINES = 50 };

/* 50 samples, added in this order; their tree as text. */
static char *text_in_order(const uint32_t *order)
{
	const CallTreeSettings settings = { .group_by = GROUP_BY_TID };
	StoreBuilder *builder = store_builder_new();

	for (uint32_t i = 0; i < N_LINES; i++) {
		uint32_t n = order[i];
		g_autofree char *line =
			g_strdup_printf("%u t%u 1/%u 0 c 1 %s;%s\n", n, n % 3, n % 5,
					frames[n * 7 % G_N_ELEMENTS(frames)].typed,
					frames[n * 3 % G_N_ELEMENTS(frames)].typed);
		store_fixture_add(builder, line);
	}
	g_autoptr(Store) store = store_fixture_finish(builder);
	g_autoptr(CallTree) tree = tree_of(store, "", &settings);
	return text_of(tree);
}

/* The order of records in the input does not matter. */
static void test_input_order(void)
{
	uint32_t order[N_LINES];

	for (uint32_t i = 0; i < N_LINES; i++)
		order[i] = i;
	g_autofree char *ascending = text_in_order(order);
	for (int round = 0; round < 30; round++) {
		shuffle(order, N_LINES);
		g_autofree char *text = text_in_order(order);
		g_assert_cmpstr(text, ==, ascending);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/call-tree/merge", test_merge);
	g_test_add_func("/call-tree/order", test_order);
	g_test_add_func("/call-tree/recursion", test_recursion);
	g_test_add_func("/call-tree/no-stack", test_no_stack);
	g_test_add_func("/call-tree/nothing", test_nothing);
	g_test_add_func("/call-tree/frames-like-labels", test_frames_like_labels);
	g_test_add_func("/call-tree/weight-and-range", test_weight_and_range);
	g_test_add_func("/call-tree/saturation", test_saturation);
	g_test_add_func("/call-tree/display/merge", test_display_merge);
	g_test_add_func("/call-tree/display/inlined", test_inlined);
	g_test_add_func("/call-tree/display/by-class", test_by_class);
	g_test_add_func("/call-tree/group/comm", test_group_by_comm);
	g_test_add_func("/call-tree/group/ids", test_group_by_ids);
	g_test_add_func("/call-tree/group/process", test_group_by_process);
	g_test_add_func("/call-tree/group/pool", test_group_by_pool);
	g_test_add_func("/call-tree/group/cpu", test_group_by_cpu);
	g_test_add_func("/call-tree/group/cgroup", test_group_by_cgroup);
	g_test_add_func("/call-tree/group/without-name", test_group_without_name);
	g_test_add_func("/call-tree/reverse", test_reverse);
	g_test_add_func("/call-tree/deep", test_deep);
	g_test_add_func("/call-tree/random", test_random);
	g_test_add_func("/call-tree/input-order", test_input_order);
	return g_test_run();
}
