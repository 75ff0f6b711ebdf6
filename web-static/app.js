// SPDX-License-Identifier: MIT
// The page: a state (the address bar's), what is asked because of it, and where answers are shown.

import { fill_compare_bar, fill_filter_bar, fill_flame_bar, fill_map_bar, fill_selection_bar } from "./controls.js";
import { by_id, element, format_count, format_share, show_toast } from "./dom.js";
import { make_graph, name_of, sandwich, search } from "./flat.js";
import { FlameView } from "./flame-view.js";
import { load_findings } from "./findings.js";
import { make_grid, relative } from "./grid.js";
import { HeatmapView } from "./heatmap-view.js";
import { connect_flame, connect_heatmap, connect_keys } from "./input.js";
import { Overview } from "./overview.js";
import { ask_graph, ask_map, graph_question, map_question, to_regexp, top_question } from "./questions.js";
import { is_everything, nothing_selected, selection_pairs } from "./select.js";
import { Latest } from "./source.js";
import { format_hash, is_comparing, pairs_of, parse_hash } from "./state.js";
import { show_table } from "./table-view.js";
import { TakeMenu } from "./take.js";
import { dark_query, read_colours } from "./theme.js";
import { format_duration, format_range, format_rough, format_seconds, parse_phase, parse_range, parse_time } from "./time.js";
import { selection_summary } from "./words.js";

const STALE_MS = 120;

// Fills a bar again without taking the focus from the control that caused it.
function refill(bar, fill) {
	const active = bar.contains(document.activeElement) ? document.activeElement : null;
	const label = active?.getAttribute("aria-label"), text = active?.textContent;
	fill();
	if (active === null)
		return;
	for (const one of bar.querySelectorAll("button, input, select"))
		if (label ? one.getAttribute("aria-label") === label : one.textContent === text)
			return one.focus();
}

export class App {
	constructor(source) {
		this.source = source;
		this.state = {};
		this.selection = nothing_selected;
		this.is_band = false;
		this.graph = null;
		this.findings = null;
		this.view = new HeatmapView(by_id("heatmap"));
		this.flame = new FlameView(by_id("flame"));
		this.callers = new FlameView(by_id("callers"));
		this.callees = new FlameView(by_id("callees"));
		this.overview = new Overview(by_id("overview"), (ns) => this.pan_to(ns));
		this.take = new TakeMenu(this);
		const fail = (error) => this.show_error(error);
		const busy = (id) => (is_busy) => by_id(id).setAttribute("aria-busy", String(is_busy));
		this.maps = new Latest((q, signal) => ask_map(this, q, signal), (answer, q) => this.show_map(answer, q), (error) => this.show_map_error(error), busy("heatmap"));
		this.graphs = new Latest((q, signal) => ask_graph(this, q, signal), (answer, q) => this.show_graph(answer, q), fail, busy("flame"));
		this.tables = new Latest((q, signal) => this.source.json(this.recording.id, "top", q, { signal }), (answer) => this.show_top(answer), fail, busy("table"));
	}

	// --- starting ---------------------------------------------------------------------------

	async start() {
		connect_heatmap(this);
		connect_flame(this);
		connect_keys(this);
		this.read_theme();
		dark_query.addEventListener("change", () => { this.read_theme(); this.redraw(); });
		new ResizeObserver(() => this.redraw()).observe(document.body);
		window.addEventListener("hashchange", () => this.open(parse_hash(location.hash)));
		try {
			this.recordings = await this.source.recordings();
		} catch (error) {
			return this.show_map_error(error);
		}
		this.fill_recordings();
		by_id("compare").hidden = !this.source.commands.includes("diff");
		await this.open(parse_hash(location.hash));
	}

	read_theme() {
		const colours = read_colours();
		for (const view of [this.view, this.flame, this.callers, this.callees])
			view.colours = colours;
	}

	fill_recordings() {
		const select = by_id("recording");
		select.replaceChildren(...this.recordings.map(({ id, name, error, state }) =>
			element("option", { value: id, disabled: state === "failed", title: error || "" }, state === "failed" ? `${name} (${error})` : name)));
		select.onchange = () => this.open({ r: select.value });
	}

	path_of(id) {
		return this.recordings.find((recording) => recording.id === id)?.paths[0] || id;
	}

	async open(state) {
		const readable = this.recordings.filter((recording) => recording.state !== "failed");
		const recording = this.recordings.find(({ id }) => id === state.r) || readable[0] || this.recordings[0];
		if (recording === undefined)
			return this.show_map_error(new Error("No recordings: start `flamebeat serve` with files or folders."));
		const is_new = recording !== this.recording;
		this.state = { ...state, r: recording.id };
		this.recording = recording;
		by_id("recording").value = recording.id;
		try {
			if (is_new)
				await this.load_recording();
		} catch (error) {
			this.recording = null;
			return this.open_another(state, error);
		}
		by_id("filter-bar").hidden = !["process", "comm", "cpu", "pid", "tid", "match", "exclude"].some((key) => (this.state[key] || []).length > 0);
		by_id("compare-bar").hidden = !is_comparing(this.state);
		this.change({});
	}

	// A folder has other files too: where no recording was asked for, the first that can be read.
	async open_another(state, error) {
		this.recordings = await this.source.recordings();
		this.fill_recordings();
		if (state.r === undefined && this.recordings.some((recording) => recording.state !== "failed"))
			return this.open(state);
		this.show_map_error(error);
	}

	// What is in the recording: its bounds, relative to zero, its events, its clock.
	async load_recording() {
		this.show_message("Reading the recording…");
		by_id("heatmap").setAttribute("aria-busy", "true");
		const { json: info } = await this.source.json(this.recording.id, "info", [["json", "1"], ...pairs_of(this.state, ["zero"])],
			{ on_reading: () => this.show_reading() });
		by_id("heatmap").setAttribute("aria-busy", "false");
		this.info = info;
		this.last_map = this.last_graph = this.last_top = null;
		this.view.grid = null;
		this.view.match = null;
		this.view.left = -Infinity;
		this.overview.grid = null;
		this.findings = null;
		this.is_timed = info.start_ns !== null;
		const time = (ns) => (this.is_timed ? relative(ns, info.zero_ns) : 0);
		this.view.span = { begin: time(info.start_ns), end: time(info.end_ns) + 1 };
		this.bounds = this.view.bounds = { begin: 0, end: this.view.span.end };
		this.view.wall_zero = info.wall_zero_ns;
		this.default_event = "";
		document.title = this.recording.name + " – flamebeat";
		this.show_facts();
	}

	async show_reading() {
		this.recordings = await this.source.recordings();
		const now = this.recordings.find(({ id }) => id === this.recording.id);
		this.show_message(`Reading the recording… ${now?.percent || 0} %`);
	}

	show_facts() {
		const { info } = this;
		const parts = [`${format_count(info.samples)} samples`];
		if (this.is_timed)
			parts.unshift(format_rough(this.view.span.end - this.view.span.begin));
		if (info.cpus > 0)
			parts.push(`${info.cpus} CPUs`);
		parts.push(`${format_count(info.threads)} threads`);
		if (info.header?.hostname)
			parts.push(info.header.hostname);
		if (this.source.is_file)
			parts.push(`kept in blocks of ${format_rough(this.source.data.block_ns)}, idle samples left out`);
		if (info.lost > 0)
			parts.push(`${format_count(info.lost)} LOST while recording`);
		if (info.skipped_lines > 0)
			parts.push(`${format_count(info.skipped_lines)} lines not understood`);
		by_id("facts").textContent = parts.join(" · ");
		by_id("facts").title = parts.join("\n");
	}

	// --- state ------------------------------------------------------------------------------

	// Sets keys and shows what follows from them; while `is_moving` the address and controls wait.
	change(patch, is_moving = false) {
		Object.assign(this.state, patch);
		this.read_selection();
		this.flame.is_icicle = this.state.layout === "icicle";
		this.flame.is_chart = Boolean(this.state.chart);
		for (const view of [this.flame, this.callers, this.callees])
			view.palette = this.state.colors || "hot";
		this.view.style = { palette: this.state.palette || "flame", scale: this.state.scale || "linear" };
		this.view.selection = is_everything(this.selection) ? null : this.selection;
		const base = this.ranges_of("base-range");
		this.view.baseline = base.length > 0 && !this.state.base ? { ...nothing_selected, ranges: base } : null;
		this.refresh(is_moving);
		if (is_moving)
			return this.view.draw_over();
		this.refill_bars();
		this.redraw();
		this.keep_address();
	}

	keep_address() {
		try {
			history.replaceState(null, "", format_hash(this.state));
		} catch {
			// A browser that is asked too often refuses; the next change catches up.
		}
	}

	ranges_of(key) {
		return (this.state[key] || []).map((text) => parse_range(text, this.bounds)).filter((range) => range !== null);
	}

	read_selection() {
		const every = this.state.every ? parse_time(this.state.every) : 0;
		const phase = every > 0 ? parse_phase(this.state.phase || "", every) : null;
		this.selection = phase !== null ? { ranges: [], every, phase } : { ...nothing_selected, ranges: this.ranges_of("range") };
	}

	select(selection, is_moving = false) {
		this.change(selection_pairs(selection, format_range, format_duration), is_moving);
	}

	select_everything() {
		this.change({ range: [], every: "", phase: "" });
	}

	make_baseline() {
		if ((this.state.range || []).length === 0)
			return show_toast("Select the time to compare with first.");
		this.change({ "base-range": this.state.range, base: "", rest: "", range: [] });
		by_id("compare-bar").hidden = false;
	}

	stop_comparing() {
		by_id("compare-bar").hidden = true;
		this.change({ base: "", "base-range": [], rest: "" });
	}

	toggle_compare() {
		if (!this.source.commands.includes("diff"))
			return;
		const bar = by_id("compare-bar");
		if (!bar.hidden)
			return this.stop_comparing();
		bar.hidden = false;
		this.refill_bars();
		this.redraw();
	}

	refill_selection() {
		refill(by_id("selection-bar"), () => fill_selection_bar(this));
	}

	refill_bars() {
		refill(by_id("map-bar"), () => fill_map_bar(this));
		refill(by_id("filter-bar"), () => fill_filter_bar(this));
		refill(by_id("compare-bar"), () => fill_compare_bar(this));
		refill(by_id("flame-bar"), () => fill_flame_bar(this));
		this.refill_selection();
		by_id("compare").setAttribute("aria-expanded", String(!by_id("compare-bar").hidden));
		this.show_matched();
		this.show_summary();
	}

	// --- asking -----------------------------------------------------------------------------

	// Asks for whatever differs from what was asked last.
	refresh(is_moving) {
		const map = map_question(this), graph = graph_question(this), top = top_question(this);
		const [map_key, graph_key, top_key] = [map, graph, top].map((question) => JSON.stringify(question));
		if (this.is_timed && map_key !== this.last_map)
			this.maps.want({ ...map, asked: performance.now() }, true);
		if (graph_key !== this.last_graph) {
			this.graphs.want({ ...graph, asked: performance.now() }, !is_moving);
			this.mark_stale();
		}
		if (this.state.tab === "table" && top_key !== this.last_top && !is_moving) {
			this.tables.want(top, true);
			this.last_top = top_key;
		}
		this.last_map = map_key;
		this.last_graph = graph_key;
		if (!this.is_timed)
			this.show_message("This recording has no times: its flame graph is below.");
	}

	mark_stale() {
		clearTimeout(this.stale_timer);
		this.stale_timer = setTimeout(() => {
			if (this.graphs.is_busy)
				by_id("flame").classList.add("stale");
		}, STALE_MS);
	}

	// --- showing ----------------------------------------------------------------------------

	show_message(text) {
		const message = by_id("heatmap").querySelector(".message");
		message.textContent = text || "";
		message.hidden = !text;
	}

	show_error(error) {
		show_toast(error.message);
		by_id("flame").classList.remove("stale");
	}

	show_map_error(error) {
		this.view.grid = null;
		by_id("heatmap").setAttribute("aria-busy", "false");
		const { width, height } = this.view.base;
		this.view.base.getContext("2d").clearRect(0, 0, width, height);
		this.view.over.getContext("2d").clearRect(0, 0, width, height);
		this.show_message(error.message);
	}

	show_map({ grid, only }, question) {
		const is_first = this.view.grid === null, answered = performance.now();
		this.show_message("");
		this.default_event ||= this.state.event ? "" : grid.json.event;
		const made = make_grid(grid.json);
		this.view.set_grid(made, only ? make_grid(only.json) : null);
		if (!question.pairs.some(([key]) => key === "range") || this.overview.grid === null)
			this.overview.set_grid(made);
		if (is_first)
			this.view.left = this.state.left ? parse_time(this.state.left) : this.bounds.begin;
		this.redraw();
		refill(by_id("map-bar"), () => fill_map_bar(this));
		this.show_summary();
		if (is_first)
			load_findings(this);
		performance.measure("heatmap", { start: question.asked });
		performance.measure("heatmap-drawn", { start: answered });
	}

	show_graph({ json, notes }, question) {
		clearTimeout(this.stale_timer);
		by_id("flame").classList.remove("stale");
		this.graph = make_graph(json);
		this.notes = notes;
		this.flame.set_graph(this.graph);
		this.draw_flame();
		this.show_summary();
		performance.measure("flame", { start: question.asked, detail: { samples: json.samples, command: question.command } });
		if (this.wants_finer())
			this.refresh(false);
	}

	// Zoomed in further than the answer that is shown was asked for.
	wants_finer() {
		return this.flame.zoomed > 0 && JSON.stringify(graph_question(this)) !== this.last_graph;
	}

	draw_flame() {
		if (this.graph === null)
			return;
		const regexp = to_regexp(this.state.search);
		this.flame.found = regexp === null ? null : search(this.graph, regexp);
		const tab = this.state.tab || "flame";
		by_id("flame").hidden = tab !== "flame";
		by_id("table").hidden = tab !== "table";
		by_id("sandwich").hidden = tab !== "sandwich";
		if (tab === "flame") {
			this.flame.resize();
			this.flame.draw();
		} else if (tab === "sandwich") {
			this.draw_sandwich();
		}
		this.show_matched();
	}

	draw_sandwich() {
		const name = this.state.focus || "";
		const both = name ? sandwich(this.graph, name) : null;
		by_id("details").textContent = both ? `${name}: who calls it above, what it calls below` : name
			? `${name} does not run in the selection.` : "Choose a function in the flame graph or in the list of functions.";
		this.callers.is_icicle = false;
		this.callees.is_icicle = true;
		for (const [view, graph] of [[this.callers, both?.callers], [this.callees, both?.callees]]) {
			view.container.style.visibility = graph ? "" : "hidden";
			if (!graph)
				continue;
			view.zoom_path = [];
			view.set_graph(graph);
			view.draw();
			view.scroll_to_root();
		}
	}

	show_top({ json }) {
		this.top = json;
		this.draw_table();
	}

	draw_table() {
		if (!this.top)
			return;
		show_table(by_id("table"), this.top, {
			sort: this.sort || "self", pattern: to_regexp(this.state.search),
			on_sort: (key) => { this.sort = key; this.draw_table(); },
			on_pick: (name) => this.change({ tab: "sandwich", focus: name }),
		});
	}

	show_matched() {
		const matched = by_id("matched"), found = this.flame.found;
		if (matched === null)
			return;
		matched.textContent = this.state.search && to_regexp(this.state.search) === null ? "not a regular expression"
			: found === null || this.graph === null ? "" : `matched ${format_share(found.weight, this.graph.total)}`;
		by_id("unzoom").hidden = this.flame.zoom_path.length === 0 && !this.state.focus;
	}

	show_summary() {
		const summary = by_id("graph-summary"), selected = by_id("selection-summary");
		if (summary === null || this.graph === null)
			return;
		const { unit, culled } = this.graph;
		const total = this.graph.new ? this.graph.new[0] || 0 : this.graph.total;
		summary.textContent = total === 0 ? "no samples here"
			: `${format_count(total)} ${unit}${culled.frames > 0 ? `, ${format_count(culled.frames)} narrow frames not drawn` : ""}`;
		summary.title = this.notes.join("\n");
		selected.textContent = selection_summary(this);
	}

	// --- moving about -----------------------------------------------------------------------

	redraw() {
		if (this.recording === null || this.recording === undefined)
			return;
		if (this.view.grid !== null) {
			this.view.fit();
			this.view.set_left(this.view.left);
			this.view.draw();
			this.draw_overview();
		}
		this.draw_flame();
	}

	draw_overview() {
		const strip = by_id("overview"), shown = this.view.window();
		const fits = shown.end >= this.bounds.end && shown.begin <= this.bounds.begin;
		strip.hidden = fits;
		if (!fits)
			this.overview.draw(this.bounds, shown, this.view.colours, this.selection.ranges);
	}

	pan_to(ns) {
		if (this.view.grid === null)
			return;
		this.view.set_left(ns);
		this.view.draw();
		this.draw_overview();
		this.refresh(true);
		clearTimeout(this.left_timer);
		this.left_timer = setTimeout(() => {
			this.state.left = this.view.left > this.bounds.begin ? format_seconds(Math.round(this.view.left)) : "";
			this.keep_address();
		}, 300);
	}

	reveal(ns) {
		const { begin, end } = this.view.window();
		if (ns < begin || ns >= end)
			this.pan_to(ns - (end - begin) / 2);
	}

	zoom_time(column_ns, ns, x) {
		const at = Math.max(0, ns - (x - this.view.size.left) * column_ns / Math.max(this.view.size.cell_width, 6));
		this.view.left = at;
		this.change({ column: column_ns === null ? "" : format_duration(column_ns), left: format_seconds(Math.round(at)) });
	}

	zoom_to(i) {
		if (this.graph === null)
			return;
		this.flame.zoom(i);
		const name = i > 0 ? name_of(this.graph, i) : "";
		const group = this.state["group-by"] || "comm";
		const is_group = i > 0 && this.graph.depth[i] === 1 && group !== "none" && !this.state.reverse;
		this.change({ focus: is_group ? (group === "comm" || group === "process" ? `${group}=${name}` : "") : name });
	}

	type_search(text) {
		clearTimeout(this.search_timer);
		this.state.search = text;
		this.draw_flame();
		this.draw_table();
		this.search_timer = setTimeout(() => { this.refresh(false); this.keep_address(); }, 200);
	}

}
