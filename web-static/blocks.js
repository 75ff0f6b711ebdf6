// SPDX-License-Identifier: MIT
// Samples that travel inside a page (docs/page-format.md), and what is counted of them: heat maps
// and flame graphs, with the results that the program has for the same query.

const ONE_BYTE = 192, TWO_BYTES = 255;

class Reader {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}

	varint() {
		let value = 0, scale = 1;
		for (;;) {
			const byte = this.bytes[this.at++];
			value += (byte & 0x7f) * scale;
			if (byte < 0x80)
				return value;
			scale *= 128;
		}
	}

	varints(n) {
		const values = new Uint32Array(n);
		for (let i = 0; i < n; i++)
			values[i] = this.varint();
		return values;
	}
}

// Pairs of all samples, block after block, as 16 bits where they fit. `first`: the first pair of each stack.
function read_samples(n_samples, first, counts, low, high, who) {
	const n_pairs = first[first.length - 1];
	const pairs = n_pairs <= 0x10000 ? new Uint16Array(n_samples) : new Uint32Array(n_samples);
	const more = new Reader(high);
	let at = 0;
	for (let b = 0; b < counts.length; b++)
		for (let end = at + counts[b], stack = 0; at < end; at++) {
			const byte = low[at];
			stack += byte < ONE_BYTE ? byte : byte < TWO_BYTES ? ONE_BYTE + ((byte - ONE_BYTE) << 8) + high[more.at++] : more.varint();
			pairs[at] = first[stack] + (who[at] < TWO_BYTES ? who[at] : more.varint());
		}
	return pairs;
}

function read_event(about, head, first_pair, [gaps, counts_stream, low, high, who]) {
	const distances = new Reader(gaps), counts = new Reader(counts_stream).varints(about.blocks);
	const numbers = new Float64Array(about.blocks), first = new Uint32Array(about.blocks + 1);
	let number = head.first_block;
	for (let b = 0; b < about.blocks; b++) {
		numbers[b] = number += distances.varint();
		first[b + 1] = first[b] + counts[b];
	}
	return { name: about.name, numbers, first, pairs: read_samples(about.samples, first_pair, counts, low, high, who) };
}

// The whole: `bytes` as they were before they were deflated.
export function read_blocks(bytes) {
	const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
	const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
	let at = 4 + length;
	const streams = head.streams.map((size) => bytes.subarray(at, at += size));
	const parents = new Reader(streams[0]), displays = new Reader(streams[1]);
	const parent = new Uint32Array(head.n_nodes), display = new Uint32Array(head.n_nodes);
	for (let i = 1; i < head.n_nodes; i++) {
		parent[i] = i - parents.varint();
		display[i] = displays.varint();
	}
	const nodes = new Reader(streams[2]).varints(head.n_stacks), threads = new Reader(streams[3]).varints(head.n_stacks);
	const first = new Uint32Array(head.n_stacks + 1), pair_node = new Uint32Array(head.n_pairs);
	for (let s = 0; s < head.n_stacks; s++) {
		first[s + 1] = first[s] + threads[s];
		pair_node.fill(nodes[s], first[s], first[s + 1]);
	}
	return {
		...head, parent, display, pair_node,
		pair_thread: new Reader(streams[4]).varints(head.n_pairs),
		events: head.events.map((about, i) => read_event(about, head, first, streams.slice(5 + 5 * i, 10 + 5 * i))),
	};
}

// --- which samples count ------------------------------------------------------------------------

const matches_any = (patterns, text) => patterns.some((pattern) => pattern.test(text));

// `query`: {process, comm, match, exclude: [RegExp], pid, tid: [number]}, each empty where all count.
function chosen_threads(data, query) {
	const { list, groups } = data.threads;
	return list.map((thread, i) =>
		(query.process.length === 0 || matches_any(query.process, groups.process_name[i])) &&
		(query.comm.length === 0 || matches_any(query.comm, thread.comm)) &&
		(query.pid.length === 0 || query.pid.includes(thread.pid)) &&
		(query.tid.length === 0 || query.tid.includes(thread.tid)));
}

// By node: whether a frame of its stack matches.
function stacks_with(data, patterns) {
	const hits = data.names.map((name) => matches_any(patterns, name));
	const has = new Uint8Array(data.n_nodes);
	for (let i = 1; i < data.n_nodes; i++)
		has[i] = has[data.parent[i]] | Number(hits[data.display[i]]);
	return has;
}

// By pair: 1 where its samples count; null where all do.
export function choose_pairs(data, query) {
	const lists = [query.process, query.comm, query.pid, query.tid, query.match, query.exclude];
	if (lists.every((list) => list.length === 0))
		return null;
	const threads = chosen_threads(data, query);
	const has = query.match.length > 0 ? stacks_with(data, query.match) : null;
	const has_not = query.exclude.length > 0 ? stacks_with(data, query.exclude) : null;
	return Uint8Array.from(data.pair_thread, (thread, i) => {
		const node = data.pair_node[i];
		return Number(threads[thread] && (has === null || has[node]) && (has_not === null || !has_not[node]));
	});
}

// First block at or after `number`.
export function lower_bound(numbers, number) {
	let low = 0, high = numbers.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (numbers[middle] < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// [first, end) of blocks for ranges of time that have been snapped to blocks; disjoint.
export function spans_of(data, event, ranges) {
	return ranges.map(({ begin, end }) => [
		lower_bound(event.numbers, Math.round(begin / data.block_ns)), lower_bound(event.numbers, Math.round(end / data.block_ns))]);
}

function count_span(event, first, end, chosen) {
	if (chosen === null)
		return event.first[end] - event.first[first];
	let n = 0;
	for (let i = event.first[first]; i < event.first[end]; i++)
		n += chosen[event.pairs[i]];
	return n;
}

// --- heat map -----------------------------------------------------------------------------------

// Weight of each row of each column from `origin` on, rows being whole blocks.
export function count_cells(data, event, chosen, { origin, column_ns, n_columns, n_rows, is_peak }) {
	const cells = new Float64Array(n_columns * n_rows);
	const each = column_ns / n_rows / data.block_ns, first = Math.round(origin / data.block_ns);
	for (let b = lower_bound(event.numbers, first); b < event.numbers.length; b++) {
		const cell = Math.floor((event.numbers[b] - first) / each);
		if (cell >= cells.length)
			break;
		const n = count_span(event, b, b + 1, chosen);
		cells[cell] = is_peak ? Math.max(cells[cell], n) : cells[cell] + n;
	}
	return cells;
}

// The rows of a picture by thread, comm, …: their labels, the heaviest first, and the cells.
export function count_rows(data, event, chosen, labels, { origin, column_ns, n_columns, limit }) {
	const numbers = new Map(), row_of = labels.map((label) => {
		if (!numbers.has(label))
			numbers.set(label, numbers.size);
		return numbers.get(label);
	});
	const n = numbers.size, all = new Float64Array(n * n_columns), totals = new Float64Array(n);
	const per_column = column_ns / data.block_ns, first = Math.round(origin / data.block_ns);
	for (let b = lower_bound(event.numbers, first); b < event.numbers.length; b++) {
		const column = Math.floor((event.numbers[b] - first) / per_column);
		if (column >= n_columns)
			break;
		for (let i = event.first[b]; i < event.first[b + 1]; i++) {
			const pair = event.pairs[i];
			if (chosen !== null && !chosen[pair])
				continue;
			const row = row_of[data.pair_thread[pair]];
			all[row * n_columns + column]++;
			totals[row]++;
		}
	}
	const names = [...numbers.keys()];
	const order = names.map((_, row) => row).filter((row) => totals[row] > 0)
		.sort((a, b) => totals[b] - totals[a] || (names[a] < names[b] ? -1 : 1)).slice(0, limit);
	return { labels: order.map((row) => names[row]), rows: order.map((row) => all.subarray(row * n_columns, (row + 1) * n_columns)) };
}

// --- flame graph --------------------------------------------------------------------------------

// Weight of each pair in the spans.
function weigh_pairs(data, event, chosen, spans) {
	const weights = new Float64Array(data.n_pairs);
	for (const [first, end] of spans)
		for (let i = event.first[first], last = event.first[end]; i < last; i++)
			weights[event.pairs[i]]++;
	if (chosen !== null)
		for (let i = 0; i < weights.length; i++)
			weights[i] *= chosen[i];
	return weights;
}

function new_node(name, kind) {
	return { name, kind, self: 0, value: 0, children: new Map() };
}

function child_of(node, name, kind) {
	let child = node.children.get(name);
	if (child === undefined)
		node.children.set(name, child = new_node(name, kind));
	return child;
}

// Display ids of the stack that ends in `node`, from the root.
function stack_of(data, node) {
	const stack = [];
	for (; node > 0; node = data.parent[node])
		stack.push(data.display[node]);
	return stack.reverse();
}

// Stacks merged by name: the tree that `slice` draws.
export function merge_stacks(data, event, chosen, spans, { labels, is_reversed }) {
	const weights = weigh_pairs(data, event, chosen, spans);
	const root = new_node("root", 5);
	const merged = new Map(); // label -> node of the stack -> node of the tree
	const at = (tree, node, base) => {
		let found = tree.get(node);
		if (found === undefined) {
			const display = data.display[node];
			found = node === 0 ? base : child_of(at(tree, data.parent[node], base), data.names[display], data.kinds[display]);
			tree.set(node, found);
		}
		return found;
	};
	for (let pair = 0; pair < weights.length; pair++) {
		if (weights[pair] === 0)
			continue;
		const label = labels === null ? "" : labels[data.pair_thread[pair]];
		const base = label === "" ? root : child_of(root, label, 5);
		let tree = merged.get(label);
		if (tree === undefined)
			merged.set(label, tree = new Map());
		const node = is_reversed ? stack_of(data, data.pair_node[pair]).reverse()
			.reduce((up, display) => child_of(up, data.names[display], data.kinds[display]), base)
			: deep(tree, data, data.pair_node[pair], at, base);
		node.self += weights[pair];
	}
	return root;
}

// `at` without recursion as deep as the stack: parents first.
function deep(tree, data, node, at, base) {
	const missing = [];
	for (let up = node; up > 0 && !tree.has(up); up = data.parent[up])
		missing.push(up);
	while (missing.length > 0)
		at(tree, missing.pop(), base);
	return at(tree, node, base);
}

const encoder = new TextEncoder();

// Bytewise, as the program sorts; differs from UTF-16 order only beyond the basic plane.
function compare_names(a, b) {
	if (a.name === b.name)
		return 0;
	const one = encoder.encode(a.name), other = encoder.encode(b.name);
	for (let i = 0; i < Math.min(one.length, other.length); i++)
		if (one[i] !== other[i])
			return one[i] - other[i];
	return one.length - other.length;
}

// Nodes in pre-order with their totals and depths.
function in_order(root) {
	const order = [], todo = [{ node: root, depth: 0 }];
	while (todo.length > 0) {
		const item = todo.pop();
		order.push(item);
		const children = [...item.node.children.values()].sort(compare_names);
		for (let i = children.length - 1; i >= 0; i--)
			todo.push({ node: children[i], depth: item.depth + 1, parent: item });
	}
	for (let i = order.length - 1; i >= 0; i--) {
		const { node, parent } = order[i];
		node.value += node.self;
		if (parent)
			parent.node.value += node.value;
	}
	return order;
}

// The tree as `slice --format flat` has it; frames with less than `min_weight` are left out.
export function flatten_tree(root, min_weight) {
	const names = [], kinds = [], numbers = new Map();
	const out = { names, kinds, name: [], depth: [], begin: [], self: [], value: [], culled: { frames: 0, weight: 0 } };
	const next = [];
	let culled_depth = Infinity;
	const order = in_order(root);
	for (const { node, depth } of root.value > 0 ? order : []) {
		if (depth > culled_depth) {
			out.culled.frames++;
			continue;
		}
		const begin = depth === 0 ? 0 : next[depth - 1];
		if (depth > 0)
			next[depth - 1] += node.value;
		culled_depth = node.value < min_weight ? depth : Infinity;
		if (culled_depth < Infinity) {
			out.culled.frames++;
			out.culled.weight += node.value;
			continue;
		}
		next[depth] = begin + node.self;
		if (!numbers.has(node.name)) {
			numbers.set(node.name, names.length);
			names.push(node.name);
			kinds.push(node.kind);
		}
		out.name.push(numbers.get(node.name));
		out.depth.push(depth);
		out.begin.push(begin);
		out.self.push(node.self);
		out.value.push(node.value);
	}
	return out;
}

// Self and total of each function; a function twice in a stack counts once.
export function list_functions(data, event, chosen, spans) {
	const weights = weigh_pairs(data, event, chosen, spans);
	const by_node = new Float64Array(data.n_nodes);
	for (let pair = 0; pair < weights.length; pair++)
		by_node[data.pair_node[pair]] += weights[pair];
	const rows = new Map();
	let total = 0;
	for (let node = 1; node < data.n_nodes; node++) {
		if (by_node[node] === 0)
			continue;
		const stack = stack_of(data, node);
		for (const display of new Set(stack)) {
			if (!rows.has(display))
				rows.set(display, { name: data.names[display], dso: "", self: 0, total: 0 });
			rows.get(display).total += by_node[node];
		}
		rows.get(stack[stack.length - 1]).self += by_node[node];
	}
	for (const weight of by_node)
		total += weight;
	return { unit: "samples", total, rows: [...rows.values()] };
}
