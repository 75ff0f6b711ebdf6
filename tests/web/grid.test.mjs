// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";

import { axis_step, cell_at_time, cell_range, column_parts, difference, make_grid, parse_exact, periodic_ranges, relative, row_offset,
	span_of_cells, zoom_column } from "../../web-static/grid.js";
import { Gestures, move_by_cells, nothing_selected, selection_pairs } from "../../web-static/select.js";
import { format_duration, format_range } from "../../web-static/time.js";

const json = (n_columns, n_rows, column_ns = 1e9) => ({
	rows: Array.from({ length: n_rows }, (_, r) => (n_rows - 1 - r) * column_ns / n_rows / 1e6),
	columns: Array.from({ length: n_columns }, (_, c) => c),
	values: Array.from({ length: n_columns }, (_, c) => Array.from({ length: n_rows }, (_, r) => c * n_rows + (n_rows - 1 - r))),
	maxvalue: n_columns * n_rows - 1, by: "time", column_ns, zero_ns: 0, origin_ns: 0, total: 1, unit: "samples", holes: [],
});
const grid = make_grid(json(5, 50));
const bounds = { begin: 0, end: 5e9 };

test("rows begin where the program's do, for any number of rows", () => {
	for (const n of [1, 7, 49, 50, 99]) {
		const any = make_grid(json(2, n));
		for (let r = 0; r < n; r++) {
			const begin = row_offset(any, r);
			assert.equal(cell_at_time(any, begin).row, r);
			assert.equal(cell_at_time(any, row_offset(any, r + 1) - 1).row, r);
		}
	}
});

test("values are turned the right way up", () => {
	assert.equal(grid.cells[0], 0);
	assert.equal(grid.cells[1 * 50 + 3], 53);
});

test("clock times keep their nanoseconds", () => {
	const text = '{"zero_ns":1763700000000000001,"origin_ns": 1763700000000000003,"n":5}';
	const parsed = parse_exact(text);
	assert.equal(relative(parsed.origin_ns, parsed.zero_ns), 2);
	assert.equal(parsed.n, 5);
});

test("a span is contiguous in time, whichever way it was drawn", () => {
	const a = { column: 1, row: 40 }, b = { column: 2, row: 3 };
	assert.deepEqual(span_of_cells(grid, a, b), { begin: 18e8, end: 208e7 });
	assert.deepEqual(span_of_cells(grid, b, a), span_of_cells(grid, a, b));
});

test("a range's parts cover it exactly", () => {
	const parts = column_parts(grid, { begin: 18e8, end: 3.25e9 }, 0, 4);
	assert.deepEqual(parts.map(({ column }) => column), [1, 2, 3]);
	assert.ok(Math.abs(parts.reduce((sum, { low, high }) => sum + high - low, 0) - 1.45) < 1e-12);
	assert.deepEqual(difference(parts[0], parts[1]), []);
	assert.deepEqual(difference(parts[1], parts[0]), [{ low: 0, high: 0.8 }]);
});

test("drag, click and click, Shift, Ctrl, band", () => {
	const gestures = new Gestures(), cell = (column, row) => ({ column, row });
	const none = {};
	let selection = gestures.press(grid, nothing_selected, cell(1, 10), none);
	selection = gestures.drag(grid, cell(1, 19));
	gestures.release();
	assert.deepEqual(selection.ranges, [{ begin: 12e8, end: 14e8 }]);
	selection = gestures.press(grid, selection, cell(2, 0), none);
	gestures.release();
	assert.deepEqual(selection.ranges, [cell_range(grid, cell(2, 0))]);
	selection = gestures.press(grid, selection, cell(3, 49), none);
	gestures.release();
	assert.deepEqual(selection.ranges, [{ begin: 2e9, end: 4e9 }]);
	selection = gestures.press(grid, selection, cell(4, 24), { shift: true });
	gestures.release();
	assert.deepEqual(selection.ranges, [{ begin: 2e9, end: 4.5e9 }]);
	selection = gestures.press(grid, selection, cell(0, 0), { more: true });
	gestures.release();
	assert.deepEqual(selection_pairs(selection, format_range, format_duration).range, ["0..0.02", "2..4.5"]);
	selection = gestures.press(grid, selection, cell(0, 10), { band: true });
	selection = gestures.drag(grid, cell(4, 14));
	assert.deepEqual(selection_pairs(selection, format_range, format_duration), { range: [], every: "1s", phase: "200ms..300ms" });
});

test("keys move by cells and stay inside", () => {
	const one = { ...nothing_selected, ranges: [{ begin: 1e9, end: 104e7 }] };
	assert.deepEqual(move_by_cells(grid, one, 1, false, bounds).ranges, [{ begin: 102e7, end: 106e7 }]);
	assert.deepEqual(move_by_cells(grid, one, -50, false, bounds).ranges, [{ begin: 0, end: 4e7 }]);
	assert.deepEqual(move_by_cells(grid, one, -500, false, bounds).ranges, [{ begin: 0, end: 4e7 }]);
	assert.deepEqual(move_by_cells(grid, one, 1, true, bounds).ranges, [{ begin: 1e9, end: 106e7 }]);
	assert.deepEqual(move_by_cells(grid, one, -9, true, bounds).ranges, [{ begin: 1e9, end: 102e7 }]);
	assert.deepEqual(move_by_cells(grid, one, 9999, true, bounds).ranges, [{ begin: 1e9, end: 5e9 }]);
});

test("periodic ranges, axis steps, zoom", () => {
	assert.deepEqual(periodic_ranges(1e9, { begin: 9e8, end: 11e8 }, { begin: 0, end: 2e9 }),
		[{ begin: -1e8, end: 1e8 }, { begin: 9e8, end: 11e8 }, { begin: 19e8, end: 21e8 }]);
	assert.ok(axis_step(1e9, 6, 64) / 1e9 * 6 >= 64);
	assert.equal(zoom_column(1e9, 1), 5e8);
	assert.equal(zoom_column(1e6, 1), 1e6);
	assert.equal(zoom_column(3.6e12, -1), 3.6e12);
});
