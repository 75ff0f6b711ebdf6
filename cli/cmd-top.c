/* SPDX-License-Identifier: MIT */
/* `flamebeat top`: who and what, as a table. */

#include <jansson.h>

#include "cli/command.h"
#include "cli/output-options.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/table.h"
#include "render/text-escape.h"
#include "slice/top.h"

typedef struct {
	TableForm form; /* first, for table_set_json() */
	TopBy by;
	bool sort_by_total;
	gint64 limit; /* 0: all, -1: not given */
} List;

typedef struct {
	CommonSettings common;
	LoadSettings load;
	OutputSettings output;
	Query query;
	List list;
} Settings;

static const char *const by_names[] = { "function", "process", "pool", "comm", "thread",
					"pid",	    "cpu",     "dso",  NULL };

static bool set_by(void *settings, const char *value, GError **error)
{
	int choice = option_choice("by", value, by_names, error);

	((List *)settings)->by = (TopBy)choice;
	return choice >= 0;
}

static bool set_sort(void *settings, const char *value, GError **error)
{
	static const char *const names[] = { "self", "total", NULL };
	int choice = option_choice("sort", value, names, error);

	((List *)settings)->sort_by_total = choice == 1;
	return choice >= 0;
}

static bool set_limit(void *settings, const char *value, GError **error)
{
	return option_integer("limit", value, 0, G_MAXINT32, &((List *)settings)->limit, error);
}

static const OptionRow top_options[] = {
	{ "by", 0, "WHAT",
	  "function, process, pool, comm, thread, pid, cpu or dso (default: function)", set_by },
	{ "sort", 0, "self|total",
	  "by what runs, or by what is anywhere on the stack (default: self)", set_sort },
	{ "limit", 'n', "N", "only the first N rows, 0: all (default: 25 on a terminal)",
	  set_limit },
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

/* --- forms ------------------------------------------------------------------------------- */

static void print_text(FILE *out, const Top *top, size_t n_rows, const Caption *caption, TopBy by)
{
	double total = (double)MAX(top->total, 1);
	g_autofree char *subtitle = text_to_terminal(text_from(caption->subtitle));

	fprintf(out, "%s\n%8s %12s %8s %12s  %s\n", subtitle, "self %", "self", "total %", "total",
		by_names[by]);
	for (size_t i = 0; i < n_rows; i++) {
		const TopRow *row = &top->rows[i];
		g_autofree char *name = text_to_terminal(text_from(row->name));
		g_autofree char *dso =
			text_to_terminal(text_from(row->dso != NULL ? row->dso : ""));

		fprintf(out,
			"%8.2f %12" G_GUINT64_FORMAT " %8.2f %12" G_GUINT64_FORMAT "  %s%s%s\n",
			100 * (double)row->self / total, row->self,
			100 * (double)row->total / total, row->total, name,
			*dso != '\0' ? "  " : "", dso);
	}
	if (n_rows < top->n_rows)
		fprintf(out, "(%" G_GSIZE_FORMAT " more rows: --limit 0)\n", top->n_rows - n_rows);
}

static void print_csv(FILE *out, const Top *top, size_t n_rows, TopBy by)
{
	fprintf(out, "%s,%sself,total\r\n", by_names[by], by == TOP_BY_FUNCTION ? "dso," : "");
	for (size_t i = 0; i < n_rows; i++) {
		const TopRow *row = &top->rows[i];

		table_write_csv(out, row->name);
		fputc(',', out);
		if (row->dso != NULL) {
			table_write_csv(out, row->dso);
			fputc(',', out);
		}
		fprintf(out, "%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT "\r\n", row->self,
			row->total);
	}
}

static json_t *row_to_json(const TopRow *row)
{
	return json_pack("{s:o, s:o, s:I, s:I}", "name", table_json_string(row->name), "dso",
			 row->dso != NULL ? table_json_string(row->dso) : json_null(), "self",
			 (json_int_t)MIN(row->self, G_MAXINT64), "total",
			 (json_int_t)MIN(row->total, G_MAXINT64));
}

static void print_json(FILE *out, const Top *top, size_t n_rows, const Caption *caption, TopBy by)
{
	json_t *rows = json_array();
	json_t *root;

	for (size_t i = 0; i < n_rows; i++)
		json_array_append_new(rows, row_to_json(&top->rows[i]));
	root = json_pack("{s:s, s:o, s:I, s:I, s:s, s:i, s:o}", "schema", "flamebeat/top/1", "unit",
			 table_json_string(caption->unit), "total",
			 (json_int_t)MIN(top->total, G_MAXINT64), "samples",
			 (json_int_t)top->counts.samples, "by", by_names[by], "more_rows",
			 (int)(top->n_rows - n_rows), "rows", rows);
	json_dumpf(root, out, JSON_INDENT(2));
	fputc('\n', out);
	json_decref(root);
}

static void print(FILE *out, const Top *top, const Caption *caption, const List *list,
		  bool is_terminal)
{
	size_t limit = list->limit > 0 ? (size_t)list->limit : top->n_rows;

	if (list->limit < 0 && is_terminal)
		limit = 25;
	limit = MIN(limit, top->n_rows);
	if (list->form == TABLE_JSON)
		print_json(out, top, limit, caption, list->by);
	else if (list->form == TABLE_CSV)
		print_csv(out, top, limit, list->by);
	else
		print_text(out, top, limit, caption, list->by);
}

static bool run(const Invocation *invocation, GError **error)
{
	const Settings *settings = invocation->settings;
	g_auto(Recording) recording = { 0 };
	g_auto(RecordingCaption) caption = { 0 };
	g_autoptr(Output) output = NULL;
	g_autoptr(Top) top = NULL;
	List list = settings->list;

	if (!table_form_choose(&list.form, &settings->output, error) ||
	    !recording_open(&recording, invocation, &settings->load, &settings->query, error))
		return false;
	top = top_new(recording.store, recording.selection, list.by, list.sort_by_total,
		      settings->query.names, error);
	output = top != NULL ? output_open(settings->output.path, invocation->host, error) : NULL;
	if (output == NULL)
		return false;
	recording_note_empty(&top->counts, invocation->notes);
	recording_caption_init(&caption, &recording, invocation, &top->counts, NULL, NULL);
	print(output_stream(output), top, &caption.caption, &list,
	      output_is_terminal(settings->output.path));
	return output_commit(output, error);
}

const Command command_top = {
	.name = "top",
	.arguments = "INPUT...",
	.help = "List who and what ran: functions, processes, threads, CPUs; self and total",
	.settings_size = sizeof(Settings),
	.init = init,
	.clear = clear,
	.tables = { { "Table", top_options, offsetof(Settings, list) },
		    { "Which samples", query_options, offsetof(Settings, query) },
		    { "Output", output_options, offsetof(Settings, output) },
		    { "Reading", load_options, offsetof(Settings, load) },
		    { "General", common_options, offsetof(Settings, common) } },
	.run = run,
};
