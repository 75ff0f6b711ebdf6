// SPDX-License-Identifier: MIT
// Functions as `top` lists them: self and total, sorted by either.

import { element, format_count, format_share } from "./dom.js";

const MAX_ROWS = 500;

function bar(row, most) {
	const total = element("i"), self = element("b");
	total.style.width = 100 * row.total / most + "%";
	self.style.width = (row.total > 0 ? 100 * row.self / row.total : 0) + "%";
	total.append(self);
	return element("td", { class: "bar-cell", "aria-hidden": "true" }, total);
}

function row_of(row, total, most, on_pick) {
	const number = (value) => [
		element("td", { class: "n" }, format_share(value, total)),
		element("td", { class: "n dim" }, format_count(value)),
	];
	const name = element("button", { title: "Callers and callees of " + row.name, onclick: () => on_pick(row.name) }, row.name);
	return element("tr", {}, ...number(row.self), ...number(row.total), bar(row, most),
		element("td", { class: "name" }, name), element("td", { class: "dim" }, row.dso || ""));
}

// `top`: what `top --json` prints; `pattern`: only names that match, or null.
export function show_table(container, top, { sort, pattern, on_sort, on_pick }) {
	const rows = top.rows.filter((row) => pattern === null || pattern.test(row.name))
		.sort((a, b) => b[sort] - a[sort] || b.total - a.total);
	const head = (key, text) => element("th", { class: "n", colspan: "2", "aria-sort": sort === key ? "descending" : "none" },
		element("button", { onclick: () => on_sort(key) }, text + (sort === key ? " ▾" : "")));
	const most = rows.reduce((max, row) => Math.max(max, row.total), 1);
	const body = element("tbody", {}, ...rows.slice(0, MAX_ROWS).map((row) => row_of(row, top.total, most, on_pick)));
	const table = element("table", {},
		element("thead", {}, element("tr", {}, head("self", "Self"), head("total", "Total"),
			element("th", { "aria-label": "Bar" }), element("th", {}, "Function"), element("th", {}, "Module"))), body);
	const more = rows.length > MAX_ROWS
		? element("p", { class: "dim" }, `${format_count(rows.length - MAX_ROWS)} more; search narrows the list`) : null;
	container.replaceChildren(table, ...(more ? [more] : []));
}
