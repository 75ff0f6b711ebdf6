// SPDX-License-Identifier: MIT
// Where the page's data comes from: the server it was loaded from. The token arrives in the
// address, is kept for this tab alone, and leaves the address at once.

import { parse_exact } from "./grid.js";

const TOKEN_KEY = "flamebeat-token";

// "#t=TOKEN&r=…" -> the rest, with the token put away.
export function take_token(location, storage, history) {
	const query = new URLSearchParams(location.hash.replace(/^#/, ""));
	const token = query.get("t");
	if (token !== null) {
		storage.setItem(TOKEN_KEY, token);
		query.delete("t");
		const rest = query.toString();
		history.replaceState(null, "", location.pathname + (rest ? "#" + rest : ""));
	}
	return storage.getItem(TOKEN_KEY);
}

export class RequestError extends Error {
	constructor(status, message) {
		super(message);
		this.status = status;
	}
}

async function error_of(response) {
	if (response.status === 403)
		return "This tab has no (or an old) token: open the address that `flamebeat serve` printed.";
	try {
		return (await response.json()).error;
	} catch {
		return `The server answered ${response.status}.`;
	}
}

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

export class ServerSource {
	constructor(token) {
		this.token = token;
		this.is_file = false;
		this.commands = []; // that the program has; known with the recordings
	}

	async request(path, signal) {
		let response;
		try {
			response = await fetch(path, { headers: { "X-Token": this.token || "" }, signal });
		} catch (error) {
			if (error.name === "AbortError")
				throw error;
			throw new RequestError(0, "The server does not answer: is `flamebeat serve` still running?");
		}
		if (response.status >= 400)
			throw new RequestError(response.status, await error_of(response));
		return response;
	}

	async recordings() {
		const list = await (await this.request("/api/v1/recordings")).json();
		this.commands = list.commands;
		return list.recordings;
	}

	// The response of a command on recording `id`, once the recording has been read.
	async command(id, command, pairs, { signal, on_reading } = {}) {
		const query = new URLSearchParams(pairs).toString();
		const path = `/api/v1/recordings/${encodeURIComponent(id)}/${command}${query ? "?" + query : ""}`;
		for (;;) {
			const response = await this.request(path, signal);
			if (response.status !== 202)
				return response;
			on_reading?.();
			await wait(200);
		}
	}

	async json(id, command, pairs, options) {
		const response = await this.command(id, command, pairs, options);
		const notes = decodeURIComponent(response.headers.get("Flamebeat-Notes") || "");
		return { json: parse_exact(await response.text()), notes: notes ? notes.split("\n") : [] };
	}
}

// One question at a time, the newest last: while one is under way only the latest other is kept.
// `show` gets the answers in the order asked; what was overtaken is never asked.
export class Latest {
	// `on_busy`: told whether something is under way.
	constructor(ask, show, fail, on_busy = () => {}) {
		Object.assign(this, { ask, show, fail, on_busy, current: null, waiting: null });
	}

	get is_busy() {
		return this.current !== null;
	}

	// `is_final`: nothing follows for now, so what is under way for something else is given up.
	want(question, is_final = false) {
		if (this.current === null)
			return this.begin(question);
		this.waiting = question;
		if (is_final)
			this.current.abort();
	}

	async begin(question) {
		const abort = new AbortController();
		this.current = abort;
		this.on_busy(true);
		try {
			const answer = await this.ask(question, abort.signal);
			if (!abort.signal.aborted)
				this.show(answer, question, this.waiting !== null);
		} catch (error) {
			if (error.name !== "AbortError")
				this.fail(error, question);
		}
		this.current = null;
		const next = this.waiting;
		this.waiting = null;
		if (next !== null)
			this.begin(next);
		else
			this.on_busy(false);
	}
}
