// SPDX-License-Identifier: MIT
// The whole recording in one strip: how much ran, and which part of it the heat map shows.

export class Overview {
	constructor(container, on_move) {
		this.canvas = container.querySelector("canvas");
		this.container = container;
		this.on_move = on_move;
		this.grid = null;
		this.canvas.addEventListener("pointerdown", (event) => this.press(event));
		this.canvas.addEventListener("pointermove", (event) => {
			if (this.canvas.hasPointerCapture(event.pointerId))
				this.move(event);
		});
	}

	press(event) {
		this.canvas.setPointerCapture(event.pointerId);
		this.move(event);
	}

	move(event) {
		const { left, width } = this.canvas.getBoundingClientRect();
		const share = Math.min(Math.max((event.clientX - left) / width, 0), 1);
		const ns = this.bounds.begin + share * (this.bounds.end - this.bounds.begin);
		this.on_move(ns - (this.window.end - this.window.begin) / 2);
	}

	// Totals of the columns of any grid over the whole recording.
	set_grid(grid) {
		this.grid = grid;
		this.sums = new Float64Array(grid.n_columns);
		for (let c = 0; c < grid.n_columns; c++)
			for (let r = 0; r < grid.n_rows; r++)
				this.sums[c] += grid.cells[c * grid.n_rows + r];
		this.max = this.sums.reduce((a, b) => Math.max(a, b), 1);
	}

	draw(bounds, window_, colours, selection_ranges) {
		Object.assign(this, { bounds, window: window_ });
		const ratio = window.devicePixelRatio || 1;
		const width = this.container.clientWidth, height = 34;
		this.canvas.width = Math.round(width * ratio);
		this.canvas.height = Math.round(height * ratio);
		const context = this.canvas.getContext("2d");
		context.scale(ratio, ratio);
		const x_of = (ns) => (ns - bounds.begin) / (bounds.end - bounds.begin) * width;
		this.paint_bars(context, x_of, width, height, colours);
		context.fillStyle = colours.selection;
		for (const { begin, end } of selection_ranges)
			context.fillRect(x_of(begin), height - 4, Math.max(x_of(end) - x_of(begin), 1.5), 4);
		const from = x_of(window_.begin), to = Math.min(x_of(window_.end), width);
		context.fillStyle = colours.shade;
		context.fillRect(0, 0, from, height);
		context.fillRect(to, 0, width - to, height);
		context.strokeStyle = colours.text;
		context.strokeRect(from + 0.5, 0.5, Math.max(to - from - 1, 2), height - 1);
	}

	paint_bars(context, x_of, width, height, colours) {
		const peaks = new Float64Array(Math.ceil(width) + 1);
		this.sums.forEach((sum, c) => {
			const x = Math.floor(x_of(this.grid.origin + c * this.grid.column_ns));
			const end = Math.max(x + 1, Math.floor(x_of(this.grid.origin + (c + 1) * this.grid.column_ns)));
			for (let i = Math.max(x, 0); i < Math.min(end, peaks.length); i++)
				peaks[i] = Math.max(peaks[i], sum);
		});
		context.fillStyle = colours.bar;
		peaks.forEach((peak, x) => {
			const bar = peak / this.max * (height - 3);
			context.fillRect(x, height - bar, 1, bar);
		});
	}
}
