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
	flamebeat(["slice", folded, "--group-by", "none", "-o", file, ...options]);
	return file_url(file);
}

const svg = make_svg();

async function with_page(url, use, settings) {
	const { page, trouble } = await open_page(url, settings);
	try {
		await use(page);
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

await run_tests(clean_up);
