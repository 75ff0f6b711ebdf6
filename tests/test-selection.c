/* SPDX-License-Identifier: MIT */
/*
 * Which samples count and what each adds: every filter of the contract by itself, and the counts
 * of what was dropped.
 */

#include "store/selection.h"

#include "store/error.h"
#include "tests/store-fixture.h"

/* Ten samples of three threads and the idle task on four CPUs, zero is 100. */
static const char *const mixed =
	"100.10 java        10/10 0 cycles 100 main;work (/bin/x);memcpy (/lib/libc.so)\n"
	"100.20 java        10/11 1 cycles 120 main;GC::mark(int) (/bin/x)\n"
	"100.25 swapper     0/0   3 cycles 90  do_idle;intel_idle ([kernel.kallsyms])\n"
	"100.30 swapper     0/0   3 cycles 80  do_idle;__do_softirq ([kernel.kallsyms])\n"
	"101.10 python3     20/20 2 cycles 70  main;memcpy (/lib/libc.so)\n"
	"101.20 python3     20/20 2 faults -   main;memcpy (/lib/libc.so)\n"
	"101.90 GC+Thread#0 10/12 1 cycles 60  GC::mark(int) (/bin/x)\n"
	"102.00 java        10/10 0 cycles 50\n"
	"102.50 GC+Thread#1 10/13 - cycles -   main;GC::mark(int) (/bin/x)\n"
	"102.99 swapper     0/0   1 cycles 40  do_idle ([kernel.kallsyms])\n";

/* How many samples of `lines` count. */
static SelectionCounts counts_of(const char *lines, const char *words)
{
	g_autoptr(Store) store = store_fixture_new(lines);

	return counts_fixture(store, words);
}

static void check(const char *words, uint64_t samples)
{
	SelectionCounts counts = counts_of(mixed, words);

	if (counts.samples != samples)
		g_error("'%s' counts %" G_GUINT64_FORMAT " samples, expected %" G_GUINT64_FORMAT,
			words, counts.samples, samples);
}

/* --- counts ------------------------------------------------------------------------------ */

static void test_counts(void)
{
	SelectionCounts counts = counts_of(mixed, "");

	g_assert_cmpuint(counts.seen, ==, 10);
	g_assert_cmpuint(counts.samples, ==, 7);
	g_assert_cmpuint(counts.weight, ==, 7);
	g_assert_cmpuint(counts.idle, ==, 2); /* intel_idle and do_idle at the leaf */
	g_assert_cmpuint(counts.idle_presumed, ==, 0);
	g_assert_cmpuint(counts.other_event, ==, 1);
	g_assert_cmpuint(counts.filtered, ==, 0);
}

static void test_everything(void)
{
	SelectionCounts counts = counts_of(mixed, "event=all idle=keep");

	g_assert_cmpuint(counts.seen, ==, 10);
	g_assert_cmpuint(counts.samples, ==, 10);
}

static void test_empty_store(void)
{
	SelectionCounts counts = counts_of("", "event=all");

	g_assert_cmpuint(counts.seen, ==, 0);
	counts = counts_of("", "");
	g_assert_cmpuint(counts.seen, ==, 0);
}

/* A second walk is the same as the first, one broken off as well. */
static void test_rewind(void)
{
	g_autoptr(Store) store = store_fixture_new(mixed);
	g_autoptr(Selection) selection = selection_fixture(store, "range=0..1.5", NULL);
	g_autofree SampleBlock *block = g_new(SampleBlock, 1);
	SelectionCounts first = selection_fixture_walk(selection, NULL, NULL);

	selection_rewind(selection);
	g_assert_true(selection_next(selection, block, NULL));
	SelectionCounts second = selection_fixture_walk(selection, NULL, NULL);
	g_assert_cmpmem(&first, sizeof(first), &second, sizeof(second));
	g_assert_cmpuint(first.samples, ==, 4);
}

/* --- what is handed over ----------------------------------------------------------------- */

static void collect(const SampleBlock *block, void *context)
{
	g_array_append_vals(context, block, 1);
}

static void test_blocks(void)
{
	g_autoptr(Store) store = store_fixture_new(mixed);
	g_autoptr(Selection) selection = selection_fixture(store, "weight=period pid=10", NULL);
	g_autoptr(GArray) blocks = g_array_new(FALSE, FALSE, sizeof(SampleBlock));
	selection_fixture_walk(selection, collect, blocks);
	g_assert_cmpuint(blocks->len, ==, 1);
	const SampleBlock *block = &g_array_index(blocks, SampleBlock, 0);
	static const int64_t ms[] = { 100100, 100200, 101900, 102000, 102500 };
	static const uint64_t weights[] = { 100, 120, 60, 50, 1 };
	static const int32_t cpus[] = { 0, 1, 1, 0, ID_NONE };
	static const char *const stacks[] = { "main;work;memcpy", "main;GC::mark(int)",
					      "GC::mark(int)", "", "main;GC::mark(int)" };

	g_assert_cmpuint(block->n, ==, 5);
	for (size_t i = 0; i < block->n; i++) {
		g_autofree char *folded = store_fixture_folded(store, block->stack[i]);

		g_assert_cmpint(block->time_ns[i], ==, ms[i] * NS_PER_MS);
		g_assert_cmpuint(block->weight[i], ==, weights[i]);
		g_assert_cmpint(block->cpu[i], ==, cpus[i]);
		g_assert_cmpstr(folded, ==, stacks[i]);
		g_assert_cmpint(store_thread(store, block->thread[i]).pid, ==, 10);
	}
}

static void check_ascending(const SampleBlock *block, void *context)
{
	int64_t *last = context;

	g_assert_cmpuint(block->n, <=, SAMPLE_BLOCK);
	for (size_t i = 0; i < block->n; i++) {
		g_assert_cmpint(block->time_ns[i], >=, *last);
		*last = block->time_ns[i];
	}
}

/* More samples than a block holds; most of them dropped. */
static void test_many_blocks(void)
{
	StoreBuilder *builder = store_builder_new();
	Sample sample = { .event = store_builder_event(builder, TEXT("c")) };
	uint64_t expected = 0;
	for (int i = 0; i < 50000; i++) {
		const StoreThread thread = { TEXT("a"), 1, g_test_rand_int_range(0, 50) };

		sample.time_ns = i * 100000ll;
		sample.thread = store_builder_thread(builder, &thread);
		expected += thread.tid == 7;
		g_assert_true(store_builder_add(builder, &sample));
	}
	g_autoptr(Store) store = store_fixture_finish(builder);
	g_autoptr(Selection) all = selection_fixture(store, "", NULL);
	int64_t last = INT64_MIN;

	g_assert_cmpuint(selection_fixture_walk(all, check_ascending, &last).samples, ==, 50000);
	g_assert_cmpuint(counts_fixture(store, "tid=7").samples, ==, expected);
	g_assert_cmpuint(counts_fixture(store, "range=1..2").samples, ==, 10000);
}

/* --- threads, CPUs, stacks --------------------------------------------------------------- */

static void test_threads(void)
{
	check("comm=java", 3);
	check("comm=^GC", 2);
	check("comm=Thread#[0-9]", 2);
	check("comm=JAVA", 0); /* case matters */
	check("comm=av", 3);   /* unanchored */
	check("comm=^av", 0);
	check("comm=java comm=python", 4);
	check("comm=java comm=java", 3);
	check("pid=10", 5);
	check("pid=10 pid=20", 6);
	check("tid=11", 1);
	check("tid=11 tid=12 tid=13", 3);
	check("pid=20 tid=11", 0); /* different options: all of them */
	check("pid=4711", 0);
	check("tid=0 idle=keep", 3);
}

/* A thread is of its process whatever its own name is. */
static void test_process(void)
{
	check("process=java", 5);
	check("process=^python3$", 1);
	check("process=GC", 0);
	check("process=java comm=GC", 2);
	check("process=java process=python", 6);
	check("process=swapper idle=keep", 3);
}

static void test_cpus(void)
{
	check("cpu=0", 2);
	check("cpu=0-1", 4);
	check("cpu=1,2", 3);
	check("cpu=0-2,3", 6);
	check("cpu=0-100", 6); /* the one without a CPU is on none */
	check("cpu=3 idle=keep", 2);
	check("cpu=0,0,0-0", 2);
	check("cpu=7", 0);
}

static void test_stacks(void)
{
	check("match=memcpy", 2);
	check("match=^mem", 2);
	check("match=MEMCPY", 0);
	check("match=main", 4);
	check("match=work match=mark", 4);
	check("exclude=main", 3); /* softirq, GC alone, and the sample without a stack */
	check("exclude=main exclude=mark", 2);
	check("match=main exclude=memcpy", 2);
	check("match=main match=GC exclude=work", 4);
	check("match=.", 6);
	check("exclude=.", 1);
}

/* Patterns look at the names that are displayed. */
static void test_displayed_names(void)
{
	check("match=\\(int\\)", 0);
	check("match=\\(int\\) names=raw", 3);
	check("match=mark$", 3);
	check("match=mark$ names=raw", 0);
}

static void test_names_of_any_bytes(void)
{
	StoreBuilder *builder = store_builder_new();
	const StoreThread thread = { TEXT("\xff\xfe(\x01"), 1, 1 };
	Sample sample = { .thread = store_builder_thread(builder, &thread),
			  .event = store_builder_event(builder, TEXT("c")),
			  .stack = store_fixture_stack(builder, "\xc3(;\x80 x") };
	g_assert_true(store_builder_add(builder, &sample));
	g_autoptr(Store) store = store_fixture_finish(builder);

	g_assert_cmpuint(counts_fixture(store, "comm=^..\\(").samples, ==, 1);
	g_assert_cmpuint(counts_fixture(store, "match=x$").samples, ==, 1);
	g_assert_cmpuint(counts_fixture(store, "match=^x").samples, ==, 0);
	g_assert_cmpuint(counts_fixture(store, "process=\\xfe").samples, ==, 1);
}

/* A sample each of these cgroups, the last two of none. */
static Store *store_with_cgroups(void)
{
	static const char *const paths[] = {
		"/", "/user.slice", "/system.slice/web.service", "/system.slice/db.service", "", ""
	};
	StoreBuilder *builder = store_builder_new();
	const StoreThread thread = { TEXT("a"), 1, 1 };
	Sample sample = { .thread = store_builder_thread(builder, &thread),
			  .event = store_builder_event(builder, TEXT("c")),
			  .stack = store_fixture_stack(builder, "main (/bin/x);web (/opt/web)") };

	for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
		sample.cgroup = text_from(paths[i]);
		g_assert_true(store_builder_add(builder, &sample));
	}
	return store_fixture_finish(builder);
}

static void test_cgroups(void)
{
	g_autoptr(Store) store = store_with_cgroups();

	g_assert_cmpuint(counts_fixture(store, "").samples, ==, 6);
	g_assert_cmpuint(counts_fixture(store, "cgroup=web").samples, ==, 1);
	g_assert_cmpuint(counts_fixture(store, "cgroup=^/system").samples, ==, 2);
	g_assert_cmpuint(counts_fixture(store, "cgroup=user cgroup=db").samples, ==, 2);
	g_assert_cmpuint(counts_fixture(store, "cgroup=^/$").samples, ==, 1);
	g_assert_cmpuint(counts_fixture(store, "cgroup=.").samples, ==, 4);
	g_assert_cmpuint(counts_fixture(store, "cgroup=bin").samples, ==, 0);
}

/* --- idle -------------------------------------------------------------------------------- */

static void test_idle(void)
{
	SelectionCounts only = counts_of(mixed, "idle=only");

	check("idle=drop", 7);
	check("idle=keep", 9);
	check("idle=only", 2);
	g_assert_cmpuint(only.idle, ==, 7); /* dropped for not being idle */
	g_assert_cmpuint(only.other_event, ==, 1);
	check("idle=only cpu=3", 1);
}

/* Only of the idle task; the interrupt on top of it is work, whatever is below. */
static void test_idle_leaf(void)
{
	static const char *const lines = "1 swapper 0/0 0 c 1 do_idle;intel_idle;irq\n"
					 "2 java    1/1 0 c 1 poll_idle\n"
					 "3 swapper 7/7 0 c 1 poll_idle\n"
					 "4 swapper 0/0 0 c 1 poll_idle\n"
					 "5 swapper 0/0 0 c 1\n";
	SelectionCounts counts = counts_of(lines, "");

	g_assert_cmpuint(counts.samples, ==, 4);
	g_assert_cmpuint(counts.idle, ==, 1);
}

/* Where no leaf of the idle task has a symbol all of them are presumed idle, and counted apart. */
static void test_idle_presumed(void)
{
	static const char *const lines = "1 swapper 0/0 0 c 5 x;@1f\n"
					 "2 swapper 0/0 1 c 5\n"
					 "3 java    1/1 0 c 5 @2f\n"
					 "4 java    1/1 0 d 5 @2f\n";
	SelectionCounts counts = counts_of(lines, "");

	g_assert_cmpuint(counts.samples, ==, 1);
	g_assert_cmpuint(counts.idle, ==, 0);
	g_assert_cmpuint(counts.idle_presumed, ==, 2);
	g_assert_cmpuint(counts_of(lines, "idle=only").samples, ==, 2);
	g_assert_cmpuint(counts_of(lines, "idle=keep").samples, ==, 3);
}

/* --- events ------------------------------------------------------------------------------ */

static uint64_t n_of_event(const char *lines, const char *words)
{
	return counts_of(lines, words).samples;
}

/* That of the earliest sample, by time; on equal times the bytewise smallest; never a dummy. */
static void test_default_event(void)
{
	g_assert_cmpuint(n_of_event("9 a 1/1 0 z 1\n1 a 1/1 0 b 1\n2 a 1/1 0 z 1\n", ""), ==, 1);
	g_assert_cmpuint(n_of_event("1 a 1/1 0 z 1\n1 a 1/1 0 b 1\n2 a 1/1 0 z 1\n", ""), ==, 1);
	g_assert_cmpuint(n_of_event("1 a 1/1 0 b 1\n1 a 1/1 0 B 1\n2 a 1/1 0 b 1\n", ""), ==, 1);
	g_assert_cmpuint(n_of_event("1 a 1/1 0 dummy:HG 1\n2 a 1/1 0 z 1\n3 a 1/1 0 z 1\n", ""), ==,
			 2);
	g_assert_cmpuint(n_of_event("1 a 1/1 0 dummy:u 1\n1 a 1/1 0 dummy 1\n2 a 1/1 0 z 1\n", ""),
			 ==, 1);
}

/* What is idle or filtered out has its say in it: the default is the recording's, no filter's. */
static void test_default_event_of_all(void)
{
	static const char *const lines = "1 swapper 0/0 0 c 1 do_idle\n2 java 1/1 0 d 1 f\n";

	g_assert_cmpuint(n_of_event(lines, ""), ==, 0);
	g_assert_cmpuint(n_of_event(lines, "comm=java"), ==, 0);
	g_assert_cmpuint(n_of_event(lines, "event=d"), ==, 1);
}

static void test_other_events_noted(void)
{
	g_autoptr(Store) store = store_fixture_new(mixed);
	g_autoptr(Notes) notes = notes_new(), named = notes_new(), all = notes_new();
	g_autoptr(Selection) a = selection_fixture(store, "", notes);
	g_autoptr(Selection) b = selection_fixture(store, "event=cycles", named);
	g_autoptr(Selection) c = selection_fixture(store, "event=all", all);
	g_assert_nonnull(c);

	g_assert_true(notes_fixture_has(notes, "faults"));
	g_assert_false(notes_has_shortfall(notes));
	g_assert_cmpstr(selection_event(a), ==, "cycles");
	g_assert_cmpstr(selection_event(b), ==, "cycles");
	g_assert_cmpuint(notes_count(named), ==, 0);
	g_assert_cmpuint(notes_count(all), ==, 0);
}

static const char *const modified = "1 a 1/1 0 cycles           1\n"
				    "2 a 1/1 0 cycles:u         1\n"
				    "3 a 1/1 0 cycles:P         1\n"
				    "4 a 1/1 0 cycles:uppp      1\n"
				    "5 a 1/1 0 cpu_core/cycles/ 1\n"
				    "6 a 1/1 0 cpu_atom/cycles/ 1\n"
				    "7 a 1/1 0 cpu_core/cycles/P 1\n"
				    "8 a 1/1 0 ref-cycles       1\n"
				    "9 a 1/1 0 cycles-ct        1\n"
				    "9 a 1/1 0 cpu_core/instructions/ 1\n"
				    "9 a 1/1 0 sched:sched_switch 1\n"
				    "9 a 1/1 0 cpu/mem-loads,ldlat=30/P 1\n"
				    "9 a 1/1 0 cpu-clock:uhpppH 1\n";

static void check_event(const char *name, uint64_t samples)
{
	g_autofree char *words = g_strdup_printf("event=%s", name);
	uint64_t counted = n_of_event(modified, words);

	if (counted != samples)
		g_error("'%s': %" G_GUINT64_FORMAT " samples, expected %" G_GUINT64_FORMAT, words,
			counted, samples);
}

static void test_named_event(void)
{
	check_event("all", 13);
	check_event("cycles", 7);
	check_event("cycles:u", 1);
	check_event("cycles:P", 1);
	check_event("cpu_core/cycles/", 1);
	check_event("cpu_atom/cycles/", 1);
	check_event("ref-cycles", 1);
	check_event("cycles-ct", 1);
	check_event("instructions", 1);
	check_event("sched:sched_switch", 1);
	check_event("mem-loads", 1);
	check_event("cpu-clock", 1);
	check_event("cpu-clock:uhpppH", 1);
}

/* An event with terms, not of a PMU: perf prints `cpu-clock/freq=100,call-graph=fp/u`. */
static void test_event_with_terms(void)
{
	static const char *const lines = "1 a 1/1 0 cpu-clock/freq=100,call-graph=fp/u 1\n"
					 "2 a 1/1 0 cpu/event=0x3c,umask=0x0/ 1\n"
					 "3 a 1/1 0 other 1\n";

	g_assert_cmpuint(n_of_event(lines, "event=cpu-clock/freq=100,call-graph=fp/u"), ==, 1);
	g_assert_cmpuint(n_of_event(lines, "event=cpu-clock"), ==, 1);
}

static void test_unknown_event(void)
{
	static const char *const names[] = { "cycle", "Cycles",	      "ycles",
					     "sched", "sched_switch", "core",
					     "",      "cycles:k",     "cpu_core" };
	g_autoptr(Store) store = store_fixture_new(modified);

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_auto(Query) query;
		g_autoptr(GError) error = NULL;

		query_init(&query);
		query.event = g_strdup(names[i]);
		g_autoptr(Selection) selection = selection_new(store, &query, NULL, &error);
		if (selection != NULL)
			g_error("'%s' matched", names[i]);
		g_assert_error(error, FLAMEBEAT_ERROR, FLAMEBEAT_ERROR_USAGE);
		g_assert_nonnull(strstr(error->message, "ref-cycles")); /* says what there is */
	}
}

/* Hybrid CPUs: the default is both halves. */
static void test_hybrid_default(void)
{
	static const char *const lines = "1 a 1/1 0 cpu_atom/cycles/P 1\n"
					 "2 a 1/1 0 cpu_core/cycles/P 1\n"
					 "3 a 1/1 0 cpu_core/instructions/P 1\n"
					 "4 a 1/1 0 cpu_core/cycles/P 1\n";

	g_assert_cmpuint(n_of_event(lines, ""), ==, 3);
}

/* --- weights ----------------------------------------------------------------------------- */

static void test_weight(void)
{
	g_autoptr(Store) store = store_fixture_new(mixed);
	g_autoptr(Selection) period = selection_fixture(store, "weight=period", NULL);
	g_autoptr(Selection) samples = selection_fixture(store, "", NULL);

	/* 1 where a sample has none. */
	g_assert_cmpuint(selection_fixture_walk(period, NULL, NULL).weight, ==,
			 100 + 120 + 80 + 70 + 60 + 50 + 1);
	g_assert_cmpuint(selection_fixture_walk(samples, NULL, NULL).weight, ==, 7);
	g_assert_cmpstr(selection_unit(samples), ==, "samples");
	g_assert_nonnull(strstr(selection_unit(period), "cycles"));
}

static void test_weight_limits(void)
{
	static const char *const lines = "1 a 1/1 0 c 18446744073709551614\n"
					 "2 a 1/1 0 c 0\n"
					 "3 a 1/1 0 c 18446744073709551614\n";

	g_assert_cmpuint(counts_of(lines, "weight=period range=0..1.5").weight, ==, UINT64_MAX - 1);
	g_assert_cmpuint(counts_of(lines, "weight=period range=1..2").weight, ==, 0);
	g_assert_cmpuint(counts_of(lines, "weight=period").weight, ==, UINT64_MAX);
}

/* --- time -------------------------------------------------------------------------------- */

static void test_ranges(void)
{
	check("range=0..1", 3);
	check("range=1..2", 2);
	check("range=2..3", 2);
	check("range=0.1..0.2", 1); /* half-open: from 0.1, up to 0.2 */
	check("range=0..0.1", 0);
	check("range=..1", 3);
	check("range=1..", 4);
	check("range=..", 7);
	check("range=-0.5..", 1); /* from 102.490000001 on; the last is idle */
	check("range=-0.5.. idle=keep", 2);
	check("range=@101..102", 2);
	check("range=1+900ms", 1);
	check("range=1+901ms", 2);
}

/* The union counts, nothing twice. */
static void test_several_ranges(void)
{
	check("range=0..1 range=0..1", 3);
	check("range=0..1.5 range=1..2", 5);
	check("range=2..3 range=0..1", 5);
	check("range=0..1 range=1..2 range=2..3", 7);
	check("range=0.15..0.15 range=0..1", 3);
}

static void test_reversed_range(void)
{
	g_autoptr(Store) store = store_fixture_new(mixed);
	g_autoptr(Notes) notes = notes_new();
	g_autoptr(Selection) selection = selection_fixture(store, "range=2..1", notes);

	g_assert_cmpuint(selection_fixture_walk(selection, NULL, NULL).samples, ==, 2);
	g_assert_true(notes_has_shortfall(notes));
	g_assert_true(notes_fixture_has(notes, "2..1"));
}

static void test_clamped_range(void)
{
	static const char *const words[] = { "range=-1000..1", "range=2..1000", "range=@0..50" };
	static const uint64_t expected[] = { 3, 2, 0 };
	g_autoptr(Store) store = store_fixture_new(mixed);

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		g_autoptr(Notes) notes = notes_new();
		g_autoptr(Selection) selection = selection_fixture(store, words[i], notes);

		g_assert_cmpuint(selection_fixture_walk(selection, NULL, NULL).samples, ==,
				 expected[i]);
		g_assert_true(notes_has_shortfall(notes));
	}
}

/* What the heat map shows is no reason for a note: whole seconds at both ends. */
static void test_range_within(void)
{
	static const char *const words[] = { "range=0..3", "range=0..0.05", "range=2.995..3" };
	g_autoptr(Store) store = store_fixture_new(mixed);

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		g_autoptr(Notes) notes = notes_new();
		g_autoptr(Selection) selection = selection_fixture(store, words[i], notes);
		size_t n;

		g_assert_false(notes_has_shortfall(notes));
		selection_ranges(selection, &n);
		g_assert_cmpuint(n, ==, 1);
	}
}

static void test_chosen_ranges(void)
{
	g_autoptr(Store) store = store_fixture_new(mixed);
	g_autoptr(Selection) some =
		selection_fixture(store, "range=1.5..2 range=0..1 range=0.5..1.25", NULL);
	g_autoptr(Selection) none = selection_fixture(store, "", NULL);
	size_t n;
	const TimeRange *ranges = selection_ranges(some, &n);

	g_assert_cmpuint(n, ==, 2);
	g_assert_cmpint(ranges[0].begin_ns, ==, 100 * NS_PER_SECOND);
	g_assert_cmpint(ranges[0].end_ns, ==, 101250 * NS_PER_MS);
	g_assert_cmpint(ranges[1].begin_ns, ==, 101500 * NS_PER_MS);
	selection_ranges(none, &n);
	g_assert_cmpuint(n, ==, 0);
}

static void check_zero(const char *lines, const char *words, int64_t expected_ms)
{
	g_autoptr(Store) store = store_fixture_new(lines);
	g_autoptr(Selection) selection = selection_fixture(store, words, NULL);

	g_assert_cmpint(selection_zero_ns(selection), ==, expected_ms * NS_PER_MS);
}

/* The whole second at or before the earliest sample of all, idle and other events included. */
static void test_zero(void)
{
	check_zero(mixed, "", 100000);
	check_zero(mixed, "pid=20 range=1..2", 100000);
	check_zero(mixed, "zero=first", 100100);
	check_zero(mixed, "zero=@101.5", 101500);
	check_zero(mixed, "zero=1.5", 101500);
	check_zero("7 a 1/1 0 c 1\n", "", 7000);
	check_zero("-0.25 a 1/1 0 c 1\n", "", -1000);
	check_zero("3.2 a 1/1 0 d 1\n1.9 swapper 0/0 0 e 1 do_idle\n", "event=d", 1000);
	check_zero("", "", 0);
}

static void test_range_from_zero(void)
{
	check("zero=first range=0..0.1", 1);
	check("zero=first range=0..0.1001", 2);
	check("zero=@101 range=0..1", 2);
	check("zero=1 range=0..1", 2);
}

/* --- phases ------------------------------------------------------------------------------ */

static void test_phase(void)
{
	/* Of every second: .10 .20 (.25) .30 .10 .90 .00 .50 (.99) */
	check("every=1s phase=0..0.15", 3);
	check("every=1s phase=0.1..0.2", 2);
	check("every=1s phase=100ms..200ms", 2);
	check("every=1 phase=0.9..0.15", 4);
	check("every=1s phase=0..1", 7);
	check("every=1s phase=0.5..0.5", 0);
	check("every=1s phase=0..0.15 range=1..3", 2);
	check("every=1s phase=0..0.1 every-origin=0.1", 2);
	check("every=1s phase=0..0.1 every-origin=@55.1", 2);
	check("every=1s phase=0..0.1 every-origin=2.1", 2); /* periods reach back from it, too */
	check("every=1s phase=0..0.1 zero=first", 2);
	check("every=1h phase=0..0.5", 7);
}

static void test_phase_words(void)
{
	static const char *const words[] = {
		"every=1s",	    "phase=0..0.5",
		"every-origin=1",   "every=1s phase=0..1.1",
		"every=1s phase=x", "every=1s phase=0..0.5 every-origin=x",
		"range=x",	    "zero=x",
		"zero=14:03",	    "cpu=x",
		"cpu=3-1",	    "cpu=-1",
		"cpu=0,",	    "cpu=1-2-3"
	};
	g_autoptr(Store) store = store_fixture_new(mixed);

	for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
		g_auto(Query) query;
		g_autoptr(GError) error = NULL;

		query_init(&query);
		/* What is wrong whatever the recording may be found early. */
		if (query_fixture_try(&query, words[i], &error) &&
		    selection_new(store, &query, NULL, &error) != NULL)
			g_error("'%s' was accepted", words[i]);
		g_assert_error(error, FLAMEBEAT_ERROR, FLAMEBEAT_ERROR_USAGE);
	}
}

/* --- untimed ----------------------------------------------------------------------------- */

static const char *const half_timed =
	"1 a 1/1 0 c 1\n- a 1/1 0 c 1\n2 a 1/1 0 c 1\n- b 2/2 0 c 1\n";

static void test_untimed(void)
{
	g_assert_cmpuint(counts_of(half_timed, "").samples, ==, 4);
	g_assert_cmpuint(counts_of(half_timed, "pid=2").samples, ==, 1);
	g_assert_cmpuint(counts_of(half_timed, "range=0..10").samples, ==, 2);
	g_assert_cmpuint(counts_of(half_timed, "every=10s phase=0..1").samples, ==, 2);
}

static void test_untimed_noted(void)
{
	g_autoptr(Store) store = store_fixture_new(half_timed);
	g_autoptr(Notes) notes = notes_new(), quiet = notes_new();
	g_autoptr(Selection) selection = selection_fixture(store, "range=0..10", notes);
	g_autoptr(Selection) all = selection_fixture(store, "", quiet);
	g_assert_cmpuint(selection_fixture_walk(selection, NULL, NULL).samples, ==, 2);

	g_assert_true(notes_fixture_has(notes, "2 samples have no time"));
	g_assert_true(notes_has_shortfall(notes));
	g_assert_cmpuint(notes_count(quiet), ==, 0);
	g_assert_true(selection_require_time(all, quiet, NULL));
	g_assert_true(notes_has_shortfall(quiet));
	g_assert_cmpuint(selection_fixture_walk(all, NULL, NULL).samples, ==, 2);
}

static void test_all_untimed(void)
{
	g_autoptr(Store) store = store_fixture_new("- a 1/1 0 c 1 f\n- a 1/1 0 c 1 f\n");
	g_autoptr(Selection) selection = selection_fixture(store, "", NULL);
	g_autoptr(GError) error = NULL;
	g_auto(Query) query;

	g_assert_cmpuint(selection_fixture_walk(selection, NULL, NULL).samples, ==, 2);
	g_assert_false(selection_require_time(selection, NULL, &error));
	g_assert_error(error, FLAMEBEAT_ERROR, FLAMEBEAT_ERROR_FAILED);
	g_assert_nonnull(strstr(error->message, "--per-thread")); /* the advice */
	g_clear_error(&error);
	query_init(&query);
	query_fixture(&query, "range=0..1");
	g_assert_null(selection_new(store, &query, NULL, &error));
	g_assert_error(error, FLAMEBEAT_ERROR, FLAMEBEAT_ERROR_FAILED);
}

/* --- filters that match nothing ---------------------------------------------------------- */

static void check_matches_nothing(const char *words)
{
	g_autoptr(Store) store = store_fixture_new(mixed);
	g_autoptr(Notes) notes = notes_new();
	g_autoptr(Selection) selection = selection_fixture(store, words, notes);
	SelectionCounts counts = selection_fixture_walk(selection, NULL, NULL);

	g_assert_cmpuint(counts.samples, ==, 0);
	if (!notes_has_shortfall(notes))
		g_error("'%s' matches nothing, and nobody says so", words);
}

static void test_matches_nothing(void)
{
	check_matches_nothing("comm=nobody");
	check_matches_nothing("process=nobody");
	check_matches_nothing("pid=4711");
	check_matches_nothing("tid=4711");
	check_matches_nothing("match=nothing");
	check_matches_nothing("exclude=. match=main");
}

/* Paths of libraries are no cgroups. */
static void test_no_such_cgroup(void)
{
	check_matches_nothing("cgroup=nowhere");
	check_matches_nothing("cgroup=bin");
}

static void test_no_such_cpu(void)
{
	check_matches_nothing("cpu=7");
}

/* --- ends of the clock ------------------------------------------------------------------- */

/* The latest times that a recording's text can hold: nothing overflows. */
static void test_far_times(void)
{
	static const char *const lines[] = { "1 a 1/1 0 c 1\n9223372035.5 a 1/1 0 c 1\n",
					     "1 a 1/1 0 c 1\n9223372036.5 a 1/1 0 c 1\n",
					     "9223372036.854775807 a 1/1 0 c 1\n1 a 1/1 0 c 1\n" };

	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
		g_assert_cmpuint(counts_of(lines[i], "").samples, ==, 2);
		g_assert_cmpuint(counts_of(lines[i], "range=0..1").samples, ==, 1);
		g_assert_cmpuint(counts_of(lines[i], "range=..2").samples, ==, 1);
		counts_of(lines[i], "every=7s phase=0.1..0.2 every-origin=5");
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/selection/counts", test_counts);
	g_test_add_func("/selection/everything", test_everything);
	g_test_add_func("/selection/empty-store", test_empty_store);
	g_test_add_func("/selection/rewind", test_rewind);
	g_test_add_func("/selection/blocks", test_blocks);
	g_test_add_func("/selection/blocks/many", test_many_blocks);
	g_test_add_func("/selection/threads", test_threads);
	g_test_add_func("/selection/process", test_process);
	g_test_add_func("/selection/cpus", test_cpus);
	g_test_add_func("/selection/stacks", test_stacks);
	g_test_add_func("/selection/stacks/displayed-names", test_displayed_names);
	g_test_add_func("/selection/any-bytes", test_names_of_any_bytes);
	g_test_add_func("/selection/cgroups", test_cgroups);
	g_test_add_func("/selection/idle", test_idle);
	g_test_add_func("/selection/idle/leaf", test_idle_leaf);
	g_test_add_func("/selection/idle/presumed", test_idle_presumed);
	g_test_add_func("/selection/event/default", test_default_event);
	g_test_add_func("/selection/event/default-of-all", test_default_event_of_all);
	g_test_add_func("/selection/event/others-noted", test_other_events_noted);
	g_test_add_func("/selection/event/named", test_named_event);
	g_test_add_func("/selection/event/terms", test_event_with_terms);
	g_test_add_func("/selection/event/unknown", test_unknown_event);
	g_test_add_func("/selection/event/hybrid-default", test_hybrid_default);
	g_test_add_func("/selection/weight", test_weight);
	g_test_add_func("/selection/weight/limits", test_weight_limits);
	g_test_add_func("/selection/range", test_ranges);
	g_test_add_func("/selection/range/several", test_several_ranges);
	g_test_add_func("/selection/range/reversed", test_reversed_range);
	g_test_add_func("/selection/range/clamped", test_clamped_range);
	g_test_add_func("/selection/range/within", test_range_within);
	g_test_add_func("/selection/range/chosen", test_chosen_ranges);
	g_test_add_func("/selection/zero", test_zero);
	g_test_add_func("/selection/zero/range", test_range_from_zero);
	g_test_add_func("/selection/phase", test_phase);
	g_test_add_func("/selection/nonsense", test_phase_words);
	g_test_add_func("/selection/untimed", test_untimed);
	g_test_add_func("/selection/untimed/noted", test_untimed_noted);
	g_test_add_func("/selection/untimed/all", test_all_untimed);
	g_test_add_func("/selection/matches-nothing", test_matches_nothing);
	g_test_add_func("/selection/matches-nothing-cpu", test_no_such_cpu);
	g_test_add_func("/selection/matches-nothing-cgroup", test_no_such_cgroup);
	g_test_add_func("/selection/far-times", test_far_times);
	return g_test_run();
}
