// SPDX-License-Identifier: MIT
// Pointer and keys: what they mean, in terms of the application.

import { by_id, copy_text } from "./dom.js";
import { step_spike } from "./findings.js";
import { zoom_column } from "./grid.js";
import { show_help } from "./help.js";
import { cells_of_key, clamp_cell, Gestures, is_everything, move_by_cells, select_cell_at } from "./select.js";
import { graph_request } from "./take.js";
import { show_details, show_hover } from "./words.js";

// --- heat map -----------------------------------------------------------------------------------

function point_of(event, container) {
	const box = container.getBoundingClientRect();
	return { x: event.clientX - box.left, y: event.clientY - box.top };
}

export function connect_heatmap(app) {
	const container = by_id("heatmap"), { view } = app;
	const gestures = app.gestures = new Gestures();
	let pan = null;

	const cell_of = (event) => {
		const { x, y } = point_of(event, container);
		return clamp_cell(view.grid, view.cell_at(x, y), app.bounds);
	};
	container.addEventListener("pointerdown", (event) => {
		const { x, y } = point_of(event, container);
		if (view.grid === null || event.button !== 0)
			return;
		container.setPointerCapture(event.pointerId);
		if (view.is_inside(x, y))
			app.select(gestures.press(view.grid, app.selection, cell_of(event), {
				shift: event.shiftKey, more: event.ctrlKey || event.metaKey, band: event.altKey || app.is_band }), true);
		else
			pan = { x, left: view.left, is_moved: false };
	});
	container.addEventListener("pointermove", (event) => {
		if (view.grid === null)
			return;
		const { x, y } = point_of(event, container);
		if (pan !== null) {
			pan.is_moved ||= Math.abs(x - pan.x) > 3;
			return app.pan_to(pan.left - (x - pan.x) * view.ns_per_px);
		}
		const is_dragging = container.hasPointerCapture(event.pointerId);
		const cell = view.is_inside(x, y) || is_dragging ? cell_of(event) : null;
		if (view.set_hover(cell))
			show_hover(app, cell);
		if (is_dragging && (gestures.has_moved || cell.column !== gestures.start.column || cell.row !== gestures.start.row))
			app.select(gestures.drag(view.grid, cell), true);
	});
	const release = () => {
		if (pan !== null) {
			if (!pan.is_moved && pan.x > view.size.left)
				toggle_wall(app);
			pan = null;
			return;
		}
		gestures.release();
		app.change({});
	};
	container.addEventListener("pointerup", (event) => {
		if (container.hasPointerCapture(event.pointerId))
			release();
	});
	container.addEventListener("pointercancel", () => { pan = null; gestures.reset(); });
	container.addEventListener("pointerleave", () => {
		view.set_hover(null);
		show_hover(app, null);
	});
	container.addEventListener("wheel", (event) => wheel(app, container, event), { passive: false });
	container.addEventListener("keydown", (event) => press_in_map(app, event));
}

function wheel(app, container, event) {
	const { view } = app;
	if (view.grid === null)
		return;
	const { x } = point_of(event, container);
	if (event.ctrlKey || event.metaKey) {
		event.preventDefault();
		return zoom(app, event.deltaY < 0 ? 1 : -1, x);
	}
	const by = Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.shiftKey ? event.deltaY : 0;
	if (by === 0)
		return;
	event.preventDefault();
	app.pan_to(view.left + by * view.ns_per_px);
}

function zoom(app, steps, x = app.view.size.left + app.view.size.plot_width / 2) {
	const { view } = app;
	if (view.grid === null)
		return;
	const ns = view.left + (x - view.size.left) * view.ns_per_px;
	const column = zoom_column(view.grid.column_ns, steps);
	if (column !== view.grid.column_ns)
		app.zoom_time(column, ns, x);
}

function toggle_wall(app) {
	app.view.has_wall_axis = !app.view.has_wall_axis && app.view.wall_zero !== null;
	app.view.draw();
}

function press_in_map(app, event) {
	const { view } = app;
	const by = view.grid === null ? undefined : cells_of_key(view.grid, event.key);
	if (by === undefined || event.ctrlKey || event.metaKey || event.altKey)
		return;
	event.preventDefault();
	if (app.selection.every > 0)
		return;
	if (is_everything(app.selection))
		app.select(select_cell_at(view.grid, Math.max(view.window().begin, view.span.begin)));
	else
		app.select(move_by_cells(view.grid, app.selection, by, event.shiftKey, app.bounds));
	const last = app.selection.ranges[app.selection.ranges.length - 1];
	app.reveal(event.shiftKey ? last.end - 1 : last.begin);
	show_hover(app, view.grid.is_time ? cell_of_time(view, last.begin) : null);
}

function cell_of_time(view, ns) {
	const column = Math.floor((ns - view.grid.origin) / view.grid.column_ns);
	const rest = ns - view.grid.origin - column * view.grid.column_ns;
	return { column, row: Math.floor(rest * view.grid.n_rows / view.grid.column_ns) };
}

// --- flame graphs -------------------------------------------------------------------------------

export function connect_flame(app) {
	connect_graph(app, app.flame, (i) => app.zoom_to(i));
	const pick = (view) => (i) => {
		const name = i >= 0 ? view.graph.names[view.graph.name[i]] : "";
		if (name)
			app.change({ focus: name });
	};
	connect_graph(app, app.callers, pick(app.callers));
	connect_graph(app, app.callees, pick(app.callees));
	by_id("flame").addEventListener("keydown", (event) => press_in_flame(app, event));
}

function connect_graph(app, view, on_click) {
	const { container } = view;
	const frame_of = (event) => {
		const { x, y } = point_of(event, container);
		return view.graph === null ? -1 : view.frame_at(x, y);
	};
	container.addEventListener("pointermove", (event) => {
		const i = frame_of(event);
		view.set_hover(i);
		show_details(app, view.graph, i);
	});
	container.addEventListener("pointerleave", () => view.set_hover(-1));
	container.addEventListener("click", (event) => {
		const i = frame_of(event);
		if (i >= 0)
			on_click(i);
	});
}

function press_in_flame(app, event) {
	const { flame } = app;
	if (flame.graph === null || event.ctrlKey || event.metaKey || event.altKey)
		return;
	if (event.key.startsWith("Arrow")) {
		flame.set_hover(flame.walk(event.key));
		flame.reveal(flame.hover);
		show_details(app, flame.graph, flame.hover);
	} else if (event.key === "Enter" && flame.hover >= 0) {
		app.zoom_to(flame.hover);
	} else if (event.key === "Backspace") {
		app.zoom_to(Math.max(flame.graph.parent[flame.zoomed], 0));
	} else {
		return;
	}
	event.preventDefault();
}

// --- keys that work everywhere ------------------------------------------------------------------

function escape(app) {
	if (!by_id("take-menu").hidden)
		app.take.toggle(false);
	else if (app.state.search)
		app.change({ search: "" });
	else if (app.state.focus || app.flame.zoom_path.length > 0)
		app.zoom_to(0);
	else {
		app.gestures.reset();
		app.select_everything();
	}
}

function pan_by(app, screens) {
	const { begin, end } = app.view.window();
	app.pan_to(begin + screens * (end - begin));
}

const tabs = { 1: "", 2: "table", 3: "sandwich" };

const actions = {
	a: (app) => app.select_everything(),
	b: (app) => app.make_baseline(),
	c: (app) => app.toggle_compare(),
	d: (app) => app.take.toggle(),
	f: () => by_id("filter-toggle").click(),
	i: (app) => app.change({ layout: app.state.layout === "icicle" ? "" : "icicle" }),
	n: (app) => step_spike(app, 1),
	p: (app) => step_spike(app, -1),
	r: (app) => app.change({ reverse: app.state.reverse ? "" : "1" }),
	t: (app) => app.change({ chart: app.state.chart ? "" : "1" }),
	w: (app) => toggle_wall(app),
	y: (app) => copy_text(app.take.line_of(graph_request(app.state, "svg"))),
	0: (app) => { app.view.left = 0; app.change({ column: "", left: "" }); },
	"+": (app) => zoom(app, 1),
	"=": (app) => zoom(app, 1),
	"-": (app) => zoom(app, -1),
	"/": () => by_id("search").focus(),
	"?": () => show_help(),
	Escape: escape,
	PageUp: (app) => app.view.grid && pan_by(app, -0.9),
	PageDown: (app) => app.view.grid && pan_by(app, 0.9),
};

function press_anywhere(app, event) {
	const is_typing = event.target.closest?.("input, textarea, select") !== null && event.target.closest !== undefined;
	if ((event.ctrlKey || event.metaKey) && event.key === "f" && by_id("search")) {
		event.preventDefault();
		return by_id("search").focus();
	}
	if (event.ctrlKey || event.metaKey || event.altKey || by_id("help").open)
		return;
	if (is_typing && event.key === "Escape")
		event.target.blur();
	if ((is_typing && event.key !== "Escape") || !app.recording || !app.info)
		return;
	if (event.key in tabs)
		app.change({ tab: tabs[event.key] });
	else if (event.key in actions)
		actions[event.key](app);
	else
		return;
	event.preventDefault();
}

export function connect_keys(app) {
	document.addEventListener("keydown", (event) => press_anywhere(app, event));
	by_id("help-button").addEventListener("click", show_help);
	by_id("compare").addEventListener("click", () => app.toggle_compare());
}
