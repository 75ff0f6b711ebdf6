// SPDX-License-Identifier: MIT
// What is said about a cell, a frame, a selection.

import { by_id, element, format_count, format_share } from "./dom.js";
import { name_of } from "./flat.js";
import { shown_match } from "./questions.js";
import { is_everything } from "./select.js";
import { is_comparing } from "./state.js";
import { format_rough, format_seconds, format_wall, merge_ranges } from "./time.js";

export function selected_ns(app) {
	const { every, phase, ranges } = app.selection;
	const whole = app.bounds.end - app.bounds.begin;
	if (every > 0)
		return whole * (phase.end - phase.begin) / every;
	return merge_ranges(ranges).reduce((sum, { begin, end }) => sum + end - begin, 0);
}

export function selection_summary(app) {
	const whole = app.overview.grid === null ? 0 : app.view.grid?.total || 0;
	if (!app.is_timed || is_everything(app.selection))
		return "whole recording";
	const share = app.graph !== null && whole > 0 && app.graph.unit === app.view.grid.unit && !is_comparing(app.state) ? ` · ${format_share(app.graph.total, whole)} of ${app.graph.unit}` : "";
	return format_rough(selected_ns(app)) + share;
}

// What the program knows of the machine: samples that all its CPUs could have had in `ns`.
export function capacity(app, ns) {
	const { info } = app;
	const hz = Number(info.sample_freq || /sample_freq \} = (\d+)/.exec(info.header?.event || "")?.[1] || info.header?.sample_freq || 0);
	return app.view.grid.unit === "samples" && app.view.grid.cell === "sum" ? hz * info.cpus * ns / 1e9 : 0;
}

export function show_hover(app, cell) {
	const about = cell === null ? null : app.view.describe(cell);
	const line = by_id("hover");
	if (about === null)
		return line.replaceChildren();
	const { unit } = app.view.grid;
	const wall = format_wall(about.begin, app.view.wall_zero, 1e6);
	const parts = [`${format_seconds(about.begin)}..${format_seconds(about.end)} s`, wall, about.label, `${format_count(about.weight)} ${unit}`];
	const possible = app.view.grid.is_time ? capacity(app, about.end - about.begin) : 0;
	if (possible > 0)
		parts.push(`${format_share(about.weight, possible)} of capacity`);
	if (about.matched !== null)
		parts.push(`${format_count(about.matched)} of them ${shown_match(app)}`);
	line.replaceChildren(element("b", {}, parts[0]), " · " + parts.slice(1).filter((part) => part !== null).join(" · "));
}

function change_words(graph, i) {
	const side = (key) => `${format_count(graph[key][i])} (${format_share(graph[key][i], graph[key][0])})`;
	const ratio = 2 ** (graph.log2_ratio_ppm[i] / 1e6);
	const times = graph.base[i] === 0 ? "new" : graph.new[i] === 0 ? "gone" : `×${Number(ratio.toPrecision(3))}`;
	const points = Math.abs(graph.points[i]) < 0.005 ? "" : `, ${graph.points[i] > 0 ? "+" : ""}${graph.points[i].toFixed(2)} points`;
	return ` · now ${side("new")}, baseline ${side("base")} ${graph.unit} · ${times}${points}${graph.significant[i] ? "" : " · may be noise"}`;
}

export function show_details(app, graph, i) {
	const line = by_id("details");
	if (graph === null || i < 0)
		return line.replaceChildren();
	const kind = ["kernel", "JIT", "inlined", "user", "", ""][graph.kinds[graph.name[i]]];
	if (graph.significant !== undefined)
		return line.replaceChildren(element("b", {}, name_of(graph, i)), change_words(graph, i));
	line.replaceChildren(element("b", {}, name_of(graph, i)),
		` · ${format_count(graph.value[i])} ${graph.unit} (${format_share(graph.value[i], graph.total)})` +
		` · self ${format_count(graph.self[i])} (${format_share(graph.self[i], graph.total)})${kind ? " · " + kind : ""}`);
}
