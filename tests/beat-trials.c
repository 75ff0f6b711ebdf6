/* SPDX-License-Identifier: MIT */
#include "tests/beat-trials.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/query.h"

#define TICK_S	 (1 / 99.0)
#define BUCKET_S 0.02

static Selection *select_all(const Store *store)
{
	g_auto(Query) query = { 0 };
	g_autoptr(GError) error = NULL;
	Selection *selection;

	query_init(&query);
	selection = selection_new(store, &query, NULL, &error);
	g_assert_no_error(error);
	return selection;
}

static Periods *find_periods(const Scene *scene, double max_period_s)
{
	g_autoptr(Store) store = scene_store(scene);
	g_autoptr(Selection) selection = select_all(store);
	g_autoptr(GError) error = NULL;
	PeriodSettings settings = { .max_period_ns = (int64_t)(max_period_s * 1e9) };
	Periods *periods = periods_new(store, selection, &settings, NULL, &error);

	g_assert_no_error(error);
	return periods;
}

size_t trial_count(Scene scene, uint64_t seed)
{
	g_autoptr(Periods) periods = NULL;

	scene.seed = seed;
	periods = find_periods(&scene, 0);
	for (size_t i = 0; i < periods->n && g_getenv("TRIAL_VERBOSE") != NULL; i++)
		g_printerr("seed %d: %.6f s, active %.4f s, %.1f sigma, 1e%.1f, %u cycles\n",
			   (int)seed, (double)periods->items[i].period_ns / 1e9,
			   periods->items[i].duty * (double)periods->items[i].period_ns / 1e9,
			   periods->items[i].sigma, periods->items[i].log10_p,
			   periods->items[i].n_cycles);
	return periods->n;
}

/* --- periods ----------------------------------------------------------------------------- */

static Scene period_scene(const PeriodTrial *trial, uint64_t seed)
{
	double width_s = MAX(trial->width * trial->period_s, TICK_S);
	double covered = trial->seconds * (trial->is_holed ? 120 / 121.2 : 1);
	double background = trial->rate * covered * width_s / trial->period_s;
	Scene scene = { .seed = seed,
			.seconds = trial->seconds,
			.rate = trial->rate,
			.plants = { { .period_s = trial->period_s,
				      .width_s = width_s,
				      .total = round(trial->sigma * sqrt(background)),
				      .jitter_s = trial->jitter * width_s,
				      .stack = "main;loop;spike",
				      .comm = "beat" } },
			.n_plants = 1 };

	/* Any phase. */
	scene.plants[0].phase_s = fmod((double)seed * 0.6180339887, 1) * trial->period_s;
	if (trial->is_holed) {
		scene.hole_every_s = 121.2;
		scene.hole_s = 1.2;
	}
	return scene;
}

static bool is_about(const Period *period, double period_s, double seconds)
{
	return fabs((double)period->period_ns / 1e9 - period_s) <= period_s * period_s / seconds;
}

bool trial_period(const PeriodTrial *trial, uint64_t seed)
{
	Scene scene = period_scene(trial, seed);
	g_autoptr(Periods) periods = find_periods(&scene, trial->max_period_s);

	for (size_t i = 0; i < periods->n; i++) {
		const Period *period = &periods->items[i];

		if (is_about(period, trial->period_s, trial->seconds))
			return true;
		if (is_about(period, 2 * trial->period_s, trial->seconds) ||
		    is_about(period, trial->period_s / 2, trial->seconds))
			return false;
	}
	return false;
}

/* --- many -------------------------------------------------------------------------------- */

typedef struct {
	bool (*run)(const void *context, uint64_t seed);
	const void *context;
	gint n_true;
} Batch;

static void run_one(gpointer seed, gpointer data)
{
	Batch *batch = data;

	if (batch->run(batch->context, GPOINTER_TO_UINT(seed)))
		g_atomic_int_inc(&batch->n_true);
}

int trials_run(bool (*run)(const void *context, uint64_t seed), const void *context, int n)
{
	Batch batch = { run, context, 0 };
	GThreadPool *pool =
		g_thread_pool_new(run_one, &batch, (gint)g_get_num_processors(), TRUE, NULL);

	for (int seed = 1; seed <= n; seed++)
		g_thread_pool_push(pool, GUINT_TO_POINTER(seed), NULL);
	g_thread_pool_free(pool, FALSE, TRUE);
	return batch.n_true;
}

/* --- spikes ------------------------------------------------------------------------------ */

/* From 0 to 1, evenly, in another order for every seed. */
static double scatter(uint64_t seed, int i, double step)
{
	return fmod(((double)seed * 0.754877666 + i * 0.569840291) * step, 1);
}

static double spike_rate(const SpikeTrial *trial, double width_s)
{
	double more = trial->is_certain ? 3 : 0;
	double whole = (trial->sigma + more) * sqrt(trial->rate * width_s) / width_s;
	double end = (trial->sigma_end + more) * sqrt(trial->rate * BUCKET_S) / BUCKET_S;

	return MAX(whole, end);
}

static Scene *spike_scene(const SpikeTrial *trial, uint64_t seed)
{
	Scene *scene = g_new0(Scene, 1);
	double at_s = 5;

	*scene = (Scene){ .seed = seed, .rate = trial->rate, .n_plants = trial->n_spikes };
	for (int i = 0; i < trial->n_spikes; i++) {
		double width_s = 0.02 * pow(3000, scatter(seed, i, 1));

		at_s += 2 + 10 * scatter(seed, i, 7.3);
		scene->plants[i] = (Plant){ .phase_s = at_s,
					    .width_s = width_s,
					    .rate = trial->is_lack ? 0 : spike_rate(trial, width_s),
					    .is_quiet = trial->is_lack,
					    .stack = "main;spike",
					    .comm = "spiky" };
		at_s += width_s;
	}
	scene->seconds = at_s + 10;
	return scene;
}

static Spikes *find_spikes(const Store *store, SpikeKind kind)
{
	g_autoptr(Selection) selection = select_all(store);
	g_autoptr(GError) error = NULL;
	SpikeSettings settings = { .kind = kind };
	Spikes *spikes = spikes_new(store, selection, &settings, NULL, &error);

	g_assert_no_error(error);
	return spikes;
}

/* A planted spike and one that is found, in seconds of the recording. */
static bool do_overlap(const Plant *plant, const double found[2])
{
	return found[0] < plant->phase_s + plant->width_s && found[1] > plant->phase_s;
}

/* By the buckets that the ends lie in. */
static bool is_exact(const Plant *plant, const double found[2])
{
	double ends[2] = { plant->phase_s, plant->phase_s + plant->width_s };

	return fabs(floor(found[0] / BUCKET_S + 1e-6) - floor(ends[0] / BUCKET_S)) <= 1 &&
	       fabs(ceil(found[1] / BUCKET_S - 1e-6) - ceil(ends[1] / BUCKET_S)) <= 1;
}

/* Standard deviations of the background that [begin_s, end_s) has in excess (or lacks). */
static double realised(const Store *store, double rate, double begin_s, double end_s)
{
	int64_t begin_ns = (int64_t)((begin_s + 1000) * 1e9),
		end_ns = (int64_t)((end_s + 1000) * 1e9);
	uint64_t first = 0, last = 0;
	double expected = rate * (end_s - begin_s);

	store_lower_bound(store, begin_ns, &first, NULL);
	store_lower_bound(store, end_ns, &last, NULL);
	return fabs((double)(last - first) - expected) / sqrt(expected);
}

/* Whether chance left the spike what was asked for: in all, and in its first and last whole
 * buckets. */
static bool is_clear(const Store *store, const SpikeTrial *trial, const Plant *plant)
{
	double first = ceil(plant->phase_s / BUCKET_S) * BUCKET_S;
	double last = floor((plant->phase_s + plant->width_s) / BUCKET_S) * BUCKET_S - BUCKET_S;

	return realised(store, trial->rate, plant->phase_s, plant->phase_s + plant->width_s) >=
		       trial->sigma &&
	       (last < first ||
		(realised(store, trial->rate, first, first + BUCKET_S) >= trial->sigma_end &&
		 realised(store, trial->rate, last, last + BUCKET_S) >= trial->sigma_end));
}

static void score_plant(const Plant *plant, const Spikes *spikes, SpikeScore *score)
{
	bool is_met = false, has_ends = false;
	double near[2] = { 0, 0 };

	for (size_t i = 0; i < spikes->n; i++) {
		const TimeRange *range = &spikes->items[i].range;
		double found[2] = { (double)range->begin_ns / 1e9 - 1000,
				    (double)range->end_ns / 1e9 - 1000 };

		if (do_overlap(plant, found))
			memcpy(near, found, sizeof(near));
		is_met |= do_overlap(plant, found);
		has_ends |= is_exact(plant, found);
	}
	score->n_planted++;
	score->n_met += is_met;
	score->n_exact += has_ends;
	if (!has_ends && g_getenv("TRIAL_VERBOSE") != NULL)
		g_printerr("planted %.3f..%.3f: %s (%.3f..%.3f)\n", plant->phase_s,
			   plant->phase_s + plant->width_s, is_met ? "ends differ" : "missed",
			   near[0], near[1]);
}

static bool is_right(const Scene *scene, const double found[2])
{
	for (int i = 0; i < scene->n_plants; i++)
		if (do_overlap(&scene->plants[i], found))
			return true;
	return false;
}

SpikeScore trial_spikes(const SpikeTrial *trial, uint64_t seed)
{
	g_autofree Scene *scene = spike_scene(trial, seed);
	g_autoptr(Store) store = scene_store(scene);
	g_autoptr(Spikes) spikes = find_spikes(store, trial->is_lack ? SPIKE_DROP : SPIKE_LOAD);
	SpikeScore score = { .n_printed = (int)spikes->n };

	for (int i = 0; i < scene->n_plants; i++)
		if (!trial->is_certain || is_clear(store, trial, &scene->plants[i]))
			score_plant(&scene->plants[i], spikes, &score);
	for (size_t k = 0; k < spikes->n; k++) {
		const TimeRange *range = &spikes->items[k].range;
		double found[2] = { (double)range->begin_ns / 1e9 - 1000,
				    (double)range->end_ns / 1e9 - 1000 };

		score.n_right += is_right(scene, found);
	}
	return score;
}
