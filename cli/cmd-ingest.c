/* SPDX-License-Identifier: MIT */
/* `flamebeat ingest`: parse recordings once into a store. */

#include "cli/command.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "parse/load.h"
#include "store/error.h"
#include "store/store-file.h"

typedef struct {
	CommonSettings common;
	LoadSettings load;
	char *path;
} Settings;

static bool set_path(void *settings, const char *value, GError **error)
{
	char **path = settings;

	g_free(*path);
	*path = g_strdup(value);
	return true;
}

static const OptionRow ingest_options[] = {
	{ "output", 'o', "FILE", "the store to write, usually NAME.beat (`-`: standard output)",
	  set_path },
	{ NULL, 0, NULL, NULL, NULL },
};

static void clear(void *data)
{
	Settings *settings = data;

	g_free(settings->path);
	load_settings_clear(&settings->load);
}

static bool run(const Invocation *invocation, GError **error)
{
	const Settings *settings = invocation->settings;
	g_autoptr(Output) output = NULL;
	g_autoptr(Store) store = NULL;

	if (settings->path == NULL)
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "ingest needs -o FILE: flamebeat ingest out.perf -o out.beat");
	if (output_is_terminal(settings->path))
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "a store is binary and standard output is a terminal: give -o FILE");
	store = recording_load(invocation, invocation->inputs, &settings->load, error);
	if (store == NULL)
		return false;
	output = output_open(settings->path, invocation->host, error);
	if (output == NULL || !store_write(store, output_stream(output), error))
		return false;
	return output_commit(output, error);
}

const Command command_ingest = {
	.name = "ingest",
	.arguments = "INPUT... -o FILE",
	.help = "Parse recordings once into a store, from which everything takes milliseconds",
	.settings_size = sizeof(Settings),
	.clear = clear,
	.tables = { { "Output", ingest_options, offsetof(Settings, path) },
		    { "Reading", load_options, offsetof(Settings, load) },
		    { "General", common_options, offsetof(Settings, common) } },
	.run = run,
};
