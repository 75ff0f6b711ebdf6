/* SPDX-License-Identifier: MIT */
/*
 * Texts that are hardly perf script's: noise from `2>&1`, junk, nothing at all; and the recordings
 * printed by perf 6.1 in /work/shared/data/perf-6.1, whose counts were taken by other means.
 */

#include <glib.h>
#include <string.h>

#include "parse/skips.h"
#include "store/error.h"
#include "tests/parse-fixture.h"

static uint64_t skipped(const Store *store, SkipReason reason)
{
	g_autofree char *key = g_strconcat(FACT_SKIPPED, skip_reason_name(reason), NULL);

	return store_fact_count(store, key);
}

/* --- noise ------------------------------------------------------------------------------- */

static const char *const messages[] = {
	"Warning:",
	"Processed 1234 samples and lost 5.67%!",
	"8 out of order events recorded.",
	"[ perf record: Woken up 1 times to write data ]",
	"[ perf record: Captured and wrote 0.016 MB perf.data (12 samples) ]",
	"WARNING: The perf.data file's data size field is 0 which is unexpected.",
	"Was the 'perf record' command properly terminated?",
	"addr2line: DWARF error: could not find variable specification",
	"Failed to open /tmp/perf-123.map, continuing without symbols",
	" instruction trace error type 1 time 4525.744123981 cpu 0 pid 21595 tid 21595 ip 0 code "
	"8: "
	"Lost trace data",
	"'trace' not valid for hardware events. Ignoring.",
	"Couldn't find a vmlinux",
	"no symbols found in /usr/bin/x, maybe install a debug package?",
};

static char *with_messages(void)
{
	GString *text = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(messages); i++)
		g_string_append_printf(text,
				       "%s\n"
				       "a 1  1.%06d: 1 c: \n"
				       "\t 1 f (/x)\n"
				       "%s\n"
				       "\t 2 g (/x)\n"
				       "\n",
				       messages[i], (int)i * 10 + 1, messages[i]);
	return g_string_free(text, FALSE);
}

/* Wherever they stand, records are whole, and the lines are counted for what they are. */
static void test_noise(void)
{
	g_autofree char *text = with_messages();
	g_autoptr(Store) store = parse_fixture_load(text, NULL);
	g_autofree char *samples = parse_fixture_samples(store);
	g_autoptr(GString) expected = g_string_new(NULL);

	for (size_t i = 0; i < G_N_ELEMENTS(messages); i++)
		g_string_append_printf(expected, "1.%06d a -/1 - c 1 g (/x);f (/x)\n",
				       (int)i * 10 + 1);
	g_assert_cmpstr(samples, ==, expected->str);
	g_assert_cmpuint(skipped(store, SKIP_MESSAGE), ==, 2 * G_N_ELEMENTS(messages));
	g_assert_cmpuint(skipped(store, SKIP_UNRECOGNISED), ==, 0);
}

/* Known noise is no shortfall: all of the recording was read (formats.md 6, row 35). */
static void test_noise_is_no_shortfall(void)
{
	g_autoptr(Notes) notes = notes_new();
	g_autoptr(Store) store =
		parse_fixture_load("[ perf record: Woken up 1 times to write data ]\n"
				   "a 1  1.000001: 1 c: \n\t 1 f (/x)\n",
				   notes);

	g_assert_cmpuint(store->n_samples, ==, 1);
	g_assert_false(notes_has_shortfall(notes));
}

/* A message that landed within a frame cuts it in two; nothing else is harmed. */
static void test_noise_within_a_frame(void)
{
	parse_fixture_check(
		"a 1  1.000001: 1 c: \n"
		"\tffffffff813a7022 affine_move_task+0x1a2 ([kernel.kallsyms])\n"
		"8 out of order events recorded.\n"
		"3a75e0 __set_cpus_allowed_ptr+0x50 ([kernel.kallsyms])\n"
		"\tffffffff813cc9ca __sched_setaffinity+0x6a ([kernel.kallsyms])\n"
		"\n"
		"a 1  1.000002: 1 c: \n",
		"1.000001 a -/1 - c 1 __sched_setaffinity ([kernel.kallsyms]);"
		"__set_cpus_allowed_ptr ([kernel.kallsyms]);affine_move_task ([kernel.kallsyms])\n"
		"1.000002 a -/1 - c 1 \n");
}

/* How many, why, and where the first five are. */
static void test_skips(void)
{
	g_autoptr(Notes) notes = notes_new();
	g_autoptr(GString) text = g_string_new("\t 1 orphan (/x)\n"	/* 1 */
					       "a 1  1.000001: 1 c: \n" /* 2 */
					       "\t 1 f (/x)\n\n"	/* 3, 4 */
					       "what is this?\n"	/* 5 */
					       "Warning:\n"		/* 6 */
					       "and this\n");		/* 7 */
	for (int i = 0; i < 10; i++)
		g_string_append_printf(text, "a 1  1.%06d: 1 c: \n\n", i + 2); /* 8 … 27 */
	g_string_append(text, "really\nnot\n");				       /* 28, 29 */
	g_autoptr(Store) store = parse_fixture_load(text->str, notes);
	static const int lines[] = { 1, 5, 6, 7, 28 };

	g_assert_cmpuint(store->n_samples, ==, 11);
	g_assert_cmpuint(skipped(store, SKIP_ORPHAN_FRAME), ==, 1);
	g_assert_cmpuint(skipped(store, SKIP_UNRECOGNISED), ==, 4);
	g_assert_cmpuint(skipped(store, SKIP_MESSAGE), ==, 1);
	for (int i = 0; i < 5; i++) {
		g_autofree char *key = g_strdup_printf(FACT_SKIPPED_LINE "%d", i);
		g_autofree char *part = g_strdup_printf(":%d: ", lines[i]);

		g_assert_cmpint(text_find(store_fact(store, key), part), >, 0);
	}
	g_assert_true(notes_has_shortfall(notes));
	g_assert_true(g_str_has_prefix(notes_get(notes, 0),
				       "11 samples, 1 frame; 5 lines skipped (first at "));
	g_assert_nonnull(strstr(notes_get(notes, 0), ":1: a frame"));
}

/* A file name or a printk with a newline: its rest is no line of perf's, and costs nothing else. */
static void test_payload_with_newline(void)
{
	parse_fixture_check("a 1 [000]  1.000001: printk:console: hello\n"
			    "world\n"
			    "\t 1 f (/x)\n"
			    "\n"
			    "a 1 [000]  1.000002: 1 c: \n",
			    "1.000001 a -/1 0 printk:console - f (/x)\n1.000002 a -/1 0 c 1 \n");
}

static void test_nul_bytes(void)
{
	static const char text[] = "a 1  1.000001: 1 c: \n\t 1 f (/x)\n\nju\0nk\n\0\0\0\n"
				   "\0a 1  1.000002: 1 c: \n\t 1 g\0h (/x)\n";
	g_autoptr(GError) error = NULL;
	g_autoptr(Store) store = parse_fixture_try(text, sizeof(text) - 1, NULL, NULL, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(store->n_samples, ==, 2);
	g_assert_cmpuint(skipped(store, SKIP_UNRECOGNISED), ==, 2);
	g_assert_true(text_equal(store_frame(store, 1).symbol, TEXT("g\0h")));
}

/* --- texts that are none ----------------------------------------------------------------- */

static void check_refused_bytes(const char *text, size_t n, const char *part)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Store) store = parse_fixture_try(text, n, NULL, NULL, &error);

	g_assert_null(store);
	g_assert_error(error, FLAMEBEAT_ERROR, FLAMEBEAT_ERROR_FAILED);
	if (strstr(error->message, part) == NULL)
		g_error("'%s' does not say '%s'", error->message, part);
	g_assert_null(strchr(error->message, '\n'));
}

static void check_refused(const char *text, const char *part)
{
	check_refused_bytes(text, strlen(text), part);
}

static void test_nothing(void)
{
	check_refused("", "no input");
	check_refused("# ========\n# hostname : vm\n# ========\n#\n", "header but no samples");
	check_refused("# ========\n# hostname : vm\n", "# ========");
	check_refused("a 1 [000] 0.000000: PERF_RECORD_COMM: bash:12/12\n", "no sample");
	check_refused("PERFILE2........................", "perf");
}

static void test_not_perf_script(void)
{
	check_refused("hello\nworld\n", "does not look like");
	check_refused("\n\n\n", "does not look like");
	check_refused("     0.036 ( 0.002 ms): ls/18061 brk() = 0x55e8\n"
		      "     0.066 ( 0.004 ms): ls/18061 access(filename: 0x7f) = -1 ENOENT\n",
		      "does not look like");
	check_refused("bash-1234 [001] d..2. 1234.5: sched_switch: x\n", "does not look like");
}

/* Two event lines by chance among junk are junk. */
static void test_mostly_junk(void)
{
	g_autoptr(GString) text = g_string_new("a 1  1.000001: 1 c: \na 1  1.000002: 1 c: \n");

	for (int i = 0; i < 20; i++)
		g_string_append_printf(text, "line %d of a novel\n", i);
	check_refused(text->str, "does not look like");
}

static void test_random_bytes(void)
{
	char bytes[5000];

	for (int round = 0; round < 20; round++) {
		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = (char)g_test_rand_int();
		bytes[0] = 'x';
		check_refused_bytes(bytes, sizeof(bytes), "");
	}
}

/* The decimal point of other locales, and decimals that perf does not print. */
static void test_other_times(void)
{
	check_refused("a 1  1510,143803: 1 c: \na 1  1510,143804: 1 c: \n", ":1:");
	check_refused("a 1  1.5: 1 c: \na 1  1.6: 1 c: \n", ":1:");
}

/* An empty event line for each sample: they cannot be told from blank lines. */
static void test_no_event_lines(void)
{
	check_refused("\n\t            8e2a do_lookup_x\n\n\n\t            1749 f\n", "event line");
}

static void test_shared_no_event_lines(void)
{
	g_autofree char *text = NULL;
	gsize n;

	if (!g_file_get_contents("/work/shared/data/perf-6.1/f-ip-sym-only.txt", &text, &n, NULL)) {
		g_test_skip("the shared recordings are not here");
		return;
	}
	check_refused_bytes(text, n, "event line");
}

/* --- perf 6.1's own output --------------------------------------------------------------- */

/*
 * Events: lines that do not begin with a TAB, are not blank, and are no header, source line or
 * register line; frames: lines that begin with a TAB, or `(…)` after an address on event lines.
 * Counted with grep -cP '^\t' and grep -cP '^[^\t\n]' (LC_ALL=C).
 */
static void check_counts(const char *name, uint64_t samples, uint64_t frames, uint64_t n_skipped)
{
	g_autofree char *path = g_strconcat("perf-6.1/", name, NULL);
	g_autoptr(Store) store = parse_fixture_shared(path);
	uint64_t sum = 0;

	if (store == NULL)
		return;
	for (int i = 0; i < N_SKIPS; i++)
		sum += skipped(store, (SkipReason)i);
	if (store->n_samples != samples || sum != n_skipped ||
	    store_fact_count(store, FACT_FRAMES) != frames)
		g_error("%s: %" G_GUINT64_FORMAT " samples, %" G_GUINT64_FORMAT
			" frames, %" G_GUINT64_FORMAT " skipped",
			name, store->n_samples, store_fact_count(store, FACT_FRAMES), sum);
}

static void test_shared_counts(void)
{
	check_counts("comm-variants-callchain.txt", 215, 440, 6);
	check_counts("cpp-dwarf-srcline.txt", 30, 214, 0);
	check_counts("cpp-dwarf-inlined.txt", 60, 429, 0);
	check_counts("cpp-srccode.txt", 10, 20, 0);
	check_counts("page-faults-noaddr.txt", 102, 102, 0);
	check_counts("simpleperf-legacy.txt", 2, 3, 0);
	check_counts("uregs-callchain.txt", 20, 45, 0); /* 20 of the 40 lines are ` ABI:2 …` */
	check_counts("uregs-singleline.txt", 20, 20, 0);
	check_counts("multi-events.txt", 44, 212, 0);
	check_counts("ns.txt", 19, 40, 0);
	check_counts("reltime.txt", 19, 40, 0);
	check_counts("untimed.txt", 19, 41, 0);
	check_counts("pipe-mode-header.txt", 9, 16, 0); /* 36 lines without TAB, 27 begin with # */
	check_counts("node-perf-basic-prof.txt", 25, 451, 0);
	check_counts("tracepoints-nocallchain.txt", 130, 0, 0);
	check_counts("uprobes.txt", 10, 20, 0);
	check_counts("f-no-dso.txt", 6, 49, 0);
	check_counts("f-no-event.txt", 11, 25, 0);
	check_counts("f-no-tid.txt", 11, 25, 0);
	check_counts("itrace-errors.txt", 1, 1, 1);
}

/* 215 lines match `15[0-9]{3}  125[12].[0-9]{6}:`; 6 are the `nl` that a name's newline leaves. */
static void test_shared_singleline(void)
{
	check_counts("comm-variants-singleline.txt", 215, 215, 6);
}

/* The thread's name is what stands before `TID  125x.xxxxxx:`, without padding. */
static void test_shared_comms(void)
{
	static const struct {
		int32_t tid;
		const char *comm;
	} threads[] = {
		{ 15382, "plain" },
		{ 15383, "two words" },
		{ 15384, "three word comm" },
		{ 15385, "a:b" },
		{ 15386, "kworker/0:1-ev" },
		{ 15387, "(sd-pam)" },
		{ 15388, "foo (bar)" },
		{ 15389, "123" },
		{ 15390, "1234 567" },
		{ 15391, "a 12/34" },
		{ 15392, "x 1 [000]" },
		{ 15393, "1.5: cpu-clock:" },
		{ 15394, "a 1 2.000000: c" },
		{ 15395, "" },
		{ 15397, "lead" },
		{ 15398, "trail" },
		{ 15399, "" },
		{ 15400, "\xc3\xa9t\xc3\xa9 \xe2\x82\xac" },
		{ 15401, "\xff\xfe bad" },
		{ 15402, "tab\there" },
		{ 15403, "here" },
		{ 15404, "semi;colon" },
		{ 15405, "quo\"te'" },
		{ 15406, "back\\slash" },
		{ 15407, "<b>html&amp;" },
		{ 15408, ":1234" },
		{ 15409, ":-1" },
		{ 15410, "#hash" },
		{ 15411, "# comment" },
		{ 15412, "-dash" },
		{ 15425, "[kthread]" },
		{ 15435, "[001]" },
		{ 15436, "new\rcr" },
		{ 15437, "\x1b[31mred" },
		{ 15445, "a->b" },
		{ 15453, "%d%s" },
		{ 15462, "swapper/0" },
		{ 15463, "java;::" },
		{ 15464, "x+0x10" },
	};
	g_autoptr(Store) store = parse_fixture_shared("perf-6.1/comm-variants-callchain.txt");

	if (store == NULL)
		return;
	g_assert_cmpuint(store_n_threads(store), ==, G_N_ELEMENTS(threads));
	/* Threads ascend by their earliest sample, as their ids do here. */
	for (uint32_t i = 0; i < G_N_ELEMENTS(threads); i++) {
		StoreThread thread = store_thread(store, i);

		g_assert_cmpint(thread.tid, ==, threads[i].tid);
		g_assert_cmpint(thread.pid, ==, ID_NONE);
		if (!text_equal(thread.comm, text_from(threads[i].comm)))
			g_error("%d is '%.*s', expected '%s'", thread.tid, (int)thread.comm.len,
				thread.comm.data, threads[i].comm);
	}
}

/* Counted with awk: $NF before the payload, periods of page-faults summed. */
static void test_shared_events(void)
{
	g_autoptr(Store) store = parse_fixture_shared("perf-6.1/multi-events.txt");
	static const struct {
		const char *name;
		uint64_t samples, period;
	} events[] = { { "sched:sched_switch", 6, 0 },
		       { "syscalls:sys_enter_openat", 32, 0 },
		       { "page-faults", 6, 331 } };
	uint64_t on_cpu_0 = 0;

	if (store == NULL)
		return;
	g_assert_cmpuint(store_n_events(store), ==, G_N_ELEMENTS(events));
	for (uint32_t i = 0; i < G_N_ELEMENTS(events); i++) {
		g_autofree char *samples = g_strdup_printf(FACT_EVENT_SAMPLES "%u", i);
		g_autofree char *period = g_strdup_printf(FACT_EVENT_PERIOD "%u", i);

		g_assert_true(text_equal(store_event_name(store, i), text_from(events[i].name)));
		g_assert_cmpuint(store_fact_count(store, samples), ==, events[i].samples);
		g_assert_cmpuint(store_fact_count(store, period), ==, events[i].period);
	}
	for (uint64_t i = 0; i < store->n_samples; i++)
		on_cpu_0 += column_get(&store->columns[SECTION_CPU], i) == 1;
	g_assert_cmpuint(on_cpu_0, ==, 2);
	g_assert_true(text_equal(store_fact(store, FACT_CPUS), TEXT("0-1")));
}

/* 79 side records (grep -c PERF_RECORD_), 13 of them with two lines more, and no sample; with one
 * sample behind them they can be counted. */
static void test_shared_side_records(void)
{
	g_autofree char *text = NULL;

	if (!g_file_get_contents("/work/shared/data/perf-6.1/sideband-records.txt", &text, NULL,
				 NULL)) {
		g_test_skip("the shared recordings are not here");
		return;
	}
	g_autofree char *with_sample =
		g_strconcat(text, "a 1 [000]  1.000001: 1 c: \n\t 1 f (/x)\n", NULL);
	g_autoptr(Store) store = parse_fixture_load(with_sample, NULL);

	g_assert_cmpuint(store->n_samples, ==, 1);
	g_assert_cmpuint(store_fact_count(store, FACT_SIDE_RECORDS), ==, 79);
	g_assert_cmpuint(skipped(store, SKIP_UNRECOGNISED), ==, 0);
	g_assert_cmpuint(skipped(store, SKIP_ORPHAN_FRAME), ==, 0);
	g_assert_cmpint(store_start_ns(store), ==, 1000001000);
	check_refused(text, "no sample");
}

/* The stacks of the first `n` samples, a line each. */
static char *stacks_of(const Store *store, uint64_t n)
{
	g_autofree char *samples = parse_fixture_samples(store);
	g_auto(GStrv) lines = g_strsplit(samples, "\n", -1);
	GString *stacks = g_string_new(NULL);

	for (uint64_t i = 0; i < n && lines[i] != NULL; i++) {
		/* TIME COMM PID/TID CPU EVENT PERIOD: none of these names has blanks. */
		g_auto(GStrv) words = g_strsplit(lines[i], " ", 7);
		g_string_append_printf(stacks, "%s\n", words[6]);
	}
	return g_string_free(stacks, FALSE);
}

static void check_same_stacks(const char *one, const char *other, uint64_t n)
{
	g_autoptr(Store) a = parse_fixture_shared(one);
	g_autoptr(Store) b = parse_fixture_shared(other);

	if (a == NULL || b == NULL)
		return;
	g_autofree char *x = stacks_of(a, n), *y = stacks_of(b, n);
	g_assert_cmpstr(x, ==, y);
}

/* The sample that both files have: what is inlined, and where, does not depend on the fields. */
static void test_shared_srcline_same(void)
{
	check_same_stacks("perf-6.1/cpp-dwarf-inlined.txt", "perf-6.1/cpp-dwarf-srcline.txt", 1);
}

static void test_shared_times_same(void)
{
	check_same_stacks("perf-6.1/ns.txt", "perf-6.1/reltime.txt", 19);
}

static void test_shared_times(void)
{
	g_autoptr(Store) ns = parse_fixture_shared("perf-6.1/ns.txt");
	g_autoptr(Store) relative = parse_fixture_shared("perf-6.1/reltime.txt");
	g_autoptr(Store) untimed = parse_fixture_shared("perf-6.1/untimed.txt");

	if (ns == NULL || relative == NULL || untimed == NULL)
		return;
	g_assert_cmpint(store_start_ns(ns), ==, 1505355868356);
	g_assert_cmpint(ns->tick_ns, ==, 1);
	g_assert_cmpint(store_start_ns(relative), ==, 0);
	g_assert_cmpuint(relative->n_timed, ==, 19);
	g_assert_cmpuint(untimed->n_timed, ==, 0);
}

/* Printed with --deltatime: each time is the distance to the one before; not to be guessed at. */
static void test_shared_deltatime(void)
{
	g_autofree char *text = NULL;
	gsize n;

	if (!g_file_get_contents("/work/shared/data/perf-6.1/deltatime.txt", &text, &n, NULL)) {
		g_test_skip("the shared recordings are not here");
		return;
	}
	check_refused_bytes(text, n, "deltatime");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/perf-script-files/noise", test_noise);
	g_test_add_func("/perf-script-files/noise/no-shortfall", test_noise_is_no_shortfall);
	g_test_add_func("/perf-script-files/noise/within-a-frame", test_noise_within_a_frame);
	g_test_add_func("/perf-script-files/skips", test_skips);
	g_test_add_func("/perf-script-files/payload-with-newline", test_payload_with_newline);
	g_test_add_func("/perf-script-files/nul-bytes", test_nul_bytes);
	g_test_add_func("/perf-script-files/nothing", test_nothing);
	g_test_add_func("/perf-script-files/not-perf-script", test_not_perf_script);
	g_test_add_func("/perf-script-files/mostly-junk", test_mostly_junk);
	g_test_add_func("/perf-script-files/random-bytes", test_random_bytes);
	g_test_add_func("/perf-script-files/other-times", test_other_times);
	g_test_add_func("/perf-script-files/no-event-lines", test_no_event_lines);
	g_test_add_func("/perf-script-files/shared/no-event-lines", test_shared_no_event_lines);
	g_test_add_func("/perf-script-files/shared/counts", test_shared_counts);
	g_test_add_func("/perf-script-files/shared/singleline", test_shared_singleline);
	g_test_add_func("/perf-script-files/shared/comms", test_shared_comms);
	g_test_add_func("/perf-script-files/shared/events", test_shared_events);
	g_test_add_func("/perf-script-files/shared/side-records", test_shared_side_records);
	g_test_add_func("/perf-script-files/shared/srcline", test_shared_srcline_same);
	g_test_add_func("/perf-script-files/shared/times", test_shared_times);
	g_test_add_func("/perf-script-files/shared/same-stacks", test_shared_times_same);
	g_test_add_func("/perf-script-files/shared/deltatime", test_shared_deltatime);
	return g_test_run();
}
