/* SPDX-License-Identifier: MIT */
/* `flamebeat record`: run perf, and keep what it recorded as a store and as its own perf.data. */

#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/perf-limits.h"
#include "cli/perf-record.h"
#include "cli/print.h"
#include "cli/record-ingest.h"
#include "cli/record-parts.h"
#include "store/error.h"

#define DEFAULT_PATH   "flamebeat.beat"
#define DEFAULT_FOLDER "flamebeat.d"

typedef struct {
	CommonSettings common;
	RecordSettings record;
} Settings;

/* --- before ------------------------------------------------------------------------------ */

static char *find_perf(const RecordSettings *settings, GError **error)
{
	const char *name = settings->perf != NULL ? settings->perf : "perf";
	char *path = g_find_program_in_path(name);

	if (path == NULL)
		fail(error, FLAMEBEAT_ERROR_FAILED,
		     "cannot run %s: there is none; install perf (Debian: linux-perf, Ubuntu: "
		     "linux-tools-generic, others: perf)",
		     name);
	return path;
}

static bool check_command(char *const *command, GError **error)
{
	g_autofree char *path = NULL;

	if (command[0] == NULL)
		return true;
	path = g_find_program_in_path(command[0]);
	return path != NULL ||
	       fail(error, FLAMEBEAT_ERROR_FAILED, "cannot run %s: no such program", command[0]);
}

/* Before hours are spent on recording. */
static bool check_folder(const char *path, GError **error)
{
	g_autofree char *folder = g_path_get_dirname(path);

	if (access(folder, W_OK | X_OK) != 0)
		return fail(error, FLAMEBEAT_ERROR_FAILED, "%s: cannot write: %s", folder,
			    g_strerror(errno));
	if (g_file_test(path, G_FILE_TEST_IS_DIR))
		return fail(error, FLAMEBEAT_ERROR_FAILED,
			    "%s is a folder: give the name of a store, such as out.beat", path);
	return true;
}

static bool make_folder(const char *path, GError **error)
{
	if (mkdir(path, 0777) != 0 && errno == EEXIST && !g_file_test(path, G_FILE_TEST_IS_DIR))
		return fail(error, FLAMEBEAT_ERROR_FAILED,
			    "%s is no folder: --rotate writes many files, into one", path);
	return access(path, W_OK | X_OK) == 0 ||
	       fail(error, FLAMEBEAT_ERROR_FAILED, "%s: cannot write to this folder: %s", path,
		    g_strerror(errno));
}

static bool prepare(RecordPlan *plan, Notes *notes, GError **error)
{
	g_autofree char *perf = find_perf(plan->settings, error);
	PerfLimits limits;

	if (perf == NULL || !check_command(plan->command, error))
		return false;
	perf_limits_read(&limits, perf);
	if (!perf_limits_check(&limits, record_plan_is_system_wide(plan), error))
		return false;
	perf_limits_note(&limits, record_plan_frequency(plan), notes);
	return record_plan_try(plan, notes, error);
}

/* --- meanwhile --------------------------------------------------------------------------- */

static void say_started(const RecordPlan *plan, const Settings *settings)
{
	if (plan->command[0] == NULL && !settings->common.is_quiet && isatty(STDERR_FILENO))
		print_line("", "recording; ^C ends it");
}

static int max_rate_hz(void)
{
	PerfLimits limits;

	perf_limits_read(&limits, "perf");
	return limits.max_rate_hz;
}

/* The kernel does so where interrupts take too long. */
static void note_rate(int before_hz, Notes *notes)
{
	int after_hz = max_rate_hz();

	if (after_hz < before_hz)
		notes_add(notes,
			  "the kernel lowered kernel.perf_event_max_sample_rate from %d to %d "
			  "meanwhile: sampling took too long",
			  before_hz, after_hz);
}

/* --- after ------------------------------------------------------------------------------- */

static void note_command(const PerfRecord *perf, const RecordPlan *plan, Notes *notes)
{
	const char *name = plan->command[0] != NULL ? plan->command[0] : "perf";

	if (perf->is_stopping)
		return;
	if (WIFEXITED(perf->status) && WEXITSTATUS(perf->status) != 0)
		notes_add(notes, "%s ended with status %d", name, WEXITSTATUS(perf->status));
	if (WIFSIGNALED(perf->status))
		notes_add(notes, "%s was ended by signal %d (%s)", name, WTERMSIG(perf->status),
			  g_strsignal(WTERMSIG(perf->status)));
}

static bool fail_incomplete(const PerfRecord *perf, const char *path, GError **error)
{
	g_autofree char *folder = g_path_get_dirname(path);
	struct statvfs disk;

	if (statvfs(folder, &disk) == 0 && disk.f_bavail * disk.f_bsize < (1u << 20))
		return fail(error, FLAMEBEAT_ERROR_FAILED,
			    "%s: no room is left on its disk: perf could not complete the file",
			    path);
	if (perf->is_stopping)
		return fail(error, FLAMEBEAT_ERROR_FAILED,
			    "%s: stopped before perf had begun to record", path);
	return fail(error, FLAMEBEAT_ERROR_FAILED,
		    "%s: perf did not complete the file (it ended with %s %d)", path,
		    WIFEXITED(perf->status) ? "status" : "signal",
		    WIFEXITED(perf->status) ? WEXITSTATUS(perf->status) : WTERMSIG(perf->status));
}

/* --- one recording ----------------------------------------------------------------------- */

/* Beside the store: NAME.data for NAME.beat. */
static char *data_path_of(const char *path)
{
	size_t n = strlen(path);

	if (g_str_has_suffix(path, ".beat"))
		n -= strlen(".beat");
	return g_strdup_printf("%.*s.data", (int)n, path);
}

static bool run_perf(const RecordPlan *plan, const Settings *settings, const char *data_path,
		     Notes *notes, GError **error)
{
	g_auto(GStrv) words = record_plan_words(plan, data_path);
	g_auto(PerfRecord) perf = { 0 };
	int rate_hz = max_rate_hz();

	say_started(plan, settings);
	if (!perf_record_start(&perf, words, plan->command[0] != NULL, error))
		return false;
	while (perf_record_wait(&perf, 3600))
		continue;
	if (!perf_data_is_complete(data_path))
		return fail_incomplete(&perf, data_path, error);
	note_command(&perf, plan, notes);
	note_rate(rate_hz, notes);
	return true;
}

static bool record_one(RecordPlan *plan, const Settings *settings, Notes *notes, GError **error)
{
	const char *path = settings->record.path != NULL ? settings->record.path : DEFAULT_PATH;
	g_autofree char *data_path = data_path_of(path);

	return check_folder(path, error) && prepare(plan, notes, error) &&
	       run_perf(plan, settings, data_path, notes, error) &&
	       record_ingest(plan, data_path, path, notes, error);
}

/* --- one after the other ----------------------------------------------------------------- */

static bool check_parts(const RecordParts *parts, const PerfRecord *perf, Notes *notes,
			GError **error)
{
	g_autofree char *unfinished = g_build_filename(parts->folder, PARTS_DATA, NULL);

	if (parts->n_taken == 0)
		return fail_incomplete(perf, unfinished, error);
	if (parts->n_failed > 0)
		return fail(error, FLAMEBEAT_ERROR_FAILED, "%s: %u of %u recordings have no store",
			    parts->folder, parts->n_failed, parts->n_taken);
	note_command(perf, parts->plan, notes);
	notes_add(notes, "%s: %u recording%s", parts->folder, parts->n_taken,
		  parts->n_taken == 1 ? "" : "s");
	return true;
}

static bool run_parts(RecordParts *parts, const Settings *settings, Notes *notes, GError **error)
{
	g_autofree char *data_path = g_build_filename(parts->folder, PARTS_DATA, NULL);
	g_auto(GStrv) words = record_plan_words(parts->plan, data_path);
	g_auto(PerfRecord) perf = { 0 };
	bool was_busy = false;

	say_started(parts->plan, settings);
	if (!perf_record_start(&perf, words, parts->plan->command[0] != NULL, error))
		return false;
	/* What is recorded goes first. */
	(void)setpriority(PRIO_PROCESS, 0, 10);
	while (perf_record_wait(&perf, was_busy ? 0 : 1))
		was_busy = record_parts_take(parts);
	while (record_parts_take(parts))
		continue;
	return check_parts(parts, &perf, notes, error);
}

static bool record_many(RecordPlan *plan, const Settings *settings, Notes *notes, GError **error)
{
	const char *path = settings->record.path != NULL ? settings->record.path : DEFAULT_FOLDER;
	RecordParts parts = { .plan = plan, .folder = path, .is_quiet = settings->common.is_quiet };

	return make_folder(path, error) && prepare(plan, notes, error) &&
	       run_parts(&parts, settings, notes, error);
}

static void clear(void *data)
{
	record_settings_clear(&((Settings *)data)->record);
}

static bool run(const Invocation *invocation, GError **error)
{
	const Settings *settings = invocation->settings;
	RecordPlan plan = { .settings = &settings->record, .command = invocation->inputs };

	if (!record_settings_check(&settings->record, error))
		return false;
	if (settings->record.rotate_ns > 0)
		return record_many(&plan, settings, invocation->notes, error);
	return record_one(&plan, settings, invocation->notes, error);
}

const Command command_record = {
	.name = "record",
	.arguments = "[-- COMMAND [ARG...]]",
	.help = "Run perf, and keep the recording as a store and as perf's own file",
	.settings_size = sizeof(Settings),
	.clear = clear,
	.tables = { { "Recording", record_options, offsetof(Settings, record) },
		    { "General", common_options, offsetof(Settings, common) } },
	.run = run,
	.takes_command = true,
};
