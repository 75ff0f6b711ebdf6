/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/builder.h"
#include "store/store.h"

/*
 * How good a recording is and who ran in it: over all samples of all events, idle ones included.
 * It is counted when a store is made and kept among its facts, so that telling it costs the same
 * for a minute and for a month.
 */

#define SUMMARY_ROWS 5

typedef enum {
	SUMMARY_PROCESSES,
	SUMMARY_POOLS,
	SUMMARY_THREADS, /* named `comm-pid/tid` */
	N_SUMMARY_LISTS,
} SummaryList;

typedef struct {
	char *name;
	uint64_t samples;
} SummaryRow;

/* Frames without a symbol in one DSO ("[unknown]": in none). */
typedef struct {
	char *dso;
	uint64_t frames, leaves;
} SummaryDso;

typedef struct {
	uint64_t samples, frames, leaves;
	uint64_t frames_unresolved, leaves_unresolved;
	uint64_t without_stack; /* samples */
	uint64_t short_stacks;	/* of 1 or 2 frames */
	uint64_t at_limit;	/* of at least 127 frames, perf's own limit */

	/* The largest of each, in order; equal ones by name. A row without name ends a list. */
	SummaryRow lists[N_SUMMARY_LISTS][SUMMARY_ROWS];
	SummaryDso dsos[SUMMARY_ROWS];
} Summary;

void summary_free(Summary *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Summary, summary_free)

/* What the store says of itself; where it is of an earlier version that did not, it is counted.
 * NULL with `error` where it is damaged or memory is out. */
Summary *summary_new(const Store *store, GError **error);

/* Counts it; every sample's bytes must have been touched. `is_weighted`: a period is a number of
 * samples. NULL when out of memory. */
Summary *summary_count(const Store *store, bool is_weighted);

/* Among the facts, under keys that begin so. */
#define FACT_SUMMARY "flamebeat.summary."
void summary_record(const Summary *self, StoreBuilder *facts);
