/* SPDX-License-Identifier: MIT */
/*
 * Texts in which somebody's names hold lines that look like perf's: perf prints them raw. They cost
 * no more than the record they stand in, and are said to be suspicious. The first texts are those
 * of perf 6.1 for an exec of such files.
 */

#include <glib.h>
#include <string.h>

#include "parse/event-line.h"
#include "tests/parse-fixture.h"

#define EXEC "sched:sched_process_exec"
#define HEAD "sh 18503 [000] 12829.967810: " EXEC ": filename=/tmp/evil"
#define TAIL                                                                                       \
	" pid=18503 old_pid=18503\n"                                                               \
	"\tffffffff8139be59 __traceiter_sched_process_exec+0x39 ([kernel.kallsyms])\n"             \
	"\t           1ab70 _start+0x0 (/usr/lib/ld.so)\n"                                         \
	"\n"
#define NEXT                                                                                       \
	"next 7 [001] 12830.000001: " EXEC ": filename=/bin/sh pid=7 old_pid=7\n"                  \
	"\tffffffff8139be59 __traceiter_sched_process_exec+0x39 ([kernel.kallsyms])\n"             \
	"\n"                                                                                       \
	"next 7 [001] 12830.000002:    1003009 cpu-clock: \n"                                      \
	"\t            1234 main+0x4 (/bin/sh)\n"                                                  \
	"\n"

/* Of the two samples of NEXT. */
static const char *const next_samples =
	"12830.000001 next -/7 1 " EXEC " - __traceiter_sched_process_exec ([kernel.kallsyms])\n"
	"12830.000002 next -/7 1 cpu-clock 1003009 main (/bin/sh)\n";

/* What `evil` in a file's name does: at most `n_forged` samples more, all behind the first in the
 * text, and those of NEXT are as ever. */
static void check_evil(const char *evil, uint64_t n_forged, uint64_t n_suspicious)
{
	g_autofree char *text = g_strconcat(NEXT, HEAD, evil, TAIL, NEXT, NULL);
	g_autoptr(Notes) notes = notes_new();
	g_autoptr(Store) store = parse_fixture_load(text, notes);
	g_autofree char *samples = parse_fixture_samples(store);
	g_autofree char *note = g_strdup_printf("suspicious in %d place", (int)n_suspicious);
	bool is_noted = false;

	if (store->n_samples != 5 + n_forged ||
	    store_fact_count(store, FACT_SUSPICIOUS) != n_suspicious)
		g_error("'%s': %d samples, %d suspicious", evil, (int)store->n_samples,
			(int)store_fact_count(store, FACT_SUSPICIOUS));
	g_assert_nonnull(strstr(samples, "12829.96781 sh -/18503 0 " EXEC));
	/* Each line of NEXT's twice, in order of time. */
	for (const char *line = next_samples; *line != '\0'; line = strchr(line, '\n') + 1) {
		g_autofree char *one = g_strndup(line, (gsize)(strchr(line, '\n') + 1 - line));
		g_autofree char *two = g_strconcat(one, one, NULL);

		g_assert_nonnull(strstr(samples, two));
	}
	for (guint i = 0; i < notes_count(notes); i++)
		is_noted = is_noted || strstr(notes_get(notes, i), note) != NULL;
	g_assert_true(is_noted == (n_suspicious > 0));
}

static void test_records(void)
{
	/* A record of its own, and what is cut off the true one. */
	check_evil("\nswapper     0 [000] 99999.000000:    1 cpu-clock: \n"
		   "\tffffffff81001234 forged+0x4 ([kernel.kallsyms])\n\nx",
		   1, 2);
	/* One that takes the true one's frames. */
	check_evil("\nroot     1 [000] 99998.000000:    1 cpu-clock: \n"
		   "\tffffffff81001234 forged+0x4 ([kernel.kallsyms])",
		   1, 1);
	check_evil("\nroot     1 [000] 99998.000000:    1 cpu-clock: ", 1, 1);
	check_evil("\nroot     1 [000] 99998.000000: PERF_RECORD_LOST lost 99999", 0, 1);
	/* An empty line alone: the true frames have no event line any more. */
	check_evil("\n\n", 0, 1);
}

static void test_no_records(void)
{
	check_evil("", 0, 0);
	check_evil("\nb", 0, 0);
	check_evil("\n\tb", 0, 0);
	check_evil("\nWarning:", 0, 0);
}

/* A header that never ends would swallow all that follows. */
static void test_headers(void)
{
	check_evil("\n# ========\n", 0, 0);
	check_evil("\n# ========\n# cmdline : x\nx", 0, 0);
	check_evil("\n# ========\n# ========\n# ========", 0, 0);
}

/* Records of events without call chains follow one another without a blank line. */
static void test_no_chains(void)
{
	g_autoptr(Store) store = parse_fixture_load(
		"            perf 16474 [000]  1453.447991: raw_syscalls:sys_exit: NR 16 = 0\n"
		"            perf 16474 [000]  1453.448001: raw_syscalls:sys_exit: NR 16 = 0\n"
		"            perf 16474 [000]  1453.448002: raw_syscalls:sys_enter: NR 16 (b, "
		"2400)\n",
		NULL);

	g_assert_cmpuint(store->n_samples, ==, 3);
	g_assert_cmpuint(store_fact_count(store, FACT_SUSPICIOUS), ==, 0);
}

/* The name of a thread, of 15 bytes at most, where it begins a line. */
static void test_thread_names(void)
{
	static const char *const names[] = { "x 1 1.000000:", "1 2.000000: e:", "\t",
					     "\t\tab",	      "\t 1 f (/x)",	"# ========",
					     "|11 src",	      "Warning:",	"PERF_RECORD_LO" };

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		g_autofree char *one =
			g_strdup_printf("%s  4294 12466.606788:    1003009 cpu-clock: \n"
					"\t            11b3 run+0x3a (/bin/odd)\n\n",
					names[i]);
		g_autofree char *text = g_strconcat(one, one, NULL);
		g_autofree char *shown = g_strstrip(g_strdup(names[i]));
		g_autofree char *line = g_strdup_printf(
			"12466.606788 %s -/4294 - cpu-clock 1003009 run (/bin/odd)\n", shown);
		g_autofree char *expected = g_strconcat(line, line, NULL);

		parse_fixture_check(text, expected);
	}
}

/* Without call chains names stand in a column, and what a newline leaves begins with blanks: here
 * it looks like the address of a frame. */
static void test_thread_name_in_a_column(void)
{
	parse_fixture_check(
		"               a\n"
		"b  4322 12508.313516:    1003009 cpu-clock:             11b3 run+0x3a (/x)\n"
		"               a\n"
		"b  4322 12508.313517:    1003009 cpu-clock:             11b3 run+0x3a (/x)\n",
		"12508.313516 b -/4322 - cpu-clock 1003009 run (/x)\n"
		"12508.313517 b -/4322 - cpu-clock 1003009 run (/x)\n");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/forged/records", test_records);
	g_test_add_func("/forged/no-records", test_no_records);
	g_test_add_func("/forged/headers", test_headers);
	g_test_add_func("/forged/no-chains", test_no_chains);
	g_test_add_func("/forged/thread-names", test_thread_names);
	g_test_add_func("/forged/thread-names/column", test_thread_name_in_a_column);
	return g_test_run();
}
