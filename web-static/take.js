// SPDX-License-Identifier: MIT
// Taking away exactly what is shown: a file, or the command that prints the same bytes.

import { by_id, copy_text, element, save_blob, show_toast } from "./dom.js";
import { command_line, diff_pairs, is_comparing, map_pairs, pairs_of, slice_pairs } from "./state.js";

const tree_formats = [["svg", "interactive SVG"], ["png", "PNG"], ["json", "JSON, d3-flame-graph"],
	["folded", "folded stacks"], ["speedscope", "speedscope"], ["pprof", "pprof"]];
const suffixes = { speedscope: "speedscope.json", pprof: "pb.gz" };

// {command, pairs} of the flame graph as a file.
export function graph_request(state, format) {
	const drawing = ["svg", "png"].includes(format) ? pairs_of(state, ["layout", "colors"]) : [];
	if (is_comparing(state))
		return { command: "diff", pairs: [...diff_pairs(state), ...drawing, ["format", format]] };
	return { command: "slice", pairs: [...slice_pairs(state), ...drawing, ["format", format]] };
}

// The heat map, with the selection outlined in the picture.
export function map_request(state, format) {
	const drawing = format === "png"
		? [...pairs_of(state, ["scale", "palette"]), ...pairs_of(state, ["range"]).map(([, range]) => ["mark", range])] : [];
	return { command: "heatmap", pairs: [...map_pairs(state), ...drawing, ["format", format]] };
}

export class TakeMenu {
	constructor(app) {
		this.app = app;
		this.menu = by_id("take-menu");
		this.button = by_id("take");
		this.button.addEventListener("click", () => this.toggle());
		document.addEventListener("pointerdown", (event) => {
			if (!this.menu.hidden && !this.menu.contains(event.target) && event.target !== this.button)
				this.toggle(false);
		});
	}

	toggle(is_open = this.menu.hidden) {
		if (is_open)
			this.fill();
		this.menu.hidden = !is_open;
		this.button.setAttribute("aria-expanded", String(is_open));
		if (is_open)
			this.menu.querySelector("button").focus();
	}

	line_of({ command, pairs }) {
		return command_line(command, this.app.recording.paths, pairs, (id) => this.app.path_of(id));
	}

	async download(request, name) {
		try {
			const response = await this.app.source.command(this.app.recording.id, request.command, request.pairs);
			save_blob(await response.blob(), name);
		} catch (error) {
			show_toast(error.message);
		}
	}

	row(text, request, suffix) {
		const name = `${this.app.recording.name.replace(/\.(beat|perf|txt|data|gz|zst|xz)$/g, "")}-${request.command}.${suffix}`;
		return element("div", { class: "line" }, element("span", {}, text),
			this.app.source.is_file ? null
				: element("button", { "aria-label": `Download ${text}`, onclick: () => this.download(request, name) }, "Download"),
			element("button", { "aria-label": `Copy the command of ${text}`, onclick: () => copy_text(this.line_of(request)) }, "Copy command"));
	}

	fill() {
		const { state, source } = this.app;
		const trees = is_comparing(state) ? tree_formats.slice(0, 4) : tree_formats;
		const rows = [
			element("h2", {}, "Heat map"),
			this.row("PNG", map_request(state, "png"), "png"),
			this.row("JSON, FlameScope's shape", map_request(state, "json"), "json"),
			source.is_file ? null : this.row("one page to share, data inside", { command: "heatmap", pairs: [...pairs_of(state, ["event"]), ["format", "html"]] }, "html"),
		];
		this.menu.replaceChildren(...rows.filter((row) => row !== null),
			element("h2", {}, is_comparing(state) ? "Comparison" : "Flame graph of the selection"),
			...trees.map(([format, text]) => this.row(text, graph_request(state, format), suffixes[format] || format)),
			element("h2", {}, "This view"),
			element("div", { class: "line" }, element("span", {}, "Address with the whole state"),
				element("button", { onclick: () => copy_text(location.href) }, "Copy address")));
	}
}
