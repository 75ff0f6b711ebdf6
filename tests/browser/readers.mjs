// SPDX-License-Identifier: MIT
// Every form of a flame graph opened by a program that is not ours, and counted there.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";

import {
	clean_up, close_page, file_url, flamebeat, folder, node_modules, open_page, require, root,
	serve_folder, write_file,
} from "./harness.mjs";
import { run_tests, skip, test } from "./tap.mjs";

const recording = path.join(root, "examples/server.perf.gz");
const range = ["--range", "3..5"];
const slice = (...options) => flamebeat(["slice", recording, ...range, ...options]);
const info = JSON.parse(flamebeat(["info", recording, "--json"]));

// Counts by stack, as the folded file has them; the truth for all other forms.
function parse_folded(text) {
	const counts = new Map();
	for (const line of text.trimEnd().split("\n")) {
		const at = line.lastIndexOf(" ");
		counts.set(line.slice(0, at), Number(line.slice(at + 1)));
	}
	return counts;
}

const sum = (numbers) => [...numbers].reduce((a, b) => a + b, 0);
const folded = parse_folded(slice("--format", "folded", "--group-by", "none").toString());
const total = sum(folded.values());
const has_program = (name) => spawnSync("which", [name]).status === 0;

test("folded: the numbers that follow have something to agree on", () => {
	assert.ok(folded.size > 100 && total > 300);
});

test("svg: xmllint finds it well-formed", () => {
	if (!has_program("xmllint"))
		skip("no xmllint");
	const file = write_file("a.svg", slice("--format", "svg"));
	execFileSync("xmllint", ["--noout", "--nonet", file]);
});

function read_json(node, prefix, counts) {
	let rest = node.value;
	for (const child of node.children) {
		rest -= child.value;
		read_json(child, prefix === null ? child.name : `${prefix};${child.name}`, counts);
	}
	if (rest > 0)
		counts.set(prefix, rest);
	return counts;
}

test("json: d3-flame-graph draws it, and its values are the folded file's", async () => {
	const json = slice("--format", "json", "--group-by", "none").toString();
	assert.deepEqual(read_json(JSON.parse(json), null, new Map()), folded);
	fs.cpSync(path.join(node_modules, "d3-flame-graph/dist"), path.join(folder, "d3"), { recursive: true });
	fs.cpSync(path.join(node_modules, "d3-selection/dist"), path.join(folder, "d3"), { recursive: true });
	write_file("d3/index.html", `<!doctype html><meta charset="utf-8"><title>d3</title>
		<link rel="icon" href="data:,"><link rel="stylesheet" href="d3-flamegraph.css">
		<div id="chart"></div><script src="d3-selection.min.js"></script>
		<script src="d3-flamegraph.min.js"></script>
		<script>const chart = flamegraph().width(960).minFrameSize(0);
		d3.select("#chart").datum(${json.trimEnd()}).call(chart);</script>`);
	const { page, trouble } = await open_page(file_url(path.join(folder, "d3/index.html")),
		{ allowed: (url) => url.startsWith("file:") || url.startsWith("data:") });
	assert.equal(await page.locator("#chart .frame").count(), json.match(/"name"/g).length);
	const root_title = await page.locator("#chart .frame title").allTextContents();
	assert.ok(root_title.some((text) => text.includes(`root (100.000%, ${total} samples)`)), root_title[0]);
	trouble.check();
	await close_page(page);
});

test("flamescope: self weights and kinds of code", () => {
	const counts = new Map();
	const read = (node, prefix) => {
		assert.ok(["", "user", "kernel", "jit", "inlined"].includes(node.l));
		if (node.v > 0)
			counts.set(prefix, (counts.get(prefix) || 0) + node.v);
		for (const child of node.c)
			read(child, prefix === null ? child.n : `${prefix};${child.n}`);
	};
	read(JSON.parse(slice("--format", "flamescope", "--group-by", "none")), null);
	assert.deepEqual(counts, folded);
});

// --- speedscope ------------------------------------------------------------------------------

function check_schema(profile) {
	const Ajv = require("ajv");
	const schema = JSON.parse(fs.readFileSync(
		path.join(node_modules, "speedscope/dist/release/file-format-schema.json")));
	const validate = new Ajv({ strict: false }).compile(schema);
	assert.ok(validate(profile), JSON.stringify(validate.errors));
}

// Time by stack of one profile; `n_skip` frames from the root are not looked at.
function stack_times(file, profile, n_skip) {
	const times = new Map();
	profile.samples.forEach((stack, i) => {
		const names = stack.slice(n_skip).map((id) => file.shared.frames[id].name).join(";");
		if (stack.length > 0)
			times.set(names, (times.get(names) || 0) + profile.weights[i]);
	});
	return times;
}

test("speedscope: its schema holds; all threads first, then one each; weights are time", () => {
	const file = JSON.parse(slice("--format", "speedscope"));
	check_schema(file);
	const [all, ...threads] = file.profiles;
	assert.equal(all.name, "all threads");
	assert.ok(threads.length >= 8);
	assert.deepEqual(threads.map((t) => t.name), [...new Set(threads.map((t) => t.name))]);
	for (const profile of file.profiles) {
		assert.equal(profile.unit, "nanoseconds");
		assert.equal(profile.samples.length, profile.weights.length);
		assert.equal(sum(profile.weights), profile.endValue - profile.startValue);
		assert.ok(profile.weights.every((weight) => weight > 0));
	}
	for (const thread of threads)
		assert.ok(thread.startValue >= 3e9 && thread.endValue < 5.01e9, thread.name);
	// Threads together are what all threads are; a sample is about 1/999 s.
	const together = new Map();
	for (const thread of threads)
		for (const [stack, time] of stack_times(file, thread, 0))
			together.set(stack, (together.get(stack) || 0) + time);
	assert.deepEqual(new Map([...stack_times(file, all, 1)].sort()), new Map([...together].sort()));
	assert.deepEqual(new Set(together.keys()), new Set(folded.keys()));
	const seconds = (all.endValue - all.startValue) / 1e9;
	assert.ok(Math.abs(seconds / (total / 999) - 1) < 0.1, `${seconds} s of ${total} samples`);
});

test("speedscope: without times there is one profile, in samples", () => {
	const file = JSON.parse(flamebeat(["slice", "-", "--format", "speedscope"], "a;b 3\na;c 4\n"));
	check_schema(file);
	assert.equal(file.profiles.length, 1);
	assert.equal(file.profiles[0].unit, "none");
	assert.deepEqual(file.profiles[0].weights, [3, 4]);
});

test("speedscope: two sides compared are a profile each", () => {
	fs.writeFileSync(path.join(folder, "base.folded"), "a;b 5\na;gone 2\n");
	const file = JSON.parse(flamebeat(["diff", "-", "--base", path.join(folder, "base.folded"),
		"--format", "speedscope"], "a;b 3\na;c 4\n"));
	check_schema(file);
	assert.deepEqual(file.profiles.map((p) => Object.fromEntries(stack_times(file, p, 0))),
		[{ "a;b": 3, "a;c": 4 }, { "a;b": 5, "a;gone": 2 }]);
});

async function speedscope_shows(server, name, data, words) {
	fs.writeFileSync(path.join(folder, "speedscope", name), data);
	const address = `${server.url}/index.html#profileURL=${server.url}/${name}&title=x`;
	const { page, trouble } = await open_page(address, {
		allowed: (url) => url.startsWith(server.url) || url.startsWith("blob:"),
	});
	for (const word of words)
		await page.getByText(word).first().waitFor({ timeout: 20000 });
	trouble.errors = trouble.errors.filter((text) => !/WebGL|GL Driver|404/.test(text));
	trouble.check(name);
	await close_page(page);
}

test("speedscope's own importer reads speedscope, folded and pprof", async () => {
	fs.cpSync(path.join(node_modules, "speedscope/dist/release"), path.join(folder, "speedscope"),
		{ recursive: true });
	const server = await serve_folder(path.join(folder, "speedscope"));
	const data = slice("--format", "speedscope");
	await speedscope_shows(server, "a.speedscope.json", data,
		[`(1/${JSON.parse(data).profiles.length})`]);
	await speedscope_shows(server, "a.folded", slice("--format", "folded"), ["Left Heavy"]);
	await speedscope_shows(server, "a.pb.gz", slice("--format", "pprof"), ["Left Heavy"]);
	server.close();
});

// --- pprof -----------------------------------------------------------------------------------

function decode_pprof(data) {
	const { Profile } = require("pprof-format");
	return Profile.decode(zlib.gunzipSync(data));
}

function pprof_stacks(profile) {
	const text = (id) => profile.stringTable.strings[Number(id)];
	const functions = new Map(profile.function.map((f) => [f.id, text(f.name)]));
	const locations = new Map(profile.location.map((l) => [l.id, functions.get(l.line[0].functionId)]));
	return profile.sample.map((sample) => ({
		stack: [...sample.locationId].reverse().map((id) => locations.get(id)).join(";"),
		values: [...sample.value].map(Number),
		labels: Object.fromEntries(sample.label.map((l) =>
			[text(l.key), l.str ? text(l.str) : Number(l.num)])),
	}));
}

test("pprof: a decoder finds the folded file's stacks, labels and periods", () => {
	const profile = decode_pprof(slice("--format", "pprof"));
	const text = (id) => profile.stringTable.strings[Number(id)];
	assert.deepEqual(profile.sampleType.map((t) => [text(t.type), text(t.unit)]),
		[["samples", "count"], ["cpu", "nanoseconds"]]);
	const samples = pprof_stacks(profile), counts = new Map();
	for (const { stack, values } of samples)
		counts.set(stack, (counts.get(stack) || 0) + values[0]);
	assert.deepEqual(new Map([...counts].sort()), new Map([...folded].sort()));
	const by_period = parse_folded(slice("--format", "folded", "--weight", "period").toString());
	assert.equal(sum(samples.map((s) => s.values[1])), sum(by_period.values()));
	assert.equal(Number(profile.durationNanos), 2e9);
	// Labels choose what the options of the same name choose.
	for (const [label, option] of [["cpu", "--cpu"], ["tid", "--tid"], ["thread", "--comm"]]) {
		const value = samples.at(-1).labels[label];
		const wanted = option === "--comm" ? `^${value}$` : value;
		const chosen = parse_folded(slice("--format", "folded", option, wanted).toString());
		const labelled = samples.filter((s) => s.labels[label] === value);
		assert.equal(sum(labelled.map((s) => s.values[0])), sum(chosen.values()), label);
		assert.equal(samples.every((s) => label in s.labels), true, label);
	}
});

test("pprof: go tool pprof reads it", () => {
	if (!has_program("go"))
		skip("no go");
	const file = write_file("a.pb.gz", slice("--format", "pprof"));
	const run = (...args) => execFileSync("go", ["tool", "pprof", ...args, file],
		{ encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] });
	assert.match(run("-top"), new RegExp(`Total samples = ${total} `));
	const tags = run("-tags");
	for (const tag of ["cpu", "thread", "tid"])
		assert.match(tags, new RegExp(` ${tag}: Total ${total} of ${total} `));
});

test("the whole recording: nothing is lost in any form", () => {
	const all = (...options) => flamebeat(["slice", recording, "--idle", "keep", ...options]);
	assert.equal(sum(parse_folded(all("--format", "folded").toString()).values()), info.samples);
	assert.equal(JSON.parse(all("--format", "json")).value, info.samples);
	const samples = pprof_stacks(decode_pprof(all("--format", "pprof")));
	assert.equal(sum(samples.map((s) => s.values[0])), info.samples);
});

await run_tests(clean_up);
