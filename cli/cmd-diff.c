/* SPDX-License-Identifier: MIT */
/* `flamebeat diff`: two sides compared, and what of it is more than noise. */

#include <math.h>

#include "cli/command.h"
#include "cli/diff-sides.h"
#include "cli/fail-if.h"
#include "cli/graph-options.h"
#include "cli/output-options.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/tree-options.h"
#include "slice/diff.h"
#include "store/error.h"

/* What one run is taken to vary by. */
typedef enum {
	NOISE_AUTO, /* blocks where both sides are of one recording */
	NOISE_COUNTING,
	NOISE_BLOCKS,
} Noise;

typedef struct {
	DiffChoice choice;
	DiffSettings diff;
	Noise noise;
	bool has_normalize;
	gint64 limit; /* 0: all, -1: not given */
	FailConditions *conditions;
} Comparison;

typedef struct {
	CommonSettings common;
	LoadSettings load;
	OutputSettings output;
	Query query;
	CallTreeSettings tree;
	GraphSettings graph;
	Comparison comparison;
} Settings;

/* --- options ----------------------------------------------------------------------------- */

static void append(GPtrArray **list, const char *value)
{
	if (*list == NULL)
		*list = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(*list, g_strdup(value));
}

static bool set_base(void *settings, const char *value, GError **error)
{
	append(&((Comparison *)settings)->choice.bases, value);
	return *value != '\0' ||
	       fail(error, FLAMEBEAT_ERROR_USAGE, "--base: expected a file name, or `-`");
}

static bool set_base_range(void *settings, const char *value, GError **error)
{
	TimeRange range;
	bool is_reversed;

	append(&((Comparison *)settings)->choice.base_range, value);
	return time_range_parse(value, &time_frame_any, &range, &is_reversed, error) ||
	       (g_prefix_error(error, "--base-range: "), false);
}

static bool set_rest(void *settings, const char *value, GError **error)
{
	((Comparison *)settings)->choice.is_rest = true;
	return true;
}

static bool set_spikes(void *settings, const char *value, GError **error)
{
	((Comparison *)settings)->choice.is_spikes = true;
	return true;
}

static bool set_normalize(void *settings, const char *value, GError **error)
{
	static const char *const names[] = { "share", "rate", "none", NULL };
	int choice = option_choice("normalize", value, names, error);

	((Comparison *)settings)->diff.normalize = (DiffNormalize)choice;
	((Comparison *)settings)->has_normalize = true;
	return choice >= 0;
}

static bool set_min_change(void *settings, const char *value, GError **error)
{
	double *min_change = &((Comparison *)settings)->diff.min_change;
	char *end;

	*min_change = g_ascii_strtod(value, &end);
	if (end != value && g_str_equal(end, "%"))
		end++;
	return (end != value && *end == '\0' && *min_change >= 0 && *min_change <= 100) ||
	       fail(error, FLAMEBEAT_ERROR_USAGE,
		    "--min-change: expected points from 0 to 100, got '%s'", value);
}

static bool set_noise(void *settings, const char *value, GError **error)
{
	static const char *const names[] = { "auto", "counting", "blocks", NULL };
	int choice = option_choice("noise", value, names, error);

	((Comparison *)settings)->noise = (Noise)choice;
	return choice >= 0;
}

static bool set_flip(void *settings, const char *value, GError **error)
{
	((Comparison *)settings)->diff.is_flipped = true;
	return true;
}

static bool set_sort(void *settings, const char *value, GError **error)
{
	static const char *const names[] = { "self", "total", NULL };
	int choice = option_choice("sort", value, names, error);

	((Comparison *)settings)->diff.by = (DiffMeasure)choice;
	return choice >= 0;
}

static bool set_limit(void *settings, const char *value, GError **error)
{
	return option_integer("limit", value, 0, G_MAXINT32, &((Comparison *)settings)->limit,
			      error);
}

enum { METRIC_INCREASE, METRIC_DECREASE, METRIC_CHANGE };

static const FailMetric metrics[] = {
	[METRIC_INCREASE] = { "increase", "largest significant increase of a function, points" },
	[METRIC_DECREASE] = { "decrease", "largest significant decrease of a function, points" },
	[METRIC_CHANGE] = { "change", "the larger of the two" },
	{ NULL, NULL },
};

static bool set_fail_if(void *settings, const char *value, GError **error)
{
	return fail_if_add(&((Comparison *)settings)->conditions, metrics, value, error);
}

static const OptionRow diff_options[] = {
	{ "base", 'b', "FILE",
	  "what INPUT is compared with; repeatable: their variance is taken into account",
	  set_base },
	{ "base-range", 0, "FROM..TO", "only this time of the base (without --base: of INPUT)",
	  set_base_range },
	{ "rest", 0, NULL, "compare --range (or --every and --phase) with everything outside it",
	  set_rest },
	{ "spikes", 0, NULL, "compare the spikes that are found with the rest, as rates",
	  set_spikes },
	{ "normalize", 0, "share|rate|none",
	  "divide by the side's total, its seconds or its runs (default: share)", set_normalize },
	{ "min-change", 0, "PCT", "smaller changes are grey: points of the total (default: 0.5)",
	  set_min_change },
	{ "noise", 0, "auto|counting|blocks",
	  "noise of counting alone, or as blocks of time vary (auto: within one recording)",
	  set_noise },
	{ "flip", 0, NULL, "draw the base's widths; what only INPUT has is hatched", set_flip },
	{ "sort", 0, "self|total", "tables: by what runs, or with what it calls (default: self)",
	  set_sort },
	{ "limit", 'n', "N", "tables: only the first N rows, 0: all (default: 25 on a terminal)",
	  set_limit },
	{ "fail-if", 0, "CONDITION",
	  "exit with 6 if it holds: 'increase > 2' (decrease, change; significant, points)",
	  set_fail_if },
	{ NULL, 0, NULL, NULL, NULL },
};

static void init(void *data)
{
	Settings *settings = data;

	query_init(&settings->query);
	graph_settings_init(&settings->graph);
	settings->comparison.diff.min_change = 0.5;
	settings->comparison.limit = -1;
}

static void clear(void *data)
{
	Settings *settings = data;

	query_clear(&settings->query);
	load_settings_clear(&settings->load);
	output_settings_clear(&settings->output);
	tree_rules_clear(&settings->tree.rules);
	graph_settings_clear(&settings->graph);
	g_clear_pointer(&settings->comparison.choice.bases, g_ptr_array_unref);
	g_clear_pointer(&settings->comparison.choice.base_range, g_ptr_array_unref);
	g_clear_pointer(&settings->comparison.conditions, g_ptr_array_unref);
}

/* --- the command ------------------------------------------------------------------------- */

/* Words for the picture; the strings are owned. */
typedef struct {
	Caption caption;
	char *title, *subtitle, *source;
	char *sides[N_SIDES];
} Words;

static void words_clear(Words *self)
{
	g_free(self->title);
	g_free(self->subtitle);
	g_free(self->source);
	for (int side = 0; side < N_SIDES; side++)
		g_free(self->sides[side]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Words, words_clear)

static void words_init(Words *self, const Invocation *invocation, const DiffSides *sides,
		       const Diff *diff)
{
	const Settings *settings = invocation->settings;
	const GraphSettings *graph = &settings->graph;
	g_autofree char *inputs = g_strjoinv(" ", invocation->inputs);
	g_autofree char *bases = g_strjoinv(" ", sides->base_inputs);

	for (int side = 0; side < N_SIDES; side++)
		self->sides[side] = diff_sides_describe(sides, invocation, diff, (DiffSide)side);
	self->title =
		graph->title != NULL ? g_strdup(graph->title) : diff_sides_title(sides, invocation);
	self->subtitle = graph->subtitle != NULL
				 ? g_strdup(graph->subtitle)
				 : g_strdup_printf("new: %s\nbase: %s", self->sides[SIDE_NEW],
						   self->sides[SIDE_BASE]);
	self->source = g_strdup_printf("%s against %s", inputs, bases);
	self->caption = (Caption){ .title = self->title,
				   .subtitle = self->subtitle,
				   .source = self->source,
				   .options = invocation->options,
				   .unit = selection_unit(sides->new_side.selection),
				   .event = selection_event(sides->new_side.selection),
				   .zero_ns = selection_zero_ns(sides->new_side.selection) };
}

static size_t row_limit(const Settings *settings)
{
	gint64 limit = settings->comparison.limit;

	if (limit < 0)
		return output_is_terminal(settings->output.path) ? 25 : 0;
	return (size_t)limit;
}

static bool write_diff(const Invocation *invocation, const Exporter *exporter,
		       const DiffSides *sides, const Diff *diff, GError **error)
{
	const Settings *settings = invocation->settings;
	g_auto(Words) words = { 0 };
	g_autoptr(Output) output = output_open(settings->output.path, invocation->host, error);
	DiffStyle style = { .tree = graph_style(&settings->graph, settings->output.path),
			    .limit = row_limit(settings) };

	if (output == NULL)
		return false;
	words_init(&words, invocation, sides, diff);
	for (int side = 0; side < N_SIDES; side++)
		style.side_names[side] = words.sides[side];
	return exporter->diff(output_stream(output), diff, &words.caption, &style, error) &&
	       output_commit(output, error);
}

static double metric_value(const void *context, int metric)
{
	const Diff *diff = context;
	double increase = diff_largest_increase(diff), decrease = diff_largest_decrease(diff);

	switch (metric) {
	case METRIC_INCREASE:
		return increase;
	case METRIC_DECREASE:
		return decrease;
	default:
		return MAX(increase, decrease);
	}
}

static bool run(const Invocation *invocation, GError **error)
{
	Settings *settings = invocation->settings;
	const Exporter *exporter =
		output_exporter(&settings->output, SUBJECT_DIFF, "table", "svg", error);
	Comparison *comparison = &settings->comparison;
	g_auto(DiffSides) sides = { 0 };
	g_autoptr(Diff) diff = NULL;
	DiffRun new_run;

	output_note_ending(&settings->output, exporter, SUBJECT_DIFF, invocation->notes);
	if (exporter == NULL)
		return false;
	call_tree_settings_finish(&settings->tree, &settings->query, exporter);
	comparison->diff.tree = settings->tree;
	comparison->diff.uses_blocks =
		comparison->noise == NOISE_BLOCKS ||
		(comparison->noise == NOISE_AUTO && comparison->choice.bases == NULL);
	/* Of unequal lengths, and busier by their nature: shares would hide it. */
	if (comparison->choice.is_spikes && !comparison->has_normalize)
		comparison->diff.normalize = NORMALIZE_RATE;
	if (!diff_sides_open(&sides, invocation, &settings->load, &settings->query,
			     &comparison->choice, error))
		return false;
	/* Nothing covers no time. */
	if (comparison->choice.is_spikes && sides.n_spikes == 0)
		comparison->diff.normalize = NORMALIZE_SHARE;
	new_run = (DiffRun){ sides.new_side.store, sides.new_side.selection };
	diff = diff_new(&new_run, sides.bases, sides.n_bases, &comparison->diff, error);
	if (diff == NULL)
		return false;
	diff_sides_note(&sides, diff, invocation->notes);
	return write_diff(invocation, exporter, &sides, diff, error) &&
	       fail_if_check(comparison->conditions, metric_value, diff, error);
}

const Command command_diff = {
	.name = "diff",
	.arguments = "INPUT...",
	.help = "Compare ranges or recordings: what changed, and what is more than noise",
	.settings_size = sizeof(Settings),
	.init = init,
	.clear = clear,
	.tables = { { "Compare", diff_options, offsetof(Settings, comparison) },
		    { "Which samples", query_options, offsetof(Settings, query) },
		    { "Merging", tree_options, offsetof(Settings, tree) },
		    { "Frames", tree_rule_options, offsetof(Settings, tree.rules) },
		    { "Drawing", graph_options, offsetof(Settings, graph) },
		    { "Output", output_options, offsetof(Settings, output) },
		    { "Reading", load_options, offsetof(Settings, load) },
		    { "General", common_options, offsetof(Settings, common) } },
	.run = run,
};
