// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";

import { command_line, format_hash, parse_hash, slice_pairs } from "../../web-static/state.js";
import { Latest, take_token } from "../../web-static/source.js";

test("a state survives its address", () => {
	const state = { r: "abc", range: ["1..2", "3..4.5"], match: ["a b&c=d%"], by: "cpu", search: "^x|ü$", reverse: "1" };
	assert.deepEqual(parse_hash(format_hash(state)), state);
	assert.equal(format_hash(parse_hash(format_hash(state))), format_hash(state));
});

test("the token goes from the address to the tab's storage, unknown keys are dropped", () => {
	const kept = new Map(), replaced = [];
	const storage = { setItem: (key, value) => kept.set(key, value), getItem: (key) => kept.get(key) ?? null };
	const history = { replaceState: (...args) => replaced.push(args[2]) };
	assert.equal(take_token({ hash: "#t=abc&r=1", pathname: "/" }, storage, history), "abc");
	assert.deepEqual(replaced, ["/#r=1"]);
	assert.equal(take_token({ hash: "#r=1", pathname: "/" }, storage, history), "abc");
	assert.deepEqual(parse_hash("#t=abc&r=1&zzz=2&match="), { r: "1" });
});

test("commands are quoted for a shell", () => {
	const line = command_line("slice", ["-odd name"], [["match", "it's $x"], ["reverse", "1"], ["range", "1..2"]]);
	assert.equal(line, "flamebeat slice './-odd name' '--match=it'\\''s $x' --reverse --range=1..2");
	assert.deepEqual(slice_pairs({ range: ["1..2"], event: "cycles", layout: "icicle" }), [["event", "cycles"], ["range", "1..2"]]);
});

test("of questions that pile up only the latest is asked", async () => {
	const asked = [], shown = [];
	const open = [];
	const latest = new Latest((question) => {
		asked.push(question);
		return new Promise((done) => open.push(() => done(question)));
	}, (answer) => shown.push(answer), assert.fail);
	for (const question of [1, 2, 3, 4])
		latest.want(question);
	open.shift()();
	await new Promise((done) => setTimeout(done));
	open.shift()();
	await new Promise((done) => setTimeout(done));
	assert.deepEqual(asked, [1, 4]);
	assert.deepEqual(shown, [1, 4]);
});
