// SPDX-License-Identifier: MIT
// Where cells are, on the screen and in time. Pure functions: times are integer nanoseconds
// relative to zero; a view says which part of the recording is on the screen.

// Clock times need more than the 53 bits of a JavaScript number: in `text` those of 16 digits and
// more become strings, for relative().
export function parse_exact(text) {
	return JSON.parse(text.replace(/("\w+_ns":\s*)(-?\d{16,})/g, '$1"$2"'));
}

export const relative = (ns, zero) => Number(BigInt(ns) - BigInt(zero));

// A heat map's JSON as one flat array, row 0 the start of a column: {n_columns, n_rows, cells, …}.
export function make_grid(json) {
	const n_rows = json.rows.length, n_columns = json.columns.length;
	const turn = (values) => {
		const cells = new Float64Array(n_rows * n_columns);
		for (let c = 0; c < n_columns; c++)
			for (let r = 0; r < n_rows; r++)
				cells[c * n_rows + r] = values[c][n_rows - 1 - r];
		return cells;
	};
	return {
		n_rows, n_columns, cells: turn(json.values),
		shade: json.shade ? turn(json.shade) : null,
		shade_top: json.shade_top,
		is_time: json.by === "time",
		labels: json.by === "time" ? null : [...json.rows].reverse(),
		column_ns: json.column_ns,
		origin: relative(json.origin_ns, json.zero_ns),
		max: json.maxvalue,
		total: json.total,
		unit: json.unit,
		event: json.event,
		cell: json.cell,
		samples: json.samples,
		dropped: json.dropped,
		holes: json.holes.map((hole) => ({ begin: hole.begin_ns, end: hole.end_ns })),
	};
}

export const grid_end = (grid) => grid.origin + grid.n_columns * grid.column_ns;

// Start of row `row` in its column: what the program computes as ceil(row · column / rows).
export const row_offset = (grid, row) => Math.ceil(row * grid.column_ns / grid.n_rows);

// Time at which a cell begins; `row` may be n_rows. By CPU and the like a column is one cell.
export function cell_begin(grid, column, row) {
	return grid.origin + column * grid.column_ns + (grid.is_time ? row_offset(grid, row) : 0);
}

export function cell_range(grid, { column, row }) {
	if (!grid.is_time)
		return { begin: cell_begin(grid, column, 0), end: cell_begin(grid, column + 1, 0) };
	return { begin: cell_begin(grid, column, row), end: cell_begin(grid, column, row + 1) };
}

// From the first to the last of two cells: contiguous in time, in whichever order they were met.
export function span_of_cells(grid, a, b) {
	const one = cell_range(grid, a), other = cell_range(grid, b);
	return { begin: Math.min(one.begin, other.begin), end: Math.max(one.end, other.end) };
}

// The cell that holds `ns`; may lie outside the grid.
export function cell_at_time(grid, ns) {
	const column = Math.floor((ns - grid.origin) / grid.column_ns);
	const rest = ns - grid.origin - column * grid.column_ns;
	return { column, row: grid.is_time ? Math.floor(rest * grid.n_rows / grid.column_ns) : 0 };
}

// Rows of two cells as a part of every column: {begin, end} within the column.
export function band_of_cells(grid, a, b) {
	const low = Math.min(a.row, b.row), high = Math.max(a.row, b.row);
	return { begin: row_offset(grid, low), end: row_offset(grid, high + 1) };
}

// The parts of a periodic selection that lie in `window`, at most `limit`.
export function periodic_ranges(every, phase, window, limit = 5000) {
	const ranges = [];
	let k = Math.floor((window.begin - phase.end) / every);
	for (; ranges.length < limit; k++) {
		const begin = k * every + phase.begin, end = k * every + phase.end;
		if (begin >= window.end)
			break;
		if (end > window.begin)
			ranges.push({ begin, end });
	}
	return ranges;
}

// How a range lies in the columns first..last: per column the part [low, high) of 0..1.
export function column_parts(grid, range, first, last) {
	const parts = [];
	const from = Math.max(first, Math.floor((range.begin - grid.origin) / grid.column_ns));
	for (let column = from; column <= last; column++) {
		const start = grid.origin + column * grid.column_ns;
		const low = Math.max(0, (range.begin - start) / grid.column_ns);
		const high = Math.min(1, (range.end - start) / grid.column_ns);
		if (high <= 0)
			break;
		if (high > low)
			parts.push({ column, low, high });
	}
	return parts;
}

// [low, high) without [other.low, other.high): up to two parts.
export function difference(part, other) {
	if (other === undefined || other.high <= part.low || other.low >= part.high)
		return [{ low: part.low, high: part.high }];
	const parts = [];
	if (other.low > part.low)
		parts.push({ low: part.low, high: other.low });
	if (other.high < part.high)
		parts.push({ low: other.high, high: part.high });
	return parts;
}

const ladder = [1e6, 2e6, 5e6, 1e7, 2e7, 5e7, 1e8, 2e8, 5e8, 1e9, 2e9, 5e9, 1e10, 3e10, 6e10, 3e11, 6e11, 3.6e12];

// The next column length when zooming; `steps` > 0 zooms in.
export function zoom_column(column_ns, steps) {
	let at = ladder.findIndex((ns) => ns >= column_ns);
	at = at < 0 ? ladder.length - 1 : at;
	return ladder[Math.min(Math.max(at - steps, 0), ladder.length - 1)];
}

// Round steps of a labelled axis: the smallest that leaves `room` px between labels.
export function axis_step(column_ns, cell_width, room) {
	const steps = [...ladder, 7.2e12, 2.16e13, 4.32e13, 8.64e13];
	return steps.find((ns) => ns >= column_ns && ns % column_ns === 0 && ns / column_ns * cell_width >= room) ||
		column_ns * Math.ceil(room / cell_width);
}

// Weight of the cells whose start lies in `range`, and how many there are.
export function sum_cells(grid, range) {
	let weight = 0;
	const first = Math.max(0, Math.floor((range.begin - grid.origin) / grid.column_ns));
	const last = Math.min(grid.n_columns - 1, Math.floor((range.end - 1 - grid.origin) / grid.column_ns));
	for (let c = first; c <= last; c++)
		for (let r = 0; r < grid.n_rows; r++) {
			const begin = cell_begin(grid, c, r);
			if (begin >= range.begin && begin < range.end)
				weight += grid.cells[c * grid.n_rows + r];
		}
	return weight;
}
