// SPDX-License-Identifier: MIT
// Every key and gesture, as `?` shows them.

import { by_id, element } from "./dom.js";

const groups = [
	["Select in the heat map", [
		["drag", "from one moment to another"],
		["click, click", "first and last cell"],
		["Shift click or drag", "extend the selection"],
		["Ctrl/⌘ drag", "one more range"],
		["Alt drag", "a band: the same rows of every column"],
		["← → ↑ ↓", "move by a column, by a row"],
		["Shift + arrows", "resize"],
		["a", "the whole recording"],
		["Esc", "drop the search, the function, then the selection"],
	]],
	["Move about", [
		["+ −, Ctrl wheel", "zoom in time"],
		["0", "fit the recording"],
		["wheel, drag the ruler", "pan"],
		["PageUp, PageDown", "a screen earlier, later"],
		["click the strip", "go there"],
		["w", "wall clock on the ruler, where it is known"],
		["n, p", "next, previous spike"],
	]],
	["Flame graph", [
		["click", "zoom, and show in the heat map when the function runs"],
		["← → ↑ ↓, Enter", "walk, zoom"],
		["Backspace", "zoom out one caller"],
		["/ or Ctrl F", "search; the heat map shows when it runs"],
		["1 2 3", "flame graph, functions, callers and callees"],
		["i", "icicle or flame"],
		["r", "reverse: merge from the leaf"],
		["t", "chart: time from left to right"],
	]],
	["Compare and take away", [
		["c", "compare"],
		["b", "the selection becomes the baseline"],
		["d", "take away: files and commands"],
		["y", "copy the command of the flame graph"],
		["f", "filters"],
		["?", "this list"],
	]],
];

export function show_help() {
	const dialog = by_id("help");
	const lists = groups.map(([title, keys]) => element("div", {}, element("h2", {}, title),
		element("dl", {}, ...keys.flatMap(([key, what]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, what)]))));
	dialog.replaceChildren(element("div", { class: "columns" }, ...lists),
		element("button", { onclick: () => dialog.close() }, "Close"));
	dialog.showModal();
}
