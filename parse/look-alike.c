/* SPDX-License-Identifier: MIT */
/* A table of expressions, each tried on the beginning of the input. */

#include "parse/look-alike.h"

#include "store/error.h"

#define PERF_SCRIPT "give what `perf script` prints"

#define RECORD "record with `perf record -F 99 -a -g`"

/* `bash-1234 [001] d..2. 12.345678: `: the flags stand where perf has the time. */
#define FTRACE_LINE                                                                                \
	"^ *\\S.*-\\d+ +(\\([ \\d-]+\\) )?\\[\\d{3}\\] [a-zA-Z0-9.#]{4,6} +\\d+\\.\\d+: "

static const struct {
	const char *pattern;
	const char *what;
	const char *advice;
} look_alikes[] = {
	{ "^# Overhead|^# To display the perf.data header", "the output of `perf report`",
	  PERF_SCRIPT },
	{ "^ *\\d+\\.\\d{3} \\( *(\\d+\\.\\d{3} ms)? *\\):", "the output of `perf trace`",
	  PERF_SCRIPT " of a recording (`perf record -F 99 -a -g`)" },
	{ "^(\\d+ )*0x[0-9a-f]+ \\[0x[0-9a-f]+\\]:", "the output of `perf script -D`",
	  PERF_SCRIPT " without -D" },
	{ "^ *time +cpu +task name", "the output of `perf sched timehist`", PERF_SCRIPT },
	{ "^# tracer: |^cpus=\\d+$|" FTRACE_LINE, "a trace of ftrace or trace-cmd", RECORD },
	{ "\\Asample:\\s+event_type:|\\ASIMPLEPERF", "a report of simpleperf",
	  "print it with simpleperf's report_sample.py" },
	{ "\\AFLR\\0", "a recording of Java Flight Recorder",
	  "make folded stacks of it with jfrconv" },
	{ "^@\\w*\\[", "a map of bpftrace",
	  "make folded stacks of it (stackcollapse-bpftrace.pl)" },
	{ "\\A\\s*(<\\?xml|<svg|<!DOCTYPE|<html)", "a picture or a page",
	  "give the recording itself" },
	{ "\\A\\s*[{\\[]", "JSON", PERF_SCRIPT ", or folded stacks" },
	{ "\\A\\x7f"
	  "ELF",
	  "a program", "record it: perf record -g -- PROGRAM" },
};

/* Enough for a header and the first lines. */
#define MAX_HEAD 4096

bool look_alike_is_ftrace(Text head)
{
	g_autoptr(GRegex) regex =
		g_regex_new("\\A(#.*\n)*" FTRACE_LINE, G_REGEX_RAW | G_REGEX_MULTILINE, 0, NULL);

	return g_regex_match_full(regex, head.data, (gssize)MIN(head.len, MAX_HEAD), 0, 0, NULL,
				  NULL);
}

bool look_alike_fail(Text head, const char *name, GError **error)
{
	for (size_t i = 0; i < G_N_ELEMENTS(look_alikes); i++) {
		g_autoptr(GRegex) regex = g_regex_new(look_alikes[i].pattern,
						      G_REGEX_RAW | G_REGEX_MULTILINE, 0, NULL);

		if (!g_regex_match_full(regex, head.data, (gssize)MIN(head.len, MAX_HEAD), 0, 0,
					NULL, NULL))
			continue;
		fail(error, FLAMEBEAT_ERROR_FAILED,
		     "%s: this does not look like a recording but like %s; %s", name,
		     look_alikes[i].what, look_alikes[i].advice);
		return true;
	}
	return false;
}
