/* SPDX-License-Identifier: MIT */
/* `flamebeat slice`: the chosen time merged into a flame graph. */

#include "cli/command.h"
#include "cli/graph-options.h"
#include "cli/output-options.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/subtitle.h"
#include "cli/tree-options.h"
#include "slice/call-tree.h"
#include "slice/chart.h"
#include "store/error.h"

typedef struct {
	CommonSettings common;
	LoadSettings load;
	OutputSettings output;
	Query query;
	CallTreeSettings tree;
	GraphSettings graph;
} Settings;

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
	tree_rules_clear(&settings->tree.rules);
	graph_settings_clear(&settings->graph);
}

/* --- the command ------------------------------------------------------------------------- */

static bool export(const Invocation *invocation, const Exporter *exporter, FILE *out,
		   const Recording *recording, const CallTree *tree, const Profile *profile,
		   GError **error)
{
	const Settings *settings = invocation->settings;
	TreeStyle style = graph_style(&settings->graph, settings->output.path);
	g_auto(RecordingCaption) caption = { 0 };
	g_autofree char *rules = subtitle_rules(&settings->tree.rules);

	recording_caption_init(&caption, recording, invocation, &tree->counts,
			       settings->graph.title, settings->graph.subtitle);
	if (settings->graph.subtitle == NULL)
		recording_caption_add(&caption, rules);
	if (tree->begins != NULL) {
		caption.caption.unit = "\xc2\xb5s"; /* MICRO SIGN */
		style.layout = settings->graph.has_layout ? style.layout : LAYOUT_ICICLE;
	}
	if (exporter->profile != NULL)
		return exporter->profile(out, profile, &caption.caption, error);
	return exporter->tree(out, tree, &caption.caption, &style, error);
}

static bool write_output(const Invocation *invocation, const Exporter *exporter,
			 const Recording *recording, const CallTree *tree, const Profile *profile,
			 GError **error)
{
	const Settings *settings = invocation->settings;
	g_autoptr(Output) output = output_open(settings->output.path, invocation->host, error);

	return output != NULL &&
	       export(invocation, exporter, output_stream(output), recording, tree, profile,
		      error) &&
	       output_commit(output, error);
}

static bool write_chart(const Invocation *invocation, const Exporter *exporter,
			const Recording *recording, const Profile *profile, CallTree *tree,
			GError **error)
{
	g_autoptr(CallTree) chart = NULL;

	if (!selection_require_time(profile->selection, invocation->notes, error))
		return false;
	chart = chart_new(profile, tree, error);
	return chart != NULL &&
	       write_output(invocation, exporter, recording, chart, profile, error);
}

/* The samples one by one, with their periods, which is what the forms that list them tell. */
static bool write_profile(const Invocation *invocation, const Exporter *exporter,
			  const Recording *recording, CallTree *tree, GError **error)
{
	const Settings *settings = invocation->settings;
	Query query = settings->query; /* borrows all */
	g_autoptr(Selection) selection = NULL;
	Profile profile = { .store = recording->store,
			    .tree = tree,
			    .group_by = settings->tree.group_by };

	query.weight = WEIGHT_PERIOD;
	selection = recording_select(invocation, recording->store, &query, NULL, error);
	profile.selection = selection;
	if (selection == NULL || !profile_find_interval(&profile, error))
		return false;
	if (exporter->profile == NULL)
		return write_chart(invocation, exporter, recording, &profile, tree, error);
	return write_output(invocation, exporter, recording, tree, &profile, error);
}

static bool run(const Invocation *invocation, GError **error)
{
	Settings *settings = invocation->settings;
	const Exporter *exporter =
		output_exporter(&settings->output, SUBJECT_TREE, "tree", "svg", error);
	CallTreeSettings merging;
	g_auto(Recording) recording = { 0 };
	g_autoptr(CallTree) tree = NULL;

	output_note_ending(&settings->output, exporter, SUBJECT_TREE, invocation->notes);
	if (exporter == NULL)
		return false;
	call_tree_settings_finish(&settings->tree, &settings->query, exporter);
	if (!recording_open(&recording, invocation, &settings->load, &settings->query, error))
		return false;
	merging = settings->tree;
	merging.keep_stacks = exporter->profile != NULL || merging.is_chart;
	if (merging.keep_stacks)
		merging.group_by = GROUP_BY_NONE;
	tree = call_tree_new(recording.store, recording.selection, &merging, error);
	if (tree == NULL)
		return false;
	recording_note_empty(&tree->counts, invocation->notes);
	if (merging.keep_stacks)
		return write_profile(invocation, exporter, &recording, tree, error);
	return write_output(invocation, exporter, &recording, tree, NULL, error);
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
		    { "Merging", tree_options, offsetof(Settings, tree) },
		    { "Frames", tree_rule_options, offsetof(Settings, tree.rules) },
		    { "Drawing", graph_options, offsetof(Settings, graph) },
		    { "Output", output_options, offsetof(Settings, output) },
		    { "Reading", load_options, offsetof(Settings, load) },
		    { "General", common_options, offsetof(Settings, common) } },
	.run = run,
};
