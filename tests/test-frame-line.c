/* SPDX-License-Identifier: MIT */
/*
 * Frame lines of perf script: the table of the shared reference formats.md, 1.6, the rules of 1.7
 * and the vectors of 7. Symbols and DSOs hold blanks and parentheses.
 */

#include "parse/frame-line.h"

#include <glib.h>
#include <string.h>

typedef struct {
	const char *text;
	const char *symbol;
	const char *dso;
	bool is_inlined;
} Vector;

static void check_text(const char *line, const char *what, Text text, const char *expected)
{
	if (text.len != strlen(expected) || memcmp(text.data, expected, text.len) != 0)
		g_error("'%s': %s is '%.*s', expected '%s'", line, what, (int)text.len, text.data,
			expected);
}

static void check_frame(const Vector *v, const FrameLine *frame)
{
	check_text(v->text, "symbol", frame->symbol, v->symbol);
	check_text(v->text, "dso", frame->dso, v->dso);
	if (frame->is_inlined != v->is_inlined)
		g_error("'%s': inlined is %d", v->text, frame->is_inlined);
}

/* The part behind the address, alone and as part of lines as several tools indent them. */
static void check_split(const Vector *vectors, size_t n)
{
	static const char *const starts[] = { "\t            7ec1 ", "        7ec1\t", "7ec1 ",
					      "\tffffffff82200e37 " };
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < G_N_ELEMENTS(starts); k++) {
			g_autofree char *line = g_strconcat(starts[k], vectors[i].text, NULL);
			FrameLine frame;

			g_assert_true(frame_line_parse(text_from(line), &frame));
			check_frame(&vectors[i], &frame);
			g_assert_cmpuint(frame.ip, ==,
					 k == 3 ? 0xffffffff82200e37u : (uint64_t)0x7ec1);
		}
}

/* --- vectors ----------------------------------------------------------------------------- */

static void test_vectors(void)
{
	static const Vector vectors[] = {
		{ "(anonymous namespace)::Hidden::operator()+0x21 (/srv/app/cpp)",
		  "(anonymous namespace)::Hidden::operator()", "/srv/app/cpp", false },
		{ "std::_Function_handler<void (int), main::{lambda(int)#1}>::_M_invoke (/tmp/a)",
		  "std::_Function_handler<void (int), main::{lambda(int)#1}>::_M_invoke", "/tmp/a",
		  false },
		{ "[unknown] (/memfd:my code (v1) (deleted))", "", "/memfd:my code (v1) (deleted)",
		  false },
		{ "foo+0x1 (/tmp/un(bal)", "foo", "/tmp/un(bal", false },
		{ "foo (/tmp/un(bal)", "foo", "/tmp/un(bal", false },
		{ "foo (/srv/app/dir (x) y/my prog (1))", "foo", "/srv/app/dir (x) y/my prog (1)",
		  false },
		{ "ends with ) ( (/tmp/perf-1.map)", "ends with ) (", "/tmp/perf-1.map", false },
		{ "sym (inlined) (/tmp/perf-1.map)", "sym (inlined)", "/tmp/perf-1.map", false },
		{ "operator() (inlined)", "operator()", "", true },
		{ "StubRoutines (1)+0x3 (/tmp/perf-17675.map)", "StubRoutines (1)",
		  "/tmp/perf-17675.map", false },
		{ "*ABS*+0xa0720@plt+0x0 (/usr/lib/libc.so.6)", "*ABS*+0xa0720@plt",
		  "/usr/lib/libc.so.6", false },
		{ "java.lang.String.hashCode ([JIT app cache])", "java.lang.String.hashCode",
		  "[JIT app cache]", false },
		{ "start_kernel ([kernel.kallsyms].init.text)", "start_kernel",
		  "[kernel.kallsyms].init.text", false },
		{ "foo+0x10 (/bin/x+0x1234)", "foo", "/bin/x", false },
		{ "JS:~weird name (x) /srv/app/s.js:3:26 (/tmp/perf-1.map)",
		  "JS:~weird name (x) /srv/app/s.js:3:26", "/tmp/perf-1.map", false },
		{ "foo(int, std::vector<int> const&) const (/bin/x)",
		  "foo(int, std::vector<int> const&) const", "/bin/x", false },
		{ "native_safe_halt", "native_safe_halt", "", false },
	};

	check_split(vectors, G_N_ELEMENTS(vectors));
}

static void test_table(void)
{
	static const Vector vectors[] = {
		{ "_raw_spin_lock+0x17 ([kernel.kallsyms])", "_raw_spin_lock", "[kernel.kallsyms]",
		  false },
		{ "[unknown] ([unknown])", "", "[unknown]", false },
		{ "[unknown] (/usr/bin/x)", "", "/usr/bin/x", false },
		{ "xen_hypercall_sched_op ([kernel.kallsyms])", "xen_hypercall_sched_op",
		  "[kernel.kallsyms]", false },
		{ "xen_hypercall_sched_op+0xfe20000a (/lib/modules/4.9-virtual/build/vmlinux)",
		  "xen_hypercall_sched_op", "/lib/modules/4.9-virtual/build/vmlinux", false },
		{ "@plt+0x0 (/usr/lib/libc.so.6)", "@plt", "/usr/lib/libc.so.6", false },
		{ "__libc_start_main_impl+0x84 (inlined)", "__libc_start_main_impl", "", true },
		{ "__schedule", "__schedule", "", false },
		{ "__schedule+0x618", "__schedule", "", false },
		{ "foo+0x29 (/srv/app/dir (x) y/my prog (1))", "foo",
		  "/srv/app/dir (x) y/my prog (1)", false },
		{ "bpf_prog_2b956549c660136a_uni_l4lb+0xb80 (bpf_prog_2b956549c660136a_uni_l4lb)",
		  "bpf_prog_2b956549c660136a_uni_l4lb", "bpf_prog_2b956549c660136a_uni_l4lb",
		  false },
		{ " (/lib/x86_64-linux-gnu/libc-2.15.so)", "", "/lib/x86_64-linux-gnu/libc-2.15.so",
		  false },
		{ "[0x7f0012345678] (/bin/x)", "[0x7f0012345678]", "/bin/x", false },
		{ "", "", "", false },
	};

	check_split(vectors, G_N_ELEMENTS(vectors));
}

/* Names of a JIT map are any bytes; only the last offset is perf's. */
static void test_jit_names(void)
{
	static const Vector vectors[] = {
		{ "x+0x10+0x3 (/tmp/perf-1.map)", "x+0x10", "/tmp/perf-1.map", false },
		{ "deadbeef 0x12+0x0 (/tmp/perf-1.map)", "deadbeef 0x12", "/tmp/perf-1.map",
		  false },
		{ "a;b;c+0x1 (/tmp/perf-1.map)", "a;b;c", "/tmp/perf-1.map", false },
		{ "Ljava/io/PrintStream;::print+0x1 (/tmp/perf-1.map)",
		  "Ljava/io/PrintStream;::print", "/tmp/perf-1.map", false },
		{ "void java.util.stream.IntPipeline$6$1.accept(int)+0x44 (/tmp/perf-1.map)",
		  "void java.util.stream.IntPipeline$6$1.accept(int)", "/tmp/perf-1.map", false },
		{ "sym (inlined)+0x2 (/tmp/perf-1.map)", "sym (inlined)", "/tmp/perf-1.map",
		  false },
		{ "RegExp:^(a|b (c)+0x2 (/tmp/perf-1.map)", "RegExp:^(a|b (c)", "/tmp/perf-1.map",
		  false },
		{ "\xff\x01 \xc3+0x2 (/tmp/perf-1.map)", "\xff\x01 \xc3", "/tmp/perf-1.map",
		  false },
		{ "A::f->B::g+0x2 (/tmp/perf-1.map)", "A::f->B::g", "/tmp/perf-1.map", false },
	};

	check_split(vectors, G_N_ELEMENTS(vectors));
}

static void test_cpp_names(void)
{
	static const Vector vectors[] = {
		{ "(anonymous namespace)::Hidden::operator->*+0x21 (/srv/app/cpp)",
		  "(anonymous namespace)::Hidden::operator->*", "/srv/app/cpp", false },
		{ "operator->*+0x21 (inlined)", "operator->*", "", true },
		{ "operator()+0x29 (inlined)", "operator()", "", true },
		{ "__invoke_impl<void, main(int, char**)::<lambda(int)>&, int>+0x29 (inlined)",
		  "__invoke_impl<void, main(int, char**)::<lambda(int)>&, int>", "", true },
		{ "std::operator+<char>+0x10 (/bin/x)", "std::operator+<char>", "/bin/x", false },
		{ "operator() (/bin/x)", "operator()", "/bin/x", false },
		{ "void exec<void (*)()>(void (*)()) (/bin/x)", "void exec<void (*)()>(void (*)())",
		  "/bin/x", false },
		{ "clock_gettime@@GLIBC_2.17+0x19 (/usr/lib/libc.so.6)",
		  "clock_gettime@@GLIBC_2.17", "/usr/lib/libc.so.6", false },
		{ "(anonymous namespace)::f (/bin/x)", "(anonymous namespace)::f", "/bin/x",
		  false },
	};

	check_split(vectors, G_N_ELEMENTS(vectors));
}

static void test_dsos(void)
{
	static const char *const dsos[] = { "//anon",
					    "anon_inode:[perf_event]",
					    "/dev/zero (deleted)",
					    "/SYSV00000000 (deleted)",
					    "/memfd:NAME (deleted)",
					    "[vdso]",
					    "[guest.kernel.kallsyms.12]",
					    "/data/app/base.apk!lib/arm64/libx.so",
					    "/a b/c",
					    "???",
					    "[stack]",
					    "/tmp/jitted-1-2.so" };

	for (size_t i = 0; i < G_N_ELEMENTS(dsos); i++) {
		g_autofree char *with = g_strdup_printf("foo+0x1 (%s)", dsos[i]);
		g_autofree char *without = g_strdup_printf("foo (%s)", dsos[i]);
		g_autofree char *unknown = g_strdup_printf("[unknown] (%s)", dsos[i]);
		const Vector vectors[] = { { with, "foo", dsos[i], false },
					   { without, "foo", dsos[i], false },
					   { unknown, "", dsos[i], false } };

		check_split(vectors, G_N_ELEMENTS(vectors));
	}
}

/* --- whole lines ------------------------------------------------------------------------- */

static void check_ip(const char *line, uint64_t ip, const char *symbol)
{
	FrameLine frame;

	if (!frame_line_parse(text_from(line), &frame))
		g_error("'%s' is no frame", line);
	g_assert_cmphex(frame.ip, ==, ip);
	check_text(line, "symbol", frame.symbol, symbol);
}

static void test_addresses(void)
{
	check_ip("\t           fd001", 0xfd001, ""); /* -F ip */
	check_ip("\t               0 [unknown] ([unknown])", 0, "");
	check_ip("\t 8ec8348fb894853 [unknown] ([unknown])", 0x8ec8348fb894853, "");
	check_ip("\tffffffffffffffff f+0x1 (/x)", UINT64_MAX, "f");
	check_ip("\tFFFFFFFF82200E37 f+0x1 (/x)", 0xffffffff82200e37, "f");
	check_ip("   2013aa xen_hypercall_sched_op (/x)", 0x2013aa, "xen_hypercall_sched_op");
	check_ip("7f1722a3b5c0 f (/x)", 0x7f1722a3b5c0, "f"); /* lost its indentation */
	check_ip("\t  7b0da4f360\tsyscall (/libc.so)", 0x7b0da4f360, "syscall");
	check_ip("\t            7ec1 f+0x1 (/x)   ", 0x7ec1, "f");
	check_ip("        7ec1 abc def (/x)", 0x7ec1, "abc def"); /* the first word alone is it */
}

static void test_none(void)
{
	static const char *const lines[] = {
		"",
		" ",
		"\t",
		"\tnot_hex f (/x)",
		"\tffffffffffffffff0 f (/x)", /* 17 digits */
		"\t0x7ec1 f (/x)",
		"\t7ec1: f (/x)",
		"\t7ec1+0x1 (/x)",
		"<not enough memory for the callchain cursor>",
		" ABI:2    BP:0x7ffce7419c80    SP:0x7ffce7419bb8    IP:0x563351b6d999 ",
		"  cpp.cpp:11",
		"|11       static inline void spin(unsigned n)",
		"swapper     0 [000] 1.000001: cycles:",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(lines); i++) {
		FrameLine frame;

		if (frame_line_parse(text_from(lines[i]), &frame))
			g_error("'%s' is taken for a frame", lines[i]);
	}
}

/* --- any bytes --------------------------------------------------------------------------- */

static void test_random(void)
{
	static const char *const pieces[] = { "\t",   "7ec1",	   " ",		"(",
					      ")",    "+0x1",	   "+0x",	"f",
					      "(/x)", "(inlined)", "[unknown]", "(deleted)",
					      "\xff", "operator",  "()",	" (" };

	for (int round = 0; round < 50000; round++) {
		g_autoptr(GString) line = g_string_new(NULL);
		FrameLine frame;

		for (int i = g_test_rand_int_range(0, 12); i > 0; i--)
			g_string_append(line,
					pieces[g_test_rand_int_range(0, G_N_ELEMENTS(pieces))]);
		g_autofree char *bytes = g_memdup2(line->str, line->len);
		const char *end = bytes + line->len;
		if (!frame_line_parse((Text){ bytes, line->len }, &frame))
			continue;
		g_assert_true(frame.symbol.len == 0 ||
			      (frame.symbol.data >= bytes &&
			       frame.symbol.data + frame.symbol.len <= end));
		g_assert_true(frame.dso.len == 0 ||
			      (frame.dso.data >= bytes && frame.dso.data + frame.dso.len <= end));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/frame-line/vectors", test_vectors);
	g_test_add_func("/frame-line/table", test_table);
	g_test_add_func("/frame-line/jit-names", test_jit_names);
	g_test_add_func("/frame-line/cpp-names", test_cpp_names);
	g_test_add_func("/frame-line/dsos", test_dsos);
	g_test_add_func("/frame-line/addresses", test_addresses);
	g_test_add_func("/frame-line/none", test_none);
	g_test_add_func("/frame-line/random", test_random);
	return g_test_run();
}
