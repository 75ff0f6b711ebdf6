// SPDX-License-Identifier: MIT
// The interactive SVG of `slice`, used as a person would use it.

import assert from "node:assert/strict";
import fs from "node:fs";

import { clean_up, close_page, file_url, flamebeat, open_page, write_file } from "./harness.mjs";
import { run_tests, test } from "./tap.mjs";

const folded = write_file("a.folded",
	"app;main;parse;read 30\napp;main;parse 10\napp;main;draw;fill_rectangle_with_a_long_name 5\n" +
	"app;main;draw;parse;read 15\napp;idle 30\nother;read 10\n");

function make_svg(...options) {
	const file = write_file(`a${options.join("").replace(/\W/g, "_")}.svg`, "");
	flamebeat(["slice", folded, "-o", file, ...options]);
	return file_url(file);
}

const svg = make_svg();

async function with_page(url, use, settings) {
	const { page, trouble } = await open_page(url, settings);
	try {
		await use(page, (text) => trouble.answers.push(text));
		trouble.check(url);
	} finally {
		await close_page(page);
	}
}

// The frame whose native tooltip begins with `name`; `nth` of several.
const frame = (page, name, nth = 0) =>
	page.locator("#frames > g").filter({ has: page.locator(`title:text("${name} (")`) }).nth(nth);

const text_of = (page, id) => page.locator("#" + id).textContent();
const is_shown = (page, id) =>
	page.locator("#" + id).evaluate((e) => getComputedStyle(e).display !== "none");

test("a click zooms, ancestors stay and fade, Reset Zoom undoes it", () => with_page(svg,
	async (page) => {
		assert.equal(await is_shown(page, "unzoom"), false);
		const draw = frame(page, "draw");
		const before = await draw.locator("rect").boundingBox();
		assert.equal(await frame(page, "other").isVisible(), true);
		await draw.click();
		const after = await draw.locator("rect").boundingBox();
		const root = await frame(page, "all").locator("rect").boundingBox();
		assert.ok(after.width > 4 * before.width && Math.abs(after.width - root.width) < 1);
		const opacity = (name) => frame(page, name).evaluate((g) => Number(getComputedStyle(g).opacity));
		assert.equal(await opacity("main"), 0.5);
		assert.equal(await opacity("draw"), 1);
		assert.equal(await frame(page, "other").isVisible(), false);
		await page.locator("#unzoom").click();
		assert.deepEqual(await draw.locator("rect").boundingBox(), before);
		assert.equal(await is_shown(page, "unzoom"), false);
	}));


const matched = async (page) => (await text_of(page, "matched")).trim();
const fill = (page, name, nth) => frame(page, name, nth).locator("rect").getAttribute("fill");
const search_fill = "rgb(230,0,230)";

test("Ctrl-F, F3 and Search ask for a regular expression, overlaps count once", () => with_page(svg,
	async (page, answer) => {
		for (const press of [() => page.keyboard.press("Control+f"),
			() => page.keyboard.press("F3"), () => page.locator("#search").click()]) {
			answer("^(parse|read)$");
			await press();
			// app;main;parse 40, draw;parse 15, other;read 10
			assert.equal(await matched(page), "Matched: 65.0%");
			assert.equal(await fill(page, "parse"), search_fill);
			assert.equal(await text_of(page, "search"), "Reset Search");
			await page.locator("#search").click();
			assert.equal(await matched(page), "");
			assert.notEqual(await fill(page, "parse"), search_fill);
		}
		answer("all");
		await page.keyboard.press("F3");
		assert.equal(await matched(page), "Matched: 100%");
	}));

test("Ctrl-I and the button search without regard to case", () => with_page(svg, async (page, answer) => {
	answer("PARSE");
	await page.keyboard.press("Control+f");
	assert.equal(await matched(page), "Matched: 0.0%");
	await page.keyboard.press("Control+i");
	assert.equal(await matched(page), "Matched: 55.0%");
	await page.locator("#ignorecase").click();
	assert.equal(await matched(page), "Matched: 0.0%");
}));

test("what is no regular expression is said, not thrown", () => with_page(svg, async (page, answer) => {
	answer("(<b>");
	await page.keyboard.press("F3");
	assert.match(await text_of(page, "details"), /Not a regular expression: \(<b>/);
	assert.equal(await matched(page), "");
}));

test("zoom and search are in the address, and restored from it", () => with_page(svg, async (page, answer) => {
	const rect = frame(page, "draw").locator("rect");
	const before = [await rect.getAttribute("x"), await rect.getAttribute("y")];
	await frame(page, "draw").click();
	answer("re(a|x)d");
	await page.keyboard.press("F3");
	const url = new URL(page.url());
	assert.equal(url.searchParams.get("s"), "re(a|x)d");
	const attributes = await fs.promises.readFile(new URL(svg), "utf8");
	const drawn = attributes.match(/<title>draw \([^]*?<rect x="([\d.]+)" y="([\d.]+)"/);
	assert.deepEqual([url.searchParams.get("x"), url.searchParams.get("y")], drawn.slice(1, 3));
	assert.ok(before.length === 2);
	for (const width of [1280, 700]) {
		const other = await open_page(page.url(), { viewport: { width, height: 600 } });
		assert.equal(await matched(other.page), "Matched: 55.0%");
		assert.equal(await frame(other.page, "other").isVisible(), false);
		assert.equal(await frame(other.page, "main").getAttribute("class"), "parent");
		other.trouble.check();
		await close_page(other.page);
	}
	await page.locator("#unzoom").click();
	await page.locator("#search").click();
	assert.equal(new URL(page.url()).search, "");
}));

test("a wrong address is a whole picture", () => with_page(svg + "?x=99&y=abc&s=%28", async (page) => {
	assert.equal(await is_shown(page, "unzoom"), false);
	assert.equal(await frame(page, "other").isVisible(), true);
}));

test("the line of details follows the mouse", () => with_page(svg, async (page) => {
	await frame(page, "idle").hover();
	assert.equal(await text_of(page, "details"), "Function: idle (30 samples, 30.00%)");
	await page.mouse.move(5, 5);
	assert.equal(await text_of(page, "details"), " ");
}));

test("labels are cut with two dots and cut anew by zooming", () => with_page(svg, async (page) => {
	const long = frame(page, "fill_rectangle_with_a_long_name");
	const label = long.locator("text");
	assert.match(await label.textContent(), /^fill\w*\.\.$/);
	await long.click();
	assert.equal(await label.textContent(), "fill_rectangle_with_a_long_name");
	for (const g of await page.locator("#frames > g:not(.hide)").all()) {
		const [text, rect] = [g.locator("text"), g.locator("rect")];
		if (await text.textContent() === "")
			continue;
		assert.ok((await text.boundingBox()).width <= (await rect.boundingBox()).width);
	}
}));

test("the picture is as wide as its window, or as --width says", () => with_page(svg, async (page) => {
	for (const width of [1600, 640, 1000]) {
		await page.setViewportSize({ width, height: 500 });
		await page.waitForFunction((w) => document.documentElement.viewBox.baseVal.width <= w, width);
		const root = await frame(page, "all").locator("rect").boundingBox();
		assert.ok(root.width > width - 50 && root.width <= width - 20, `${root.width} of ${width}`);
		const search = await page.locator("#search").boundingBox();
		assert.ok(search.x + search.width < width);
	}
	const fixed = await open_page(make_svg("--width", 900));
	assert.equal((await frame(fixed.page, "all").locator("rect").boundingBox()).width, 880);
	await close_page(fixed.page);
}));

const current = (page) => page.locator("#frames > g.current title").textContent();

test("keys: tab to the frames, arrows, Enter, Escape", () => with_page(svg, async (page) => {
	for (let i = 0; i < 9 && await page.locator("#frames:focus").count() === 0; i++)
		await page.keyboard.press("Tab");
	await page.keyboard.press("ArrowUp");
	assert.match(await current(page), /^all /);
	await page.keyboard.press("ArrowUp");
	assert.match(await current(page), /^app /);
	await page.keyboard.press("ArrowRight");
	assert.match(await current(page), /^other /);
	await page.keyboard.press("ArrowLeft");
	await page.keyboard.press("ArrowUp");
	assert.match(await current(page), /^main /);
	assert.equal(await text_of(page, "details"), "Function: main (60 samples, 60.00%)");
	await page.keyboard.press("Enter");
	assert.equal(await frame(page, "other").isVisible(), false);
	await page.keyboard.press("ArrowDown");
	assert.match(await current(page), /^app /);
	await page.keyboard.press("Escape");
	assert.equal(await frame(page, "other").isVisible(), true);
}));

test("buttons can be reached and pressed by keys", () => with_page(svg, async (page, answer) => {
	await page.locator("#search").focus();
	answer("idle");
	await page.keyboard.press("Enter");
	assert.equal(await matched(page), "Matched: 30.0%");
}));

// Rec. 709; 0 black, 1 white.
async function corner_light(page) {
	const png = await page.screenshot({ clip: { x: 2, y: 2, width: 1, height: 1 } });
	return page.evaluate(async (data) => {
		const image = new Image();
		image.src = "data:image/png;base64," + data;
		await image.decode();
		const canvas = document.createElementNS("http://www.w3.org/1999/xhtml", "canvas");
		const context = canvas.getContext("2d");
		context.drawImage(image, 0, 0);
		const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
		return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
	}, png.toString("base64"));
}

test("light and dark follow the system", async () => {
	for (const [color_scheme, is_right] of [["light", (l) => l > 0.9], ["dark", (l) => l < 0.2]])
		await with_page(svg, async (page) => {
			const light = await corner_light(page);
			assert.ok(is_right(light), `${color_scheme}: ${light}`);
		}, { color_scheme });
});

test("within a page: <img> is a still picture, <object> works", async () => {
	const host = write_file("host.html", `<!doctype html><title>x</title><body>
		<img id="i" width="600" src="${svg}"><object id="o" width="700" height="400" data="${svg}"></object>`);
	await with_page(file_url(host), async (page) => {
		assert.ok(await page.locator("#i").evaluate((i) => i.complete && i.naturalWidth > 0));
		const inner = page.frames()[1];
		await inner.locator("#frames > g", { has: inner.locator('title:text("draw (")') }).click();
		assert.equal(await inner.locator("#frames > g.parent").count(), 3);
	}, { allowed: (url) => url.startsWith("file:") });
});

test("frames too narrow are left out and that is said", () =>
	with_page(make_svg("--min-width", "8%"), async (page) => {
		assert.match(await text_of(page, "note"),
			/^1 frame narrower than 94.4 px not drawn \(5 samples\)$/);
	}));

test("flamegraph.pl's options have its names", async () => {
	const url = make_svg("--title", "T & <i>", "--subtitle", "S", "--width", "800", "--height", "24",
		"--minwidth", "0.5", "--fonttype", "monospace", "--fontsize", "15", "--countname", "bytes",
		"--nametype", "Routine:", "--colors", "mem", "--bgcolors", "#102030", "--hash", "--inverted");
	await with_page(url, async (page) => {
		assert.equal(await text_of(page, "title"), "T & <i>");
		assert.equal((await text_of(page, "subtitle")).trim(), "S");
		const rect = await frame(page, "app").locator("rect").boundingBox();
		const root = await frame(page, "all").locator("rect").boundingBox();
		assert.equal(rect.y - root.y, 24);
		assert.match(await frame(page, "app").locator("text").evaluate((e) => {
			const style = getComputedStyle(e);
			return style.fontFamily + " " + style.fontSize;
		}), /^"?monospace.* 15px$/);
		await frame(page, "idle").hover();
		assert.equal(await text_of(page, "details"), "Routine: idle (30 bytes, 30.00%)");
		assert.equal(await page.locator("stop").first().getAttribute("stop-color"), "#102030");
	});
});

const chart_recording = write_file("chart.perf", [["main;f", 0], ["main;f", 1], ["main;g", 2], ["main;f", 50]]
	.concat(Array.from({ length: 100 }, (_, i) => ["spin", 100 + i]))
	.map(([stack, ms]) => `a 1/1 [000] 5.${String(ms).padStart(3, "0")}000:  1000000 cpu-clock: \n` +
		stack.split(";").reverse().map((name) => `\t ffff ${name}+0x0 (/bin/a)\n`).join("") + "\n")
	.join(""));

test("a chart: a click chooses its time, the axis follows, all lanes stay", async () => {
	const file = write_file("chart.svg", "");
	flamebeat(["slice", chart_recording, "--chart", "-o", file, "--range", "0..0.2"]);
	await with_page(file_url(file), async (page, answer) => {
		const times = () => page.locator("#axis text").allTextContents();
		assert.deepEqual((await times()).slice(0, 3), ["0 s", "0.02 s", "0.04 s"]);
		answer("^(f|g)$");
		await page.keyboard.press("F3");
		// 3 ms and 1 ms of 104 ms that the thread was seen.
		assert.equal(await matched(page), "Matched: 3.8%");
		await frame(page, "g").click();
		assert.deepEqual((await times()).slice(0, 3), ["0.002 s", "0.0021 s", "0.0022 s"]);
		const g = await frame(page, "g").locator("rect").boundingBox();
		const main = await frame(page, "main").locator("rect").boundingBox();
		assert.ok(g.width > 1000 && Math.abs(main.width - g.width) < 1);
		assert.equal(await frame(page, "spin").isVisible(), false);
		await page.locator("#unzoom").click();
		assert.deepEqual((await times()).slice(0, 2), ["0 s", "0.02 s"]);
	});
});

await run_tests(clean_up);
