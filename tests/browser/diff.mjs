// SPDX-License-Identifier: MIT
// The picture of `diff`, used as a person would use it; its JSON in d3-flame-graph's hands.

import assert from "node:assert/strict";

import { clean_up, close_page, file_url, flamebeat, open_page, write_file } from "./harness.mjs";
import { run_tests, test } from "./tap.mjs";

const hostile = "</script><img src=x onerror=alert(1)> (5 samples, 1%)";
const base = write_file("old.folded", "a;up 300\na;same 5010\na;down 900\na;gone 400\n");
const now = write_file("new.folded",
	`a;up 900\na;same 5000\na;down 300\na;fresh;${hostile} 500\n`);

async function with_picture(options, use, settings) {
	const file = write_file(`d${options.join("").replace(/\W/g, "_")}.svg`, "");
	flamebeat(["diff", now, "--base", base, "-o", file, ...options]);
	const { page, trouble } = await open_page(file_url(file), settings);
	try {
		await use(page, (text) => trouble.answers.push(text));
		trouble.check(file);
	} finally {
		await close_page(page);
	}
}

const frame = (page, name) =>
	page.locator("#frames > g").filter({ has: page.locator(`title:text("${name} (")`) }).first();
const fill = (page, name) => frame(page, name).locator("rect").getAttribute("fill");
const details = async (page) => (await page.locator("#details").textContent()).trim();

test("the mouse tells both sides, ratio, interval and what is noise", () => with_picture([],
	async (page) => {
		await frame(page, "up").hover();
		assert.match(await details(page),
			/^Function: up \(900 samples, 13.43%; base 300, 4.54%: \+8.89 points, ×2.96 \(95%: 2.61 to 3.37\), q /);
		await frame(page, "gone").hover();
		assert.match(await details(page), /only in base \(95%: at most ×0.0\d+\)/);
		await frame(page, "fresh").hover();
		assert.match(await details(page), /only in new \(95%: at least ×\d+/);
		await frame(page, "all").hover();
		assert.match(await details(page), /0\.00 points.*within noise/);
	}));

test("a search is undone, hatching included; what matches is counted by width", () =>
	with_picture([], async (page, answer) => {
		const before = await fill(page, "gone");
		assert.match(before, /^url\(#hatch\d+\)$/);
		answer("^gone$");
		await page.keyboard.press("F3");
		assert.equal(await fill(page, "gone"), "rgb(230,0,230)");
		// 400 of 6,610, brought to 6,700, beside 6,700.
		assert.equal((await page.locator("#matched").textContent()).trim(), "Matched: 5.7%");
		await page.locator("#search").click();
		assert.equal(await fill(page, "gone"), before);
	}));

test("a click zooms; names are found by their own text alone", () => with_picture([],
	async (page, answer) => {
		await frame(page, "fresh").click();
		const fresh = await frame(page, "fresh").locator("rect").boundingBox();
		assert.ok(fresh.width > 1000);
		assert.equal(await frame(page, "up").isVisible(), false);
		await page.keyboard.press("Escape");
		answer("base|points|noise");
		await page.keyboard.press("F3");
		assert.equal((await page.locator("#matched").textContent()).trim(), "Matched: 0.0%");
	}));

test("a legend under the frames, in the window's colours", async () => {
	for (const color_scheme of ["light", "dark"])
		await with_picture([], async (page) => {
			const box = await page.locator("#legend").boundingBox();
			const root = await frame(page, "all").locator("rect").boundingBox();
			assert.ok(box.y > root.y + root.height, "below the root");
			assert.ok(box.x + box.width <= 1200);
			const ink = await page.locator("#legend text").first()
				.evaluate((e) => getComputedStyle(e).fill);
			assert.equal(ink, color_scheme === "dark" ? "rgb(228, 228, 222)" : "rgb(26, 26, 26)");
		}, { color_scheme });
});

test("the page: picture and table, filtered and sorted; names are text", async () => {
	const file = write_file("page.html", "");
	flamebeat(["diff", now, "--base", base, "-o", file]);
	const { page, trouble } = await open_page(file_url(file));
	const names = () => page.locator("td.name").evaluateAll((cells) =>
		cells.map((cell) => cell.firstChild.textContent));
	try {
		assert.match(await fill(page, "gone"), /^url\(#hatch\d+\)$/);
		await frame(page, "up").hover();
		assert.match(await details(page), /^Function: up \(900 samples, 13.43%; base 300/);
		const all = await names();
		assert.deepEqual([...all].sort(), ["down", "fresh", "gone", hostile, "same", "up"].sort());
		const up = page.locator("tr.more").filter({ hasText: "up" });
		assert.deepEqual(await up.locator("td").allTextContents(),
			["up ", "300", "900", "300", "900", "+8.89", "2.96", "2.61 to 3.37",
				await up.locator("td").last().textContent()]);
		await page.locator("th[data-column=new_self] button").click();
		assert.equal((await names())[0], "same");
		await page.locator("th[data-column=new_self] button").click();
		assert.equal((await names()).at(-1), "same");
		await page.locator("#filter").fill("^(up|down)$");
		assert.deepEqual((await names()).sort(), ["down", "up"]);
		assert.equal(await page.locator("#shown").textContent(), "2 of 6");
		trouble.check(file);
	} finally {
		await close_page(page);
	}
});

test("the tree's deltas and widths are d3-flame-graph's", () => {
	const tree = JSON.parse(flamebeat(["diff", now, "--base", base, "--format", "json"]));
	const todo = [tree];
	while (todo.length > 0) {
		const node = todo.pop();
		assert.equal(typeof node.delta, "number");
		const below = node.children.reduce((sum, child) => sum + child.value, 0);
		assert.ok(below <= node.value + 1e-6, node.name);
		todo.push(...node.children);
	}
});

await run_tests(clean_up);
