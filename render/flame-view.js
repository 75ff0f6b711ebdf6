/* SPDX-License-Identifier: MIT */
"use strict";
/*
 * A flame graph on a canvas. A *graph* is arrays in pre-order: name[] (numbers into names[]),
 * depth[], begin[], self[], value[]; and rows, total. Names are only ever drawn or set as text.
 *
 * The canvas is as large as what is seen of it: it stays in view while its container scrolls, and
 * draws the rows that are there. Each row knows its frames in order of begin, so that what is at a
 * place is found by halving.
 */
class FlameView {
	/* names: {text[], color[]} of all graphs; callbacks: on_hover(id or -1), on_choose(id). */
	constructor(container, names, callbacks) {
		this.container = container;
		this.names = names;
		this.callbacks = callbacks;
		this.row_height = 18;
		this.is_icicle = true;
		this.matches = null;
		this.spacer = document.createElement("div");
		this.canvas = document.createElement("canvas");
		this.canvas.tabIndex = 0;
		this.canvas.setAttribute("role", "img");
		container.classList.add("flame");
		container.replaceChildren(this.canvas, this.spacer);
		this.widths = new Map();
		this.listen();
	}

	listen() {
		const at = (event) => this.frame_at(event.offsetX, event.offsetY);
		this.canvas.addEventListener("mousemove", (event) => this.hover(at(event), event));
		this.canvas.addEventListener("mouseleave", (event) => this.hover(-1, event));
		this.canvas.addEventListener("click", (event) => at(event) >= 0 && this.zoom(at(event)));
		this.canvas.addEventListener("dblclick", (event) =>
			at(event) >= 0 && this.callbacks.on_choose(at(event)));
		this.canvas.addEventListener("keydown", (event) => this.press(event));
		this.container.addEventListener("scroll", () => this.draw());
		new ResizeObserver(() => this.draw()).observe(this.container);
	}

	show(graph, label) {
		this.graph = graph;
		this.canvas.setAttribute("aria-label", label);
		this.levels = Array.from({ length: graph.rows }, () => []);
		this.parents = new Int32Array(graph.name.length).fill(-1);
		const last = [];
		graph.depth.forEach((depth, id) => {
			this.levels[depth].push(id);
			this.parents[id] = depth > 0 ? last[depth - 1] : -1;
			last[depth] = id;
		});
		this.current = -1;
		this.zoomed = 0;
		this.spacer.style.height = graph.rows * this.row_height + "px";
		this.container.style.height =
			`min(${graph.rows * this.row_height + 2}px, ${this.container.dataset.height})`;
		this.container.scrollTop = this.is_icicle ? 0 : this.container.scrollHeight;
		this.draw();
	}

	/* --- where things are ------------------------------------------------------------------ */

	get scale() {
		return this.canvas.clientWidth / Math.max(this.graph.value[this.zoomed], 1);
	}

	x_of(weight) {
		return (weight - this.graph.begin[this.zoomed]) * this.scale;
	}

	y_of(depth) {
		const row = this.is_icicle ? depth : this.graph.rows - 1 - depth;
		return row * this.row_height - this.container.scrollTop;
	}

	/* Number of the first frame of a row that ends behind `weight`. */
	first_ending_after(level, weight) {
		let low = 0, high = level.length;
		while (low < high) {
			const middle = (low + high) >> 1;
			const id = level[middle];
			if (this.graph.begin[id] + this.graph.value[id] > weight)
				high = middle;
			else
				low = middle + 1;
		}
		return low;
	}

	frame_at(x, y) {
		if (!this.graph)
			return -1;
		const row = Math.floor((y + this.container.scrollTop) / this.row_height);
		const depth = this.is_icicle ? row : this.graph.rows - 1 - row;
		const level = this.levels[depth];
		if (!level)
			return -1;
		const weight = this.graph.begin[this.zoomed] + x / this.scale;
		const id = level[this.first_ending_after(level, weight)];
		return id !== undefined && this.graph.begin[id] <= weight ? id : -1;
	}

	/* --- drawing --------------------------------------------------------------------------- */

	fit_canvas() {
		const ratio = window.devicePixelRatio || 1;
		const width = this.container.clientWidth, height = this.container.clientHeight;
		const device = [Math.round(width * ratio), Math.round(height * ratio)];
		if (this.canvas.width !== device[0] || this.canvas.height !== device[1]) {
			[this.canvas.width, this.canvas.height] = device;
			this.canvas.style.width = width + "px";
			this.canvas.style.height = height + "px";
		}
		const context = this.canvas.getContext("2d");
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		context.clearRect(0, 0, width, height);
		context.font = '12px Verdana, "DejaVu Sans", sans-serif';
		context.textBaseline = "middle";
		return context;
	}

	draw() {
		if (!this.graph || this.container.clientWidth === 0)
			return;
		const context = this.fit_canvas(), top = this.container.scrollTop;
		const first = Math.max(0, Math.floor(top / this.row_height));
		const end = Math.min(this.graph.rows,
			Math.ceil((top + this.container.clientHeight) / this.row_height));
		for (let row = first; row < end; row++)
			this.draw_row(context, this.is_icicle ? row : this.graph.rows - 1 - row);
	}

	draw_row(context, depth) {
		const level = this.levels[depth], right = this.canvas.clientWidth;
		let drawn_to = -1;
		for (let i = this.first_ending_after(level, this.graph.begin[this.zoomed]); i < level.length; i++) {
			const id = level[i];
			const x = Math.max(this.x_of(this.graph.begin[id]), 0);
			const end = Math.min(this.x_of(this.graph.begin[id] + this.graph.value[id]), right);
			if (x >= right)
				return;
			/* Frames of less than half a pixel share it. */
			if (end - drawn_to < 0.5)
				continue;
			drawn_to = end;
			this.draw_frame(context, id, x, this.y_of(depth), end - x);
		}
	}

	draw_frame(context, id, x, y, width) {
		const name = this.graph.name[id];
		const is_match = this.matches !== null && this.matches.has(name);
		context.globalAlpha = depth_is_above(this.graph, id, this.zoomed) ? 0.5 : 1;
		context.fillStyle = is_match ? "#e600e6" : this.names.color[name];
		context.fillRect(x, y + 1, Math.max(width - 0.6, 0.5), this.row_height - 1);
		if (id === this.current) {
			context.strokeStyle = getComputedStyle(this.canvas).color;
			context.lineWidth = 2;
			context.strokeRect(x + 1, y + 2, Math.max(width - 2.6, 0.5), this.row_height - 3);
		}
		const label = width > 16 ? this.label(context, this.names.text[name], width - 8) : "";
		context.fillStyle = is_match ? "#fff" : "#161616";
		if (label !== "")
			context.fillText(label, x + 4, y + 1 + this.row_height / 2);
		context.globalAlpha = 1;
	}

	character_width(context, character) {
		let width = this.widths.get(character);
		if (width === undefined) {
			width = context.measureText(character).width;
			this.widths.set(character, width);
		}
		return width;
	}

	/* As much of a name as fits, with two dots where it is cut. */
	label(context, text, room) {
		const dots = 2 * this.character_width(context, ".");
		let used = 0, kept = "";
		for (const character of text) {
			used += this.character_width(context, character);
			if (used > room)
				return kept === "" ? "" : kept + "..";
			if (used + dots <= room)
				kept += character;
		}
		return text;
	}

	/* --- mouse and keys -------------------------------------------------------------------- */

	hover(id, event) {
		this.canvas.style.cursor = id >= 0 ? "pointer" : "default";
		this.callbacks.on_hover(this, id, event);
	}

	zoom(id) {
		this.zoomed = id;
		this.draw();
		this.callbacks.on_zoom(this);
	}

	set_matches(matches) {
		this.matches = matches;
		this.draw();
	}

	press(event) {
		if (event.ctrlKey || event.metaKey || event.altKey || !this.graph)
			return;
		if (event.key.startsWith("Arrow"))
			this.current = this.walk(event.key);
		else if (event.key === "Enter" && this.current >= 0)
			this.zoom(this.current);
		else if (event.key === " " && this.current >= 0)
			this.callbacks.on_choose(this.current);
		else if (event.key === "Escape")
			this.zoom(0);
		else
			return;
		event.preventDefault();
		this.reveal();
	}

	reveal() {
		if (this.current >= 0) {
			const y = this.y_of(this.graph.depth[this.current]);
			const below = y + this.row_height - this.container.clientHeight;
			this.container.scrollTop += y < 0 ? y : Math.max(below, 0);
		}
		this.draw();
		this.callbacks.on_hover(this, this.current, null);
	}

	walk(key) {
		const { depth, begin, value } = this.graph, id = this.current;
		if (id < 0)
			return this.zoomed;
		const level = this.levels[depth[id]], at = level.indexOf(id);
		if (key === "ArrowLeft" || key === "ArrowRight")
			return level[at + (key === "ArrowLeft" ? -1 : 1)] ?? id;
		if ((key === "ArrowUp") === this.is_icicle)
			return Math.max(this.parents[id], 0);
		const callees = this.levels[depth[id] + 1] || [];
		let best = id;
		for (let i = this.first_ending_after(callees, begin[id]); i < callees.length; i++) {
			if (this.parents[callees[i]] !== id)
				break;
			if (best === id || value[callees[i]] > value[best])
				best = callees[i];
		}
		return best;
	}
}

function depth_is_above(graph, id, zoomed) {
	return graph.depth[id] < graph.depth[zoomed];
}
