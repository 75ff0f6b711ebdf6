// SPDX-License-Identifier: MIT
// The data inside the page, asked as the server is: the same commands, the same shapes. Times are
// snapped to blocks, which is all that the page keeps of their order.

import { choose_pairs, count_cells, count_rows, flatten_tree, list_functions, merge_stacks, read_blocks, spans_of } from "./blocks.js";
import { merge_ranges, parse_phase, parse_range, parse_time } from "./time.js";

const CHUNK = 1 << 20; // characters of base64: a multiple of 4

// Base64 in pieces, so that no more than the result is in memory at once.
function decode(text) {
	let at = 0;
	return new ReadableStream({
		pull(controller) {
			if (at >= text.length)
				return controller.close();
			const binary = atob(text.slice(at, at + CHUNK)), bytes = new Uint8Array(binary.length);
			for (let i = 0; i < binary.length; i++)
				bytes[i] = binary.charCodeAt(i);
			at += CHUNK;
			controller.enqueue(bytes);
		},
	});
}

export async function unpack(text) {
	const stream = decode(text).pipeThrough(new DecompressionStream("deflate"));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

const number_of = (pairs, key, fallback) => Number(pairs.findLast(([name]) => name === key)?.[1] || fallback);
const text_of = (pairs, key) => pairs.findLast(([name]) => name === key)?.[1] || "";
const all_of = (pairs, key) => pairs.filter(([name]) => name === key).map(([, value]) => value);
const column_choices = [1e9, 5e9, 1e10, 3e10, 6e10, 3e11, 6e11, 3.6e12];
const MAX_COLUMNS = 1800, MANY_RANGES = 200000;

export class FileSource {
	constructor(data) {
		this.data = data;
		this.is_file = true;
		this.commands = ["info", "heatmap", "slice", "top"];
	}

	async recordings() {
		const { title, source } = this.data;
		return [{ id: "file", name: title, paths: [source], state: "ready", error: null }];
	}

	async json(id, command, pairs) {
		return { json: this[command](pairs), notes: [] };
	}

	// --- what is asked ----------------------------------------------------------------------

	event(pairs) {
		const name = text_of(pairs, "event");
		return this.data.events.find((event) => event.name === name) || this.data.events[0];
	}

	chosen(pairs) {
		const patterns = (key) => all_of(pairs, key).map((text) => new RegExp(text));
		const numbers = (key) => all_of(pairs, key).map(Number);
		return choose_pairs(this.data, { process: patterns("process"), comm: patterns("comm"), match: patterns("match"),
			exclude: patterns("exclude"), pid: numbers("pid"), tid: numbers("tid") });
	}

	snap(ns) {
		return Math.round(ns / this.data.block_ns) * this.data.block_ns;
	}

	// The chosen time in whole blocks: ranges, or the same part of every period.
	ranges(pairs) {
		const { start, end } = this.data;
		const whole = { begin: Math.min(0, start), end };
		const snapped = (range) => ({ begin: this.snap(range.begin), end: this.snap(range.end) });
		const every = parse_time(text_of(pairs, "every") || "0");
		const ranges = all_of(pairs, "range").map((text) => parse_range(text, whole)).filter((range) => range !== null);
		const all = ranges.length > 0 ? ranges : [{ begin: this.snap(whole.begin - this.data.block_ns), end: end + this.data.block_ns }];
		if (!(every > 0))
			return merge_ranges(all.map(snapped));
		const phase = parse_phase(text_of(pairs, "phase") || "0..1", every) || { begin: 0, end: every };
		const parts = [];
		for (const range of merge_ranges(all))
			for (let k = Math.floor((range.begin - phase.end) / every); k * every + phase.begin < range.end && parts.length < MANY_RANGES; k++)
				parts.push({ begin: Math.max(range.begin, k * every + phase.begin), end: Math.min(range.end, k * every + phase.end) });
		return merge_ranges(parts.map(snapped));
	}

	// --- commands ---------------------------------------------------------------------------

	info() {
		const { data } = this;
		const clock = (ns) => String(BigInt(data.zero_ns) + BigInt(ns));
		return {
			samples: data.samples, events: data.events.map(({ name, pairs }) => ({ name, samples: pairs.length })),
			start_ns: clock(data.start), end_ns: clock(data.end - 1), zero_ns: data.zero_ns, wall_zero_ns: data.wall_zero_ns ?? null,
			cpus: data.cpus, threads: data.threads.list.length, lost: data.lost, skipped_lines: 0,
			sample_freq: data.sample_freq, header: { hostname: data.hostname }, holes: [],
		};
	}

	// Rows are whole blocks: as many of those asked for as that allows.
	geometry(pairs) {
		const { data } = this;
		const text = text_of(pairs, "column");
		const wanted = text && text !== "auto" ? parse_time(text)
			: column_choices.find((ns) => data.end / ns <= MAX_COLUMNS) || column_choices[column_choices.length - 1];
		const column_ns = Math.max(1, Math.round(wanted / data.block_ns)) * data.block_ns;
		const blocks = column_ns / data.block_ns;
		let n_rows = Math.min(number_of(pairs, "rows", 50) || 50, blocks);
		while (blocks % n_rows !== 0)
			n_rows--;
		const origin = Math.floor(Math.min(0, data.start) / column_ns) * column_ns;
		return { column_ns, n_rows, origin, n_columns: Math.max(1, Math.ceil((data.end - origin) / column_ns)) };
	}

	heatmap(pairs) {
		const { data } = this;
		const event = this.event(pairs), chosen = this.chosen(pairs), by = text_of(pairs, "by") || "time";
		const grid = this.geometry(pairs), is_peak = text_of(pairs, "cell") === "peak";
		const made = by === "time" ? this.cells_by_time(event, chosen, { ...grid, is_peak }) : this.cells_by(by, event, chosen, grid, pairs);
		return {
			...made, by, column_ns: grid.column_ns, columns: Array.from({ length: grid.n_columns }, (_, c) => c),
			zero_ns: data.zero_ns, origin_ns: String(BigInt(data.zero_ns) + BigInt(grid.origin)), unit: "samples", event: event.name,
			cell: is_peak ? "peak" : "sum", holes: [], samples: made.total, dropped: {},
		};
	}

	cells_by_time(event, chosen, grid) {
		const cells = count_cells(this.data, event, chosen, grid);
		const total = grid.is_peak ? count_cells(this.data, event, chosen, { ...grid, is_peak: false }).reduce((a, b) => a + b, 0)
			: cells.reduce((a, b) => a + b, 0);
		return {
			rows: Array.from({ length: grid.n_rows }, (_, r) => (grid.n_rows - 1 - r) * grid.column_ns / grid.n_rows / 1e6),
			values: Array.from({ length: grid.n_columns }, (_, c) => [...cells.subarray(c * grid.n_rows, (c + 1) * grid.n_rows)].reverse()),
			maxvalue: cells.reduce((a, b) => Math.max(a, b), 0), total,
		};
	}

	cells_by(by, event, chosen, grid, pairs) {
		const { list, groups } = this.data.threads;
		const labels = by === "thread" ? list.map(({ comm, tid }) => `${comm} ${tid}`) : by === "comm" ? list.map(({ comm }) => comm)
			: by === "process" ? groups.process_name : groups[by] || list.map(() => "unknown");
		const made = count_rows(this.data, event, chosen, labels, { ...grid, limit: number_of(pairs, "rows", 20) || 20 });
		return {
			rows: made.labels, values: Array.from({ length: grid.n_columns }, (_, c) => made.rows.map((row) => row[c])),
			maxvalue: made.rows.reduce((max, row) => row.reduce((a, b) => Math.max(a, b), max), 0),
			total: made.rows.reduce((sum, row) => row.reduce((a, b) => a + b, sum), 0),
		};
	}

	slice(pairs) {
		const event = this.event(pairs), group = text_of(pairs, "group-by") || "comm";
		const root = merge_stacks(this.data, event, this.chosen(pairs), spans_of(this.data, event, this.ranges(pairs)), {
			labels: group === "none" ? null : this.data.threads.groups[group] || this.data.threads.groups.comm,
			is_reversed: text_of(pairs, "reverse") === "1",
		});
		const flat = flatten_tree(root, 0);
		const total = flat.value[0] || 0;
		const least = total * number_of(pairs, "min-width", 0) / number_of(pairs, "width", 1200);
		return { title: this.data.title, unit: "samples", total, samples: total, ...(least > 1 ? flatten_tree(reset(root), least) : flat) };
	}

	top(pairs) {
		const event = this.event(pairs);
		return list_functions(this.data, event, this.chosen(pairs), spans_of(this.data, event, this.ranges(pairs)));
	}
}

// Totals are added up anew by whoever walks the tree.
function reset(root) {
	const todo = [root];
	while (todo.length > 0) {
		const node = todo.pop();
		node.value = 0;
		for (const child of node.children.values())
			todo.push(child);
	}
	return root;
}

export async function open_file(text) {
	return new FileSource(read_blocks(await unpack(text)));
}
