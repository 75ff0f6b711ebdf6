// SPDX-License-Identifier: MIT
// The server under test for browser tests.

import { spawn } from "node:child_process";
import path from "node:path";
import process from "node:process";

import { folder, program } from "./harness.mjs";

// {url, origin, token, stop()} of `flamebeat serve ARGS`.
export async function serve(...args) {
	const child = spawn(program, ["serve", ...args], {
		env: { ...process.env, XDG_CACHE_HOME: path.join(folder, "cache") }, stdio: ["ignore", "pipe", "pipe"],
	});
	let errors = "";
	child.stderr.on("data", (data) => { errors += data; });
	const url = await new Promise((done, fail) => {
		child.stdout.once("data", (data) => done(String(data).trim()));
		child.once("exit", (status) => fail(new Error(`serve ended with ${status}: ${errors}`)));
	});
	const stop = () => new Promise((done, fail) => {
		child.removeAllListeners("exit");
		child.once("exit", (status) => (status === 0 ? done() : fail(new Error(`serve ended with ${status}: ${errors}`))));
		child.kill("SIGINT");
	});
	return { url, origin: url.split("/#")[0], token: url.split("t=")[1], stop };
}
