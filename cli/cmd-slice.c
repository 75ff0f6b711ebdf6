/* SPDX-License-Identifier: MIT */
/* `flamebeat slice`: the chosen time merged into a flame graph. */

#include "cli/command.h"
#include "cli/duration-text.h"
#include "cli/graph-options.h"
#include "cli/output-options.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/subtitle.h"
#include "cli/tree-options.h"
#include "render/beat-ink.h"
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
	int64_t beat_ns; /* --color-by period=…; 0: by name */
} Settings;

static bool set_color_by(void *settings, const char *value, GError **error)
{
	int64_t *beat_ns = settings;

	*beat_ns = 0;
	if (g_str_equal(value, "name"))
		return true;
	if (!g_str_has_prefix(value, "period="))
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "--color-by: expected name, or period=DURATION, got '%s'", value);
	if (!duration_parse(value + strlen("period="), beat_ns, error)) {
		g_prefix_error(error, "--color-by: ");
		return false;
	}
	return *beat_ns > 0 ||
	       fail(error, FLAMEBEAT_ERROR_USAGE, "--color-by: a period must be longer than 0");
}

static const OptionRow colour_options[] = {
	{ "color-by", 0, "name|period=DURATION",
	  "what a colour tells: the function, or how much it keeps to a phase", set_color_by },
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
	g_autofree NodeBeat *beats = NULL;
	BeatInk ink;
	g_autofree char *rules = subtitle_rules(&settings->tree.rules);

	recording_caption_init(&caption, recording, invocation, &tree->counts,
			       settings->graph.title, settings->graph.subtitle);
	if (settings->graph.subtitle == NULL)
		recording_caption_add(&caption, rules);
	if (settings->beat_ns > 0) {
		g_autofree char *period = duration_text((double)settings->beat_ns);
		g_autofree char *words =
			g_strdup_printf("coloured by how periodic: every %s", period);

		recording_caption_add(&caption, words);
		beats = node_beats_new(tree, recording->selection, settings->beat_ns, error);
		if (beats == NULL)
			return false;
		beat_ink_init(&ink, tree, beats, caption.caption.unit);
		style.overlay = &ink.overlay;
		style.beats = beats;
	}
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

/* How periodic a frame is has no place in a list of samples, or on a time axis. */
static bool check_colours(const Settings *settings, const Exporter *exporter, GError **error)
{
	if (settings->beat_ns > 0 && (exporter->profile != NULL || settings->tree.is_chart))
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "--color-by period goes with svg, png, tree and json, not with --chart "
			    "or %s",
			    exporter->name);
	return true;
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
	if (exporter == NULL || !check_colours(settings, exporter, error))
		return false;
	call_tree_settings_finish(&settings->tree, &settings->query, exporter);
	if (!recording_open(&recording, invocation, &settings->load, &settings->query, error))
		return false;
	merging = settings->tree;
	merging.keep_stacks = exporter->profile != NULL || merging.is_chart;
	merging.keep_stacks = merging.keep_stacks || settings->beat_ns > 0;
	if (merging.keep_stacks)
		merging.group_by = GROUP_BY_NONE;
	tree = call_tree_new(recording.store, recording.selection, &merging, error);
	if (tree == NULL)
		return false;
	recording_note_empty(&tree->counts, invocation->notes);
	if (exporter->profile != NULL || merging.is_chart)
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
		    { "Time", chart_options, offsetof(Settings, tree) },
		    { "Frames", tree_rule_options, offsetof(Settings, tree.rules) },
		    { "Drawing", graph_options, offsetof(Settings, graph) },
		    { "Colours", colour_options, offsetof(Settings, beat_ns) },
		    { "Output", output_options, offsetof(Settings, output) },
		    { "Reading", load_options, offsetof(Settings, load) },
		    { "General", common_options, offsetof(Settings, common) } },
	.run = run,
};
