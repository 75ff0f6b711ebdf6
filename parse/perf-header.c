/* SPDX-License-Identifier: MIT */
/* Facts of the header, each kept under perf's own name; the first file's stay. */

#include "parse/perf-header.h"

#include <glib.h>

#include "store/wall-clock.h"

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

/* `seconds.decimals` of any length up to nanoseconds, at the start of `text`. */
static bool read_seconds(Text text, int64_t *ns)
{
	int64_t whole = 0, part = 0, unit = NS_PER_SECOND;
	bool has_point = false;
	size_t i = 0;

	for (; i < text.len && (g_ascii_isdigit(text.data[i]) || text.data[i] == '.'); i++) {
		if (text.data[i] == '.') {
			has_point = true;
		} else if (has_point) {
			unit /= 10;
			part += (text.data[i] - '0') * unit;
		} else if (whole < 4000000000) {
			whole = whole * 10 + (text.data[i] - '0');
		}
	}
	if (i == 0 || whole >= 4000000000)
		return false;
	*ns = whole * NS_PER_SECOND + part;
	return true;
}

static void offer_offset(StoreBuilder *builder, const char *key, int64_t offset_ns)
{
	g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, offset_ns);

	store_builder_offer_fact(builder, key, text_from(text));
}

/* `2026-11-21 05:50:46.742135 = 1795236646.742135 (TOD) = 5911.676088584 (monotonic)`: the moment
 * in the zone of who printed it, since 1970 in UTC, and on the recording's clock. */
static void take_reference(Text value, StoreBuilder *builder)
{
	ptrdiff_t utc_at = text_find(value, " = "), clock_at = text_find(value, " (TOD) = ");
	int64_t local, utc, clock;
	bool has_date;

	if (utc_at < 0 || clock_at < utc_at ||
	    !wall_time_read((Text){ value.data, (size_t)utc_at }, &local, &has_date) ||
	    !read_seconds(text_skip(value, (size_t)utc_at + strlen(" = ")), &utc) ||
	    !read_seconds(text_skip(value, (size_t)clock_at + strlen(" (TOD) = ")), &clock))
		return;
	offer_offset(builder, FACT_WALL_UTC, utc - clock);
	offer_offset(builder, FACT_WALL_LOCAL, local - clock);
	store_builder_offer_fact(builder, FACT_WALL_SOURCE, TEXT("reference time"));
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
	if (text_equal(key, TEXT("reference time")))
		take_reference(value, builder);
	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
		if (text_equal(key, text_from(keys[i])))
			store_builder_offer_fact(builder, keys[i], value);
}

bool perf_header_take(PerfHeader *self, Text line)
{
	if (text_equal(trim(line), TEXT("# ========"))) {
		self->is_open = !self->is_open;
		return true;
	}
	return self->is_open;
}
