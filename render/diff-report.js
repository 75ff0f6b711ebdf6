/* SPDX-License-Identifier: MIT */
"use strict";
/* The table of functions under a differential flame graph, made from the JSON in #data. Names are
 * only ever text. */
(function () {
	const by_id = (id) => document.getElementById(id);
	const data = JSON.parse(by_id("data").textContent);
	const max_rows = 500;
	/* No column: as they come, the largest significant change first. */
	const order = { column: "", is_ascending: false };

	const number = new Intl.NumberFormat("en-US");
	const change = new Intl.NumberFormat("en-US",
		{ signDisplay: "exceptZero", minimumFractionDigits: 2, maximumFractionDigits: 2 });
	const digits = (value) => Number(value.toPrecision(3)).toString();

	/* JSON has no infinity: nothing in the base, or nothing on either side. */
	const ratio_of = (item) => item.ratio !== null ? item.ratio :
		item["new_" + data.by] > 0 ? Infinity : NaN;

	function ratio_text(ratio) {
		if (Number.isNaN(ratio))
			return "\u2013";
		return ratio === Infinity ? "\u221e" : digits(ratio);
	}

	const interval_text = (item) => Number.isNaN(ratio_of(item)) ? "" :
		digits(item.ci[0] ?? 0) + " to " + ratio_text(item.ci[1] ?? Infinity);

	/* --- which rows, and in what order ------------------------------------------------------ */

	function key_of(item) {
		const key = order.column === "ratio" ? ratio_of(item) : item[order.column];
		return Number.isNaN(key) ? -1 : key;
	}

	function compare(a, b) {
		const x = key_of(a), y = key_of(b);
		return (order.is_ascending ? 1 : -1) * (x < y ? -1 : x > y ? 1 : 0);
	}

	function find_rows() {
		let regexp = null;
		by_id("filter").classList.remove("wrong");
		try {
			regexp = new RegExp(by_id("filter").value, "i");
		} catch (error) {
			by_id("filter").classList.add("wrong");
		}
		const rows = data.functions.filter((item) =>
			(regexp === null || regexp.test(item.name) || regexp.test(item.dso)) &&
			(item.significant || !by_id("changed").checked));
		return order.column === "" ? rows : rows.sort(compare);
	}

	/* --- the table ------------------------------------------------------------------------- */

	function add_cell(row, text, kind) {
		const cell = document.createElement("td");
		cell.textContent = text;
		cell.className = kind;
		row.append(cell);
		return cell;
	}

	/* A name for reading: a mebibyte of it would only take long to lay out. */
	const cut = (text) => text.length > 400 ? text.slice(0, 400) + ".." : text;

	function make_row(item) {
		const row = document.createElement("tr");
		const name = add_cell(row, cut(item.name), "name");
		const dso = document.createElement("span");
		dso.textContent = " " + cut(item.dso);
		name.append(dso);
		name.title = cut(item.name) + "\n" + cut(item.dso);
		for (const key of ["base_self", "new_self", "base_total", "new_total"])
			add_cell(row, number.format(item[key]), "number");
		add_cell(row, change.format(item.delta), "number change");
		add_cell(row, ratio_text(ratio_of(item)), "number");
		add_cell(row, interval_text(item), "number");
		add_cell(row, item.q < 0.001 ? item.q.toExponential(0) : digits(item.q), "number");
		if (item.significant)
			row.className = item.delta > 0 ? "more" : "less";
		return row;
	}

	function fill() {
		const rows = find_rows(), n_shown = Math.min(rows.length, max_rows);
		const n_all = data.functions.length + data.more_functions;
		by_id("rows").replaceChildren(...rows.slice(0, max_rows).map(make_row));
		by_id("shown").textContent = n_shown === n_all ? number.format(n_all) :
			`${number.format(n_shown)} of ${number.format(n_all)}` +
			(n_shown < rows.length ? ": narrow the filter" : "");
		for (const head of document.querySelectorAll("th[data-column]"))
			head.setAttribute("aria-sort", head.dataset.column !== order.column ? "none" :
				order.is_ascending ? "ascending" : "descending");
	}

	function sort_by(column) {
		const starts_low = column === "name" || column === "q";
		order.is_ascending = order.column === column ? !order.is_ascending : starts_low;
		order.column = column;
		fill();
	}

	by_id("facts").textContent = `Self and total in ${data.unit}. Change (in ${data.delta_unit}), ` +
		`ratio, interval and q are of ${data.by}; coloured: significant, q at most ${data.level} ` +
		`and at least ${data.min_change} points.`;
	by_id("filter").addEventListener("input", fill);
	by_id("changed").addEventListener("change", fill);
	for (const head of document.querySelectorAll("th[data-column] button"))
		head.addEventListener("click", () => sort_by(head.parentElement.dataset.column));
	fill();
})();
