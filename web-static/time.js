// SPDX-License-Identifier: MIT
// Times in nanoseconds, relative to the recording's zero: as text and back, always exact.

const units = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 };

// "12.34": seconds with as many places as it takes.
export function format_seconds(ns) {
	const sign = ns < 0 ? "-" : "";
	const whole = Math.floor(Math.abs(ns) / 1e9);
	const rest = String(Math.abs(ns) % 1e9).padStart(9, "0").replace(/0+$/, "");
	return sign + whole + (rest ? "." + rest : "");
}

// "20ms", "1s", "1h": the largest unit it is a whole number of.
export function format_duration(ns) {
	for (const unit of ["h", "m", "s", "ms", "us"])
		if (ns !== 0 && ns % units[unit] === 0)
			return ns / units[unit] + unit;
	return ns + "ns";
}

// For people: three digits that matter.
export function format_rough(ns) {
	for (const unit of ["h", "m", "s", "ms", "us"])
		if (Math.abs(ns) >= units[unit])
			return Number((ns / units[unit]).toPrecision(3)) + " " + unit;
	return ns + " ns";
}

export function format_range({ begin, end }) {
	return format_seconds(begin) + ".." + format_seconds(end);
}

// Decimal digits to ns without going through a fraction.
function scale_decimal(whole, fraction, factor) {
	const digits = (fraction + "000000000").slice(0, 9);
	const scale = Math.round(factor);
	return Number(whole || 0) * scale + Math.round(Number(digits) * (scale / 1e9));
}

// "12.34", "1500ms", "1h20m", "-3"; NaN where it is none.
export function parse_time(text) {
	const match = /^\s*(-?)((?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|ms|s|m|h)?(?:\d+(?:\.\d*)?(?:ns|us|ms|s|m|h))*)\s*$/.exec(text);
	if (match === null)
		return NaN;
	let total = 0;
	for (const [, whole, fraction, unit] of match[2].matchAll(/(\d*)(?:\.(\d*))?(ns|us|ms|s|m|h)?/g))
		total += whole || fraction ? scale_decimal(whole, fraction || "", units[unit || "s"]) : 0;
	return match[1] ? -total : total;
}

// `FROM..TO` as {begin, end}; an end left out, or counted from the end, is taken from `whole`; null where it is none.
export function parse_range(text, whole) {
	const parts = text.split("..");
	if (parts.length !== 2)
		return null;
	const [begin, end] = parts.map((part, i) => {
		if (part.trim() === "")
			return i === 0 ? whole.begin : whole.end;
		const ns = parse_time(part);
		return /^\s*-/.test(part) ? whole.end + ns : ns;
	});
	if (!Number.isFinite(begin) || !Number.isFinite(end) || begin === end)
		return null;
	return begin < end ? { begin, end } : { begin: end, end: begin };
}

// `A..B` as a part of a period: fractions, or durations with a unit; may wrap. null where it is none.
export function parse_phase(text, every) {
	const [begin, end, more] = text.split("..").map((part) =>
		(/[a-z]/.test(part) ? parse_time(part) : Math.round(Number(part.trim() || NaN) * every)));
	if (!Number.isFinite(begin) || !Number.isFinite(end) || more !== undefined || begin === end)
		return null;
	return { begin, end: end > begin ? end : end + every };
}

// Ascending and disjoint, as the program makes of several --range.
export function merge_ranges(ranges) {
	const merged = [];
	for (const range of [...ranges].sort((a, b) => a.begin - b.begin || a.end - b.end)) {
		const last = merged[merged.length - 1];
		if (range.begin >= range.end)
			continue;
		if (last !== undefined && range.begin <= last.end)
			last.end = Math.max(last.end, range.end);
		else
			merged.push({ ...range });
	}
	return merged;
}

// Wall clock of a time, where `wall_zero_ns` (a decimal string or number) says what zero is.
export function format_wall(ns, wall_zero_ns, step_ns) {
	if (wall_zero_ns === null || wall_zero_ns === undefined)
		return null;
	const text = new Date((Number(wall_zero_ns) + ns) / 1e6).toISOString();
	return step_ns >= 60e9 ? text.slice(11, 16) : step_ns >= 1e9 ? text.slice(11, 19) : text.slice(11, 23);
}
