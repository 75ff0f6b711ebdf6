/* SPDX-License-Identifier: MIT */
"use strict";
/*
 * The page around the flame graph: search, the table of functions, and callers and callees of the
 * one that is chosen. All of it is made from the arrays in #data.
 */
(function () {
	const by_id = (id) => document.getElementById(id);
	const data = JSON.parse(by_id("data").textContent);
	const names = { text: data.names, color: data.colors };
	names.text[data.name[0]] = "all";
	const max_rows = 300;
	const links = link_frames(data);
	const functions = count_functions(data);
	const order = { column: "self", is_ascending: false };
	let chosen = -1;

	const number = new Intl.NumberFormat("en-US");
	const percent = (weight) => (100 * weight / Math.max(data.total, 1)).toFixed(2) + "%";

	/* A name for reading: a mebibyte of it would only take long to lay out. */
	const shown = (name) => names.text[name].length > 400 ? names.text[name].slice(0, 400) + ".." :
		names.text[name];

	/* --- functions and their neighbours ---------------------------------------------------- */

	/* Parents, numbers of callers, and ends of subtrees. A frame is below the one before it that
	 * is a row nearer to the root; the lanes of a chart, which have none there, are below the root. */
	function link_frames(graph) {
		const n = graph.name.length;
		const parent = new Int32Array(n).fill(-1), level = new Int32Array(n), end = new Int32Array(n);
		const open = [];
		for (let id = 0; id < n; id++) {
			while (open.length > 1 && graph.depth[open[open.length - 1]] !== graph.depth[id] - 1)
				end[open.pop()] = id;
			parent[id] = open.length > 0 ? open[open.length - 1] : -1;
			level[id] = open.length;
			open.push(id);
		}
		while (open.length > 0)
			end[open.pop()] = n;
		return { parent, level, end };
	}

	/* Self and total by name; a function that is below itself counts once. */
	function count_functions(graph) {
		const found = new Map(), open = [], n_open = new Map();
		graph.name.forEach((name, id) => {
			while (open.length > links.level[id])
				n_open.set(open[open.length - 1], n_open.get(open.pop()) - 1);
			if (!found.has(name))
				found.set(name, { name, self: 0, total: 0, n: 0 });
			const row = found.get(name);
			row.self += graph.self[id];
			row.total += n_open.get(name) > 0 ? 0 : graph.value[id];
			row.n++;
			open.push(name);
			n_open.set(name, (n_open.get(name) || 0) + 1);
		});
		found.delete(graph.name[0]);
		return found;
	}

	const new_node = (name) => ({ name, value: 0, callees: new Map() });

	function below(node, name, weight) {
		let next = node.callees.get(name);
		if (next === undefined)
			node.callees.set(name, next = new_node(name));
		next.value += weight;
		return next;
	}

	/* Calls of the function that are not below another one of it. */
	function* outermost(name) {
		for (let id = 0; id < data.name.length; id++) {
			if (data.name[id] !== name)
				continue;
			yield id;
			id = links.end[id] - 1;
		}
	}

	function find_callees(name) {
		const root = new_node(name);
		for (const first of outermost(name)) {
			const path = [root];
			root.value += data.value[first];
			for (let id = first + 1; id < links.end[first]; id++) {
				const depth = links.level[id] - links.level[first];
				path[depth] = below(path[depth - 1], data.name[id], data.value[id]);
			}
		}
		return root;
	}

	function find_callers(name) {
		const root = new_node(name);
		for (const first of outermost(name)) {
			let node = root;
			root.value += data.value[first];
			for (let id = links.parent[first]; id > 0; id = links.parent[id])
				node = below(node, data.name[id], data.value[first]);
		}
		return root;
	}

	/* A tree as the arrays that a FlameView shows; the heaviest first. */
	function to_graph(root) {
		const graph = { name: [], depth: [], begin: [], self: [], value: [], rows: 1, total: root.value };
		const open = [{ node: root, depth: 0, begin: 0 }];
		while (open.length > 0) {
			const { node, depth, begin } = open.pop();
			const callees = [...node.callees.values()].sort((a, b) => b.value - a.value || a.name - b.name);
			graph.name.push(node.name);
			graph.depth.push(depth);
			graph.begin.push(begin);
			graph.value.push(node.value);
			graph.rows = Math.max(graph.rows, depth + 1);
			let at = begin;
			const parts = callees.map((callee) => {
				const part = { node: callee, depth: depth + 1, begin: at };
				at += callee.value;
				return part;
			});
			graph.self.push(node.value - (at - begin));
			open.push(...parts.reverse());
		}
		return graph;
	}

	/* --- views ----------------------------------------------------------------------------- */

	const tip = by_id("tip");
	const callbacks = {
		on_hover: show_tip,
		on_zoom: () => by_id("unzoom").hidden = main_view.zoomed === 0,
	};
	const make_view = (id) => {
		const view = new FlameView(by_id(id), names, callbacks);
		view.callbacks = { ...callbacks, on_choose: (frame) => choose(view.graph.name[frame]) };
		return view;
	};
	const main_view = make_view("graph");
	const callers_view = make_view("callers"), callees_view = make_view("callees");
	main_view.is_icicle = document.body.dataset.layout === "icicle";
	callers_view.is_icicle = false;

	function describe(view, id) {
		const { value, self, name } = view.graph;
		const own = self[id] > 0 && view === main_view ?
			`, itself ${number.format(self[id])} (${percent(self[id])})` : "";
		return `${shown(name[id])} (${number.format(value[id])} ${data.unit}, ` +
			`${percent(value[id])}${own})`;
	}

	function show_tip(view, id, event) {
		tip.hidden = id < 0 || event === null;
		by_id("details").textContent = id < 0 ? "\u00a0" : describe(view, id);
		if (tip.hidden)
			return;
		tip.textContent = describe(view, id);
		const x = Math.min(event.clientX + 12, window.innerWidth - tip.offsetWidth - 8);
		const y = event.clientY + 18 + tip.offsetHeight > window.innerHeight ?
			event.clientY - tip.offsetHeight - 10 : event.clientY + 18;
		tip.style.left = Math.max(x, 4) + "px";
		tip.style.top = y + "px";
	}

	/* --- search ---------------------------------------------------------------------------- */

	/* Names that match, or null where there is nothing to look for. */
	function find_matches() {
		const text = by_id("search").value;
		let regexp;
		by_id("search").classList.remove("wrong");
		if (text === "")
			return null;
		try {
			regexp = new RegExp(text, by_id("ignorecase").checked ? "i" : "");
		} catch (error) {
			by_id("search").classList.add("wrong");
			return null;
		}
		return new Set([...names.text.keys()].filter((i) => regexp.test(names.text[i])));
	}

	/* Weight of what matches, nothing below a match counted again. */
	function matched_weight(matches) {
		let total = 0;
		for (let id = 0; id < data.name.length; id++) {
			if (!matches.has(data.name[id]))
				continue;
			total += data.value[id];
			id = links.end[id] - 1;
		}
		return total;
	}

	function search() {
		const matches = find_matches();
		for (const view of [main_view, callers_view, callees_view])
			view.set_matches(matches);
		by_id("matched").textContent = matches === null ? "" :
			"Matched: " + percent(matched_weight(matches));
		fill_table(matches);
		save_view();
	}

	/* --- the table ------------------------------------------------------------------------- */

	function compare(a, b) {
		const sign = order.is_ascending ? 1 : -1;
		if (order.column !== "name" && a[order.column] !== b[order.column])
			return sign * (a[order.column] - b[order.column]);
		const [x, y] = [names.text[a.name], names.text[b.name]];
		return (order.column === "name" ? sign : 1) * (x < y ? -1 : x > y ? 1 : 0);
	}

	function add_cell(row, text, kind) {
		const cell = document.createElement("td");
		cell.textContent = text;
		cell.className = kind;
		row.append(cell);
		return cell;
	}

	function make_row(item) {
		const row = document.createElement("tr");
		const name = add_cell(row, "", "name");
		const button = document.createElement("button");
		button.textContent = shown(item.name);
		button.style.borderLeftColor = names.color[item.name];
		button.addEventListener("click", () => choose(item.name));
		name.append(button);
		add_cell(row, number.format(item.self), "number");
		add_cell(row, percent(item.self), "number");
		add_cell(row, number.format(item.total), "number");
		const share = add_cell(row, percent(item.total), "number share");
		share.style.setProperty("--share", percent(item.total));
		row.classList.toggle("chosen", item.name === chosen);
		return row;
	}

	function fill_table(matches) {
		const rows = [...functions.values()].filter((item) => matches === null || matches.has(item.name));
		rows.sort(compare);
		by_id("rows").replaceChildren(...rows.slice(0, max_rows).map(make_row));
		by_id("more").textContent = rows.length > max_rows ?
			`${number.format(rows.length - max_rows)} more: narrow the search` : "";
		for (const head of document.querySelectorAll("th[data-column]"))
			head.setAttribute("aria-sort", head.dataset.column !== order.column ? "none" :
				order.is_ascending ? "ascending" : "descending");
	}

	function sort_by(column) {
		order.is_ascending = order.column === column ? !order.is_ascending : column === "name";
		order.column = column;
		fill_table(find_matches());
	}

	/* --- callers and callees --------------------------------------------------------------- */

	function choose(name) {
		if (!functions.has(name))
			return;
		chosen = name;
		const { self, total, n } = functions.get(name);
		by_id("chosen-name").textContent = shown(name);
		by_id("chosen-facts").textContent = `self ${number.format(self)} (${percent(self)}), ` +
			`total ${number.format(total)} (${percent(total)}) ${data.unit}, in ${number.format(n)} ` +
			(n === 1 ? "place" : "places");
		by_id("sandwich").hidden = false;
		callers_view.show(to_graph(find_callers(name)), "Callers of " + shown(name));
		callees_view.show(to_graph(find_callees(name)), "Callees of " + shown(name));
		fill_table(find_matches());
		save_view();
	}

	function close_sandwich() {
		chosen = -1;
		by_id("sandwich").hidden = true;
		fill_table(find_matches());
		save_view();
	}

	/* --- the view in the address ----------------------------------------------------------- */

	function save_view() {
		const state = new URLSearchParams();
		if (by_id("search").value !== "")
			state.set("s", by_id("search").value);
		if (by_id("ignorecase").checked)
			state.set("ic", "1");
		if (chosen >= 0)
			state.set("f", names.text[chosen]);
		try {
			history.replaceState(null, "", "#" + state);
		} catch (error) {
			/* a page without an address keeps nothing */
		}
	}

	function restore_view() {
		const state = new URLSearchParams(location.hash.slice(1));
		by_id("search").value = state.get("s") || "";
		by_id("ignorecase").checked = state.get("ic") === "1";
		const name = names.text.indexOf(state.get("f"));
		search();
		if (name >= 0)
			choose(name);
	}

	function press(event) {
		const has_control = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
		if (event.key === "F3" || (has_control && event.key === "f")) {
			by_id("search").focus();
			by_id("search").select();
		} else if (has_control && event.key === "i") {
			by_id("ignorecase").checked = !by_id("ignorecase").checked;
			search();
		} else {
			return;
		}
		event.preventDefault();
	}

	main_view.show(data, "Flame graph");
	by_id("search").addEventListener("input", search);
	by_id("ignorecase").addEventListener("change", search);
	by_id("unzoom").addEventListener("click", () => main_view.zoom(0));
	by_id("close").addEventListener("click", close_sandwich);
	for (const head of document.querySelectorAll("th[data-column] button"))
		head.addEventListener("click", () => sort_by(head.parentElement.dataset.column));
	window.addEventListener("keydown", press);
	restore_view();
})();
