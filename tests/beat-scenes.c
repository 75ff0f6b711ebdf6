/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "tests/beat-scene.h"

#define TICKS .n_cpus = 4, .hz = 99, .has_idle = true

/* One thread that works for `width` once in `period`, on a machine that does little else. */
#define LONE(name_, period, width)                                                                 \
	{                                                                                          \
		name_,                                                                             \
		{                                                                                  \
			TICKS, .seconds = 60, .rate = 0.005, .n_plants = 1, .plants = {            \
				{ .period_s = period,                                              \
				  .phase_s = 0.4,                                                  \
				  .width_s = width,                                                \
				  .rate = 1,                                                       \
				  .stack = "main;loop;work",                                       \
				  .comm = "lone" }                                                 \
			}                                                                          \
		}                                                                                  \
	}

/* All CPUs at this load, throughout. */
#define STEADY(name_, load)                                                                        \
	{                                                                                          \
		name_,                                                                             \
		{                                                                                  \
			TICKS, .seconds = 60, .rate = load                                         \
		}                                                                                  \
	}

static const struct {
	const char *name;
	Scene scene;
} scenes[] = {
	{ "noise", { .seconds = 120, .rate = 100 } },
	{ "bursts", { .seconds = 120, .rate = 10, .burst_gap_s = 2, .burst_s = 0.1 } },
	LONE("pattern-1", 1, 0.04),
	LONE("pattern-2", 0.5, 0.04),
	{ "pattern-3",
	  { TICKS, .seconds = 60, .rate = 0.005, .n_plants = 2,
	    .plants = { { .period_s = 1,
			  .phase_s = 0.2,
			  .width_s = 0.05,
			  .rate = 1,
			  .stack = "main;loop;first",
			  .comm = "one" },
			{ .period_s = 1,
			  .phase_s = 0.5,
			  .width_s = 0.05,
			  .rate = 1,
			  .stack = "main;loop;second",
			  .comm = "two" } } } },
	LONE("pattern-4", 1.02, 0.02),
	LONE("pattern-5", 0.52, 0.02),
	LONE("pattern-6", 1.08, 0.08),
	LONE("pattern-7", 1.01, 0.0105),
	LONE("pattern-8", 5, 0.1),
	STEADY("pattern-9", 1),
	STEADY("pattern-10", 0.5),
	STEADY("pattern-11", 0.25),
	STEADY("pattern-12", 0.05),
	{ "pattern-13", { TICKS, .seconds = 60, .rate = 0.1, .slope = 8 } },
	{ "pattern-14",
	  { TICKS, .seconds = 300, .rate = 0.1, .n_plants = 1,
	    .plants = { { .period_s = 30,
			  .phase_s = 7,
			  .width_s = 5,
			  .rate = 3,
			  .stack = "main;serve;batch",
			  .comm = "batch" } } } },
	{ "pattern-15",
	  { TICKS, .seconds = 60, .rate = 0.15, .n_plants = 1,
	    .plants = { { .phase_s = 23.4,
			  .width_s = 0.3,
			  .rate = 4,
			  .n_threads = 4,
			  .stack = "start_thread;run;collect",
			  .comm = "GC Thread" } } } },
	{ "pattern-16",
	  { TICKS, .seconds = 60, .rate = 0.6, .n_plants = 1,
	    .plants = { { .phase_s = 31.2, .width_s = 0.5, .rate = 4, .is_quiet = true } } } },
	{ "pattern-17",
	  { TICKS, .seconds = 60, .rate = 0.6, .n_plants = 2,
	    .plants = { { .phase_s = 31.199999,
			  .width_s = 0.5,
			  .rate = 1,
			  .stack = "main;lock;compact",
			  .comm = "compactor" },
			{ .phase_s = 31.2, .width_s = 0.5, .rate = 4, .is_quiet = true } } } },
	/* Collections of 60 ms that stop what else the process does: the load hardly rises. */
	{ "gc",
	  { .n_cpus = 8,
	    .hz = 99,
	    .has_idle = true,
	    .seconds = 60,
	    .rate = 0.35,
	    .n_plants = 1,
	    .plants = { { .period_s = 4.1,
			  .phase_s = 2.3,
			  .width_s = 0.06,
			  .jitter_s = 0.3,
			  .rate = 8,
			  .n_threads = 8,
			  .is_of_server = true,
			  .stack = "start_thread;GangWorker::run;G1ParTask::work;evacuate",
			  .comm = "GC Thread" } } } },
	/* Work of 100 Hz, looked at 99 times a second by one CPU. */
	{ "alias",
	  { .n_cpus = 1,
	    .hz = 99,
	    .has_idle = true,
	    .seconds = 60,
	    .rate = 0.02,
	    .n_plants = 1,
	    .plants = { { .period_s = 0.01,
			  .phase_s = 0.003,
			  .width_s = 0.0012,
			  .rate = 1,
			  .stack = "main;tick",
			  .comm = "ticker" } } } },
	/* Really once a second, on all CPUs. */
	{ "second",
	  { TICKS, .seconds = 60, .rate = 0.05, .n_plants = 1,
	    .plants = { { .period_s = 1,
			  .phase_s = 0.3,
			  .width_s = 0.1,
			  .rate = 4,
			  .n_threads = 4,
			  .stack = "main;all",
			  .comm = "every" } } } },
	{ "holes", { .seconds = 600, .rate = 60, .hole_every_s = 121.2, .hole_s = 1.2 } },
};

bool scene_by_name(const char *name, Scene *scene)
{
	for (size_t i = 0; i < G_N_ELEMENTS(scenes); i++) {
		if (strcmp(scenes[i].name, name) != 0)
			continue;
		*scene = scenes[i].scene;
		return true;
	}
	return false;
}
