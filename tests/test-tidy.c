/* SPDX-License-Identifier: MIT */
/*
 * Displayed symbols by language. What is expected follows the contract's `tidy` and the shared
 * reference formats.md, 1.9 (what to cut and what never) and 2 (what peers get wrong).
 */

#include "store/tidy.h"

static void check(bool is_jit, const char *symbol, const char *expected)
{
	g_autoptr(GString) name = g_string_new("left over");

	tidy_symbol(text_from(symbol), is_jit, name);
	if (!g_str_equal(name->str, expected))
		g_error("'%s' became '%s', expected '%s'", symbol, name->str, expected);
	g_assert_cmpuint(name->len, ==, strlen(expected));
}

static void check_native(const char *symbol, const char *expected)
{
	check(false, symbol, expected);
}

static void check_jit(const char *symbol, const char *expected)
{
	check(true, symbol, expected);
}

static void check_kept(bool is_jit, const char *const *symbols)
{
	for (; *symbols != NULL; symbols++)
		check(is_jit, *symbols, *symbols);
}

/* --- C++ --------------------------------------------------------------------------------- */

/* perf's own demangled names have no argument lists: nothing is to be cut. */
static void test_cpp_kept(void)
{
	static const char *const symbols[] = {
		"(anonymous namespace)::Hidden::operator()",
		"(anonymous namespace)::Hidden::operator->*",
		"(anonymous namespace)::work",
		"ns::(anonymous namespace)::work",
		"std::_Function_handler<void (int), main::{lambda(int)#1}>::_M_invoke",
		"__invoke_r<void, main(int, char**)::<lambda(int)>&, int>",
		"std::ostream::operator<<",
		"A::operator->",
		"A::operator->*",
		"operator()",
		"operator int",
		"operator new[]",
		"std::operator+<char>",
		"Counter::operator++",
		"Tpl<int>::~Tpl",
		"foo<(some_enum)0>::bar",
		"foo<(E)0, (F)1>::bar<void (*)()>",
		"std::function<void (int)>::function",
		"A<(1)>(2)>::f",
		NULL,
	};

	check_kept(false, symbols);
}

static void test_cpp_arguments(void)
{
	check_native("foo()", "foo");
	check_native("foo(int)", "foo");
	check_native("foo(int, std::vector<int> const&)", "foo");
	check_native("A::b(int) const", "A::b");
	check_native("A::b(int) volatile", "A::b");
	check_native("A::b() &", "A::b");
	check_native("A::b() const&", "A::b");
	check_native("void exec<void (*)()>(void (*)())", "void exec<void (*)()>");
	check_native("void f<(E)0>(int)", "void f<(E)0>");
	check_native("sort<int*>(int*, int*, bool (*)(int, int))", "sort<int*>");
	check_native("(anonymous namespace)::f(int)", "(anonymous namespace)::f");
	check_native("ns::(anonymous namespace)::f(int) const", "ns::(anonymous namespace)::f");
	check_native("f((anonymous namespace)::T)", "f");
	check_native("Tpl<int>::~Tpl()", "Tpl<int>::~Tpl");
	check_native("f(int) [clone .isra.0]", "f");
	check_native("A::f(int) const [clone .cold]", "A::f");
}

static void test_cpp_operators(void)
{
	check_native("operator()(int)", "operator()");
	check_native("A::operator()(int) const", "A::operator()");
	check_native("A::operator()()", "A::operator()");
	check_native("A::operator->()", "A::operator->");
	check_native("A::operator->*(int)", "A::operator->*");
	check_native("operator<(A const&, A const&)", "operator<");
	check_native("operator<<(std::ostream&, A const&)", "operator<<");
	check_native("operator>>(std::istream&, A&)", "operator>>");
	check_native("operator<=>(A, B)", "operator<=>");
	check_native("operator<= (A, B)", "operator<= ");
	check_native("std::operator<< <char>(std::ostream&, char)", "std::operator<< <char>");
	check_native("std::operator+<char>(char const*)", "std::operator+<char>");
	check_native("A::operator bool() const", "A::operator bool");
	check_native("A::operator std::function<void (int)>()",
		     "A::operator std::function<void (int)>");
	check_native("my_operator(int)", "my_operator");
	check_native("operators(int)", "operators");
}

/* A list in the middle of a name tells whose lambda it is. */
static void test_cpp_lambdas(void)
{
	check_native("main::{lambda(int)#1}::operator()(int) const",
		     "main::{lambda(int)#1}::operator()");
	check_native("foo(int)::{lambda()#1}::operator()() const",
		     "foo(int)::{lambda()#1}::operator()");
	check_native("main(int, char**)::<lambda(int)>", "main(int, char**)::<lambda(int)>");
	check_native("foo(int)::local", "foo(int)::local");
}

static void test_unbalanced(void)
{
	static const char *const symbols[] = { "foo(int", "foo)", "foo(int))(", "(", ")",
					       "a<b(",	  "->",	  "<",		">", NULL };

	check_kept(false, symbols);
}

/* --- other compiled languages ------------------------------------------------------------ */

static void test_go(void)
{
	static const char *const symbols[] = { "main.(*Server).Serve.func1",
					       "net/http.(*conn).serve",
					       "go.(*T[...]).Do",
					       "text/template.init.ializers",
					       "runtime.mallocgc",
					       "main.(*Server)",
					       NULL };

	check_kept(false, symbols);
}

static void test_rust(void)
{
	static const char *const symbols[] = { "<alloc::boxed::Box<T> as gc::trace::Trace>::trace",
					       "rg::_{{closure}}",
					       "foo::hello",
					       "a::h0123456789abcde",	/* 15 digits */
					       "a::h0123456789abcdef0", /* 17 */
					       "a::h0123456789abcdeg",
					       "a:h0123456789abcdef",
					       "main::$_0::operator", /* clang's lambda */
					       "a$b$c",
					       "a..b", /* no escape: nobody's Rust */
					       "$u1$x",
					       "$LT",
					       "$",
					       "$$",
					       NULL };

	check_native("core::fmt::Formatter::pad::h0123456789abcdef", "core::fmt::Formatter::pad");
	check_native("_RNvCs1234_7mycrate3foo", "mycrate::foo");
	check_native("_RNvXC1aNtB2_1TNtB2_1D1f.llvm.17", "<a::T as a::D>::f");
	check_native("_$LT$alloc..vec..Vec$LT$T$GT$$GT$::drop::h0123456789abcdef",
		     "<alloc::vec::Vec<T>>::drop");
	check_native("_$LT$$RF$T$u20$as$u20$core..fmt..Debug$GT$::fmt::h0123456789abcdef",
		     "<&T as core::fmt::Debug>::fmt");
	check_native("core::ptr::drop_in_place$LT$$u5b$u8$u3b$$u20$4$u5d$$GT$",
		     "core::ptr::drop_in_place<[u8: 4]>"); /* no semicolon in a frame */
	check_native("_$LT$F$u20$as$u20$core..ops..Fn$LT$$LP$A$C$B$RP$$GT$$GT$::call",
		     "<F as core::ops::Fn<(A,B)>>::call");
	check_native("<T as core::ops::Fn()>::call::hffffffffffffffff",
		     "<T as core::ops::Fn()>::call");
	check_kept(false, symbols);
}

static void test_c_and_kernel(void)
{
	static const char *const symbols[] = { "__schedule",
					       "foo.isra.0",
					       "foo.constprop.0",
					       "foo.part.0",
					       "__pfx_x",
					       "bpf_trampoline_6442",
					       "clock_gettime@@GLIBC_2.17",
					       "@plt",
					       "*ABS*+0xa0720@plt",
					       "[0x7f0000001234]",
					       "vtable stub",
					       "py::Process.username:/path/__init__.py",
					       "py::<module>:/path/x.py",
					       "name with \"quotes\" and 'quotes'",
					       NULL };

	check_kept(false, symbols);
}

/* --- code made at run time --------------------------------------------------------------- */

static void test_java(void)
{
	check_jit("double J.hot(int)", "double J.hot");
	check_jit("void java.util.stream.IntPipeline$6$1.accept(int)",
		  "void java.util.stream.IntPipeline$6$1.accept");
	check_jit("Ljava/io/PrintStream;::print", "java/io/PrintStream:::print");
	check_jit("Ljava/lang/String;::hashCode()I", "java/lang/String:::hashCode");
	check_jit("LList;::add", "LList:::add"); /* no package: the L may be a name's */
	check_jit("java.lang.String.hashCode", "java.lang.String.hashCode");
	check_jit("Interpreter", "Interpreter");
	check_jit("vtable stub", "vtable stub");
	check_jit("flush_icache_stub", "flush_icache_stub");
	check_jit("StubRoutines (1)", "StubRoutines (1)");
	check_jit("StubRoutines (2)", "StubRoutines (2)");
}

static void test_v8(void)
{
	static const char *const symbols[] = { "JS:~hot /tmp/s.js:1:13",
					       "JS:*hot /tmp/s.js:1:13",
					       "JS:^hot /tmp/s.js:1:13",
					       "JS:+hot /tmp/s.js:1:13",
					       "JS:~ :1:20",
					       "JS:~weird name (x) /srv/app/s.js:3:26",
					       "JS:*arrow->name /srv/app/s.js:3:26",
					       "JS:~get val /tmp/s.js:4:2",
					       "JS:~f node:internal/timers:155:31",
					       "Eval:~ :1:1",
					       "Eval:~ (eval at x (y)):1:1",
					       "RegExp:[&<>\"']",
					       "RegExp:^(a|b)->(c)$",
					       "Builtin:ArrayMap (x)",
					       NULL };

	check_kept(true, symbols);
}

/* Its L is no mark of the JVM's, slash or not. */
static void test_v8_lazy(void)
{
	check_jit("LazyCompile:~foo (a) /x.js:1:1", "LazyCompile:~foo (a) /x.js:1:1");
}

/* Names in a map file are any bytes to the end of the line. */
static void test_jit_bytes(void)
{
	check_jit("deadbeef 0x12", "deadbeef 0x12");
	check_jit("x+0x10", "x+0x10");
	check_jit("a;b;c", "a:b:c");
	check_jit("caf\xc3\xa9\x01\xff", "caf\xc3\xa9\x01\xff");
	check_jit("py::f:/x/y.py", "py::f:/x/y.py");
	check_jit("core::fmt::pad", "core::fmt::pad");
}

/* `;` separates frames in folded stacks. */
static void test_semicolons(void)
{
	check_native("a;b", "a:b");
	check_native(";", ":");
	check_jit("JS:~x;y /s.js:1:1", "JS:~x:y /s.js:1:1");
}

static void test_empty(void)
{
	check_native("", "");
	check_jit("", "");
}

/* --- inlining in JIT frames -------------------------------------------------------------- */

static void test_inlined(void)
{
	g_assert_cmpint(tidy_find_inlined(TEXT("A::foo->B::bar->c")), ==, 6);
	g_assert_cmpint(tidy_find_inlined(TEXT("B::bar->c")), ==, 6);
	g_assert_cmpint(tidy_find_inlined(TEXT("c")), ==, -1);
	g_assert_cmpint(tidy_find_inlined(TEXT("")), ==, -1);
	g_assert_cmpint(tidy_find_inlined(TEXT("a-")), ==, -1);
	g_assert_cmpint(tidy_find_inlined(TEXT("La/B;::c->La/D;::e")), ==, 8);
}

/* An arrow in JavaScript's names is part of them; C++ that is compiled at run time has operators.
 */
static void test_no_inlining(void)
{
	g_assert_cmpint(tidy_find_inlined(TEXT("JS:*arrow->name /s.js:3:26")), ==, -1);
	g_assert_cmpint(tidy_find_inlined(TEXT("RegExp:a->b")), ==, -1);
}

static void test_no_inlining_operator(void)
{
	g_assert_cmpint(tidy_find_inlined(TEXT("Ptr<int>::operator->")), ==, -1);
	g_assert_cmpint(tidy_find_inlined(TEXT("ns::operator->*")), ==, -1);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/tidy/cpp/kept", test_cpp_kept);
	g_test_add_func("/tidy/cpp/arguments", test_cpp_arguments);
	g_test_add_func("/tidy/cpp/operators", test_cpp_operators);
	g_test_add_func("/tidy/cpp/lambdas", test_cpp_lambdas);
	g_test_add_func("/tidy/cpp/unbalanced", test_unbalanced);
	g_test_add_func("/tidy/go", test_go);
	g_test_add_func("/tidy/rust", test_rust);
	g_test_add_func("/tidy/c-and-kernel", test_c_and_kernel);
	g_test_add_func("/tidy/jit/java", test_java);
	g_test_add_func("/tidy/jit/v8", test_v8);
	g_test_add_func("/tidy/jit/v8-lazy", test_v8_lazy);
	g_test_add_func("/tidy/jit/bytes", test_jit_bytes);
	g_test_add_func("/tidy/semicolons", test_semicolons);
	g_test_add_func("/tidy/empty", test_empty);
	g_test_add_func("/tidy/inlined", test_inlined);
	g_test_add_func("/tidy/inlined/no", test_no_inlining);
	g_test_add_func("/tidy/inlined/operator", test_no_inlining_operator);
	return g_test_run();
}
