// SPDX-License-Identifier: MIT
// Flame graphs as `slice --format flat` gives them: arrays in pre-order. Zoom, search, sandwich.

// Adds what is looked up again and again: the parent of each frame and where its subtree ends.
export function make_graph(json) {
	const n = json.name.length;
	const parent = new Int32Array(n), next = new Int32Array(n);
	const open = [];
	let max_depth = 0;
	for (let i = 0; i < n; i++) {
		const depth = json.depth[i];
		// Lanes of a chart leave depths out: what is open is a list of frames, not of depths.
		while (open.length > 0 && json.depth[open[open.length - 1]] >= depth)
			next[open.pop()] = i;
		parent[i] = open.length > 0 ? open[open.length - 1] : -1;
		open.push(i);
		max_depth = Math.max(max_depth, depth);
	}
	for (const i of open)
		next[i] = n;
	return { ...json, n, parent, next, max_depth };
}

export const name_of = (graph, i) => (i === 0 && !graph.is_rooted ? "all" : graph.names[graph.name[i]]);

// Names from below the root to frame `i`.
export function path_of(graph, i) {
	const path = [];
	for (; i > 0; i = graph.parent[i])
		path.unshift(graph.names[graph.name[i]]);
	return path;
}

// The frame at `path`, or the last of its callers that is there.
export function find_path(graph, path) {
	let at = 0;
	for (const name of path) {
		let child = at + 1;
		while (child < graph.next[at] && graph.names[graph.name[child]] !== name)
			child = graph.next[child];
		if (at >= graph.n || child >= graph.next[at])
			break;
		at = child;
	}
	return at;
}

// {is_hit (by name), weight, n}: weight of what matches, callees of a match not counted again.
export function search(graph, regexp) {
	const is_hit = graph.names.map((name) => regexp.test(name));
	let weight = 0, n = 0;
	for (let i = 1; i < graph.n;) {
		if (!is_hit[graph.name[i]]) {
			i++;
			continue;
		}
		weight += graph.value[i];
		n++;
		i = graph.next[i];
	}
	return { is_hit, weight, n };
}

// --- sandwich ---------------------------------------------------------------------------------

// A tree that grows: children by the number of their name.
const new_node = (name) => ({ name, value: 0, self: 0, children: new Map() });

function child_of(node, name) {
	let child = node.children.get(name);
	if (child === undefined)
		node.children.set(name, child = new_node(name));
	return child;
}

// Frames named `name` that have no caller of that name.
function* outermost(graph, name) {
	for (let i = 1; i < graph.n;)
		if (graph.name[i] === name) {
			yield i;
			i = graph.next[i];
		} else {
			i++;
		}
}

function add_callers(graph, root, i) {
	let node = root;
	for (let up = graph.parent[i]; up > 0; up = graph.parent[up]) {
		node = child_of(node, graph.name[up]);
		node.value += graph.value[i];
	}
	node.self += graph.value[i];
}

function add_callees(graph, root, i) {
	const open = [root];
	root.self += graph.self[i];
	for (let k = i + 1; k < graph.next[i]; k++) {
		const depth = graph.depth[k] - graph.depth[i];
		const node = child_of(open[depth - 1], graph.name[k]);
		node.value += graph.value[k];
		node.self += graph.self[k];
		open[depth] = node;
	}
}

// A grown tree as a graph; without recursion, since stacks may be deep.
function flatten(root, graph) {
	const out = { ...graph, is_rooted: true, total: root.value, name: [], depth: [], begin: [], self: [], value: [] };
	const todo = [{ node: root, depth: 0, begin: 0 }];
	while (todo.length > 0) {
		const { node, depth, begin } = todo.pop();
		out.name.push(node.name);
		out.depth.push(depth);
		out.begin.push(begin);
		out.self.push(node.self);
		out.value.push(node.value);
		let at = begin + node.self;
		const children = [...node.children.values()].sort((a, b) => b.value - a.value);
		const places = children.map((child) => {
			const place = { node: child, depth: depth + 1, begin: at };
			at += child.value;
			return place;
		});
		todo.push(...places.reverse());
	}
	return make_graph(out);
}

// Who calls the function and what it calls, each as a graph rooted in it; null where it is not there.
export function sandwich(graph, name_text) {
	const name = graph.names.indexOf(name_text);
	const callers = new_node(name), callees = new_node(name);
	for (const i of outermost(graph, name)) {
		callers.value += graph.value[i];
		callees.value += graph.value[i];
		add_callers(graph, callers, i);
		add_callees(graph, callees, i);
	}
	if (callees.value === 0)
		return null;
	return { callers: flatten(callers, graph), callees: flatten(callees, graph) };
}
