// SPDX-License-Identifier: MIT
// The page of `serve`, used as a person would use it. Screenshots go to FLAMEBEAT_SHOTS (by
// default the test's own folder beside the npm packages): they are to be looked at.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import process from "node:process";

import { clean_up, close_page, flamebeat, node_modules, open_page, root, write_file } from "./harness.mjs";
import { serve } from "./serving.mjs";
import { run_tests, test } from "./tap.mjs";

const shots = process.env.FLAMEBEAT_SHOTS || path.join(node_modules, "../screenshots");
fs.mkdirSync(shots, { recursive: true });

const example = path.join(root, "examples/server.perf.gz");
const other = path.join(root, "examples/burst.perf.gz");
const untimed = write_file("untimed.folded", "app;main;work 7\napp;main 2\n");
const server = await serve(example, other, untimed);

const LEFT = 54, TOP = 28, RIGHT = 8, BOTTOM = 3;

async function with_page(use, { hash = "", ...settings } = {}) {
	const { page, trouble } = await open_page(server.url + hash, {
		allowed: (url) => url.startsWith(server.origin + "/") || url.startsWith("blob:"), ...settings });
	try {
		await painted(page);
		await use(page);
		trouble.check();
	} finally {
		await close_page(page);
	}
}

// Everything that was asked has been answered and drawn.
async function painted(page) {
	await page.waitForTimeout(60);
	await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null &&
		(document.querySelector("#heatmap[aria-busy]") !== null || document.querySelector("#flame[aria-busy]") !== null ||
		document.querySelector("#heatmap .message").textContent.includes("open the address")));
	await page.waitForTimeout(40);
}

const state = (page) => new URLSearchParams(new URL(page.url()).hash.slice(1));
const text = (page, selector) => page.locator(selector).textContent();

// The point in the middle of cell (column, row) of the 21 columns and 50 rows of the example.
async function cell(page, column, row, n_columns = 21, n_rows = 50) {
	const box = await page.locator("#heatmap").boundingBox();
	const width = Math.min(Math.floor((box.width - LEFT - RIGHT) / n_columns), 90);
	const height = (box.height - TOP - BOTTOM) / n_rows;
	return [box.x + LEFT + (column + 0.5) * width, box.y + TOP + (n_rows - row - 0.5) * height];
}

async function drag(page, from, to, key) {
	if (key)
		await page.keyboard.down(key);
	await page.mouse.move(...await cell(page, ...from));
	await page.mouse.down();
	for (let i = 1; i <= 4; i++) {
		const [c, r] = [0, 1].map((k) => Math.round(from[k] + (to[k] - from[k]) * i / 4));
		await page.mouse.move(...await cell(page, c, r));
	}
	await page.mouse.up();
	if (key)
		await page.keyboard.up(key);
	await painted(page);
}

const samples = async (page) => Number((await text(page, "#graph-summary")).match(/^[\d,]+/)[0].replace(/,/g, ""));

// Weight of a slice by the command line.
function weight_of(...options) {
	const folded = flamebeat(["slice", example, "--format", "folded", ...options]).toString();
	return folded.trim().split("\n").filter(Boolean).reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
}

test("it loads, the token leaves the address, nothing but its own origin is asked", () => with_page(async (page) => {
	assert.ok(!page.url().includes(server.token));
	assert.equal(await samples(page), weight_of());
	assert.match(await text(page, "#facts"), /20\.3 s · 23,266 samples · 2 CPUs/);
	assert.equal(await page.locator("#heatmap .message").isVisible(), false);
	await page.reload();
	await painted(page);
	assert.equal(await samples(page), weight_of());
	await page.screenshot({ path: path.join(shots, "page-light.png") });
}));

test("without the token it says what to do", async () => {
	const { page } = await open_page(server.origin + "/", { allowed: () => true });
	await painted(page);
	assert.match(await text(page, "#heatmap .message"), /open the address that .flamebeat serve. printed/);
	await close_page(page);
});

test("a drag selects what is contiguous in time, and the flame graph is what slice prints", () => with_page(async (page) => {
	await drag(page, [4, 19], [4, 33]);
	assert.equal(state(page).get("range"), "4.38..4.68");
	assert.equal(await samples(page), weight_of("--range", "4.38..4.68"));
	await drag(page, [5, 40], [3, 10]);
	assert.equal(state(page).get("range"), "3.2..5.82");
	assert.equal(await samples(page), weight_of("--range", "3.2..5.82"));
	await page.screenshot({ path: path.join(shots, "page-selection.png") });
}));

test("the flame graph follows during the drag", () => with_page(async (page) => {
	await page.mouse.move(...await cell(page, 4, 19));
	await page.mouse.down();
	const seen = new Set();
	for (let row = 20; row < 34; row++) {
		await page.mouse.move(...await cell(page, 4, row));
		await page.waitForTimeout(70);
		seen.add(await samples(page));
	}
	assert.ok(seen.size >= 8, `${seen.size} graphs were seen`);
	assert.equal(state(page).get("range"), null);
	await page.mouse.up();
	await painted(page);
	assert.equal(await samples(page), weight_of("--range", "4.38..4.68"));
}));

test("click and click, Shift, Ctrl, Alt, Esc", () => with_page(async (page) => {
	const click = async (column, row, modifiers = []) => {
		for (const key of modifiers)
			await page.keyboard.down(key);
		await page.mouse.click(...await cell(page, column, row));
		for (const key of modifiers)
			await page.keyboard.up(key);
		await painted(page);
	};
	await click(2, 0);
	assert.equal(state(page).get("range"), "2..2.02");
	await click(3, 49);
	assert.equal(state(page).get("range"), "2..4");
	await click(4, 24, ["Shift"]);
	assert.equal(state(page).get("range"), "2..4.5");
	await drag(page, [8, 19], [8, 33], "Control");
	assert.deepEqual(state(page).getAll("range"), ["2..4.5", "8.38..8.68"]);
	assert.equal(await samples(page), weight_of("--range", "2..4.5", "--range", "8.38..8.68"));
	await drag(page, [6, 10], [12, 14], "Alt");
	assert.deepEqual([state(page).get("every"), state(page).get("phase")], ["1s", "200ms..300ms"]);
	assert.equal(await samples(page), weight_of("--every", "1s", "--phase", "200ms..300ms"));
	await page.keyboard.press("Escape");
	await painted(page);
	assert.equal(await samples(page), weight_of());
}));

test("the keyboard alone", () => with_page(async (page) => {
	await page.locator("#heatmap").focus();
	for (const key of ["ArrowRight", "ArrowRight", "ArrowUp", "Shift+ArrowUp", "Shift+ArrowRight", "ArrowDown"])
		await page.keyboard.press(key);
	await painted(page);
	const [begin, end] = state(page).get("range").split("..").map(Number);
	assert.ok(Math.abs(end - begin - 1.04) < 1e-6, `${begin}..${end}`);
	assert.equal(await samples(page), weight_of("--range", `${begin}..${end}`));
	for (const [key, tab] of [["2", "table"], ["3", "sandwich"], ["1", null]]) {
		await page.keyboard.press(key);
		assert.equal(state(page).get("tab"), tab);
	}
	await page.keyboard.press("i");
	assert.equal(state(page).get("layout"), "icicle");
	await page.keyboard.press("r");
	assert.equal(state(page).get("reverse"), "1");
	await page.keyboard.press("?");
	assert.equal(await page.locator("#help").isVisible(), true);
	await page.screenshot({ path: path.join(shots, "page-help.png") });
	await page.keyboard.press("Escape");
	await page.keyboard.press("/");
	await page.keyboard.type("tcp_");
	await page.waitForTimeout(300);
	await painted(page);
	assert.equal(state(page).get("search"), "tcp_");
	await page.keyboard.press("Escape");
	await page.keyboard.press("Escape");
	await painted(page);
	assert.equal(state(page).get("search"), null);
	await page.locator("#flame").focus();
	for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "Enter"])
		await page.keyboard.press(key);
	assert.ok(state(page).get("focus"));
	assert.notEqual(await text(page, "#details"), "");
}));

test("each control does what it says", () => with_page(async (page) => {
	const choose = async (label, value) => {
		await page.getByLabel(label, { exact: true }).selectOption(value);
		await painted(page);
	};
	for (const [label, key, value] of [["Idle", "idle", "keep"], ["Column", "column", "500ms"], ["Rows", "rows", "25"],
		["Scale", "scale", "log"], ["Palette", "palette", "viridis"], ["Group by", "group-by", "process"], ["Colours", "colors", "type"]]) {
		await choose(label, value);
		assert.equal(state(page).get(key), value);
	}
	assert.equal(await samples(page), weight_of("--idle", "keep"));
	for (const by of ["cpu", "thread", "comm", "pool", "process", "time"])
		await choose("By", by);
	await choose("Idle", "drop");
	await page.keyboard.press("f");
	await page.getByLabel("Thread", { exact: true }).fill("^client");
	await page.keyboard.press("Enter");
	await painted(page);
	assert.equal(await samples(page), weight_of("--comm", "^client"));
	await page.getByLabel("Selection", { exact: true }).fill("1..2 1500ms..3");
	await page.keyboard.press("Enter");
	await painted(page);
	assert.deepEqual(state(page).getAll("range"), ["1..2", "1.5..3"]);
	assert.equal(await samples(page), weight_of("--comm", "^client", "--range", "1..3"));
	await page.getByLabel("Selection", { exact: true }).fill("soon");
	await page.keyboard.press("Enter");
	assert.equal(await page.getByLabel("Selection", { exact: true }).evaluate((input) => input.classList.contains("bad")), true);
	await page.getByLabel("Every").fill("4s");
	await page.keyboard.press("Enter");
	await page.getByLabel("Phase").fill("0.09..0.18");
	await page.keyboard.press("Enter");
	await painted(page);
	assert.equal(await samples(page), weight_of("--comm", "^client", "--every", "4s", "--phase", "0.09..0.18"));
}));

test("a click on a function shows when it runs, a search does too", () => with_page(async (page) => {
	const box = await page.locator("#flame").boundingBox();
	await page.mouse.click(box.x + box.width * 0.5, box.y + box.height - 90);
	await painted(page);
	const name = state(page).get("focus");
	assert.ok(name);
	assert.match(await text(page, "#legend"), new RegExp(`when .*runs`));
	await page.screenshot({ path: path.join(shots, "page-focus.png") });
	await page.keyboard.press("3");
	await painted(page);
	await page.screenshot({ path: path.join(shots, "page-sandwich.png") });
	await page.keyboard.press("Escape");
	await painted(page);
	assert.equal(state(page).get("focus"), null);
}));

test("a reload and a second window show the same state", () => with_page(async (page) => {
	await drag(page, [4, 19], [4, 33]);
	await page.getByLabel("Palette", { exact: true }).selectOption("inferno");
	await page.keyboard.press("i");
	await painted(page);
	const before = [page.url(), await samples(page)];
	await page.reload();
	await painted(page);
	assert.deepEqual([page.url(), await samples(page)], before);
}));


test("what is taken away is what the copied command prints", () => with_page(async (page) => {
	await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
	await drag(page, [4, 19], [4, 33]);
	await page.getByLabel("Scale", { exact: true }).selectOption("log");
	for (const what of ["PNG", "JSON, FlameScope's shape", "interactive SVG", "JSON, d3-flame-graph", "folded stacks", "speedscope", "pprof"]) {
		if (await page.locator("#take-menu").isHidden())
			await page.keyboard.press("d");
		const label = what === "PNG" ? page.getByLabel("Download PNG", { exact: true }).first() : page.getByLabel(`Download ${what}`, { exact: true });
		const [file] = await Promise.all([page.waitForEvent("download"), label.click()]);
		const bytes = fs.readFileSync(await file.path());
		const copy = what === "PNG" ? page.getByLabel("Copy the command of PNG", { exact: true }).first() : page.getByLabel(`Copy the command of ${what}`, { exact: true });
		await copy.click();
		const line = await page.evaluate(() => navigator.clipboard.readText());
		assert.match(line, /^flamebeat (heatmap|slice) /);
		const words = line.split(" ").slice(1).map((word) => word.replace(/^'(.*)'$/, "$1"));
		assert.ok(bytes.equals(flamebeat(words)), line);
	}
	await page.screenshot({ path: path.join(shots, "page-take.png") });
}));

test("compare with the rest of the recording", () => with_page(async (page) => {
	await drag(page, [4, 19], [4, 33]);
	await page.keyboard.press("c");
	await page.getByLabel("Baseline", { exact: true }).selectOption("rest");
	await painted(page);
	assert.equal(state(page).get("rest"), "1");
	assert.equal(await samples(page), weight_of("--range", "4.38..4.68"));
	const graph = await page.locator("#flame").boundingBox();
	await page.mouse.move(graph.x + graph.width / 2, graph.y + graph.height - 10);
	assert.match(await text(page, "#details"), /now .* baseline .* samples/);
	await page.screenshot({ path: path.join(shots, "page-compare.png") });
	await page.getByText("Stop comparing").click();
	await painted(page);
	assert.equal(state(page).get("rest"), null);
}));

test("spikes, periods, the chart, surprise and capacity", () => with_page(async (page) => {
	await page.locator(".finding").first().waitFor();
	await page.keyboard.press("n");
	await painted(page);
	assert.equal(state(page).get("range"), "0.37..0.67");
	await page.keyboard.press("n");
	await page.keyboard.press("p");
	await page.keyboard.press("t");
	await painted(page);
	assert.match(await text(page, "#graph-summary"), /µs/);
	await page.screenshot({ path: path.join(shots, "page-chart.png") });
	await page.keyboard.press("t");
	await page.locator(".finding").first().click();
	await painted(page);
	assert.equal(await samples(page), weight_of("--every", state(page).get("every"), "--phase", state(page).get("phase")));
	for (const scale of ["capacity", "surprise"]) {
		await page.getByLabel("Scale", { exact: true }).selectOption(scale);
		await painted(page);
	}
	assert.match(await text(page, "#legend"), /expected/);
	await page.screenshot({ path: path.join(shots, "page-surprise.png") });
}));

test("compare with a baseline that was selected", () => with_page(async (page) => {
	await drag(page, [5, 0], [7, 49]);
	await page.keyboard.press("b");
	await drag(page, [8, 19], [8, 33]);
	assert.equal(state(page).get("base-range"), "5..8");
	assert.equal(await samples(page), weight_of("--range", "8.38..8.68"));
}));

test("a recording without times still has its flame graph", () => with_page(async (page) => {
	await page.locator("#recording").selectOption({ label: "untimed.folded" });
	await painted(page);
	assert.match(await text(page, "#heatmap .message"), /no times/);
	assert.match(await text(page, "#graph-summary"), /9 samples/);
}));

test("names from a recording are only ever text", async () => {
	const nasty = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "javascript:alert(3)", "\u202egnp.exe", "${7*7}{{7*7}}", "a\u2028b", "'\"`&amp;"];
	const file = write_file("<b>nasty</b>.folded", nasty.map((name) => `${name};f(${name}) 3\n`).join(""));
	const hostile = await serve(file);
	const { page, trouble } = await open_page(hostile.url, { allowed: (url) => url.startsWith(hostile.origin + "/") });
	try {
		await painted(page);
		for (const key of ["2", "3", "1"]) {
			await page.keyboard.press(key);
			await painted(page);
		}
		const box = await page.locator("#flame").boundingBox();
		for (let i = 1; i < 10; i++)
			await page.mouse.click(box.x + box.width * i / 10, box.y + box.height - 25);
		await painted(page);
		assert.equal(await page.locator("img, b b, section script").count(), 0);
		trouble.check();
	} finally {
		await close_page(page);
		await hostile.stop();
	}
});

test("S12: other origins, and a name rebound to this machine, get nothing", async () => {
	const { chromium } = (await import("./harness.mjs")).require("playwright-core");
	const port = new URL(server.origin).port;
	const browser = await chromium.launch({ executablePath: process.env.CHROMIUM,
		args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--host-resolver-rules=MAP evil.test 127.0.0.1"] });
	try {
		const rebound = await browser.newPage(), page = await browser.newPage();
		const answers = [];
		rebound.on("response", (response) => answers.push(response.status()));
		await rebound.goto(`http://evil.test:${port}/`).catch(() => {});
		assert.deepEqual(answers.slice(0, 1), [421]);
		const evil = write_file("evil.html", "");
		fs.writeFileSync(evil, `<img src="${server.origin}/icon.svg"><script src="${server.origin}/app.js"></script>`);
		await page.goto("file://" + evil);
		const got = await page.evaluate(async ([origin, token]) => {
			const tries = [];
			for (const mode of ["cors", "no-cors"])
				tries.push(await fetch(`${origin}/api/v1/recordings`, { mode, headers: mode === "cors" ? { "X-Token": token } : {} })
					.then((answer) => answer.type === "opaque" ? "opaque" : answer.text(), () => "refused"));
			tries.push(document.images[0].naturalWidth);
			return tries;
		}, [server.origin, server.token]);
		assert.equal(got[0], "refused");
		assert.ok(["opaque", "refused"].includes(got[1]));
		assert.equal(got[2], 0);
	} finally {
		await browser.close();
	}
});

test("light and dark, small, large and magnified: nothing is cut off", async () => {
	for (const [name, settings] of Object.entries({
		dark: { color_scheme: "dark" }, small: { viewport: { width: 1024, height: 700 } },
		large: { viewport: { width: 1920, height: 1080 } }, magnified: { viewport: { width: 640, height: 400 } } }))
		await with_page(async (page) => {
			await drag(page, [4, 19], [4, 33]);
			const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
			assert.ok(overflow <= 0, `${name}: ${overflow} px too wide`);
			await page.screenshot({ path: path.join(shots, `page-${name}.png`) });
		}, settings);
});

await run_tests(async () => {
	await server.stop();
	await clean_up();
});
