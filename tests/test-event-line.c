/* SPDX-License-Identifier: MIT */
/*
 * Event lines of perf script: the vectors and examples of the shared reference formats.md, 1.5,
 * 1.13, 1.15 and 7. Names of threads hold whatever makes parsing hard.
 */

#include "parse/event-line.h"

#include <glib.h>

#define NONE ID_NONE

typedef struct {
	const char *line;
	const char *comm;
	int32_t pid, tid, cpu;
	int64_t time_ns;
	int64_t period; /* -1: none */
	const char *event;
} Vector;

static void check_text(const char *line, const char *what, Text text, const char *expected)
{
	if (text.len != strlen(expected) || memcmp(text.data, expected, text.len) != 0)
		g_error("'%s': %s is '%.*s', expected '%s'", line, what, (int)text.len, text.data,
			expected);
}

static void check_number(const char *line, const char *what, int64_t value, int64_t expected)
{
	if (value != expected)
		g_error("'%s': %s is %" G_GINT64_FORMAT ", expected %" G_GINT64_FORMAT, line, what,
			value, expected);
}

static void check_parsed(const Vector *v, const EventLine *event)
{
	check_text(v->line, "comm", event->comm, v->comm);
	check_number(v->line, "pid", event->pid, v->pid);
	check_number(v->line, "tid", event->tid, v->tid);
	check_number(v->line, "has_tid", event->has_tid, v->tid != NONE);
	check_number(v->line, "cpu", event->cpu, v->cpu);
	check_number(v->line, "time", event->time_ns, v->time_ns);
	check_number(v->line, "has_period", event->has_period, v->period >= 0);
	if (v->period >= 0)
		check_number(v->line, "period", (int64_t)event->period, v->period);
	check_text(v->line, "event", event->event, v->event);
}

/* As perf ends them: with a blank, and without. */
static void check(const Vector *vectors, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		g_autofree char *padded = g_strconcat(vectors[i].line, " ", NULL);
		EventLine event;

		if (!event_line_parse(text_from(vectors[i].line), &event))
			g_error("'%s' is no event line", vectors[i].line);
		check_parsed(&vectors[i], &event);
		g_assert_true(event_line_parse(text_from(padded), &event));
		check_parsed(&vectors[i], &event);
	}
}

static void check_untimed(const Vector *vectors, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		EventLine event;

		g_assert_false(event_line_parse(text_from(vectors[i].line), &event));
		if (!event_line_parse_untimed(text_from(vectors[i].line), &event))
			g_error("'%s' is no untimed event line", vectors[i].line);
		check_parsed(&vectors[i], &event);
	}
}

static void check_none(const char *const *lines)
{
	for (; *lines != NULL; lines++) {
		EventLine event;

		if (event_line_parse(text_from(*lines), &event))
			g_error("'%s' is taken for an event line", *lines);
	}
}

/* --- names ------------------------------------------------------------------------------- */

static void test_vectors(void)
{
	static const Vector vectors[] = {
		{ "a 1 2.000000: c 15394  1252.096392:    5000000 cpu-clock: ", "a 1 2.000000: c",
		  NONE, 15394, NONE, 1252096392000, 5000000, "cpu-clock" },
		/* Names of at most 15 bytes that begin as an event line does. */
		{ "x 1 1.000000: 15394  1252.096392:    5000000 cpu-clock: ", "x 1 1.000000:", NONE,
		  15394, NONE, 1252096392000, 5000000, "cpu-clock" },
		{ "1 2.000000: e: 15394 [003]  1252.096392:    5000000 cpu-clock: ",
		  "1 2.000000: e:", NONE, 15394, 3, 1252096392000, 5000000, "cpu-clock" },
		{ "               a     1     2.000000: p:c: x 3 [001]     4.000000: y: ", "a",
		  NONE, 1, NONE, 2000000000, -1, "p:c" },
		{ " 15395  1252.126819:    5000000 cpu-clock: ", "", NONE, 15395, NONE,
		  1252126819000, 5000000, "cpu-clock" },
		{ "x 1 [000] 15392  1252.035541:    5000000 cpu-clock: ", "x 1 [000]", NONE, 15392,
		  NONE, 1252035541000, 5000000, "cpu-clock" },
		{ "# comment 15411  1252.583144:    5000000 cpu-clock: ", "# comment", NONE, 15411,
		  NONE, 1252583144000, 5000000, "cpu-clock" },
		{ ":-1 22196/-1    [000]  2316.608618: sched:sched_switch: ", ":-1", 22196, -1, 0,
		  2316608618000, -1, "sched:sched_switch" },
		{ "t 99076 10314749.002559:     250000 cpu-clock: ", "t", NONE, 99076, NONE,
		  10314749002559000, 250000, "cpu-clock" },
		{ "migration/0    18/18    [000] K      1356.805619045: sched:sched_switch: x=1",
		  "migration/0", 18, 18, 0, 1356805619045, -1, "sched:sched_switch" },
		{ "cpp 16716 2026-11-21 01:56:29.881755  1505.355868:    5025125 cpu-clock: ",
		  "cpp", NONE, 16716, NONE, 1505355868000, 5025125, "cpu-clock" },
		{ "Gecko\t25122 [007] 115539.36601:\t\t1000000 task-clock:u:", "Gecko", NONE, 25122,
		  7, 115539036601000, 1000000, "task-clock:u" },
		{ "bash 1 [000] 2.000000: printk:console: [    1.000000] foo 3 [001] 4.000000: "
		  "bar: "
		  "baz",
		  "bash", NONE, 1, 0, 2000000000, -1, "printk:console" },
		{ "swapper     0 [-01]  1.000001: 1 cycles:", "swapper", NONE, 0, NONE, 1000001000,
		  1, "cycles" },
	};

	check(vectors, G_N_ELEMENTS(vectors));
}

/* The thread id is found from the right: the first number belongs to the name. */
static void test_names(void)
{
	static const Vector vectors[] = {
		{ "1234 567 15390  1251.974722:    5000000 cpu-clock:", "1234 567", NONE, 15390,
		  NONE, 1251974722000, 5000000, "cpu-clock" },
		{ "a 12/34 15391  1251.974722:    5000000 cpu-clock:", "a 12/34", NONE, 15391, NONE,
		  1251974722000, 5000000, "cpu-clock" },
		{ "123 15389  1251.949337: 1 cycles:", "123", NONE, 15389, NONE, 1251949337000, 1,
		  "cycles" },
		{ "[001] 15435  1.000001: 1 cycles:", "[001]", NONE, 15435, NONE, 1000001000, 1,
		  "cycles" },
		{ "[kthread] 15425 [003]  1.000001: 1 cycles:", "[kthread]", NONE, 15425, 3,
		  1000001000, 1, "cycles" },
		{ "1.5: cpu-clock: 15393  1252.079762:    5000000 cpu-clock:", "1.5: cpu-clock:",
		  NONE, 15393, NONE, 1252079762000, 5000000, "cpu-clock" },
		{ ":1234 15408  1.000001: 1 cycles:", ":1234", NONE, 15408, NONE, 1000001000, 1,
		  "cycles" },
		{ "foo (bar) 15388  1.000001: 1 cycles:", "foo (bar)", NONE, 15388, NONE,
		  1000001000, 1, "cycles" },
		{ "kworker/0:1-ev 15386  1.000001: 1 cycles:", "kworker/0:1-ev", NONE, 15386, NONE,
		  1000001000, 1, "cycles" },
		{ "tab\there 15402  1.000001: 1 cycles:", "tab\there", NONE, 15402, NONE,
		  1000001000, 1, "cycles" },
		{ "\x1b[31mred 15437  1.000001: 1 cycles:", "\x1b[31mred", NONE, 15437, NONE,
		  1000001000, 1, "cycles" },
		{ "\xff\xfe bad 15401  1.000001: 1 cycles:", "\xff\xfe bad", NONE, 15401, NONE,
		  1000001000, 1, "cycles" },
		{ "new\rcr 15436  1.000001: 1 cycles:", "new\rcr", NONE, 15436, NONE, 1000001000, 1,
		  "cycles" },
		{ "C1 CompilerThre 9/11 [002]  1.000001: 1 cycles:", "C1 CompilerThre", 9, 11, 2,
		  1000001000, 1, "cycles" },
		{ "-dash 15412  1.000001: 1 cycles:", "-dash", NONE, 15412, NONE, 1000001000, 1,
		  "cycles" },
		{ "x -5 15412  1.000001: 1 cycles:", "x -5", NONE, 15412, NONE, 1000001000, 1,
		  "cycles" },
		{ "K 12  1.000001: 1 cycles:", "K", NONE, 12, NONE, 1000001000, 1, "cycles" },
		{ "a K 12 [001] 1.000001: 1 cycles:", "a K", NONE, 12, 1, 1000001000, 1, "cycles" },
	};

	check(vectors, G_N_ELEMENTS(vectors));
}

/* Blanks around a name are padding; inside they are its own. */
static void test_padding(void)
{
	static const Vector vectors[] = {
		{ "              ls 16692  1503.756309:          1 page-faults:", "ls", NONE, 16692,
		  NONE, 1503756309000, 1, "page-faults" },
		{ "trail    15398  1.000001: 1 cycles:", "trail", NONE, 15398, NONE, 1000001000, 1,
		  "cycles" },
		{ "   lead 15397  1.000001: 1 cycles:", "lead", NONE, 15397, NONE, 1000001000, 1,
		  "cycles" },
		{ "a  b 15397  1.000001: 1 cycles:", "a  b", NONE, 15397, NONE, 1000001000, 1,
		  "cycles" },
		{ "                 15395  1.000001: 1 cycles:", "", NONE, 15395, NONE, 1000001000,
		  1, "cycles" },
		{ "swapper       0 [000] 56789.123456:   10101010 cycles:P:", "swapper", NONE, 0, 0,
		  56789123456000, 10101010, "cycles:P" },
		{ "swapper       0/0       [127]     1.000001:          1 cycles:", "swapper", 0, 0,
		  127, 1000001000, 1, "cycles" },
	};

	check(vectors, G_N_ELEMENTS(vectors));
}

/* --- fields before the time -------------------------------------------------------------- */

static void test_misc(void)
{
	static const Vector vectors[] = {
		{ "a 1 [000] U      1.000001: 1 c:", "a", NONE, 1, 0, 1000001000, 1, "c" },
		{ "a 1/2 H      1.000001: 1 c:", "a", 1, 2, NONE, 1000001000, 1, "c" },
		{ "a 1 [-01] KE     1.000001: 1 c:", "a", NONE, 1, NONE, 1000001000, 1, "c" },
		{ "a 1 [000] USp    1.000001: 1 c:", "a", NONE, 1, 0, 1000001000, 1, "c" },
		{ "a 1 [000] g 2026-11-21 01:56:29.881755 1.000001: 1 c:", "a", NONE, 1, 0,
		  1000001000, 1, "c" },
		{ "a 1 [000] 2026-11-21 01:56:29.881755123 1.000001001: 1 c:", "a", NONE, 1, 0,
		  1000001001, 1, "c" },
	};

	check(vectors, G_N_ELEMENTS(vectors));
}

static void test_cpu(void)
{
	static const Vector vectors[] = {
		{ "a 1 [000] 1.000001: 1 c:", "a", NONE, 1, 0, 1000001000, 1, "c" },
		{ "a 1 [099] 1.000001: 1 c:", "a", NONE, 1, 99, 1000001000, 1, "c" },
		{ "a 1 [1023] 1.000001: 1 c:", "a", NONE, 1, 1023, 1000001000, 1, "c" },
		{ "a 1 [-01] 1.000001: 1 c:", "a", NONE, 1, NONE, 1000001000, 1, "c" },
		{ "a [000] 1 1.000001: 1 c:", "a [000]", NONE, 1, NONE, 1000001000, 1, "c" },
	};

	check(vectors, G_N_ELEMENTS(vectors));
}

/* Samples of guests begin with their machine and its CPU (1.2, rows 1 and 2). */
static void test_guest(void)
{
	static const Vector vectors[] = {
		{ "VM: 1234 VCPU:003 bash 12 [000] 1.000001: 1 c:", "bash", NONE, 12, 0, 1000001000,
		  1, "c" },
	};

	check(vectors, G_N_ELEMENTS(vectors));
}

/* --- the time ---------------------------------------------------------------------------- */

static void test_times(void)
{
	static const Vector vectors[] = {
		{ "a 1     0.000000: 1 c:", "a", NONE, 1, NONE, 0, 1, "c" },
		{ "a 1     0.000001: 1 c:", "a", NONE, 1, NONE, 1000, 1, "c" },
		{ "a 1     0.000000001: 1 c:", "a", NONE, 1, NONE, 1, 1, "c" },
		{ "a 1 4794564.109216123: 1 c:", "a", NONE, 1, NONE, 4794564109216123, 1, "c" },
		{ "a 1 10314749.002559123: 1 c:", "a", NONE, 1, NONE, 10314749002559123, 1, "c" },
		{ "a 1 18446744073.709551: 1 c:", "a", NONE, 1, NONE, TIME_NONE, 1, "c" },
		{ "a 1 18446744073.709551615: 1 c:", "a", NONE, 1, NONE, TIME_NONE, 1, "c" },
		{ "a 1 9223372036854775808.000000: 1 c:", "a", NONE, 1, NONE, TIME_NONE, 1, "c" },
		{ "a 1 99999999999999999999.000000: 1 c:", "a", NONE, 1, NONE, TIME_NONE, 1, "c" },
	};

	check(vectors, G_N_ELEMENTS(vectors));
}

/* Old simpleperf: with a TAB before the time fewer decimals are a number of µs. */
static void test_short_microseconds(void)
{
	static const Vector vectors[] = {
		{ "Gecko\t25122 [007] 115540.5:\t\t1000000 task-clock:u:", "Gecko", NONE, 25122, 7,
		  115540000005000, 1000000, "task-clock:u" },
		{ "Gecko\t25122 [007] 115540.123456:\t\t1000000 task-clock:u:", "Gecko", NONE,
		  25122, 7, 115540123456000, 1000000, "task-clock:u" },
	};
	EventLine event;

	check(vectors, G_N_ELEMENTS(vectors));
	g_assert_true(event_line_parse(text_from(vectors[0].line), &event));
	g_assert_true(event.is_short_us);
	g_assert_true(event_line_parse(text_from(vectors[1].line), &event));
	g_assert_false(event.is_short_us);
}

static void test_no_times(void)
{
	static const char *const lines[] = {
		"a 1 1.5: 1 c:", /* neither 6 nor 9 decimals */
		"a 1 1.50000: 1 c:",
		"a 1 1.5000000: 1 c:",
		"a 1 1.5000000000: 1 c:",
		"a 1 1510,143803: 1 c:", /* another locale's point */
		"a 1 .143803: 1 c:",
		"a 1 x1.143803: 1 c:",
		"a 1 1.143803 1 c:",
		"a 1 1.143803:1 c:",
		"a 1 -1.143803x: 1 c:",
		"a 1 1.14380a: 1 c:",
		"",
		" ",
		":",
		"1.143803",
		"\tffffffff82200e37 _raw_spin_lock+0x17 ([kernel.kallsyms])",
		"\t    7f1e2215d058 f (/x 1.5: y)",
		NULL
	};

	check_none(lines);
}

/* --- period and event -------------------------------------------------------------------- */

static void test_events(void)
{
	static const struct {
		const char *right;
		int64_t period;
		const char *event;
	} rights[] = {
		{ "sched:sched_switch: prev_comm=a b prev_pid=1 ==> next_comm=x", -1,
		  "sched:sched_switch" },
		{ "sched_switch: prev_comm=x", -1, "sched_switch" },
		{ "    250000 cycles:uppp: ", 250000, "cycles:uppp" },
		{ "cpu/mem-loads,ldlat=30/P: ", -1, "cpu/mem-loads,ldlat=30/P" },
		{ "1 cpu_core/cycles/Pu: ", 1, "cpu_core/cycles/Pu" },
		{ "1 cpu-clock/freq=100,call-graph=fp/u: ", 1,
		  "cpu-clock/freq=100,call-graph=fp/u" },
		{ "1 cpu-clock:uhpppH: ", 1, "cpu-clock:uhpppH" },
		{ "probe_cpp:wcpret__return: (55a8 <- 55a8) arg1=0xbb8", -1,
		  "probe_cpp:wcpret__return" },
		{ "1 a:b: ", 1, "a:b" },
		{ "1 [unknown]: ", 1, "[unknown]" },
		{ "0 cycles:", 0, "cycles" },
		{ "9007199254740993 cycles:", 9007199254740993, "cycles" },
		{ "9223372036854775807 cycles:", INT64_MAX, "cycles" },
		{ "1 {cycles,instructions}:S: ", 1, "{cycles,instructions}:S" },
		{ "1 page-faults:      7f33c2c00b70 _start+0x0 (/x)", 1, "page-faults" },
		{ "raw_syscalls:sys_enter: NR 16 (b, 2400, 0, 7f12, 1, 0)", -1,
		  "raw_syscalls:sys_enter" },
		{ "1:2: x", -1, "1:2" },
		/* No event was printed. */
		{ "", -1, "" },
		{ "          1 ", 1, "" },
		{ "prev_comm=perf prev_pid=16007 ==> next_comm=x", -1, "" },
		{ "dfd: 0xffffff9c, filename: 0x7ffedb5f3150", -1, "dfd" },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(rights); i++) {
		g_autofree char *line =
			g_strdup_printf("a b 1/2 [003]  1.000001: %s", rights[i].right);
		const Vector vector = {
			line, "a b", 1, 2, 3, 1000001000, rights[i].period, rights[i].event
		};

		check(&vector, 1);
	}
}

static void test_huge_period(void)
{
	EventLine event;

	g_assert_true(event_line_parse(TEXT("a 1 1.000001: 18446744073709551615 c:"), &event));
	g_assert_cmpuint(event.period, ==, UINT64_MAX);
	g_assert_true(event_line_parse(TEXT("a 1 1.000001: 99999999999999999999999 c:"), &event));
	g_assert_true(event.has_period);
	g_assert_cmpuint(event.period, ==, UINT64_MAX);
}

/* An id that is none of this world is unknown, and never a wrong small one. */
static void test_huge_ids(void)
{
	EventLine event;

	g_assert_true(event_line_parse(TEXT("a 99999999999 [000] 1.000001: 1 c:"), &event));
	g_assert_true(event.tid == NONE || event.tid == INT32_MAX);
	g_assert_true(event_line_parse(TEXT("a 1/2 [99999999999] 1.000001: 1 c:"), &event));
	g_assert_true(event.cpu == NONE || event.cpu == INT32_MAX);
}

static void check_payload(const char *line, const char *expected)
{
	EventLine event;

	g_assert_true(event_line_parse(text_from(line), &event));
	check_text(line, "payload", event.payload, expected);
}

/* Everything behind the event, with its blanks: columns matter there. */
static void test_payload(void)
{
	check_payload("a 1 1.000001: s:x: p=1 2.000000: q", " p=1 2.000000: q");
	check_payload("a 1 1.000001: 1 page-faults:  ffffffff821e8700 f+0x40 ([k])",
		      "  ffffffff821e8700 f+0x40 ([k])");
	check_payload("a 1 1.000001: printk:console: hello (world) 1.234: foo",
		      " hello (world) 1.234: foo");
}

/* Several times in a line: the first that has a thread before it and an event behind it. */
static void test_several_times(void)
{
	static const Vector vectors[] = {
		{ "bash 1 [000] 2.000000: printk:console: hello (world) 1.234: foo", "bash", NONE,
		  1, 0, 2000000000, -1, "printk:console" },
		{ "bash 1 [000] 2.000000: p:c: x 3 [001] 4.000000: y:z: w", "bash", NONE, 1, 0,
		  2000000000, -1, "p:c" },
		{ "3.000000: 7 [000] 2.000000: 1 c:", "3.000000:", NONE, 7, 0, 2000000000, 1, "c" },
		{ "a 1.000000: 5 2.000000: 1 c:", "a 1.000000:", NONE, 5, NONE, 2000000000, 1,
		  "c" },
	};

	check(vectors, G_N_ELEMENTS(vectors));
}

/* --- fields that were not printed -------------------------------------------------------- */

static void test_missing_fields(void)
{
	static const Vector vectors[] = {
		{ "16009 [001]  1356.805722:          1 page-faults: ", "", NONE, 16009, 1,
		  1356805722000, 1, "page-faults" },
		{ "perf-exec [001]  1356.805722:          1 page-faults: ", "perf-exec", NONE, NONE,
		  1, 1356805722000, 1, "page-faults" },
		{ " 1356.809467: ", "", NONE, NONE, NONE, 1356809467000, -1, "" },
		{ "1356.809467:", "", NONE, NONE, NONE, 1356809467000, -1, "" },
		{ "            perf  1356.805576: sched:sched_switch: ", "perf", NONE, NONE, NONE,
		  1356805576000, -1, "sched:sched_switch" },
		{ "perf 16007  1356.805576: ", "perf", NONE, 16007, NONE, 1356805576000, -1, "" },
	};

	check(vectors, G_N_ELEMENTS(vectors));
}

/* --- untimed ----------------------------------------------------------------------------- */

static void test_untimed(void)
{
	static const Vector vectors[] = {
		{ "cpp 16737    3000000 cpu-clock: ", "cpp", NONE, 16737, NONE, TIME_NONE, 3000000,
		  "cpu-clock" },
		{ "cpp 16737/16738 3000000 cpu-clock:u:", "cpp", 16737, 16738, NONE, TIME_NONE,
		  3000000, "cpu-clock:u" },
		{ "cpp 16737 [002] 3000000 cycles:", "cpp", NONE, 16737, 2, TIME_NONE, 3000000,
		  "cycles" },
		{ "cpp 16737 cycles:", "cpp", NONE, 16737, NONE, TIME_NONE, -1, "cycles" },
		{ "x 1 cycles:", "x", NONE, 1, NONE, TIME_NONE, -1, "cycles" },
		{ "x 1 2 cycles:", "x", NONE, 1, NONE, TIME_NONE, 2, "cycles" },
		{ "1234 567 15390 5000000 cpu-clock:", "1234 567", NONE, 15390, NONE, TIME_NONE,
		  5000000, "cpu-clock" },
		{ " 15395    5000000 cpu-clock: ", "", NONE, 15395, NONE, TIME_NONE, 5000000,
		  "cpu-clock" },
		{ ":-1 -1/-1 [000] cycles:", ":-1", -1, -1, 0, TIME_NONE, -1, "cycles" },
		{ "two words 12 [000] 5 sched:sched_switch:", "two words", NONE, 12, 0, TIME_NONE,
		  5, "sched:sched_switch" },
	};

	check_untimed(vectors, G_N_ELEMENTS(vectors));
}

static void test_no_untimed(void)
{
	static const char *const lines[] = { "",
					     " ",
					     ":",
					     "cycles:",
					     "foo cycles:",
					     "hello world",
					     "foo 12 cycles",
					     "foo x12 cycles:",
					     "         1 ",
					     "Error: something 12 happened",
					     NULL };

	for (size_t i = 0; lines[i] != NULL; i++) {
		EventLine event;

		if (event_line_parse_untimed(text_from(lines[i]), &event))
			g_error("'%s' is taken for an untimed event line", lines[i]);
	}
}

/* --- any bytes --------------------------------------------------------------------------- */

/* Pieces that mean something, in any order: whatever comes out lies within the line. */
static void test_random(void)
{
	static const char *const pieces[] = {
		" ",	       "\t", "1.000001:",  "12",
		"[000]",       "[",  "]",	   "cycles:",
		":",	       "-1", "/",	   "a",
		"#",	       "K",  "1.5:",	   "99999999999999999999.000000:",
		"\xff",	       "()", "2026-11-21", "01:56:29.881755",
		"PERF_RECORD_"
	};

	for (int round = 0; round < 50000; round++) {
		g_autoptr(GString) line = g_string_new(NULL);
		EventLine event;

		for (int i = g_test_rand_int_range(0, 14); i > 0; i--) {
			g_string_append(line,
					pieces[g_test_rand_int_range(0, G_N_ELEMENTS(pieces))]);
			if (g_test_rand_bit())
				g_string_append_c(line, ' ');
		}
		/* Without the NUL, so that reading past the end shows. */
		g_autofree char *bytes = g_memdup2(line->str, line->len);
		Text text = { bytes, line->len };
		if (!event_line_parse(text, &event) && !event_line_parse_untimed(text, &event))
			continue;
		const Text parts[] = { event.comm, event.event, event.payload };
		for (size_t i = 0; i < G_N_ELEMENTS(parts); i++)
			g_assert_true(parts[i].len == 0 ||
				      (parts[i].data >= bytes &&
				       parts[i].data + parts[i].len <= bytes + line->len));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/event-line/vectors", test_vectors);
	g_test_add_func("/event-line/names", test_names);
	g_test_add_func("/event-line/padding", test_padding);
	g_test_add_func("/event-line/misc", test_misc);
	g_test_add_func("/event-line/cpu", test_cpu);
	g_test_add_func("/event-line/guest", test_guest);
	g_test_add_func("/event-line/times", test_times);
	g_test_add_func("/event-line/times/short-us", test_short_microseconds);
	g_test_add_func("/event-line/times/none", test_no_times);
	g_test_add_func("/event-line/events", test_events);
	g_test_add_func("/event-line/huge-period", test_huge_period);
	g_test_add_func("/event-line/huge-ids", test_huge_ids);
	g_test_add_func("/event-line/payload", test_payload);
	g_test_add_func("/event-line/several-times", test_several_times);
	g_test_add_func("/event-line/missing-fields", test_missing_fields);
	g_test_add_func("/event-line/untimed", test_untimed);
	g_test_add_func("/event-line/untimed/none", test_no_untimed);
	g_test_add_func("/event-line/random", test_random);
	return g_test_run();
}
