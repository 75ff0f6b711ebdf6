// SPDX-License-Identifier: MIT
// Hostile names through every form, each opened in the browser and used: nothing runs, nothing is
// asked for, nothing goes wrong.

import assert from "node:assert/strict";
import zlib from "node:zlib";

import { clean_up, close_page, file_url, flamebeat, open_page, require, write_file } from "./harness.mjs";
import { names } from "./hostile-names.mjs";
import { run_tests, test } from "./tap.mjs";

const line = (parts, n) => Buffer.concat([
	...parts.flatMap((part, i) => i > 0 ? [Buffer.from(";"), part] : [part]), Buffer.from(` ${n}\n`)]);

// Each name as a thread, as a caller and as a leaf; wide enough to be drawn.
const whole_names = names.filter((name) => !name.includes(";"));
const folded = write_file("hostile.folded", Buffer.concat(whole_names.flatMap((name, i) => [
	line([Buffer.from("ok"), name, Buffer.from("leaf")], 100 + i),
	line([Buffer.from("ok"), Buffer.from("caller"), name], 100 + i),
	...(name.length < 200 ? [line([name, Buffer.from("x")], 50)] : []),
])));
// Of a thread's name perf takes all; times make a chart. What ends a line there cannot be within.
const timed = write_file("hostile.perf", Buffer.concat(names
	.filter((name) => name.length < 200 && !/[\n\r\0]/.test(name.toString("latin1")))
	.flatMap((name, i) => [
		name, Buffer.from(` ${i + 1}/${i + 1} [000] 7.${String(i).padStart(3, "0")}000: 1000000 cpu-clock: \n`),
		Buffer.from("\t    ffff "), name, Buffer.from("+0x1 (/bin/x)\n\t    ffff main+0x2 (/bin/"), name,
		Buffer.from(")\n\n"),
	])));

const total = JSON.parse(flamebeat(["slice", folded, "--format", "json"])).value;

test("the corpus has 60 names and more, and all of it is read", () => {
	assert.ok(names.length >= 60);
	const expected = whole_names.reduce((sum, name, i) =>
		sum + 2 * (100 + i) + (name.length < 200 ? 50 : 0), 0);
	assert.equal(total, expected);
});

async function visit(format, source, options, use) {
	const suffix = { speedscope: "json", flamescope: "json", flat: "json", tree: "txt", folded: "txt" };
	const hostile_title = "</title><script>alert(1)</script>]]>\"'\u202e";
	const drawn = ["svg", "html", "png"].includes(format);
	const file = write_file(`${source.name}-${format}.${suffix[format] || format}`,
		flamebeat(["slice", source.path, "--format", format, ...options,
			...(drawn ? ["--title", hostile_title, "--subtitle", hostile_title,
				"--nametype", hostile_title, "--countname", hostile_title,
				"--fonttype", hostile_title] : [])]));
	const { page, trouble } = await open_page(file_url(file));
	await use(page);
	trouble.check(`${format} of ${source.name}`);
	assert.equal(await page.evaluate(() => "hostile_ran" in window), false);
	await close_page(page);
}

const sources = [{ name: "folded", path: folded }, { name: "timed", path: timed }];

async function use_svg(page) {
	const frames = page.locator("#frames > g");
	const n = await frames.count();
	assert.ok(n > names.length, `${n} frames`);
	assert.equal(await page.locator("#frames script, #frames img, #frames a, #frames foreignObject").count(), 0);
	// Every frame is only ever made of these.
	assert.equal(await page.evaluate(() => [...document.querySelectorAll("#frames *")].every((e) =>
		["g", "title", "rect", "text"].includes(e.tagName))), true);
	for (const at of [1, Math.floor(n / 3), Math.floor(n / 2), n - 1]) {
		await frames.nth(at).dispatchEvent("mouseover");
		await frames.nth(at).dispatchEvent("click");
		await page.keyboard.press("Escape");
	}
}

async function use_html(page) {
	assert.ok(await page.locator("#rows tr").count() > 60);
	assert.equal(await page.evaluate(() => [...document.querySelectorAll("#rows *")].every((e) =>
		["TR", "TD", "BUTTON"].includes(e.tagName))), true);
	for (const word of ["<script>", "(", "]]>"])
		await page.locator("#search").fill(word);
	await page.locator("#search").fill("");
	const buttons = page.locator("#rows button");
	for (let i = 0; i < await buttons.count(); i += 50)
		await buttons.nth(i).click();
	await page.locator("#graph canvas").hover();
	await page.reload();
}

for (const source of sources) {
	test(`svg of ${source.name}: names stay text`, () => visit("svg", source, [], use_svg));
	test(`html of ${source.name}: names stay text`, () => visit("html", source, [], use_html));
	for (const format of ["json", "flamescope", "flat", "speedscope", "folded", "tree", "png"])
		test(`${format} of ${source.name}: opened, nothing happens`, () =>
			visit(format, source, [], async () => {}));
	test(`pprof of ${source.name}: read, names are UTF-8`, () => {
		const { Profile } = require("pprof-format");
		const profile = Profile.decode(zlib.gunzipSync(
			flamebeat(["slice", source.path, "--format", "pprof"])));
		assert.ok(profile.stringTable.strings.length > names.length);
	});
}

test("svg of a chart: names stay text", () => visit("svg", sources[1], ["--chart"], async (page) => {
	assert.ok(await page.locator("#frames > g").count() > names.length);
}));
test("html of a chart: names stay text", () => visit("html", sources[1], ["--chart"], use_html));

test("json: what is told is what was read, invalid bytes replaced", () => {
	const tree = JSON.parse(flamebeat(["slice", folded, "--format", "json", "--names", "raw"]));
	const found = new Set();
	for (const child of tree.children.find((child) => child.name === "ok").children)
		found.add(child.name);
	for (const name of whole_names) {
		const text = name.toString("utf8");
		// Bytes that are no UTF-8 are one U+FFFD each with us, in Node as many as WHATWG says.
		if (!text.includes("\ufffd") && text.trim() === text && text.length < 5000)
			assert.ok(found.has(text), JSON.stringify(text.slice(0, 60)));
	}
});

test("terminal: no control character comes out", () => {
	for (const format of ["tree", "folded"]) {
		const text = flamebeat(["slice", folded, "--format", format]).toString("utf8");
		assert.doesNotMatch(text, format === "tree" ? /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]/ :
			/[\x00-\x09\x0b-\x1f\x7f]/);
	}
});

await run_tests(clean_up);
