/* SPDX-License-Identifier: MIT */
/* From a finished perf.data to a store, with what there is to know about the recording. */

#include "cli/record-ingest.h"

#include "cli/output.h"
#include "cli/recording.h"
#include "store/error.h"
#include "store/store-file.h"

static bool save(const Store *store, const char *path, GError **error)
{
	g_autoptr(Output) output = output_open(path, NULL, error);

	return output != NULL && store_write(store, output_stream(output), error) &&
	       output_commit(output, error);
}

/* perf takes another event than it was asked for, and does not say so. */
static void note_event(const RecordPlan *plan, const Store *store, Notes *notes)
{
	for (uint32_t i = 0; i < store_n_events(store); i++)
		if (!plan->uses_cpu_clock && record_plan_wants_cycles(plan) &&
		    text_starts(store_event_name(store, i), "cpu-clock"))
			notes_add(notes, "this machine counts no cycles (is it virtual?): perf "
					 "recorded by cpu-clock");
}

bool record_ingest(const RecordPlan *plan, const char *data_path, const char *path, Notes *notes,
		   GError **error)
{
	const char *perf = plan->settings->perf;
	LoadSettings load = { .perf = { .program = (char *)perf } };
	char *paths[] = { (char *)data_path, NULL };
	g_autoptr(GError) cause = NULL;
	g_autoptr(Store) store = load_recording(paths, &load, notes, &cause);
	g_autofree char *count = NULL;

	if (store == NULL)
		return fail(error, FLAMEBEAT_ERROR_FAILED, "%s (%s is kept)", cause->message,
			    data_path);
	if (!save(store, path, error))
		return false;
	count = format_count(store->n_samples);
	note_event(plan, store, notes);
	notes_add(notes, "%s: %s sample%s; perf's own file is %s", path, count,
		  store->n_samples == 1 ? "" : "s", data_path);
	return true;
}
