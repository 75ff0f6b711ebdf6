/* SPDX-License-Identifier: MIT */
/* The statistical campaigns: tests/campaign periods, tests/campaign spikes. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/beat-trials.h"

static bool run_period(const void *context, uint64_t seed)
{
	return trial_period(context, seed);
}

static bool has_period(const void *context, uint64_t seed)
{
	return trial_count(*(const Scene *)context, seed) > 0;
}

/* --- periods ----------------------------------------------------------------------------- */

static const double periods_s[] = { 0.1, 0.25, 0.7, 1.02, 1.3, 5, 15 };

static void recall(const char *what, PeriodTrial trial, int n)
{
	int found = trials_run(run_period, &trial, n);

	printf("%-10s %7.2f s  %4.1f sigma  window %5.2f %%  jitter %4.2f  %6.0f s: %3d of %d\n",
	       what, trial.period_s, trial.sigma, 100 * trial.width, trial.jitter, trial.seconds,
	       found, n);
	fflush(stdout);
}

static void false_alarms(const char *what, Scene scene, int n)
{
	int found = trials_run(has_period, &scene, n);

	printf("%-34s %7.0f s: %d of %d have a period\n", what, scene.seconds, found, n);
	fflush(stdout);
}

static PeriodTrial usual_trial(double period_s)
{
	return (PeriodTrial){
		.period_s = period_s, .sigma = 11, .width = 0.05, .seconds = 150, .rate = 100
	};
}

static void campaign_recall(int n)
{
	for (size_t i = 0; i < G_N_ELEMENTS(periods_s); i++)
		recall("planted", usual_trial(periods_s[i]), n);
}

static void campaign_curves(int n)
{
	static const double jitters[] = { 0.25, 0.5, 1, 2 },
			    widths[] = { 0.005, 0.01, 0.02, 0.1, 0.25 };

	for (int sigma = 6; sigma <= 11; sigma++)
		for (size_t i = 0; i < G_N_ELEMENTS(periods_s); i++) {
			PeriodTrial trial = usual_trial(periods_s[i]);

			trial.sigma = sigma;
			recall("weaker", trial, n);
		}
	for (size_t k = 0; k < G_N_ELEMENTS(jitters); k++)
		for (size_t i = 0; i < G_N_ELEMENTS(periods_s); i++) {
			PeriodTrial trial = usual_trial(periods_s[i]);

			trial.jitter = jitters[k];
			recall("jitter", trial, n);
		}
	for (size_t k = 0; k < G_N_ELEMENTS(widths); k++)
		for (size_t i = 0; i < G_N_ELEMENTS(periods_s); i++) {
			PeriodTrial trial = usual_trial(periods_s[i]);

			trial.width = widths[k];
			recall("width", trial, n);
		}
}

static void campaign_noise(int n)
{
	false_alarms("noise, 100 a second", (Scene){ .seconds = 150, .rate = 100 }, n);
	false_alarms("noise, 5 a second", (Scene){ .seconds = 60, .rate = 5 }, n);
	false_alarms("noise at ticks of 99 Hz, 30 % busy",
		     (Scene){ .seconds = 120, .hz = 99, .rate = 0.3 }, n);
	false_alarms("one CPU, ticks of 99 Hz, 95 % busy",
		     (Scene){ .seconds = 120, .n_cpus = 1, .hz = 99, .rate = 0.95 }, n);
	false_alarms("bursts of 50 ms, every 0.5 s",
		     (Scene){ .seconds = 150, .rate = 10, .burst_gap_s = 0.5, .burst_s = 0.05 }, n);
	false_alarms("bursts of 1 s, every 10 s",
		     (Scene){ .seconds = 150, .rate = 20, .burst_gap_s = 10, .burst_s = 1 }, n);
	false_alarms("bursts of 0.3 s, every 30 s",
		     (Scene){ .seconds = 150, .rate = 20, .burst_gap_s = 30, .burst_s = 0.3 }, n);
	false_alarms("load that triples", (Scene){ .seconds = 150, .rate = 60, .slope = 3 }, n);
}

static void campaign_long(int n)
{
	static const double long_s[] = { 60, 300, 600 };

	for (size_t i = 0; i < G_N_ELEMENTS(long_s); i++) {
		PeriodTrial trial = usual_trial(long_s[i]);

		trial.seconds = 86400;
		trial.rate = 20;
		recall("a day", trial, n);
	}
	PeriodTrial holed = usual_trial(600);

	holed.seconds = 720 * 121.2;
	holed.rate = 20;
	holed.is_holed = true;
	recall("720 files", holed, n);
	false_alarms(
		"720 files of two minutes",
		(Scene){ .seconds = 720 * 121.2, .rate = 20, .hole_every_s = 121.2, .hole_s = 1.2 },
		n);
}

/* --- spikes ------------------------------------------------------------------------------ */

static void add_scores(SpikeScore *sum, SpikeScore score)
{
	sum->n_planted += score.n_planted;
	sum->n_met += score.n_met;
	sum->n_exact += score.n_exact;
	sum->n_printed += score.n_printed;
	sum->n_right += score.n_right;
}

static void spikes(const char *what, SpikeTrial trial, int n)
{
	SpikeScore sum = { 0 };

	trial.n_spikes = 100;
	for (int seed = 1; seed <= n; seed++)
		add_scores(&sum, trial_spikes(&trial, (uint64_t)seed));
	printf("%-8s %5.0f a second  %4.1f sigma, %4.1f at the ends: recall %.3f, precision %.3f, "
	       "exact ends %.3f (%d planted)\n",
	       what, trial.rate, trial.sigma, trial.sigma_end,
	       (double)sum.n_met / MAX(sum.n_planted, 1),
	       (double)sum.n_right / MAX(sum.n_printed, 1),
	       (double)sum.n_exact / MAX(sum.n_planted, 1), sum.n_planted);
	fflush(stdout);
}

static void campaign_spikes(int n)
{
	static const double rates[] = { 100, 400, 2000 };

	for (size_t i = 0; i < G_N_ELEMENTS(rates); i++)
		spikes("planted", (SpikeTrial){ rates[i], 10, 5, true, 0, false }, n);
	for (int sigma = 5; sigma <= 9; sigma++)
		spikes("weaker", (SpikeTrial){ 400, sigma, sigma / 2.0, false, 0, false }, n);
	spikes("drops", (SpikeTrial){ 400, 10, 2, true, 0, true }, n);
	spikes("drops", (SpikeTrial){ 2000, 10, 5, true, 0, true }, n);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	int n = argc > 2 ? (int)g_ascii_strtoll(argv[2], NULL, 10) : 100;

	if (strcmp(name, "recall") == 0)
		campaign_recall(n);
	else if (strcmp(name, "curves") == 0)
		campaign_curves(n);
	else if (strcmp(name, "noise") == 0)
		campaign_noise(n);
	else if (strcmp(name, "long") == 0)
		campaign_long(n);
	else if (strcmp(name, "spikes") == 0)
		campaign_spikes(n);
	else
		return 2;
	return 0;
}
