/* SPDX-License-Identifier: MIT */
/*
 * Whole texts of perf script to samples: which kind each line is (shared reference formats.md, 1.4)
 * and what becomes of records (1.1, 1.6 to 1.13).
 */

#include <glib.h>
#include <string.h>

#include "parse/skips.h"
#include "store/error.h"
#include "store/limits.h"
#include "tests/parse-fixture.h"

#define check parse_fixture_check

static uint64_t skipped(const Store *store, SkipReason reason)
{
	g_autofree char *key = g_strconcat(FACT_SKIPPED, skip_reason_name(reason), NULL);

	return store_fact_count(store, key);
}

static void check_skipped(const char *text, SkipReason reason, uint64_t n)
{
	g_autoptr(Store) store = parse_fixture_load(text, NULL);

	for (int i = 0; i < N_SKIPS; i++)
		g_assert_cmpuint(skipped(store, (SkipReason)i), ==,
				 i == (int)reason ? n : (uint64_t)0);
}

static void check_fact(const Store *store, const char *key, const char *expected)
{
	Text value = store_fact(store, key);

	g_assert_cmpmem(value.data, value.len, expected, strlen(expected));
}

/* --- records ----------------------------------------------------------------------------- */

static const char *const plain = "a 12 [003]  1.000001:    250000 cpu-clock: \n"
				 "\tffffffff82200e37 leaf+0x17 ([kernel.kallsyms])\n"
				 "\t            7ec1 main+0x11 (/bin/a)\n"
				 "\n"
				 "b 13/14 [000]  1.000002:          1 cpu-clock: \n"
				 "\t            7ec1 main+0x11 (/bin/a)\n"
				 "\n";

static const char *const plain_samples =
	"1.000001 a -/12 3 cpu-clock 250000 main (/bin/a);leaf ([kernel.kallsyms])\n"
	"1.000002 b 13/14 0 cpu-clock 1 main (/bin/a)\n";

static void test_plain(void)
{
	g_autoptr(Notes) notes = notes_new();
	g_autoptr(Store) store = parse_fixture_load(plain, notes);
	g_autofree char *samples = parse_fixture_samples(store);

	g_assert_cmpstr(samples, ==, plain_samples);
	g_assert_cmpuint(store_fact_count(store, FACT_FRAMES), ==, 3);
	g_assert_cmpuint(store_fact_count(store, FACT_LINES), ==, 7);
	g_assert_cmpuint(store_fact_count(store, FACT_BYTES), ==, strlen(plain));
	g_assert_cmpuint(notes_count(notes), ==, 0);
}

/* `plain` with every `from` as `to`. */
static void check_variant(const char *from, const char *to)
{
	g_auto(GStrv) parts = g_strsplit(plain, from, -1);
	g_autofree char *text = g_strjoinv(to, parts);

	check(text, plain_samples);
}

/* An event line starts a record, blank line or not. */
static void test_blank_lines(void)
{
	check_variant("\n\n", "\n");
	check_variant("\n\n", "\n  \n");
	check_variant("\n\n", "\n\t \n\n\n");
	check_variant("\n\n", "\n \r\n");
}

static void test_line_ends(void)
{
	g_autofree char *bom = g_strconcat("\xef\xbb\xbf", plain, NULL);
	g_autofree char *unended = g_strndup(plain, strlen(plain) - 2);

	check_variant("\n", "\r\n");
	check(bom, plain_samples);
	check(unended, plain_samples);
}

/* Pasted through editors: blanks for the TAB, or none at all; blanks at the end. */
static void test_indentation(void)
{
	check_variant("\t", "        ");
	check_variant("\t", " ");
	check_variant(")\n", ")   \n");
	check("a 12  1.000001: 1 c: \n"
	      "ffffffff82200e37 leaf+0x17 ([kernel.kallsyms])\n"
	      "7f1722a3b5c0 main (/bin/a)\n"
	      "\n"
	      "a 12  1.000002: 1 c: \n",
	      "1.000001 a -/12 - c 1 main (/bin/a);leaf ([kernel.kallsyms])\n"
	      "1.000002 a -/12 - c 1 \n");
}

static void test_without_frames(void)
{
	check("a 1  1.000001: 1 c: \na 1  1.000002: 1 c: \n\na 1  1.000003: s:t: x=1 y=2\n",
	      "1.000001 a -/1 - c 1 \n1.000002 a -/1 - c 1 \n1.000003 a -/1 - s:t - \n");
}

/* Samples are put in order; how far they went back is known. */
static void test_out_of_order(void)
{
	g_autoptr(Store) store = parse_fixture_load("a 1  2.000000: 1 c: \n\t 1 f (/x)\n\n"
						    "a 1  1.999996: 1 c: \n\t 1 g (/x)\n\n"
						    "a 1  3.000000: 1 c: \n\t 1 h (/x)\n\n",
						    NULL);
	g_autofree char *samples = parse_fixture_samples(store);

	g_assert_cmpstr(samples, ==,
			"1.999996 a -/1 - c 1 g (/x)\n"
			"2 a -/1 - c 1 f (/x)\n"
			"3 a -/1 - c 1 h (/x)\n");
	g_assert_cmpuint(store_fact_count(store, FACT_REVERSALS), ==, 1);
	g_assert_cmpuint(store_fact_count(store, FACT_MAX_REVERSAL), ==, 4000);
}

static void test_unknown_symbols(void)
{
	check("a 1  1.000001: 1 c: \n"
	      "\t    556a1702d098 [unknown] ([unknown])\n"
	      "\t          17c04f [unknown] (/usr/bin/x)\n"
	      "\t           fd001\n"
	      "\tffffffff821f8298 __schedule\n"
	      "    7f1e2215d058  (/lib/libc-2.15.so)\n",
	      "1.000001 a -/1 - c 1 @ (/lib/libc-2.15.so);__schedule;@;@ (/usr/bin/x);"
	      "@ ([unknown])\n");
}

/* --- header ------------------------------------------------------------------------------ */

static void test_header(void)
{
	g_autoptr(Store) store = parse_fixture_load(
		"# ========\n"
		"# captured on    : Sat Nov 21 01:44:06 2026\n"
		"# hostname : vm\n"
		"# nrcpus online : 2\n"
		"# cmdline : /usr/bin/perf record -F 999 -a -g -- sleep 2 \n"
		"# event : name = cpu-clock, , id = { 257 }, type = 1, { sample_period, "
		"sample_freq "
		"} = 999, sample_type = IP|TID|TIME, freq = 1, x = 1\n"
		"# event : name = dummy:HG, , { sample_period, sample_freq } = 4000, freq = 1\n"
		"# ========\n"
		"#\n"
		"a 1  1.000001: 1 c: \n",
		NULL);

	g_assert_cmpuint(store->n_samples, ==, 1);
	check_fact(store, "hostname", "vm");
	check_fact(store, "nrcpus online", "2");
	check_fact(store, "cmdline", "/usr/bin/perf record -F 999 -a -g -- sleep 2");
	check_fact(store, "sample_freq", "999");
	g_assert_cmpuint(skipped(store, SKIP_UNRECOGNISED), ==, 0);
}

/* Everything up to the second mark is header, whatever it looks like. */
static void test_header_cmdline_newline(void)
{
	g_autoptr(Store) store = parse_fixture_load("# ========\n"
						    "# hostname : vm\n"
						    "# cmdline : perf record -- bash -c echo a\n"
						    "fake 77  9.000001: 1 cycles: \n"
						    "\tffffffff82200e37 fake+0x1 (/fake)\n"
						    "\n"
						    "done \n"
						    "# arch : x86_64\n"
						    "# ========\n"
						    "a 1  1.000001: 1 c: \n",
						    NULL);
	g_autofree char *samples = parse_fixture_samples(store);

	g_assert_cmpstr(samples, ==, "1.000001 a -/1 - c 1 \n");
	check_fact(store, "arch", "x86_64");
	g_assert_cmpuint(skipped(store, SKIP_UNRECOGNISED), ==, 0);
	g_assert_cmpuint(skipped(store, SKIP_ORPHAN_FRAME), ==, 0);
}

/* In pipe mode the block ends at once and the facts follow it, or even samples. */
static void test_header_pipe_mode(void)
{
	g_autoptr(Store) store = parse_fixture_load("# ========\n"
						    "# header version : 1\n"
						    "# ========\n"
						    "#\n"
						    "# hostname : vm\n"
						    "a 1  1.000001: 1 c: \n"
						    "\t 1 f (/x)\n"
						    "\n"
						    "# arch : x86_64\n"
						    "a 1  1.000002: 1 c: \n",
						    NULL);

	g_assert_cmpuint(store->n_samples, ==, 2);
	check_fact(store, "hostname", "vm");
	check_fact(store, "arch", "x86_64");
	g_assert_cmpuint(skipped(store, SKIP_UNRECOGNISED), ==, 0);
}

/* Files laid end to end have headers in the middle. */
static void test_header_in_the_middle(void)
{
	g_autofree char *text =
		g_strconcat("# ========\n# hostname : one\n# ========\n", plain,
			    "# ========\n# hostname : two\n# ========\n", plain, NULL);
	g_autoptr(Store) store = parse_fixture_load(text, NULL);

	g_assert_cmpuint(store->n_samples, ==, 4);
	check_fact(store, "hostname", "one");
}

/* A thread may be called `# comment`: then it has an id and a time. */
static void test_hash_lines(void)
{
	check("# a comment\n"
	      "#hash 15410  1252.552808:    5000000 cpu-clock: \n"
	      "\t 1 f (/x)\n"
	      "\n"
	      "# comment 15411  1252.552809:    5000000 cpu-clock: \n"
	      "\t 2 g (/x)\n"
	      "\n"
	      "# ended at 12:30\n"
	      "#\n",
	      "1252.552808 #hash -/15410 - cpu-clock 5000000 f (/x)\n"
	      "1252.552809 # comment -/15411 - cpu-clock 5000000 g (/x)\n");
}

/* --- records that are no samples --------------------------------------------------------- */

static void test_side_records(void)
{
	static const char *const lines[] = {
		"swapper     0 [000]     0.000000: PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x12)"
		" @ 0xf]: x [kernel.kallsyms]_text",
		"a 12/12 [000] 1.000000: PERF_RECORD_MMAP2 1528/1528: [0x7f(0xd3000) @ 0xa000 "
		"00:01 24 0]: r-xp /memfd:x (deleted)",
		"swapper     0 [000]     0.000000: PERF_RECORD_COMM: bash:12/12",
		"a 12/12 [000]  1.000003: PERF_RECORD_COMM exec: ls:12/12",
		"swapper     0 [000]     0.000000: PERF_RECORD_FORK(12:12):(1:1)",
		"a 12 [000]  1.000003: PERF_RECORD_EXIT(12:12):(1:1)",
		"a 12 [000]  1.000003: PERF_RECORD_SWITCH IN",
		"a 12 [000]  1.000003: PERF_RECORD_SWITCH_CPU_WIDE OUT preempt  next pid/tid: "
		"12/13",
		"swapper     0 [000]     0.000000: PERF_RECORD_NAMESPACES 1/1 - nr_namespaces: 7\n"
		"\t\t[0/net: 0/0, 1/uts: 0/0, 2/ipc: 0/0, 3/pid: 0/0, \n"
		"\t\t 4/user: 0/0, 5/mnt: 0/0, 6/cgroup: 0/0]",
		"swapper     0 [000]     0.000000: PERF_RECORD_CGROUP cgroup: 1 /",
		"swapper     0 [000]     0.000000: PERF_RECORD_KSYMBOL addr ffff len 1 type 1 name "
		"x",
		"swapper     0 [000]     0.000000: PERF_RECORD_BPF_EVENT type 1, flags 0, id 3",
		"swapper     0 [000]     0.000000: PERF_RECORD_TEXT_POKE 0xff old len 5 new len 5",
		"swapper     0 [000]     1.000003: PERF_RECORD_THROTTLE",
		"PERF_RECORD_FINISHED_ROUND",
	};
	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
		g_autofree char *text =
			g_strconcat("a 1  1.000001: 1 c: \n\t 1 f (/x)\n", lines[i], "\n",
				    "a 1  1.000002: 1 c: \n\t 2 g (/x)\n", NULL);
		g_test_message("%s", lines[i]);
		check(text, "1.000001 a -/1 - c 1 f (/x)\n1.000002 a -/1 - c 1 g (/x)\n");
		check_skipped(text, N_SKIPS, 0);
	}
}

/* Losses are summed, and said. */
static void test_lost(void)
{
	g_autoptr(Notes) notes = notes_new();
	g_autoptr(Store) store =
		parse_fixture_load("a 1 [000]  1.000001: 1 c: \n"
				   "a 1 [000]  1.000002: PERF_RECORD_LOST lost 337\n"
				   "a 1 [000]  1.000003: PERF_RECORD_LOST_SAMPLES lost 12\n"
				   "a 1 [000]  1.000004: PERF_RECORD_LOST lost 1\n"
				   "a 1 [000]  1.000005: 1 c: \n",
				   notes);

	g_assert_cmpuint(store->n_samples, ==, 2);
	g_assert_cmpuint(store_fact_count(store, FACT_LOST), ==, 350);
	g_assert_cmpuint(store_fact_count(store, FACT_SIDE_RECORDS), ==, 3);
	g_assert_cmpuint(notes_count(notes), ==, 1);
	g_assert_nonnull(strstr(notes_get(notes, 0), "350"));
}

/* The vector of formats.md 7, and what perf says of it on standard error. */
static void test_lost_said(void)
{
	g_autoptr(Notes) notes = notes_new();
	g_autoptr(Notes) message = notes_new();
	g_autoptr(Store) store =
		parse_fixture_load("a 1 [000]  1.000001: 1 c: \n"
				   "foo 12 [000] 5.000000: PERF_RECORD_LOST lost 3\n",
				   notes);
	g_autoptr(Store) said = parse_fixture_load("Processed 1234 samples and lost 98.89%!\n"
						   "Check IO/CPU overload!\n"
						   "a 1 [000]  1.000001: 1 c: \n",
						   message);

	g_assert_cmpuint(store->n_samples, ==, 1);
	g_assert_cmpuint(store_fact_count(store, FACT_LOST), ==, 3);
	g_assert_cmpuint(store_fact_count(said, FACT_LOST), ==, 0);
	g_assert_cmpuint(notes_count(message), ==, 1);
	g_assert_nonnull(strstr(notes_get(message, 0), "incomplete"));
}

/* User frames of an earlier sample: a record, and no sample. */
static void test_deferred_callchain(void)
{
	check("a 1 [000]  1.000001: 1 c: \n"
	      "\t 1 f (/x)\n"
	      "\n"
	      "a 1 [000]  1.000002: DEFERRED CALLCHAIN [cookie: 6]\n"
	      "\t 2 g (/x)\n"
	      "\n",
	      "1.000001 a -/1 0 c 1 f (/x)\n");
}

/* --- frames without a record ------------------------------------------------------------- */

static void test_orphans(void)
{
	check_skipped("\t            7ec1 main+0x11 (/bin/a)\n"
		      "\t            7ec2 main+0x12 (/bin/a)\n"
		      "a 1  1.000001: 1 c: \n"
		      "\t 1 f (/x)\n"
		      "\n"
		      "\t 1 f (/x)\n" /* a blank line closed the record */
		      "a 1  1.000002: 1 c: \n",
		      SKIP_ORPHAN_FRAME, 3);
	check("\t 1 f (/x)\na 1  1.000001: 1 c: \n\t 1 f (/x)\n\n\t 1 f (/x)\n",
	      "1.000001 a -/1 - c 1 f (/x)\n");
}

/* --- frames on the event line ------------------------------------------------------------ */

static void test_single_line(void)
{
	check("              ls 16692  1503.756309:          1 page-faults:  ffffffff821e8700 "
	      "rep_stos_alternative+0x40 ([kernel.kallsyms])\n"
	      "              ls 16692  1503.756397:          1 page-faults:      7f33c2c00b70 "
	      "_start+0x0 (/usr/lib/ld-linux-x86-64.so.2)\n"
	      "              ls 16692  1503.756398:          1 page-faults:                 0 "
	      "[unknown] ([unknown])\n",
	      "1503.756309 ls -/16692 - page-faults 1 rep_stos_alternative ([kernel.kallsyms])\n"
	      "1503.756397 ls -/16692 - page-faults 1 _start (/usr/lib/ld-linux-x86-64.so.2)\n"
	      "1503.756398 ls -/16692 - page-faults 1 @ ([unknown])\n");
}

/* The address of the data comes first, the code last; without a symbol as well. */
static void test_single_line_addr(void)
{
	check("ls 1  1.000001:          1 page-faults:      7f33c2c1a110 dl_close_state.2+0x0 "
	      "(/usr/lib/ld.so) ffffffff821e8700 rep_stos_alternative+0x40 ([kernel.kallsyms])\n",
	      "1.000001 ls -/1 - page-faults 1 rep_stos_alternative ([kernel.kallsyms])\n");
}

static void test_single_line_registers(void)
{
	check("             cpp 16751  1510.143803:    5025125 cpu-clock:      563351b6d999 "
	      "with_const_part+0x29 (/srv/app/cpp) ABI:2    BP:0x7ffce7419c80    SP:0x7ffce7419bb8 "
	      "   IP:0x563351b6d999 \n"
	      "             cpp 16751  1510.143804:    5025125 cpu-clock:      563351b6d999 f+0x29 "
	      "(/x) 0x563351b6d999/0x563351b6d99a/P/-/-/0/CALL/-  0x1/0x2/M/-/-/0\n",
	      "1510.143803 cpp -/16751 - cpu-clock 5025125 with_const_part (/srv/app/cpp)\n"
	      "1510.143804 cpp -/16751 - cpu-clock 5025125 f (/x)\n");
}

/* Of a branch, where it came from. */
static void test_single_line_branch(void)
{
	check("a 1  1.000001:          1    branches:u:      7f33c2c00b70 from+0x4 (/bin/x) =>     "
	      "7f33c2c00c00 to+0x0 (/bin/y)\n",
	      "1.000001 a -/1 - branches:u 1 from (/bin/x)\n");
}

/* A payload is opaque: it says nothing about frames, whatever is in it. */
static void test_payloads(void)
{
	check("a 1 [000]  1.000001: kmem:kmalloc: call_site=sched_setaffinity+0x10c "
	      "ptr=0xffff888104427e80 (x) [ns]\n"
	      "b 1 [000]  1.000002: raw_syscalls:sys_enter: NR 16 (b, 2400, 0, 7f12d602b5e0, 1, "
	      "0)\n"
	      "c 1 [000]  1.000003: printk:console: hello (world) 1.234: foo\n"
	      "\t 1 f (/x)\n"
	      "d 1 [000]  1.000004: syscalls:sys_enter_openat: dfd: 0xffffff9c, filename: 0x7f\n",
	      "1.000001 a -/1 0 kmem:kmalloc - \n"
	      "1.000002 b -/1 0 raw_syscalls:sys_enter - \n"
	      "1.000003 c -/1 0 printk:console - f (/x)\n"
	      "1.000004 d -/1 0 syscalls:sys_enter_openat - \n");
}

/* Asked for with -F, a tracepoint's frame follows its payload. */
static void test_payload_with_frame(void)
{
	check("a 1 [000]  1.000001: raw_syscalls:sys_enter: NR 16 (b, 2400, 0, 7f12d602b5e0, 1, 0) "
	      "ffffffff81415b70 syscall_trace_enter ([kernel.kallsyms])\n",
	      "1.000001 a -/1 0 raw_syscalls:sys_enter - syscall_trace_enter "
	      "([kernel.kallsyms])\n");
}

static void check_cgroup(const char *text, const char *expected, const char *samples)
{
	g_autoptr(Store) store = parse_fixture_load(text, NULL);
	Text path = store_string(store, (uint32_t)column_get(&store->columns[SECTION_CGROUP], 0));

	check(text, samples);
	g_assert_cmpmem(path.data, path.len, expected, strlen(expected));
}

/* -F +cgroup: `" %s"` behind the event's `"%s: "`, so that there are two blanks (1.2, rows 10 and
 * 18); then the frames as ever. */
static void test_cgroup(void)
{
	check_cgroup("a 1 [000]  1.000001:          1 c:  /user.slice/x.scope\n"
		     "\t 1 f (/x)\n",
		     "/user.slice/x.scope", "1.000001 a -/1 0 c 1 f (/x)\n");
	check_cgroup("a 1 [000]  1.000001:          1 c:  /\n\t 1 f (/x)\n", "/",
		     "1.000001 a -/1 0 c 1 f (/x)\n");
	check_cgroup("a 1 [000]  1.000001:          1 c:  /user.slice     7f33c2c00b70 _start+0x0 "
		     "(/usr/lib/ld.so)\n",
		     "/user.slice", "1.000001 a -/1 0 c 1 _start (/usr/lib/ld.so)\n");
}

/* Paths in payloads are no cgroups, and frames are none. */
static void test_no_cgroup(void)
{
	check_cgroup("a 1 [000]  1.000001: s:t: filename=/etc/passwd\n", "",
		     "1.000001 a -/1 0 s:t - \n");
	check_cgroup("a 1 [000]  1.000001:          1 c:      7f33c2c00b70 _start+0x0 (/x)\n", "",
		     "1.000001 a -/1 0 c 1 _start (/x)\n");
	check_cgroup("a 1 [000]  1.000001:          1 c: \n\t 1 f (/x)\n", "",
		     "1.000001 a -/1 0 c 1 f (/x)\n");
}

/* --- what follows frames ----------------------------------------------------------------- */

static void test_registers(void)
{
	check("cpp 1  1.000001: 1 c: \n"
	      "\t            1999 f+0x29 (/x)\n"
	      " ABI:2    BP:0x7ffce7419c80    SP:0x7ffce7419bb8    IP:0x563351b6d999 \n"
	      "cpp 1  1.000002: 1 c: \n"
	      "\t            1999 g+0x29 (/x)\n"
	      " 0x563351b6d999/0x563351b6d99a/P/-/-/0/CALL/-  0x1/0x2/M/-/-/0\n"
	      "cpp 1  1.000003: 1 c: \n"
	      "\t            1999 h+0x29 (/x)\n"
	      " ilen: 6 insn: 48 3d 00 f0 ff ff\n",
	      "1.000001 cpp -/1 - c 1 f (/x)\n"
	      "1.000002 cpp -/1 - c 1 g (/x)\n"
	      "1.000003 cpp -/1 - c 1 h (/x)\n");
}

static void test_source_lines(void)
{
	const char *text = "cpp 1  1.000001: 1 c: \n"
			   "\t            19e9 f+0x19 (/x)\n"
			   "  cpp.cpp:11\n"
			   "\t            124b main+0x15b (/x)\n"
			   "  ??:0\n"
			   "\t           27249 start+0x79 (/lib/libc.so.6)\n"
			   "  libc-2.33.so[27b25]\n"
			   "\tffffffff821f8298 entry+0x79 ([kernel.kallsyms])\n"
			   "  [kernel.kallsyms][ffffffff821f8298]\n"
			   "\n"
			   "|11       static inline void spin(unsigned n){\n"
			   "cpp 1  1.000002: 1 c: \n";

	check(text, "1.000001 cpp -/1 - c 1 entry ([kernel.kallsyms]);start (/lib/libc.so.6);"
		    "main (/x);f (/x)\n1.000002 cpp -/1 - c 1 \n");
	check_skipped(text, N_SKIPS, 0);
}

static void test_instructions(void)
{
	check("cpp 1  1.000001: 1 c: \n"
	      "\t            19e9 f+0x19 (/x)\n"
	      "\tfoo+19:\n"
	      "\t0000563351b6d999\tinsn: 48 3d 00 f0 ff ff\n"
	      "\t0000563351b6d9a0\tinsn: 77 08 \t\t# PRED 3 cycles [3]\n"
	      "\t0000563351b6d9a8\tilen: 6 insn: 48\n"
	      "\t[...]\n"
	      "\n"
	      "cpp 1  1.000002: 1 c: \n",
	      "1.000001 cpp -/1 - c 1 f (/x)\n1.000002 cpp -/1 - c 1 \n");
}

static void test_bpf_output(void)
{
	const char *text = "a 1 [000]  1.000001: 1 bpf-output: \n"
			   "\t            19e9 f+0x19 (/x)\n"
			   "      BPF output: 0000: 48 65 6c 6c 6f 00 00 00  Hello...\n"
			   "      BPF string: \"Hello\"\n"
			   "a 1 [000]  1.000002: 1 bpf-output: \n";

	check(text, "1.000001 a -/1 0 bpf-output 1 f (/x)\n1.000002 a -/1 0 bpf-output 1 \n");
	check_skipped(text, N_SKIPS, 0);
}

/* --- inlining ---------------------------------------------------------------------------- */

/* The DSO of an inlined frame is that of its neighbour with the same address: the next line
 * (towards the root) first, then the one before. */
static void test_inlined(void)
{
	check("cpp 1  1.000001: 1 c: \n"
	      "\t            1409 _M_invoke+0x29 (/leaf)\n"
	      "\t            1409 operator()+0x29 (inlined)\n"
	      "\t            1409 invoke+0x29 (inlined)\n"
	      "\t            1409 outer+0x29 (/host)\n"
	      "\t            2000 main+0x1 (/bin/x)\n",
	      "1.000001 cpp -/1 - c 1 main (/bin/x);outer (/host);~invoke (/host);"
	      "~operator() (/host);_M_invoke (/leaf)\n");
	check("cpp 1  1.000001: 1 c: \n"
	      "\t            1431 Hidden::operator->*+0x21 (/srv/app/cpp)\n"
	      "\t            1431 operator->*+0x21 (inlined)\n"
	      "\t            2000 main+0x1 (/bin/x)\n",
	      "1.000001 cpp -/1 - c 1 main (/bin/x);~operator->* (/srv/app/cpp);"
	      "Hidden::operator->* (/srv/app/cpp)\n");
}

/* Neighbours of other addresses have nothing to do with it. */
static void test_inlined_alone(void)
{
	check("cpp 1  1.000001: 1 c: \n"
	      "\t           27249 __libc_start_call_main+0x79 (/lib/libc.so.6)\n"
	      "\t           27304 __libc_start_main_impl+0x84 (inlined)\n"
	      "\t            1310 _start+0x20 (/srv/app/cpp)\n",
	      "1.000001 cpp -/1 - c 1 _start (/srv/app/cpp);~__libc_start_main_impl;"
	      "__libc_start_call_main (/lib/libc.so.6)\n");
}

/* With -F +srcline the mark stands on the line of the source. */
static void test_inlined_srcline(void)
{
	check("cpp 1  1.000001: 1 c: \n"
	      "\t            1431 operator->*+0x21\n"
	      "  cpp.cpp:11 (inlined)\n"
	      "\t            1431 outer+0x21 (/srv/app/cpp)\n"
	      "  cpp.cpp:16\n"
	      "cpp 1  1.000002: 1 c: \n"
	      "\t            1431 operator->*+0x21\n"
	      "  cpp.cpp:11 (inlined)\n"
	      "\t            1431 outer+0x21 (/srv/app/cpp)\n"
	      "  cpp.cpp:16\n",
	      "1.000001 cpp -/1 - c 1 outer (/srv/app/cpp);~operator->* (/srv/app/cpp)\n"
	      "1.000002 cpp -/1 - c 1 outer (/srv/app/cpp);~operator->* (/srv/app/cpp)\n");
}

static void test_inlined_srcline_alone(void)
{
	check("cpp 1  1.000001: 1 c: \n"
	      "\t           27304 __libc_start_main_impl+0x84\n"
	      "  libc-start.c:360 (inlined)\n"
	      "\t            1310 _start+0x20 (/srv/app/cpp)\n"
	      "  ??:0\n",
	      "1.000001 cpp -/1 - c 1 _start (/srv/app/cpp);~__libc_start_main_impl\n");
}

/* --- odd threads, CPUs, times ------------------------------------------------------------ */

/* The name's first piece is no line of perf's; the record keeps the rest as its name. */
static void test_comm_with_newline(void)
{
	const char *text = "nl\n"
			   "here 15403  1.000001: 1 c: \n"
			   "\t 1 f (/x)\n"
			   "\n"
			   "nl\n"
			   "here 15403  1.000002: 1 c: \n"
			   "\t 1 f (/x)\n";

	check(text, "1.000001 here -/15403 - c 1 f (/x)\n1.000002 here -/15403 - c 1 f (/x)\n");
	check_skipped(text, SKIP_UNRECOGNISED, 2);
}

static void test_odd_ids(void)
{
	check(":-1 22196/-1    [000]  1.000001: sched:sched_switch: \n"
	      ":-1 -1/-1    [001]  1.000002: 1 c: \n"
	      "swapper     0 [-01]  1.000003: 1 c: \n"
	      " 15395  1.000004: 1 c: \n"
	      "a 1 2.000000: c 15394  1.000005: 1 c: \n",
	      "1.000001 :-1 22196/-1 0 sched:sched_switch - \n"
	      "1.000002 :-1 -1/-1 1 c 1 \n"
	      "1.000003 swapper -/0 - c 1 \n"
	      "1.000004  -/15395 - c 1 \n"
	      "1.000005 a 1 2.000000: c -/15394 - c 1 \n");
}

/* (u64)-1 is "no time". */
static void test_no_time(void)
{
	g_autoptr(Notes) notes = notes_new();
	g_autoptr(Store) store =
		parse_fixture_load("a 1  18446744073.709551: 1 c: \n\t 1 f (/x)\n\n"
				   "a 1  1.000001: 1 c: \n",
				   notes);
	g_autofree char *samples = parse_fixture_samples(store);

	g_assert_cmpstr(samples, ==, "1.000001 a -/1 - c 1 \n- a -/1 - c 1 f (/x)\n");
}

static void test_untimed(void)
{
	check("cpp 16737    3000000 cpu-clock: \n"
	      "\t 1 f (/x)\n"
	      "\n"
	      "cpp 16737/16738 [002] cpu-clock: \n"
	      "\t 2 g (/x)\n",
	      "- cpp -/16737 - cpu-clock 3000000 f (/x)\n"
	      "- cpp 16737/16738 2 cpu-clock - g (/x)\n");
}

static void test_fields_left_out(void)
{
	check("16009 [001]  1.000001:          1 page-faults: \n"
	      "\t 1 f (/x)\n\n"
	      "perf-exec [001]  1.000002:          1 page-faults: \n"
	      "\t 1 f (/x)\n\n"
	      "perf 16007 [001]  1.000003:          1 \n"
	      "\t 1 f (/x)\n\n"
	      " 1.000004: \n"
	      "\t 1 f (/x)\n\n",
	      "1.000001  -/16009 1 page-faults 1 f (/x)\n"
	      "1.000002 perf-exec -/- 1 page-faults 1 f (/x)\n"
	      "1.000003 perf -/16007 1 [unknown] 1 f (/x)\n"
	      "1.000004  -/- - [unknown] - f (/x)\n");
}

static void test_short_microseconds(void)
{
	g_autoptr(Notes) notes = notes_new();
	g_autoptr(Store) store = parse_fixture_load(
		"Gecko\t25122 [007] 115539.36601:\t\t1000000 task-clock:u:\n"
		"      7b0da4f360\tsyscall (/libc.so)\n"
		"        9c51fd34\tjava.lang.String.hashCode ([JIT app cache])\n",
		notes);
	g_autofree char *samples = parse_fixture_samples(store);

	g_assert_cmpstr(samples, ==,
			"115539.036601 Gecko -/25122 7 task-clock:u 1000000 "
			"java.lang.String.hashCode ([JIT app cache]);syscall (/libc.so)\n");
	g_assert_cmpuint(notes_count(notes), ==, 1);
	g_assert_nonnull(strstr(notes_get(notes, 0), "simpleperf"));
}

/* --- limits ------------------------------------------------------------------------------ */

/* The leaf-most frames stay; what is cut is one frame at the root. */
static void test_max_frames(void)
{
	const char *text = "a 1  1.000001: 1 c: \n\t 1 l (/x)\n\t 2 k (/x)\n\t 3 j (/x)\n"
			   "\t 4 i (/x)\n\t 5 h (/x)\n\n"
			   "a 1  1.000002: 1 c: \n\t 1 l (/x)\n\t 2 k (/x)\n\t 3 j (/x)\n";
	const LoadSettings settings = { .max_frames = 3 };
	g_autoptr(Notes) notes = notes_new();
	g_autoptr(Store) store = parse_fixture_try(text, strlen(text), &settings, notes, NULL);
	g_autofree char *samples = parse_fixture_samples(store);

	g_assert_cmpstr(samples, ==,
			"1.000001 a -/1 - c 1 [truncated];j (/x);k (/x);l (/x)\n"
			"1.000002 a -/1 - c 1 j (/x);k (/x);l (/x)\n");
	g_assert_cmpuint(store_fact_count(store, FACT_TRUNCATED), ==, 1);
	g_assert_cmpuint(notes_count(notes), ==, 1);
	g_assert_nonnull(strstr(notes_get(notes, 0), "max-frames"));
}

static uint32_t depth_of(const Store *store, uint64_t i)
{
	uint32_t stack = (uint32_t)column_get(&store->columns[SECTION_STACK], i), depth = 0;

	for (; stack != 0; stack = store_stack_parent(store, stack))
		depth++;
	return depth;
}

/* 8,192 unless told otherwise; 100,000 where allowed. */
static void test_deep_stack(void)
{
	g_autoptr(GString) text = g_string_new("a 1  1.000001: 1 c: \n");
	const LoadSettings deep = { .max_frames = 100000 };

	for (int i = 0; i < 100000; i++)
		g_string_append_printf(text, "\t %x f%d (/x)\n", i, i % 1000);
	g_autoptr(Store) cut = parse_fixture_try(text->str, text->len, NULL, NULL, NULL);
	g_autoptr(Store) whole = parse_fixture_try(text->str, text->len, &deep, NULL, NULL);

	g_assert_cmpuint(depth_of(cut, 0), ==, DEFAULT_MAX_FRAMES + 1);
	g_assert_cmpuint(store_fact_count(cut, FACT_TRUNCATED), ==, 1);
	g_assert_cmpuint(depth_of(whole, 0), ==, 100000);
	g_assert_cmpuint(store_fact_count(whole, FACT_TRUNCATED), ==, 0);
}

/* A line of more than 1 MiB is none of perf's; the next one is read as ever. */
static void test_long_line(void)
{
	g_autofree char *junk = g_strnfill(3 << 20, 'x');
	g_autofree char *text = g_strconcat("a 1  1.000001: 1 c: \n\t 1 ", junk,
					    " (/x)\n\t 2 g (/x)\n\na 1  1.000002: 1 c: \n", NULL);

	check(text, "1.000001 a -/1 - c 1 g (/x)\n1.000002 a -/1 - c 1 \n");
	check_skipped(text, SKIP_TOO_LONG, 1);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/perf-script/plain", test_plain);
	g_test_add_func("/perf-script/blank-lines", test_blank_lines);
	g_test_add_func("/perf-script/line-ends", test_line_ends);
	g_test_add_func("/perf-script/indentation", test_indentation);
	g_test_add_func("/perf-script/without-frames", test_without_frames);
	g_test_add_func("/perf-script/out-of-order", test_out_of_order);
	g_test_add_func("/perf-script/unknown-symbols", test_unknown_symbols);
	g_test_add_func("/perf-script/header", test_header);
	g_test_add_func("/perf-script/header/cmdline-newline", test_header_cmdline_newline);
	g_test_add_func("/perf-script/header/pipe-mode", test_header_pipe_mode);
	g_test_add_func("/perf-script/header/in-the-middle", test_header_in_the_middle);
	g_test_add_func("/perf-script/hash-lines", test_hash_lines);
	g_test_add_func("/perf-script/side-records", test_side_records);
	g_test_add_func("/perf-script/lost", test_lost);
	g_test_add_func("/perf-script/lost/said", test_lost_said);
	g_test_add_func("/perf-script/deferred-callchain", test_deferred_callchain);
	g_test_add_func("/perf-script/orphans", test_orphans);
	g_test_add_func("/perf-script/single-line", test_single_line);
	g_test_add_func("/perf-script/single-line/addr", test_single_line_addr);
	g_test_add_func("/perf-script/single-line/registers", test_single_line_registers);
	g_test_add_func("/perf-script/single-line/branch", test_single_line_branch);
	g_test_add_func("/perf-script/payload", test_payloads);
	g_test_add_func("/perf-script/payload/frame", test_payload_with_frame);
	g_test_add_func("/perf-script/cgroup", test_cgroup);
	g_test_add_func("/perf-script/cgroup/none", test_no_cgroup);
	g_test_add_func("/perf-script/registers", test_registers);
	g_test_add_func("/perf-script/source-lines", test_source_lines);
	g_test_add_func("/perf-script/instructions", test_instructions);
	g_test_add_func("/perf-script/bpf-output", test_bpf_output);
	g_test_add_func("/perf-script/inlined", test_inlined);
	g_test_add_func("/perf-script/inlined/alone", test_inlined_alone);
	g_test_add_func("/perf-script/inlined/srcline", test_inlined_srcline);
	g_test_add_func("/perf-script/inlined/srcline-alone", test_inlined_srcline_alone);
	g_test_add_func("/perf-script/comm-with-newline", test_comm_with_newline);
	g_test_add_func("/perf-script/odd-ids", test_odd_ids);
	g_test_add_func("/perf-script/no-time", test_no_time);
	g_test_add_func("/perf-script/untimed", test_untimed);
	g_test_add_func("/perf-script/fields-left-out", test_fields_left_out);
	g_test_add_func("/perf-script/short-us", test_short_microseconds);
	g_test_add_func("/perf-script/max-frames", test_max_frames);
	g_test_add_func("/perf-script/deep-stack", test_deep_stack);
	g_test_add_func("/perf-script/long-line", test_long_line);
	return g_test_run();
}
