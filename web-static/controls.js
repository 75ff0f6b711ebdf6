// SPDX-License-Identifier: MIT
// The rows of controls: each says which key of the state it shows and sets.

import { change_legend, frame_palette_names, palette_colour, palette_names, scale_names, shade_scales } from "./colour.js";
import { by_id, element, format_count, make_input, make_select, make_toggle } from "./dom.js";
import { find_buttons } from "./findings.js";
import { shown_match } from "./questions.js";
import { format_range, format_rough, parse_range, parse_time } from "./time.js";
import { selection_summary } from "./words.js";

const columns = [["", "auto"], "10ms", "20ms", "50ms", "100ms", "200ms", "500ms", "1s", "2s", "5s", "10s", "30s", "1m", "5m", "10m", "1h"];
const row_counts = [["", "auto"], "10", "20", "25", "49", "50", "60", "99", "100"];
const by_choices = ["time", "cpu", "thread", "comm", "pool", "process"];
const group_choices = ["comm", "process", "pool", "pid", "tid", "cpu", "cgroup", "none"];

// A list with `value` in it, also where it was typed into the address.
const with_value = (list, value) =>
	(list.some((option) => (Array.isArray(option) ? option[0] : option) === value) ? list : [...list, value]);

export function fill_map_bar(app) {
	const { state } = app;
	const choose = (label, key, list, fallback) => make_select(label, with_value(list, state[key] || fallback),
		state[key] || fallback, (value) => app.change({ [key]: value === fallback ? "" : value }));
	const events = app.info.events.map(({ name, samples }) => [name, `${name} (${format_count(samples)})`]);
	const event = state.event || app.default_event;
	const { is_file } = app.source;
	// A page that carries its data has samples of threads, by blocks: no periods, no CPUs, no idle ones.
	const by = is_file ? by_choices.filter((name) => name !== "cpu") : by_choices;
	const scales = is_file ? scale_names.filter((name) => !shade_scales.includes(name)) : scale_names;
	by_id("map-bar").replaceChildren(
		make_select("Event", with_value(events.length > 1 && !is_file ? [...events, ["all", "all events"]] : events, event), event,
			(value) => app.change({ event: value === app.default_event ? "" : value })),
		...(is_file ? [] : [choose("Weight", "weight", ["samples", "period"], "samples"),
			choose("Idle", "idle", ["drop", "keep", "only"], "drop")]),
		choose("Column", "column", columns, ""),
		choose("Rows", "rows", row_counts, ""),
		choose("By", "by", by, "time"),
		make_select("Scale", scales, state.scale || "linear", (value) => app.change({ scale: value === "linear" ? "" : value,
			...(value === "surprise" ? { palette: "balance" } : state.palette === "balance" ? { palette: "" } : {}) })),
		choose("Palette", "palette", palette_names, "flame"),
		make_toggle(filter_title(state), !by_id("filter-bar").hidden, (is_on) => { by_id("filter-bar").hidden = !is_on; },
			{ id: "filter-toggle", title: "Filters (f)" }));
	fill_legend(app);
}

const filter_fields = [
	["process", "Process", "name matches (regular expression)", 11], ["comm", "Thread", "name matches (regular expression)", 11],
	["cpu", "CPU", "list such as 0-3,7", 5], ["pid", "Pid", "numbers", 5], ["tid", "Tid", "numbers", 5],
	["match", "Stack has", "a frame whose name matches", 14], ["exclude", "has not", "a frame whose name matches", 14],
];
const plural = new Set(["pid", "tid"]);

function filter_title(state) {
	const n = filter_fields.filter(([key]) => state[key] && state[key].length > 0).length;
	return n > 0 ? `Filters (${n})` : "Filters";
}

export function fill_filter_bar(app) {
	const fields = filter_fields.filter(([key]) => key !== "cpu" || !app.source.is_file).map(([key, label, title, size]) => {
		const value = [app.state[key] || []].flat().join(plural.has(key) ? " " : "|");
		return make_input(label, value, (text) => {
			const values = plural.has(key) ? text.split(/[\s,]+/).filter(Boolean) : text ? [text] : [];
			app.change({ [key]: key === "cpu" ? text : values });
		}, { size, title, placeholder: key === "cpu" ? "all" : "" });
	});
	by_id("filter-bar").replaceChildren(...fields,
		element("button", { onclick: () => app.change(Object.fromEntries(filter_fields.map(([key]) => [key, ""]))) }, "Clear filters"));
	by_id("filter-toggle").textContent = filter_title(app.state);
}

// --- legend -----------------------------------------------------------------------------------

function paint_ramp(canvas, palette, is_dark, scale) {
	const ratio = window.devicePixelRatio || 1;
	canvas.width = 120 * ratio;
	canvas.height = 9 * ratio;
	const context = canvas.getContext("2d");
	for (let x = 0; x < canvas.width; x++) {
		const position = x / (canvas.width - 1);
		const value = Math.round(position * scale.top);
		context.fillStyle = `rgb(${palette_colour(palette, is_dark, position, palette === "enhanced" ? value : 0, scale.max).join(",")})`;
		context.fillRect(x, 0, 1, canvas.height);
	}
}

function fill_legend(app) {
	const { view } = app;
	const legend = by_id("legend");
	if (view.grid === null)
		return legend.replaceChildren();
	const scale = view.match ? view.match_scale : view.scale;
	const canvas = element("canvas");
	paint_ramp(canvas, view.match ? "match" : view.style.palette, view.colours.is_dark, scale);
	if (view.grid.shade !== null && !view.match)
		return fill_shade_legend(legend, canvas, app.state.scale);
	const what = view.match ? `when ${shown_match(app)} runs` : view.grid.unit;
	const cell = view.grid.is_time ? view.grid.column_ns / view.grid.n_rows : view.grid.column_ns;
	const most = format_count(scale.top) + (scale.top < scale.max ? "+" : "");
	const kind = view.grid.cell === "peak" ? `busiest 20 ms of ${format_rough(cell)}` : format_rough(cell);
	legend.setAttribute("aria-label", `Colours: 1 to ${most} ${what} in ${kind}, ${scale.kind} scale`);
	legend.replaceChildren("1", canvas, `${most} ${shorten(what)} / ${kind}`);
}

function fill_shade_legend(legend, canvas, scale) {
	const words = scale === "capacity" ? ["0", "all CPUs busy"] : ["less than expected", "more (± 8 deviations)"];
	legend.setAttribute("aria-label", `Colours: from ${words.join(" to ")}`);
	legend.replaceChildren(words[0], canvas, words[1]);
}

const shorten = (text) => (text.length > 46 ? text.slice(0, 45) + "…" : text);

// --- selection --------------------------------------------------------------------------------

function range_chips(app, key) {
	const ranges = app.state[key] || [];
	return ranges.slice(0, 6).map((range, i) => element("span", { class: "chip" }, range + " s",
		element("button", { "aria-label": `Remove ${range}`, onclick: () => app.change({ [key]: ranges.filter((_, k) => k !== i) }) }, "×")));
}

// Typed times: a range such as 12.4..12.6, several with blanks between.
function time_field(app, key, label) {
	const text = (app.state[key] || []).join(" ");
	return make_input(label, text, (typed) => {
		const words = typed.split(/[\s,]+/).filter(Boolean);
		const bad = words.find((word) => !word.startsWith("@") && parse_range(word, app.bounds) === null &&
			!/^[^.]+\+/.test(word) && !/\d:\d/.test(word));
		if (bad !== undefined)
			return `not a range: ${bad}; write FROM..TO in seconds, or with units`;
		app.change({ [key]: words.map((word) => {
			const range = parse_range(word, app.bounds);
			return range === null ? word : format_range(range);
		}), ...(key === "range" ? { every: "", phase: "" } : {}) });
		return "";
	}, { size: 26, placeholder: "FROM..TO", title: "Seconds, or with units: 12.4..12.6, 1500ms..2s, -3.. (from the end)" });
}

function period_fields(app) {
	const { state } = app;
	const every = make_input("Every", state.every || "", (text) => {
		if (text !== "" && !(parse_time(text) > 0))
			return "a period such as 1.3s or 700ms";
		app.change(text === "" ? { every: "", phase: "" } : { every: text, phase: state.phase || "0..0.5", range: [] });
		return "";
	}, { size: 7, placeholder: "1.3s", title: "The same part of every period of this length" });
	const phase = make_input("Phase", state.phase || "", (text) => {
		if (text !== "" && text.split("..").length !== 2)
			return "a part such as 0.42..0.55 or 546ms..715ms";
		app.change({ phase: text });
		return "";
	}, { size: 13, placeholder: "0.42..0.55" });
	return [every, phase];
}

export function fill_selection_bar(app) {
	const n = (app.state.range || []).length;
	by_id("selection-bar").replaceChildren(
		time_field(app, "range", "Selection"),
		...(n > 1 ? range_chips(app, "range") : []),
		...period_fields(app),
		make_toggle("Band", app.is_band, (is_on) => { app.is_band = is_on; },
			{ title: "Drag selects the same rows of every column (or hold Alt)" }),
		element("button", { onclick: () => app.select_everything(), title: "The whole recording (a)" }, "Whole recording"),
		element("span", { class: "dim number", id: "selection-summary" }, selection_summary(app)),
		...find_buttons(app));
}

export function fill_compare_bar(app) {
	const { state } = app;
	const others = app.recordings.filter(({ id, state: is }) => id !== app.recording.id && is !== "failed");
	const kind = state.rest ? "rest" : state.base ? "base" : "range";
	by_id("compare-bar").replaceChildren(
		make_select("Baseline", [["range", "another selection"], ["rest", "the rest of the recording"],
			...(others.length > 0 ? [["base", "another recording"]] : [])], kind, (value) => app.change({
			rest: value === "rest" ? "1" : "", base: value === "base" ? others[0].id : "", "base-range": [] })),
		...(kind === "base" ? [make_select("Recording", others.map(({ id, name }) => [id, name]), state.base, (base) => app.change({ base }))] : []),
		...(kind === "rest" ? [] : [time_field(app, "base-range", kind === "base" ? "Its range" : "Baseline range")]),
		...(kind === "range" ? [element("button", { onclick: () => app.make_baseline(), title: "b" }, "Selection becomes baseline")] : []),
		element("span", { class: "dim" }, kind === "range" && !(state["base-range"] || []).length
			? "Select the quiet time and make it the baseline, then select what you want explained." : ""),
		make_change_legend(),
		element("button", { onclick: () => app.stop_comparing() }, "Stop comparing"));
}

// Steps of the ratio, less on the left; a swatch is named by its position and its words.
function make_change_legend() {
	const swatch = (colour) => {
		const one = element("i", { class: "swatch" });
		one.style.background = colour;
		return one;
	};
	const { more, less, noise } = change_legend;
	return element("span", { class: "legend push", role: "img", "aria-label": "Colours: blue less than the baseline, grey may be noise, orange more; darker beyond 1.25, 2 and 4 times" },
		"less ÷4 ÷2", element("span", {}, ...[...less].reverse().map(swatch)), element("span", {}, swatch(noise)), "may be noise",
		element("span", {}, ...more.map(swatch)), "×2 ×4 more");
}

// --- flame graph ------------------------------------------------------------------------------

const tabs = [["flame", "Flame graph"], ["table", "Functions"], ["sandwich", "Callers & callees"]];

export function fill_flame_bar(app) {
	const { state } = app;
	const tab = state.tab || "flame", { is_file } = app.source;
	const tab_list = element("span", { class: "tabs", role: "tablist" }, ...tabs.map(([key, text], i) =>
		element("button", { role: "tab", "aria-selected": String(key === tab), title: `${text} (${i + 1})`,
			onclick: () => app.change({ tab: key === "flame" ? "" : key }) }, text)));
	const search = make_input("Search", state.search || "", () => "", { type: "search", size: 18, id: "search",
		title: "Regular expression on names (/)", oninput: (event) => app.type_search(event.target.value) });
	by_id("flame-bar").replaceChildren(tab_list,
		make_select("Group by", is_file ? group_choices.filter((name) => !["cpu", "cgroup"].includes(name)) : group_choices, state["group-by"] || "comm",
			(value) => app.change({ "group-by": value === "comm" ? "" : value })),
		make_select("Colours", frame_palette_names, state.colors || "hot", (value) => app.change({ colors: value === "hot" ? "" : value })),
		make_toggle("Icicle", state.layout === "icicle", (is_on) => app.change({ layout: is_on ? "icicle" : "" }), { title: "Root at the top (i)" }),
		...(is_file ? [] : [make_toggle("Chart", Boolean(state.chart), (is_on) => app.change({ chart: is_on ? "1" : "" }), { title: "Time from left to right, a lane for each thread (t)" })]),
		make_toggle("Reverse", Boolean(state.reverse), (is_on) => app.change({ reverse: is_on ? "1" : "" }), { title: "Merge from the leaf (r)" }),
		search, element("span", { class: "dim number", id: "matched" }),
		element("button", { id: "unzoom", hidden: true, onclick: () => app.zoom_to(0) }, "Reset zoom"));
}

