/* SPDX-License-Identifier: MIT */
#pragma once

/*
 * What the rows of exporters.c point to: one function a form, each in the file named beside it.
 * All of them: see Exporter in exporter.h.
 */

#include "render/exporter.h"

bool heatmap_png(FILE *out, const Heatmap *heatmap, const Caption *caption,
		 const HeatmapStyle *style, GError **error); /* heatmap-png.c */
bool heatmap_json(FILE *out, const Heatmap *heatmap, const Caption *caption,
		  const HeatmapStyle *style, GError **error); /* heatmap-json.c */
bool heatmap_term(FILE *out, const Heatmap *heatmap, const Caption *caption,
		  const HeatmapStyle *style, GError **error); /* heatmap-term.c */

bool fold_png(FILE *out, const Fold *fold, const Caption *caption, const HeatmapStyle *style,
	      GError **error); /* fold-png.c */
bool fold_json(FILE *out, const Fold *fold, const Caption *caption, const HeatmapStyle *style,
	       GError **error); /* fold-json.c */
bool fold_term(FILE *out, const Fold *fold, const Caption *caption, const HeatmapStyle *style,
	       GError **error); /* fold-term.c */

bool profile_speedscope(FILE *out, const Profile *profile, const Caption *caption,
			GError **error); /* profile-speedscope.c */
bool profile_pprof(FILE *out, const Profile *profile, const Caption *caption,
		   GError **error); /* profile-pprof.c */

bool tree_svg(FILE *out, const CallTree *tree, const Caption *caption, const TreeStyle *style,
	      GError **error); /* tree-svg.c */
bool tree_svg_inline(FILE *out, const CallTree *tree, const Caption *caption,
		     const TreeStyle *style, GError **error); /* tree-svg.c: within a page */
bool tree_png(FILE *out, const CallTree *tree, const Caption *caption, const TreeStyle *style,
	      GError **error); /* tree-png.c */
bool tree_text(FILE *out, const CallTree *tree, const Caption *caption, const TreeStyle *style,
	       GError **error); /* tree-text.c */
bool tree_json(FILE *out, const CallTree *tree, const Caption *caption, const TreeStyle *style,
	       GError **error); /* tree-json.c: {"name","value","children"} */
bool tree_flamescope(FILE *out, const CallTree *tree, const Caption *caption,
		     const TreeStyle *style, GError **error); /* tree-flamescope.c */
bool tree_flat(FILE *out, const CallTree *tree, const Caption *caption, const TreeStyle *style,
	       GError **error); /* tree-flat.c: what is drawn, as arrays */
bool tree_html(FILE *out, const CallTree *tree, const Caption *caption, const TreeStyle *style,
	       GError **error); /* tree-html.c */
bool tree_folded(FILE *out, const CallTree *tree, const Caption *caption, const TreeStyle *style,
		 GError **error); /* tree-folded.c */

/* Two sides compared. */
bool diff_svg(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
	      GError **error); /* diff-picture.c */
bool diff_svg_inline(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
		     GError **error); /* diff-picture.c: within a page */
bool diff_html(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
	       GError **error); /* diff-html.c */
bool diff_png(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
	      GError **error); /* diff-picture.c */
bool diff_text(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
	       GError **error); /* diff-picture.c */
bool diff_flamescope(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
		     GError **error); /* diff-json.c: {"n","l","v","d","c"} */
bool diff_json(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
	       GError **error); /* diff-json.c: {"name","value","delta",…,"children"} */
bool diff_flat(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
	       GError **error); /* diff-flat.c: what is drawn, as arrays */
bool diff_folded(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
		 GError **error); /* tree-folded.c: two weights, base first */
bool diff_table(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
		GError **error); /* diff-table.c */
bool diff_csv(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
	      GError **error); /* diff-table.c */
bool diff_markdown(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
		   GError **error); /* diff-table.c */
bool diff_table_json(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
		     GError **error); /* diff-json.c */
bool diff_pprof(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
		GError **error); /* diff-pprof.c: a value for each side */
bool diff_speedscope(FILE *out, const Diff *diff, const Caption *caption, const DiffStyle *style,
		     GError **error); /* diff-speedscope.c: a profile for each side */
