// SPDX-License-Identifier: MIT
// The page of `slice --format html`: the flame graph, the table, callers and callees.

import assert from "node:assert/strict";
import path from "node:path";

import { clean_up, close_page, file_url, flamebeat, open_page, root, write_file } from "./harness.mjs";
import { run_tests, test } from "./tap.mjs";

const recording = path.join(root, "examples/server.perf.gz");
const url = file_url(write_file("server.html", flamebeat(["slice", recording, "--format", "html"])));
const top = JSON.parse(flamebeat(["top", recording, "--json", "--limit", "100000"]));
const plain = file_url(write_file("plain.html", flamebeat(["slice", "-", "--format", "html"],
	"a;f;g;f;h 3\na;f;g 2\nb;g;h 5\nb;k 10\n")));

async function with_page(address, use, settings) {
	const { page, trouble } = await open_page(address, settings);
	try {
		await use(page);
		trouble.check(address);
	} finally {
		await close_page(page);
	}
}

const rows_of = (page) => page.locator("#rows tr").evaluateAll((rows) => rows.map((row) => {
	const cells = [...row.cells].map((cell) => cell.textContent);
	return { name: cells[0], self: Number(cells[1].replace(/,/g, "")),
		total: Number(cells[3].replace(/,/g, "")) };
}));

test("the table has the numbers of `top`", () => with_page(url, async (page) => {
	const rows = await rows_of(page);
	const expected = new Map(top.rows.map((row) => [row.name, row]));
	assert.ok(rows.length >= 200);
	let n_checked = 0;
	for (const row of rows) {
		// The first frame of a stack, the thread, is a row here and none of `top`.
		const wanted = expected.get(row.name);
		if (wanted === undefined)
			continue;
		assert.deepEqual([row.self, row.total], [wanted.self, wanted.total], row.name);
		n_checked++;
	}
	assert.ok(n_checked > 150, `${n_checked}`);
	assert.deepEqual(rows.map((row) => row.self), rows.map((row) => row.self).sort((a, b) => b - a));
}));

test("columns sort, again the other way round", () => with_page(plain, async (page) => {
	await page.getByRole("button", { name: "Total" }).click();
	assert.deepEqual((await rows_of(page)).map((row) => row.name), ["b", "g", "k", "h", "a", "f"]
		.sort((x, y) => ({ b: 15, g: 10, k: 10, h: 8, a: 5, f: 5 })[y] -
			({ b: 15, g: 10, k: 10, h: 8, a: 5, f: 5 })[x] || (x < y ? -1 : 1)));
	await page.getByRole("button", { name: "Function" }).click();
	assert.deepEqual((await rows_of(page)).map((row) => row.name), ["a", "b", "f", "g", "h", "k"]);
	await page.getByRole("button", { name: "Function" }).click();
	assert.deepEqual((await rows_of(page)).map((row) => row.name), ["k", "h", "g", "f", "b", "a"]);
}));

test("search narrows the table and says what matched, overlaps once", () => with_page(plain,
	async (page) => {
		await page.keyboard.press("Control+f");
		await page.keyboard.type("^[fG]$");
		assert.equal(await page.locator("#matched").textContent(), "Matched: 25.00%");
		await page.keyboard.press("Control+i");
		assert.equal(await page.locator("#matched").textContent(), "Matched: 50.00%");
		assert.deepEqual((await rows_of(page)).map((row) => row.name), ["g", "f"]);
		await page.locator("#search").fill("(");
		assert.match(await page.locator("#search").getAttribute("class"), /wrong/);
	}));

// What a view shows, as `name value` by depth.
const shown = (page, id) => page.evaluate((element) => {
	const canvas = document.querySelector(`#${element} canvas`);
	return canvas.getAttribute("aria-label");
}, id);

test("a function's callers and callees; the address brings them back", () => with_page(plain,
	async (page) => {
		await page.getByRole("button", { name: "g", exact: true }).click();
		assert.equal(await page.locator("#chosen-name").textContent(), "g");
		assert.equal(await page.locator("#chosen-facts").textContent(),
			"self 2 (10.00%), total 10 (50.00%) samples, in 2 places");
		assert.equal(await shown(page, "callers"), "Callers of g");
		assert.equal(await shown(page, "callees"), "Callees of g");
		// Callees of g: itself 10, under it h 5 and f 3 with h 3 in it.
		const box = await page.locator("#callees canvas").boundingBox();
		const at = async (share, row) => {
			await page.mouse.move(box.x + box.width * share, box.y + 18 * row + 9);
			return page.locator("#details").textContent();
		};
		assert.equal(await at(0.5, 0), "g (10 samples, 50.00%)");
		assert.equal(await at(0.2, 1), "h (5 samples, 25.00%)");
		assert.equal(await at(0.6, 1), "f (3 samples, 15.00%)");
		assert.equal(await at(0.6, 2), "h (3 samples, 15.00%)");
		assert.equal(await at(0.9, 1), "\u00a0");
		const again = await open_page(page.url());
		assert.equal(await again.page.locator("#chosen-name").textContent(), "g");
		again.trouble.check();
		await close_page(again.page);
		await page.getByRole("button", { name: "Close" }).click();
		assert.equal(await page.locator("#sandwich").isVisible(), false);
	}));

test("a click zooms the graph, keys walk in it", () => with_page(plain, async (page) => {
	const canvas = page.locator("#graph canvas");
	const box = await canvas.boundingBox();
	const bottom = box.y + box.height - 12;
	await page.mouse.move(box.x + box.width * 0.1, bottom - 18);
	assert.match(await page.locator("#details").textContent(), /^a \(5 samples, 25.00%\)$/);
	await page.mouse.click(box.x + box.width * 0.1, bottom - 18);
	await page.mouse.move(box.x + box.width * 0.9, bottom - 18);
	assert.match(await page.locator("#details").textContent(), /^a \(/);
	await page.getByRole("button", { name: "Reset Zoom" }).click();
	await canvas.focus();
	for (const key of ["ArrowUp", "ArrowUp", "ArrowUp"])
		await page.keyboard.press(key);
	assert.match(await page.locator("#details").textContent(), /^k \(10 samples, 50.00%, itself 10/);
}));

test("a picture of it, light and dark, narrow and wide", async () => {
	for (const color_scheme of ["light", "dark"])
		for (const width of [500, 1600])
			await with_page(url, async (page) => {
				assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
					true, `${width}`);
			}, { color_scheme, viewport: { width, height: 900 } });
});

await run_tests(clean_up);
