// SPDX-License-Identifier: MIT
// What pointer and keys make of a selection. A selection is {ranges, every, phase}: times are
// relative to zero; `every` 0 means none, else `phase` is the part {begin, end} of each period.
// Everything is a pure function of the grid but Gestures, which remembers the anchor.

import { band_of_cells, cell_at_time, cell_begin, cell_range, grid_end, span_of_cells } from "./grid.js";
import { merge_ranges } from "./time.js";

export const nothing_selected = { ranges: [], every: 0, phase: null };

export const is_everything = (selection) => selection.ranges.length === 0 && selection.every === 0;

const rows_of = (grid) => (grid.is_time ? grid.n_rows : 1);
const index_of = (grid, { column, row }) => column * rows_of(grid) + (grid.is_time ? row : 0);

function cell_of_index(grid, index) {
	const n = rows_of(grid);
	const column = Math.floor(index / n);
	return { column, row: index - column * n };
}

// The last range, which keys act on, as the indices of its first and last cell.
function active_cells(grid, selection) {
	const range = selection.ranges[selection.ranges.length - 1];
	return {
		first: index_of(grid, cell_at_time(grid, range.begin)),
		last: index_of(grid, cell_at_time(grid, range.end - 1)),
	};
}

function with_active(grid, selection, first, last) {
	const range = span_of_cells(grid, cell_of_index(grid, first), cell_of_index(grid, last));
	return { ...nothing_selected, ranges: [...selection.ranges.slice(0, -1), range] };
}

// `by` cells later (up the column, then to the right); `only_end`: the end alone.
export function move_by_cells(grid, selection, by, only_end, bounds) {
	const { first, last } = active_cells(grid, selection);
	const lowest = index_of(grid, cell_at_time(grid, bounds.begin));
	const highest = index_of(grid, cell_at_time(grid, bounds.end - 1));
	if (only_end)
		return with_active(grid, selection, first, Math.min(Math.max(last + by, first), highest));
	const step = Math.min(Math.max(by, lowest - first), highest - last);
	return with_active(grid, selection, first + step, last + step);
}

// What an arrow key means, in cells.
export function cells_of_key(grid, key) {
	const n = rows_of(grid);
	return { ArrowUp: 1, ArrowDown: -1, ArrowRight: n, ArrowLeft: -n }[key];
}

export function select_cell_at(grid, ns) {
	return { ...nothing_selected, ranges: [cell_range(grid, cell_at_time(grid, ns))] };
}

// Cells as the pointer met them, kept within the recording.
export function clamp_cell(grid, cell, bounds) {
	const first = Math.floor((bounds.begin - grid.origin) / grid.column_ns);
	const last = Math.floor((bounds.end - 1 - grid.origin) / grid.column_ns);
	return {
		column: Math.min(Math.max(cell.column, first), last),
		row: Math.min(Math.max(cell.row, 0), grid.n_rows - 1),
	};
}

export class Gestures {
	anchor = null;    // first cell of a drag, or of two clicks
	is_armed = false; // one click was made: the next one ends the range
	before = [];      // ranges that stay as they are
	is_band = false;

	// The selection after the button went down on `cell`; keys: {shift, more (Ctrl, Cmd), band (Alt)}.
	press(grid, selection, cell, keys) {
		this.is_band = keys.band && grid.is_time;
		const has_active = selection.ranges.length > 0;
		this.is_second = this.is_armed && this.anchor !== null && !keys.shift && !keys.more && !keys.band;
		this.is_extending = (keys.shift && has_active) || this.is_second;
		if (keys.shift && has_active)
			this.anchor = this.far_end(grid, selection, cell);
		else if (!this.is_second)
			this.anchor = cell;
		this.before = keys.more ? selection.ranges : this.is_extending ? selection.ranges.slice(0, -1) : [];
		this.start = cell;
		this.has_moved = false;
		return this.reach(grid, cell);
	}

	drag(grid, cell) {
		if (cell.column !== this.start.column || cell.row !== this.start.row)
			this.has_moved = true;
		return this.reach(grid, cell);
	}

	release() {
		this.is_armed = !this.has_moved && !this.is_extending && !this.is_band;
		if (!this.is_armed)
			this.anchor = null;
	}

	reset() {
		this.anchor = null;
		this.is_armed = false;
	}

	far_end(grid, selection, cell) {
		const { first, last } = active_cells(grid, selection);
		const at = index_of(grid, cell);
		return cell_of_index(grid, Math.abs(at - first) < Math.abs(at - last) ? last : first);
	}

	reach(grid, cell) {
		if (this.is_band)
			return { ranges: [], every: grid.column_ns, phase: band_of_cells(grid, this.anchor, cell) };
		return { ...nothing_selected, ranges: [...this.before, span_of_cells(grid, this.anchor, cell)] };
	}
}

export const whole_of = (grid) => ({ begin: cell_begin(grid, 0, 0), end: grid_end(grid) });

// As options of the program; `format` texts come from time.js.
export function selection_pairs(selection, format_range, format_duration) {
	if (selection.every > 0) {
		const { begin, end } = selection.phase;
		return {
			range: [],
			every: format_duration(selection.every),
			phase: `${format_duration(begin)}..${format_duration(end)}`,
		};
	}
	return { range: merge_ranges(selection.ranges).map(format_range), every: "", phase: "" };
}
