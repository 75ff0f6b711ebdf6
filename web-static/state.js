// SPDX-License-Identifier: MIT
// What the page shows, as the address bar keeps it. Keys that are options of the program have its
// names and its values, so that a state is a command line; the others are the page's own.

// Which samples: what every command takes. Lists are repeatable.
export const filter_keys = ["event", "weight", "idle", "process", "comm", "pid", "tid", "cpu",
	"cgroup", "match", "exclude", "names", "zero"];
export const time_keys = ["range", "every", "phase"];
export const map_keys = ["column", "rows", "by", "cell", "scale", "palette"];
export const graph_keys = ["group-by", "reverse", "chart", "layout", "colors"];
export const compare_keys = ["base", "base-range", "rest"];
// r: recording; left: first time on the screen; tab, search, focus: of the flame graph.
export const page_keys = ["r", "left", "tab", "search", "focus"];

const list_keys = new Set(["range", "base-range", "process", "comm", "pid", "tid", "match", "exclude"]);
const all_keys = [...page_keys, ...filter_keys, ...time_keys, ...map_keys, ...graph_keys, ...compare_keys];

export const is_list = (key) => list_keys.has(key);

// "#r=…&range=…" as an object; keys it does not know are dropped, so is the token.
export function parse_hash(hash) {
	const state = {};
	for (const [key, value] of new URLSearchParams(hash.replace(/^#/, ""))) {
		if (!all_keys.includes(key) || value === "")
			continue;
		if (is_list(key))
			(state[key] ||= []).push(value);
		else
			state[key] = value;
	}
	return state;
}

// In a fixed order, so that the same state has the same address.
export function format_hash(state) {
	const query = new URLSearchParams();
	for (const key of all_keys)
		for (const value of values_of(state, key))
			query.append(key, value);
	return "#" + query.toString();
}

export function values_of(state, key) {
	const value = state[key];
	if (value === undefined || value === null || value === "")
		return [];
	return Array.isArray(value) ? value : [String(value)];
}

// [key, value] pairs of `keys` that are set.
export function pairs_of(state, keys) {
	return keys.flatMap((key) => values_of(state, key).map((value) => [key, value]));
}

// --- commands ---------------------------------------------------------------------------------

const switches = new Set(["reverse", "chart", "rest", "json", "csv"]);

export function quote(word) {
	return /^[A-Za-z0-9_=.,:@/+%-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'";
}

// `flamebeat COMMAND INPUT… --key=value …`: prints the bytes that the page got for these pairs.
export function command_line(command, paths, pairs, path_of_id = (id) => id) {
	const words = pairs.map(([key, value]) => switches.has(key) ? `--${key}`
		: `--${key}=${key === "base" ? path_of_id(value) : value}`);
	const inputs = paths.map((path) => path.startsWith("-") ? "./" + path : path);
	return ["flamebeat", command, ...inputs, ...words].map(quote).join(" ");
}

// What each view asks for.
export function slice_pairs(state) {
	return [...pairs_of(state, filter_keys), ...pairs_of(state, time_keys),
		...pairs_of(state, ["group-by", "reverse", "chart"])];
}

export function map_pairs(state) {
	return [...pairs_of(state, filter_keys),
		...pairs_of(state, ["column", "rows", "by", "cell"])];
}

export const is_comparing = (state) => compare_keys.some((key) => values_of(state, key).length > 0);

export function diff_pairs(state) {
	return [...pairs_of(state, filter_keys), ...pairs_of(state, ["range"]),
		...pairs_of(state, compare_keys), ...pairs_of(state, ["group-by", "reverse"])];
}
