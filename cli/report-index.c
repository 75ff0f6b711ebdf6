/* SPDX-License-Identifier: MIT */
/* The index of many recordings: one row each, as a page and as Markdown. */

#include <string.h>

#include "cli/duration-text.h"
#include "cli/recording.h"
#include "cli/report.h"
#include "render/text-escape.h"

/* The first sentence of what was found; "" where there is none. */
static const char *first_finding(const json_t *recording)
{
	const char *text = json_string_value(json_array_get(report_array(recording, "found"), 0));

	return text != NULL ? text : "";
}

/* What stands between backticks as a name, unless names hold some themselves. */
static char *mark_names(const char *text)
{
	char *marked = g_strdup(text);
	size_t n = 0;

	for (const char *c = text; *c != '\0'; c++)
		n += *c == '`';
	for (size_t i = 0, k = 0; n % 2 == 0 && marked[i] != '\0'; i++)
		if (marked[i] == '`')
			marked[i] = k++ % 2 == 0 ? REPORT_NAME_BEGIN : REPORT_NAME_END;
	return marked;
}

static void write_cell(FILE *out, const json_t *recording, const char *key)
{
	double value = report_number(json_object_get(recording, "summary"), key);
	g_autofree char *number = format_count((uint64_t)MAX(value, 0));

	fprintf(out, "<td class=\"n\">%s</td>", number);
}

static void write_row(FILE *out, const json_t *recording)
{
	const char *folder = report_text(recording, "folder");
	const char *error = report_text(recording, "error");
	bool passes = !json_is_false(json_object_get(json_object_get(recording, "gate"), "passes"));
	g_autofree char *covered =
		duration_text(report_number(json_object_get(recording, "summary"), "covered_ns"));

	fprintf(out, "<tr%s><td class=\"name\">",
		*error != '\0' || !passes ? " class=\"failed\"" : "");
	if (*error == '\0')
		fprintf(out, "<a href=\"%s/index.html\">", folder);
	xml_write_text(out, text_from(report_text(recording, "title")));
	fprintf(out, "%s</td>", *error == '\0' ? "</a>" : "");
	if (*error != '\0') {
		fputs("<td class=\"text\" colspan=\"5\">could not be read: ", out);
		xml_write_text(out, text_from(error));
		fputs("</td></tr>\n", out);
		return;
	}
	fprintf(out, "<td class=\"n\">%s</td>", covered);
	write_cell(out, recording, "samples");
	write_cell(out, recording, "spikes");
	write_cell(out, recording, "periods");
	g_autofree char *finding = mark_names(first_finding(recording));
	fputs("<td class=\"text\">", out);
	report_html_text(out, finding);
	fputs("</td></tr>\n", out);
}

void report_index_html_write(FILE *out, const json_t *index)
{
	const json_t *recordings = report_array(index, "recordings");
	json_t *recording;
	size_t i;

	report_html_begin(out, report_text(index, "title"));
	fputs("<h1>", out);
	xml_write_text(out, text_from(report_text(index, "title")));
	fprintf(out, "</h1>\n<p class=\"lead\">%zu recording%s, %.0f that could not be read</p>\n",
		json_array_size(recordings), json_array_size(recordings) == 1 ? "" : "s",
		report_number(index, "failed"));
	fputs("<div class=\"scroll\"><table>\n<thead><tr><th>recording</th>"
	      "<th class=\"n\">covered</th><th class=\"n\">samples</th><th class=\"n\">spikes</th>"
	      "<th class=\"n\">periods</th><th>found first</th></tr></thead>\n<tbody>\n",
	      out);
	json_array_foreach(recordings, i, recording) write_row(out, recording);
	fputs("</tbody></table></div>\n<footer>flamebeat " FLAMEBEAT_VERSION "   ", out);
	xml_write_text(out, text_from(report_text(index, "options")));
	fputs("; in numbers: <a href=\"index.json\">index.json</a></footer>\n</main>\n</body>\n"
	      "</html>\n",
	      out);
}

static void write_markdown_row(FILE *out, const json_t *recording)
{
	const char *error = report_text(recording, "error");
	const json_t *summary = json_object_get(recording, "summary");

	fputs("| ", out);
	if (*error != '\0') {
		report_markdown_text(out, report_text(recording, "title"), true);
		fputs(" | | | could not be read: ", out);
		report_markdown_text(out, error, true);
		fputs(" |\n", out);
		return;
	}
	fputc('[', out);
	report_markdown_text(out, report_text(recording, "title"), true);
	fprintf(out, "](%s/report.md) | %.0f | %.0f | ", report_text(recording, "folder"),
		report_number(summary, "spikes"), report_number(summary, "periods"));
	g_autofree char *finding = mark_names(first_finding(recording));
	report_markdown_text(out, finding, true);
	fputs(" |\n", out);
}

void report_index_markdown_write(FILE *out, const json_t *index)
{
	json_t *recording;
	size_t i;

	fputs("# ", out);
	report_markdown_text(out, report_text(index, "title"), false);
	fputs("\n\n| recording | spikes | periods | found first |\n|---|--:|--:|---|\n", out);
	json_array_foreach(report_array(index, "recordings"), i, recording)
		write_markdown_row(out, recording);
}
