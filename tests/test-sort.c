/* SPDX-License-Identifier: MIT */
/*
 * The order of samples by time: stable, untimed last, and equal to qsort's whatever the runs.
 */

#include "store/sort.h"

#include <glib.h>
#include <stdlib.h>

#include "store/time-range.h"

static void check(const int64_t *times, size_t n, const uint32_t *expected)
{
	g_autofree uint32_t *order = sort_times(times, n);

	g_assert_nonnull(order);
	for (size_t i = 0; i < n; i++)
		g_assert_cmpuint(order[i], ==, expected[i]);
}

static void test_small(void)
{
	const int64_t one[] = { 5 }, ascending[] = { 1, 2, 3 }, descending[] = { 3, 2, 1 };

	check(NULL, 0, NULL);
	check(one, 1, (const uint32_t[]){ 0 });
	check(ascending, 3, (const uint32_t[]){ 0, 1, 2 });
	check(descending, 3, (const uint32_t[]){ 2, 1, 0 });
}

static void test_stable(void)
{
	const int64_t times[] = { 7, 3, 7, 3, 7, 1, 3 };

	check(times, 7, (const uint32_t[]){ 5, 1, 3, 6, 0, 2, 4 });
}

/* Untimed ones keep their order too; negative times are times like others. */
static void test_untimed_last(void)
{
	const int64_t times[] = { TIME_NONE, 5, INT64_MAX, TIME_NONE, -5, INT64_MIN + 1, 0 };

	check(times, 7, (const uint32_t[]){ 5, 4, 6, 1, 2, 0, 3 });
	check((const int64_t[]){ TIME_NONE, TIME_NONE }, 2, (const uint32_t[]){ 0, 1 });
}

/* The reference: qsort with the position as the last key. */
typedef struct {
	int64_t time;
	uint32_t at;
} Row;

static int compare(const void *left, const void *right)
{
	const Row *a = left, *b = right;
	bool a_last = a->time == TIME_NONE, b_last = b->time == TIME_NONE;

	if (a_last != b_last)
		return a_last - b_last;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

static void check_random(const int64_t *times, size_t n)
{
	g_autofree Row *rows = g_new(Row, n + 1);
	g_autofree uint32_t *expected = g_new(uint32_t, n + 1);

	for (size_t i = 0; i < n; i++)
		rows[i] = (Row){ times[i], (uint32_t)i };
	qsort(rows, n, sizeof(*rows), compare);
	for (size_t i = 0; i < n; i++)
		expected[i] = rows[i].at;
	check(times, n, expected);
}

static void test_random(void)
{
	int64_t times[300];

	for (int round = 0; round < 2000; round++) {
		size_t n = (size_t)g_test_rand_int_range(0, G_N_ELEMENTS(times) + 1);
		int spread = g_test_rand_int_range(1, 1000);

		for (size_t i = 0; i < n; i++)
			times[i] = g_test_rand_int_range(0, 20) == 0
					   ? TIME_NONE
					   : g_test_rand_int_range(-spread, spread);
		check_random(times, n);
	}
}

/* As perf prints them: ascending, here and there one out of place; and as runs laid end to end. */
static void test_long_runs(void)
{
	const size_t n = 100000;
	g_autofree int64_t *times = g_new(int64_t, n);

	for (size_t n_runs = 1; n_runs < 8; n_runs++) {
		for (size_t i = 0; i < n; i++)
			times[i] = (int64_t)(i % (n / n_runs)) * 1000;
		for (int i = 0; i < 7; i++)
			times[g_test_rand_int_range(0, (gint32)n)] -= 3000;
		check_random(times, n);
	}
	for (size_t i = 0; i < n; i++)
		times[i] = -(int64_t)i;
	check_random(times, n);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/sort/small", test_small);
	g_test_add_func("/sort/stable", test_stable);
	g_test_add_func("/sort/untimed-last", test_untimed_last);
	g_test_add_func("/sort/random", test_random);
	g_test_add_func("/sort/long-runs", test_long_runs);
	return g_test_run();
}
