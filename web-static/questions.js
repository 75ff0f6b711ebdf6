// SPDX-License-Identifier: MIT
// What is asked of the program because of the state: pairs of option names and values.

import { shade_scales } from "./colour.js";
import { by_id } from "./dom.js";
import { diff_pairs, is_comparing, map_pairs, slice_pairs } from "./state.js";
import { format_range, parse_time } from "./time.js";

const MANY_COLUMNS = 6000;
const DRAWN_PX = 0.4, DRAWN_PX_OF_CHART = 0.05;

const escape_regexp = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// The text of a search as an expression; null where there is none or it is not one.
export function to_regexp(text) {
	try {
		return text ? new RegExp(text) : null;
	} catch {
		return null;
	}
}

// Where a search or a function is shown: what picks its samples; null where nothing is.
export function match_pair(app) {
	const { search: text, focus } = app.state;
	if (text)
		return to_regexp(text) ? ["match", text] : null;
	const group = /^(comm|process)=(.*)$/s.exec(focus || "");
	if (group !== null)
		return [group[1], `^${escape_regexp(group[2]).replace(/_/g, "[ _]")}$`];
	return focus ? ["match", `^${escape_regexp(focus)}$`] : null;
}

export function shown_match(app) {
	return app.state.search ? `/${app.state.search}/` : (app.state.focus || "").replace(/^(comm|process)=/, "");
}

// A grid of too many columns is asked for in parts: what is on the screen, and as much beside it.
export function map_window(app) {
	const column = app.state.column ? parse_time(app.state.column) : 0;
	if (!(column > 0) || (app.bounds.end - app.bounds.begin) / column <= MANY_COLUMNS)
		return null;
	const span = 2000 * column;
	const left = Number.isFinite(app.view.left) ? app.view.left : 0;
	const begin = Math.max(0, Math.floor(left / span - 1) * span);
	return { begin, end: Math.min(begin + 3 * span, app.bounds.end) };
}

export function map_question(app) {
	const part = map_window(app);
	const auto = app.state.column ? [] : [["column", "auto"]];
	const shade = shade_scales.includes(app.state.scale) ? [["scale", app.state.scale]] : [];
	const pairs = [...map_pairs(app.state), ...shade, ...auto, ...(part ? [["range", format_range(part)]] : []), ["format", "json"]];
	return { pairs, match: match_pair(app) };
}

export async function ask_map(app, { pairs, match }, signal) {
	const ask = (more) => app.source.json(app.recording.id, "heatmap", more, { signal });
	const matched = match && pairs.filter(([key]) => key !== match[0]).concat([match]);
	const [grid, only] = await Promise.all([ask(pairs), matched ? ask(matched) : null]);
	const cell_ns = grid.json.column_ns / grid.json.rows.length;
	if (grid.json.by === "time" && cell_ns > 1e8 && !app.state.cell) {
		const peak = [["cell", "peak"]];
		const [sharp, sharp_only] = await Promise.all([ask([...pairs, ...peak]), matched ? ask([...matched, ...peak]) : null]);
		return { grid: sharp, only: sharp_only };
	}
	return { grid, only };
}

export function graph_question(app) {
	const width = Math.max(400, Math.round(by_id("flame-panel").clientWidth));
	const { graph, flame } = app;
	const share = graph !== null && flame.zoom_path.length > 0 ? graph.value[flame.zoomed] / Math.max(graph.value[0], 1) : 1;
	const px = app.state.tab === "sandwich" ? 0.02 : (app.state.chart ? DRAWN_PX_OF_CHART : DRAWN_PX) * Math.min(1, share);
	const size = [["width", String(Math.min(width, 20000))], ["min-width", String(Number(px.toPrecision(2)))], ["format", "flat"]];
	if (is_comparing(app.state) && can_compare(app))
		return { command: "diff", pairs: [...diff_pairs(app.state), ...size] };
	return { command: "slice", pairs: [...slice_pairs(app.state), ...size] };
}

// A baseline, and something other than it to be judged.
export function can_compare(app) {
	return Boolean(app.state.base) || (app.state["base-range"] || []).length > 0 ||
		(Boolean(app.state.rest) && (app.state.range || []).length > 0);
}

export function ask_graph(app, { command, pairs }, signal) {
	return app.source.json(app.recording.id, command, pairs, { signal });
}

export function top_question(app) {
	return [...slice_pairs(app.state).filter(([key]) => !["group-by", "reverse", "chart"].includes(key)), ["json", "1"]];
}
