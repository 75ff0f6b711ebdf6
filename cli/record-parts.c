/* SPDX-License-Identifier: MIT */
/*
 * perf renames a part when it is finished: perf.data.YYYYMMDDhhmmssCC, the local time of its end in
 * hundredths of a second. We call it YYYYMMDD-hhmmssCC.data and put its store beside it, one part
 * after the other, while perf goes on with the next.
 */

#include "cli/record-parts.h"

#include <glib/gstdio.h>
#include <string.h>

#include "cli/print.h"
#include "cli/record-ingest.h"
#include "store/time-range.h"

#define FINISHED_PREFIX PARTS_DATA "."
#define N_DIGITS	16
#define N_DATE_DIGITS	8

static bool has_digits(const char *text, size_t n)
{
	return strspn(text, "0123456789") == n;
}

static bool is_finished(const char *name)
{
	const char *time = name + strlen(FINISHED_PREFIX);

	return g_str_has_prefix(name, FINISHED_PREFIX) && has_digits(time, N_DIGITS) &&
	       time[N_DIGITS] == '\0';
}

/* Whether it is one of the pair's names. */
static bool is_part(const char *name)
{
	const char *end;

	if (!has_digits(name, N_DATE_DIGITS) || name[N_DATE_DIGITS] != '-' ||
	    !has_digits(name + N_DATE_DIGITS + 1, N_DIGITS - N_DATE_DIGITS))
		return false;
	end = name + N_DIGITS + 1;
	return g_str_equal(end, ".data") || g_str_equal(end, ".beat");
}

/* --- parts that are past their time ------------------------------------------------------ */

static void delete_if_old(const RecordParts *self, const char *name)
{
	g_autofree char *path = g_build_filename(self->folder, name, NULL);
	gint64 now_s = g_get_real_time() / G_USEC_PER_SEC;
	GStatBuf info;

	if (g_stat(path, &info) == 0 &&
	    now_s - info.st_mtim.tv_sec > self->plan->settings->keep_ns / NS_PER_SECOND)
		g_unlink(path);
}

static void delete_old(const RecordParts *self)
{
	GDir *folder = g_dir_open(self->folder, 0, NULL);
	const char *name;

	if (folder == NULL)
		return;
	while ((name = g_dir_read_name(folder)) != NULL)
		if (is_part(name))
			delete_if_old(self, name);
	g_dir_close(folder);
}

/* --- parts that are finished ------------------------------------------------------------- */

static char *oldest_finished(const char *path)
{
	GDir *folder = g_dir_open(path, 0, NULL);
	char *oldest = NULL;
	const char *name;

	if (folder == NULL)
		return NULL;
	while ((name = g_dir_read_name(folder)) != NULL) {
		if (!is_finished(name) || (oldest != NULL && strcmp(name, oldest) >= 0))
			continue;
		g_free(oldest);
		oldest = g_strdup(name);
	}
	g_dir_close(folder);
	return oldest;
}

static char *part_path(const RecordParts *self, const char *name, const char *ending)
{
	const char *time = name + strlen(FINISHED_PREFIX);

	return g_strdup_printf("%s/%.*s-%s%s", self->folder, N_DATE_DIGITS, time,
			       time + N_DATE_DIGITS, ending);
}

/* A part without samples, say, must not end a recording that goes on for days. */
static void ingest(RecordParts *self, const char *data_path, const char *path)
{
	g_autoptr(Notes) notes = notes_new();
	g_autoptr(GError) error = NULL;

	if (!record_ingest(self->plan, data_path, path, notes, &error)) {
		notes_add(notes, "%s", error->message);
		self->n_failed++;
	}
	if (!self->is_quiet)
		print_notes(notes);
}

bool record_parts_take(RecordParts *self)
{
	g_autofree char *name = oldest_finished(self->folder);
	g_autofree char *finished = NULL, *data_path = NULL, *path = NULL;

	if (name == NULL)
		return false;
	finished = g_build_filename(self->folder, name, NULL);
	data_path = part_path(self, name, ".data");
	path = part_path(self, name, ".beat");
	if (g_rename(finished, data_path) != 0)
		return false;
	self->n_taken++;
	ingest(self, data_path, path);
	if (self->plan->settings->keep_ns > 0)
		delete_old(self);
	return true;
}
