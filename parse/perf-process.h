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

/* What is asked of perf. */
typedef struct {
	const char *tool;	 /* "script", "report" */
	const char *path;	 /* of the perf.data */
	const char *plugin;	 /* loaded as --dlfilter, told a descriptor to write to; or NULL */
	const char *const *more; /* words, NULL-terminated */
} PerfTask;

/* A perf that is running: its result comes through a pipe, its messages are kept. */
typedef struct {
	GPid pid;
	bool is_running;
	int messages; /* a file that takes its standard error; 0: none */
	int result;   /* where its standard output, or what the plug-in writes, can be read */
	int status;   /* as waitpid has it, once it ended */
} PerfProcess;

/* Runs `perf TOOL -i PATH` with the words of `more` and without standard input. */
bool perf_process_start(PerfProcess *self, const PerfSettings *settings, const PerfTask *task,
			GError **error);

/* Gives away the pipe that the result comes through. */
int perf_process_take_result(PerfProcess *self);

/* All of its result as text, where that is short; g_free it. */
char *perf_process_read_result(PerfProcess *self);

/* Waits for its end and returns what it said on standard error, less what is said always, in lines,
 * and how it ended if that is not said; g_free it. A result that was not read to its end is
 * dropped. */
char *perf_process_finish(PerfProcess *self);

void perf_process_clear(PerfProcess *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PerfProcess, perf_process_clear)

/* Whether it ended by itself and said that all is well. */
bool perf_process_succeeded(const PerfProcess *self);
