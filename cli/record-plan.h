/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "cli/record-options.h"
#include "store/notes.h"

/* How perf is going to be run: what was asked for, less what this perf, kernel or event refuses. */
typedef struct {
	const RecordSettings *settings;
	char *const *command; /* NULL-terminated; may be empty */
	bool uses_cpu_clock;  /* in place of cycles, which the machine does not count */
	guint refused;	      /* bit i: extras[i] */
} RecordPlan;

#define DEFAULT_FREQUENCY_HZ 99

/* Whether everything that runs is recorded. */
bool record_plan_is_system_wide(const RecordPlan *self);

/* The rate that perf is told; 0: none, for it takes each event. */
int record_plan_frequency(const RecordPlan *self);

/* Finds out, by recording nothing for a moment, what perf refuses: gives way where that is of
 * little harm, with a note, and fails otherwise. */
bool record_plan_try(RecordPlan *self, Notes *notes, GError **error);

/* The command line that records to `path`; g_strfreev it. */
char **record_plan_words(const RecordPlan *self, const char *path);

/* Whether cycles were asked for and have to be something else on some machines. */
bool record_plan_wants_cycles(const RecordPlan *self);
