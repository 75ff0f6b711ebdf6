/* SPDX-License-Identifier: MIT */
/*
 * The report as a page for the browser, without network and without scripts of its own: style in
 * its head, pictures beside it. Whatever came from a recording passes xml_write_text().
 */

#include <string.h>

#include "cli/duration-text.h"
#include "cli/recording.h"
#include "cli/report-files.h"
#include "cli/report.h"
#include "render/text-escape.h"

static void write_text(FILE *out, const char *text)
{
	xml_write_text(out, text_from(text));
}

void report_html_text(FILE *out, const char *text)
{
	while (*text != '\0') {
		size_t n = strcspn(text, (char[]){ REPORT_NAME_BEGIN, REPORT_NAME_END, '\0' });

		xml_write_text(out, (Text){ text, n });
		text += n;
		if (*text == '\0')
			return;
		fputs(*text == REPORT_NAME_BEGIN ? "<code>" : "</code>", out);
		text++;
	}
}

void report_html_begin(FILE *out, const char *title)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"generator\" content=\"flamebeat " FLAMEBEAT_VERSION "\">\n<title>",
	      out);
	write_text(out, title);
	fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", report_style);
}

/* --- pieces ------------------------------------------------------------------------------ */

static void write_list(FILE *out, const char *class, const GPtrArray *lines)
{
	fprintf(out, "<ul class=\"%s\">\n", class);
	for (guint i = 0; i < lines->len; i++) {
		fputs("<li>", out);
		report_html_text(out, g_ptr_array_index(lines, i));
		fputs("</li>\n", out);
	}
	fputs("</ul>\n", out);
}

static void write_head(FILE *out, const json_t *report)
{
	g_autoptr(GPtrArray) facts = report_words_facts(report);
	g_autoptr(GPtrArray) findings = report_words_findings(report);

	fputs("<h1>", out);
	write_text(out, report_text(report, "title"));
	fputs("</h1>\n", out);
	write_list(out, "facts", facts);
	write_list(out, "found", findings);
}

static void write_reasons(FILE *out, const json_t *gate, const char *key)
{
	json_t *reason;
	size_t i;

	json_array_foreach(report_array(gate, key), i, reason)
	{
		fputs("<li>", out);
		report_html_text(out, json_string_value(reason));
		fputs("</li>\n", out);
	}
}

static void write_gate(FILE *out, const json_t *report)
{
	const json_t *gate = json_object_get(report, "gate");
	bool passes = json_is_true(json_object_get(gate, "passes"));

	if (gate == NULL)
		return;
	fprintf(out, "<div class=\"gate%s\">%s\n<ul class=\"notes\">\n", passes ? "" : " fails",
		passes ? "The gate passes." : "<strong>The gate fails.</strong>");
	write_reasons(out, gate, "reasons");
	fputs("</ul>\n</div>\n", out);
}

static void write_interactive(FILE *out, const json_t *figure)
{
	const char *file = report_text(figure, "interactive");

	fprintf(out,
		"<figure><object type=\"image/svg+xml\" data=\"%s\"><img src=\"%s\" alt=\"\">"
		"</object><figcaption class=\"interactive\">Click to zoom, Ctrl-F to search; "
		"<a href=\"%s\">on a page of its own</a></figcaption></figure>\n",
		file, report_text(figure, "picture"), file);
}

static void write_figure(FILE *out, const json_t *figure)
{
	const char *picture = report_text(figure, "picture");

	fputs("<h2>", out);
	write_text(out, report_text(figure, "title"));
	fputs("</h2>\n<p class=\"text\">", out);
	report_html_text(out, report_text(figure, "text"));
	fputs("</p>\n", out);
	if (*report_text(figure, "interactive") != '\0')
		write_interactive(out, figure);
	else
		fprintf(out, "<figure><a href=\"%s\"><img src=\"%s\" alt=\"\"></a></figure>\n",
			picture, picture);
}

/* Figures [begin, end). */
static void write_figures(FILE *out, const json_t *report, size_t begin, size_t end)
{
	json_t *figure;
	size_t i;

	json_array_foreach(report_array(report, "figures"), i, figure) if (i >= begin && i < end)
		write_figure(out, figure);
}

/* --- tables ------------------------------------------------------------------------------ */

static void write_cell(FILE *out, const char *class, const char *text)
{
	fprintf(out, "<td class=\"%s\">", class);
	write_text(out, text);
	fputs("</td>", out);
}

static void write_name(FILE *out, const char *name)
{
	fputs("<td class=\"name\">", out);
	if (*name != '\0') {
		fputs("<code title=\"", out);
		write_text(out, name);
		fputs("\">", out);
		write_text(out, name);
		fputs("</code>", out);
	}
	fputs("</td>", out);
}

static void write_number(FILE *out, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void write_number(FILE *out, const char *format, ...)
{
	va_list args;

	fputs("<td class=\"n\">", out);
	va_start(args, format);
	vfprintf(out, format, args);
	va_end(args);
	fputs("</td>", out);
}

static void write_spike(FILE *out, const json_t *spike, bool has_wall)
{
	g_autofree char *length =
		duration_text(report_number(spike, "end_ns") - report_number(spike, "start_ns"));
	const char *flame = report_text(spike, "flame_graph");

	fprintf(out, "<tr><td><code>%s</code></td>", report_text(spike, "range"));
	if (has_wall)
		write_cell(out, "", report_text(spike, "wall"));
	write_cell(out, "n", length);
	write_number(out, "%.0f", report_number(spike, "samples"));
	write_number(out, "%+.0f", report_number(spike, "excess_samples"));
	write_number(out, "%.0f", report_number(spike, "cpus"));
	write_number(out, "%.0f", report_number(spike, "threads"));
	write_name(out, report_text(spike, "process"));
	write_name(out, report_text(spike, "pool"));
	write_name(out, report_text(spike, "function"));
	if (*flame != '\0')
		fprintf(out, "<td><a href=\"%s\">flame graph</a></td>", flame);
	else
		fputs("<td></td>", out);
	fputs("</tr>\n", out);
}

static void write_spikes(FILE *out, const json_t *report)
{
	const json_t *top = report_array(report, "top_spikes");
	size_t n_all = json_array_size(report_array(json_object_get(report, "spikes"), "spikes"));
	bool has_wall =
		json_is_integer(json_object_get(json_object_get(report, "info"), "wall_zero_ns"));
	json_t *spike;
	size_t i;

	if (json_array_size(top) == 0)
		return;
	fprintf(out,
		"<h2>Spikes</h2>\n<p class=\"text\">The %zu largest of %zu; all are in "
		"<a href=\"spikes.csv\">spikes.csv</a>. A range is what <code>--range</code> of "
		"every command takes.</p>\n<div class=\"scroll\"><table>\n<thead><tr>"
		"<th>range</th>%s<th class=\"n\">length</th><th class=\"n\">samples</th>"
		"<th class=\"n\">excess</th><th class=\"n\">CPUs</th><th class=\"n\">threads</th>"
		"<th>process</th><th>pool</th><th>function</th><th></th></tr></thead>\n<tbody>\n",
		json_array_size(top), n_all, has_wall ? "<th>clock</th>" : "");
	json_array_foreach(top, i, spike) write_spike(out, spike, has_wall);
	fputs("</tbody></table></div>\n", out);
}

static void write_period(FILE *out, const json_t *period)
{
	g_autofree char *length = report_words_period(period);
	g_autofree char *active =
		duration_text(report_number(period, "duty") * report_number(period, "period_ns"));

	fputs("<tr>", out);
	write_cell(out, "n", length);
	write_cell(out, "n", active);
	write_number(out, "%.0f", report_number(period, "excess_samples"));
	write_number(out, "%.0f", report_number(period, "cycles"));
	write_number(out, "%.0e", MAX(report_number(period, "p_value"), 1e-99));
	write_number(out, "%.0f", report_number(period, "cpus"));
	write_name(out, report_text(period, "pool"));
	write_name(out, report_text(period, "function"));
	fprintf(out, "<td><code>--every %s --phase %s</code></td></tr>\n",
		report_text(period, "every"), report_text(period, "phase_range"));
}

static void write_periods(FILE *out, const json_t *report)
{
	const json_t *periods = report_array(json_object_get(report, "periods"), "periods");
	json_t *period;
	size_t i;

	if (json_array_size(periods) == 0)
		return;
	fputs("<h2>Periods</h2>\n<div class=\"scroll\"><table>\n<thead><tr>"
	      "<th class=\"n\">period</th><th class=\"n\">active</th><th class=\"n\">excess</th>"
	      "<th class=\"n\">cycles</th><th class=\"n\">chance</th><th class=\"n\">CPUs</th>"
	      "<th>pool</th><th>function</th><th>its active part</th>"
	      "</tr></thead>\n<tbody>\n",
	      out);
	json_array_foreach(periods, i, period) write_period(out, period);
	fputs("</tbody></table></div>\n", out);
}

static void write_top(FILE *out, const json_t *report)
{
	const json_t *top = json_object_get(report, "top");
	double total = MAX(report_number(top, "total"), 1);
	json_t *row;
	size_t i;

	if (json_array_size(report_array(top, "rows")) == 0)
		return;
	fputs("<h2>Functions</h2>\n<p class=\"text\">By the time that they themselves run, all of "
	      "the recording.</p>\n<div class=\"scroll\"><table>\n<thead><tr>"
	      "<th class=\"n\">self</th><th class=\"n\">total</th><th>function</th><th>in</th></tr>"
	      "</thead>\n<tbody>\n",
	      out);
	json_array_foreach(report_array(top, "rows"), i, row)
	{
		fputs("<tr>", out);
		write_number(out, "%.1f %%", 100 * report_number(row, "self") / total);
		write_number(out, "%.1f %%", 100 * report_number(row, "total") / total);
		write_name(out, report_text(row, "name"));
		write_name(out, report_text(row, "dso"));
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
}

static void write_notes(FILE *out, const json_t *report)
{
	json_t *note;
	size_t i;

	if (json_array_size(report_array(report, "notes")) == 0)
		return;
	fputs("<h2>Notes</h2>\n<ul class=\"notes\">\n", out);
	json_array_foreach(report_array(report, "notes"), i, note)
	{
		fputs("<li>", out);
		write_text(out, json_string_value(note));
		fputs("</li>\n", out);
	}
	fputs("</ul>\n", out);
}

static void write_files(FILE *out, const json_t *report)
{
	const char *key;
	json_t *file;

	fputs("<h2>Files</h2>\n<ul class=\"files\">\n", out);
	json_object_foreach(json_object_get(report, "files"), key, file)
		fprintf(out, "<li><a href=\"%s\">%s</a></li>\n", json_string_value(file),
			json_string_value(file));
	fputs("<li><a href=\"report.json\">report.json</a>: everything in numbers</li>\n</ul>\n",
	      out);
}

void report_html_write(FILE *out, const json_t *report)
{
	report_html_begin(out, report_text(report, "title"));
	if (json_is_true(json_object_get(report, "has_index")))
		fputs("<p class=\"lead\"><a href=\"../index.html\">all recordings</a></p>\n", out);
	write_head(out, report);
	write_gate(out, report);
	write_figures(out, report, 0, 1);
	write_periods(out, report);
	write_spikes(out, report);
	write_figures(out, report, 1, SIZE_MAX);
	write_top(out, report);
	write_notes(out, report);
	write_files(out, report);
	fputs("<footer>flamebeat " FLAMEBEAT_VERSION "   ", out);
	write_text(out, report_text(report, "options"));
	fputs("</footer>\n</main>\n</body>\n</html>\n", out);
}
