// SPDX-License-Identifier: MIT
// The page as one file: its own slices against the program's, on random queries, and opened from
// disk in the browser.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import process from "node:process";

import { clean_up, close_page, file_url, flamebeat, folder, node_modules, open_page, root, write_file } from "./harness.mjs";
import { run_tests, test } from "./tap.mjs";
import { open_file } from "../../web-static/file-source.js";

const is_full = Boolean(process.env.FLAMEBEAT_FULL);
const shots = process.env.FLAMEBEAT_SHOTS || path.join(node_modules, "../screenshots");
fs.mkdirSync(shots, { recursive: true });
const example = path.join(root, "examples/server.perf.gz");

function make_page(input, ...options) {
	const file = write_file(`page${Math.random()}.html`, "");
	flamebeat(["heatmap", input, "-o", file, ...options]);
	return file;
}

async function source_of(file) {
	const html = fs.readFileSync(file, "utf8");
	const [, data] = /<script type="application\/octet-stream" id="data">([^<]*)<\/script>/.exec(html);
	return open_file(data);
}

// Two events, several processes with equal names, inlined frames, blanks, bytes that are no UTF-8.
function make_recording() {
	let seed = 5;
	const random = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
	const threads = [["java", 10, 11], ["GC Thread#1", 10, 12], ["GC Thread#2", 10, 13], ["java", 20, 20], ["web server", 30, 30], ["swapper", 0, 0]];
	const names = ["main", "loop", "parse->inline", "draw", "tcp_sendmsg", "Lcom/x/Y;->go", "operator new(unsigned long)", "ünï", "a;b"];
	const lines = [];
	let time = 5003217;
	for (let i = 0; i < 6000; i++) {
		time += random(3000);
		const [comm, pid, tid] = threads[random(threads.length)];
		const event = random(4) ? "cycles" : "instructions";
		lines.push(`${comm} ${pid}/${tid} [00${random(4)}] ${Math.floor(time / 1e6)}.${String(time % 1e6).padStart(6, "0")}: 100 ${event}:`);
		for (let depth = 1 + random(6); depth > 0; depth--) {
			const name = names[random(names.length)];
			lines.push(`\t    ${(4096 + random(9999)).toString(16)} ${name}+0x1 (${name.includes("->") ? "/tmp/perf-10.map" : random(3) ? "/usr/bin/x" : "[kernel.kallsyms]"})`);
		}
		lines.push("");
	}
	return write_file("random.perf", lines.join("\n") + "\n");
}

const words_of = (pairs) => pairs.map(([key, value]) => (key === "reverse" ? "--reverse" : `--${key}=${value}`));

// A tree as {path of names: self weight}.
function stacks_of(flat) {
	const stacks = new Map(), open = [];
	flat.name.forEach((name, i) => {
		open.length = flat.depth[i];
		open.push(flat.names[name]);
		if (flat.self[i] > 0)
			stacks.set(open.slice(1).join("\0"), flat.self[i]);
	});
	return Object.fromEntries([...stacks].sort());
}

function random_query(random) {
	const choose = (list) => list[random(list.length)], pairs = [];
	const time = () => (random(700) * 0.02).toFixed(2);
	if (random(2))
		pairs.push(["event", choose(["cycles", "instructions"])]);
	if (random(3) === 0)
		pairs.push(["comm", choose(["java", "^GC", "server$", "Thread#[12]", "nothing"])]);
	if (random(4) === 0)
		pairs.push(["process", choose(["java", "web", "^GC"])]);
	if (random(4) === 0)
		pairs.push(["pid", choose(["10", "20", "30"])], ["pid", choose(["10", "20"])]);
	if (random(5) === 0)
		pairs.push(["tid", choose(["11", "13", "20"])]);
	if (random(4) === 0)
		pairs.push([choose(["match", "exclude"]), choose(["^main$", "tcp", "draw|loop", "inline"])]);
	for (let n = random(3); n > 0; n--)
		pairs.push(["range", `${time()}..${time()}`]);
	if (random(4) === 0)
		pairs.push(["every", choose(["1s", "200ms", "1300ms"])], ["phase", choose(["20ms..100ms", "40ms..60ms", "180ms..20ms"])]);
	return pairs.filter(([key, value]) => key !== "range" || value.split("..")[0] !== value.split("..")[1]);
}

test("random queries: the file's slices and heat maps are the program's", async () => {
	const input = make_recording(), store = path.join(folder, "random.beat");
	flamebeat(["ingest", input, "-o", store]);
	const source = await source_of(make_page(store));
	let seed = 1;
	const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
	let n_samples = 0;
	for (let i = 0; i < (is_full ? 1000 : 60); i++) {
		const query = random_query(random);
		const tree = [["group-by", ["comm", "pid", "tid", "process", "pool", "none"][random(6)]], ...(random(3) ? [] : [["reverse", "1"]])];
		const ours = source.slice([...query, ...tree]);
		const theirs = JSON.parse(flamebeat(["slice", store, "--format=flat", "--min-width=0", ...words_of([...query, ...tree])]));
		assert.deepEqual(stacks_of(ours), stacks_of(theirs), JSON.stringify([query, tree]));
		assert.deepEqual([ours.begin, ours.value, ours.depth], [theirs.begin, theirs.value, theirs.depth], JSON.stringify([query, tree]));
		n_samples += theirs.total;
		const grid = [["column", ["1s", "5s", "200ms"][random(3)]], ["rows", ["10", "5", "50"][random(3)]], ["cell", ["sum", "peak"][random(2)]]];
		if (grid[0][1] === "200ms" && grid[1][1] === "50")
			continue;
		const filters = query.filter(([key]) => !["range", "every", "phase"].includes(key));
		const map = source.heatmap([...filters, ...grid]);
		const other = JSON.parse(flamebeat(["heatmap", store, "--format=json", ...words_of([...filters, ...grid])]));
		assert.deepEqual([map.values, map.rows, map.maxvalue, map.total], [other.values, other.rows, other.maxvalue, other.total], JSON.stringify([filters, grid]));
	}
	assert.ok(n_samples > 10000);
});

test("functions are those of top", async () => {
	const source = await source_of(make_page(example));
	const pairs = [["range", "4.36..4.7"]];
	const ours = source.top(pairs), theirs = JSON.parse(flamebeat(["top", example, "--json", ...words_of(pairs)]));
	const sums = (rows) => {
		const by_name = {};
		for (const { name, self } of rows)
			by_name[name] = (by_name[name] || 0) + self;
		return by_name;
	};
	assert.deepEqual(sums(ours.rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))), sums(theirs.rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))));
});

test("opened from disk: no request, no error, the same numbers", async () => {
	const { page, trouble } = await open_page(file_url(make_page(example)));
	try {
		await page.waitForFunction(() => document.querySelector("#flame[aria-busy=false]") !== null);
		assert.match(await page.locator("#graph-summary").textContent(), /5,216 samples/);
		const box = await page.locator("#heatmap").boundingBox();
		await page.mouse.move(box.x + 54 + 4.5 * 56, box.y + 28 + 30.5 * 5);
		await page.mouse.down();
		for (let row = 29; row >= 17; row--)
			await page.mouse.move(box.x + 54 + 4.5 * 56, box.y + 28 + (row + 0.5) * 5);
		await page.mouse.up();
		await page.waitForTimeout(200);
		const range = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("range");
		const expected = JSON.parse(flamebeat(["slice", example, "--range", range, "--format", "flat"])).total;
		assert.match(await page.locator("#graph-summary").textContent(), new RegExp(`^${expected} samples`));
		for (const key of ["2", "3", "1"])
			await page.keyboard.press(key);
		await page.screenshot({ path: path.join(shots, "file.png") });
		trouble.check();
	} finally {
		await close_page(page);
	}
});

test("hostile names are text in the file too", async () => {
	const nasty = ["</script><script>alert(1)</script>", "<!--", "]]>", "\u2028", "javascript:alert(2)"];
	const lines = nasty.flatMap((name, i) => [`${name.replace(/[ :]/g, "")} 1/1 [000] 5.0${i}0000: 1 cycles:`, `\t  1000 ${name}+0x1 (/bin/${name})`, ""]);
	const file = make_page(write_file("nasty.perf", lines.join("\n") + "\n"));
	assert.ok(!fs.readFileSync(file, "utf8").includes("alert(1)"));
	const { page, trouble } = await open_page(file_url(file));
	await page.waitForFunction(() => document.querySelector("#flame[aria-busy=false]") !== null);
	trouble.check();
	await close_page(page);
});

test("what cannot be kept is refused with a reason", () => {
	for (const options of [["--weight", "period"], ["--block", "0"], ["--block", "x"]])
		assert.throws(() => make_page(example, ...options), /flamebeat: /);
});

await run_tests(clean_up);
