/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/record-plan.h"

/* The recordings of `record --rotate`: a folder of pairs, TIME.data and TIME.beat. */
typedef struct {
	const RecordPlan *plan;
	const char *folder;
	bool is_quiet;
	guint n_taken;
	guint n_failed; /* of these: without a store */
} RecordParts;

/* The file in the folder that perf is told to write; it appends the time to those it finished. */
#define PARTS_DATA "perf.data"

/* Names and ingests the oldest part that perf has finished, and deletes those past their time;
 * says so on standard error. False: there was none. */
bool record_parts_take(RecordParts *self);
