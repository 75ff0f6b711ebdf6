// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";

import { format_duration, format_range, format_seconds, merge_ranges, parse_phase, parse_range, parse_time } from "../../web-static/time.js";

test("times are written and read exactly", () => {
	for (const [ns, text] of [[0, "0"], [1, "0.000000001"], [12340000000, "12.34"], [-1500000000, "-1.5"],
		[86399999999999, "86399.999999999"], [20000000, "0.02"]]) {
		assert.equal(format_seconds(ns), text);
		assert.equal(parse_time(text), ns);
	}
	let seed = 7;
	for (let i = 0; i < 2000; i++) {
		seed = (seed * 1103515245 + 12345) % 2147483648;
		const ns = seed * 40013;
		assert.equal(parse_time(format_seconds(ns)), ns);
		assert.equal(parse_time(format_duration(ns)), ns);
	}
});

test("units", () => {
	assert.equal(parse_time("1500ms"), 1.5e9);
	assert.equal(parse_time("1h20m"), 4800e9);
	assert.equal(parse_time("20us"), 20000);
	assert.equal(parse_time("7ns"), 7);
	assert.ok(Number.isNaN(parse_time("x")));
	assert.ok(Number.isNaN(parse_time("")));
	assert.ok(Number.isNaN(parse_time("1..2")));
	assert.equal(format_duration(1300000000), "1300ms");
	assert.equal(format_duration(60e9), "1m");
});

test("ranges: left out, from the end, reversed", () => {
	const whole = { begin: 0, end: 20e9 };
	assert.deepEqual(parse_range("1..2", whole), { begin: 1e9, end: 2e9 });
	assert.deepEqual(parse_range("2..1", whole), { begin: 1e9, end: 2e9 });
	assert.deepEqual(parse_range("-3..", whole), { begin: 17e9, end: 20e9 });
	assert.deepEqual(parse_range("..500ms", whole), { begin: 0, end: 5e8 });
	assert.equal(parse_range("1..1", whole), null);
	assert.equal(parse_range("1", whole), null);
	assert.equal(parse_range("a..b", whole), null);
	assert.equal(format_range({ begin: 1e9, end: 15e8 }), "1..1.5");
});

test("phases: fractions, durations, wrapping", () => {
	assert.deepEqual(parse_phase("0.25..0.5", 4e9), { begin: 1e9, end: 2e9 });
	assert.deepEqual(parse_phase("546ms..715ms", 13e8), { begin: 546e6, end: 715e6 });
	assert.deepEqual(parse_phase("0.9..0.1", 1e9), { begin: 9e8, end: 11e8 });
	assert.equal(parse_phase("0.9", 1e9), null);
	assert.equal(parse_phase("x..y", 1e9), null);
});

test("ranges are merged as the program merges them", () => {
	assert.deepEqual(merge_ranges([{ begin: 5, end: 7 }, { begin: 1, end: 3 }, { begin: 3, end: 4 }, { begin: 6, end: 9 }]),
		[{ begin: 1, end: 4 }, { begin: 5, end: 9 }]);
});
