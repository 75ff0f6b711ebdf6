// SPDX-License-Identifier: MIT
// A flame graph on a canvas that is as large as what can be seen of it: the container scrolls a
// spacer, so that a stack of thousands of frames needs no larger canvas.

import { change_colour, frame_colour } from "./colour.js";
import { find_path, name_of, path_of } from "./flat.js";

export const ROW = 17;
const PAD = 3, MIN_DRAWN = 0.4, MIN_DRAWN_IN_CHART = 0.05;
const FONT = "12px system-ui, sans-serif";
const HIT = "#e600e6";

export class FlameView {
	constructor(container) {
		this.container = container;
		this.canvas = container.querySelector("canvas");
		this.spacer = container.querySelector(".spacer");
		this.graph = null;
		this.zoom_path = [];
		this.is_icicle = false;
		this.palette = "hot";
		this.found = null;
		this.hover = -1;
		this.colours = {};
		this.fills = new Map();
		this.widths = new Map();
		this.is_rooted = true; // the root stays in sight until somebody scrolls away
		container.addEventListener("scroll", () => {
			this.is_rooted = this.is_at_root();
			this.draw();
		});
	}

	set_graph(graph) {
		this.graph = graph;
		this.zoomed = find_path(graph, this.zoom_path);
		this.hover = -1;
		this.resize();
	}

	// --- geometry ---------------------------------------------------------------------------

	resize() {
		const ratio = window.devicePixelRatio || 1;
		const width = this.container.clientWidth;
		const rows = this.graph === null ? 1 : this.graph.max_depth + 1;
		this.height = Math.max(rows * ROW + 2, 1);
		this.spacer.style.height = this.height + "px";
		const shown = Math.min(this.container.clientHeight, Math.max(this.height, this.container.clientHeight));
		this.canvas.style.height = shown + "px";
		this.canvas.width = Math.round(width * ratio);
		this.canvas.height = Math.round(shown * ratio);
		Object.assign(this, { ratio, width, shown });
		if (this.is_rooted)
			this.scroll_to_root();
	}

	is_at_root() {
		const { scrollTop, clientHeight, scrollHeight } = this.container;
		return this.is_icicle ? scrollTop < 2 : scrollTop + clientHeight > scrollHeight - 2;
	}

	scroll_to_root() {
		this.container.scrollTop = this.is_icicle ? 0 : this.container.scrollHeight;
	}

	y_of(depth) {
		const y = this.is_icicle ? depth * ROW : Math.max(this.height, this.shown) - (depth + 1) * ROW;
		return y - this.container.scrollTop;
	}

	depth_at(y) {
		const from_top = y + this.container.scrollTop;
		return Math.floor((this.is_icicle ? from_top : Math.max(this.height, this.shown) - from_top) / ROW);
	}

	// {x, width} of frame `i` in px; callers of the zoomed frame fill the row.
	place(i) {
		const { graph, zoomed } = this;
		if (i < zoomed && graph.next[i] > zoomed)
			return { x: 0, width: this.width };
		const scale = this.width / Math.max(graph.value[zoomed], 1);
		return { x: (graph.begin[i] - graph.begin[zoomed]) * scale, width: graph.value[i] * scale };
	}

	frame_at(x, y) {
		const { graph, zoomed } = this;
		const depth = this.depth_at(y);
		if (graph === null || depth < 0)
			return -1;
		for (let up = zoomed; up >= 0; up = graph.parent[up])
			if (graph.depth[up] === depth)
				return up;
		for (let i = zoomed; i < graph.next[zoomed];) {
			const { x: begin, width } = this.place(i);
			if (x < begin || x >= begin + width)
				i = graph.next[i];
			else if (graph.depth[i] === depth)
				return i;
			else
				i++;
		}
		return -1;
	}

	// --- drawing ----------------------------------------------------------------------------

	fill_of(i) {
		const { graph } = this;
		const name = graph.name[i];
		if (this.found !== null && this.found.is_hit[name] && i > 0)
			return HIT;
		if (graph.significant !== undefined)
			return change_colour(graph.log2_ratio_ppm[i] / 1e6, graph.significant[i] === 1);
		const key = this.palette + "\0" + graph.kinds[name] + graph.names[name];
		let fill = this.fills.get(key);
		if (fill === undefined)
			this.fills.set(key, fill = frame_colour(this.palette, name_of(graph, i), graph.kinds[name]));
		return fill;
	}

	paint_frame(context, i, x, width, y) {
		const inner = width > 3 ? width - 1 : width;
		context.fillStyle = this.fill_of(i);
		context.fillRect(x, y, inner, ROW - 1);
		if (width < 28)
			return;
		context.fillStyle = this.found !== null && i > 0 && this.found.is_hit[this.graph.name[i]] ? "#fff" : "#1a1a1a";
		const label = this.label(context, name_of(this.graph, i), inner - 2 * PAD);
		if (label)
			context.fillText(label, Math.max(x, 0) + PAD, y + ROW - 5);
	}

	label(context, name, room) {
		let full = this.widths.get(name);
		if (full === undefined)
			this.widths.set(name, full = context.measureText(name).width);
		if (full <= room)
			return name;
		const n = Math.floor((room - 8) * name.length / full);
		return n > 1 ? name.slice(0, n) + "…" : "";
	}

	draw() {
		const context = this.canvas.getContext("2d");
		context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
		context.clearRect(0, 0, this.width, this.shown);
		context.font = FONT;
		if (this.graph === null || this.graph.value[0] === 0)
			return;
		context.globalAlpha = 0.55;
		for (let up = this.graph.parent[this.zoomed]; up >= 0; up = this.graph.parent[up])
			this.paint_frame(context, up, 0, this.width, this.y_of(this.graph.depth[up]));
		context.globalAlpha = 1;
		this.paint_below(context);
		if (this.hover >= 0)
			this.paint_outline(context, this.hover);
	}

	paint_below(context) {
		const { graph, zoomed } = this;
		const scale = this.width / Math.max(graph.value[zoomed], 1);
		const begin = graph.begin[zoomed], narrowest = this.is_chart ? MIN_DRAWN_IN_CHART : MIN_DRAWN;
		for (let i = zoomed; i < graph.next[zoomed];) {
			const width = graph.value[i] * scale;
			if (width < narrowest) {
				i = graph.next[i];
				continue;
			}
			const y = this.y_of(graph.depth[i]);
			if (y > -ROW && y < this.shown)
				this.paint_frame(context, i, (graph.begin[i] - begin) * scale, width, y);
			i++;
		}
	}

	paint_outline(context, i) {
		const { x, width } = this.place(i);
		context.strokeStyle = this.colours.text;
		context.lineWidth = 1.5;
		context.strokeRect(x + 0.75, this.y_of(this.graph.depth[i]) + 0.75, Math.max(width - 2, 1), ROW - 2.5);
	}

	set_hover(i) {
		if (i === this.hover)
			return;
		this.hover = i;
		this.draw();
	}

	zoom(i) {
		this.zoomed = i;
		this.zoom_path = path_of(this.graph, i);
		this.draw();
	}

	// --- keys -------------------------------------------------------------------------------

	neighbour(i, step) {
		const { graph, zoomed } = this;
		for (let k = i + step; k > zoomed && k < graph.next[zoomed]; k += step)
			if (graph.depth[k] === graph.depth[i])
				return k;
		return i;
	}

	heaviest_callee(i) {
		const { graph } = this;
		let best = i;
		for (let k = i + 1; k < graph.next[i]; k = graph.next[k])
			if (best === i || graph.value[k] > graph.value[best])
				best = k;
		return best;
	}

	// The frame that an arrow key leads to from the current one.
	walk(key) {
		const at = this.hover >= 0 ? this.hover : this.zoomed;
		if (key === "ArrowLeft" || key === "ArrowRight")
			return this.neighbour(at, key === "ArrowLeft" ? -1 : 1);
		const is_out = (key === "ArrowUp") !== this.is_icicle;
		return is_out ? this.heaviest_callee(at) : Math.max(this.graph.parent[at], 0);
	}

	reveal(i) {
		const y = this.y_of(this.graph.depth[i]);
		if (y < 0)
			this.container.scrollTop += y;
		else if (y + ROW > this.shown)
			this.container.scrollTop += y + ROW - this.shown;
	}
}
