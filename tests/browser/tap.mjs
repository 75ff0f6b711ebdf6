// SPDX-License-Identifier: MIT
// Tests in JavaScript that print TAP, which meson reads. A test is a function that throws where
// something is wrong; `skip("why")` within it skips it.

import process from "node:process";

const tests = [];

class Skip extends Error {}

export function test(name, run) {
	tests.push({ name, run });
}

export function skip(reason) {
	throw new Skip(reason);
}

function comment(text) {
	for (const line of String(text).split("\n"))
		console.log("# " + line);
}

async function run_one(number, { name, run }) {
	try {
		const start = Date.now();
		await run();
		console.log(`ok ${number} ${name}`);
		if (Date.now() - start > 5000)
			console.log(`# took ${((Date.now() - start) / 1000).toFixed(1)} s`);
		return true;
	} catch (error) {
		if (error instanceof Skip) {
			console.log(`ok ${number} ${name} # SKIP ${error.message}`);
			return true;
		}
		console.log(`not ok ${number} ${name}`);
		comment(error.stack || error);
		return false;
	}
}

// Runs the tests whose name holds the word on the command line (all without one), then `clean_up`.
export async function run_tests(clean_up = async () => {}) {
	const word = process.argv[2] || "";
	const chosen = tests.filter(({ name }) => name.includes(word));
	let all_ok = true;
	console.log(`1..${chosen.length}`);
	for (let i = 0; i < chosen.length; i++)
		all_ok = await run_one(i + 1, chosen[i]) && all_ok;
	await clean_up();
	process.exit(all_ok ? 0 : 1);
}
