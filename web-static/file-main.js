// SPDX-License-Identifier: MIT
// The page as a file with its data inside.

import { App } from "./app.js";
import { by_id } from "./dom.js";
import { open_file } from "./file-source.js";

async function start() {
	const data = by_id("data");
	const source = await open_file(data.textContent);
	data.remove();
	document.documentElement.classList.add("is-file");
	new App(source).start();
}

start();
