/* SPDX-License-Identifier: MIT */
/* The average spike: functions by their distance from the onset, as a table or a picture. */

#include "cli/spikes-align.h"

#include <jansson.h>

#include "cli/output.h"
#include "cli/text-table.h"
#include "render/exporter.h"
#include "render/text-escape.h"
#include "store/error.h"

#define MAX_FUNCTIONS 24

bool align_form_choose(AlignForm *self, TableForm form, const OutputSettings *output,
		       GError **error)
{
	OutputSettings table = *output;
	bool has_ending = output->format == NULL && form == TABLE_TEXT && output->path != NULL &&
			  g_str_has_suffix(output->path, ".png");

	self->is_png = has_ending || g_strcmp0(output->format, "png") == 0;
	self->form = form;
	if (!self->is_png)
		return table_form_choose(&self->form, &table, error);
	return !output_is_terminal(output->path) ||
	       fail(error, FLAMEBEAT_ERROR_USAGE,
		    "png is binary and standard output is a terminal: give -o FILE");
}

static int lag_ms(uint32_t bin)
{
	return (int)(onsets_lag_ns(bin) / NS_PER_MS);
}

/* --- text -------------------------------------------------------------------------------- */

/* The lags at which something stands out, and what stands out most. */
static void print_text(FILE *out, const Onsets *self, const Caption *caption)
{
	g_autofree char *subtitle = text_to_terminal(text_from(caption->subtitle));
	g_autoptr(TextTable) table = text_table_new();
	bool has_any = false;

	fprintf(out, "%s\n%u onset%s, what runs around them on average\n\n", subtitle,
		self->n_onsets, plural(self->n_onsets));
	text_table_column(table, "lag", TEXT_TABLE_RIGHT);
	text_table_column(table, "samples", TEXT_TABLE_RIGHT);
	text_table_column(table, "usually", TEXT_TABLE_RIGHT);
	text_table_column(table, "deviations", TEXT_TABLE_RIGHT);
	text_table_column(table, "function", TEXT_TABLE_LEFT);
	for (uint32_t b = 0; b < ONSET_BINS; b++) {
		const OnsetFunction *top;

		if (self->top[b] == ROW_NONE)
			continue;
		top = &self->functions[self->top[b]];
		has_any = true;
		text_table_cell(table, "%+d ms", lag_ms(b));
		text_table_cell(table, "%u", top->counts[b]);
		text_table_cell(table, "%.1f", onsets_expected(self, top, b));
		text_table_cell(table, "%+.1f", top->z[b]);
		text_table_cell(table, "%s", top->name);
	}
	if (has_any)
		text_table_print(table, out, false);
	else
		fputs("nothing stands out around the onsets\n", out);
}

/* --- CSV and JSON ------------------------------------------------------------------------ */

static void print_csv(FILE *out, const Onsets *self)
{
	fputs("lag_ms,function,samples,expected,deviations\r\n", out);
	for (uint32_t b = 0; b < ONSET_BINS; b++) {
		for (uint32_t i = 0; i < self->n_functions; i++) {
			const OnsetFunction *function = &self->functions[i];

			fprintf(out, "%d,", lag_ms(b));
			table_write_csv(out, function->name);
			fprintf(out, ",%u,%.2f,%.2f\r\n", function->counts[b],
				onsets_expected(self, function, b), function->z[b]);
		}
	}
}

static json_t *function_to_json(const Onsets *self, const OnsetFunction *function)
{
	json_t *counts = json_array(), *expected = json_array(), *z = json_array();

	for (uint32_t b = 0; b < ONSET_BINS; b++) {
		json_array_append_new(counts, json_integer(function->counts[b]));
		json_array_append_new(expected, json_real(onsets_expected(self, function, b)));
		json_array_append_new(z, json_real(function->z[b]));
	}
	return json_pack("{s:o, s:f, s:i, s:o, s:o, s:o}", "name",
			 table_json_string(function->name), "rate", function->rate, "peak_lag_ms",
			 lag_ms(function->peak), "samples", counts, "expected", expected,
			 "deviations", z);
}

static json_t *tops_to_json(const Onsets *self)
{
	json_t *tops = json_array();

	for (uint32_t b = 0; b < ONSET_BINS; b++) {
		const OnsetFunction *top = NULL;

		if (self->top[b] == ROW_NONE)
			continue;
		top = &self->functions[self->top[b]];
		json_array_append_new(
			tops, json_pack("{s:i, s:o, s:i, s:f, s:f}", "lag_ms", lag_ms(b),
					"function", table_json_string(top->name), "samples",
					(int)top->counts[b], "expected",
					onsets_expected(self, top, b), "deviations", top->z[b]));
	}
	return tops;
}

static void print_json(FILE *out, const Onsets *self)
{
	json_t *lags = json_array(), *totals = json_array(), *functions = json_array();
	json_t *root;

	for (uint32_t b = 0; b < ONSET_BINS; b++) {
		json_array_append_new(lags, json_integer(lag_ms(b)));
		json_array_append_new(totals, json_integer(self->totals[b]));
	}
	for (uint32_t i = 0; i < self->n_functions; i++)
		json_array_append_new(functions, function_to_json(self, &self->functions[i]));
	root = json_pack("{s:s, s:i, s:I, s:o, s:o, s:o, s:o}", "schema", "flamebeat/onsets/1",
			 "onsets", (int)self->n_onsets, "bin_ns", (json_int_t)ONSET_BIN_NS,
			 "lags_ms", lags, "samples", totals, "top", tops_to_json(self), "functions",
			 functions);
	json_dumpf(root, out, JSON_INDENT(2));
	fputc('\n', out);
	json_decref(root);
}

/* --- the picture ------------------------------------------------------------------------- */

static bool print_png(FILE *out, const Onsets *self, const Caption *caption, GError **error)
{
	g_autoptr(Heatmap) map = onsets_heatmap(self);
	g_autofree char *subtitle = g_strdup_printf("the average of %u onset%s\n%s", self->n_onsets,
						    plural(self->n_onsets), caption->subtitle);
	HeatmapStyle style = { .palette = palette_by_name("flame"),
			       .cell_width = 18,
			       .scale_factor = 2 };
	Caption words = *caption;

	words.subtitle = subtitle;
	return exporter_by_name("png")->heatmap(out, map, &words, &style, error);
}

bool spikes_align(const Recording *recording, const Spikes *spikes, NamesKind names,
		  const Caption *caption, const AlignForm *form, FILE *out, GError **error)
{
	g_autoptr(Onsets) onsets = onsets_new(recording->store, recording->selection, spikes, names,
					      MAX_FUNCTIONS, error);

	if (onsets == NULL)
		return false;
	if (form->is_png)
		return print_png(out, onsets, caption, error);
	if (form->form == TABLE_JSON)
		print_json(out, onsets);
	else if (form->form == TABLE_CSV)
		print_csv(out, onsets);
	else
		print_text(out, onsets, caption);
	return true;
}
