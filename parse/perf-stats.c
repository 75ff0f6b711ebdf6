/* SPDX-License-Identifier: MIT */
/*
 * Counts of perf's records, by `perf report --stats`: first those of the whole file, then those of
 * each event, which tell how many samples were lost (Linux 6.0 on). It reads no symbols and takes
 * a fraction of a second even for large files.
 */

#include "parse/perf-stats.h"

#include <string.h>

/* The line `   NAME events:   NUMBER ...`, where it is one. */
static bool read_count(const char *line, const char *name, guint64 *n)
{
	while (*line == ' ')
		line++;
	if (!g_str_has_prefix(line, name) || !g_str_has_prefix(line + strlen(name), " events:"))
		return false;
	*n = g_ascii_strtoull(line + strlen(name) + strlen(" events:"), NULL, 10);
	return true;
}

static void take_whole(PerfStats *self, const char *line)
{
	read_count(line, "SAMPLE", &self->samples);
	read_count(line, "LOST", &self->lost_chunks);
	read_count(line, "THROTTLE", &self->throttled);
}

static void read_stats(PerfStats *self, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	bool is_whole = true, is_dummy = false;

	for (int i = 0; lines[i] != NULL; i++) {
		guint64 n;

		if (g_str_has_suffix(lines[i], " stats:")) {
			is_whole = g_str_has_prefix(lines[i], "Aggregated");
			is_dummy = g_str_has_prefix(lines[i], "dummy");
		} else if (is_whole) {
			take_whole(self, lines[i]);
		} else if (!is_dummy && read_count(lines[i], "LOST_SAMPLES", &n)) {
			self->lost += n;
		}
	}
}

/* Older kernels tell of records only, of whatever kind: `… PERF_RECORD_LOST lost 113`. */
static guint64 count_lost_records(const PerfSettings *settings, const char *path)
{
	/* Samples are left out: of no thread is the comm empty. */
	static const char *const words[] = { "--show-lost-events", "-F", "comm", "--comms=/",
					     NULL };
	static const char mark[] = " PERF_RECORD_LOST lost ";
	const PerfTask task = { .tool = "script", .path = path, .more = words };
	g_auto(PerfProcess) process = { 0 };
	g_autofree char *text = NULL;
	guint64 n = 0;

	if (!perf_process_start(&process, settings, &task, NULL))
		return 0;
	text = perf_process_read_result(&process);
	for (const char *at = text; (at = strstr(at, mark)) != NULL;) {
		at += strlen(mark);
		n += g_ascii_strtoull(at, NULL, 10);
	}
	return n;
}

void perf_stats_begin(PerfProcess *process, const PerfSettings *settings, const char *path)
{
	static const char *const words[] = { "--stats", NULL };
	const PerfTask task = { .tool = "report", .path = path, .more = words };

	perf_process_start(process, settings, &task, NULL);
}

void perf_stats_end(PerfStats *self, PerfProcess *process, const PerfSettings *settings,
		    const char *path)
{
	g_autofree char *text = NULL;

	*self = (PerfStats){ 0 };
	if (!process->is_running)
		return;
	text = perf_process_read_result(process);
	read_stats(self, text);
	if (self->lost == 0 && self->lost_chunks > 0)
		self->lost = count_lost_records(settings, path);
}

void perf_stats_record(const PerfStats *self, StoreBuilder *builder)
{
	if (self->lost > 0)
		store_builder_add_count(builder, FACT_LOST, self->lost);
	if (self->throttled > 0)
		store_builder_add_count(builder, FACT_THROTTLED, self->throttled);
}

void perf_stats_note(const PerfStats *self, const char *name, Notes *notes)
{
	guint64 taken = self->samples + self->lost;

	if (self->lost > 0)
		notes_add(notes,
			  "%s: perf lost %" G_GUINT64_FORMAT
			  " samples (%.1f %%) while recording, the profile is incomplete: lower -F",
			  name, self->lost, 100.0 * (double)self->lost / (double)taken);
	if (self->throttled > 0)
		notes_add(notes,
			  "%s: the kernel suspended sampling %" G_GUINT64_FORMAT
			  " times (throttling): lower -F",
			  name, self->throttled);
}
