// SPDX-License-Identifier: MIT
// How fast the page is in headless Chromium; `tests/bench/page` runs it. Every figure is of
// performance.now() in the page: from the question to the end of drawing its answer.

import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import process from "node:process";

import { clean_up, close_page, folder, open_page, program } from "../browser/harness.mjs";
import { serve } from "../browser/serving.mjs";

const [generate, scale = "1"] = process.argv.slice(2);

const median_and_p95 = (values) => {
	const sorted = [...values].sort((a, b) => a - b), at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
	return { median: at(0.5), p95: at(0.95), p99: at(0.99), n: sorted.length };
};
const ms = (value) => value.toFixed(1).padStart(7) + " ms";
const line = (what, values) => {
	const { median, p95, p99, n } = median_and_p95(values);
	console.log(`  ${what.padEnd(52)} median ${ms(median)}  p95 ${ms(p95)}  p99 ${ms(p99)}  (${n})`);
};

const idle = (page) => page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null &&
	document.querySelector("#flame[aria-busy]") !== null, null, { timeout: 300000 });

const measures = (page, name) => page.evaluate((wanted) =>
	performance.getEntriesByName(wanted).map(({ duration, detail }) => ({ duration, samples: detail?.samples })), name);

// The server's part: the same questions without a page.
async function server_part(server, id, ranges) {
	const times = [];
	for (const range of ranges) {
		const begin = performance.now();
		const response = await fetch(`${server.origin}/api/v1/recordings/${id}/slice?range=${range}&width=1300&min-width=0.4&format=flat`,
			{ headers: { "X-Token": server.token } });
		await response.arrayBuffer();
		times.push(performance.now() - begin);
	}
	return times;
}

async function drag_about(page, n) {
	const box = await page.locator("#heatmap").boundingBox();
	const point = (x, y) => [box.x + 60 + x * (box.width - 80), box.y + 32 + y * (box.height - 40)];
	for (let i = 0; i < n; i++) {
		await page.mouse.move(...point(0.05 + 0.8 * (i / n), 0.8));
		await page.mouse.down();
		for (let k = 1; k <= 8; k++) {
			await page.mouse.move(...point(0.05 + 0.8 * (i / n) + 0.012 * k, 0.8 - 0.08 * k));
			await page.waitForTimeout(30);
		}
		await page.mouse.up();
		await idle(page);
	}
}

// Frame to frame while the pointer hovers, or while `act` runs each frame.
async function frame_times(page, act) {
	await page.evaluate(() => {
		window.frames_seen = [];
		let last = performance.now();
		const step = (now) => {
			window.frames_seen.push(now - last);
			last = now;
			window.frame_request = requestAnimationFrame(step);
		};
		window.frame_request = requestAnimationFrame(step);
	});
	await act();
	return page.evaluate(() => { cancelAnimationFrame(window.frame_request); return window.frames_seen.slice(5); });
}

async function hover_about(page) {
	const box = await page.locator("#heatmap").boundingBox();
	for (let i = 0; i < 120; i++) {
		await page.mouse.move(box.x + 60 + (i * 11) % (box.width - 80), box.y + 40 + (i * 7) % (box.height - 60));
		await page.waitForTimeout(8);
	}
}

async function pan_about(page) {
	const box = await page.locator("#heatmap").boundingBox();
	await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
	for (let i = 0; i < 60; i++) {
		await page.mouse.wheel(i < 30 ? 40 : -40, 0);
		await page.waitForTimeout(16);
	}
}

async function measure(name, ...options) {
	const store = path.join(folder, name.replace(/\W/g, "-") + ".beat");
	execFileSync(generate, [...options, "store", store]);
	const server = await serve(store);
	const { page } = await open_page(server.url, { allowed: () => true, viewport: { width: 1360, height: 860 } });
	await idle(page);
	console.log(`${name}: store of ${(fs.statSync(store).size / 1e6).toFixed(1)} MB`);
	line("heat map, asked to drawn", (await measures(page, "heatmap")).map(({ duration }) => duration));
	line("heat map, answered to drawn", (await measures(page, "heatmap-drawn")).map(({ duration }) => duration));
	await page.evaluate(() => performance.clearMeasures());
	await drag_about(page, 12);
	const slices = await measures(page, "flame");
	line("selections of up to 1 M samples, changed to drawn", slices.filter(({ samples }) => samples <= 1e6).map(({ duration }) => duration));
	const large = slices.filter(({ samples }) => samples > 1e6).map(({ duration }) => duration);
	if (large.length > 0)
		line("larger selections, changed to drawn", large);
	const id = JSON.parse(await (await fetch(server.origin + "/api/v1/recordings", { headers: { "X-Token": server.token } })).text()).recordings[0].id;
	line("of which the server and the wire, 1 s slices", await server_part(server, id, Array.from({ length: 20 }, (_, i) => `${i * 5}..${i * 5 + 1}`)));
	line("hovering, frame to frame", await frame_times(page, () => hover_about(page)));
	await page.keyboard.press("+");
	await idle(page);
	line("panning, frame to frame", await frame_times(page, () => pan_about(page)));
	await close_page(page);
	await server.stop();
}

console.log(`${program}, headless Chromium, 1360 x 860`);
await measure("two minutes, 300 k samples", "--samples", String(Math.round(300000 * scale)), "--cpus", "8", "--hz", "312", "--stacks", "20000");
await measure("a day, 34 M samples", "--samples", String(Math.round(34214400 * scale)));
await clean_up();
