/* SPDX-License-Identifier: MIT */
/*
 * The exact tests against numbers that were computed with exact fractions (Python's fractions;
 * where a table is known from the literature, it is named), and against what must always hold.
 */

#include "slice/exact-test.h"

#include <glib.h>
#include <math.h>

static void check_near(double got, double expected)
{
	g_assert_cmpfloat_with_epsilon(got, expected, fabs(expected) * 1e-9 + 1e-300);
}

/* Fisher's tea: 3 of 4 right. P(A >= 3) = 17/70. */
static void test_fisher_known(void)
{
	check_near(fisher_test(3, 4, 1, 4), 2 * 17.0 / 70);
	check_near(fisher_test(4, 4, 0, 4), 2.0 / 70);
	/* Fisher's convicts, 1934: 2 of 17 against 10 of 13; one tail is 0.00046518... */
	check_near(fisher_test(2, 17, 10, 13) / 2, 0.00046518094336290687);
	check_near(fisher_test(5, 10, 5, 10), 1);
	check_near(fisher_test(0, 0, 3, 10), 1);
	check_near(fisher_test(10, 10, 20, 20), 1);
}

/* By summing fractions of binomial coefficients, term by term, with long doubles. */
static long double choose(int n, int k)
{
	long double value = 1;

	for (int i = 1; i <= k; i++)
		value *= (long double)(n - k + i) / i;
	return value;
}

static double slow_fisher(int a, int n_a, int b, int n_b)
{
	long double lower = 0, upper = 0, all = choose(n_a + n_b, a + b);

	for (int i = MAX(0, a + b - n_b); i <= MIN(n_a, a + b); i++) {
		long double term = choose(n_a, i) * choose(n_b, a + b - i) / all;

		lower += i <= a ? term : 0;
		upper += i >= a ? term : 0;
	}
	return (double)MIN(2 * MIN(lower, upper), 1);
}

static void test_fisher_all_small(void)
{
	for (int n_a = 1; n_a <= 12; n_a++)
		for (int n_b = 1; n_b <= 15; n_b += 2)
			for (int a = 0; a <= n_a; a++)
				for (int b = 0; b <= n_b; b++) {
					double p = fisher_test((uint64_t)a, (uint64_t)n_a,
							       (uint64_t)b, (uint64_t)n_b);

					check_near(p, slow_fisher(a, n_a, b, n_b));
					check_near(p, fisher_test((uint64_t)b, (uint64_t)n_b,
								  (uint64_t)a, (uint64_t)n_a));
				}
}

/* The least p-value is the least of all tables with these margins. */
static void test_fisher_least(void)
{
	for (uint64_t n = 1; n <= 20; n++) {
		double least = 1;

		for (uint64_t a = n > 13 ? n - 13 : 0; a <= MIN(n, 9); a++)
			least = MIN(least, fisher_test(a, 9, n - a, 13));
		check_near(fisher_least(n, 9, 13), least);
	}
}

static double slow_rates(int a, int b, double share)
{
	double lower = 0, upper = 0;

	for (int i = 0; i <= a + b; i++) {
		double term = (double)choose(a + b, i) * pow(share, i) * pow(1 - share, a + b - i);

		lower += i <= a ? term : 0;
		upper += i >= a ? term : 0;
	}
	return MIN(2 * MIN(lower, upper), 1);
}

static void test_rates(void)
{
	static const double exposures[][2] = { { 1, 1 }, { 1, 9 }, { 7, 2 } };

	for (size_t e = 0; e < G_N_ELEMENTS(exposures); e++)
		for (int a = 0; a <= 20; a++)
			for (int b = 0; b <= 20; b++) {
				Observed x = { a, exposures[e][0] }, y = { b, exposures[e][1] };
				double share = x.exposure / (x.exposure + y.exposure);
				double p = poisson_rates_test(x, y);

				check_near(p, slow_rates(a, b, share));
				check_near(p, poisson_rates_test(y, x));
				g_assert_cmpfloat(
					p, >=,
					poisson_rates_least(a + b, x.exposure, y.exposure) *
						(1 - 1e-9));
			}
}

/* Counts of a long recording: against the normal distribution, which is near enough there. */
static void test_large(void)
{
	double p = fisher_test(500300000, 1000000000, 500000000, 1000000000);
	double z = 300000 / sqrt(2e9 * 0.25);
	double rates = poisson_rates_test((Observed){ 1000100000, 1 }, (Observed){ 1000000000, 1 });

	g_assert_cmpfloat_with_epsilon(p / erfc(z / M_SQRT2), 1, 0.02);
	g_assert_cmpfloat_with_epsilon(rates / erfc(1e5 / sqrt(2.0001e9) / M_SQRT2), 1, 0.02);
	g_assert_cmpfloat(fisher_test(900000000, 1000000000, 100000000, 1000000000), ==, 0);
}

/* Where other distributions take over, p-values go on without a step. */
static void check_alike(uint64_t a, uint64_t n_a, uint64_t b, uint64_t n_b, double factor)
{
	double p = fisher_test(a, n_a, b, n_b);
	double beyond = fisher_test(a, (uint64_t)((double)n_a * factor), b,
				    (uint64_t)((double)n_b * factor));

	g_assert_cmpfloat(p, >, 0);
	g_assert_cmpfloat_with_epsilon(beyond / p, 1, 0.01);
	g_assert_cmpfloat_with_epsilon(fisher_test(b, (uint64_t)((double)n_b * factor), a,
						   (uint64_t)((double)n_a * factor)) /
					       beyond,
				       1, 1e-9);
}

static void test_very_large(void)
{
	static const double factors[] = { 1e3, 1e6, 1e9 };
	static const uint64_t all[] = { UINT64_MAX, UINT64_MAX - 1, 1, 0 };

	for (size_t f = 0; f < G_N_ELEMENTS(factors); f++) {
		check_alike(20, 1000000000, 50, 1000000000, factors[f]);
		check_alike(200, 1000000000, 150, 500000000, factors[f]);
	}
	/* A few samples against very many. */
	g_assert_cmpfloat_with_epsilon(
		fisher_test(9, 10, 500000000, 1000000000) /
			fisher_test(9, 10, 500000000000000, 1000000000000000),
		1, 1e-3);
	g_assert_cmpfloat_with_epsilon(fisher_test(9, 10, 500000000000000, 1000000000000000),
				       2 * 11 / 1024.0, 1e-5);
	for (size_t a = 0; a < G_N_ELEMENTS(all); a++)
		for (size_t b = 0; b < G_N_ELEMENTS(all); b++) {
			double p = fisher_test(all[a], UINT64_MAX, all[b], UINT64_MAX);

			g_assert_true(p >= 0 && p <= 1);
		}
}

/* Clopper and Pearson's interval of 7 in 20 is 0.15391 .. 0.59219 (their charts; R's binom.test).
 */
static void test_interval(void)
{
	double low, high;

	rate_ratio_interval((Observed){ 7, 1 }, (Observed){ 13, 1 }, &low, &high);
	g_assert_cmpfloat_with_epsilon(low / (1 + low), 0.1539092, 1e-6);
	g_assert_cmpfloat_with_epsilon(high / (1 + high), 0.5921885, 1e-6);
	rate_ratio_interval((Observed){ 0, 1 }, (Observed){ 5, 1 }, &low, &high);
	g_assert_cmpfloat(low, ==, 0);
	/* All of 5 on one side: 1 - 0.025^(1/5). */
	g_assert_cmpfloat_with_epsilon(high / (1 + high), 0.5218238, 1e-6);
	rate_ratio_interval((Observed){ 5, 1 }, (Observed){ 0, 1 }, &low, &high);
	g_assert_cmpfloat(high, ==, (double)INFINITY);
	/* Whatever the counts, there is a ratio within. */
	for (double large = 1e9; large < 1e20; large *= 1e5) {
		rate_ratio_interval((Observed){ large, 1 }, (Observed){ 3, 1 }, &low, &high);
		g_assert_true(low < large / 3 && large / 3 < high && isfinite(high));
		rate_ratio_interval((Observed){ 3, 1 }, (Observed){ large, 1 }, &low, &high);
		g_assert_true(0 < low && low < 3 / large && 3 / large < high);
	}
}

/* An interval leaves out 1 if and only if the test says so at 5 %; swapped, it is the inverse. */
static void test_interval_agrees(void)
{
	for (int a = 0; a <= 40; a++)
		for (int b = 0; b <= 40; b++) {
			Observed x = { a, 3 }, y = { b, 2 };
			double p = poisson_rates_test(x, y), low, high, low_back, high_back;

			if (a + b == 0)
				continue;
			rate_ratio_interval(x, y, &low, &high);
			rate_ratio_interval(y, x, &low_back, &high_back);
			g_assert_true((p < 0.05) == (low > 1 || high < 1));
			if (low > 0)
				g_assert_cmpfloat_with_epsilon(low * high_back, 1, 1e-9);
		}
}

static void test_variance(void)
{
	/* Student's t with 10 degrees of freedom passes 2.228 with 5 %, the normal 1.96. */
	double p = p_with_variance(2 * 0.5 * erfc(2.2281388520 / M_SQRT2), 1, 10);

	g_assert_cmpfloat_with_epsilon(p, 0.05, 1e-6);
	g_assert_cmpfloat_with_epsilon(p_with_variance(0.05, 4, 1e9), erfc(0.979981992 / M_SQRT2),
				       1e-5);
	g_assert_cmpfloat(p_with_variance(1, 3, 10), ==, 1);
	g_assert_cmpfloat(p_with_variance(0, 1, 10), >, 0);
}

/* Worked by hand. */
static void test_discovery(void)
{
	double p[] = { 0.04, 0.001, 0.9, 0.01 };
	double factor = 4;

	false_discovery_rates(p, 4);
	check_near(p[1], 0.001 * factor);
	check_near(p[3], 0.01 * factor / 2);
	check_near(p[0], 0.04 * factor / 3);
	check_near(p[2], 0.9);
	false_discovery_rates(p, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/exact-test/fisher/known", test_fisher_known);
	g_test_add_func("/exact-test/fisher/all-small", test_fisher_all_small);
	g_test_add_func("/exact-test/fisher/least", test_fisher_least);
	g_test_add_func("/exact-test/rates", test_rates);
	g_test_add_func("/exact-test/large", test_large);
	g_test_add_func("/exact-test/very-large", test_very_large);
	g_test_add_func("/exact-test/interval", test_interval);
	g_test_add_func("/exact-test/interval-agrees", test_interval_agrees);
	g_test_add_func("/exact-test/variance", test_variance);
	g_test_add_func("/exact-test/discovery", test_discovery);
	return g_test_run();
}
