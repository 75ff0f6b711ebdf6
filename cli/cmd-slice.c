/* SPDX-License-Identifier: MIT */
/* `flamebeat slice`: the chosen time merged into a flame graph. */

#include "cli/command.h"
#include "cli/output-options.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "slice/call-tree.h"
#include "store/error.h"

typedef struct {
	CallTreeSettings tree;
	Layout layout;
	const FramePalette *palette;
	char *title;
	char *subtitle;
	double width, min_width;
	gint64 scale_factor;
} Graph;

typedef struct {
	CommonSettings common;
	LoadSettings load;
	OutputSettings output;
	Query query;
	Graph graph;
} Settings;

/* --- options ----------------------------------------------------------------------------- */

static bool set_group_by(void *settings, const char *value, GError **error)
{
	static const char *const names[] = { "comm", "pid",    "tid",  "process", "pool",
					     "cpu",  "cgroup", "none", NULL };
	int choice = option_choice("group-by", value, names, error);

	((Graph *)settings)->tree.group_by = (GroupBy)choice;
	return choice >= 0;
}

static bool set_layout(void *settings, const char *value, GError **error)
{
	static const char *const names[] = { "flame", "icicle", NULL };
	int choice = option_choice("layout", value, names, error);

	((Graph *)settings)->layout = (Layout)choice;
	return choice >= 0;
}

static bool set_reverse(void *settings, const char *value, GError **error)
{
	((Graph *)settings)->tree.is_reversed = true;
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
		((Graph *)settings)->tree.name_flags |= flags[choice];
	}
	return true;
}

static bool set_colors(void *settings, const char *value, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	((Graph *)settings)->palette = frame_palette_by_name(value);
	for (const FramePalette *palette = frame_palettes; palette->name != NULL; palette++)
		g_ptr_array_add(names, (gpointer)palette->name);
	g_ptr_array_add(names, NULL);
	return ((Graph *)settings)->palette != NULL ||
	       option_choice("colors", value, (const char *const *)names->pdata, error) >= 0;
}

static bool set_title(void *settings, const char *value, GError **error)
{
	Graph *self = settings;

	g_free(self->title);
	self->title = g_strdup(value);
	return true;
}

static bool set_subtitle(void *settings, const char *value, GError **error)
{
	Graph *self = settings;

	g_free(self->subtitle);
	self->subtitle = g_strdup(value);
	return true;
}

static bool set_number(const char *option, const char *value, double min, double max,
		       double *result, GError **error)
{
	char *end;

	*result = g_ascii_strtod(value, &end);
	if (end != value && *end == '\0' && *result >= min && *result <= max)
		return true;
	return fail(error, FLAMEBEAT_ERROR_USAGE, "--%s: expected a number from %g to %g, got '%s'",
		    option, min, max, value);
}

static bool set_width(void *settings, const char *value, GError **error)
{
	return set_number("width", value, 100, 20000, &((Graph *)settings)->width, error);
}

static bool set_min_width(void *settings, const char *value, GError **error)
{
	return set_number("min-width", value, 0, 1000, &((Graph *)settings)->min_width, error);
}

static bool set_scale_factor(void *settings, const char *value, GError **error)
{
	return option_integer("scale-factor", value, 1, 8, &((Graph *)settings)->scale_factor,
			      error);
}

static const OptionRow slice_options[] = {
	{ "group-by", 'g', "WHAT",
	  "first frame: comm, pid, tid, process, pool, cpu, cgroup or none (default: comm)",
	  set_group_by },
	{ "layout", 0, "flame|icicle", "root at the bottom or at the top (default: flame)",
	  set_layout },
	{ "reverse", 0, NULL, "merge from the leaf: who calls the hot functions", set_reverse },
	{ "annotate", 0, "KINDS", "append _[k] _[j] _[i] to kernel, jit, inline frames",
	  set_annotate },
	{ "colors", 0, "NAME", "FlameGraph's palettes, `type` or `safe` (default: hot)",
	  set_colors },
	{ "palette", 0, "NAME", "the same as --colors", set_colors },
	{ "title", 0, "TEXT", "headline (default: the name of the input)", set_title },
	{ "subtitle", 0, "TEXT", "second line (default: what was counted)", set_subtitle },
	{ "width", 0, "PX", "width of the picture (default: 1200)", set_width },
	{ "min-width", 0, "PX", "leave out narrower frames (default: 0.1)", set_min_width },
	{ "scale-factor", 0, "N", "PNG: N times as many pixels (default: 2)", set_scale_factor },
	{ NULL, 0, NULL, NULL, NULL },
};

static void init(void *data)
{
	Settings *settings = data;

	query_init(&settings->query);
	settings->graph.palette = &frame_palettes[0];
	settings->graph.width = 1200;
	settings->graph.min_width = 0.1;
	settings->graph.scale_factor = 2;
}

static void clear(void *data)
{
	Settings *settings = data;

	query_clear(&settings->query);
	load_settings_clear(&settings->load);
	output_settings_clear(&settings->output);
	g_free(settings->graph.title);
	g_free(settings->graph.subtitle);
}

/* --- the command ------------------------------------------------------------------------- */

static TreeStyle make_style(const Settings *settings)
{
	const Graph *graph = &settings->graph;
	Terminal terminal = terminal_probe(settings->output.path);

	return (TreeStyle){ .layout = graph->layout,
			    .palette = graph->palette,
			    .width = graph->width,
			    .min_width = graph->min_width,
			    .scale_factor = (uint32_t)graph->scale_factor,
			    .is_colour =
				    terminal.is_colour && output_is_terminal(settings->output.path),
			    /* A file is the same in every locale. */
			    .is_utf8 =
				    terminal.is_utf8 || !output_is_terminal(settings->output.path),
			    .min_share = 0.005 };
}

static bool write_tree(const Invocation *invocation, const Exporter *exporter,
		       const Recording *recording, const CallTree *tree, GError **error)
{
	const Settings *settings = invocation->settings;
	TreeStyle style = make_style(settings);
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
	CallTreeSettings merging = settings->graph.tree;
	g_auto(Recording) recording = { 0 };
	g_autoptr(CallTree) tree = NULL;

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
		    { "Graph", slice_options, offsetof(Settings, graph) },
		    { "Output", output_options, offsetof(Settings, output) },
		    { "Reading", load_options, offsetof(Settings, load) },
		    { "General", common_options, offsetof(Settings, common) } },
	.run = run,
};
