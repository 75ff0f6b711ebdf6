/* SPDX-License-Identifier: MIT */
/*
 * The table of output formats. A format is a file of its own and one row here; options, help texts,
 * file suffixes and media types follow from the row. Where two rows have a suffix, the first that
 * can show what is asked for is taken.
 */

#include "render/exporter.h"

#include <string.h>

#include "render/formats.h"

const Exporter exporters[] = {
	{ .name = "svg",
	  .suffix = ".svg",
	  .media_type = "image/svg+xml",
	  .help = "interactive picture for the browser: zoom, search",
	  .tree = tree_svg,
	  .diff = diff_svg },
	{ .name = "png",
	  .suffix = ".png",
	  .media_type = "image/png",
	  .help = "still picture",
	  .is_binary = true,
	  .heatmap = heatmap_png,
	  .fold = fold_png,
	  .tree = tree_png,
	  .diff = diff_png },
	{ .name = "speedscope",
	  .suffix = ".speedscope.json",
	  .media_type = "application/json",
	  .help = "speedscope's: all threads merged, and each thread in time",
	  .profile = profile_speedscope,
	  .diff = diff_speedscope },
	{ .name = "pprof",
	  .suffix = ".pb.gz",
	  .media_type = "application/octet-stream",
	  .help = "pprof's protobuf, with thread, pid, tid and cpu as labels",
	  .is_binary = true,
	  .profile = profile_pprof,
	  .diff = diff_pprof },
	{ .name = "json",
	  .suffix = ".json",
	  .media_type = "application/json",
	  .help = "numbers, as FlameScope (heat map) and burn, d3-flame-graph (tree) have them",
	  .heatmap = heatmap_json,
	  .fold = fold_json,
	  .tree = tree_json,
	  .diff = diff_json },
	{ .name = "flamescope",
	  .media_type = "application/json",
	  .help = "FlameScope's tree: self weights and kinds of code",
	  .wants_classes = true,
	  .tree = tree_flamescope,
	  .diff = diff_flamescope },
	{ .name = "flat",
	  .media_type = "application/json",
	  .help = "the drawn frames as arrays, for programs that draw them themselves",
	  .tree = tree_flat,
	  .diff = diff_flat },
	{ .name = "html",
	  .suffix = ".html",
	  .media_type = "text/html; charset=utf-8",
	  .help = "page to share: flame graph, functions, callers; or (heat map) with samples to "
		  "slice",
	  .page = heatmap_page,
	  .tree = tree_html,
	  .diff = diff_html },
	{ .name = "folded",
	  .suffix = ".folded",
	  .media_type = "text/plain; charset=utf-8",
	  .help = "one line a stack, for flamegraph.pl and others",
	  .tree = tree_folded,
	  .diff = diff_folded },
	{ .name = "tree",
	  .media_type = "text/plain; charset=utf-8",
	  .help = "call tree as text, the heaviest way first",
	  .tree = tree_text,
	  .diff = diff_text },
	{ .name = "table",
	  .suffix = ".txt",
	  .media_type = "text/plain; charset=utf-8",
	  .help = "functions and how they changed, as text",
	  .diff = diff_table },
	{ .name = "csv",
	  .suffix = ".csv",
	  .media_type = "text/csv; charset=utf-8",
	  .help = "functions and how they changed, as comma-separated values",
	  .diff = diff_csv },
	{ .name = "markdown",
	  .suffix = ".md",
	  .media_type = "text/markdown; charset=utf-8",
	  .help = "functions and how they changed, for a report",
	  .diff = diff_markdown },
	{ .name = "table-json",
	  .media_type = "application/json",
	  .help = "functions and how they changed, as JSON",
	  .diff = diff_table_json },
	{ .name = "term",
	  .media_type = "text/plain; charset=utf-8",
	  .help = "drawn in the terminal",
	  .heatmap = heatmap_term,
	  .fold = fold_term },
	{ .name = NULL },
};

const Exporter *exporter_by_name(const char *name)
{
	for (const Exporter *exporter = exporters; exporter->name != NULL; exporter++) {
		if (strcmp(exporter->name, name) == 0)
			return exporter;
	}
	return NULL;
}

static bool has_suffix(const char *file_name, const char *suffix)
{
	size_t len = strlen(file_name), suffix_len = strlen(suffix);
	return len >= suffix_len && g_ascii_strcasecmp(file_name + len - suffix_len, suffix) == 0;
}

bool exporter_can_show(const Exporter *exporter, Subject subject)
{
	switch (subject) {
	case SUBJECT_HEATMAP:
		return exporter->heatmap != NULL || exporter->page != NULL;
	case SUBJECT_TREE:
		return exporter->tree != NULL || exporter->profile != NULL;
	default:
		return exporter->diff != NULL;
	}
}

const Exporter *exporter_by_suffix(const char *file_name, Subject subject)
{
	for (const Exporter *exporter = exporters; exporter->name != NULL; exporter++) {
		if (exporter_can_show(exporter, subject) && exporter->suffix != NULL &&
		    has_suffix(file_name, exporter->suffix))
			return exporter;
	}
	return NULL;
}
