/* SPDX-License-Identifier: MIT */
/* `flamebeat heatmap`: the subsecond heat map. */

#include "cli/command.h"
#include "cli/duration-text.h"
#include "cli/output-options.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "heatmap/heatmap.h"
#include "heatmap/periods.h"
#include "store/error.h"

typedef struct {
	HeatmapSettings heatmap;
	bool has_column;
	int64_t block_ns; /* of html */
	bool is_fold;	  /* the columns are added up */
	bool is_beat;	  /* a column is the strongest period found */
	ScaleKind scale;
	const Palette *palette;
	GPtrArray *marks; /* of char * */
	char *title;
	char *subtitle;
	gint64 cell_width, cell_height, scale_factor;
} Picture;

typedef struct {
	CommonSettings common;
	LoadSettings load;
	OutputSettings output;
	Query query;
	Picture picture;
} Settings;

/* --- options ----------------------------------------------------------------------------- */

static bool set_column(void *settings, const char *value, GError **error)
{
	Picture *self = settings;

	self->has_column = true;
	self->heatmap.column_ns = 0;
	self->is_beat = g_str_equal(value, "beat");
	if (g_str_equal(value, "auto") || self->is_beat)
		return true;
	if (!duration_parse(value, &self->heatmap.column_ns, error)) {
		g_prefix_error(error, "--column: ");
		return false;
	}
	return self->heatmap.column_ns > 0 ||
	       fail(error, FLAMEBEAT_ERROR_USAGE, "--column: must be longer than 0");
}

static bool set_fold(void *settings, const char *value, GError **error)
{
	Picture *self = settings;

	self->is_fold = true;
	self->is_beat = g_str_equal(value, "beat");
	if (self->is_beat)
		return true;
	if (!duration_parse(value, &self->heatmap.column_ns, error)) {
		g_prefix_error(error, "--fold: ");
		return false;
	}
	return self->heatmap.column_ns > 0 ||
	       fail(error, FLAMEBEAT_ERROR_USAGE, "--fold: must be longer than 0");
}

static bool set_block(void *settings, const char *value, GError **error)
{
	Picture *self = settings;

	if (!duration_parse(value, &self->block_ns, error)) {
		g_prefix_error(error, "--block: ");
		return false;
	}
	return self->block_ns > 0 ||
	       fail(error, FLAMEBEAT_ERROR_USAGE, "--block: must be longer than 0");
}

static bool set_rows(void *settings, const char *value, GError **error)
{
	Picture *self = settings;
	gint64 n = 0;

	self->heatmap.has_auto_rows = g_str_equal(value, "auto");
	if (!self->heatmap.has_auto_rows && !option_integer("rows", value, 1, 10000, &n, error))
		return false;
	self->heatmap.n_rows = (uint32_t)n;
	return true;
}

static bool set_hz(void *settings, const char *value, GError **error)
{
	Picture *self = settings;
	char *end;

	self->heatmap.hz = g_ascii_strtod(value, &end);
	return (end != value && *end == '\0' && self->heatmap.hz > 0 && self->heatmap.hz <= 1e9) ||
	       fail(error, FLAMEBEAT_ERROR_USAGE,
		    "--hz: expected a frequency such as 99, up to 1e9, got '%s'", value);
}

static bool set_cpus(void *settings, const char *value, GError **error)
{
	gint64 n;

	if (!option_integer("cpus", value, 1, 1000000, &n, error))
		return false;
	((Picture *)settings)->heatmap.n_cpus = (uint32_t)n;
	return true;
}

static bool set_by(void *settings, const char *value, GError **error)
{
	static const char *const names[] = { "time", "cpu",	"thread", "comm",
					     "pool", "process", NULL };
	int choice = option_choice("by", value, names, error);

	((Picture *)settings)->heatmap.by = (HeatmapBy)choice;
	return choice >= 0;
}

static bool set_cell(void *settings, const char *value, GError **error)
{
	static const char *const names[] = { "sum", "peak", NULL };
	int choice = option_choice("cell", value, names, error);

	((Picture *)settings)->heatmap.cell = (HeatmapCell)choice;
	return choice >= 0;
}

static bool set_scale(void *settings, const char *value, GError **error)
{
	static const char *const names[] = {
		"linear", "log", "clip", "capacity", "surprise", NULL
	};
	int choice = option_choice("scale", value, names, error);

	((Picture *)settings)->scale = (ScaleKind)choice;
	return choice >= 0;
}

static bool set_palette(void *settings, const char *value, GError **error)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new();

	((Picture *)settings)->palette = palette_by_name(value);
	for (const Palette *palette = palettes; palette->name != NULL; palette++)
		g_ptr_array_add(names, (gpointer)palette->name);
	g_ptr_array_add(names, NULL);
	return ((Picture *)settings)->palette != NULL ||
	       option_choice("palette", value, (const char *const *)names->pdata, error) >= 0;
}

static bool set_mark(void *settings, const char *value, GError **error)
{
	Picture *self = settings;
	TimeRange range;
	bool is_reversed;

	if (!time_range_parse(value, &time_frame_any, &range, &is_reversed, error)) {
		g_prefix_error(error, "--mark: ");
		return false;
	}
	if (self->marks == NULL)
		self->marks = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(self->marks, g_strdup(value));
	return true;
}

static bool set_title(void *settings, const char *value, GError **error)
{
	Picture *self = settings;

	g_free(self->title);
	self->title = g_strdup(value);
	return true;
}

static bool set_subtitle(void *settings, const char *value, GError **error)
{
	Picture *self = settings;

	g_free(self->subtitle);
	self->subtitle = g_strdup(value);
	return true;
}

static bool set_cell_width(void *settings, const char *value, GError **error)
{
	return option_integer("cell-width", value, 1, 256, &((Picture *)settings)->cell_width,
			      error);
}

static bool set_cell_height(void *settings, const char *value, GError **error)
{
	return option_integer("cell-height", value, 1, 256, &((Picture *)settings)->cell_height,
			      error);
}

static bool set_scale_factor(void *settings, const char *value, GError **error)
{
	return option_integer("scale-factor", value, 1, 8, &((Picture *)settings)->scale_factor,
			      error);
}

static const OptionRow heatmap_options[] = {
	{ "column", 0, "DURATION|auto|beat", "time that one column spans (default: auto; JSON: 1)",
	  set_column },
	{ "fold", 0, "DURATION|beat", "add up columns of this length: a profile by phase",
	  set_fold },
	{ "block", 0, "DURATION", "html: order within so long is not kept (default: 20ms)",
	  set_block },
	{ "rows", 0, "N|auto",
	  "parts of a column (50; auto: whole sampling ticks), or how many of --by (20)",
	  set_rows },
	{ "by", 0, "WHAT", "rows are time, or the top cpu, thread, comm, pool or process", set_by },
	{ "cell", 0, "sum|peak", "a cell's weight, or the largest of its 20 ms parts", set_cell },
	{ "scale", 0, "NAME",
	  "linear, log, clip, capacity (share of CPUs * Hz) or surprise (deviations)", set_scale },
	{ "hz", 0, "N", "samples a second of a busy CPU, where the recording does not tell",
	  set_hz },
	{ "cpus", 0, "N", "CPUs of the machine, where the recording does not tell", set_cpus },
	{ "palette", 0, "NAME", "flame, enhanced, viridis, inferno, cividis, balance or grey",
	  set_palette },
	{ "mark", 'm', "FROM..TO", "outline this range as well; repeatable", set_mark },
	{ "title", 0, "TEXT", "headline (default: the name of the input)", set_title },
	{ "subtitle", 0, "TEXT", "second line (default: what was counted)", set_subtitle },
	{ "cell-width", 0, "PX", "width of a cell (default: what fits a report)", set_cell_width },
	{ "cell-height", 0, "PX", "height of a cell", set_cell_height },
	{ "scale-factor", 0, "N", "PNG: N times as many pixels (default: 1)", set_scale_factor },
	{ NULL, 0, NULL, NULL, NULL },
};

static void init(void *data)
{
	Settings *settings = data;

	query_init(&settings->query);
	settings->picture.heatmap.cell = CELL_AUTO;
	settings->picture.block_ns = DEFAULT_BLOCK_NS;
}

static void clear(void *data)
{
	Settings *settings = data;

	query_clear(&settings->query);
	load_settings_clear(&settings->load);
	output_settings_clear(&settings->output);
	g_clear_pointer(&settings->picture.marks, g_ptr_array_unref);
	g_free(settings->picture.title);
	g_free(settings->picture.subtitle);
}

/* --- the command ------------------------------------------------------------------------- */

/* The ranges of --mark on the recording's clock, in order. */
static bool find_marks(const Settings *settings, const Recording *recording, GArray *marks,
		       Notes *notes, GError **error)
{
	TimeFrame frame = selection_time_frame(recording->selection);
	const GPtrArray *texts = settings->picture.marks;

	for (guint i = 0; texts != NULL && i < texts->len; i++) {
		TimeRange range;
		bool is_reversed;

		if (!time_range_parse(g_ptr_array_index(texts, i), &frame, &range, &is_reversed,
				      error)) {
			g_prefix_error(error, "--mark: ");
			return false;
		}
		if (is_reversed)
			notes_add_shortfall(notes, "--mark %s: the ends were swapped",
					    (const char *)g_ptr_array_index(texts, i));
		g_array_append_val(marks, range);
	}
	marks->len = (guint)time_ranges_normalize((TimeRange *)(void *)marks->data, marks->len);
	return true;
}

static HeatmapStyle make_style(const Settings *settings, const GArray *marks)
{
	const Picture *picture = &settings->picture;
	Terminal terminal = terminal_probe(settings->output.path);

	return (HeatmapStyle){ .scale = picture->scale,
			       .palette = picture->palette != NULL ? picture->palette
					  : picture->scale == SCALE_SURPRISE
						  ? palette_by_name("balance")
						  : &palettes[0],
			       .cell_width = (uint32_t)picture->cell_width,
			       .cell_height = (uint32_t)picture->cell_height,
			       .scale_factor = (uint32_t)picture->scale_factor,
			       .is_colour = terminal.is_colour,
			       .n_colours = terminal.n_colours,
			       .is_utf8 = terminal.is_utf8,
			       .width = terminal.width,
			       .marks = (const TimeRange *)(const void *)marks->data,
			       .n_marks = marks->len };
}

/* The picture, or, with --fold, the profile of its columns. */
static bool export(FILE *out, const Exporter *exporter, const Heatmap *heatmap,
		   const Caption *caption, const HeatmapStyle *style, bool is_fold, GError **error)
{
	g_autoptr(Fold) fold = is_fold ? fold_new(heatmap) : NULL;

	return is_fold ? exporter->fold(out, fold, caption, style, error)
		       : exporter->heatmap(out, heatmap, caption, style, error);
}

static bool write_heatmap(const Invocation *invocation, const Exporter *exporter,
			  const Recording *recording, const Heatmap *heatmap, GError **error)
{
	const Settings *settings = invocation->settings;
	g_autoptr(GArray) marks = g_array_new(FALSE, FALSE, sizeof(TimeRange));
	g_autoptr(Output) output = NULL;
	g_auto(RecordingCaption) caption = { 0 };
	HeatmapStyle style;

	if (!find_marks(settings, recording, marks, invocation->notes, error))
		return false;
	recording_caption_init(&caption, recording, invocation, &heatmap->counts,
			       settings->picture.title, settings->picture.subtitle);
	style = make_style(settings, marks);
	output = output_open(settings->output.path, invocation->host, error);
	return output != NULL &&
	       export(output_stream(output), exporter, heatmap, &caption.caption, &style,
		      settings->picture.is_fold, error) &&
	       output_commit(output, error);
}

/* A page makes its own pictures. */
static bool write_page(const Invocation *invocation, const Exporter *exporter,
		       const Recording *recording, GError **error)
{
	const Settings *settings = invocation->settings;
	int64_t block_ns = settings->picture.block_ns;
	g_autoptr(Blocks) blocks =
		blocks_new(recording->store, &settings->query, block_ns, invocation->notes, error);
	g_auto(RecordingCaption) caption = { 0 };
	g_autoptr(Output) output = NULL;
	PageData data = { recording->store, recording->selection, blocks };
	SelectionCounts counts;

	if (blocks == NULL)
		return false;
	counts = blocks->counts;
	recording_note_empty(&counts, invocation->notes);
	recording_caption_init(&caption, recording, invocation, &counts, settings->picture.title,
			       settings->picture.subtitle);
	output = output_open(settings->output.path, invocation->host, error);
	return output != NULL &&
	       exporter->page(output_stream(output), &data, &caption.caption, error) &&
	       output_commit(output, error);
}

/* A profile adds up sums by time. */
static bool check_fold(const Picture *picture, const Exporter *exporter, HeatmapSettings *grid,
		       GError **error)
{
	if (!picture->is_fold)
		return true;
	if (picture->has_column || grid->by != HEATMAP_BY_TIME || grid->cell == CELL_PEAK)
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "--fold cannot go with --column, --by or --cell peak");
	if (exporter->fold == NULL)
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "--fold: expected --format png, json or term, got '%s'",
			    exporter->name);
	grid->cell = CELL_SUM;
	return true;
}

/* What can be told before anything is read. */
static bool check(const Settings *settings, const Exporter *exporter, HeatmapSettings *grid,
		  GError **error)
{
	const Picture *picture = &settings->picture;

	if (!check_fold(picture, exporter, grid, error))
		return false;

	if (picture->scale == SCALE_SURPRISE && grid->cell == CELL_PEAK)
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "--scale surprise compares sums: it cannot go with --cell peak");
	if (picture->scale == SCALE_SURPRISE)
		grid->cell = CELL_SUM;
	if (picture->scale == SCALE_CAPACITY && settings->query.weight == WEIGHT_PERIOD &&
	    grid->hz <= 0)
		return fail(error, FLAMEBEAT_ERROR_USAGE,
			    "--scale capacity with --weight period: say with --hz what period a "
			    "busy CPU adds up to in a second");
	return true;
}

/* The strongest period of what is chosen; where there is none the column stays automatic. */
static bool find_beat(const Recording *recording, HeatmapSettings *grid, NamesKind names,
		      Notes *notes, GError **error)
{
	PeriodSettings settings = { .names = names };
	g_autoptr(Periods) periods =
		periods_new(recording->store, recording->selection, &settings, NULL, error);
	g_autofree char *every = NULL;

	if (periods == NULL)
		return false;
	if (periods->n == 0) {
		notes_add_shortfall(notes, "nothing periodic was found: the column is automatic");
		return true;
	}
	grid->column_ns = periods->items[0].period_ns;
	every = duration_text((double)grid->column_ns);
	notes_add(notes, "the strongest period is %s", every);
	return true;
}

static bool run(const Invocation *invocation, GError **error)
{
	const Settings *settings = invocation->settings;
	const Exporter *exporter =
		output_exporter(&settings->output, SUBJECT_HEATMAP, "term", "png", error);
	HeatmapSettings grid = settings->picture.heatmap;
	g_auto(Recording) recording = { 0 };
	g_autoptr(Heatmap) heatmap = NULL;

	output_note_ending(&settings->output, exporter, SUBJECT_HEATMAP, invocation->notes);
	if (exporter == NULL || !check(settings, exporter, &grid, error) ||
	    !recording_open(&recording, invocation, &settings->load, &settings->query, error))
		return false;
	if (exporter->page != NULL)
		return write_page(invocation, exporter, &recording, error);
	if (settings->picture.is_beat &&
	    !find_beat(&recording, &grid, settings->query.names, invocation->notes, error))
		return false;
	/* For programs the grid is FlameScope's, whatever the length of the recording. */
	if (g_str_equal(exporter->name, "json") && !settings->picture.has_column &&
	    !settings->picture.is_fold)
		grid.column_ns = NS_PER_SECOND;
	if (g_str_equal(exporter->name, "json") && grid.cell == CELL_AUTO)
		grid.cell = CELL_SUM;
	heatmap =
		heatmap_new(recording.store, recording.selection, &grid, invocation->notes, error);
	if (heatmap == NULL)
		return false;
	recording_note_empty(&heatmap->counts, invocation->notes);
	return write_heatmap(invocation, exporter, &recording, heatmap, error);
}

const Command command_heatmap = {
	.name = "heatmap",
	.arguments = "INPUT...",
	.help = "Draw the subsecond heat map: PNG, JSON, or in the terminal",
	.settings_size = sizeof(Settings),
	.init = init,
	.clear = clear,
	.tables = { { "Picture", heatmap_options, offsetof(Settings, picture) },
		    { "Which samples", query_options, offsetof(Settings, query) },
		    { "Output", output_options, offsetof(Settings, output) },
		    { "Reading", load_options, offsetof(Settings, load) },
		    { "General", common_options, offsetof(Settings, common) } },
	.run = run,
};
