/* SPDX-License-Identifier: MIT */
/*
 * Counts of perf's records, by `perf report --stats`: first those of the whole file, then those of
 * each event, which alone tell how many samples were lost. It reads no symbols and takes a fraction
 * of a second even for large files.
 */

#include "cli/perf-stats.h"

#include <string.h>

#include "cli/recording.h"

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
	if (read_count(line, "SAMPLE", &self->samples))
		self->is_known = true;
	read_count(line, "LOST", &self->lost_chunks);
	read_count(line, "THROTTLE", &self->throttled);
}

static void parse(PerfStats *self, const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	bool is_whole = true, is_dummy = false;

	for (int i = 0; lines[i] != NULL; i++) {
		guint64 n;

		if (g_str_has_suffix(lines[i], " stats:")) {
			is_whole = g_str_has_prefix(lines[i], "Aggregated");
			is_dummy = g_str_has_prefix(lines[i], "dummy");
			self->is_known |= is_whole;
		} else if (is_whole) {
			take_whole(self, lines[i]);
		} else if (!is_dummy && read_count(lines[i], "LOST_SAMPLES", &n)) {
			self->lost_samples += n;
		}
	}
}

void perf_stats_read(PerfStats *self, const char *perf, const char *path)
{
	char *words[] = { (char *)(perf != NULL ? perf : "perf"),
			  (char *)"report",
			  (char *)"--stats",
			  (char *)"-i",
			  (char *)path,
			  NULL };
	g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "LC_ALL", "C", TRUE);
	g_autofree char *text = NULL;

	environment = g_environ_setenv(environment, "PERF_PAGER", "cat", TRUE);
	*self = (PerfStats){ 0 };
	if (g_spawn_sync(NULL, words, environment, G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL,
			 NULL, NULL, &text, NULL, NULL, NULL))
		parse(self, text);
}

void perf_stats_note(const PerfStats *self, const char *path, Notes *notes)
{
	g_autofree char *lost = format_count(self->lost_samples);
	guint64 taken = self->samples + self->lost_samples;

	if (self->lost_samples > 0)
		notes_add(notes,
			  "%s: perf lost %s samples (%.1f %%), the profile is incomplete: lower -F",
			  path, lost, 100.0 * (double)self->lost_samples / (double)taken);
	else if (self->lost_chunks > 0)
		notes_add(notes,
			  "%s: perf's buffer was full %" G_GUINT64_FORMAT
			  " times, the profile is incomplete: lower -F",
			  path, self->lost_chunks);
	if (self->throttled > 0)
		notes_add(notes,
			  "%s: the kernel suspended sampling %" G_GUINT64_FORMAT
			  " times (throttling): lower -F",
			  path, self->throttled);
}
