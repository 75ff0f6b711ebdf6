/* SPDX-License-Identifier: MIT */
/*
 * The words for times (contract, "Time"): durations, ranges, moments, phases, and back to text.
 */

#include "store/time-range.h"

#include "store/error.h"

#define S  NS_PER_SECOND
#define MS NS_PER_MS

/* The clock of a recording made long after boot: its zero is a whole second. */
#define ZERO  (184694 * S)
#define START (ZERO + 229109 * 1000)
#define END   (ZERO + 100 * S + 1)

static const TimeFrame frame = { .zero_ns = ZERO, .start_ns = START, .end_ns = END };

static void check_usage(const GError *error)
{
	g_assert_error(error, FLAMEBEAT_ERROR, FLAMEBEAT_ERROR_USAGE);
}

/* --- durations --------------------------------------------------------------------------- */

static void check_duration(const char *text, int64_t expected)
{
	g_autoptr(GError) error = NULL;
	int64_t ns = -1;

	if (!duration_parse(text, &ns, &error))
		g_error("'%s': %s", text, error->message);
	g_assert_cmpint(ns, ==, expected);
}

static void check_no_duration(const char *text)
{
	g_autoptr(GError) error = NULL;
	int64_t ns;

	if (duration_parse(text, &ns, &error))
		g_error("'%s' was taken as %" G_GINT64_FORMAT " ns", text, ns);
	check_usage(error);
	g_assert_nonnull(strstr(error->message, text));
}

static void test_durations(void)
{
	check_duration("12.34", 12340 * MS);
	check_duration("0", 0);
	check_duration("1.3", 1300 * MS);
	check_duration("1.3s", 1300 * MS);
	check_duration(".5", 500 * MS);
	check_duration("1500ms", 1500 * MS);
	check_duration("20us", 20000);
	check_duration("2m", 120 * S);
	check_duration("1h20m", 4800 * S);
	check_duration("1h20m3.5s", 4803 * S + 500 * MS);
	check_duration("1.5h", 5400 * S);
	check_duration("0.5ms", 500000);
	check_duration("007", 7 * S);
}

/* No digit that a nanosecond holds is lost, as it would be in a double. */
static void test_exact(void)
{
	check_duration("4794564.109216123", 4794564109216123);
	check_duration("0.000000001", 1);
	check_duration("9007199.254740993", 9007199254740993); /* 2^53 + 1 */
	check_duration("0.1", 100 * MS);
	check_duration("0.7ms", 700000);
	check_duration("1.00000000000000000000000000000000000000000000", S);
	check_duration("0.9999999999999999999999999999999", 999999999); /* rounded down */
}

static void test_no_durations(void)
{
	static const char *const texts[] = { "",     " ",    "s",     "ms",   "-1",	"+1",
					     "1 s",  " 1",   "1 ",    "1x",   "1ss",	"1s2",
					     "1h20", "1,5",  "1e3",   "0x10", "nan",	"inf",
					     ".",    "1..2", "1.2.3", "1s-",  "@1",	"12:30",
					     "10%",  "--1",  "1.5.",  "1m ",  "1h 20m", "1\xff",
					     "1h-2m" };

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		check_no_duration(texts[i]);
}

static void test_huge_durations(void)
{
	static const char *const texts[] = {
		"99999999999999999999",
		"9999999999999999999999999999999999999999999999999999999999999999999",
		"9223372037",	      /* one more second than 2^63 ns hold */
		"18446744073.709551", /* (u64)-1 */
		"9223372036854775808ns",
		"300000d",
		"200000000m200000000m", /* each part would do */
		"2000000h2000000h",
		"2000000000s2000000000s2000000000s2000000000s2000000000s",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		check_no_duration(texts[i]);
	check_duration("2000000000", 2000000000 * S); /* 63 years */
}

/* --- ranges ------------------------------------------------------------------------------ */

static void check_range_in(const TimeFrame *where, const char *text, int64_t begin, int64_t end,
			   bool expect_reversed)
{
	g_autoptr(GError) error = NULL;
	TimeRange range;
	bool is_reversed = !expect_reversed;

	if (!time_range_parse(text, where, &range, &is_reversed, &error))
		g_error("'%s': %s", text, error->message);
	g_test_message("%s", text);
	g_assert_cmpint(range.begin_ns, ==, begin);
	g_assert_cmpint(range.end_ns, ==, end);
	g_assert_cmpint(is_reversed, ==, expect_reversed);
}

static void check_range(const char *text, int64_t begin, int64_t end)
{
	check_range_in(&frame, text, begin, end, false);
}

static void test_ranges(void)
{
	check_range("12.40..12.62", ZERO + 12400 * MS, ZERO + 12620 * MS);
	check_range("1500ms..2s", ZERO + 1500 * MS, ZERO + 2 * S);
	check_range("20us..1h20m", ZERO + 20000, ZERO + 4800 * S);
	check_range("0..1", ZERO, ZERO + S);
	check_range("5..5", ZERO + 5 * S, ZERO + 5 * S);
}

static void test_open_ends(void)
{
	check_range("..", START, END);
	check_range("5..", ZERO + 5 * S, END);
	check_range("..5", START, ZERO + 5 * S);
	check_range("@..", START, END);
	check_range("@..184695", START, 184695 * S);
}

static void test_lengths(void)
{
	check_range("12.4+220ms", ZERO + 12400 * MS, ZERO + 12620 * MS);
	check_range("1+2", ZERO + S, ZERO + 3 * S);
	check_range("1m+1h20m", ZERO + 60 * S, ZERO + 4860 * S);
	check_range("1+0", ZERO + S, ZERO + S);
	check_range("-3+1", END - 3 * S, END - 2 * S);
}

/* One past the last sample, so that `-3..` holds the last sample. */
static void test_from_the_end(void)
{
	check_range("-3..", END - 3 * S, END);
	check_range("-3..-1", END - 3 * S, END - S);
	check_range("..-1", START, END - S);
	check_range("-500ms..", END - 500 * MS, END);
	check_range("-1m20s..-2", END - 80 * S, END - 2 * S);
	check_range("5..-5", ZERO + 5 * S, END - 5 * S);
	check_range("-1000..1", END - 1000 * S, ZERO + S);
}

/* `@` is for both ends. */
static void test_recording_clock(void)
{
	check_range("@184694.229109..184695", 184694229109000, 184695 * S);
	check_range("@184694.229109123..", 184694229109123, END);
	check_range("@184694+1.5", 184694 * S, 184695 * S + 500 * MS);
	check_range("@0..1", 0, S);
}

static void test_reversed(void)
{
	check_range_in(&frame, "5..2", ZERO + 2 * S, ZERO + 5 * S, true);
	check_range_in(&frame, "-1..-3", END - 3 * S, END - S, true);
	check_range_in(&frame, "@184700..184695", 184695 * S, 184700 * S, true);
}

static void test_chosen_zero(void)
{
	const TimeFrame first = { .zero_ns = START, .start_ns = START, .end_ns = END };
	const TimeFrame later = { .zero_ns = ZERO + 10 * S, .start_ns = START, .end_ns = END };

	check_range_in(&first, "0..1", START, START + S, false);
	check_range_in(&later, "0..1", ZERO + 10 * S, ZERO + 11 * S, false);
	check_range_in(&later, "-3..", END - 3 * S, END, false);
	check_range_in(&later, "@184694..184695", 184694 * S, 184695 * S, false);
}

static void check_no_range(const char *text)
{
	g_autoptr(GError) error = NULL;
	TimeRange range;
	bool is_reversed;

	if (time_range_parse(text, &frame, &range, &is_reversed, &error))
		g_error("'%s' was taken as a range", text);
	check_usage(error);
}

static void test_no_ranges(void)
{
	static const char *const texts[] = { "",       "5",	"-3",	   "12.34",	"+",
					     "1+",     "+1",	"1+-2",	   "1..2..3",	"1..2+3",
					     "a..b",   "1..x",	"x..1",	   "1 .. 2",	"1..2 ",
					     " 1..2",  "1-2",	"1,2",	   "1..2,3..4", "@",
					     "@5",     "..@",	"1..@2",   "--3..",	"1e1..2",
					     "1s..2q", "1+2+3", "$(id)..", "1:2",	"\xff..1" };

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
		check_no_range(texts[i]);
}

/* Where the wall clock is not known they are usage errors that say how to record it. */
static void test_clock_times(void)
{
	static const char *const texts[] = {
		"14:03:22.5..14:03:23",	 "14:03..",    "..14:03:22",
		"2026-11-21T14:03:22..", "14:03:22+5", "2026-11-21T14:03:22..2026-11-21T14:03:23"
	};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(GError) error = NULL;
		TimeRange range;
		bool is_reversed;

		g_assert_false(time_range_parse(texts[i], &frame, &range, &is_reversed, &error));
		check_usage(error);
		g_assert_nonnull(strstr(error->message, "-k CLOCK_MONOTONIC"));
	}
}

/* The recording begins at this time of the day; GLib tells the nanoseconds. */
static TimeFrame at_clock_time(int hour, int minute, double second)
{
	g_autoptr(GDateTime) zero = g_date_time_new_utc(2026, 11, 21, hour, minute, second);

	return (TimeFrame){ .zero_ns = ZERO,
			    .start_ns = START,
			    .end_ns = END,
			    .has_wall = true,
			    .wall_offset_ns = g_date_time_to_unix(zero) * S - ZERO };
}

static void test_known_clock(void)
{
	const TimeFrame wall = at_clock_time(14, 3, 0);

	check_range_in(&wall, "14:03:22.5..14:03:23", ZERO + 22500 * MS, ZERO + 23 * S, false);
	check_range_in(&wall, "14:03:22.000000001..", ZERO + 22 * S + 1, END, false);
	check_range_in(&wall, "..14:03:22", START, ZERO + 22 * S, false);
	check_range_in(&wall, "14:03:22+1.5", ZERO + 22 * S, ZERO + 23500 * MS, false);
	check_range_in(&wall, "2026-11-21T14:03:22..2026-11-21T14:04:00", ZERO + 22 * S,
		       ZERO + 60 * S, false);
	check_range_in(&wall, "14:04:00..14:03:22", ZERO + 22 * S, ZERO + 60 * S, true);
	check_range_in(&wall, "14:02:00..14:03:01", ZERO - 60 * S, ZERO + S, false);
	/* Other words mean what they mean without a clock. */
	check_range_in(&wall, "1..2", ZERO + S, ZERO + 2 * S, false);
	check_range_in(&wall, "@184694..184695", ZERO, ZERO + S, false);
}

/* A time of the day without a date, where the recording passes midnight. */
static void test_midnight(void)
{
	const TimeFrame wall = at_clock_time(23, 59, 50);

	check_range_in(&wall, "23:59:55..00:00:10", ZERO + 5 * S, ZERO + 20 * S, false);
	check_range_in(&wall, "00:00:00..00:01:00", ZERO + 10 * S, ZERO + 70 * S, false);
	check_range_in(&wall, "2026-11-22T00:00:05..", ZERO + 15 * S, END, false);
}

static void test_no_clock_times(void)
{
	static const char *const texts[] = { "25:00:00..",
					     "14:60:00..",
					     "14:03:61..",
					     "14:3:22..",
					     "14:03:22x..",
					     "2026-13-01T14:03:22..",
					     "2026-11-31T14:03:22..",
					     "2026-11-21 ..",
					     "26-11-21T14:03:22..",
					     ":..",
					     "14:..",
					     "-14:03:22.." };
	const TimeFrame wall = at_clock_time(14, 3, 0);

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(GError) error = NULL;
		TimeRange range;
		bool is_reversed;

		if (time_range_parse(texts[i], &wall, &range, &is_reversed, &error))
			g_error("'%s' was taken as a range", texts[i]);
		check_usage(error);
	}
}

/* What would pass the end of the clock stays there; nothing overflows (UBSan is watching). */
static void test_end_of_the_clock(void)
{
	const TimeFrame late = { .zero_ns = INT64_MAX - S,
				 .start_ns = INT64_MAX - S,
				 .end_ns = INT64_MAX };

	check_range_in(&late, "0..100", INT64_MAX - S, INT64_MAX, false);
	check_range_in(&late, "0+100", INT64_MAX - S, INT64_MAX, false);
	check_range_in(&late, "5+2000000000", INT64_MAX, INT64_MAX, false);
	check_range_in(&late, "-2000000000..", INT64_MAX - 2000000000 * S, INT64_MAX, false);
}

/* --- moments ----------------------------------------------------------------------------- */

static void check_moment(const char *text, int64_t expected)
{
	g_autoptr(GError) error = NULL;
	int64_t ns;

	g_assert_true(time_moment_parse(text, &frame, &ns, &error));
	g_assert_no_error(error);
	g_assert_cmpint(ns, ==, expected);
}

static void test_moments(void)
{
	static const char *const none[] = { "", "x", "@", "1..2", "1+2", "14:03:22", "first " };

	check_moment("1.5", ZERO + 1500 * MS);
	check_moment("-3", END - 3 * S);
	check_moment("@184694.229109", START);
	check_moment("1h", ZERO + 3600 * S);
	for (size_t i = 0; i < G_N_ELEMENTS(none); i++) {
		g_autoptr(GError) error = NULL;
		int64_t ns;

		g_assert_false(time_moment_parse(none[i], &frame, &ns, &error));
		check_usage(error);
	}
}

/* --- phases ------------------------------------------------------------------------------ */

static void check_phase(const char *text, int64_t every, int64_t begin, int64_t end)
{
	g_autoptr(GError) error = NULL;
	int64_t from, to;

	if (!phase_parse(text, every, &from, &to, &error))
		g_error("'%s': %s", text, error->message);
	g_assert_cmpint(from, ==, begin);
	g_assert_cmpint(to, ==, end);
}

static void test_phases(void)
{
	check_phase("0.42..0.55", 1300 * MS, 546 * MS, 715 * MS);
	check_phase("546ms..715ms", 1300 * MS, 546 * MS, 715 * MS);
	check_phase("0..1", 1300 * MS, 0, 1300 * MS);
	check_phase("0ms..1300ms", 1300 * MS, 0, 1300 * MS);
	check_phase("0.9..0.1", 1000 * MS, 900 * MS, 100 * MS);
	check_phase("1.2s..100ms", 1300 * MS, 1200 * MS, 100 * MS);
	check_phase("0.5..0.5", S, 500 * MS, 500 * MS);
	check_phase("0..1s", 2 * S, 0, S); /* ends are read one by one */
}

static void test_no_phases(void)
{
	static const char *const texts[] = { "",
					     "0.5",
					     "..",
					     "0.5..",
					     "..0.5",
					     "-0.1..0.5",
					     "0..1.1",
					     "0..1301ms",
					     "a..b",
					     "10%..20%",
					     "0.1..0.2..0.3",
					     "0,1..0,2",
					     "2s..3s",
					     "0.1-0.2",
					     "0..1e-1",
					     "0..99999999999999" };

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		g_autoptr(GError) error = NULL;
		int64_t begin, end;

		if (phase_parse(texts[i], 1300 * MS, &begin, &end, &error))
			g_error("'%s' was taken as a phase", texts[i]);
		check_usage(error);
	}
}

/* Whatever the period, neighbours share their ends: nothing is counted twice or left out. */
static void test_phases_tile(void)
{
	for (int round = 0; round < 2000; round++) {
		int64_t every = g_test_rand_int_range(1, G_MAXINT32) *
				(int64_t)g_test_rand_int_range(1, 100000);
		int parts = g_test_rand_int_range(1, 50);
		int64_t last_end = 0;

		for (int i = 0; i < parts; i++) {
			g_autofree char *text =
				g_strdup_printf("%s%04d..%s%04d", "0.", i * 10000 / parts,
						i + 1 < parts ? "0." : "1.",
						i + 1 < parts ? (i + 1) * 10000 / parts : 0);
			int64_t begin, end;

			g_assert_true(phase_parse(text, every, &begin, &end, NULL));
			g_assert_cmpint(begin, ==, last_end);
			g_assert_cmpint(end, >=, begin);
			last_end = end;
		}
		g_assert_cmpint(last_end, ==, every);
	}
}

/* --- sets of ranges ---------------------------------------------------------------------- */

static void test_normalize(void)
{
	TimeRange ranges[] = { { 50, 60 }, { 10, 20 }, { 15, 30 }, { 30, 40 }, { 70, 70 },
			       { 90, 80 }, { 55, 57 }, { 10, 12 }, { 41, 42 } };
	size_t n = time_ranges_normalize(ranges, G_N_ELEMENTS(ranges));

	g_assert_cmpuint(n, ==, 3);
	g_assert_cmpint(ranges[0].begin_ns, ==, 10);
	g_assert_cmpint(ranges[0].end_ns, ==, 40); /* 20..30 overlaps, 30..40 touches */
	g_assert_cmpint(ranges[1].begin_ns, ==, 41);
	g_assert_cmpint(ranges[1].end_ns, ==, 42);
	g_assert_cmpint(ranges[2].begin_ns, ==, 50);
	g_assert_cmpint(ranges[2].end_ns, ==, 60);
}

static void test_normalize_nothing(void)
{
	TimeRange empty[] = { { 5, 5 }, { 7, 6 } };
	TimeRange all[] = { { 0, 1 }, { INT64_MIN, INT64_MAX } };

	g_assert_cmpuint(time_ranges_normalize(NULL, 0), ==, 0);
	g_assert_cmpuint(time_ranges_normalize(empty, 2), ==, 0);
	g_assert_cmpuint(time_ranges_normalize(all, 2), ==, 1);
	g_assert_cmpint(all[0].begin_ns, ==, INT64_MIN);
	g_assert_cmpint(all[0].end_ns, ==, INT64_MAX);
}

/* The same points are covered before and after, and what remains is disjoint and ascends. */
static void test_normalize_random(void)
{
	for (int round = 0; round < 2000; round++) {
		TimeRange ranges[8];
		bool covered[64] = { false };
		size_t n = (size_t)g_test_rand_int_range(0, 9), n_kept;

		for (size_t i = 0; i < n; i++) {
			ranges[i].begin_ns = g_test_rand_int_range(0, 64);
			ranges[i].end_ns = g_test_rand_int_range(0, 64);
			for (int64_t t = ranges[i].begin_ns; t < ranges[i].end_ns; t++)
				covered[t] = true;
		}
		n_kept = time_ranges_normalize(ranges, n);
		for (size_t i = 0; i < n_kept; i++) {
			g_assert_cmpint(ranges[i].begin_ns, <, ranges[i].end_ns);
			if (i > 0)
				g_assert_cmpint(ranges[i].begin_ns, >, ranges[i - 1].end_ns);
			for (int64_t t = ranges[i].begin_ns; t < ranges[i].end_ns; t++) {
				g_assert_true(covered[t]);
				covered[t] = false;
			}
		}
		for (int t = 0; t < 64; t++)
			g_assert_false(covered[t]);
	}
}

/* --- back to text ------------------------------------------------------------------------ */

static void check_seconds(int64_t ns, const char *expected)
{
	g_autofree char *text = time_format_seconds(ns);

	g_assert_cmpstr(text, ==, expected);
}

static void test_format(void)
{
	check_seconds(0, "0");
	check_seconds(12400 * MS, "12.4");
	check_seconds(-50 * MS, "-0.05");
	check_seconds(S, "1");
	check_seconds(10 * S, "10");
	check_seconds(1, "0.000000001");
	check_seconds(-S, "-1");
	check_seconds(184694229109000, "184694.229109");
	check_seconds(INT64_MAX, "9223372036.854775807");
	check_seconds(INT64_MIN, "-9223372036.854775808");
}

/* What is printed can be pasted: it means the same nanosecond. */
static void test_format_and_back(void)
{
	for (int round = 0; round < 20000; round++) {
		int64_t ns = ((int64_t)g_test_rand_int_range(0, G_MAXINT32) << 30 |
			      g_test_rand_int_range(0, 1 << 30)) >>
			     g_test_rand_int_range(1, 50);
		g_autofree char *text = time_format_seconds(ns);

		check_duration(text, ns);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/time-range/duration", test_durations);
	g_test_add_func("/time-range/duration/exact", test_exact);
	g_test_add_func("/time-range/duration/nonsense", test_no_durations);
	g_test_add_func("/time-range/duration/huge", test_huge_durations);
	g_test_add_func("/time-range/range", test_ranges);
	g_test_add_func("/time-range/range/open-ends", test_open_ends);
	g_test_add_func("/time-range/range/length", test_lengths);
	g_test_add_func("/time-range/range/from-the-end", test_from_the_end);
	g_test_add_func("/time-range/range/recording-clock", test_recording_clock);
	g_test_add_func("/time-range/range/reversed", test_reversed);
	g_test_add_func("/time-range/range/chosen-zero", test_chosen_zero);
	g_test_add_func("/time-range/range/nonsense", test_no_ranges);
	g_test_add_func("/time-range/range/clock-time", test_clock_times);
	g_test_add_func("/time-range/range/known-clock", test_known_clock);
	g_test_add_func("/time-range/range/known-clock/midnight", test_midnight);
	g_test_add_func("/time-range/range/known-clock/nonsense", test_no_clock_times);
	g_test_add_func("/time-range/range/end-of-the-clock", test_end_of_the_clock);
	g_test_add_func("/time-range/moment", test_moments);
	g_test_add_func("/time-range/phase", test_phases);
	g_test_add_func("/time-range/phase/nonsense", test_no_phases);
	g_test_add_func("/time-range/phase/tile", test_phases_tile);
	g_test_add_func("/time-range/normalize", test_normalize);
	g_test_add_func("/time-range/normalize/nothing", test_normalize_nothing);
	g_test_add_func("/time-range/normalize/random", test_normalize_random);
	g_test_add_func("/time-range/format", test_format);
	g_test_add_func("/time-range/format/and-back", test_format_and_back);
	return g_test_run();
}
