// SPDX-License-Identifier: MIT
// Spikes and periods that the program found: marks on the heat map, and buttons that select them.

import { by_id, element, format_count } from "./dom.js";
import { filter_keys, pairs_of } from "./state.js";
import { format_rough } from "./time.js";

// Spikes and periods, where the program finds them; the page does without where it does not. They
// are asked for one after the other once the heat map is there, so that it never waits for them.
export async function load_findings(app) {
	const id = app.recording.id;
	const ask = async (command) => (!app.source.commands.includes(command) ? [] : app.source.json(id, command, [["json", "1"], ...pairs_of(app.state, filter_keys)])
		.then(({ json }) => json[command], () => []));
	if (!app.is_timed)
		return;
	const spikes = await ask("spikes"), periods = await ask("periods");
	if (app.recording === null || app.recording.id !== id)
		return;
	app.findings = { spikes, periods };
	app.view.marks = spikes.map((spike) => ({ begin: spike.start_ns, end: spike.end_ns }));
	app.refill_selection();
	app.view.draw();
}

export function find_buttons(app) {
	const { spikes = [], periods = [] } = app.findings || {};
	const buttons = [];
	if (periods.length > 0)
		buttons.push(...periods.slice(0, 3).map((period) => element("button", { class: "finding", title: period_title(period),
			onclick: () => app.change({ range: [], ...period_patch(period) }) }, `every ${format_rough(period.period_ns)}`)));
	if (spikes.length > 0)
		buttons.push(element("span", { class: "dim" }, `${format_count(spikes.length)} spikes`),
			element("button", { title: "Previous spike (p)", "aria-label": "Previous spike", onclick: () => step_spike(app, -1) }, "◂"),
			element("button", { title: "Next spike (n)", "aria-label": "Next spike", onclick: () => step_spike(app, 1) }, "▸"));
	return buttons.length > 0 ? [element("span", { class: "group push" }, ...buttons)] : [];
}

function period_title({ pool, function: name, excess_samples }) {
	return [pool, name, excess_samples !== undefined ? `${format_count(excess_samples)} samples more than its surroundings` : ""].filter(Boolean).join("\n");
}

function period_patch(period) {
	return { every: period.every, phase: period.phase_range };
}

export function step_spike(app, step) {
	const spikes = app.findings?.spikes || [];
	if (spikes.length === 0)
		return;
	const at = app.selection.ranges[0]?.begin ?? -Infinity;
	const next = step > 0 ? spikes.findIndex((spike) => spike.start_ns > at) : spikes.findLastIndex((spike) => spike.start_ns < at);
	const spike = spikes[next >= 0 ? next : step > 0 ? 0 : spikes.length - 1];
	app.change({ range: [spike.range], every: "", phase: "" });
	app.reveal(spike.start_ns);
	by_id("hover").textContent = `Spike: ${spike.range} s, ${format_count(spike.excess_samples)} samples more than around it, ${[spike.pool, spike.function].filter(Boolean).join(", ")}`;
}
