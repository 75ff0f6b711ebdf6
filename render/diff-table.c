/* SPDX-License-Identifier: MIT */
/* Functions and how they changed, the largest significant change first: for people, for a
 * spreadsheet, for a report. */

#include <math.h>
#include <string.h>

#include "render/diff-words.h"
#include "render/formats.h"
#include "render/text-escape.h"

typedef struct {
	FILE *out;
	const Diff *diff;
	const Caption *caption;
	const DiffStyle *style;
	size_t n_rows;
} Table;

/* The figures of a row, by the measure that orders the table and by the other. */
typedef struct {
	char base[DIFF_WORDS_SIZE], new_side[DIFF_WORDS_SIZE], delta[DIFF_WORDS_SIZE];
	char ratio[DIFF_WORDS_SIZE], low[DIFF_WORDS_SIZE], high[DIFF_WORDS_SIZE];
	char q[DIFF_WORDS_SIZE], other[DIFF_WORDS_SIZE];
} Figures;

static Table table_of(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style)
{
	size_t n = style->limit > 0 ? MIN(style->limit, diff->n_functions) : diff->n_functions;

	return (Table){ out, diff, caption, style, n };
}

static Figures figures_of(const Diff *diff, const DiffItem *item)
{
	DiffMeasure by = diff->settings.by;
	const DiffVerdict *verdict = &item->verdict[by];
	Figures figures;
	double low, high;

	diff_interval(diff, item, by, &low, &high);
	diff_format_value(figures.base, diff, verdict->value[SIDE_BASE]);
	diff_format_value(figures.new_side, diff, verdict->value[SIDE_NEW]);
	diff_format_delta(figures.delta, verdict->delta);
	diff_format_ratio(figures.ratio, verdict->ratio);
	diff_format_ratio(figures.low, low);
	diff_format_ratio(figures.high, high);
	diff_format_q(figures.q, verdict->q);
	diff_format_delta(figures.other, item->verdict[N_MEASURES - 1 - by].delta);
	return figures;
}

static const char *measure_name(const Diff *diff, bool is_other)
{
	return (diff->settings.by == MEASURE_SELF) != is_other ? "self" : "total";
}

/* --- text ---------------------------------------------------------------------------------- */

static void print_side(const Table *self, const char *role, DiffSide side)
{
	g_autofree char *name = text_to_terminal(text_from(self->style->side_names[side]));

	fprintf(self->out, "%-5s %s\n", role, name);
}

static const char *colour_of(const Table *self, const DiffVerdict *verdict)
{
	if (!self->style->tree.is_colour)
		return "";
	if (!verdict->is_significant)
		return "\033[2m";
	return verdict->delta > 0 ? "\033[33m" : "\033[34m";
}

static void print_row(const Table *self, const DiffFunction *function)
{
	Figures figures = figures_of(self->diff, &function->item);
	const char *colour = colour_of(self, &function->item.verdict[self->diff->settings.by]);
	g_autofree char *name = text_to_terminal(text_from(function->name));
	g_autofree char *dso = text_to_terminal(text_from(function->dso));
	g_autofree char *interval = g_strdup_printf("%s..%s", figures.low, figures.high);

	fprintf(self->out, "%s%9s %9s %9s %7s %15s %7s %9s  %s%s%s%s\n", colour, figures.base,
		figures.new_side, figures.delta, figures.ratio, interval, figures.q, figures.other,
		name, *dso != '\0' ? "  " : "", dso, *colour != '\0' ? "\033[0m" : "");
}

static void print_head(const Table *self)
{
	g_autofree char *unit = diff_delta_unit(self->diff, self->caption->unit);
	g_autofree char *other = g_strdup_printf("%s +/-", measure_name(self->diff, true));

	print_side(self, "new", SIDE_NEW);
	print_side(self, "base", SIDE_BASE);
	fprintf(self->out, "%s; changes in %s, of functions' %s\n\n",
		self->caption->event != NULL ? self->caption->event : "", unit,
		measure_name(self->diff, false));
	fprintf(self->out, "%9s %9s %9s %7s %15s %7s %9s  %s\n", "base", "new", "change", "ratio",
		"95% interval", "q", other, "function");
}

static size_t count_significant(const Diff *diff)
{
	size_t n = 0;

	while (n < diff->n_functions &&
	       diff->functions[n].item.verdict[diff->settings.by].is_significant)
		n++;
	return n;
}

bool diff_table(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
		GError **error G_GNUC_UNUSED)
{
	const Table self = table_of(out, diff, caption, style);
	size_t n_significant = count_significant(diff);

	print_head(&self);
	for (size_t i = 0; i < self.n_rows; i++) {
		if (i == n_significant)
			fprintf(out, "-- within noise, or under --min-change:\n");
		print_row(&self, &diff->functions[i]);
	}
	if (n_significant == 0)
		fprintf(out, "No function changed by more than noise.\n");
	if (self.n_rows < diff->n_functions)
		fprintf(out, "(%" G_GSIZE_FORMAT " more functions: --limit 0)\n",
			diff->n_functions - self.n_rows);
	return true;
}

/* --- CSV ----------------------------------------------------------------------------------- */

static void print_double(FILE *out, double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	fputc(',', out);
	if (isfinite(value))
		fputs(g_ascii_formatd(text, sizeof(text), "%.9g", value), out);
}

static void print_csv_row(const Diff *diff, const DiffFunction *function, FILE *out)
{
	const DiffItem *item = &function->item;
	const DiffVerdict *verdict = &item->verdict[diff->settings.by];
	double low, high;

	diff_interval(diff, item, diff->settings.by, &low, &high);
	csv_write_field(out, text_from(function->name));
	fputc(',', out);
	csv_write_field(out, text_from(function->dso));
	for (int measure = 0; measure < N_MEASURES; measure++)
		fprintf(out, ",%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT,
			item->tally[measure][SIDE_BASE].weight,
			item->tally[measure][SIDE_NEW].weight);
	print_double(out, item->verdict[MEASURE_SELF].delta);
	print_double(out, item->verdict[MEASURE_TOTAL].delta);
	print_double(out, verdict->ratio);
	print_double(out, low);
	print_double(out, high);
	print_double(out, verdict->q);
	fprintf(out, ",%s\r\n", verdict->is_significant ? "yes" : "no");
}

bool diff_csv(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
	      GError **error G_GNUC_UNUSED)
{
	const Table self = table_of(out, diff, caption, style);

	fputs("name,dso,base_self,new_self,base_total,new_total,self_delta,total_delta,ratio,"
	      "ci_low,ci_high,q,significant\r\n",
	      out);
	for (size_t i = 0; i < self.n_rows; i++)
		print_csv_row(diff, &diff->functions[i], out);
	return true;
}

/* --- Markdown ------------------------------------------------------------------------------ */

static size_t longest_run(const char *text, char c)
{
	size_t longest = 0, n = 0;

	for (; *text != '\0'; text++) {
		n = *text == c ? n + 1 : 0;
		longest = MAX(longest, n);
	}
	return longest;
}

/* A code span: fenced by more backticks than it holds; a bar would end the cell. */
static void print_code(FILE *out, const char *text)
{
	g_autofree char *valid = text_to_utf8(text_from(text), 0);
	size_t n_ticks = longest_run(valid, '`') + 1;
	g_autofree char *fence = g_strnfill(n_ticks, '`');
	const char *gap = n_ticks > 1 ? " " : "";

	fprintf(out, "%s%s", fence, gap);
	for (const char *c = valid; *c != '\0'; c++) {
		if (*c == '|')
			fputc('\\', out);
		fputc(*c, out);
	}
	fprintf(out, "%s%s", gap, fence);
}

static void print_markdown_row(const Table *self, const DiffFunction *function)
{
	Figures figures = figures_of(self->diff, &function->item);
	bool is_bold = function->item.verdict[self->diff->settings.by].is_significant;
	const char *bold = is_bold ? "**" : "";

	fprintf(self->out, "| %s | %s | %s%s%s | %s | %s to %s | %s | %s | ", figures.base,
		figures.new_side, bold, figures.delta, bold, figures.ratio, figures.low,
		figures.high, figures.q, figures.other);
	print_code(self->out, function->name);
	fputc(' ', self->out);
	if (*function->dso != '\0')
		print_code(self->out, function->dso);
	fputs(" |\n", self->out);
}

static void print_markdown_side(const Table *self, const char *role, DiffSide side)
{
	fprintf(self->out, "- %s: ", role);
	print_code(self->out, self->style->side_names[side]);
	fputc('\n', self->out);
}

bool diff_markdown(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
		   GError **error G_GNUC_UNUSED)
{
	const Table self = table_of(out, diff, caption, style);
	g_autofree char *unit = diff_delta_unit(diff, caption->unit);

	print_markdown_side(&self, "new", SIDE_NEW);
	print_markdown_side(&self, "base", SIDE_BASE);
	fprintf(out,
		"- changes in %s, of functions' %s; bold: significant (q at most 0.05, at least "
		"--min-change)\n\n",
		unit, measure_name(diff, false));
	fprintf(out,
		"| base | new | change | ratio | 95 %% | q | %s | function |\n"
		"| ---: | ---: | ---: | ---: | :---: | ---: | ---: | :--- |\n",
		measure_name(diff, true));
	for (size_t i = 0; i < self.n_rows; i++)
		print_markdown_row(&self, &diff->functions[i]);
	if (self.n_rows < diff->n_functions)
		fprintf(out, "\n%" G_GSIZE_FORMAT " more functions are not listed.\n",
			diff->n_functions - self.n_rows);
	return true;
}
