/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

#include "parse/perf-process.h"
#include "store/builder.h"
#include "store/notes.h"

/* What perf says of a perf.data as a whole: what is missing shows in no sample. */
typedef struct {
	guint64 samples;
	guint64 lost;	     /* samples, as far as known */
	guint64 lost_chunks; /* times its buffer was full; samples or anything else */
	guint64 throttled;   /* times the kernel suspended sampling */
} PerfStats;

/* Starts asking, in a process of its own; errors show as zeros. */
void perf_stats_begin(PerfProcess *process, const PerfSettings *settings, const char *path);

/* The answer. */
void perf_stats_end(PerfStats *self, PerfProcess *process, const PerfSettings *settings,
		    const char *path);

/* Adds what is lost to the facts. */
void perf_stats_record(const PerfStats *self, StoreBuilder *builder);

/* What is lost, and what to do. */
void perf_stats_note(const PerfStats *self, const char *name, Notes *notes);
