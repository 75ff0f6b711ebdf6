// SPDX-License-Identifier: MIT
// What browser tests share: the program under test, one Chromium, and pages that remember
// everything that a page must not do (dialogs, errors, requests).

import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

export const root = process.env.FLAMEBEAT_ROOT ||
	path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const program = process.env.FLAMEBEAT;
export const node_modules = path.join(path.resolve(process.env.FLAMEBEAT_NODE), "node_modules");
// require("ajv") and so on, from the folder that tests/browser/install filled.
export const require = createRequire(path.join(node_modules, "x.js"));
export const folder = fs.mkdtempSync(path.join(os.tmpdir(), "flamebeat-browser-"));

const environment = { ...process.env, TERM: "dumb" };
environment.LSAN_OPTIONS ??= `suppressions=${root}/tests/lsan.supp:print_suppressions=0`;

// Standard output (a Buffer) of the program; throws where it fails. `input`: its standard input.
export function flamebeat(args, input = "") {
	return execFileSync(program, args.map(String), {
		input, env: environment, maxBuffer: 1 << 30, stdio: ["pipe", "pipe", "pipe"],
	});
}

// As above, for what is allowed to fail: {status, stdout, stderr}.
export function flamebeat_result(args, input = "") {
	return spawnSync(program, args.map(String), { input, env: environment, maxBuffer: 1 << 30 });
}

// A file in the test's own folder; returns its path.
export function write_file(name, data) {
	const file = path.join(folder, name);
	fs.mkdirSync(path.dirname(file), { recursive: true });
	fs.writeFileSync(file, data);
	return file;
}

export const file_url = (file) => pathToFileURL(file).href;

const flags = [
	"--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
	"--disable-background-networking", "--disable-component-update", "--disable-sync",
];
let browser = null;

async function get_browser() {
	const { chromium } = require("playwright-core");
	browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM, args: flags });
	return browser;
}

// Everything that happened in a page and should not have; `requests` holds all but the page's own.
export class Trouble {
	answers = []; // to prompts that the test expects, in order; these are no trouble
	dialogs = [];
	errors = [];
	requests = [];

	watch(page, allowed) {
		page.on("dialog", (dialog) => {
			if (this.answers.length > 0) {
				dialog.accept(this.answers.shift());
				return;
			}
			this.dialogs.push(`${dialog.type()}: ${dialog.message()}`);
			dialog.dismiss();
		});
		page.on("pageerror", (error) => this.errors.push(String(error)));
		page.on("console", (message) => {
			if (message.type() === "error" || message.type() === "warning")
				this.errors.push(message.text());
		});
		page.on("request", (request) => {
			if (!allowed(request.url()))
				this.requests.push(request.url());
		});
		page.on("popup", (popup) => this.requests.push("popup " + popup.url()));
	}

	// Throws where there was any.
	check(what = "") {
		const all = { dialogs: this.dialogs, errors: this.errors, requests: this.requests };
		if (Object.values(all).some((list) => list.length > 0))
			throw new Error(`${what} ${JSON.stringify(all)}`);
	}
}

// A new page at `url`, in a context of its own. Settings: viewport {width, height}, color_scheme,
// allowed (predicate on URLs of requests; by default only `url` itself). Close it with close_page().
export async function open_page(url, settings = {}) {
	const context = await (await get_browser()).newContext({
		viewport: settings.viewport || { width: 1280, height: 800 },
		colorScheme: settings.color_scheme || "light",
	});
	const page = await context.newPage();
	const trouble = new Trouble();
	const bare = (text) => text.split(/[?#]/)[0];
	trouble.watch(page, settings.allowed || ((other) => bare(other) === bare(url) ||
		other.startsWith("data:") || other.startsWith("blob:")));
	await page.goto(url);
	return { page, trouble };
}

export async function close_page(page) {
	await page.context().close();
}

const media_types = {
	".css": "text/css", ".html": "text/html", ".js": "text/javascript",
	".json": "application/json", ".svg": "image/svg+xml", ".wasm": "application/wasm",
};

// Serves the files of a folder on loopback; returns {url, close()}.
export async function serve_folder(base) {
	const server = http.createServer((request, response) => {
		const name = decodeURIComponent(new URL(request.url, "http://x").pathname);
		const file = path.join(base, path.normalize(name));
		if (!fs.existsSync(file) || !fs.statSync(file).isFile()) {
			response.writeHead(404).end();
			return;
		}
		response.setHeader("Content-Type",
			media_types[path.extname(file)] || "application/octet-stream");
		fs.createReadStream(file).pipe(response);
	});
	await new Promise((done) => server.listen(0, "127.0.0.1", done));
	return {
		url: `http://127.0.0.1:${server.address().port}`,
		close: () => { server.closeAllConnections(); server.close(); },
	};
}

export async function clean_up() {
	if (browser !== null)
		await browser.close();
	fs.rmSync(folder, { recursive: true, force: true });
}
