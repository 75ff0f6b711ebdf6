/* SPDX-License-Identifier: MIT */
/*
 * The report as Markdown, for wikis and merge requests. Names stand in code spans, fenced by more
 * backticks than they hold; nothing else of a recording is written without escapes.
 */

#include <string.h>

#include "cli/duration-text.h"
#include "cli/report.h"
#include "store/wall-clock.h"

static size_t longest_ticks(const char *name)
{
	size_t longest = 0, n = 0;

	for (; *name != '\0'; name++) {
		n = *name == '`' ? n + 1 : 0;
		longest = MAX(longest, n);
	}
	return longest;
}

/* Within a table a bar ends the cell, even in code. */
static void write_name(FILE *out, const char *name, bool is_cell)
{
	for (; *name != '\0'; name++)
		fputs(is_cell && *name == '|' ? "\\|" : (char[]){ *name, '\0' }, out);
}

void report_markdown_code(FILE *out, const char *name, bool is_cell)
{
	size_t n = longest_ticks(name) + 1;
	const char *pad = n > 1 || *name == ' ' ? " " : "";

	if (*name == '\0')
		return;
	for (size_t i = 0; i < n; i++)
		fputc('`', out);
	fputs(pad, out);
	write_name(out, name, is_cell);
	fputs(pad, out);
	for (size_t i = 0; i < n; i++)
		fputc('`', out);
}

static void write_escaped(FILE *out, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (strchr("\\`*_{}[]<>#|!~&@$:", text[i]) != NULL)
			fputc('\\', out);
		fputc(text[i], out);
	}
}

void report_markdown_text(FILE *out, const char *text, bool is_cell)
{
	while (*text != '\0') {
		size_t n = strcspn(text, (char[]){ REPORT_NAME_BEGIN, '\0' });
		const char *end = strchr(text + n, REPORT_NAME_END);

		write_escaped(out, text, n);
		text += n;
		if (*text == '\0' || end == NULL)
			continue;
		g_autofree char *name = g_strndup(text + 1, (gsize)(end - text - 1));
		report_markdown_code(out, name, is_cell);
		text = end + 1;
	}
}

static void write_facts(FILE *out, const json_t *report)
{
	g_autoptr(GPtrArray) facts = report_words_facts(report);

	for (guint i = 0; i < facts->len; i++) {
		fputs(i > 0 ? " \xc2\xb7 " : "", out);
		report_markdown_text(out, g_ptr_array_index(facts, i), false);
	}
	fputs("\n\n", out);
}

static void write_findings(FILE *out, const json_t *report)
{
	g_autoptr(GPtrArray) findings = report_words_findings(report);

	fputs("## Found\n\n", out);
	for (guint i = 0; i < findings->len; i++) {
		fputs("- ", out);
		report_markdown_text(out, g_ptr_array_index(findings, i), false);
		fputs("\n", out);
	}
	fputs("\n", out);
}

static void write_figures(FILE *out, const json_t *report)
{
	json_t *figure;
	size_t i;

	json_array_foreach(report_array(report, "figures"), i, figure)
	{
		if (*report_text(figure, "picture") == '\0')
			continue;
		fprintf(out, "## %s\n\n![%s](%s)\n\n%s\n\n", report_text(figure, "title"),
			report_text(figure, "title"), report_text(figure, "picture"),
			report_text(figure, "text"));
	}
}

static void write_spike(FILE *out, const json_t *spike)
{
	g_autofree char *length =
		duration_text(report_number(spike, "end_ns") - report_number(spike, "start_ns"));

	fprintf(out, "| `%s` | %s | %s | %.0f | %+.0f | %.0f | ", report_text(spike, "range"),
		report_text(spike, "wall"), length, report_number(spike, "samples"),
		report_number(spike, "excess_samples"), report_number(spike, "cpus"));
	report_markdown_code(out, report_text(spike, "pool"), true);
	fputs(" | ", out);
	report_markdown_code(out, report_text(spike, "function"), true);
	fputs(" |\n", out);
}

static void write_spikes(FILE *out, const json_t *report)
{
	const json_t *top = report_array(report, "top_spikes");
	json_t *spike;
	size_t i;

	if (json_array_size(top) == 0)
		return;
	fprintf(out,
		"## The %zu largest spikes\n\n"
		"| `--range` | clock | length | samples | excess | CPUs | pool | function |\n"
		"|---|---|--:|--:|--:|--:|---|---|\n",
		json_array_size(top));
	json_array_foreach(top, i, spike) write_spike(out, spike);
	fputs("\n", out);
}

static void write_notes(FILE *out, const json_t *report)
{
	json_t *note;
	size_t i;

	if (json_array_size(report_array(report, "notes")) == 0)
		return;
	fputs("## Notes\n\n", out);
	json_array_foreach(report_array(report, "notes"), i, note)
	{
		fputs("- ", out);
		report_markdown_text(out, json_string_value(note), false);
		fputs("\n", out);
	}
	fputs("\n", out);
}

void report_markdown_write(FILE *out, const json_t *report)
{
	fputs("# ", out);
	report_markdown_text(out, report_text(report, "title"), false);
	fputs("\n\n", out);
	write_facts(out, report);
	write_findings(out, report);
	write_figures(out, report);
	write_spikes(out, report);
	write_notes(out, report);
	fprintf(out, "flamebeat %s; everything in numbers: [report.json](report.json)\n",
		report_text(report, "version"));
}
