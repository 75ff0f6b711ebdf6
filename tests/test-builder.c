/* SPDX-License-Identifier: MIT */
/*
 * From samples in any order to an immutable store: order, ids, widths, buckets, facts, and what
 * is surveyed.
 */

#include "store/builder.h"

#include "store/append.h"
#include "store/error.h"
#include "store/survey.h"
#include "tests/store-fixture.h"

static uint64_t value(const Store *store, StoreSection section, uint64_t i)
{
	g_assert_cmpuint(i, <, store->columns[section].n);
	return column_get(&store->columns[section], i);
}

static int64_t time_of(const Store *store, uint64_t i)
{
	return store_time_ns(store, i, store_bucket_of(store, i));
}

static void check_text(Text text, const char *expected)
{
	g_assert_cmpmem(text.data, text.len, expected, strlen(expected));
}

static void check_stack(const Store *store, uint64_t i, const char *expected)
{
	g_autofree char *folded =
		store_fixture_folded(store, (uint32_t)value(store, SECTION_STACK, i));

	g_assert_cmpstr(folded, ==, expected);
}

/* --- samples ----------------------------------------------------------------------------- */

/* Ascending by time; equal times keep the input's order; untimed ones last, in theirs. */
static void test_order(void)
{
	g_autoptr(Store) store = store_fixture_new("2.5  a 1/1 0 c 1 third\n"
						   "-    a 1/1 0 c 1 untimed1\n"
						   "1    a 1/1 0 c 1 first\n"
						   "2.5  a 1/1 0 c 1 fourth\n"
						   "-    a 1/1 0 c 1 untimed2\n"
						   "2    a 1/1 0 c 1 second\n");
	static const char *const expected[] = { "first",  "second",   "third",
						"fourth", "untimed1", "untimed2" };

	g_assert_cmpuint(store->n_samples, ==, 6);
	g_assert_cmpuint(store->n_timed, ==, 4);
	g_assert_cmpuint(store->columns[SECTION_TIME].n, ==, 4);
	for (uint64_t i = 0; i < 6; i++)
		check_stack(store, i, expected[i]);
	g_assert_cmpint(time_of(store, 0), ==, NS_PER_SECOND);
	g_assert_cmpint(time_of(store, 3), ==, 2500 * NS_PER_MS);
	g_assert_cmpint(store_start_ns(store), ==, NS_PER_SECOND);
	g_assert_cmpint(store_last_ns(store), ==, 2500 * NS_PER_MS);
}

/* Untimed before timed is out of order too, though no time goes backwards. */
static void test_untimed_first(void)
{
	g_autoptr(Store) store = store_fixture_new("- a 1/1 0 c 1 untimed\n1 a 1/1 0 c 1 timed\n");

	check_stack(store, 0, "timed");
	check_stack(store, 1, "untimed");
	g_assert_cmpuint(store_fact_count(store, FACT_REVERSALS), ==, 0);
}

static void test_reversals(void)
{
	g_autoptr(Store) store = store_fixture_new("1.000003 a 1/1 0 c 1\n"
						   "1.000001 a 1/1 0 c 1\n"
						   "5        a 1/1 0 c 1\n"
						   "-        a 1/1 0 c 1\n"
						   "4.5      a 1/1 0 c 1\n"
						   "6        a 1/1 0 c 1\n");

	g_assert_cmpuint(store_fact_count(store, FACT_REVERSALS), ==, 2);
	g_assert_cmpuint(store_fact_count(store, FACT_MAX_REVERSAL), ==, 500 * NS_PER_MS);
}

static void test_empty(void)
{
	g_autoptr(Store) store = store_fixture_new("");

	g_assert_cmpuint(store->n_samples, ==, 0);
	g_assert_cmpuint(store->n_timed, ==, 0);
	g_assert_cmpuint(store->n_buckets, ==, 0);
	g_assert_cmpuint(store_n_stacks(store), ==, 1);
	g_assert_cmpuint(store_n_threads(store), ==, 0);
	g_assert_cmpint(store_start_ns(store), ==, 0);
}

/* --- tables ------------------------------------------------------------------------------ */

static void test_frames_and_stacks(void)
{
	StoreBuilder *builder = store_builder_new();
	uint32_t abc = store_fixture_stack(builder, "a (/x);b (/x);c (/x)");

	g_assert_cmpuint(store_fixture_stack(builder, "a (/x);b (/x);c (/x)"), ==, abc);
	g_assert_cmpuint(store_fixture_stack(builder, "a (/x);b (/x)"), <, abc);
	g_assert_cmpuint(store_fixture_stack(builder, "a (/x);b (/y);c (/x)"), !=, abc);
	g_assert_cmpuint(store_fixture_stack(builder, ""), ==, 0);
	g_autoptr(Store) store = store_fixture_finish(builder);

	g_assert_cmpuint(store_n_frames(store), ==, 4);
	g_assert_cmpuint(store_n_stacks(store), ==, 1 + 3 + 2);
	for (uint32_t i = 1; i < store_n_stacks(store); i++)
		g_assert_cmpuint(store_stack_parent(store, i), <, i);
}

/* Addresses are kept where there is no symbol, and where they mean something. */
static void test_addresses(void)
{
	static const StoreFrame frames[] = {
		{ { "f", 1 }, { "/x", 2 }, 0x10, 0, { "", 0 } },
		{ { "f", 1 }, { "/x", 2 }, 0x20, 0, { "", 0 } },
		{ { "", 0 }, { "/x", 2 }, 0x10, 0, { "", 0 } },
		{ { "", 0 }, { "/x", 2 }, 0x20, 0, { "", 0 } },
		{ { "", 0 }, { "", 0 }, 0x10, 0, { "", 0 } },
		{ { "", 0 }, { "", 0 }, 0x20, 0, { "", 0 } },
	};
	static const uint32_t expected[] = { 0, 0, 1, 2, 3, 3 };
	StoreBuilder *builder = store_builder_new();

	for (size_t i = 0; i < G_N_ELEMENTS(frames); i++)
		g_assert_cmpuint(store_builder_frame(builder, &frames[i]), ==, expected[i]);
	g_autoptr(Store) store = store_fixture_finish(builder);

	g_assert_cmpuint(store_frame(store, 0).address, ==, 0);
	g_assert_cmpuint(store_frame(store, 1).address, ==, 0x10);
	g_assert_cmpuint(store_frame(store, 2).address, ==, 0x20);
	g_assert_cmpuint(store_frame(store, 3).address, ==, 0);
}

/* The inlined frame gets the DSO of its host, and stays one of its own. */
static void test_inlined(void)
{
	StoreBuilder *builder = store_builder_new();
	const StoreFrame inlined = { TEXT("g"), TEXT(""), 0, FRAME_INLINED, TEXT("") };
	const StoreFrame host = { TEXT("f"), TEXT("/x"), 0, 0, TEXT("") };
	uint32_t g = store_builder_frame(builder, &inlined);
	uint32_t placed = store_builder_inlined(builder, g, store_builder_frame(builder, &host));

	g_assert_cmpuint(placed, !=, g);
	g_assert_cmpuint(store_builder_inlined(builder, ROW_NONE, g), ==, ROW_NONE);
	g_autoptr(Store) store = store_fixture_finish(builder);
	StoreFrame frame = store_frame(store, placed);

	check_text(frame.symbol, "g");
	check_text(frame.dso, "/x");
	g_assert_cmpuint(frame.flags, ==, FRAME_INLINED);
}

/* Threads ascend by their earliest sample, whatever came first in the input; those without a time
 * come last, by name and ids. */
static void test_threads_renumbered(void)
{
	g_autoptr(Store) store = store_fixture_new("9 late   3/3 0 c 1 l\n"
						   "- none   9/9 0 c 1 n\n"
						   "- none   8/8 0 c 1 m\n"
						   "5 middle 2/2 0 c 1 m\n"
						   "1 late   3/4 0 c 1 f\n"
						   "7 early  1/1 0 c 1 e\n"
						   "0 early  1/1 0 c 1 e\n");
	static const struct {
		const char *comm;
		int32_t pid, tid;
	} expected[] = { { "early", 1, 1 }, { "late", 3, 4 }, { "middle", 2, 2 },
			 { "late", 3, 3 },  { "none", 8, 8 }, { "none", 9, 9 } };

	g_assert_cmpuint(store_n_threads(store), ==, G_N_ELEMENTS(expected));
	for (uint32_t i = 0; i < G_N_ELEMENTS(expected); i++) {
		StoreThread thread = store_thread(store, i);

		check_text(thread.comm, expected[i].comm);
		g_assert_cmpint(thread.pid, ==, expected[i].pid);
		g_assert_cmpint(thread.tid, ==, expected[i].tid);
	}
	/* Samples by time: early, late/4, middle, early, late/3; then the untimed. */
	static const uint64_t threads[] = { 0, 1, 2, 0, 3, 5, 4 };
	for (uint64_t i = 0; i < G_N_ELEMENTS(threads); i++)
		g_assert_cmpuint(value(store, SECTION_THREAD, i), ==, threads[i]);
}

/* On equal times by name, bytewise. */
static void test_events_renumbered(void)
{
	g_autoptr(Store) store = store_fixture_new("9 a 1/1 0 zeta  1\n"
						   "3 a 1/1 0 omega 1\n"
						   "3 a 1/1 0 alpha 1\n"
						   "3 a 1/1 0 Zulu  1\n"
						   "- a 1/1 0 aaa   1\n"
						   "1 a 1/1 0 first 1\n");
	static const char *const expected[] = { "first", "Zulu", "alpha", "omega", "zeta", "aaa" };

	g_assert_cmpuint(store_n_events(store), ==, G_N_ELEMENTS(expected));
	for (uint32_t i = 0; i < G_N_ELEMENTS(expected); i++)
		check_text(store_event_name(store, i), expected[i]);
	g_assert_cmpuint(value(store, SECTION_EVENT, 0), ==, 0);
	g_assert_cmpuint(value(store, SECTION_EVENT, 4), ==, 4);
	g_assert_cmpuint(value(store, SECTION_EVENT, 5), ==, 5);
}

static void test_odd_ids(void)
{
	g_autoptr(Store) store = store_fixture_new("1 :-1 22196/-1 0 c 1\n"
						   "2 x   -/99999  - c 1\n"
						   "3 x   -/-      2147483646 c 1\n");

	g_assert_cmpint(store_thread(store, 0).tid, ==, -1);
	g_assert_cmpint(store_thread(store, 0).pid, ==, 22196);
	g_assert_cmpint(store_thread(store, 1).pid, ==, ID_NONE);
	g_assert_cmpint(store_thread(store, 1).tid, ==, 99999);
	g_assert_cmpint(store_thread(store, 2).tid, ==, ID_NONE);
	g_assert_cmpuint(value(store, SECTION_CPU, 0), ==, 1);
	g_assert_cmpuint(value(store, SECTION_CPU, 1), ==, 0);
	g_assert_cmpuint(value(store, SECTION_CPU, 2), ==, 2147483647);
}

/* --- widths ------------------------------------------------------------------------------ */

static void check_width(const Store *store, StoreSection section, unsigned width)
{
	g_assert_cmpuint(store->columns[section].width, ==, width);
}

/* What never changes costs no bit. */
static void test_constant_columns(void)
{
	g_autoptr(Store) store = store_fixture_new("1 a 1/1 7 c 9 f\n"
						   "1 a 1/1 7 c 9 f\n"
						   "1 a 1/1 7 c 9 f\n");

	for (int section = SECTION_TIME; section <= SECTION_PERIOD; section++)
		check_width(store, (StoreSection)section, 0);
	for (uint64_t i = 0; i < 3; i++) {
		g_assert_cmpint(time_of(store, i), ==, NS_PER_SECOND);
		g_assert_cmpuint(value(store, SECTION_CPU, i), ==, 8);
		g_assert_cmpuint(value(store, SECTION_PERIOD, i), ==, 10);
		check_stack(store, i, "f");
	}
}

/* As few bits as the distance to the smallest value needs. */
static void test_narrow_columns(void)
{
	g_autoptr(Store) byte = store_fixture_new("1 a 1/1 0 c 1000\n2 a 1/1 255 c 1255\n");
	g_autoptr(Store) two = store_fixture_new("1 a 1/1 0 c 1000\n2 a 1/1 256 c 1256\n");

	check_width(byte, SECTION_CPU, 8);
	check_width(byte, SECTION_PERIOD, 8);
	check_width(two, SECTION_CPU, 9);
	check_width(two, SECTION_PERIOD, 9);
	g_assert_cmpuint(value(two, SECTION_PERIOD, 0), ==, 1001);
	g_assert_cmpuint(value(two, SECTION_PERIOD, 1), ==, 1257);
	g_assert_cmpuint(value(two, SECTION_CPU, 1), ==, 257);
}

/* Microseconds are kept as such; a single nanosecond makes all of them ns. */
static void test_tick(void)
{
	g_autoptr(Store) us = store_fixture_new("1.000001 a 1/1 0 c 1\n1.4 a 1/1 0 c 1\n");
	g_autoptr(Store) ns = store_fixture_new("1.000001 a 1/1 0 c 1\n1.400000001 a 1/1 0 c 1\n");

	g_assert_cmpint(us->tick_ns, ==, 1000);
	g_assert_cmpint(ns->tick_ns, ==, 1);
	g_assert_cmpuint(us->columns[SECTION_TIME].width, <=, 19);
	g_assert_cmpuint(ns->columns[SECTION_TIME].width, <=, 29);
	g_assert_cmpint(time_of(us, 0), ==, 1000001000);
	g_assert_cmpint(time_of(ns, 0), ==, 1000001000);
	g_assert_cmpint(time_of(ns, 1), ==, 1400000001);
}

/* --- periods ----------------------------------------------------------------------------- */

static void test_periods(void)
{
	g_autoptr(Store) store = store_fixture_new("1 a 1/1 0 c -\n"
						   "2 a 1/1 0 c 0\n"
						   "3 a 1/1 0 c 5000000\n"
						   "4 a 1/1 0 c -\n"
						   "5 a 1/1 0 d 18446744073709551614\n");
	static const uint64_t stored[] = { 0, 1, 5000001, 0, UINT64_MAX };

	for (uint64_t i = 0; i < G_N_ELEMENTS(stored); i++)
		g_assert_cmpuint(value(store, SECTION_PERIOD, i), ==, stored[i]);
	g_assert_cmpuint(store_fact_count(store, FACT_EVENT_PERIOD "0"), ==, 5000000);
	g_assert_cmpuint(store_fact_count(store, FACT_EVENT_PERIOD "1"), ==, UINT64_MAX - 1);
}

static void test_missing_periods(void)
{
	g_autoptr(Store) store = store_fixture_new("1 a 1/1 0 c -\n2 a 1/1 0 c -\n");

	check_width(store, SECTION_PERIOD, 0);
	g_assert_cmpuint(value(store, SECTION_PERIOD, 1), ==, 0);
	g_assert_cmpuint(store_fact_count(store, FACT_EVENT_PERIOD "0"), ==, 0);
	g_assert_cmpuint(store_fact_count(store, FACT_EVENT_SAMPLES "0"), ==, 2);
}

/* The largest number never becomes "none", and sums never wrap. */
static void test_huge_periods(void)
{
	g_autoptr(Store) store = store_fixture_new("1 a 1/1 0 c 18446744073709551615\n"
						   "2 a 1/1 0 c 18446744073709551615\n"
						   "3 a 1/1 0 c 7\n");

	g_assert_cmpuint(value(store, SECTION_PERIOD, 0), >=, UINT64_MAX - 1);
	g_assert_cmpuint(value(store, SECTION_PERIOD, 1), >=, UINT64_MAX - 1);
	g_assert_cmpuint(value(store, SECTION_PERIOD, 2), ==, 8);
	g_assert_cmpuint(store_fact_count(store, FACT_EVENT_PERIOD "0"), ==, UINT64_MAX);
}

/* --- buckets ----------------------------------------------------------------------------- */

/* Half a second each; empty ones are not listed; before 0 they go on downwards. */
static void test_buckets(void)
{
	g_autoptr(Store) store = store_fixture_new("-0.3       a 1/1 0 c 1\n"
						   "0          a 1/1 0 c 1\n"
						   "0.499999   a 1/1 0 c 1\n"
						   "0.5        a 1/1 0 c 1\n"
						   "7.25       a 1/1 0 c 1\n"
						   "7.3        a 1/1 0 c 1\n");
	static const int64_t numbers[] = { -1, 0, 1, 14 };
	static const uint64_t firsts[] = { 0, 1, 3, 4 };
	static const uint64_t of[] = { 0, 1, 1, 2, 3, 3 };

	g_assert_cmpint(store->bucket_ns, ==, 500 * NS_PER_MS);
	g_assert_cmpuint(store->n_buckets, ==, 4);
	for (int i = 0; i < 4; i++) {
		g_assert_cmpint(store->buckets[i].number, ==, numbers[i]);
		g_assert_cmpuint(store->buckets[i].first, ==, firsts[i]);
	}
	for (uint64_t i = 0; i < 6; i++)
		g_assert_cmpuint(store_bucket_of(store, i), ==, of[i]);
	g_assert_cmpint(time_of(store, 0), ==, -300 * NS_PER_MS);
	g_assert_cmpint(store_start_ns(store), ==, -300 * NS_PER_MS);
}

/* Random times: they come back sorted, and a lower bound is what counting says. */
static void test_random_times(void)
{
	for (int round = 0; round < 30; round++) {
		const StoreThread thread = { TEXT("a"), 1, 1 };
		StoreBuilder *builder = store_builder_new();
		Sample sample = { .thread = store_builder_thread(builder, &thread),
				  .event = store_builder_event(builder, TEXT("c")) };
		int n = g_test_rand_int_range(1, 400);
		int64_t scale = (int64_t)1 << g_test_rand_int_range(0, 24);
		g_autofree int64_t *times = g_new(int64_t, (gsize)n);

		for (int i = 0; i < n; i++) {
			times[i] = g_test_rand_int_range(-1000, 10000) * scale;
			sample.time_ns = times[i];
			g_assert_true(store_builder_add(builder, &sample));
		}
		g_autoptr(Store) store = store_fixture_finish(builder);
		for (int probe = 0; probe < 100; probe++) {
			int64_t wanted = g_test_rand_int_range(-1100, 10100) * scale +
					 g_test_rand_int_range(-1, 2);
			uint64_t expected = 0, found;

			for (int i = 0; i < n; i++)
				expected += times[i] < wanted;
			g_assert_true(store_lower_bound(store, wanted, &found, NULL));
			g_assert_cmpuint(found, ==, expected);
		}
		for (uint64_t i = 1; i < store->n_timed; i++)
			g_assert_cmpint(time_of(store, i - 1), <=, time_of(store, i));
	}
}

/* --- facts ------------------------------------------------------------------------------- */

static void test_facts(void)
{
	StoreBuilder *builder = store_builder_new();

	store_builder_set_fact(builder, "hostname", TEXT("vm"));
	store_builder_set_fact(builder, "hostname", TEXT("vm2"));
	store_builder_set_fact(builder, "cmdline", TEXT("a\nb\0c"));
	g_assert_false(store_builder_offer_fact(builder, "hostname", TEXT("vm3")));
	g_assert_true(store_builder_offer_fact(builder, "arch", TEXT("x86_64")));
	store_builder_set_count(builder, "n", UINT64_MAX);
	store_builder_add_count(builder, "m", 5);
	store_builder_add_count(builder, "m", 7);
	g_autoptr(Store) store = store_fixture_finish(builder);

	check_text(store_fact(store, "hostname"), "vm2");
	check_text(store_fact(store, "arch"), "x86_64");
	g_assert_cmpmem(store_fact(store, "cmdline").data, store_fact(store, "cmdline").len,
			"a\nb\0c", 5);
	g_assert_cmpuint(store_fact_count(store, "n"), ==, UINT64_MAX);
	g_assert_cmpuint(store_fact_count(store, "m"), ==, 12);
	g_assert_cmpuint(store_fact_count(store, "absent"), ==, 0);
	g_assert_cmpuint(store_fact(store, "host").len, ==, 0);
	for (uint32_t i = 1; i < store_n_facts(store); i++)
		g_assert_cmpint(
			text_compare(store_fact_key(store, i - 1), store_fact_key(store, i)), <, 0);
}

/* --- the survey -------------------------------------------------------------------------- */

static void test_survey_events(void)
{
	g_autoptr(Store) store = store_fixture_new("1 a 1/1 0 cycles 100 f\n"
						   "2 a 1/1 0 faults 1 f\n"
						   "- a 1/1 0 cycles 50 f\n"
						   "4 a 1/1 0 cycles - f\n");

	g_assert_cmpuint(store_fact_count(store, FACT_EVENT_SAMPLES "0"), ==, 3);
	g_assert_cmpuint(store_fact_count(store, FACT_EVENT_PERIOD "0"), ==, 150);
	g_assert_cmpuint(store_fact_count(store, FACT_EVENT_SAMPLES "1"), ==, 1);
	g_assert_cmpuint(store_fact_count(store, FACT_EVENT_PERIOD "1"), ==, 1);
}

static void check_cpus(const char *lines, const char *expected)
{
	g_autoptr(Store) store = store_fixture_new(lines);

	check_text(store_fact(store, FACT_CPUS), expected);
}

static void test_survey_cpus(void)
{
	check_cpus("1 a 1/1 7 c 1\n2 a 1/1 1 c 1\n3 a 1/1 0 c 1\n4 a 1/1 3 c 1\n"
		   "5 a 1/1 2 c 1\n6 a 1/1 7 c 1\n7 a 1/1 - c 1\n",
		   "0-3,7");
	check_cpus("1 a 1/1 - c 1\n", "");
	check_cpus("1 a 1/1 5 c 1\n", "5");
	check_cpus("1 a 1/1 2147483646 c 1\n2 a 1/1 0 c 1\n", "0,2147483646");
}

/* Only leaves count: an interrupt on top of the idle task is work. */
static void test_survey_idle(void)
{
	g_autoptr(Store) store = store_fixture_new(
		"1 swapper 0/0 0 c 1 cpu_startup_entry;native_safe_halt\n"
		"2 swapper 0/0 1 c 1 cpu_startup_entry;native_safe_halt;__do_softirq\n"
		"3 swapper 0/0 1 c 1 @1f ([kernel.kallsyms])\n"
		"4 swapper 0/0 1 c 1\n"
		"5 a       1/1 1 c 1 native_safe_halt\n"
		"- swapper 0/0 1 c 1 do_idle\n");

	g_assert_cmpuint(store_fact_count(store, FACT_IDLE_PRESUMED), ==, 0);
	g_assert_cmpuint(store_fact_count(store, FACT_IDLE_SAMPLES), ==, 2);
}

/* None of the idle task's leaves has a symbol: all of them are presumed idle. */
static void test_survey_presumed(void)
{
	g_autoptr(Store) store = store_fixture_new("1 swapper 0/0 0 c 1 f;@1f\n"
						   "2 swapper 0/0 1 c 1\n"
						   "3 a       1/1 1 c 1 native_safe_halt\n");
	g_autoptr(Store) without = store_fixture_new("3 a 1/1 1 c 1 f\n");

	g_assert_cmpuint(store_fact_count(store, FACT_IDLE_PRESUMED), ==, 1);
	g_assert_cmpuint(store_fact_count(store, FACT_IDLE_SAMPLES), ==, 2);
	g_assert_cmpuint(store_fact_count(without, FACT_IDLE_PRESUMED), ==, 0);
	g_assert_cmpuint(store_fact_count(without, FACT_IDLE_SAMPLES), ==, 0);
}

/* 200 samples, 10 ms apart, from `second` on. */
static void add_two_seconds(GString *lines, int second)
{
	for (int i = 0; i < 200; i++)
		g_string_append_printf(lines, "%d.%02d a 1/1 0 c 1\n", second + i / 100, i % 100);
}

/* Five seconds of silence among samples 10 ms apart are a hole; it is not covered. */
static void test_survey_hole(void)
{
	g_autoptr(GString) lines = g_string_new(NULL);
	add_two_seconds(lines, 10);
	add_two_seconds(lines, 17);
	g_autoptr(Store) store = store_fixture_new(lines->str);

	check_text(store_fact(store, FACT_HOLES), "11990000000..17000000000");
	g_assert_cmpuint(store_fact_count(store, FACT_COVERED_NS), >=, 3980 * NS_PER_MS);
	g_assert_cmpuint(store_fact_count(store, FACT_COVERED_NS), <=, 4020 * NS_PER_MS);
}

static void test_survey_holes(void)
{
	g_autoptr(GString) lines = g_string_new(NULL);
	for (int i = 0; i < 4; i++)
		add_two_seconds(lines, 10 * i);
	g_autoptr(Store) store = store_fixture_new(lines->str);

	check_text(store_fact(store, FACT_HOLES), "1990000000..10000000000 "
						  "11990000000..20000000000 "
						  "21990000000..30000000000");
}

/* Shorter silences are quiet times: below a second, or usual for this recording. */
static void test_survey_no_hole(void)
{
	g_autoptr(GString) lines = g_string_new(NULL);
	add_two_seconds(lines, 10);
	g_string_append(lines, "12.9 a 1/1 0 c 1\n"); /* 0.91 s after the last */
	g_autoptr(Store) store = store_fixture_new(lines->str);
	g_autoptr(Store) sparse = store_fixture_new("0 a 1/1 0 c 1\n9 a 1/1 0 c 1\n"
						    "20 a 1/1 0 c 1\n31 a 1/1 0 c 1\n");

	check_text(store_fact(store, FACT_HOLES), "");
	g_assert_cmpuint(store_fact_count(store, FACT_COVERED_NS), ==, 2900 * NS_PER_MS);
	check_text(store_fact(sparse, FACT_HOLES), "");
	g_assert_cmpuint(store_fact_count(sparse, FACT_COVERED_NS), ==, 31 * NS_PER_SECOND);
}

/* Samples of the idle task and of other events cover time as well. */
static void test_survey_all_cover(void)
{
	g_autoptr(GString) lines = g_string_new(NULL);
	add_two_seconds(lines, 0);
	for (int i = 2; i < 12; i++)
		g_string_append_printf(lines, "%d.5 swapper 0/0 1 other - do_idle\n", i);
	add_two_seconds(lines, 12);
	g_autoptr(Store) store = store_fixture_new(lines->str);

	check_text(store_fact(store, FACT_HOLES), "");
}

/* Times up to the largest that a recording's text can hold; nothing overflows. */
static void test_survey_far_times(void)
{
	g_autoptr(Store) store = store_fixture_new("0 a 1/1 0 c 1\n"
						   "9223372036.854775 a 1/1 0 c 1\n");

	g_assert_cmpuint(store->n_samples, ==, 2);
	g_assert_cmpint(store_start_ns(store), ==, 0);
}

/* --- appending --------------------------------------------------------------------------- */

static void test_append(void)
{
	g_autoptr(Store) first = store_fixture_new("1 a 1/1 0 c 5 x;y\n- a 1/1 0 c - z\n");
	g_autoptr(Store) second = store_fixture_new("0.5 b 2/2 3 d 7 x;y;z\n");
	StoreBuilder *builder = store_builder_new();

	g_assert_true(store_append(builder, first, 0, NULL));
	g_assert_true(store_append(builder, second, NS_PER_SECOND, NULL));
	g_autoptr(Store) both = store_fixture_finish(builder);

	g_assert_cmpuint(both->n_samples, ==, 3);
	g_assert_cmpuint(both->n_timed, ==, 2);
	check_stack(both, 0, "x;y");
	check_stack(both, 1, "x;y;z");
	check_stack(both, 2, "z");
	g_assert_cmpint(time_of(both, 1), ==, 1500 * NS_PER_MS);
	g_assert_cmpuint(value(both, SECTION_PERIOD, 1), ==, 8);
	g_assert_cmpuint(value(both, SECTION_PERIOD, 2), ==, 0);
	g_assert_cmpuint(value(both, SECTION_CPU, 1), ==, 4);
	check_text(store_event_name(both, 1), "d");
	check_text(store_thread(both, 1).comm, "b");
	check_text(store_fact(both, FACT_CPUS), "0,3");
}

static Text cgroup_of(const Store *store, uint64_t i)
{
	return store_string(store, (uint32_t)value(store, SECTION_CGROUP, i));
}

/* From the first sample that has one on; appending keeps them. */
static void test_cgroups(void)
{
	static const char *const paths[] = { "", "/user.slice", "", "/a", "/user.slice" };
	StoreBuilder *builder = store_builder_new(), *copy = store_builder_new();
	const StoreThread thread = { TEXT("a"), 1, 1 };
	Sample sample = { .thread = store_builder_thread(builder, &thread),
			  .event = store_builder_event(builder, TEXT("c")) };

	for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
		sample.time_ns = (int64_t)i;
		sample.cgroup = text_from(paths[i]);
		g_assert_true(store_builder_add(builder, &sample));
	}
	g_autoptr(Store) store = store_fixture_finish(builder);
	g_assert_true(store_append(copy, store, 5, NULL));
	g_autoptr(Store) appended = store_fixture_finish(copy);
	for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
		check_text(cgroup_of(store, i), paths[i]);
		check_text(cgroup_of(appended, i), paths[i]);
	}
}

/* Counts add up; what describes the recording stays as the first had it. */
static void test_append_facts(void)
{
	StoreBuilder *builders[] = { store_builder_new(), store_builder_new() };
	StoreBuilder *builder = store_builder_new();

	store_builder_set_fact(builders[0], "hostname", TEXT("one"));
	store_builder_set_fact(builders[1], "hostname", TEXT("two"));
	store_builder_set_fact(builders[1], "arch", TEXT("arm64"));
	for (uint64_t i = 0; i < 2; i++) {
		store_builder_set_count(builders[i], FACT_FRAMES, 10 + i);
		store_builder_set_count(builders[i], FACT_LOST, 20 + i);
		store_builder_set_count(builders[i], FACT_SKIPPED "x", 30 + i);
	}
	for (int i = 0; i < 2; i++) {
		g_autoptr(Store) part = store_fixture_finish(builders[i]);
		g_assert_true(store_append(builder, part, 0, NULL));
	}
	g_autoptr(Store) store = store_fixture_finish(builder);

	check_text(store_fact(store, "hostname"), "one");
	check_text(store_fact(store, "arch"), "arm64");
	g_assert_cmpuint(store_fact_count(store, FACT_FRAMES), ==, 21);
	g_assert_cmpuint(store_fact_count(store, FACT_LOST), ==, 41);
	g_assert_cmpuint(store_fact_count(store, FACT_SKIPPED "x"), ==, 61);
}

/* Reversals within the inputs are still part of what is known of the whole. */
static void test_append_reversals(void)
{
	g_autoptr(Store) first = store_fixture_new("3 a 1/1 0 c 1\n1 a 1/1 0 c 1\n");
	StoreBuilder *builder = store_builder_new();
	g_assert_true(store_append(builder, first, 0, NULL));
	g_autoptr(Store) store = store_fixture_finish(builder);

	g_assert_cmpuint(store_fact_count(store, FACT_REVERSALS), ==, 1);
	g_assert_cmpuint(store_fact_count(store, FACT_MAX_REVERSAL), ==, 2 * NS_PER_SECOND);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/builder/order", test_order);
	g_test_add_func("/builder/untimed-first", test_untimed_first);
	g_test_add_func("/builder/reversals", test_reversals);
	g_test_add_func("/builder/empty", test_empty);
	g_test_add_func("/builder/frames-and-stacks", test_frames_and_stacks);
	g_test_add_func("/builder/addresses", test_addresses);
	g_test_add_func("/builder/inlined", test_inlined);
	g_test_add_func("/builder/threads", test_threads_renumbered);
	g_test_add_func("/builder/events", test_events_renumbered);
	g_test_add_func("/builder/odd-ids", test_odd_ids);
	g_test_add_func("/builder/widths/constant", test_constant_columns);
	g_test_add_func("/builder/widths/narrow", test_narrow_columns);
	g_test_add_func("/builder/widths/tick", test_tick);
	g_test_add_func("/builder/periods", test_periods);
	g_test_add_func("/builder/periods/missing", test_missing_periods);
	g_test_add_func("/builder/periods/huge", test_huge_periods);
	g_test_add_func("/builder/buckets", test_buckets);
	g_test_add_func("/builder/random-times", test_random_times);
	g_test_add_func("/builder/facts", test_facts);
	g_test_add_func("/builder/survey/events", test_survey_events);
	g_test_add_func("/builder/survey/cpus", test_survey_cpus);
	g_test_add_func("/builder/survey/idle", test_survey_idle);
	g_test_add_func("/builder/survey/presumed", test_survey_presumed);
	g_test_add_func("/builder/survey/hole", test_survey_hole);
	g_test_add_func("/builder/survey/holes", test_survey_holes);
	g_test_add_func("/builder/survey/no-hole", test_survey_no_hole);
	g_test_add_func("/builder/survey/all-cover", test_survey_all_cover);
	g_test_add_func("/builder/survey/far-times", test_survey_far_times);
	g_test_add_func("/builder/append", test_append);
	g_test_add_func("/builder/cgroups", test_cgroups);
	g_test_add_func("/builder/append/facts", test_append_facts);
	g_test_add_func("/builder/append/reversals", test_append_reversals);
	return g_test_run();
}
