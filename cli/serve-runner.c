/* SPDX-License-Identifier: MIT */
/* Queries to command-line words, by the tables that the command line is parsed with. */

#include "cli/serve-runner.h"

#include "cli/run-hosted.h"
#include "render/exporter.h"
#include "store/error.h"

/* Commands that only look at a recording; `names` has the same. */
static const Command *const served[] = {
	&command_info, &command_heatmap, &command_slice,  &command_top,
	&command_diff, &command_periods, &command_spikes, NULL,
};

static const char *const names[] = {
	"info", "heatmap", "slice", "top", "diff", "periods", "spikes", NULL,
};

static const Command *find_command(const char *name)
{
	for (const Command *const *command = served; *command != NULL; command++)
		if (g_str_equal((*command)->name, name))
			return *command;
	return NULL;
}

/* Not from a page: where output goes, what is run or read to parse an input, how to print. */
static bool is_allowed(const OptionTable *table, const OptionRow *row)
{
	return table->rows != load_options && table->rows != common_options &&
	       !g_str_equal(row->name, "output");
}

static const OptionRow *find_option(const Command *command, const char *key)
{
	for (const OptionTable *table = command->tables; table->rows != NULL; table++)
		for (const OptionRow *row = table->rows; row->name != NULL; row++)
			if (g_str_equal(row->name, key) && is_allowed(table, row))
				return row;
	return NULL;
}

static bool add_word(GPtrArray *words, const Command *command, const char *key, const char *value,
		     GError **error)
{
	const OptionRow *row = find_option(command, key);

	if (row == NULL)
		return fail(error, FLAMEBEAT_ERROR_USAGE, "%s has no key '%s'", command->name, key);
	if (row->arg == NULL && !g_str_equal(value, "1"))
		return fail(error, FLAMEBEAT_ERROR_USAGE, "%s: a switch is given as %s=1", key,
			    key);
	g_ptr_array_add(words, row->arg == NULL ? g_strdup_printf("--%s", key)
						: g_strdup_printf("--%s=%s", key, value));
	return true;
}

static const char *value_of(const CommandCall *call, const char *key)
{
	for (guint i = call->keys->len; i-- > 0;)
		if (g_str_equal(g_ptr_array_index(call->keys, i), key))
			return g_ptr_array_index(call->values, i);
	return NULL;
}

/* Pictures and trees have it from their format's row; tables are text, JSON or CSV. */
static const char *media_type(const CommandCall *call)
{
	bool is_heatmap = g_str_equal(call->command, "heatmap");
	bool is_tree = g_str_equal(call->command, "slice") || g_str_equal(call->command, "diff");
	const char *format = value_of(call, "format");
	const Exporter *exporter = NULL;

	if (is_heatmap || is_tree)
		exporter = exporter_by_name(format != NULL ? format : is_tree ? "svg" : "png");
	else if (format == NULL)
		format = value_of(call, "json") ? "json" : value_of(call, "csv") ? "csv" : "text";
	if (exporter != NULL)
		return exporter->media_type;
	if (g_strcmp0(format, "json") == 0)
		return "application/json";
	return g_strcmp0(format, "csv") == 0 ? "text/csv; charset=utf-8"
					     : "text/plain; charset=utf-8";
}

static const char *run(const CommandCall *call, Notes *notes, GError **error)
{
	const Command *command = find_command(call->command);
	g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
	Host host = { .open = call->open,
		      .context = call->context,
		      .sink = call->sink,
		      .is_cancelled = call->is_cancelled };

	for (guint i = 0; i < call->keys->len; i++)
		if (!add_word(words, command, g_ptr_array_index(call->keys, i),
			      g_ptr_array_index(call->values, i), error))
			return NULL;
	g_ptr_array_add(words, NULL);
	if (!run_hosted(command, (char *const *)words->pdata, call->inputs, &host, notes, error))
		return NULL;
	return media_type(call);
}

const CommandRunner serve_runner = { names, run };
