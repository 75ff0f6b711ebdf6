// SPDX-License-Identifier: MIT
// The heat map on two canvases: cells and axes below, what moves with the pointer above, so that
// hovering redraws no cell. Sharp at any devicePixelRatio: cells begin and end on device pixels.

import { make_scale, palette_colour } from "./colour.js";
import { axis_step, cell_begin, column_parts, difference, grid_end, periodic_ranges } from "./grid.js";
import { format_rough, format_seconds, format_wall } from "./time.js";

const TOP = 28, RIGHT = 8, BOTTOM = 3;
const LEFT_TIME = 54, LEFT_NAMES = 168;
const LEVELS = 256;
const MAX_CELL_WIDTH = 90;
const FONT = "11px system-ui, sans-serif";

const pack = ([r, g, b]) => (255 << 24 | b << 16 | g << 8 | r) >>> 0;

export class HeatmapView {
	constructor(container) {
		this.container = container;
		this.base = container.querySelector("canvas.base");
		this.over = container.querySelector("canvas.over");
		this.grid = null;
		this.match = null;
		this.left = 0;
		this.hover = null;
		this.selection = null;
		this.baseline = null;
		this.marks = [];
		this.style = { palette: "flame", scale: "linear" };
		this.colours = {};
		this.has_wall_axis = false;
		this.wall_zero = null;
	}

	// --- geometry ---------------------------------------------------------------------------

	// Sizes for the container's width; `cell_width` is what fits, or enough to be seen.
	fit() {
		const width = this.container.clientWidth;
		const grid = this.grid;
		const left = grid.is_time ? LEFT_TIME : LEFT_NAMES;
		const room = Math.max(100, width - left - RIGHT);
		const n = Math.max(1, this.total_columns());
		const fitting = room / n;
		const cell_width = fitting >= 3 ? Math.min(Math.floor(fitting), MAX_CELL_WIDTH) : Math.max(fitting, 2);
		const cell_height = grid.is_time
			? Math.min(Math.max(Math.floor(this.target_height() / grid.n_rows), 2), 16) : 15;
		this.size = { width, left, room, cell_width, cell_height, plot_height: cell_height * grid.n_rows };
		this.size.plot_width = Math.min(room, Math.ceil(n * cell_width));
		this.size.height = TOP + this.size.plot_height + BOTTOM;
		this.resize();
	}

	target_height() {
		return Math.min(Math.max(window.innerHeight * 0.34, 150), 400);
	}

	total_columns() {
		const whole = this.bounds || { begin: this.grid.origin, end: grid_end(this.grid) };
		return Math.ceil((whole.end - whole.begin) / this.grid.column_ns);
	}

	resize() {
		const ratio = window.devicePixelRatio || 1;
		for (const canvas of [this.base, this.over]) {
			canvas.width = Math.round(this.size.width * ratio);
			canvas.height = Math.round(this.size.height * ratio);
			canvas.style.height = this.size.height + "px";
		}
		this.ratio = ratio;
		this.container.style.height = this.size.height + "px";
	}

	get ns_per_px() {
		return this.grid.column_ns / this.size.cell_width;
	}

	// {begin, end} of what is on the screen.
	window() {
		return { begin: this.left, end: this.left + this.size.plot_width * this.ns_per_px };
	}

	set_left(ns) {
		const whole = this.bounds;
		const last = Math.max(whole.begin, whole.end - this.size.plot_width * this.ns_per_px);
		this.left = Math.min(Math.max(ns, whole.begin), last);
	}

	x_of(ns) {
		return this.size.left + (ns - this.left) / this.ns_per_px;
	}

	y_of(row) {
		return TOP + this.size.plot_height - row * this.size.cell_height;
	}

	// The cell at a point of the container; outside the plot too.
	cell_at(x, y) {
		const ns = this.left + (x - this.size.left) * this.ns_per_px;
		return {
			column: Math.floor((ns - this.grid.origin) / this.grid.column_ns),
			row: Math.floor((TOP + this.size.plot_height - y) / this.size.cell_height),
		};
	}

	is_inside(x, y) {
		return x >= this.size.left && x < this.size.left + this.size.plot_width &&
			y >= TOP && y < TOP + this.size.plot_height;
	}

	first_column() {
		return Math.max(0, Math.floor((this.left - this.grid.origin) / this.grid.column_ns));
	}

	last_column() {
		const end = this.window().end;
		return Math.min(this.grid.n_columns - 1, Math.ceil((end - this.grid.origin) / this.grid.column_ns) - 1);
	}

	// --- cells ------------------------------------------------------------------------------

	set_grid(grid, match = null) {
		this.grid = grid;
		this.match = match;
		this.scale = make_scale(this.style.scale, grid.cells, grid.max);
		this.match_scale = match && make_scale(this.style.scale, match.cells, match.max);
	}

	make_lookup(scale, palette) {
		const is_dark = this.colours.is_dark;
		const levels = Array.from({ length: LEVELS }, (_, i) =>
			pack(palette_colour(palette, is_dark, i / (LEVELS - 1), 0, 0)));
		if (palette !== "enhanced")
			return (value) => levels[Math.round(scale.position(value) * (LEVELS - 1))];
		return (value) => pack(palette_colour(palette, is_dark, scale.position(value), value, scale.max));
	}

	// Colour of cell `i`: where a search or a function is shown, when it runs, and grey where not.
	make_painter() {
		const cells = this.grid.cells;
		const empty = pack(this.colours.empty), other = pack(this.colours.other);
		if (this.match === null && this.grid.shade !== null)
			return this.make_shade_painter(empty);
		if (this.match === null) {
			const lookup = this.make_lookup(this.scale, this.style.palette);
			return (i) => (cells[i] > 0 ? lookup(cells[i]) : empty);
		}
		const matched = this.match.cells;
		const lookup = this.make_lookup(this.match_scale, "match");
		return (i) => (matched[i] > 0 ? lookup(matched[i]) : cells[i] > 0 ? other : empty);
	}

	// Scales that the program computed; level 0 is nothing there.
	make_shade_painter(empty) {
		const { shade, shade_top } = this.grid;
		const lookup = this.make_lookup({ position: (value) => Math.min(value / shade_top, 1), max: shade_top }, this.style.palette);
		return (i) => (shade[i] > 0 ? lookup(shade[i]) : empty);
	}

	paint_cells(context) {
		const { ratio, grid, size } = this;
		const x0 = Math.round(size.left * ratio), y0 = Math.round(TOP * ratio);
		const width = Math.round(size.plot_width * ratio), height = Math.round(size.plot_height * ratio);
		const image = context.createImageData(width, height);
		const pixels = new Uint32Array(image.data.buffer);
		const painter = this.make_painter();
		const gap = size.cell_width >= 6 && size.cell_height >= 4 ? 1 : 0;
		pixels.fill(pack(gap ? this.colours.gap : this.colours.empty));
		const x_at = (c) => Math.round((this.x_of(grid.origin + c * grid.column_ns)) * ratio) - x0;
		const y_at = (r) => height - Math.round(r * size.cell_height * ratio);
		for (let c = this.first_column(); c <= this.last_column(); c++) {
			const from = Math.max(0, x_at(c)), to = Math.min(width, x_at(c + 1) - gap);
			for (let r = 0; r < grid.n_rows; r++) {
				const colour = painter(c * grid.n_rows + r);
				for (let y = y_at(r + 1); y < y_at(r) - gap; y++)
					pixels.fill(colour, y * width + from, y * width + Math.max(from, to));
			}
		}
		context.putImageData(image, x0, y0);
	}

	make_hatch(context) {
		const tile = document.createElement("canvas");
		tile.width = tile.height = 8;
		const pen = tile.getContext("2d");
		pen.fillStyle = this.colours.hole;
		pen.fillRect(0, 0, 8, 8);
		pen.strokeStyle = this.colours.hatch;
		pen.lineWidth = 1.2;
		pen.beginPath();
		for (const d of [-4, 4, 12]) {
			pen.moveTo(d - 4, 8);
			pen.lineTo(d + 4, 0);
		}
		pen.stroke();
		return context.createPattern(tile, "repeat");
	}

	// Rectangles of a range, one a column, clipped to the plot.
	*rects_of(range) {
		const { grid, size } = this;
		const right = size.left + size.plot_width;
		if (!grid.is_time) {
			const x = Math.max(size.left, this.x_of(range.begin));
			const end = Math.min(right, this.x_of(range.end));
			if (end > x)
				yield { x, y: TOP, width: end - x, height: size.plot_height };
			return;
		}
		for (const part of column_parts(grid, range, this.first_column(), this.last_column())) {
			const begin = this.x_of(grid.origin + part.column * grid.column_ns);
			const x = Math.max(size.left, begin), end = Math.min(right, begin + size.cell_width);
			yield { x, width: end - x, y: TOP + (1 - part.high) * size.plot_height,
				height: (part.high - part.low) * size.plot_height };
		}
	}

	paint_holes(context) {
		const outside = this.span ? [
			{ begin: this.grid.origin, end: this.span.begin }, { begin: this.span.end, end: grid_end(this.grid) },
		] : [];
		context.fillStyle = this.make_hatch(context);
		for (const hole of [...this.grid.holes, ...outside])
			for (const { x, y, width, height } of this.rects_of(hole))
				context.fillRect(x, y, width, height);
	}

	// --- axes -------------------------------------------------------------------------------

	time_label(ns, step) {
		if (this.has_wall_axis && this.wall_zero !== null)
			return format_wall(ns, this.wall_zero, step);
		if (step < 60e9 && this.bounds.end < 600e9)
			return format_seconds(ns) + " s";
		const total = Math.floor(ns / 1e9), pad = (n) => String(n).padStart(2, "0");
		const clock = `${pad(Math.floor(total / 60) % 60)}:${pad(total % 60)}`;
		const fraction = step < 1e9 ? (ns / 1e9 % 1).toFixed(3).slice(1) : "";
		return (total >= 3600 ? Math.floor(total / 3600) + ":" : "") + clock + fraction;
	}

	paint_time_axis(context) {
		const step = axis_step(this.grid.column_ns, this.size.cell_width, 64);
		const { begin, end } = this.window();
		context.fillStyle = this.colours.text_dim;
		context.textAlign = "left";
		for (let ns = Math.ceil(begin / step) * step; ns < Math.min(end, this.bounds.end); ns += step) {
			const x = Math.round(this.x_of(ns));
			context.fillRect(x, TOP - 13, 1, 12);
			const label = this.time_label(ns, step);
			if (x + context.measureText(label).width <= this.size.width)
				context.fillText(label, x + 3, TOP - 15);
		}
	}

	paint_row_axis(context) {
		const { grid, size } = this;
		context.textAlign = "right";
		if (!grid.is_time) {
			grid.labels.forEach((label, row) => {
				context.fillStyle = this.colours.text;
				context.fillText(cut(context, label, size.left - 14), size.left - 7, this.y_of(row) - 4);
			});
			return;
		}
		context.fillStyle = this.colours.text_dim;
		const n = [10, 5, 4, 2, 1].find((parts) => size.plot_height / parts >= 26 && grid.column_ns % parts === 0) || 1;
		for (let i = 0; i <= n; i++) {
			const y = TOP + size.plot_height * (1 - i / n);
			context.fillRect(size.left - 5, Math.min(Math.round(y), TOP + size.plot_height - 1), 4, 1);
			context.fillText(i === 0 ? "0" : format_rough(grid.column_ns * i / n), size.left - 8, y + (i === n ? 8 : i === 0 ? 0 : 4));
		}
	}

	draw() {
		if (this.grid === null)
			return;
		const context = this.base.getContext("2d");
		context.setTransform(1, 0, 0, 1, 0, 0);
		context.clearRect(0, 0, this.base.width, this.base.height);
		this.paint_cells(context);
		context.scale(this.ratio, this.ratio);
		this.paint_holes(context);
		context.font = FONT;
		this.paint_time_axis(context);
		this.paint_row_axis(context);
		this.draw_over();
	}

	// --- what moves -------------------------------------------------------------------------

	ranges_on_screen(selection) {
		if (selection === null)
			return [];
		if (selection.every > 0)
			return periodic_ranges(selection.every, selection.phase, this.window());
		return selection.ranges;
	}

	paint_selection(context, selection, colour, is_dashed) {
		context.fillStyle = colour + "40";
		context.strokeStyle = colour;
		context.lineWidth = 1.5;
		context.setLineDash(is_dashed ? [4, 3] : []);
		context.beginPath();
		for (const range of this.ranges_on_screen(selection)) {
			for (const { x, y, width, height } of this.rects_of(range))
				context.fillRect(x, y, width, height);
			this.trace_outline(context, range);
		}
		context.stroke();
		context.setLineDash([]);
	}

	// The border of a range: edges that two of its columns share are left out.
	trace_outline(context, range) {
		if (!this.grid.is_time) {
			for (const { x, y, width, height } of this.rects_of(range))
				context.rect(x, y, width, height);
			return;
		}
		const parts = column_parts(this.grid, range, this.first_column() - 1, this.last_column() + 1);
		const y_of = (share) => TOP + (1 - share) * this.size.plot_height;
		parts.forEach((part, i) => {
			const x = Math.max(this.size.left, this.x_of(this.grid.origin + part.column * this.grid.column_ns));
			const end = Math.min(x + this.size.cell_width, this.size.left + this.size.plot_width);
			if (end <= x)
				return;
			const edge = (at, other) => difference(part, other).forEach(({ low, high }) => {
				context.moveTo(at, y_of(low));
				context.lineTo(at, y_of(high));
			});
			edge(x, parts[i - 1]);
			edge(end, parts[i + 1]);
			for (const share of [part.low, part.high]) {
				context.moveTo(x, y_of(share));
				context.lineTo(end, y_of(share));
			}
		});
	}

	paint_marks(context) {
		context.fillStyle = this.colours.mark;
		for (const mark of this.marks) {
			const x = Math.round(this.x_of(mark.begin));
			if (x < this.size.left || x > this.size.left + this.size.plot_width)
				continue;
			context.beginPath();
			context.moveTo(x, TOP - 1);
			context.lineTo(x - 4, TOP - 7);
			context.lineTo(x + 4, TOP - 7);
			context.fill();
		}
	}

	paint_hover(context) {
		const { grid, size, hover } = this;
		const x = this.x_of(grid.origin + hover.column * grid.column_ns);
		context.strokeStyle = this.colours.text;
		context.lineWidth = 1;
		context.strokeRect(x - 0.5, this.y_of(hover.row + 1) - 0.5, size.cell_width, size.cell_height);
	}

	draw_over() {
		const context = this.over.getContext("2d");
		context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
		context.clearRect(0, 0, this.size.width, this.size.height);
		if (this.baseline !== null)
			this.paint_selection(context, this.baseline, this.colours.baseline, true);
		if (this.selection !== null)
			this.paint_selection(context, this.selection, this.colours.selection, false);
		this.paint_marks(context);
		if (this.hover !== null)
			this.paint_hover(context);
	}

	set_hover(cell) {
		const is_same = cell === this.hover || (cell !== null && this.hover !== null &&
			cell.column === this.hover.column && cell.row === this.hover.row);
		this.hover = cell;
		if (!is_same)
			this.draw_over();
		return !is_same;
	}

	// {range, weight, matched, label} of a cell of the grid; null outside.
	describe(cell) {
		const { grid, match } = this;
		if (cell.column < 0 || cell.column >= grid.n_columns || cell.row < 0 || cell.row >= grid.n_rows)
			return null;
		const i = cell.column * grid.n_rows + cell.row;
		return {
			begin: cell_begin(grid, cell.column, grid.is_time ? cell.row : 0),
			end: grid.is_time ? cell_begin(grid, cell.column, cell.row + 1) : cell_begin(grid, cell.column + 1, 0),
			weight: grid.cells[i],
			matched: match ? match.cells[i] : null,
			label: grid.is_time ? null : grid.labels[cell.row],
		};
	}
}

// `text` shortened to `room` px.
export function cut(context, text, room) {
	if (context.measureText(text).width <= room)
		return text;
	let low = 0, high = text.length;
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if (context.measureText(text.slice(0, middle) + "…").width <= room)
			low = middle;
		else
			high = middle - 1;
	}
	return low > 0 ? text.slice(0, low) + "…" : "";
}
