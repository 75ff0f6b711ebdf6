/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <signal.h>
#include <stdbool.h>

/* A `perf record` that is running. From start to clear, signals that ask us to end are its. */
typedef struct {
	GPid pid;
	bool is_running;
	bool is_stopping; /* it was asked to end */
	int status;	  /* as waitpid has it, once it ended */
	sigset_t old_mask;
} PerfRecord;

/* `has_command`: it records a program, which may read from our standard input. */
bool perf_record_start(PerfRecord *self, char *const *words, bool has_command, GError **error);

/* Waits for its end, for at most `seconds`; passes signals on. True: it is still running. */
bool perf_record_wait(PerfRecord *self, int seconds);

/* Waits for its end, however long that takes: a perf that is killed leaves nothing of use. */
void perf_record_clear(PerfRecord *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PerfRecord, perf_record_clear)

/* Whether `path` is a perf.data that was finished. */
bool perf_data_is_complete(const char *path);
