/* SPDX-License-Identifier: MIT */
/* Which events count: by name without PMU and modifiers, by default that of the earliest sample. */

#include "store/selection-private.h"

#include "store/error.h"

/* The event's name without its PMU and modifiers: `cycles` of `cycles:P`, `cpu_core/cycles/u`. */
static Text event_base(Text name)
{
	const char *slash = name.len > 0 ? memchr(name.data, '/', name.len) : NULL;
	const char *colon = name.len > 0 ? memrchr(name.data, ':', name.len) : NULL;
	size_t end = 0;

	if (slash != NULL) {
		Text inner = text_skip(name, (size_t)(slash + 1 - name.data));

		while (end < inner.len && strchr("/,=", inner.data[end]) == NULL)
			end++;
		/* `cpu-clock/freq=100/`: what stands within are settings, and no name. */
		if (end < inner.len && inner.data[end] == '=')
			return (Text){ name.data, (size_t)(slash - name.data) };
		return (Text){ inner.data, end };
	}
	if (colon == NULL)
		return name;
	for (const char *c = colon + 1; c < name.data + name.len; c++)
		if (*c == '\0' || strchr("ukhpPGHISDWeb", *c) == NULL)
			return name;
	return (Text){ name.data, (size_t)(colon - name.data) };
}

static bool is_dummy(Text name)
{
	return text_starts(name, "dummy");
}

/* The default: the event of the earliest sample, with its twin on a hybrid machine. */
static void choose_default_event(Selection *self)
{
	const Store *store = self->store;
	uint32_t chosen = 0, n = store_n_events(store);
	Text name;

	while (chosen + 1 < n && is_dummy(store_event_name(store, chosen)))
		chosen++;
	if (n == 0)
		return;
	name = store_event_name(store, chosen);
	for (uint32_t i = 0; i < n; i++) {
		Text other = store_event_name(store, i);

		self->is_event_chosen[i] =
			i == chosen || (text_starts(name, "cpu_") && text_starts(other, "cpu_") &&
					text_equal(event_base(name), event_base(other)));
	}
	self->event_name = g_strndup(name.data, name.len);
}

static bool fail_event(const Selection *self, const char *wanted, GError **error)
{
	g_autoptr(GString) known = g_string_new(NULL);

	for (uint32_t i = 0; i < store_n_events(self->store); i++) {
		Text name = store_event_name(self->store, i);
		g_string_append_printf(known, "%s%.*s", i > 0 ? ", " : "", (int)name.len,
				       name.data);
	}
	return fail(error, FLAMEBEAT_ERROR_USAGE,
		    "--event: no event '%s' in this recording; it has: %s (or `all`)", wanted,
		    known->len > 0 ? known->str : "none");
}

static bool choose_named_event(Selection *self, const char *wanted, GError **error)
{
	Text text = text_from(wanted);
	bool is_all = g_str_equal(wanted, "all"), has_any = false;

	for (uint32_t i = 0; i < store_n_events(self->store); i++) {
		Text name = store_event_name(self->store, i);

		self->is_event_chosen[i] =
			is_all || text_equal(name, text) || text_equal(event_base(name), text);
		has_any = has_any || self->is_event_chosen[i];
	}
	self->event_name = is_all ? g_strdup("all events") : g_strdup(wanted);
	return has_any || is_all || fail_event(self, wanted, error);
}

#define MAX_NAMED_EVENTS 8

/* What was left out by default is said, with its size. */
static void note_other_events(const Selection *self, Notes *notes)
{
	g_autoptr(GString) others = g_string_new(NULL);
	uint32_t n_others = 0;

	for (uint32_t i = 0; i < store_n_events(self->store); i++) {
		Text name = store_event_name(self->store, i);
		g_autofree char *key = g_strdup_printf(FACT_EVENT_SAMPLES "%u", i);
		uint64_t n = store_fact_count(self->store, key);

		if (self->is_event_chosen[i] || ++n_others > MAX_NAMED_EVENTS)
			continue;
		g_string_append_printf(others, "%s%.*s (%" G_GUINT64_FORMAT " sample%s)",
				       others->len > 0 ? ", " : "", (int)name.len, name.data, n,
				       plural(n));
	}
	if (n_others > MAX_NAMED_EVENTS)
		g_string_append_printf(others, " and %u more", n_others - MAX_NAMED_EVENTS);
	if (others->len > 0)
		notes_add(notes, "counting event '%s'; also there: %s (--event NAME, or all)",
			  self->event_name, others->str);
}

bool selection_choose_events(Selection *self, const Query *query, Notes *notes, GError **error)
{
	self->is_event_chosen = g_new0(bool, (gsize)store_n_events(self->store) + 1);
	if (query->event != NULL)
		return choose_named_event(self, query->event, error);
	choose_default_event(self);
	if (self->event_name == NULL)
		self->event_name = g_strdup("");
	note_other_events(self, notes);
	return true;
}
