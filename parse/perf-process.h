/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

/* How perf is run. Strings are borrowed; NULL: not given. */
typedef struct {
	char *program; /* --perf PATH; NULL: `perf` on PATH */
	char *symfs;
	char *kallsyms;
	bool is_forced; /* perf's -f: whoever owns the file */
} PerfSettings;

/* A `perf script` that is running: its result comes through a pipe, its messages are kept. */
typedef struct {
	GPid pid;
	bool is_running;
	int messages; /* a file that takes its standard error */
	int status;   /* as waitpid has it, once it ended */
} PerfProcess;

/*
 * Runs `perf script -i PATH` with the words of `more` (NULL-terminated) and without standard input.
 * Its standard output comes through `*pipe_fd`; or, where `plugin` is given, that is loaded as
 * --dlfilter, is told a descriptor, and writes to it.
 */
bool perf_process_start(PerfProcess *self, const PerfSettings *settings, const char *path,
			const char *plugin, const char *const *more, int *pipe_fd, GError **error);

/* Waits for its end (close the pipe first) and returns what it said on standard error, less what
 * is said always; g_free it. */
char *perf_process_finish(PerfProcess *self);
void perf_process_clear(PerfProcess *self);

/* Whether it ended by itself and said that all is well. */
bool perf_process_succeeded(const PerfProcess *self);
