/* SPDX-License-Identifier: MIT */
/* `flamebeat spikes`: bursts over a local baseline, drops, and other code at the same load. */

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "cli/command.h"
#include "cli/duration-text.h"
#include "cli/output-options.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/spikes-align.h"
#include "cli/table.h"
#include "cli/text-table.h"
#include "cli/who-table.h"
#include "heatmap/spikes.h"
#include "render/text-escape.h"
#include "store/error.h"

#define TEXT_ROWS 20

typedef struct {
	TableForm form; /* first, for table_set_json() */
	SpikeSettings spikes;
	bool sort_by_excess;
	gint64 limit;	 /* 0: all, -1: not given */
	bool is_aligned; /* not the spikes, but what runs around their onsets */
} List;

typedef struct {
	CommonSettings common;
	LoadSettings load;
	OutputSettings output;
	Query query;
	List list;
} Settings;

static const char *const kind_names[] = { "load", "drop", "mix", NULL };

/* --- options ----------------------------------------------------------------------------- */

static bool set_kind(void *settings, const char *value, GError **error)
{
	int choice = option_choice("kind", value, kind_names, error);

	((List *)settings)->spikes.kind = (SpikeKind)choice;
	return choice >= 0;
}

static bool set_sort(void *settings, const char *value, GError **error)
{
	static const char *const names[] = { "time", "excess", NULL };
	int choice = option_choice("sort", value, names, error);

	((List *)settings)->sort_by_excess = choice == 1;
	return choice >= 0;
}

static bool set_min_excess(void *settings, const char *value, GError **error)
{
	gint64 n;

	if (!option_integer("min-excess", value, 0, G_MAXINT32, &n, error))
		return false;
	((List *)settings)->spikes.min_excess = (double)n;
	return true;
}

static bool set_length(const char *option, const char *value, int64_t *length_ns, GError **error)
{
	if (duration_parse(value, length_ns, error))
		return true;
	g_prefix_error(error, "--%s: ", option);
	return false;
}

static bool set_min_length(void *settings, const char *value, GError **error)
{
	return set_length("min-length", value, &((List *)settings)->spikes.min_length_ns, error);
}

static bool set_max_length(void *settings, const char *value, GError **error)
{
	int64_t *length_ns = &((List *)settings)->spikes.max_length_ns;

	return set_length("max-length", value, length_ns, error) &&
	       (*length_ns > 0 ||
		fail(error, FLAMEBEAT_ERROR_USAGE, "--max-length: must be longer than 0"));
}

static bool set_limit(void *settings, const char *value, GError **error)
{
	return option_integer("limit", value, 0, G_MAXINT32, &((List *)settings)->limit, error);
}

static bool set_align(void *settings, const char *value, GError **error)
{
	((List *)settings)->is_aligned = true;
	return true;
}

static const OptionRow spikes_options[] = {
	{ "kind", 0, "load|drop|mix",
	  "more samples than around, fewer, or as many of other code (default: load)", set_kind },
	{ "sort", 0, "time|excess", "order of the rows (default: time; JSON: always time)",
	  set_sort },
	{ "min-excess", 0, "N", "only spikes of N samples over the baseline, or more",
	  set_min_excess },
	{ "min-length", 0, "DURATION", "only spikes that last as long", set_min_length },
	{ "max-length", 0, "DURATION",
	  "what lasts longer is no spike but the baseline (default: 1m)", set_max_length },
	{ "limit", 'n', "N", "only the N largest, 0: all (default: 20 as text)", set_limit },
	{ "align", 0, NULL, "what runs from 500 ms before to 500 ms after they begin; also png",
	  set_align },
	{ "json", 0, NULL, "as JSON", table_set_json },
	{ "csv", 0, NULL, "as comma-separated values", table_set_csv },
	{ NULL, 0, NULL, NULL, NULL },
};

static void init(void *data)
{
	Settings *settings = data;

	query_init(&settings->query);
	settings->list.limit = -1;
}

static void clear(void *data)
{
	Settings *settings = data;

	query_clear(&settings->query);
	load_settings_clear(&settings->load);
	output_settings_clear(&settings->output);
}

/* --- rows -------------------------------------------------------------------------------- */

static double magnitude(const Spike *spike)
{
	return fabs(spike->excess);
}

static int compare_excess(const void *left, const void *right)
{
	const Spike *a = *(const Spike *const *)left, *b = *(const Spike *const *)right;

	if (magnitude(a) != magnitude(b))
		return magnitude(a) < magnitude(b) ? 1 : -1;
	return (a->range.begin_ns > b->range.begin_ns) - (a->range.begin_ns < b->range.begin_ns);
}

static int compare_time(const void *left, const void *right)
{
	const Spike *a = *(const Spike *const *)left, *b = *(const Spike *const *)right;

	return (a->range.begin_ns > b->range.begin_ns) - (a->range.begin_ns < b->range.begin_ns);
}

/* The `limit` largest, in the order wanted; of Spike *. */
static GPtrArray *choose_rows(const Spikes *spikes, size_t limit, bool by_excess)
{
	GPtrArray *rows = g_ptr_array_new();

	for (size_t i = 0; i < spikes->n; i++)
		g_ptr_array_add(rows, &spikes->items[i]);
	g_ptr_array_sort(rows, compare_excess);
	if (rows->len > limit)
		g_ptr_array_set_size(rows, (gint)limit);
	if (!by_excess)
		g_ptr_array_sort(rows, compare_time);
	return rows;
}

/* --- text -------------------------------------------------------------------------------- */

static void add_columns(TextTable *table)
{
	text_table_column(table, "range", TEXT_TABLE_LEFT);
	text_table_column(table, "length", TEXT_TABLE_RIGHT);
	text_table_column(table, "samples", TEXT_TABLE_RIGHT);
	text_table_column(table, "excess", TEXT_TABLE_RIGHT);
	text_table_column(table, "CPUs", TEXT_TABLE_RIGHT);
	text_table_column(table, "threads", TEXT_TABLE_RIGHT);
	text_table_column(table, "since last", TEXT_TABLE_RIGHT);
	text_table_column(table, "pool", TEXT_TABLE_LEFT);
	text_table_column(table, "function", TEXT_TABLE_LEFT);
}

static void add_row(TextTable *table, const Spikes *spikes, const Spike *spike)
{
	g_autofree char *range = spike_range_text(spikes, spike);
	g_autofree char *length =
		duration_text((double)(spike->range.end_ns - spike->range.begin_ns));
	g_autofree char *gap =
		spike->gap_ns >= 0 ? duration_text((double)spike->gap_ns) : g_strdup("-");

	text_table_cell(table, "%s", range);
	text_table_cell(table, "%s", length);
	text_table_cell(table, "%" G_GUINT64_FORMAT, spike->samples);
	text_table_cell(table, "%+.1f", spike->excess);
	text_table_cell(table, "%u", spike->who.n_cpus);
	text_table_cell(table, "%u", spike->who.n_threads);
	text_table_cell(table, "%s", gap);
	who_table_cells(table, &spike->who);
}

static void print_rhythm(FILE *out, const Spikes *spikes)
{
	g_autofree char *gap = duration_text(spikes->median_gap_ns);
	g_autofree char *jitter = duration_text(spikes->jitter_ns);

	if (spikes->median_gap_ns > 0)
		fprintf(out, "median gap %s, jitter %s, %u missed beat%s\n", gap, jitter,
			spikes->n_missed, spikes->n_missed == 1 ? "" : "s");
}

static void print_text(FILE *out, const Spikes *spikes, const GPtrArray *rows,
		       const Caption *caption, bool is_colour)
{
	static const char *const nouns[] = { "spike", "drop", "stretch of other code" };
	static const char *const plurals[] = { "spikes", "drops", "stretches of other code" };
	g_autofree char *subtitle = text_to_terminal(text_from(caption->subtitle));
	g_autoptr(TextTable) table = text_table_new();

	fprintf(out, "%s\n%" G_GSIZE_FORMAT " %s", subtitle, spikes->n,
		spikes->n == 1 ? nouns[spikes->kind] : plurals[spikes->kind]);
	if (rows->len < spikes->n)
		fprintf(out, ", the %u largest (all of them: --limit 0)", rows->len);
	fputs("\n", out);
	if (rows->len == 0)
		return;
	add_columns(table);
	for (guint i = 0; i < rows->len; i++)
		add_row(table, spikes, g_ptr_array_index(rows, i));
	fputs("\n", out);
	text_table_print(table, out, is_colour);
	fputs("\n", out);
	print_rhythm(out, spikes);
}

/* --- CSV and JSON ------------------------------------------------------------------------ */

static void print_csv(FILE *out, const Spikes *spikes, const GPtrArray *rows)
{
	fputs("start_ns,end_ns,range,samples,excess_samples,peak_samples,score,cpus,threads,"
	      "gap_ns," WHO_CSV_NAMES "\r\n",
	      out);
	for (guint i = 0; i < rows->len; i++) {
		const Spike *spike = g_ptr_array_index(rows, i);
		g_autofree char *range = spike_range_text(spikes, spike);

		fprintf(out,
			"%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT ",%s,%" G_GUINT64_FORMAT
			",%.1f,%.0f,%.1f,%u,%u,%" G_GINT64_FORMAT ",",
			spike->range.begin_ns - spikes->zero_ns,
			spike->range.end_ns - spikes->zero_ns, range, spike->samples, spike->excess,
			spike->peak, spike->score, spike->who.n_cpus, spike->who.n_threads,
			spike->gap_ns);
		who_write_csv(out, &spike->who);
		fputs("\r\n", out);
	}
}

static json_t *spike_to_json(const Spikes *spikes, const Spike *spike)
{
	g_autofree char *range = spike_range_text(spikes, spike);
	json_t *row = json_pack("{s:I, s:I, s:s, s:s, s:I, s:f, s:f, s:f}", "start_ns",
				(json_int_t)(spike->range.begin_ns - spikes->zero_ns), "end_ns",
				(json_int_t)(spike->range.end_ns - spikes->zero_ns), "range", range,
				"kind", kind_names[spikes->kind], "samples",
				(json_int_t)spike->samples, "excess_samples", spike->excess,
				"peak_samples", spike->peak, "score", spike->score);

	who_add_json(row, &spike->who);
	json_object_set_new(row, "gap_ns",
			    spike->gap_ns >= 0 ? json_integer(spike->gap_ns) : json_null());
	return row;
}

static void print_json(FILE *out, const Spikes *spikes, const GPtrArray *rows,
		       const Caption *caption)
{
	json_t *items = json_array();
	json_t *root;

	for (guint i = 0; i < rows->len; i++)
		json_array_append_new(items, spike_to_json(spikes, g_ptr_array_index(rows, i)));
	root = json_pack("{s:s, s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:i, s:o}", "schema",
			 "flamebeat/spikes/1", "kind", kind_names[spikes->kind], "event",
			 table_json_string(caption->event), "zero_ns", (json_int_t)spikes->zero_ns,
			 "bucket_ns", (json_int_t)spikes->bucket_ns, "covered_ns",
			 (json_int_t)spikes->covered_ns, "median_gap_ns",
			 (json_int_t)spikes->median_gap_ns, "jitter_ns",
			 (json_int_t)spikes->jitter_ns, "missed_beats", (int)spikes->n_missed,
			 "spikes", items);
	json_object_set_new(root, "samples", json_integer((json_int_t)spikes->counts.samples));
	json_object_set_new(root, "more_spikes", json_integer((json_int_t)(spikes->n - rows->len)));
	json_dumpf(root, out, JSON_INDENT(2));
	fputc('\n', out);
	json_decref(root);
}

/* --- the command ------------------------------------------------------------------------- */

static void print(FILE *out, const Spikes *spikes, const Caption *caption, const Settings *settings)
{
	const List *list = &settings->list;
	bool is_text = list->form == TABLE_TEXT;
	size_t limit = list->limit > 0 ? (size_t)list->limit : SIZE_MAX;
	bool by_excess = list->sort_by_excess && list->form != TABLE_JSON;
	g_autoptr(GPtrArray) rows =
		choose_rows(spikes, is_text && list->limit < 0 ? TEXT_ROWS : limit, by_excess);

	if (is_text)
		print_text(out, spikes, rows, caption,
			   terminal_probe(settings->output.path).is_colour);
	else if (list->form == TABLE_CSV)
		print_csv(out, spikes, rows);
	else
		print_json(out, spikes, rows, caption);
}

/* The table, or what --align asks for. */
static bool print_chosen(const Recording *recording, const Spikes *spikes, const Caption *caption,
			 const Settings *settings, const AlignForm *form, FILE *out, GError **error)
{
	if (settings->list.is_aligned)
		return spikes_align(recording, spikes, settings->query.names, caption, form, out,
				    error);
	print(out, spikes, caption, settings);
	return true;
}

static bool choose_form(Settings *settings, AlignForm *form, GError **error)
{
	return settings->list.is_aligned
		       ? align_form_choose(form, settings->list.form, &settings->output, error)
		       : table_form_choose(&settings->list.form, &settings->output, error);
}

static bool run(const Invocation *invocation, GError **error)
{
	Settings settings = *(const Settings *)invocation->settings;
	AlignForm form = { TABLE_TEXT, false };
	g_auto(Recording) recording = { 0 };
	g_auto(RecordingCaption) caption = { 0 };
	g_autoptr(Output) output = NULL;
	g_autoptr(Spikes) spikes = NULL;

	settings.list.spikes.names = settings.query.names;
	if (!choose_form(&settings, &form, error) ||
	    !recording_open(&recording, invocation, &settings.load, &settings.query, error))
		return false;
	spikes = spikes_new(recording.store, recording.selection, &settings.list.spikes,
			    invocation->notes, error);
	output = spikes != NULL ? output_open(settings.output.path, invocation->host, error) : NULL;
	if (output == NULL)
		return false;
	recording_note_empty(&spikes->counts, invocation->notes);
	recording_caption_init(&caption, &recording, invocation, &spikes->counts, NULL, NULL);
	return print_chosen(&recording, spikes, &caption.caption, &settings, &form,
			    output_stream(output), error) &&
	       output_commit(output, error);
}

const Command command_spikes = {
	.name = "spikes",
	.arguments = "INPUT...",
	.help = "List the spikes: when, how much, who, and the --range to paste",
	.settings_size = sizeof(Settings),
	.init = init,
	.clear = clear,
	.tables = { { "Table", spikes_options, offsetof(Settings, list) },
		    { "Which samples", query_options, offsetof(Settings, query) },
		    { "Output", output_options, offsetof(Settings, output) },
		    { "Reading", load_options, offsetof(Settings, load) },
		    { "General", common_options, offsetof(Settings, common) } },
	.run = run,
};
