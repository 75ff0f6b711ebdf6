/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "store/notes.h"

/* What perf says of a perf.data as a whole: what is missing shows in no sample. */
typedef struct {
	bool is_known;
	guint64 samples;
	guint64 lost_samples;
	guint64 lost_chunks; /* times its buffer was full; samples or anything else */
	guint64 throttled;   /* times the kernel suspended sampling */
} PerfStats;

/* Asks `perf` (NULL: the one on PATH). */
void perf_stats_read(PerfStats *self, const char *perf, const char *path);

/* What is lost, and what to do. */
void perf_stats_note(const PerfStats *self, const char *path, Notes *notes);
