/* SPDX-License-Identifier: MIT */
/* Sets of time: what two have in common, what is left, where a part of one ends. */

#include "store/time-set.h"

#include "store/limits.h"

static GArray *set_of(const TimeRange *ranges, size_t n)
{
	return time_set_new(ranges, n);
}

static void check(GArray *set, const TimeRange *expected, guint n)
{
	g_assert_cmpuint(set->len, ==, n);
	for (guint i = 0; i < n; i++) {
		g_assert_cmpint(g_array_index(set, TimeRange, i).begin_ns, ==,
				expected[i].begin_ns);
		g_assert_cmpint(g_array_index(set, TimeRange, i).end_ns, ==, expected[i].end_ns);
	}
	g_array_unref(set);
}

static void test_normalized(void)
{
	const TimeRange ranges[] = { { 30, 40 }, { 0, 10 }, { 10, 12 }, { 7, 7 } };
	const TimeRange expected[] = { { 0, 12 }, { 30, 40 } };

	check(set_of(ranges, G_N_ELEMENTS(ranges)), expected, 2);
	check(set_of(NULL, 0), NULL, 0);
}

static void test_intersection(void)
{
	const TimeRange left[] = { { 0, 10 }, { 20, 30 }, { 40, 50 } };
	const TimeRange right[] = { { 5, 25 }, { 30, 40 }, { 45, 60 } };
	const TimeRange expected[] = { { 5, 10 }, { 20, 25 }, { 45, 50 } };
	g_autoptr(GArray) a = set_of(left, 3);
	g_autoptr(GArray) b = set_of(right, 3);
	g_autoptr(GArray) none = set_of(NULL, 0);
	g_autoptr(GArray) all = time_set_all();

	check(time_set_intersect(a, b), expected, 3);
	check(time_set_intersect(b, a), expected, 3);
	check(time_set_intersect(a, none), NULL, 0);
	check(time_set_intersect(all, a), left, 3);
}

static void test_complement(void)
{
	const TimeRange ranges[] = { { 0, 10 }, { 20, 30 } };
	const TimeRange expected[] = { { MIN_TIME_NS, 0 }, { 10, 20 }, { 30, MAX_TIME_NS } };
	const TimeRange whole = { MIN_TIME_NS, MAX_TIME_NS };
	g_autoptr(GArray) set = set_of(ranges, 2);
	g_autoptr(GArray) rest = time_set_complement(set);
	g_autoptr(GArray) all = time_set_all();
	g_autoptr(GArray) none = time_set_complement(all);

	check(time_set_complement(rest), ranges, 2);
	check(time_set_complement(none), &whole, 1);
	check(time_set_intersect(set, rest), NULL, 0);
	check(g_steal_pointer(&rest), expected, 3);
}

static void test_moments(void)
{
	const TimeRange ranges[] = { { 0, 10 }, { 20, 30 } };
	g_autoptr(GArray) set = set_of(ranges, 2);
	g_autoptr(GArray) all = time_set_all();

	g_assert_cmpuint(time_set_length(set), ==, 20);
	g_assert_cmpint(time_set_moment(set, 0), ==, 0);
	g_assert_cmpint(time_set_moment(set, 9), ==, 9);
	g_assert_cmpint(time_set_moment(set, 10), ==, 20);
	g_assert_cmpint(time_set_moment(set, 19), ==, 29);
	g_assert_cmpint(time_set_moment(set, 20), ==, 30);
	g_assert_cmpuint(time_set_length(all), ==, (uint64_t)MAX_TIME_NS - (uint64_t)MIN_TIME_NS);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/time-set/normalized", test_normalized);
	g_test_add_func("/time-set/intersection", test_intersection);
	g_test_add_func("/time-set/complement", test_complement);
	g_test_add_func("/time-set/moments", test_moments);
	return g_test_run();
}
