/* SPDX-License-Identifier: MIT */
/* Two sides compared: the merged tree against the trees of the sides, parts against the whole,
 * verdicts of cases that can be worked out by hand. */

#include "slice/diff.h"

#include <math.h>
#include <string.h>

#include "tests/store-fixture.h"

/* A comparison with what it stands on. */
typedef struct {
	Store *stores[N_SIDES];
	Selection *selections[N_SIDES];
	Diff *diff;
} Fixture;

static void fixture_clear(Fixture *self)
{
	diff_free(self->diff);
	for (int side = 0; side < N_SIDES; side++) {
		selection_free(self->selections[side]);
		store_free(self->stores[side]);
	}
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Fixture, fixture_clear)

static void compare(Fixture *self, const char *new_lines, const char *base_lines, const char *words,
		    const DiffSettings *settings)
{
	const char *lines[N_SIDES] = { new_lines, base_lines };
	g_autoptr(GError) error = NULL;
	DiffRun runs[N_SIDES];

	for (int side = 0; side < N_SIDES; side++) {
		self->stores[side] = store_fixture_new(lines[side]);
		self->selections[side] = selection_fixture(self->stores[side], words, NULL);
		runs[side] = (DiffRun){ self->stores[side], self->selections[side] };
	}
	self->diff = diff_new(&runs[SIDE_NEW], &runs[SIDE_BASE], 1, settings, &error);
	g_assert_no_error(error);
}

static char *path_of(const CallTree *tree, uint32_t node)
{
	GString *path = g_string_new(NULL);

	for (; node != 0; node = tree->nodes[node].parent) {
		Text name = call_tree_frame(tree, node).name;

		g_string_prepend_len(path, name.data, (gssize)name.len);
		g_string_prepend_c(path, ';');
	}
	return g_string_free(path, FALSE);
}

static uint32_t find(const Diff *diff, const char *path)
{
	for (uint32_t i = 0; i < diff->shape->n_nodes; i++) {
		g_autofree char *found = path_of(diff->shape, i);

		if (g_str_equal(found, path))
			return i;
	}
	g_error("no node %s", path);
}

static const DiffItem *item_at(const Diff *diff, const char *path)
{
	return &diff->nodes[find(diff, path)];
}

/* --- small cases --------------------------------------------------------------------------- */

static const char new_lines[] = "1.0 app 1/1 0 cycles 10 main;kept\n"
				"1.1 app 1/1 0 cycles 20 main;new;leaf\n"
				"1.2 app 1/1 0 cycles 30 main\n";
static const char base_lines[] = "5.0 app 2/2 0 cycles 5 main;kept\n"
				 "5.1 app 2/2 0 cycles 7 main;gone\n";

static void check_tally(const Diff *diff, const char *path, DiffSide side, uint64_t self,
			uint64_t total)
{
	const DiffItem *item = item_at(diff, path);

	g_assert_cmpuint(item->tally[MEASURE_SELF][side].weight, ==, self);
	g_assert_cmpuint(item->tally[MEASURE_TOTAL][side].weight, ==, total);
}

static void test_union(void)
{
	g_auto(Fixture) fixture = { 0 };
	const DiffSettings settings = { .tree.group_by = GROUP_BY_NONE };

	compare(&fixture, new_lines, base_lines, "weight=period", &settings);
	g_assert_cmpuint(fixture.diff->shape->n_nodes, ==, 6);
	check_tally(fixture.diff, ";main", SIDE_NEW, 30, 60);
	check_tally(fixture.diff, ";main", SIDE_BASE, 0, 12);
	check_tally(fixture.diff, ";main;gone", SIDE_NEW, 0, 0);
	check_tally(fixture.diff, ";main;gone", SIDE_BASE, 7, 7);
	check_tally(fixture.diff, ";main;kept", SIDE_NEW, 10, 10);
	check_tally(fixture.diff, ";main;kept", SIDE_BASE, 5, 5);
	check_tally(fixture.diff, ";main;new;leaf", SIDE_NEW, 20, 20);
	g_assert_cmpuint(item_at(fixture.diff, ";main")->tally[MEASURE_TOTAL][SIDE_NEW].count, ==,
			 3);
	g_assert_true(fixture.diff->is_by_period);
}

/* The new side's widths, and beside them what is gone, brought to the new side's scale. */
static void test_widths(void)
{
	g_auto(Fixture) plain = { 0 }, flipped = { 0 };
	DiffSettings settings = { .tree.group_by = GROUP_BY_NONE };
	const CallNode *nodes;

	compare(&plain, new_lines, base_lines, "", &settings);
	nodes = plain.diff->shape->nodes;
	g_assert_cmpuint(nodes[find(plain.diff, ";main;new")].total, ==, plain.diff->width_units);
	/* 1 of 2 samples, as much as 1.5 of 3. */
	g_assert_cmpuint(2 * nodes[find(plain.diff, ";main;gone")].total, ==,
			 3 * plain.diff->width_units);
	g_assert_cmpuint(2 * nodes[0].total, ==, 9 * plain.diff->width_units);
	settings.is_flipped = true;
	compare(&flipped, new_lines, base_lines, "", &settings);
	nodes = flipped.diff->shape->nodes;
	g_assert_cmpuint(nodes[find(flipped.diff, ";main;gone")].total, ==,
			 flipped.diff->width_units);
	g_assert_cmpuint(3 * nodes[find(flipped.diff, ";main;new")].total, ==,
			 2 * flipped.diff->width_units + 1);
}

static void test_values(void)
{
	g_auto(Fixture) fixture = { 0 };
	const DiffSettings settings = { .tree.group_by = GROUP_BY_NONE };
	const DiffVerdict *verdict;

	compare(&fixture, new_lines, base_lines, "", &settings);
	verdict = &item_at(fixture.diff, ";main;kept")->verdict[MEASURE_TOTAL];
	g_assert_cmpfloat_with_epsilon(verdict->value[SIDE_NEW], 1 / 3.0, 1e-12);
	g_assert_cmpfloat_with_epsilon(verdict->delta, 100 / 3.0 - 50, 1e-12);
	g_assert_cmpfloat_with_epsilon(verdict->ratio, 2 / 3.0, 1e-12);
	g_assert_false(verdict->is_certain);
	verdict = &item_at(fixture.diff, ";main;new")->verdict[MEASURE_TOTAL];
	g_assert_true(isinf(verdict->ratio));
	g_assert_cmpfloat(item_at(fixture.diff, "")->verdict[MEASURE_TOTAL].delta, ==, 0);
}

static void test_rates(void)
{
	g_auto(Fixture) fixture = { 0 };
	const DiffSettings settings = { .tree.group_by = GROUP_BY_NONE,
					.normalize = NORMALIZE_RATE };

	compare(&fixture, new_lines, base_lines, "", &settings);
	g_assert_cmpfloat_with_epsilon(fixture.diff->totals[SIDE_NEW].seconds, 0.2, 1e-12);
	g_assert_cmpfloat_with_epsilon(item_at(fixture.diff, "")->verdict[MEASURE_TOTAL].delta,
				       3 / 0.2 - 2 / 0.1, 1e-9);
}

/* --- parts --------------------------------------------------------------------------------- */

/* `n` samples, ten a second; every `every`th is in `odd`, or all of the first n / every are. */
static char *regular_lines(int n, int every, bool at_once)
{
	GString *lines = g_string_new(NULL);

	for (int i = 0; i < n; i++) {
		bool is_odd = at_once ? i < n / every : i % every == 0;

		g_string_append_printf(lines, "%d.%d app 1/1 0 cycles 1 main;%s\n", i / 10, i % 10,
				       is_odd ? "odd" : "even");
	}
	return g_string_free(lines, FALSE);
}

static void test_blocks_are_the_whole(void)
{
	g_auto(Fixture) fixture = { 0 };
	const DiffSettings settings = { .tree.group_by = GROUP_BY_NONE, .uses_blocks = true };
	g_autofree char *a = regular_lines(997, 7, false);
	g_autofree char *b = regular_lines(503, 3, false);

	compare(&fixture, a, b, "range=..", &settings);
	g_assert_cmpuint(fixture.diff->totals[SIDE_NEW].n_parts, ==, 16);
	g_assert_cmpuint(fixture.diff->totals[SIDE_NEW].samples, ==, 997);
	g_assert_cmpuint(fixture.diff->totals[SIDE_BASE].samples, ==, 503);
	g_assert_cmpuint(fixture.diff->totals[SIDE_BASE].counts.samples, ==, 503);
	check_tally(fixture.diff, ";main;odd", SIDE_NEW, 143, 143);
	check_tally(fixture.diff, ";main;odd", SIDE_BASE, 168, 168);
}

/* What comes evenly varies less than coins do, what comes at once much more. */
static void test_variance(void)
{
	g_auto(Fixture) even = { 0 }, once = { 0 };
	const DiffSettings settings = { .tree.group_by = GROUP_BY_NONE, .uses_blocks = true };
	g_autofree char *base = regular_lines(800, 10, false);
	g_autofree char *evenly = regular_lines(800, 5, false);
	g_autofree char *at_once = regular_lines(800, 5, true);

	compare(&even, evenly, base, "", &settings);
	compare(&once, at_once, base, "", &settings);
	g_assert_cmpfloat(item_at(even.diff, ";main;odd")->verdict[MEASURE_TOTAL].variance, ==, 1);
	g_assert_true(item_at(even.diff, ";main;odd")->verdict[MEASURE_TOTAL].is_certain);
	g_assert_cmpfloat(item_at(once.diff, ";main;odd")->verdict[MEASURE_TOTAL].variance, >, 5);
	g_assert_false(item_at(once.diff, ";main;odd")->verdict[MEASURE_TOTAL].is_certain);
}

static void test_untimed_is_one_part(void)
{
	g_auto(Fixture) fixture = { 0 };
	const DiffSettings settings = { .tree.group_by = GROUP_BY_NONE };

	compare(&fixture, "- app 1/1 0 cycles 1 main\n", "- app 1/1 0 cycles 1 main\n", "",
		&settings);
	g_assert_cmpuint(fixture.diff->totals[SIDE_NEW].n_parts, ==, 1);
	g_assert_cmpfloat(fixture.diff->totals[SIDE_NEW].seconds, ==, 0);
}

/* --- against the sides' own trees ----------------------------------------------------------- */

static char *random_lines(GRand *random)
{
	GString *lines = g_string_new(NULL);

	for (int i = 0; i < 300; i++) {
		int depth = g_rand_int_range(random, 0, 9);

		g_string_append_printf(
			lines, "%d.%03d t%d 1/1 0 cycles %d ", g_rand_int_range(random, 1, 4),
			g_rand_int_range(random, 0, 1000), g_rand_int_range(random, 0, 2),
			g_rand_int_range(random, 1, 50));
		for (int d = 0; d < depth; d++)
			g_string_append_printf(lines, "%sf%c", d > 0 ? ";" : "",
					       g_rand_int_range(random, 'a', 'd'));
		g_string_append_c(lines, '\n');
	}
	return g_string_free(lines, FALSE);
}

/* Every node of a side's tree is in the merged one, with its weights; the others have none. */
static void check_side(const Fixture *self, DiffSide side, const CallTreeSettings *settings)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(CallTree) tree =
		call_tree_new(self->stores[side], self->selections[side], settings, &error);
	const Diff *diff = self->diff;
	uint64_t total = 0;
	uint32_t n_there = 0;

	g_assert_no_error(error);
	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		g_autofree char *path = path_of(tree, i);

		check_tally(diff, path, side, tree->nodes[i].self, tree->nodes[i].total);
	}
	for (uint32_t i = 0; i < diff->shape->n_nodes; i++) {
		n_there += diff->nodes[i].tally[MEASURE_TOTAL][side].weight > 0;
		total += diff->nodes[i].tally[MEASURE_SELF][side].weight;
	}
	g_assert_cmpuint(n_there, ==, tree->n_nodes);
	g_assert_cmpuint(total, ==, tree->nodes[0].total);
}

/* Pre-order, sorted, and no callee stands out beyond its caller. */
static void check_shape(const CallTree *shape)
{
	for (uint32_t i = 0; i < shape->n_nodes; i++) {
		uint64_t width = shape->nodes[i].self;
		Text last = TEXT("");

		for (uint32_t k = i + 1; k < shape->nodes[i].next; k = shape->nodes[k].next) {
			Text name = call_tree_frame(shape, k).name;

			g_assert_cmpuint(shape->nodes[k].parent, ==, i);
			g_assert_cmpuint(shape->nodes[k].depth, ==, shape->nodes[i].depth + 1);
			g_assert_cmpint(text_compare(last, name), <, 0);
			width += shape->nodes[k].total;
			last = name;
		}
		g_assert_cmpuint(width, ==, shape->nodes[i].total);
	}
}

static void test_random(void)
{
	static const char *const words[] = { "", "weight=period", "range=0.5..1.7 weight=period" };

	for (int seed = 0; seed < 12; seed++) {
		g_auto(Fixture) fixture = { 0 };
		g_autoptr(GRand) random = g_rand_new_with_seed((guint32)seed);
		g_autofree char *a = random_lines(random);
		g_autofree char *b = random_lines(random);
		const DiffSettings settings = { .tree.is_reversed = seed % 2 == 1,
						.normalize = (DiffNormalize)(seed % 3),
						.uses_blocks = seed % 5 < 3 };

		compare(&fixture, a, b, words[seed % 3], &settings);
		check_side(&fixture, SIDE_NEW, &settings.tree);
		check_side(&fixture, SIDE_BASE, &settings.tree);
		check_shape(fixture.diff->shape);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/diff/union", test_union);
	g_test_add_func("/diff/widths", test_widths);
	g_test_add_func("/diff/values", test_values);
	g_test_add_func("/diff/rates", test_rates);
	g_test_add_func("/diff/blocks-are-the-whole", test_blocks_are_the_whole);
	g_test_add_func("/diff/variance", test_variance);
	g_test_add_func("/diff/untimed-is-one-part", test_untimed_is_one_part);
	g_test_add_func("/diff/random", test_random);
	return g_test_run();
}
