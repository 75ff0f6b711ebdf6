// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";

import { find_path, make_graph, path_of, sandwich, search } from "../../web-static/flat.js";

// app;a;b 3   app;a;c 2   app;b;a;b 4   app 1
const graph = make_graph({
	names: ["root", "app", "a", "b", "c"], kinds: [5, 5, 3, 3, 3], total: 10, unit: "samples",
	name: [0, 1, 2, 3, 4, 3, 2, 3], depth: [0, 1, 2, 3, 3, 2, 3, 4],
	begin: [0, 0, 1, 1, 4, 6, 6, 6], self: [0, 1, 0, 3, 2, 0, 0, 4], value: [10, 10, 5, 3, 2, 4, 4, 4],
});

test("parents and subtrees", () => {
	assert.deepEqual([...graph.parent], [-1, 0, 1, 2, 2, 1, 5, 6]);
	assert.deepEqual([...graph.next], [8, 8, 5, 4, 5, 8, 8, 8]);
	assert.equal(graph.max_depth, 4);
});

test("paths survive another graph", () => {
	assert.deepEqual(path_of(graph, 7), ["app", "b", "a", "b"]);
	assert.equal(find_path(graph, ["app", "b", "a", "b"]), 7);
	assert.equal(find_path(graph, ["app", "b", "zzz"]), 5);
	assert.equal(find_path(graph, []), 0);
});

test("a match is counted once on each stack", () => {
	assert.equal(search(graph, /^b$/).weight, 7);
	assert.equal(search(graph, /^(a|b)$/).weight, 9);
	assert.equal(search(graph, /nothing/).weight, 0);
});

test("sandwich: weights agree above and below", () => {
	const { callers, callees } = sandwich(graph, "b");
	assert.equal(callers.value[0], 7);
	assert.equal(callees.value[0], 7);
	assert.equal(callees.self[0], 3);
	const below = callees.name.map((name, i) => [callees.names[name], callees.depth[i], callees.value[i]]);
	assert.deepEqual(below, [["b", 0, 7], ["a", 1, 4], ["b", 2, 4]]);
	const above = callers.name.map((name, i) => [callers.names[name], callers.depth[i], callers.value[i]]);
	assert.deepEqual(above, [["b", 0, 7], ["app", 1, 4], ["a", 1, 3], ["app", 2, 3]]);
	assert.equal(sandwich(graph, "zzz"), null);
});

test("a stack a hundred thousand deep", () => {
	const n = 100000, up = Array.from({ length: n }, (_, i) => i), ones = up.map(() => 1);
	const deep = make_graph({ names: ["root", "f"], kinds: [5, 3], total: 1, name: up.map((i) => Math.min(i, 1)), depth: up,
		begin: up.map(() => 0), self: up.map((i) => Number(i === n - 1)), value: ones });
	assert.equal(deep.next[0], n);
	assert.equal(sandwich(deep, "f").callees.n, n - 1);
});
