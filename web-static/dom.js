// SPDX-License-Identifier: MIT
// Making elements. Text is only ever text: nothing here, or anywhere in the page, parses markup.

// element("button", { class: "x", onclick: f }, "text", child, …)
export function element(tag, attributes = {}, ...children) {
	const made = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (name.startsWith("on"))
			made.addEventListener(name.slice(2), value);
		else if (value === true)
			made.setAttribute(name, "");
		else if (value !== false && value !== undefined && value !== null)
			made.setAttribute(name, value);
	}
	made.append(...children.filter((child) => child !== null && child !== undefined));
	return made;
}

export const by_id = (id) => document.getElementById(id);

export const format_count = (n) => Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, ",");

export function format_share(part, whole) {
	if (!(whole > 0))
		return "0 %";
	const percent = 100 * part / whole;
	return (percent >= 99.95 ? Math.round(percent) : percent >= 10 ? percent.toFixed(1)
		: percent >= 0.1 || percent === 0 ? percent.toFixed(2) : percent.toPrecision(1)) + " %";
}

// A label and a select; `options` are [value, text] or texts.
export function make_select(label, options, value, on_change) {
	const select = element("select", { "aria-label": label, onchange: () => on_change(select.value) });
	for (const option of options) {
		const [key, text] = Array.isArray(option) ? option : [option, option];
		select.append(element("option", { value: key }, text));
	}
	select.value = value;
	return element("label", { class: "field" }, label, select);
}

// A label and a text field; `on_change` says what is wrong with the value, or nothing.
export function make_input(label, value, on_change, attributes = {}) {
	const input = element("input", {
		value, "aria-label": label, spellcheck: "false", autocomplete: "off", ...attributes,
		onchange: () => {
			const trouble = on_change(input.value.trim());
			input.classList.toggle("bad", Boolean(trouble));
			input.title = trouble || attributes.title || "";
		},
	});
	return element("label", { class: "field" }, label, input);
}

export function make_toggle(label, is_on, on_change, attributes = {}) {
	const button = element("button", {
		...attributes, "aria-pressed": String(is_on), onclick: () => {
			const now = button.getAttribute("aria-pressed") !== "true";
			button.setAttribute("aria-pressed", String(now));
			on_change(now);
		},
	}, label);
	return button;
}

let toast_timer = 0;

export function show_toast(text, ms = 6000) {
	const toast = by_id("toast");
	toast.textContent = text;
	toast.hidden = false;
	clearTimeout(toast_timer);
	toast_timer = setTimeout(() => { toast.hidden = true; }, ms);
}

export async function copy_text(text) {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		const area = element("textarea", {}, text);
		document.body.append(area);
		area.select();
		document.execCommand("copy");
		area.remove();
	}
	show_toast("Copied: " + text, 4000);
}

export function save_blob(blob, name) {
	const url = URL.createObjectURL(blob);
	element("a", { href: url, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(url), 10000);
}
