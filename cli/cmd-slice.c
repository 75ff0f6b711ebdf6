/* SPDX-License-Identifier: MIT */
/* `flamebeat slice`: the chosen time merged into a flame graph. */

#include "cli/command.h"
#include "cli/graph-options.h"
#include "cli/output-options.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "slice/call-tree.h"
#include "store/error.h"

typedef struct {
	CommonSettings common;
	LoadSettings load;
	OutputSettings output;
	Query query;
	CallTreeSettings tree;
	GraphSettings graph;
} Settings;

/* --- options ----------------------------------------------------------------------------- */

static bool set_group_by(void *settings, const char *value, GError **error)
{
	static const char *const names[] = { "comm", "pid",    "tid",  "process", "pool",
					     "cpu",  "cgroup", "none", NULL };
	int choice = option_choice("group-by", value, names, error);

	((CallTreeSettings *)settings)->group_by = (GroupBy)choice;
	return choice >= 0;
}

static bool set_reverse(void *settings, const char *value, GError **error)
{
	((CallTreeSettings *)settings)->is_reversed = true;
	return true;
}

static bool set_annotate(void *settings, const char *value, GError **error)
{
	static const char *const names[] = { "kernel", "jit", "inline", NULL };
	static const uint32_t flags[] = { FRAME_ANNOTATE_KERNEL, FRAME_ANNOTATE_JIT,
					  FRAME_ANNOTATE_INLINE };
	g_auto(GStrv) parts = g_strsplit(value, ",", -1);

	for (int i = 0; parts[i] != NULL; i++) {
		int choice = option_choice("annotate", parts[i], names, error);

		if (choice < 0)
			return false;
		((CallTreeSettings *)settings)->name_flags |= flags[choice];
	}
	return true;
}

static const OptionRow slice_options[] = {
	{ "group-by", 'g', "WHAT",
	  "first frame: comm, pid, tid, process, pool, cpu, cgroup or none (default: comm)",
	  set_group_by },
	{ "reverse", 0, NULL, "merge from the leaf: who calls the hot functions", set_reverse },
	{ "annotate", 0, "KINDS", "append _[k] _[j] _[i] to kernel, jit, inline frames",
	  set_annotate },
	{ NULL, 0, NULL, NULL, NULL },
};

static void init(void *data)
{
	Settings *settings = data;

	query_init(&settings->query);
	graph_settings_init(&settings->graph);
}

static void clear(void *data)
{
	Settings *settings = data;

	query_clear(&settings->query);
	load_settings_clear(&settings->load);
	output_settings_clear(&settings->output);
	graph_settings_clear(&settings->graph);
}

/* --- the command ------------------------------------------------------------------------- */

static bool write_tree(const Invocation *invocation, const Exporter *exporter,
		       const Recording *recording, const CallTree *tree, GError **error)
{
	const Settings *settings = invocation->settings;
	TreeStyle style = graph_style(&settings->graph, settings->output.path);
	g_auto(RecordingCaption) caption = { 0 };
	g_autoptr(Output) output = output_open(settings->output.path, invocation->host, error);

	if (output == NULL)
		return false;
	recording_caption_init(&caption, recording, invocation, &tree->counts,
			       settings->graph.title, settings->graph.subtitle);
	return exporter->tree(output_stream(output), tree, &caption.caption, &style, error) &&
	       output_commit(output, error);
}

static bool run(const Invocation *invocation, GError **error)
{
	const Settings *settings = invocation->settings;
	const Exporter *exporter = output_exporter(&settings->output, true, "tree", "svg", error);
	CallTreeSettings merging = settings->tree;
	g_auto(Recording) recording = { 0 };
	g_autoptr(CallTree) tree = NULL;

	output_note_ending(&settings->output, exporter, true, invocation->notes);
	if (exporter == NULL ||
	    !recording_open(&recording, invocation, &settings->load, &settings->query, error))
		return false;
	merging.names = settings->query.names;
	if (exporter->wants_classes)
		merging.name_flags |= FRAME_NAMES_BY_CLASS;
	tree = call_tree_new(recording.store, recording.selection, &merging, error);
	if (tree == NULL)
		return false;
	recording_note_empty(&tree->counts, invocation->notes);
	return write_tree(invocation, exporter, &recording, tree, error);
}

const Command command_slice = {
	.name = "slice",
	.alias = "flamegraph",
	.arguments = "INPUT...",
	.help = "Merge the chosen time into a flame graph: SVG, PNG, JSON, folded, or text",
	.settings_size = sizeof(Settings),
	.init = init,
	.clear = clear,
	.tables = { { "Which samples", query_options, offsetof(Settings, query) },
		    { "Merging", slice_options, offsetof(Settings, tree) },
		    { "Drawing", graph_options, offsetof(Settings, graph) },
		    { "Output", output_options, offsetof(Settings, output) },
		    { "Reading", load_options, offsetof(Settings, load) },
		    { "General", common_options, offsetof(Settings, common) } },
	.run = run,
};
