/* SPDX-License-Identifier: MIT */
/* `flamebeat periods`: what is periodic: period, phase, strength, who. */

#include <jansson.h>
#include <math.h>

#include "cli/command.h"
#include "cli/duration-text.h"
#include "cli/output-options.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/table.h"
#include "cli/text-table.h"
#include "cli/who-table.h"
#include "heatmap/periods.h"
#include "render/text-escape.h"
#include "store/error.h"

typedef struct {
	TableForm form; /* first, for table_set_json() */
	PeriodSettings periods;
} List;

typedef struct {
	CommonSettings common;
	LoadSettings load;
	OutputSettings output;
	Query query;
	List list;
} Settings;

/* --- options ----------------------------------------------------------------------------- */

static bool set_bound(const char *option, const char *value, int64_t *ns, GError **error)
{
	if (!duration_parse(value, ns, error)) {
		g_prefix_error(error, "--%s: ", option);
		return false;
	}
	return *ns >= NS_PER_MS ||
	       fail(error, FLAMEBEAT_ERROR_USAGE, "--%s: must be 1ms or longer", option);
}

static bool set_min_period(void *settings, const char *value, GError **error)
{
	return set_bound("min-period", value, &((List *)settings)->periods.min_period_ns, error);
}

static bool set_max_period(void *settings, const char *value, GError **error)
{
	return set_bound("max-period", value, &((List *)settings)->periods.max_period_ns, error);
}

static const OptionRow periods_options[] = {
	{ "min-period", 0, "DURATION",
	  "the shortest to look for (default: 20ms, or two sampling ticks)", set_min_period },
	{ "max-period", 0, "DURATION",
	  "the longest to look for (default: a fifth of the covered time)", set_max_period },
	{ "json", 0, NULL, "as JSON", table_set_json },
	{ "csv", 0, NULL, "as comma-separated values", table_set_csv },
	{ NULL, 0, NULL, NULL, NULL },
};

static void init(void *data)
{
	Settings *settings = data;

	query_init(&settings->query);
}

static void clear(void *data)
{
	Settings *settings = data;

	query_clear(&settings->query);
	load_settings_clear(&settings->load);
	output_settings_clear(&settings->output);
}

/* --- words ------------------------------------------------------------------------------- */

/* What --every takes. */
static char *every_text(const Period *period)
{
	g_autofree char *seconds = time_format_seconds(period->period_ns);

	return g_strconcat(seconds, "s", NULL);
}

/* What --phase takes: where the active part is. */
static char *phase_text(const Period *period)
{
	double end = period->phase + period->duty;

	return g_strdup_printf("%.4f..%.4f", period->phase, end > 1 ? end - 1 : end);
}

/* "1e-17", as far as a reader wants to know. */
static char *chance_text(const Period *period)
{
	if (period->log10_p < -99)
		return g_strdup("<1e-99");
	return g_strdup_printf("%.0e", pow(10, period->log10_p));
}

/* --- text -------------------------------------------------------------------------------- */

static void add_columns(TextTable *table)
{
	text_table_column(table, "period", TEXT_TABLE_RIGHT);
	text_table_column(table, "+/-", TEXT_TABLE_RIGHT);
	text_table_column(table, "active", TEXT_TABLE_RIGHT);
	text_table_column(table, "excess", TEXT_TABLE_RIGHT);
	text_table_column(table, "sigma", TEXT_TABLE_RIGHT);
	text_table_column(table, "chance", TEXT_TABLE_RIGHT);
	text_table_column(table, "cycles", TEXT_TABLE_RIGHT);
	text_table_column(table, "CPUs", TEXT_TABLE_RIGHT);
	text_table_column(table, "threads", TEXT_TABLE_RIGHT);
	text_table_column(table, "pool", TEXT_TABLE_LEFT);
	text_table_column(table, "function", TEXT_TABLE_LEFT);
}

static void add_row(TextTable *table, const Period *period)
{
	g_autofree char *length = duration_text((double)period->period_ns);
	g_autofree char *error = duration_text((double)period->error_ns);
	g_autofree char *active = duration_text(period->duty * (double)period->period_ns);
	g_autofree char *chance = chance_text(period);

	text_table_cell(table, "%s", length);
	text_table_cell(table, "%s", error);
	text_table_cell(table, "%s", active);
	text_table_cell(table, "%+.0f", period->excess);
	text_table_cell(table, "%.1f", period->sigma);
	text_table_cell(table, "%s", chance);
	text_table_cell(table, "%u", period->n_cycles);
	text_table_cell(table, "%u", period->who.n_cpus);
	text_table_cell(table, "%u", period->who.n_threads);
	who_table_cells(table, &period->who);
}

static void print_summary(FILE *out, const Periods *periods, const Caption *caption)
{
	g_autofree char *subtitle = text_to_terminal(text_from(caption->subtitle));
	g_autofree char *shortest = duration_text((double)periods->min_period_ns);
	g_autofree char *longest = duration_text((double)periods->max_period_ns);

	fprintf(out, "%s\n", subtitle);
	if (periods->min_period_ns >= periods->max_period_ns)
		fprintf(out, "too short a recording to look for periods\n");
	else if (periods->n == 0)
		fprintf(out, "nothing periodic between %s and %s\n", shortest, longest);
	else
		fprintf(out, "%" G_GSIZE_FORMAT " period%s between %s and %s\n", periods->n,
			periods->n == 1 ? "" : "s", shortest, longest);
}

static void print_text(FILE *out, const Periods *periods, const Caption *caption, bool is_colour)
{
	g_autoptr(TextTable) table = text_table_new();

	print_summary(out, periods, caption);
	if (periods->n == 0)
		return;
	add_columns(table);
	for (size_t i = 0; i < periods->n; i++)
		add_row(table, &periods->items[i]);
	fputs("\n", out);
	text_table_print(table, out, is_colour);
	fputs("\nTo select the active part of each:\n", out);
	for (size_t i = 0; i < periods->n; i++) {
		g_autofree char *every = every_text(&periods->items[i]);
		g_autofree char *phase = phase_text(&periods->items[i]);

		fprintf(out, "  --every %s --phase %s\n", every, phase);
	}
}

/* --- CSV and JSON ------------------------------------------------------------------------ */

static void print_csv(FILE *out, const Periods *periods)
{
	fputs("period_ns,error_ns,phase,duty,excess_samples,sigma,log10_p,cycles,alias_hz,cpus,"
	      "threads," WHO_CSV_NAMES "\r\n",
	      out);
	for (size_t i = 0; i < periods->n; i++) {
		const Period *period = &periods->items[i];

		fprintf(out,
			"%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT
			",%.6f,%.6f,%.1f,%.2f,%.2f,%u,%.4g,%u,%u,",
			period->period_ns, period->error_ns, period->phase, period->duty,
			period->excess, period->sigma, period->log10_p, period->n_cycles,
			period->alias_hz, period->who.n_cpus, period->who.n_threads);
		who_write_csv(out, &period->who);
		fputs("\r\n", out);
	}
}

static json_t *profile_json(const Period *period)
{
	json_t *profile = json_array();

	for (size_t i = 0; i < PERIOD_PROFILE_BINS; i++)
		json_array_append_new(profile, json_real(period->profile[i]));
	return profile;
}

static json_t *period_to_json(const Period *period)
{
	g_autofree char *every = every_text(period);
	g_autofree char *phase = phase_text(period);
	json_t *row = json_pack("{s:I, s:I, s:f, s:f, s:s, s:s, s:f, s:f, s:f, s:f, s:I, s:o}",
				"period_ns", (json_int_t)period->period_ns, "error_ns",
				(json_int_t)period->error_ns, "phase", period->phase, "duty",
				period->duty, "every", every, "phase_range", phase,
				"excess_samples", period->excess, "sigma", period->sigma, "p_value",
				pow(10, period->log10_p), "log10_p", period->log10_p, "cycles",
				(json_int_t)period->n_cycles, "alias_hz",
				period->alias_hz > 0 ? json_real(period->alias_hz) : json_null());

	who_add_json(row, &period->who);
	json_object_set_new(row, "profile", profile_json(period));
	return row;
}

static void print_json(FILE *out, const Periods *periods, const Caption *caption)
{
	json_t *items = json_array();
	json_t *root;

	for (size_t i = 0; i < periods->n; i++)
		json_array_append_new(items, period_to_json(&periods->items[i]));
	root = json_pack("{s:s, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "schema",
			 "flamebeat/periods/1", "event", table_json_string(caption->event),
			 "samples", (json_int_t)periods->counts.samples, "lost",
			 (json_int_t)periods->n_lost, "zero_ns", (json_int_t)periods->zero_ns,
			 "min_period_ns", (json_int_t)periods->min_period_ns, "max_period_ns",
			 (json_int_t)periods->max_period_ns, "covered_ns",
			 (json_int_t)periods->covered_ns, "tick_ns", (json_int_t)periods->tick_ns,
			 "periods", items);
	json_dumpf(root, out, JSON_INDENT(2));
	fputc('\n', out);
	json_decref(root);
}

/* --- the command ------------------------------------------------------------------------- */

static void note_alias(const Periods *periods, const Period *period, Notes *notes)
{
	g_autofree char *length = duration_text((double)period->period_ns);

	if (period->alias_hz > 0)
		notes_add(notes,
			  "the period of %s may be a beat of the sampling clock: work of %.4g Hz, "
			  "sampled at %.4g Hz, looks the same; record at another frequency (-F) to "
			  "tell",
			  length, period->alias_hz, 1e9 / (double)periods->tick_ns);
}

static void add_notes(const Periods *periods, Notes *notes)
{
	for (size_t i = 0; i < periods->n; i++)
		note_alias(periods, &periods->items[i], notes);
	if (periods->n_lost > 0 && periods->n > 0)
		notes_add(notes,
			  "perf lost %" G_GUINT64_FORMAT
			  " samples: periods may be of the losses, and excesses are too small",
			  periods->n_lost);
}

static bool run(const Invocation *invocation, GError **error)
{
	Settings settings = *(const Settings *)invocation->settings;
	g_auto(Recording) recording = { 0 };
	g_auto(RecordingCaption) caption = { 0 };
	g_autoptr(Output) output = NULL;
	g_autoptr(Periods) periods = NULL;
	FILE *out;

	settings.list.periods.names = settings.query.names;
	if (!table_form_choose(&settings.list.form, &settings.output, error) ||
	    !recording_open(&recording, invocation, &settings.load, &settings.query, error))
		return false;
	periods = periods_new(recording.store, recording.selection, &settings.list.periods,
			      invocation->notes, error);
	output =
		periods != NULL ? output_open(settings.output.path, invocation->host, error) : NULL;
	if (output == NULL)
		return false;
	recording_note_empty(&periods->counts, invocation->notes);
	add_notes(periods, invocation->notes);
	recording_caption_init(&caption, &recording, invocation, &periods->counts, NULL, NULL);
	out = output_stream(output);
	if (settings.list.form == TABLE_JSON)
		print_json(out, periods, &caption.caption);
	else if (settings.list.form == TABLE_CSV)
		print_csv(out, periods);
	else
		print_text(out, periods, &caption.caption,
			   terminal_probe(settings.output.path).is_colour);
	return output_commit(output, error);
}

const Command command_periods = {
	.name = "periods",
	.arguments = "INPUT...",
	.help = "Find what is periodic: period, phase, strength, and who it is",
	.settings_size = sizeof(Settings),
	.init = init,
	.clear = clear,
	.tables = { { "Table", periods_options, offsetof(Settings, list) },
		    { "Which samples", query_options, offsetof(Settings, query) },
		    { "Output", output_options, offsetof(Settings, output) },
		    { "Reading", load_options, offsetof(Settings, load) },
		    { "General", common_options, offsetof(Settings, common) } },
	.run = run,
};
