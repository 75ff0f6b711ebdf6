/* SPDX-License-Identifier: MIT */
/*
 * Words of the command line. Each line is `NAME=VALUE`: an option of query_options or
 * load_options. All of them together are made out against a small recording, and every value is
 * read as all the kinds of time there are as well.
 */

#include <string.h>

#include "parse/load.h"
#include "slice/call-tree.h"
#include "store/query.h"
#include "store/selection.h"
#include "store/time-range.h"
#include "store/wall-clock.h"
#include "tests/fuzz/fuzz.h"

/* Few and short names: how long a regular expression takes is up to who wrote it. */
static const char recording[] =
	"# reference time: 2026-11-21 14:03:22.500000 = 1795269802.500000 (TOD) = 99.5 "
	"(monotonic)\n"
	"a b  7/8 [000]   100.250000:  10 cycles:u: \n"
	"\t  1234 main+0x1 (/bin/a)\n\t  5678 f(int)+0x2 (/bin/a)\n\n"
	"java  9/9 [003]   101.500001:  20 cycles:u: \n\t  99 [unknown] (/lib/b.so)\n\n"
	"swapper  0/0 [001]   101.750000:  30 cycles:u: \n\tffff1 default_idle+0x3 ([kernel])\n\n"
	"a b  7/8 [000]   103.999999:  40 faults: \n\t  1234 main+0x1 (/bin/a)\n\n";

static Store *fixture(void)
{
	static Store *store;
	LoadSettings settings = { 0 };

	if (store == NULL) {
		const char *path = fuzz_file(1, (const uint8_t *)recording, sizeof(recording) - 1);
		char *paths[] = { (char *)path, NULL };

		store = load_recording(paths, &settings, NULL, NULL);
		g_assert_true(store != NULL && store->n_samples == 4);
	}
	return store;
}

/* --- times ------------------------------------------------------------------------------- */

static const TimeFrame frames[] = {
	{ .zero_ns = 100 * NS_PER_SECOND,
	  .start_ns = 100 * NS_PER_SECOND,
	  .end_ns = 160 * NS_PER_SECOND },
	{ .zero_ns = 0, .start_ns = 0, .end_ns = 0 },
	{ .zero_ns = 100 * NS_PER_SECOND,
	  .start_ns = 100 * NS_PER_SECOND,
	  .end_ns = 172900 * NS_PER_SECOND,
	  .has_wall = true,
	  .wall_offset_ns = 1795269702 * NS_PER_SECOND },
	{ .zero_ns = INT64_MAX - INT64_MAX % NS_PER_SECOND,
	  .start_ns = INT64_MAX - 5,
	  .end_ns = INT64_MAX },
};

static void try_ranges(const char *text, const TimeFrame *frame)
{
	TimeRange range, copies[3];
	bool is_reversed;
	int64_t ns;
	GError *error = NULL;

	fuzz_check(time_moment_parse(text, frame, &ns, &error), error);
	error = NULL;
	if (!fuzz_check(time_range_parse(text, frame, &range, &is_reversed, &error), error))
		return;
	g_assert_true(range.begin_ns <= range.end_ns);
	copies[0] = range;
	copies[1] = (TimeRange){ frame->zero_ns, frame->end_ns };
	copies[2] = range;
	for (size_t i = 0, n = time_ranges_normalize(copies, 3); i < n; i++)
		g_assert_true(copies[i].begin_ns < copies[i].end_ns &&
			      (i == 0 || copies[i - 1].end_ns < copies[i].begin_ns));
}

static void try_phases(const char *text)
{
	static const int64_t periods[] = { 1, 1000, 1300 * NS_PER_MS, INT64_MAX / 8 };

	for (size_t i = 0; i < G_N_ELEMENTS(periods); i++) {
		int64_t begin_ns, end_ns;
		GError *error = NULL;
		bool ok = phase_parse(text, periods[i], &begin_ns, &end_ns, &error);

		if (fuzz_check(ok, error))
			g_assert_true(begin_ns >= 0 && begin_ns <= periods[i] && end_ns >= 0 &&
				      end_ns <= periods[i]);
	}
}

/* A duration printed as seconds is the same duration. */
static void try_durations(const char *text)
{
	int64_t ns, again;
	GError *error = NULL;
	g_autofree char *seconds = NULL;

	if (!fuzz_check(duration_parse(text, &ns, &error), error))
		return;
	g_assert_true(ns >= 0);
	seconds = time_format_seconds(ns);
	if (ns <= INT64_MAX / 4)
		g_assert_true(duration_parse(seconds, &again, NULL) && again == ns);
}

static void try_clocks(const char *text)
{
	bool has_date;
	int64_t ns;
	g_autofree char *shown = NULL;

	utc_offset_read(text_from(text), &ns);
	if (!wall_time_read(text_from(text), &ns, &has_date))
		return;
	shown = wall_time_format(ns, has_date, 9);
	g_assert_true(g_utf8_validate(shown, -1, NULL));
}

static void try_times(const char *text)
{
	for (size_t i = 0; i < G_N_ELEMENTS(frames); i++)
		try_ranges(text, &frames[i]);
	try_phases(text);
	try_durations(text);
	try_clocks(text);
}

/* --- options ----------------------------------------------------------------------------- */

/* Whether `rows` has the option; what it thinks of the value is its own affair. */
static bool try_row(const OptionRow *rows, void *settings, const char *name, const char *value)
{
	GError *error = NULL;

	while (rows->name != NULL && !g_str_equal(rows->name, name))
		rows++;
	if (rows->name != NULL)
		fuzz_check(rows->set(settings, value, &error), error);
	return rows->name != NULL;
}

static void try_line(char *line, Query *query, LoadSettings *load)
{
	char *value = strchr(line, '=');

	if (value == NULL) {
		try_times(line);
		return;
	}
	*value++ = '\0';
	if (!try_row(query_options, query, line, value))
		try_row(load_options, load, line, value);
	try_times(value);
}

/* The options against the recording. */
static void try_query(const Query *query)
{
	const Store *store = fixture();
	CallTreeSettings settings = { .group_by = GROUP_BY_POOL, .names = query->names };
	GError *error = NULL;
	g_autoptr(Notes) notes = notes_new();
	g_autoptr(Selection) selection = selection_new(store, query, notes, &error);
	g_autoptr(CallTree) tree = NULL;

	if (!fuzz_check(selection != NULL, error))
		return;
	tree = call_tree_new(store, selection, &settings, &error);
	g_assert_true(fuzz_check(tree != NULL, error));
	g_assert_true(tree->counts.seen <= store->n_samples);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *text = g_strndup((const char *)data, size);
	g_auto(GStrv) lines = g_strsplit(text, "\n", 32);
	LoadSettings load = { 0 };
	g_auto(Query) query = { 0 };

	query_init(&query);
	for (char **line = lines; *line != NULL; line++)
		try_line(*line, &query, &load);
	try_query(&query);
	load_settings_clear(&load);
	return 0;
}
