/* SPDX-License-Identifier: MIT */
#pragma once

/*
 * What makes an SVG interactive: flame-graph.css and flame-graph.js, turned into C by embed.py when
 * the program is built. Constant ASCII text without `]]>`, so that both can stand in a CDATA
 * section.
 */
extern const char flame_graph_style[];
extern const char flame_graph_script[];

/* Parts of the pages of tree-html.c and diff-html.c. */
extern const char flame_report_style[];
extern const char flame_report_body[];
extern const char flame_view_script[];
extern const char flame_report_script[];
extern const char diff_report_body[];
extern const char diff_report_script[];
