// SPDX-License-Identifier: MIT
// Colours of cells and frames: the same palettes, scales and hashes as render/palette.c,
// heatmap/scale.c and render/frame-palette.c, so that page and files agree. On a dark page a ramp
// is turned round: more stays further from the background.

const hex = (text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));
const ramp = (...texts) => texts.map(hex);

const light = {
	flame: ramp("#ffd2c8", "#ff5032", "#e50914"),
	enhanced: ramp("#6aaaff", "#faa0b5", "#ff5032", "#e50914"),
	viridis: ramp("#d1e229", "#94d645", "#5ec665", "#32b27d", "#209c89", "#26858e", "#306e8e",
		"#3b558b", "#443c82", "#482271", "#440456"),
	inferno: ramp("#f8d548", "#fab424", "#f99211", "#ef7122", "#dc543a", "#c23c4f", "#a12a61",
		"#7c1d6c", "#58106c", "#340d57", "#180b33"),
	cividis: ramp("#ebd54d", "#d4c15e", "#bcae6c", "#a39b74", "#8c8878", "#767674", "#60646f",
		"#49536d", "#2f416e", "#0e3168", "#00224f"),
	balance: ramp("#14366b", "#2f68a8", "#76a6d1", "#c3d9ea", "#f6f5f3", "#f5cdb6", "#e58f6e", "#c24433", "#7a0f1c"),
	grey: ramp("#d4d4d4", "#000000"),
	match: ramp("#c6dbef", "#4292c6", "#08306b"),
};
const dark = {
	flame: ramp("#5a1a12", "#e5341e", "#ffc9b8"),
	enhanced: ramp("#2f6fd0", "#c8627e", "#ff5032", "#ffd0c4"),
	viridis: [...light.viridis].reverse(),
	inferno: [...light.inferno].reverse().slice(1),
	cividis: [...light.cividis].reverse(),
	balance: ramp("#8fc1f2", "#5b93cf", "#39618f", "#2c3e55", "#2a2b2f", "#56352c", "#97492f", "#d9653f", "#ffb08c"),
	grey: ramp("#4a4a4a", "#ffffff"),
	match: ramp("#123a63", "#4292c6", "#d6e9fb"),
};

export const palette_names = Object.keys(light).filter((name) => name !== "match");
export const scale_names = ["linear", "log", "clip", "capacity", "surprise"];
// Scales that the program computes: cells come with a shade.
export const shade_scales = ["capacity", "surprise"];

const mix = (a, b, share) => a.map((value, i) => Math.round(value + (b[i] - value) * share));

function enhanced_colour(stops, position, value, max) {
	if (value <= 3)
		return mix(stops[0], stops[1], value <= 1 ? 0 : (value - 1) / 2);
	const three = 3 / max;
	if (position < 0.5 && three < 0.5)
		return mix(stops[1], stops[2], Math.max(position - three, 0) / (0.5 - three));
	return mix(stops[2], stops[3], Math.max(2 * position - 1, 0));
}

// [r, g, b] at `position` (0 the least that is not nothing, 1 the most).
export function palette_colour(name, is_dark, position, value, max) {
	const stops = (is_dark ? dark : light)[name];
	const place = Math.min(Math.max(position, 0), 1);
	if (name === "enhanced")
		return enhanced_colour(stops, place, value, max);
	const stop = Math.min(Math.floor(place * (stops.length - 1)), stops.length - 2);
	return mix(stops[stop], stops[stop + 1], place * (stops.length - 1) - stop);
}

// The 99th percentile of the cells that are not empty.
function clip_top(values, max) {
	const filled = values.filter((value) => value > 0).sort((a, b) => a - b);
	return filled.length > 0 ? filled[Math.min(filled.length - 1, Math.ceil(filled.length * 0.99) - 1)] : max;
}

// {top, max, position(value)}: how a value becomes a place on the palette.
export function make_scale(kind, values, max) {
	const top = Math.max(1, kind === "clip" ? clip_top(Array.from(values), max) : max);
	const by_kind = {
		log: (value) => Math.log1p(value) / Math.log1p(top),
		clip: (value) => Math.min(value / top, 1),
		linear: (value) => value / top,
	};
	return { kind, top, max, position: by_kind[kind] || by_kind.linear };
}

// --- frames -----------------------------------------------------------------------------------

const hues = {
	hot: [[218, 66, 20], [37, 146, 48], [2, 0, 1]],
	red: [[215, 85, 80], [40, 75, 75], [0, 0, 0]],
	green: [[85, 190, 85], [75, 55, 75], [0, 0, 0]],
	blue: [[105, 125, 205], [70, 70, 50], [0, 0, 0]],
	aqua: [[65, 170, 170], [75, 60, 60], [0, 0, 0]],
	yellow: [[195, 185, 55], [45, 45, 40], [0, 0, 0]],
	orange: [[225, 115, 25], [30, 65, 45], [0, 0, 0]],
	grey: [[185, 185, 185], [35, 35, 35], [0, 0, 0]],
	safe_vermilion: [[213, 94, 10], [30, 45, 45], [0, 0, 0]],
	safe_sky: [[86, 180, 233], [65, 32, 15], [0, 0, 0]],
	safe_green: [[10, 158, 115], [50, 32, 42], [0, 0, 0]],
	safe_yellow: [[236, 224, 66], [15, 20, 80], [0, 0, 0]],
	safe_purple: [[204, 121, 167], [30, 45, 35], [0, 0, 0]],
};
// By kind of code: kernel, JIT, inlined, user, unknown, none.
const by_kind = {
	type: ["orange", "green", "aqua", "yellow", "red", "grey"],
	safe: ["safe_vermilion", "safe_green", "safe_yellow", "safe_sky", "safe_purple", "grey"],
};
export const frame_palette_names = ["hot", "type", "safe", "blue", "aqua", "green"];
export const kind_names = ["kernel", "JIT", "inlined", "user", "unknown", ""];

const encoder = new TextEncoder();

function name_hash(name) {
	let hash = 2166136261;
	for (const byte of encoder.encode(name))
		hash = Math.imul(hash ^ byte, 16777619);
	hash = Math.imul(hash ^ hash >>> 16, 0x7feb352d);
	hash = Math.imul(hash ^ hash >>> 15, 0x846ca68b);
	return (hash ^ hash >>> 16) >>> 0;
}

// "rgb(…)" of a frame: the hash of its name picks the shade.
export function frame_colour(palette, name, kind) {
	const [base, span, source] = hues[palette in by_kind ? by_kind[palette][kind] : palette];
	const hash = name_hash(name.replace(/_\[[kjiw]\]$/, ""));
	const channel = base.map((value, i) =>
		value + Math.floor(span[i] * (hash >>> 8 * source[i] & 0xff) / 255));
	return `rgb(${channel.join(",")})`;
}

const more = ["#fde3c0", "#fdc580", "#f7a040", "#e77c12"], less = ["#d5e5f5", "#a8cef0", "#74b0e6", "#4a90d9"];
const steps = [1.25, 2, 4];
export const change_legend = { more, less, noise: "#dbdbd8", steps };

// Of a differential, as render/diff-ink.c has it: orange more, blue less, grey what may be noise.
export function change_colour(log2_ratio, is_significant) {
	if (!is_significant)
		return change_legend.noise;
	const ratio = 2 ** Math.abs(log2_ratio);
	const step = steps.filter((end) => ratio > end).length;
	return log2_ratio > 0 ? more[step] : less[step];
}
