/* SPDX-License-Identifier: MIT */
/* A tenth of the campaign on periods (tests/campaign periods has it all), and what scenes have. */

#include <math.h>
#include <string.h>

#include "store/query.h"
#include "tests/beat-trials.h"

static bool run_period(const void *context, uint64_t seed)
{
	return trial_period(context, seed);
}

static bool has_period(const void *context, uint64_t seed)
{
	return trial_count(*(const Scene *)context, seed) > 0;
}

static void test_recall(void)
{
	static const double periods_s[] = { 0.1, 0.25, 0.7, 1.02, 1.3, 5, 15 };

	for (size_t i = 0; i < G_N_ELEMENTS(periods_s); i++) {
		PeriodTrial trial = { .period_s = periods_s[i],
				      .sigma = 11,
				      .width = 0.05,
				      .seconds = 150,
				      .rate = 100 };

		g_assert_cmpint(trials_run(run_period, &trial, 10), ==, 10);
	}
}

static void check_silent(Scene scene, int n)
{
	g_assert_cmpint(trials_run(has_period, &scene, n), <=, 1);
}

static void test_noise(void)
{
	check_silent((Scene){ .seconds = 150, .rate = 100 }, 40);
	check_silent((Scene){ .seconds = 60, .n_cpus = 2, .hz = 99, .rate = 0.3 }, 10);
	check_silent((Scene){ .seconds = 60, .n_cpus = 1, .hz = 99, .rate = 0.95 }, 10);
}

static void test_bursts(void)
{
	check_silent((Scene){ .seconds = 150, .rate = 10, .burst_gap_s = 0.5, .burst_s = 0.05 },
		     15);
	check_silent((Scene){ .seconds = 150, .rate = 20, .burst_gap_s = 30, .burst_s = 0.3 }, 15);
}

/* Two minutes, a hole, two minutes, … have no period; what has one is found all the same. */
static void test_holes(void)
{
	PeriodTrial trial = { .period_s = 35,
			      .sigma = 15,
			      .width = 0.05,
			      .seconds = 10 * 121.2,
			      .rate = 60,
			      .is_holed = true };

	check_silent(
		(Scene){ .seconds = 10 * 121.2, .rate = 60, .hole_every_s = 121.2, .hole_s = 1.2 },
		4);
	g_assert_cmpint(trials_run(run_period, &trial, 4), ==, 4);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/periods/recall", test_recall);
	g_test_add_func("/periods/noise", test_noise);
	g_test_add_func("/periods/bursts", test_bursts);
	g_test_add_func("/periods/holes", test_holes);
	return g_test_run();
}
