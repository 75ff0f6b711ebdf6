/* SPDX-License-Identifier: MIT */
/* The line under a picture's title. */

#include "cli/subtitle.h"

#define MAX_RANGES 3

static void append_part(GString *text, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void append_part(GString *text, const char *format, ...)
{
	va_list args;

	if (text->len > 0)
		g_string_append(text, " \xc2\xb7 "); /* MIDDLE DOT */
	va_start(args, format);
	g_string_append_vprintf(text, format, args);
	va_end(args);
}

/* Milliseconds or finer only where they say something. */
static int wall_digits(int64_t begin_ns, int64_t end_ns)
{
	if (begin_ns % NS_PER_SECOND == 0 && end_ns % NS_PER_SECOND == 0)
		return 0;
	return begin_ns % NS_PER_MS == 0 && end_ns % NS_PER_MS == 0 ? 3 : 6;
}

/* The day is nowhere else in a picture. Without a range, when it began. */
static void append_wall(GString *text, const WallClock *wall, const TimeRange *range,
			int64_t start_ns)
{
	int64_t begin_ns = time_add(range != NULL ? range->begin_ns : start_ns, wall->offset_ns);
	int64_t end_ns = range != NULL ? time_add(range->end_ns, wall->offset_ns) : 0;
	int digits = range != NULL ? wall_digits(begin_ns, end_ns) : 0;
	g_autofree char *begin = wall_time_format(begin_ns, true, digits);
	g_autofree char *end = wall_time_format(end_ns, false, digits);

	if (wall->is_known && range != NULL)
		append_part(text, "%s..%s %s", begin, end, wall->zone);
	else if (wall->is_known)
		append_part(text, "%s %s", begin, wall->zone);
}

static void append_range(GString *text, const Selection *selection, TimeRange range)
{
	int64_t zero_ns = selection_zero_ns(selection);
	g_autofree char *begin = time_format_seconds(range.begin_ns - zero_ns);
	g_autofree char *end = time_format_seconds(range.end_ns - zero_ns);
	g_autofree char *clock_begin = time_format_seconds(range.begin_ns);
	g_autofree char *clock_end = time_format_seconds(range.end_ns);

	append_part(text, "%s..%s s (@%s..%s)", begin, end, clock_begin, clock_end);
}

static void append_times(GString *text, const Recording *recording)
{
	const Store *store = recording->store;
	const WallClock *wall = selection_wall(recording->selection);
	size_t n;
	const TimeRange *ranges = selection_ranges(recording->selection, &n);

	for (size_t i = 0; i < MIN(n, MAX_RANGES); i++) {
		append_range(text, recording->selection, ranges[i]);
		append_wall(text, wall, &ranges[i], 0);
	}
	if (n > MAX_RANGES)
		append_part(text, "and %" G_GSIZE_FORMAT " more ranges", n - MAX_RANGES);
	if (n == 0 && store->n_timed > 0)
		append_wall(text, wall, NULL, store_start_ns(store));
}

static void append_machine(GString *text, const Store *store)
{
	uint64_t hz = store_fact_count(store, "sample_freq");
	uint64_t cpus = store_fact_count(store, "nrcpus online");

	if (hz > 0)
		append_part(text, "%" G_GUINT64_FORMAT " Hz", hz);
	if (cpus > 0)
		append_part(text, "%" G_GUINT64_FORMAT " CPU%s", cpus, cpus == 1 ? "" : "s");
}

static void append_count(GString *text, uint64_t n, const char *what)
{
	g_autofree char *number = format_count(n);

	if (n > 0)
		append_part(text, "%s %s", number, what);
}

/* --- filters ----------------------------------------------------------------------------- */

static void add_words(GString *words, const char *name, const GPtrArray *values)
{
	for (guint i = 0; values != NULL && i < values->len; i++)
		g_string_append_printf(words, "%s%s %s", words->len > 0 ? ", " : "", name,
				       (const char *)g_ptr_array_index(values, i));
}

static void add_word(GString *words, const char *name, const char *value)
{
	if (value != NULL)
		g_string_append_printf(words, "%s%s %s", words->len > 0 ? ", " : "", name, value);
}

static void add_ids(GString *words, const char *name, const GArray *ids)
{
	for (guint i = 0; ids != NULL && i < ids->len; i++)
		g_string_append_printf(words, "%s%s %" G_GINT64_FORMAT, words->len > 0 ? ", " : "",
				       name, g_array_index(ids, gint64, i));
}

static char *filter_words(const Query *query)
{
	static const char *const idle[] = { NULL, "keep", "only" };
	GString *words = g_string_new(NULL);

	add_word(words, "every", query->every);
	add_word(words, "phase", query->phase);
	add_words(words, "process", query->process);
	add_words(words, "comm", query->comm);
	add_ids(words, "pid", query->pid);
	add_ids(words, "tid", query->tid);
	add_word(words, "cpu", query->cpu);
	add_words(words, "cgroup", query->cgroup);
	add_words(words, "match", query->match);
	add_words(words, "exclude", query->exclude);
	add_words(words, "root-at", query->root_at);
	add_word(words, "idle", idle[query->idle]);
	return g_string_free(words, FALSE);
}

char *subtitle_rules(const TreeRules *rules)
{
	GString *words = g_string_new(NULL);

	add_words(words, "focus", rules->focus);
	add_words(words, "hide", rules->hide);
	if (rules->collapse_recursion)
		g_string_append_printf(words, "%srecursion collapsed", words->len > 0 ? ", " : "");
	if (rules->max_depth > 0)
		g_string_append_printf(words, "%sat most %" G_GINT64_FORMAT " frames",
				       words->len > 0 ? ", " : "", rules->max_depth);
	return g_string_free(words, FALSE);
}

/* --- the whole --------------------------------------------------------------------------- */

static void append_samples(GString *text, const Recording *recording, const SelectionCounts *counts)
{
	/* A folded stack is many samples. */
	bool is_weighted = store_fact_count(recording->store, FACT_WEIGHTED) != 0;
	uint64_t n = is_weighted ? counts->weight : counts->samples;
	const char *unit = selection_unit(recording->selection);
	g_autofree char *samples = format_count(n);

	append_part(text, "%s sample%s", samples, n == 1 ? "" : "s");
	if (!g_str_equal(unit, "samples"))
		append_part(text, "weighed by %s", unit);
}

char *subtitle_new(const Recording *recording, const SelectionCounts *counts)
{
	g_autoptr(GString) text = g_string_new(NULL);
	const char *event = selection_event(recording->selection);
	g_autofree char *filters =
		recording->query != NULL ? filter_words(recording->query) : g_strdup("");

	append_times(text, recording);
	if (*event != '\0')
		append_part(text, "%s", event);
	append_machine(text, recording->store);
	append_samples(text, recording, counts);
	if (*filters != '\0')
		append_part(text, "%s", filters);
	append_count(text, counts->idle, "idle dropped");
	append_count(text, counts->idle_presumed, "presumed idle dropped");
	append_count(text, counts->filtered, "filtered out");
	append_count(text, counts->other_event, "of other events");
	append_count(text, store_fact_count(recording->store, FACT_LOST), "LOST while recording");
	return g_string_free(g_steal_pointer(&text), FALSE);
}
