/* SPDX-License-Identifier: MIT */
/* A tenth of the campaign on spikes (tests/campaign spikes has it all). */

#include "tests/beat-trials.h"

static void check(SpikeTrial trial)
{
	SpikeScore score;

	trial.n_spikes = 100;
	trial.is_certain = true;
	score = trial_spikes(&trial, 1);
	g_assert_cmpint(score.n_planted, >=, 25);
	g_assert_cmpint(100 * score.n_met, >=, 98 * score.n_planted);
	g_assert_cmpint(100 * score.n_exact, >=, 98 * score.n_planted);
	g_assert_cmpint(100 * score.n_right, >=, 98 * score.n_printed);
}

static void test_load(void)
{
	check((SpikeTrial){ .rate = 400, .sigma = 10, .sigma_end = 5 });
}

static void test_drop(void)
{
	check((SpikeTrial){ .rate = 400, .sigma = 10, .sigma_end = 2, .is_lack = true });
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/spikes/load", test_load);
	g_test_add_func("/spikes/drop", test_drop);
	return g_test_run();
}
