/* SPDX-License-Identifier: MIT */
/*
 * One recording: first the tables, as JSON; then the pictures that these ask for; then the
 * documents. report.json is written last, so that a folder that has it is whole.
 */

#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "cli/report.h"
#include "render/text-escape.h"
#include "store/wall-clock.h"

#define MAX_MARKS  20  /* spikes outlined on the heat map */
#define MAX_MERGED 500 /* spikes merged into one flame graph */
#define TOP_ROWS   "15"
#define MIN_ONSETS 3

/* --- tables ------------------------------------------------------------------------------ */

static void add_table(GArray *steps, const ReportPage *page, const char *key,
		      const Command *command, const char *option)
{
	ReportStep *step =
		report_steps_add(steps, key, command, page->words, "--json", option, NULL);

	step->is_json = true;
}

static void add_csv(GArray *steps, const ReportPage *page, const char *key, const Command *command,
		    const char *file)
{
	ReportStep *step = report_steps_add(steps, key, command, page->words, "--csv", NULL);

	step->file = g_strdup(file);
}

/* Files by the keys of their steps; JSON too. */
static void keep_results(ReportPage *page, const GArray *steps)
{
	json_t *files = json_object_get(page->json, "files");

	for (guint i = 0; i < steps->len; i++) {
		const ReportStep *step = &g_array_index(steps, ReportStep, i);

		if (step->json != NULL)
			json_object_set(page->json, step->key, step->json);
		if (step->file != NULL)
			json_object_set_new(files, step->key, json_string(step->file));
	}
}

static bool make_tables(ReportPage *page, GError **error)
{
	g_autoptr(GArray) steps = report_steps_new();

	add_table(steps, page, "info", &command_info, NULL);
	add_table(steps, page, "periods", &command_periods, NULL);
	add_table(steps, page, "spikes", &command_spikes, NULL);
	add_table(steps, page, "drops", &command_spikes, "--kind=drop");
	add_table(steps, page, "mixes", &command_spikes, "--kind=mix");
	add_table(steps, page, "onsets", &command_spikes, "--align");
	add_table(steps, page, "top", &command_top, "--limit=" TOP_ROWS);
	add_csv(steps, page, "periods_csv", &command_periods, "periods.csv");
	add_csv(steps, page, "spikes_csv", &command_spikes, "spikes.csv");
	add_csv(steps, page, "top_csv", &command_top, "top.csv");
	if (!report_steps_run(page, steps, error))
		return false;
	keep_results(page, steps);
	return true;
}

/* --- the largest spikes ------------------------------------------------------------------ */

static int by_excess(const void *left, const void *right)
{
	double a = report_number(*(json_t *const *)left, "excess_samples");
	double b = report_number(*(json_t *const *)right, "excess_samples");

	return (a < b) - (a > b);
}

static int by_time(const void *left, const void *right)
{
	double a = report_number(*(json_t *const *)left, "start_ns");
	double b = report_number(*(json_t *const *)right, "start_ns");

	return (a > b) - (a < b);
}

/* The `max` largest spikes, in order of time; borrowed. */
static GPtrArray *largest_spikes(const ReportPage *page, guint max)
{
	const json_t *spikes = report_array(json_object_get(page->json, "spikes"), "spikes");
	GPtrArray *largest = g_ptr_array_new();
	json_t *spike;
	size_t i;

	json_array_foreach(spikes, i, spike) g_ptr_array_add(largest, spike);
	g_ptr_array_sort(largest, by_excess);
	if (largest->len > max)
		g_ptr_array_set_size(largest, (gint)max);
	g_ptr_array_sort(largest, by_time);
	return largest;
}

static json_t *wall_of(const ReportPage *page, const json_t *spike)
{
	json_t *zero = json_object_get(json_object_get(page->json, "info"), "wall_zero_ns");
	g_autofree char *text = NULL;

	if (!json_is_integer(zero))
		return json_null();
	text = wall_time_format(
		time_add(json_integer_value(zero), (int64_t)report_number(spike, "start_ns")),
		false, 3);
	return json_string(text);
}

/* report.json's "top_spikes": the rows of the page's table. */
static void list_top_spikes(ReportPage *page)
{
	g_autoptr(GPtrArray) spikes = largest_spikes(page, (guint)page->settings->report.top);
	json_t *rows = json_array();

	for (guint i = 0; i < spikes->len; i++) {
		json_t *row = json_copy(g_ptr_array_index(spikes, i));
		g_autofree char *flame = g_strdup_printf("spike-%u.svg", i + 1);

		json_object_set_new(row, "wall", wall_of(page, row));
		json_object_set_new(row, "flame_graph", json_string(flame));
		json_array_append_new(rows, row);
	}
	json_object_set_new(page->json, "top_spikes", rows);
}

/* --- pictures ---------------------------------------------------------------------------- */

static void add_figure(ReportPage *page, const char *title, const char *text, const char *picture,
		       const char *interactive)
{
	json_t *figure =
		json_pack("{s:s, s:s, s:s}", "title", title, "text", text, "picture", picture);

	if (interactive != NULL)
		json_object_set_new(figure, "interactive", json_string(interactive));
	json_array_append_new(json_object_get(page->json, "figures"), figure);
}

/* A step that draws `file` under the page's title and `what`. */
static ReportStep *add_picture(GArray *steps, const ReportPage *page, const char *key,
			       const Command *command, const GPtrArray *words, const char *file,
			       const char *what)
{
	g_autofree char *title = g_strdup_printf("--title=%s%s", page->title, what);
	const char *ending = strrchr(file, '.') + 1;
	g_autofree char *format = g_strdup_printf("--format=%s", ending);
	ReportStep *step = report_steps_add(steps, key, command, words, title, format, NULL);

	step->file = g_strdup(file);
	if (g_str_equal(ending, "png"))
		g_ptr_array_add(step->words, g_strdup("--scale-factor=2"));
	return step;
}

static void add_ranges(ReportStep *step, const char *option, const GPtrArray *spikes)
{
	for (guint i = 0; i < spikes->len; i++)
		g_ptr_array_add(
			step->words,
			g_strdup_printf("--%s=%s", option,
					report_text(g_ptr_array_index(spikes, i), "range")));
}

static void add_heatmap(GArray *steps, ReportPage *page)
{
	g_autoptr(GPtrArray) marked = largest_spikes(page, MAX_MARKS);
	g_autoptr(GString) text = g_string_new("All samples: time runs up each column, then to the "
					       "right; the redder, the busier.");
	ReportStep *step = add_picture(steps, page, "heatmap", &command_heatmap, page->words,
				       "heatmap.png", "");

	add_ranges(step, "mark", marked);
	if (marked->len > 0)
		g_string_append_printf(text, " The %u largest spikes are outlined.", marked->len);
	add_figure(page, "Heat map", text->str, "heatmap.png", NULL);
	add_picture(steps, page, "heatmap_json", &command_heatmap, page->words, "heatmap.json", "");
}

/* The flame graph of some words as SVG to click and PNG to paste. */
static void add_flame(GArray *steps, ReportPage *page, const char *const keys[2],
		      const GPtrArray *words, const char *name, const char *what,
		      const GPtrArray *spikes)
{
	for (int i = 0; i < 2; i++) {
		g_autofree char *file = g_strconcat(name, i == 0 ? ".svg" : ".png", NULL);
		ReportStep *step =
			add_picture(steps, page, keys[i], &command_slice, words, file, what);

		if (spikes != NULL)
			add_ranges(step, "range", spikes);
	}
}

static void add_word(ReportStep *step, const char *option, const char *value)
{
	g_ptr_array_add(step->words, g_strdup_printf("--%s=%s", option, value));
}

/* What the active part of a period runs, over all of its cycles. */
static void add_beat_flame(GArray *steps, ReportPage *page, const json_t *period,
			   const char *length)
{
	static const char *const keys[] = { "beat_flame", "beat_flame_png" };
	static const char *const files[] = { "beat.svg", "beat.png" };
	g_autofree char *of = g_strdup_printf(": the active part of every %s", length);

	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		ReportStep *step = add_picture(steps, page, keys[i], &command_slice, page->words,
					       files[i], of);

		add_word(step, "every", report_text(period, "every"));
		add_word(step, "phase", report_text(period, "phase_range"));
	}
	add_figure(page, "In the beat",
		   "What the active part of every period runs, added up over the recording.",
		   files[1], files[0]);
}

/* The strongest period: columns as long as it, and their sum. */
static void add_beat(GArray *steps, ReportPage *page)
{
	const json_t *period =
		json_array_get(report_array(json_object_get(page->json, "periods"), "periods"), 0);
	g_autofree char *length = NULL, *text = NULL;

	/* Of a part of each period there is no other period to be drawn. */
	if (period == NULL || page->settings->query.every != NULL)
		return;
	length = report_words_period(period);
	text = g_strdup_printf("Each column is one period of %s, the strongest found: what recurs "
			       "is a line.",
			       length);
	add_word(add_picture(steps, page, "beat", &command_heatmap, page->words, "periods.png", ""),
		 "column", report_text(period, "every"));
	add_figure(page, "Period by period", text, "periods.png", NULL);
	add_word(add_picture(steps, page, "fold", &command_heatmap, page->words, "fold.png", ""),
		 "fold", report_text(period, "every"));
	add_figure(page, "The average period", "All periods added up: the load by phase.",
		   "fold.png", NULL);
	add_beat_flame(steps, page, period, length);
}

/* The spikes against the rest of the recording. */
static void add_diff(GArray *steps, ReportPage *page)
{
	ReportStep *step;

	if (json_array_size(report_array(page->json, "top_spikes")) == 0)
		return;
	add_word(add_picture(steps, page, "diff", &command_diff, page->words, "diff.svg",
			     ": the spikes against the rest"),
		 "min-change", "0.5");
	step = report_steps_add(steps, "diff_csv", &command_diff, page->words, "--format=csv",
				NULL);
	step->file = g_strdup("diff.csv");
	step = report_steps_add(steps, "diff_table", &command_diff, page->words,
				"--format=table-json", "--limit=50", NULL);
	step->is_json = true;
	for (guint i = steps->len - 3; i < steps->len; i++)
		g_ptr_array_add(g_array_index(steps, ReportStep, i).words, g_strdup("--spikes"));
	add_figure(
		page, "What the spikes have more of",
		"The spikes against the rest of the recording, per second: orange is more, blue is "
		"less, grey may well be chance.",
		"diff.svg", "diff.svg");
}

/* What is there before the spikes: of a few only, every one has something before it. */
static void add_onsets(GArray *steps, ReportPage *page)
{
	ReportStep *step;

	if (report_number(json_object_get(page->json, "onsets"), "onsets") < MIN_ONSETS)
		return;
	step = report_steps_add(steps, "onsets_png", &command_spikes, page->words, "--align",
				"--format=png", NULL);
	step->file = g_strdup("onsets.png");
	add_figure(page, "Around the onset",
		   "Functions that stand out from 500 ms before to 500 ms after the spikes begin, "
		   "averaged: what is there before 0 may be the trigger.",
		   "onsets.png", NULL);
}

static void add_spike_flames(GArray *steps, ReportPage *page)
{
	static const char *const keys[] = { "spikes_flame", "spikes_flame_png" };
	g_autoptr(GPtrArray) spikes = largest_spikes(page, MAX_MERGED);
	g_autofree char *what =
		g_strdup_printf(": %u spike%s together", spikes->len, spikes->len == 1 ? "" : "s");
	json_t *spike;
	size_t i;

	if (spikes->len == 0)
		return;
	add_flame(steps, page, keys, page->filters, "spikes", what, spikes);
	add_figure(page, "In the spikes", "What ran in all spikes together, as a flame graph.",
		   "spikes.png", "spikes.svg");
	json_array_foreach(report_array(page->json, "top_spikes"), i, spike)
	{
		g_autofree char *range = g_strdup_printf("--range=%s", report_text(spike, "range"));
		g_autofree char *of = g_strdup_printf(": %s s", report_text(spike, "range"));
		ReportStep *step =
			add_picture(steps, page, "top_spikes", &command_slice, page->filters,
				    report_text(spike, "flame_graph"), of);

		g_ptr_array_add(step->words, g_steal_pointer(&range));
	}
}

static void add_whole(GArray *steps, ReportPage *page)
{
	static const char *const keys[] = { "flame", "flame_png" };
	ReportStep *step;

	add_flame(steps, page, keys, page->words, "flame", "", NULL);
	add_figure(page, "All of the recording", "Everything that ran, as a flame graph.",
		   "flame.png", "flame.svg");
	step = report_steps_add(steps, "perf_flame_json", &command_slice, page->words,
				"--format=json", NULL);
	step->file = g_strdup("perf.flame.json");
}

static bool make_pictures(ReportPage *page, GError **error)
{
	g_autoptr(GArray) steps = report_steps_new();

	list_top_spikes(page);
	add_heatmap(steps, page);
	add_beat(steps, page);
	add_spike_flames(steps, page);
	add_diff(steps, page);
	add_onsets(steps, page);
	add_whole(steps, page);
	if (!report_steps_run(page, steps, error))
		return false;
	keep_results(page, steps);
	return true;
}

/* --- documents --------------------------------------------------------------------------- */

static void set_number(json_t *object, const char *key, double value)
{
	json_object_set_new(object, key, json_real(value));
}

/* The numbers that gates and the index of many look at. */
static void summarize(ReportPage *page)
{
	json_t *summary = json_object();
	const json_t *spikes = json_object_get(page->json, "spikes");
	const json_t *items = report_array(spikes, "spikes");
	double covered_ns = report_number(spikes, "covered_ns"), excess = 0, longest_ns = 0;
	json_t *spike;
	size_t i;

	json_array_foreach(items, i, spike)
	{
		excess = MAX(excess, report_number(spike, "excess_samples"));
		longest_ns = MAX(longest_ns,
				 report_number(spike, "end_ns") - report_number(spike, "start_ns"));
	}
	set_number(summary, "samples", report_number(spikes, "samples"));
	set_number(summary, "covered_ns", covered_ns);
	set_number(summary, "spikes", (double)json_array_size(items));
	set_number(summary, "spikes_per_minute",
		   covered_ns > 0 ? (double)json_array_size(items) * 60e9 / covered_ns : 0);
	set_number(summary, "largest_excess_samples", excess);
	set_number(summary, "longest_spike_ns", longest_ns);
	set_number(summary, "drops",
		   (double)json_array_size(
			   report_array(json_object_get(page->json, "drops"), "spikes")));
	set_number(summary, "periods",
		   (double)json_array_size(
			   report_array(json_object_get(page->json, "periods"), "periods")));
	json_object_set_new(page->json, "summary", summary);
}

static void list_findings(ReportPage *page)
{
	g_autoptr(GPtrArray) findings = report_words_findings(page->json);
	json_t *list = json_array(), *notes = json_array();

	for (guint i = 0; i < findings->len; i++) {
		g_autofree char *plain = report_words_plain(g_ptr_array_index(findings, i), "`");

		json_array_append_new(list, json_string(plain));
	}
	for (guint i = 0; i < notes_count(page->notes); i++) {
		g_autofree char *note = text_to_utf8(text_from(notes_get(page->notes, i)), 2000);

		json_array_append_new(notes, json_string(note));
	}
	json_object_set_new(page->json, "found", list);
	json_object_set_new(page->json, "notes", notes);
}

static bool write_document(const ReportPage *page, const char *name,
			   void (*write)(FILE *, const json_t *), GError **error)
{
	g_autofree char *path = g_build_filename(page->folder, name, NULL);
	g_autoptr(Output) output = output_open(path, NULL, error);

	if (output == NULL)
		return false;
	write(output_stream(output), page->json);
	return output_commit(output, error);
}

static void write_json(FILE *out, const json_t *report)
{
	json_dumpf(report, out, JSON_INDENT(1));
	fputc('\n', out);
}

bool report_page_write(ReportPage *page, GError **error)
{
	return write_document(page, "index.html", report_html_write, error) &&
	       write_document(page, "report.md", report_markdown_write, error) &&
	       write_document(page, "report.json", write_json, error);
}

static void begin(ReportPage *page)
{
	json_t *inputs = json_array();

	for (char **input = page->inputs; *input != NULL; input++) {
		g_autofree char *base = g_path_get_basename(*input);
		g_autofree char *name = text_to_utf8(text_from(base), 0);

		json_array_append_new(inputs, json_string(name));
	}
	page->json = json_pack("{s:s, s:s, s:s, s:o, s:s, s:b, s:{}, s:[]}", "schema",
			       REPORT_SCHEMA, "version", FLAMEBEAT_VERSION, "title", page->title,
			       "inputs", inputs, "options", page->options, "has_index",
			       page->settings->report.is_each, "files", "figures");
}

bool report_page_make(ReportPage *page, GError **error)
{
	begin(page);
	if (!make_tables(page, error) || !make_pictures(page, error))
		return false;
	summarize(page);
	list_findings(page);
	return true;
}
