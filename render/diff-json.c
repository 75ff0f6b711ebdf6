/* SPDX-License-Identifier: MIT */
/*
 * The comparison as JSON: the merged tree, nested as d3-flame-graph reads it (`value` is the
 * width, `delta` the change of self and callees), and the table of functions.
 */

#include <math.h>

#include "render/formats.h"
#include "render/json-writer.h"
#include "render/tree-nested.h"

#define SCHEMA "flamebeat/diff/1"

typedef struct {
	FILE *out;
	const Diff *diff;
	const Caption *caption;
	const DiffStyle *style;
} Writer;

static void write_key(FILE *out, const char *key)
{
	fprintf(out, ",\"%s\":", key);
}

static void write_number(FILE *out, const char *key, double value)
{
	write_key(out, key);
	json_write_double(out, value);
}

static void write_count(FILE *out, const char *key, uint64_t value)
{
	write_key(out, key);
	json_write_u64(out, value);
}

static void write_text(FILE *out, const char *key, const char *value)
{
	write_key(out, key);
	json_write_string(out, text_from(value != NULL ? value : ""));
}

/* --- what is compared ---------------------------------------------------------------------- */

static void write_side(const Writer *self, const char *key, DiffSide side)
{
	const DiffTotals *totals = &self->diff->totals[side];

	write_key(self->out, key);
	fputs("{\"name\":", self->out);
	json_write_string(self->out, text_from(self->style->side_names[side]));
	write_count(self->out, "samples", totals->samples);
	write_count(self->out, "weight", totals->weight);
	write_number(self->out, "seconds", totals->seconds);
	write_count(self->out, "runs", totals->n_runs);
	write_count(self->out, "parts", totals->n_parts);
	fputs("}", self->out);
}

/* Keys of the whole; a comma before each. */
static void write_head(const Writer *self)
{
	static const char *const normalize[] = { "share", "rate", "none" };
	const DiffSettings *settings = &self->diff->settings;
	g_autofree char *delta_unit = diff_delta_unit(self->diff, self->caption->unit);

	write_text(self->out, "schema", SCHEMA);
	write_text(self->out, "event", self->caption->event);
	write_text(self->out, "unit", self->caption->unit);
	write_text(self->out, "normalize", normalize[settings->normalize]);
	write_text(self->out, "delta_unit", delta_unit);
	write_number(self->out, "min_change", settings->min_change);
	write_number(self->out, "level", DIFF_LEVEL);
	write_side(self, "new", SIDE_NEW);
	write_side(self, "base", SIDE_BASE);
}

/* --- the tree ------------------------------------------------------------------------------ */

static void write_tallies(FILE *out, const DiffItem *item)
{
	write_count(out, "base_self", item->tally[MEASURE_SELF][SIDE_BASE].weight);
	write_count(out, "new_self", item->tally[MEASURE_SELF][SIDE_NEW].weight);
	write_count(out, "base_total", item->tally[MEASURE_TOTAL][SIDE_BASE].weight);
	write_count(out, "new_total", item->tally[MEASURE_TOTAL][SIDE_NEW].weight);
}

static void write_bool(FILE *out, const char *key, bool value)
{
	write_key(out, key);
	fputs(value ? "true" : "false", out);
}

static void open_node(FILE *out, const CallTree *tree, uint32_t node, const void *context)
{
	const Writer *self = context;
	const DiffItem *item = &self->diff->nodes[node];
	const DiffVerdict *total = &item->verdict[MEASURE_TOTAL];

	fputs("{\"name\":", out);
	json_write_string(out, call_tree_frame(tree, node).name);
	write_key(out, "value");
	json_write_ratio(out, (int64_t)tree->nodes[node].total, (int64_t)self->diff->width_units);
	write_number(out, "delta", total->delta);
	write_number(out, "self_delta", item->verdict[MEASURE_SELF].delta);
	write_tallies(out, item);
	write_number(out, "ratio", total->ratio);
	write_number(out, "q", total->q);
	write_bool(out, "significant", total->is_significant);
	if (node == 0)
		write_head(self);
	fputs(",\"children\":[", out);
}

bool diff_json(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
	       GError **error G_GNUC_UNUSED)
{
	const Writer self = { out, diff, caption, style };

	tree_write_nested(out, diff->shape, open_node, &self);
	return true;
}

/* FlameScope's: `v` is what the new side has itself, `d` how much more that is than the base,
 * brought to the new side's total; frames that only the base has are those with v 0. */
static void open_flamescope_node(FILE *out, const CallTree *tree, uint32_t node,
				 const void *context)
{
	const Writer *self = context;
	const DiffTally *tally = self->diff->nodes[node].tally[MEASURE_SELF];
	const DiffTotals *totals = self->diff->totals;
	double scale = totals[SIDE_BASE].weight > 0
			       ? (double)totals[SIDE_NEW].weight / (double)totals[SIDE_BASE].weight
			       : 0;

	fputs("{\"n\":", out);
	json_write_string(out, call_tree_frame(tree, node).name);
	fputs(",\"l\":\"\",\"v\":", out);
	json_write_u64(out, tally[SIDE_NEW].weight);
	write_number(
		out, "d",
		round((double)tally[SIDE_NEW].weight - (double)tally[SIDE_BASE].weight * scale));
	fputs(",\"c\":[", out);
}

bool diff_flamescope(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
		     GError **error G_GNUC_UNUSED)
{
	const Writer self = { out, diff, caption, style };

	tree_write_nested(out, diff->shape, open_flamescope_node, &self);
	return true;
}

/* --- the table ----------------------------------------------------------------------------- */

/* Without braces; a comma before each key. */
static void write_verdict(const Writer *self, const DiffItem *item, DiffMeasure measure)
{
	const DiffVerdict *verdict = &item->verdict[measure];
	double low, high;

	diff_interval(self->diff, item, measure, &low, &high);
	write_number(self->out, "ratio", verdict->ratio);
	fputs(",\"ci\":[", self->out);
	json_write_double(self->out, low);
	fputc(',', self->out);
	json_write_double(self->out, high);
	fputc(']', self->out);
	write_number(self->out, "q", verdict->q);
	write_number(self->out, "variance", verdict->variance);
	write_bool(self->out, "significant", verdict->is_significant);
}

static void write_measure(const Writer *self, const DiffItem *item, const char *key,
			  DiffMeasure measure)
{
	const DiffVerdict *verdict = &item->verdict[measure];

	fprintf(self->out, ",\"%s\":{\"base\":", key);
	json_write_double(self->out, verdict->value[SIDE_BASE]);
	write_number(self->out, "new", verdict->value[SIDE_NEW]);
	write_number(self->out, "delta", verdict->delta);
	write_verdict(self, item, measure);
	fputs("}", self->out);
}

static void write_function(const Writer *self, const DiffFunction *function)
{
	const DiffItem *item = &function->item;
	DiffMeasure by = self->diff->settings.by;

	fputs("{\"name\":", self->out);
	json_write_string(self->out, text_from(function->name));
	write_text(self->out, "dso", function->dso);
	write_tallies(self->out, item);
	write_number(self->out, "delta", item->verdict[by].delta);
	write_verdict(self, item, by);
	write_measure(self, item, "self", MEASURE_SELF);
	write_measure(self, item, "total", MEASURE_TOTAL);
	fputs("}", self->out);
}

bool diff_table_json(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
		     GError **error G_GNUC_UNUSED)
{
	const Writer self = { out, diff, caption, style };
	size_t n = style->limit > 0 ? MIN(style->limit, diff->n_functions) : diff->n_functions;

	fputs("{\"title\":", out);
	json_write_string(out, text_from(caption->title != NULL ? caption->title : ""));
	write_head(&self);
	write_text(out, "by", diff->settings.by == MEASURE_SELF ? "self" : "total");
	write_count(out, "more_functions", diff->n_functions - n);
	fputs(",\"functions\":[", out);
	for (size_t i = 0; i < n; i++) {
		fputs(i > 0 ? ",\n" : "\n", out);
		write_function(&self, &diff->functions[i]);
	}
	fputs("\n]}\n", out);
	return true;
}
