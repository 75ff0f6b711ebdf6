/* SPDX-License-Identifier: MIT */
/* Facts of the header, each kept under perf's own name; the first file's stay. */

#include "parse/perf-header.h"

#include <glib.h>

/* The facts that are kept; everything else in the header is let go. */
static const char *const keys[] = {
	"captured on",	   "hostname",	     "os release", "perf version",     "arch",
	"nrcpus online",   "nrcpus avail",   "cpudesc",	   "total memory",     "cmdline",
	"sample duration", "reference time", "clockid",	   "missing features",
};

static Text trim(Text text)
{
	while (text.len > 0 && g_ascii_isspace(text.data[0]))
		text = text_skip(text, 1);
	while (text.len > 0 && g_ascii_isspace(text.data[text.len - 1]))
		text.len--;
	return text;
}

/* `freq = 1` beside `{ sample_period, sample_freq } = 99` says which of the two it is. */
static void take_event(Text value, StoreBuilder *builder)
{
	static const char mark[] = "{ sample_period, sample_freq } = ";
	ptrdiff_t at = text_find(value, mark);
	g_autofree char *number = NULL;
	guint64 n;

	if (at < 0)
		return;
	value = text_skip(value, (size_t)at + strlen(mark));
	number = g_strndup(value.data, MIN(value.len, 20));
	n = g_ascii_strtoull(number, NULL, 10);
	store_builder_set_count(
		builder,
		text_find(value, "freq = 1") >= 0 ? FACT_SAMPLE_FREQUENCY : FACT_SAMPLE_PERIOD, n);
}

void perf_header_comment(Text line, StoreBuilder *builder)
{
	Text text = text_skip(line, 1);
	const char *colon = memchr(text.data, ':', text.len);
	Text key, value;

	if (colon == NULL)
		return;
	key = trim((Text){ text.data, (size_t)(colon - text.data) });
	value = trim(text_skip(text, (size_t)(colon + 1 - text.data)));
	if (text_equal(key, TEXT("event")) && !text_starts(value, "name = dummy"))
		take_event(value, builder);
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
		if (text_equal(key, text_from(keys[i])))
			store_builder_offer_fact(builder, keys[i], value);
}

bool perf_header_take(PerfHeader *self, Text line, StoreBuilder *builder)
{
	if (text_starts(line, "# ========")) {
		self->is_open = !self->is_open;
		return true;
	}
	if (self->is_open && text_starts(line, "#"))
		perf_header_comment(line, builder);
	return self->is_open;
}
