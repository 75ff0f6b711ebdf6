/* SPDX-License-Identifier: MIT */
/* `flamebeat info`: what is in a recording, and what could not be read of it. */

#include "cli/command.h"
#include "cli/info.h"
#include "cli/output-options.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/table.h"
#include "store/store-file.h"

typedef struct {
	TableForm form; /* first, for table_set_json() */
	bool is_verified;
} Report;

typedef struct {
	CommonSettings common;
	LoadSettings load;
	OutputSettings output;
	Query query;
	Report report;
} Settings;

static bool set_verify(void *settings, const char *value, GError **error)
{
	((Report *)settings)->is_verified = true;
	return true;
}

static const OptionRow info_options[] = {
	{ "json", 0, NULL, "as JSON", table_set_json },
	{ "csv", 0, NULL, "as comma-separated values: what is a number or a text", table_set_csv },
	{ "verify", 0, NULL, "verify every byte of a store", set_verify },
	{ NULL, 0, NULL, NULL, NULL },
};

static void init(void *data)
{
	query_init(&((Settings *)data)->query);
}

static void clear(void *data)
{
	Settings *settings = data;

	query_clear(&settings->query);
	load_settings_clear(&settings->load);
	output_settings_clear(&settings->output);
}

/* `info` alone counts everything; as soon as one filter is given, all of them mean what they mean
 * elsewhere. */
static bool has_filter(const Query *query)
{
	return query->event != NULL || query->process != NULL || query->comm != NULL ||
	       query->match != NULL || query->cgroup != NULL || query->exclude != NULL ||
	       query->pid != NULL || query->tid != NULL || query->cpu != NULL ||
	       query->range != NULL || query->every != NULL || query->idle != IDLE_DROP;
}

static bool report(const Invocation *invocation, const Recording *recording, bool is_filtered,
		   GError **error)
{
	const Settings *settings = invocation->settings;
	TableForm form = settings->report.form;
	g_autoptr(Output) output = NULL;
	json_t *info;

	if (!table_form_choose(&form, &settings->output, error))
		return false;
	info = info_new(recording, is_filtered, error);
	if (info != NULL && is_filtered) {
		SelectionCounts counts = selection_counts(recording->selection);

		recording_note_empty(&counts, invocation->notes);
	}
	if (info != NULL)
		output = output_open(settings->output.path, invocation->host, error);
	if (output != NULL && form == TABLE_JSON)
		info_print_json(output_stream(output), info);
	else if (output != NULL && form == TABLE_CSV)
		info_print_csv(output_stream(output), info);
	else if (output != NULL)
		info_print_text(output_stream(output), info);
	json_decref(info);
	return output != NULL && output_commit(output, error);
}

static bool run(const Invocation *invocation, GError **error)
{
	const Settings *settings = invocation->settings;
	bool is_filtered = has_filter(&settings->query);
	g_autoptr(Notes) silent = notes_new();
	g_auto(Recording) recording = { 0 };

	/* Which event is the default is no news here: all are listed. */
	recording.store = recording_load(invocation, invocation->inputs, &settings->load, error);
	if (recording.store == NULL)
		return false;
	recording.selection = recording_select(invocation, recording.store, &settings->query,
					       is_filtered ? invocation->notes : silent, error);
	if (recording.selection == NULL)
		return false;
	if (settings->report.is_verified && !store_verify(recording.store, error))
		return false;
	return report(invocation, &recording, is_filtered, error);
}

const Command command_info = {
	.name = "info",
	.arguments = "INPUT...",
	.help = "Tell what is in a recording and what could not be read of it",
	.settings_size = sizeof(Settings),
	.init = init,
	.clear = clear,
	.tables = { { "Report", info_options, offsetof(Settings, report) },
		    { "Which samples", query_options, offsetof(Settings, query) },
		    { "Output", output_options, offsetof(Settings, output) },
		    { "Reading", load_options, offsetof(Settings, load) },
		    { "General", common_options, offsetof(Settings, common) } },
	.run = run,
};
