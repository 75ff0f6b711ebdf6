// SPDX-License-Identifier: MIT
// The style sheet's colours for what is drawn on canvases, light or dark as the system says.

export const dark_query = window.matchMedia("(prefers-color-scheme: dark)");

const rgb_of = (text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));

export function read_colours() {
	const style = getComputedStyle(document.documentElement);
	const get = (name) => style.getPropertyValue("--" + name).trim();
	const is_dark = dark_query.matches;
	return {
		is_dark,
		text: get("text"),
		text_dim: get("dim"),
		selection: get("selection"),
		baseline: get("baseline"),
		mark: get("mark"),
		hole: get("hole"),
		hatch: get("hatch"),
		empty: rgb_of(get("empty")),
		gap: rgb_of(get("gap")),
		other: rgb_of(get("other")),
		bar: is_dark ? "#7d8087" : "#a9a8a2",
		shade: is_dark ? "#131417b0" : "#f4f4f1b8",
	};
}
