/* SPDX-License-Identifier: MIT */
/* The options of `flamebeat record`: perf record's own spellings, and what is ours. */

#include "cli/record-options.h"

#include <string.h>

#include "store/error.h"
#include "store/time-range.h"

#define MAX_FREQUENCY_HZ 1000000

static bool set_frequency(void *settings, const char *value, GError **error)
{
	return option_integer("freq", value, 1, MAX_FREQUENCY_HZ,
			      &((RecordSettings *)settings)->frequency_hz, error);
}

static bool set_event(void *settings, const char *value, GError **error)
{
	RecordSettings *self = settings;

	if (*value == '\0')
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "--event: expected an event, such as cycles (perf list shows them)");
	if (self->events == NULL)
		self->events = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(self->events, g_strdup(value));
	return true;
}

static bool set_all_cpus(void *settings, const char *value, GError **error)
{
	((RecordSettings *)settings)->is_system_wide = true;
	return true;
}

static bool set_pid(void *settings, const char *value, GError **error)
{
	RecordSettings *self = settings;
	g_auto(GStrv) ids = g_strsplit(value, ",", -1);
	gint64 id;

	for (int i = 0; ids[i] != NULL; i++)
		if (!option_integer("pid", ids[i], 1, G_MAXINT32, &id, error))
			return false;
	g_free(self->pids);
	self->pids = g_strdup(value);
	return *value != '\0' ||
	       fail(error, FLAMEBEAT_ERROR_USAGE, "--pid: expected the id of a process");
}

/* Stacks are on. The row is there since people are used to typing it. */
static bool set_stacks(void *settings, const char *value, GError **error)
{
	return true;
}

static bool set_call_graph(void *settings, const char *value, GError **error)
{
	static const char *const modes[] = { "fp", "dwarf", "lbr", NULL };
	RecordSettings *self = settings;
	g_autofree char *mode = g_strndup(value, strcspn(value, ","));

	if (option_choice("call-graph", mode, modes, error) < 0)
		return false;
	g_free(self->call_graph);
	self->call_graph = g_strdup(value);
	return true;
}

/* perf counts in whole seconds. */
static bool set_seconds(const char *option, const char *value, int64_t *ns, GError **error)
{
	g_autoptr(GError) cause = NULL;

	if (duration_parse(value, ns, &cause) && *ns >= NS_PER_SECOND && *ns % NS_PER_SECOND == 0)
		return true;
	return fail(error, FLAMEBEAT_ERROR_USAGE,
		    "--%s: expected whole seconds, such as 30s, 2m or 24h, got '%s'", option,
		    value);
}

static bool set_rotate(void *settings, const char *value, GError **error)
{
	return set_seconds("rotate", value, &((RecordSettings *)settings)->rotate_ns, error);
}

static bool set_keep(void *settings, const char *value, GError **error)
{
	return set_seconds("keep", value, &((RecordSettings *)settings)->keep_ns, error);
}

static bool set_path(void *settings, const char *value, GError **error)
{
	RecordSettings *self = settings;

	g_free(self->path);
	self->path = g_strdup(value);
	return (*value != '\0' && !g_str_equal(value, "-")) ||
	       fail(error, FLAMEBEAT_ERROR_USAGE,
		    "--output: expected a file name: two files are written");
}

static bool set_perf(void *settings, const char *value, GError **error)
{
	RecordSettings *self = settings;

	g_free(self->perf);
	self->perf = g_strdup(value);
	return true;
}

const OptionRow record_options[] = {
	{ "freq", 'F', "HZ", "samples a second on each CPU (default: 99; of tracepoints every one)",
	  set_frequency },
	{ "event", 'e', "EVENT", "what to sample by (default: cycles, or cpu-clock); repeatable",
	  set_event },
	{ "all-cpus", 'a', NULL, "everything that runs (the default without -p or COMMAND)",
	  set_all_cpus },
	{ "pid", 'p', "PID,...", "these processes, which are running", set_pid },
	{ "stacks", 'g', NULL, "with stacks, by frame pointers: always on", set_stacks },
	{ "call-graph", 0, "MODE", "stacks by fp, dwarf (large files) or lbr (Intel)",
	  set_call_graph },
	{ "rotate", 0, "DUR", "until stopped, a recording every DUR (such as 2m), in a folder",
	  set_rotate },
	{ "keep", 0, "DUR", "with --rotate: delete recordings older than DUR", set_keep },
	{ "output", 'o', "OUT",
	  "the store (default: flamebeat.beat), perf's file goes beside it; or the folder",
	  set_path },
	{ "perf", 0, "PATH", "the perf to record and read with (default: perf on PATH)", set_perf },
	{ NULL, 0, NULL, NULL, NULL },
};

void record_settings_clear(RecordSettings *self)
{
	g_clear_pointer(&self->events, g_ptr_array_unref);
	g_clear_pointer(&self->pids, g_free);
	g_clear_pointer(&self->call_graph, g_free);
	g_clear_pointer(&self->path, g_free);
	g_clear_pointer(&self->perf, g_free);
}

bool record_settings_check(const RecordSettings *self, GError **error)
{
	if (self->is_system_wide && self->pids != NULL)
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "-a records everything, -p some processes: give one of them");
	if (self->keep_ns > 0 && self->rotate_ns == 0)
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "--keep is for --rotate, which makes a recording each so often");
	if (self->keep_ns > 0 && self->keep_ns < self->rotate_ns)
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "--keep is shorter than --rotate: nothing would be kept");
	if (self->rotate_ns == 0 && self->path != NULL && g_str_has_suffix(self->path, ".data"))
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "-o names the store, such as out.beat; perf's own out.data goes beside "
			    "it");
	return true;
}
