/* SPDX-License-Identifier: MIT */
"use strict";
/*
 * Zoom, search and hover for the SVG around this script. The frames are read once into arrays in
 * document order (callers before callees), so that a subtree is a run and an ancestor is found by
 * following `parent`. Positions are computed from the exact weights in data-b and data-w. Names
 * are only ever text: nothing here makes markup.
 */
(function () {
	const svg = document.currentScript.closest("svg");
	const frames_group = svg.querySelector("#frames");
	const is_alone = svg === document.documentElement;
	const is_icicle = frames_group.dataset.layout === "icicle";
	const unit = frames_group.dataset.unit;
	const name_kind = frames_group.dataset.kind;
	const is_fluid = frames_group.dataset.fluid === "1";
	const row_height = Number(frames_group.dataset.row);
	const axis = svg.querySelector("#axis"); /* of a flame chart: time runs to the right */
	const pad = 10, inset = 3, min_page_width = 320;
	const search_fill = "rgb(230,0,230)";
	const by_id = (id) => svg.querySelector("#" + id);
	const details = by_id("details"), matched = by_id("matched");
	const buttons = {
		unzoom: by_id("unzoom"),
		search: by_id("search"),
		ignorecase: by_id("ignorecase"),
	};

	const frames = Array.from(frames_group.children, read_frame);
	const drawn_width = svg.viewBox.baseVal.width;
	let width = drawn_width;
	let zoomed = 0, current = -1;
	let term = "", ignore_case = false;

	function read_frame(g, id) {
		const title = g.querySelector("title").textContent;
		const rect = g.querySelector("rect");
		const end = title.lastIndexOf(" (", title.lastIndexOf(" " + unit + ", "));
		g.dataset.id = id;
		return {
			g, rect, title,
			text: g.querySelector("text"),
			name: title.slice(0, end),
			begin: Number(g.dataset.b),
			weight: Number(g.dataset.w),
			x: rect.getAttribute("x"),
			y: rect.getAttribute("y"),
			fill: rect.getAttribute("fill"),
			depth: 0,
			parent: -1,
		};
	}

	/* Depths and parents follow from the rows that the frames are drawn in. */
	function link_frames() {
		const last = [];
		frames.forEach((frame, id) => {
			frame.depth = Math.round(Math.abs(frame.y - frames[0].y) / row_height);
			frame.parent = frame.depth > 0 ? last[frame.depth - 1] ?? 0 : -1;
			last[frame.depth] = id;
		});
	}

	/* --- labels ---------------------------------------------------------------------------- */

	const character_widths = new Map();
	const ruler = make_ruler();

	function make_ruler() {
		const canvas = document.createElementNS("http://www.w3.org/1999/xhtml", "canvas");
		const context = canvas.getContext && canvas.getContext("2d");
		const label = svg.querySelector("#frames text");
		if (context && label) {
			const style = getComputedStyle(label);
			context.font = style.fontSize + " " + style.fontFamily;
		}
		return context;
	}

	function character_width(character) {
		let found = character_widths.get(character);
		if (found === undefined) {
			found = ruler ? ruler.measureText(character).width : 7.1;
			character_widths.set(character, found);
		}
		return found;
	}

	/* As much of `name` as fits, with two dots where it is cut. */
	function label(name, room) {
		const dots = 2 * character_width(".");
		let used = 0, kept = "", n_kept = 0;
		if (room < 12)
			return "";
		name = name.replace(/_\[[kjiw]\]$/, "");
		for (const character of name) {
			used += character_width(character);
			if (used > room)
				return n_kept > 0 ? kept + ".." : "";
			if (used + dots <= room) {
				kept += character;
				n_kept++;
			}
		}
		return name;
	}

	/* --- drawing --------------------------------------------------------------------------- */

	function place(frame, begin, weight) {
		const scale = (width - 2 * pad) / frames[zoomed].weight;
		const x = pad + (begin - frames[zoomed].begin) * scale;
		frame.rect.setAttribute("x", x.toFixed(2));
		frame.rect.setAttribute("width", (weight * scale).toFixed(2));
		frame.text.setAttribute("x", (x + inset).toFixed(2));
		frame.text.textContent = label(frame.name, weight * scale - 2 * inset);
	}

	function set_class(g, wanted) {
		if ((g.getAttribute("class") || "") !== wanted)
			g.setAttribute("class", wanted);
	}

	/* What of a chart is within the time of the frame that was clicked, in all lanes. */
	function draw_chart() {
		const begin = frames[zoomed].begin, end = begin + frames[zoomed].weight;
		frames.forEach((frame, id) => {
			const from = Math.max(frame.begin, begin);
			const to = Math.min(frame.begin + frame.weight, end);
			set_class(frame.g, (from < to ? "" : "hide") + (id === current ? " current" : ""));
			if (from < to)
				place(frame, from, to - from);
		});
		draw_axis(begin, end - begin);
		buttons.unzoom.classList.toggle("hide", frames[zoomed].weight === frames[0].weight);
	}

	/* 1, 2, 5, 10, ... microseconds. */
	function round_step(least) {
		const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
		return power * ([1, 2, 5].find((factor) => factor * power >= least) || 10);
	}

	const axis_line = axis && axis.querySelector("line"), axis_text = axis && axis.querySelector("text");
	const axis_begin = axis && Number(axis.dataset.begin);

	function add_tick(time, x) {
		const line = axis_line.cloneNode(), text = axis_text.cloneNode();
		line.setAttribute("x1", x.toFixed(2));
		line.setAttribute("x2", x.toFixed(2));
		text.setAttribute("x", Math.min(Math.max(x, 26), width - 26).toFixed(2));
		text.textContent = Number((time / 1e6).toFixed(6)) + " s";
		axis.append(line, text);
	}

	function draw_axis(begin, length) {
		const room = width - 2 * pad, step = round_step(100 * length / room);
		if (!axis_line)
			return;
		axis.replaceChildren();
		for (let i = Math.ceil((axis_begin + begin) / step); i * step <= axis_begin + begin + length; i++)
			add_tick(i * step, pad + (i * step - axis_begin - begin) * room / length);
	}

	function draw() {
		const root = frames[zoomed];
		if (axis)
			return draw_chart();
		const ancestors = new Set();
		for (let id = root.parent; id >= 0; id = frames[id].parent)
			ancestors.add(id);
		let is_below = false;
		frames.forEach((frame, id) => {
			is_below = id === zoomed || (is_below && frame.depth > root.depth);
			const is_ancestor = ancestors.has(id);
			const mark = id === current ? " current" : "";
			set_class(frame.g, (is_below ? "" : is_ancestor ? "parent" : "hide") + mark);
			if (is_below)
				place(frame, frame.begin, frame.weight);
			else if (is_ancestor)
				place(frame, root.begin, root.weight);
		});
		buttons.unzoom.classList.toggle("hide", zoomed === 0);
	}

	/* As wide as the window, or of the width that was asked for. */
	function fit_window() {
		if (!is_alone || !is_fluid)
			return;
		const window_width = document.documentElement.clientWidth || window.innerWidth;
		const new_width = Math.max(min_page_width, window_width || drawn_width);
		if (new_width === width)
			return;
		const move = (element, x) => element.setAttribute("x", x);
		width = new_width;
		svg.setAttribute("width", width);
		svg.setAttribute("viewBox", "0 0 " + width + " " + svg.viewBox.baseVal.height);
		svg.querySelectorAll("#title, #subtitle > tspan").forEach((e) => move(e, width / 2));
		move(buttons.search, width - pad - 26);
		move(buttons.ignorecase, width - pad);
		move(matched, width - pad);
		draw();
	}

	/* --- zoom and search ------------------------------------------------------------------- */

	function zoom(id) {
		zoomed = id;
		draw();
		save_view();
	}

	function to_regexp(text) {
		try {
			return new RegExp(text, ignore_case ? "i" : "");
		} catch (error) {
			details.textContent = "Not a regular expression: " + text;
			return null;
		}
	}

	/* Weight of what matches, callees of a match not counted again. */
	function highlight(regexp) {
		let total = 0, matched_depth = Infinity;
		for (const frame of frames) {
			const is_hit = regexp !== null && regexp.test(frame.name);
			frame.rect.setAttribute("fill", is_hit ? search_fill : frame.fill);
			if (frame.depth <= matched_depth)
				matched_depth = Infinity;
			if (is_hit && matched_depth === Infinity) {
				matched_depth = frame.depth;
				total += frame.weight;
			}
		}
		return total;
	}

	function search(text) {
		show_details(current);
		const regexp = text === "" ? null : to_regexp(text);
		const weight = highlight(regexp);
		term = regexp === null ? "" : text;
		buttons.search.textContent = term === "" ? "Search" : "Reset Search";
		const percent = 100 * weight / Number(frames_group.dataset.total);
		matched.textContent = term === "" ? " " :
			"Matched: " + (percent === 100 ? "100" : percent.toFixed(1)) + "%";
		save_view();
	}

	function ask() {
		const text = window.prompt("Enter a search term (a regular expression, e.g. ^ext4_)", term);
		if (text !== null)
			search(text);
	}

	function set_case(is_ignored) {
		ignore_case = is_ignored;
		buttons.ignorecase.classList.toggle("off", !ignore_case);
	}

	function toggle_case() {
		set_case(!ignore_case);
		search(term);
	}

	/* --- the view in the address ----------------------------------------------------------- */

	function save_view() {
		if (!is_alone)
			return;
		const query = new URLSearchParams(location.search);
		const keep = (key, value) => value ? query.set(key, value) : query.delete(key);
		keep("x", zoomed > 0 && frames[zoomed].x);
		keep("y", zoomed > 0 && frames[zoomed].y);
		keep("s", term);
		keep("ic", ignore_case && "1");
		const text = query.toString();
		try {
			history.replaceState(null, "", text ? "?" + text : location.pathname);
		} catch (error) {
			/* data: and the like have no address to keep anything in */
		}
	}

	function restore_view() {
		const query = new URLSearchParams(location.search);
		const id = frames.findIndex((frame) => frame.x === query.get("x") && frame.y === query.get("y"));
		const text = query.get("s");
		set_case(query.get("ic") === "1");
		if (id > 0)
			zoom(id);
		if (text)
			search(text);
	}

	/* --- mouse and keys -------------------------------------------------------------------- */

	function frame_of(event) {
		const g = event.target.closest("#frames > g");
		return g === null ? -1 : Number(g.dataset.id);
	}

	function show_details(id) {
		details.textContent = id < 0 ? " " : name_kind + " " + frames[id].title;
	}

	function set_current(id) {
		if (current >= 0)
			frames[current].g.classList.remove("current");
		current = id;
		show_details(id);
		if (id < 0)
			return;
		frames[id].g.classList.add("current");
		frames[id].rect.scrollIntoView({ block: "nearest", inline: "nearest" });
	}

	const is_shown = (frame) => !frame.g.classList.contains("hide");

	function neighbour(step) {
		let id = current + step;
		while (id > 0 && id < frames.length &&
		       (frames[id].depth !== frames[current].depth || !is_shown(frames[id])))
			id += step;
		return id > 0 && id < frames.length ? id : current;
	}

	function heaviest_callee() {
		let best = current;
		for (let id = current + 1; id < frames.length && frames[id].depth > frames[current].depth; id++) {
			if (frames[id].parent === current && is_shown(frames[id]) &&
			    (best === current || frames[id].weight > frames[best].weight))
				best = id;
		}
		return best;
	}

	function walk(key) {
		const towards_root = is_icicle ? "ArrowUp" : "ArrowDown";
		if (current < 0)
			return zoomed;
		if (key === "ArrowLeft" || key === "ArrowRight")
			return neighbour(key === "ArrowLeft" ? -1 : 1);
		return key === towards_root ? Math.max(frames[current].parent, 0) : heaviest_callee();
	}

	function press_in_frames(event) {
		if (event.ctrlKey || event.metaKey || event.altKey)
			return;
		if (event.key.startsWith("Arrow"))
			set_current(walk(event.key));
		else if (event.key === "Enter" && current >= 0)
			zoom(current);
		else
			return;
		event.preventDefault();
	}

	function escape() {
		if (zoomed > 0)
			zoom(0);
		else if (term !== "")
			search("");
		else
			set_current(-1);
	}

	function press(event) {
		const has_control = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
		if (event.key === "F3" || (has_control && event.key === "f"))
			ask();
		else if (has_control && event.key === "i")
			toggle_case();
		else if (event.key === "Escape")
			escape();
		else
			return;
		event.preventDefault();
	}

	function on_button(button, action) {
		button.addEventListener("click", action);
		button.addEventListener("keydown", (event) => {
			if (event.key !== "Enter" && event.key !== " ")
				return;
			action();
			event.preventDefault();
		});
	}

	if (frames.length === 0)
		return;
	svg.classList.add("live");
	link_frames();
	frames_group.addEventListener("click", (event) => frame_of(event) >= 0 && zoom(frame_of(event)));
	frames_group.addEventListener("mouseover", (event) => show_details(frame_of(event)));
	frames_group.addEventListener("mouseout", () => show_details(current));
	frames_group.addEventListener("keydown", press_in_frames);
	on_button(buttons.unzoom, () => zoom(0));
	on_button(buttons.search, () => term === "" ? ask() : search(""));
	on_button(buttons.ignorecase, toggle_case);
	if (is_alone) {
		window.addEventListener("keydown", press);
		window.addEventListener("resize", fit_window);
		fit_window();
		restore_view();
	}
})();
