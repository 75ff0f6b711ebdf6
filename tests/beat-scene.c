/* SPDX-License-Identifier: MIT */
/* Samples are made in any order, kept, sorted, and then given to a store builder or printed. */

#include "tests/beat-scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/builder.h"
#include "store/time-range.h"

typedef struct {
	int64_t time_ns;
	int cpu;
	int plant;  /* -1: background, -2: idle, -3 - i: ahead of plant i */
	int thread; /* of the background or the plant */
} Event;

typedef struct {
	const Scene *scene;
	uint64_t state;
	GArray *events; /* of Event */
	GArray *beats;	/* of Stretch, of all plants */
	GArray *bursts; /* of Stretch, of the background */
	double start_s;
	int n_cpus;
	bool has_quiet; /* some plant keeps the background quiet */
} Maker;

/* When a plant runs. */
typedef struct {
	double begin_s, end_s;
	int plant;
} Stretch;

/* --- chance ------------------------------------------------------------------------------ */

/* SplitMix64 (Steele, Lea and Flood 2014). */
static uint64_t next_random(Maker *self)
{
	uint64_t z = self->state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* Uniform in [0, 1). */
static double uniform(Maker *self)
{
	return (double)(next_random(self) >> 11) / 9007199254740992.0;
}

static double exponential(Maker *self, double mean)
{
	return -mean * log(1 - uniform(self));
}

static double normal(Maker *self)
{
	return sqrt(-2 * log(1 - uniform(self))) * cos(2 * G_PI * uniform(self));
}

static uint32_t below(Maker *self, uint32_t n)
{
	return (uint32_t)(uniform(self) * n);
}

/* --- when -------------------------------------------------------------------------------- */

static bool is_in_hole(const Maker *self, double at_s)
{
	const Scene *scene = self->scene;

	return scene->hole_every_s > 0 &&
	       fmod(at_s, scene->hole_every_s) >= scene->hole_every_s - scene->hole_s;
}

static void add(Maker *self, double at_s, int cpu, int plant, int thread)
{
	Event event = { (int64_t)llround((self->start_s + at_s) * 1e9), cpu, plant, thread };

	if (at_s >= 0 && at_s < self->scene->seconds && !is_in_hole(self, at_s))
		g_array_append_val(self->events, event);
}

static void plan_plant(Maker *self, int index)
{
	const Plant *plant = &self->scene->plants[index];
	double until_s = plant->until_s > 0 ? plant->until_s : self->scene->seconds;
	double period_s = plant->period_s, at_s = plant->phase_s;

	self->has_quiet |= plant->is_quiet;
	while (at_s < until_s) {
		double begin_s = at_s + plant->jitter_s * normal(self);
		Stretch beat = { begin_s, begin_s + plant->width_s, index };

		if (uniform(self) >= plant->missed)
			g_array_append_val(self->beats, beat);
		if (period_s <= 0)
			break;
		at_s += period_s;
		period_s *= 1 + plant->drift;
	}
}

static void plan_bursts(Maker *self)
{
	double at_s = 0;

	while (self->scene->burst_gap_s > 0 && at_s < self->scene->seconds) {
		Stretch burst = { at_s + exponential(self, self->scene->burst_gap_s), 0, -1 };

		burst.end_s = burst.begin_s + exponential(self, self->scene->burst_s);
		g_array_append_val(self->bursts, burst);
		at_s = burst.end_s;
	}
}

/* Whether a plant keeps the background quiet then. */
static bool is_quiet(const Maker *self, double at_s)
{
	if (!self->has_quiet)
		return false;
	for (guint i = 0; i < self->beats->len; i++) {
		const Stretch *beat = &g_array_index(self->beats, Stretch, i);

		if (self->scene->plants[beat->plant].is_quiet && at_s >= beat->begin_s &&
		    at_s < beat->end_s)
			return true;
	}
	return false;
}

/* --- at random times --------------------------------------------------------------------- */

static void add_plant_samples(Maker *self, const Plant *plant, const Stretch *beat, double n)
{
	int n_threads = MAX(plant->n_threads, 1);

	for (int i = 0; i < (int)n; i++) {
		double at_s = beat->begin_s + uniform(self) * (beat->end_s - beat->begin_s);
		int thread = (int)below(self, (uint32_t)n_threads);

		add(self, at_s,
		    n_threads > 1 ? thread % self->n_cpus
				  : (int)below(self, (uint32_t)self->n_cpus),
		    beat->plant, thread);
	}
}

/* A number of events of this mean. */
static int poisson(Maker *self, double mean)
{
	int n = 0;

	for (double at = exponential(self, 1); at < mean; at += exponential(self, 1))
		n++;
	return n;
}

static void add_beats(Maker *self)
{
	for (guint i = 0; i < self->beats->len; i++) {
		const Stretch *beat = &g_array_index(self->beats, Stretch, i);
		const Plant *plant = &self->scene->plants[beat->plant];

		add_plant_samples(self, plant, beat,
				  poisson(self, plant->rate * (beat->end_s - beat->begin_s)));
		if (plant->ahead != NULL)
			add(self, beat->begin_s - plant->ahead_s, 0, -3 - beat->plant, 0);
	}
}

/* `total` samples of a plant among its beats, by chance. */
static void add_totals(Maker *self)
{
	for (int p = 0; p < self->scene->n_plants; p++) {
		const Plant *plant = &self->scene->plants[p];
		g_autoptr(GArray) own = g_array_new(FALSE, FALSE, sizeof(Stretch));

		for (guint i = 0; i < self->beats->len; i++)
			if (g_array_index(self->beats, Stretch, i).plant == p)
				g_array_append_val(own, g_array_index(self->beats, Stretch, i));
		for (int i = 0; own->len > 0 && i < (int)plant->total; i++)
			add_plant_samples(self, plant,
					  &g_array_index(own, Stretch, below(self, own->len)), 1);
	}
}

/* The background's rate, less where it comes in bursts. */
static void add_background(Maker *self)
{
	const Scene *scene = self->scene;
	double most = scene->rate * MAX(scene->slope, 1);

	for (double at_s = 0; most > 0 && at_s < scene->seconds;) {
		double rate = scene->rate, share = at_s / scene->seconds;

		at_s += exponential(self, 1 / most);
		if (scene->slope > 0)
			rate *= 1 + (scene->slope - 1) * share;
		if (is_quiet(self, at_s))
			rate /= 5;
		if (uniform(self) * most < rate)
			add(self, at_s, (int)below(self, (uint32_t)self->n_cpus), -1,
			    (int)below(self, 8));
	}
}

/* Each burst is one CPU kept busy. */
static void add_bursts(Maker *self)
{
	for (guint i = 0; i < self->bursts->len; i++) {
		const Stretch *burst = &g_array_index(self->bursts, Stretch, i);
		int n = poisson(self, 100 * (burst->end_s - burst->begin_s)), cpu = (int)i;

		for (int k = 0; k < n; k++)
			add(self, burst->begin_s + uniform(self) * (burst->end_s - burst->begin_s),
			    cpu % self->n_cpus, -1, (int)i % 8);
	}
}

/* --- at ticks ---------------------------------------------------------------------------- */

/* Beats in order of time, and which of them a rising time is in. */
typedef struct {
	guint first;
} Cursor;

/* The plant that runs on this CPU at that time, -1 if none. */
static int plant_at(Maker *self, Cursor *cursor, double at_s, int cpu)
{
	for (guint i = cursor->first; i < self->beats->len; i++) {
		const Stretch *beat = &g_array_index(self->beats, Stretch, i);
		const Plant *plant = &self->scene->plants[beat->plant];
		double busy = plant->rate - cpu;

		if (beat->begin_s > at_s)
			break;
		if (at_s < beat->end_s && (busy >= 1 || uniform(self) < busy))
			return beat->plant;
	}
	return -1;
}

static void add_tick(Maker *self, Cursor *cursor, double at_s, int cpu)
{
	const Scene *scene = self->scene;
	int plant = plant_at(self, cursor, at_s, cpu);
	double rate = scene->rate *
		      (scene->slope > 0 ? 1 + (scene->slope - 1) * at_s / scene->seconds : 1);

	if (plant >= 0 && !scene->plants[plant].is_quiet)
		add(self, at_s, cpu, plant, cpu % MAX(scene->plants[plant].n_threads, 1));
	else if (plant < 0 && uniform(self) < rate)
		add(self, at_s, cpu, -1, cpu);
	else if (scene->has_idle)
		add(self, at_s, cpu, -2, 0);
}

static int compare_stretches(const void *left, const void *right)
{
	const Stretch *a = left, *b = right;

	return (a->begin_s > b->begin_s) - (a->begin_s < b->begin_s);
}

static void add_ticks(Maker *self)
{
	g_array_sort(self->beats, compare_stretches);
	for (int cpu = 0; cpu < self->n_cpus; cpu++) {
		double at_s = uniform(self) / self->scene->hz;
		Cursor cursor = { 0 };

		for (; at_s < self->scene->seconds; at_s += 1 / self->scene->hz) {
			while (cursor.first < self->beats->len &&
			       g_array_index(self->beats, Stretch, cursor.first).end_s < at_s)
				cursor.first++;
			add_tick(self, &cursor, at_s, cpu);
		}
	}
}

/* --- all --------------------------------------------------------------------------------- */

static int compare_events(const void *left, const void *right)
{
	const Event *a = left, *b = right;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->cpu - b->cpu;
}

/* Of Event, in order of time. */
static GArray *make_events(const Scene *scene)
{
	Maker self = { .scene = scene,
		       .state = scene->seed * 0x2545f4914f6cdd1du + 1,
		       .events = g_array_new(FALSE, FALSE, sizeof(Event)),
		       .beats = g_array_new(FALSE, FALSE, sizeof(Stretch)),
		       .bursts = g_array_new(FALSE, FALSE, sizeof(Stretch)),
		       .start_s = scene->start_s > 0 ? scene->start_s : 1000,
		       .n_cpus = scene->n_cpus > 0 ? scene->n_cpus : 4 };

	for (int i = 0; i < scene->n_plants; i++)
		plan_plant(&self, i);
	plan_bursts(&self);
	if (scene->hz > 0) {
		add_ticks(&self);
	} else {
		add_background(&self);
		add_beats(&self);
		add_totals(&self);
	}
	add_bursts(&self);
	g_array_sort(self.events, compare_events);
	g_array_unref(self.beats);
	g_array_unref(self.bursts);
	return self.events;
}

/* --- who --------------------------------------------------------------------------------- */

/* What a sample says of itself. */
typedef struct {
	char comm[32];
	int pid, tid;
	const char *stack;
} Identity;

static Identity identify(const Scene *scene, const Event *event)
{
	static const char *const stacks[] = { "start;serve;parse", "start;serve;lookup",
					      "start;serve;reply;format", "start;flush" };
	Identity who = { .pid = 100, .tid = 100 + event->thread };
	int plant = event->plant <= -3 ? -3 - event->plant : event->plant;

	if (event->plant == -2) {
		strcpy(who.comm, "swapper");
		who.pid = who.tid = 0;
		who.stack = "cpu_startup_entry;do_idle;native_safe_halt";
		return who;
	}
	if (event->plant == -1) {
		g_snprintf(who.comm, sizeof(who.comm), "server");
		who.stack = stacks[(event->time_ns / 1000) % G_N_ELEMENTS(stacks)];
		return who;
	}
	who.pid = scene->plants[plant].is_of_server ? 100 : 1000 * (plant + 1);
	who.tid = 1000 * (plant + 1) + 1 + event->thread;
	g_snprintf(who.comm, sizeof(who.comm), scene->plants[plant].n_threads > 1 ? "%s#%d" : "%s",
		   scene->plants[plant].comm, event->thread);
	who.stack = event->plant <= -3 ? scene->plants[plant].ahead : scene->plants[plant].stack;
	return who;
}

static uint32_t add_stack(StoreBuilder *builder, const char *folded)
{
	g_auto(GStrv) frames = g_strsplit(folded, ";", -1);
	uint32_t stack = 0;

	for (char **frame = frames; *frame != NULL; frame++) {
		StoreFrame row = { .symbol = text_from(*frame), .dso = TEXT("/usr/bin/app") };

		stack = store_builder_stack(builder, stack, store_builder_frame(builder, &row));
	}
	return stack;
}

/* Where there are holes, the recording is of several files. */
static void add_parts(const Scene *scene, StoreBuilder *builder)
{
	double start_s = scene->start_s > 0 ? scene->start_s : 1000, every_s = scene->hole_every_s;

	for (double at_s = 0; every_s > 0 && at_s < scene->seconds; at_s += every_s) {
		double end_s = MIN(at_s + every_s - scene->hole_s, scene->seconds);

		store_builder_add_part(builder, (TimeRange){ (int64_t)((start_s + at_s) * 1e9),
							     (int64_t)((start_s + end_s) * 1e9) });
	}
}

Store *scene_store(const Scene *scene)
{
	g_autoptr(GArray) events = make_events(scene);
	g_autoptr(StoreBuilder) builder = store_builder_new();
	g_autoptr(GHashTable) stacks = g_hash_table_new(g_str_hash, g_str_equal);
	g_autoptr(GError) error = NULL;
	uint32_t event_id = store_builder_event(builder, TEXT("cpu-clock"));
	Store *store;

	for (guint i = 0; i < events->len; i++) {
		const Event *event = &g_array_index(events, Event, i);
		Identity who = identify(scene, event);
		StoreThread thread = { text_from(who.comm), who.pid, who.tid };
		gpointer stack = g_hash_table_lookup(stacks, who.stack);
		Sample sample = { .time_ns = event->time_ns, .cpu = event->cpu, .event = event_id };

		if (stack == NULL) {
			stack = GUINT_TO_POINTER(add_stack(builder, who.stack));
			g_hash_table_insert(stacks, (gpointer)who.stack, stack);
		}
		sample.stack = GPOINTER_TO_UINT(stack);
		sample.thread = store_builder_thread(builder, &thread);
		g_assert_true(store_builder_add(builder, &sample));
	}
	add_parts(scene, builder);
	store = store_builder_finish(builder, &error);
	g_assert_no_error(error);
	return store;
}

static void print_stack(FILE *out, const char *folded)
{
	g_auto(GStrv) frames = g_strsplit(folded, ";", -1);

	for (guint i = g_strv_length(frames); i-- > 0;)
		fprintf(out, "\t%16x %s+0x10 (/usr/bin/app)\n", 0x401000 + i * 64, frames[i]);
	fputc('\n', out);
}

void scene_print(const Scene *scene, FILE *out)
{
	g_autoptr(GArray) events = make_events(scene);

	for (guint i = 0; i < events->len; i++) {
		const Event *event = &g_array_index(events, Event, i);
		Identity who = identify(scene, event);

		fprintf(out, "%s %d/%d [%03d] %" PRId64 ".%09d: 1 cpu-clock: \n", who.comm, who.pid,
			who.tid, event->cpu, (int64_t)(event->time_ns / NS_PER_SECOND),
			(int)(event->time_ns % NS_PER_SECOND));
		print_stack(out, who.stack);
	}
}
