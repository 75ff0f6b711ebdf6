/* SPDX-License-Identifier: MIT */
/*
 * Displayed frames: how one frame of perf's is named, when it is several, and which share an id.
 */

#include "store/frame-name.h"

#include "tests/store-fixture.h"

/* Frames typed as in store-fixture.h, in this order: their ids are 0, 1, … */
static Store *store_of(const char *const *frames)
{
	StoreBuilder *builder = store_builder_new();

	for (; *frames != NULL; frames++)
		store_fixture_stack(builder, *frames);
	return store_fixture_finish(builder);
}

static void check_text(Text text, const char *expected)
{
	g_assert_cmpmem(text.data, text.len, expected, strlen(expected));
}

/* The displays of frame `id`, joined by `|`. */
static char *shown(FrameNames *names, uint32_t id)
{
	GString *all = g_string_new(NULL);
	uint32_t n;
	const uint32_t *ids = frame_names_ids(names, id, &n);

	g_assert_cmpuint(n, >, 0);
	for (uint32_t i = 0; i < n; i++) {
		Text name = frame_names_get(names, ids[i]).name;

		g_assert_cmpuint(name.len, >, 0);
		g_string_append_len(all, name.data, (gssize)name.len);
		if (i + 1 < n)
			g_string_append_c(all, '|');
	}
	return g_string_free(all, FALSE);
}

/* What one frame is displayed as. */
static void check_shown(NamesKind kind, uint32_t flags, const char *frame, const char *expected)
{
	g_autoptr(Store) store = store_of((const char *const[]){ frame, NULL });
	g_autoptr(FrameNames) names = frame_names_new(store, kind, flags);
	g_autofree char *result = shown(names, 0);

	if (!g_str_equal(result, expected))
		g_error("'%s' is shown as '%s', expected '%s'", frame, result, expected);
}

static FrameClass class_of(const char *symbol, const char *dso, uint32_t flags)
{
	StoreFrame frame = { text_from(symbol), text_from(dso), 0, flags, TEXT("") };

	return frame_class(&frame);
}

/* The reference's table (formats.md, end of 1.9) in its order. */
static void test_class(void)
{
	g_assert_cmpint(class_of("f", "", 0), ==, FRAME_CLASS_UNKNOWN);
	g_assert_cmpint(class_of("f", "[unknown]", 0), ==, FRAME_CLASS_UNKNOWN);
	g_assert_cmpint(class_of("f", "/bin/x", FRAME_INLINED), ==, FRAME_CLASS_INLINED);
	g_assert_cmpint(class_of("f", "[kernel.kallsyms]", FRAME_INLINED), ==, FRAME_CLASS_INLINED);
	g_assert_cmpint(class_of("f", "/tmp/perf-1.map", 0), ==, FRAME_CLASS_JIT);
	g_assert_cmpint(class_of("f", "[kernel.kallsyms]", 0), ==, FRAME_CLASS_KERNEL);
	g_assert_cmpint(class_of("f", "[vdso]", 0), ==, FRAME_CLASS_USER);
	g_assert_cmpint(class_of("f", "/bin/x", 0), ==, FRAME_CLASS_USER);
	g_assert_cmpstr(frame_class_name(FRAME_CLASS_KERNEL), ==, "kernel");
	g_assert_cmpstr(frame_class_name(FRAME_CLASS_JIT), ==, "jit");
	g_assert_cmpstr(frame_class_name(FRAME_CLASS_INLINED), ==, "inlined");
	g_assert_cmpstr(frame_class_name(FRAME_CLASS_USER), ==, "user");
	g_assert_cmpstr(frame_class_name(FRAME_CLASS_UNKNOWN), ==, "");
	g_assert_cmpstr(frame_class_name(FRAME_CLASS_NONE), ==, "");
}

/* --- kinds of names ---------------------------------------------------------------------- */

static void test_tidy(void)
{
	check_shown(NAMES_TIDY, 0, "foo(int) const (/bin/x)", "foo");
	check_shown(NAMES_TIDY, 0, "(anonymous namespace)::f (/bin/x)", "(anonymous namespace)::f");
	check_shown(NAMES_TIDY, 0, "a::b::h0123456789abcdef (/bin/x)", "a::b");
	check_shown(NAMES_TIDY, 0, "double J.hot(int) (/tmp/perf-1.map)", "double J.hot");
	check_shown(NAMES_TIDY, 0, "StubRoutines (1) (/tmp/perf-1.map)", "StubRoutines (1)");
}

static void test_raw(void)
{
	check_shown(NAMES_RAW, 0, "foo(int) const (/bin/x)", "foo(int) const");
	check_shown(NAMES_RAW, 0, "a::b::h0123456789abcdef (/bin/x)", "a::b::h0123456789abcdef");
	check_shown(NAMES_RAW, 0, "A::f->B::g (/tmp/perf-1.map)", "A::f->B::g");
	check_shown(NAMES_RAW, 0, "@1f (/usr/lib/libx.so)", "[unknown]");
}

/* `[libname]` where only the DSO is known, as both peers have it. */
static void test_unresolved(void)
{
	check_shown(NAMES_TIDY, 0, "@1f (/usr/lib/libx.so)", "[libx.so]");
	check_shown(NAMES_TIDY, 0, "[unknown] (/usr/lib/libx.so)", "[libx.so]");
	check_shown(NAMES_TIDY, 0, "@1f ([unknown])", "[unknown]");
	check_shown(NAMES_TIDY, 0, "@1f", "[unknown]");
	check_shown(NAMES_TIDY, 0, "@0 (/tmp/perf-1.map)", "[perf-1.map]");
	check_shown(NAMES_TIDY, 0, "@0 (/tmp/x y (deleted))", "[x y]");
}

static void test_addresses(void)
{
	check_shown(NAMES_ADDR, 0, "@1f (/usr/lib/libx.so)", "libx.so+0x1f");
	/* Where they were in memory, not in the file. */
	check_shown(NAMES_ADDR, 0, "@7f2e1215d058 (/usr/lib/libx.so)", "[libx.so]");
	check_shown(NAMES_ADDR, 0, "@ffffffff81000000 (/boot/vmlinux)", "[vmlinux]");
	check_shown(NAMES_ADDR, 0, "@1f ([unknown])", "[unknown]");
	check_shown(NAMES_ADDR, 0, "@1f", "[unknown]");
	check_shown(NAMES_ADDR, 0, "@1f (/tmp/perf-1.map)", "[perf-1.map]"); /* means nothing */
	check_shown(NAMES_ADDR, 0, "foo(int) (/bin/x)", "foo");
}

/* Frames that differ in their address alone are one display, unless it is displayed. */
static void test_addresses_merge(void)
{
	static const char *const frames[] = { "@1f (/lib/x.so)", "@2f (/lib/x.so)", NULL };
	g_autoptr(Store) store = store_of(frames);
	g_autoptr(FrameNames) tidy = frame_names_new(store, NAMES_TIDY, 0);
	g_autoptr(FrameNames) addr = frame_names_new(store, NAMES_ADDR, 0);
	uint32_t n;

	g_assert_cmpuint(store_n_frames(store), ==, 2);
	g_assert_cmpuint(*frame_names_ids(tidy, 0, &n), ==, *frame_names_ids(tidy, 1, &n));
	g_assert_cmpuint(*frame_names_ids(addr, 0, &n), !=, *frame_names_ids(addr, 1, &n));
}

static void test_never_empty(void)
{
	static const char *const symbols[] = {
		"", "(", "(x)", "()", "->", "a->", "->b", "->->", "L"
	};
	static const char *const dsos[] = { "", "/bin/x", "/tmp/perf-1.map" };

	for (size_t i = 0; i < G_N_ELEMENTS(symbols); i++)
		for (size_t k = 0; k < G_N_ELEMENTS(dsos); k++)
			for (int kind = NAMES_TIDY; kind <= NAMES_ADDR; kind++) {
				StoreBuilder *builder = store_builder_new();
				StoreFrame frame = { .symbol = text_from(symbols[i]),
						     .dso = text_from(dsos[k]) };
				store_builder_frame(builder, &frame);
				g_autoptr(Store) store = store_fixture_finish(builder);
				g_autoptr(FrameNames) names =
					frame_names_new(store, (NamesKind)kind, 0);
				g_autofree char *result = shown(names, 0);

				g_assert_cmpstr(result, !=, "");
			}
}

/* What is a displayed name already (folded stacks) stays as it is. */
static void test_final(void)
{
	StoreBuilder *builder = store_builder_new();
	StoreFrame frame = { TEXT("A(int)->b"), TEXT("[JIT x]"), 0, FRAME_FINAL, TEXT("") };
	store_builder_frame(builder, &frame);
	g_autoptr(Store) store = store_fixture_finish(builder);
	g_autoptr(FrameNames) names = frame_names_new(store, NAMES_TIDY, 0);
	g_autofree char *result = shown(names, 0);

	g_assert_cmpstr(result, ==, "A(int)->b");
}

/* --- inlining and annotations ------------------------------------------------------------ */

#define ANNOTATE_ALL (FRAME_ANNOTATE_KERNEL | FRAME_ANNOTATE_JIT | FRAME_ANNOTATE_INLINE)

/* Outermost first: what follows an arrow is inlined in what is before. */
static void test_inlined_parts(void)
{
	g_autoptr(Store) store =
		store_of((const char *const[]){ "A::f->B::g(int)->c (/tmp/perf-1.map)", NULL });
	g_autoptr(FrameNames) names = frame_names_new(store, NAMES_TIDY, 0);
	uint32_t n;
	const uint32_t *ids = frame_names_ids(names, 0, &n);

	g_assert_cmpuint(n, ==, 3);
	check_text(frame_names_get(names, ids[0]).name, "A::f");
	check_text(frame_names_get(names, ids[1]).name, "B::g");
	check_text(frame_names_get(names, ids[2]).name, "c");
	g_assert_cmpint(frame_names_get(names, ids[0]).class, ==, FRAME_CLASS_JIT);
	g_assert_cmpint(frame_names_get(names, ids[1]).class, ==, FRAME_CLASS_INLINED);
	g_assert_cmpint(frame_names_get(names, ids[2]).class, ==, FRAME_CLASS_INLINED);
	check_text(frame_names_get(names, ids[2]).dso, "/tmp/perf-1.map");
}

/* An arrow splits JIT frames only. */
static void test_not_split(void)
{
	check_shown(NAMES_TIDY, 0, "A::operator-> (/bin/x)", "A::operator->");
	check_shown(NAMES_TIDY, 0, "A::operator->* (/bin/x)", "A::operator->*");
	check_shown(NAMES_TIDY, 0, "a->b (/bin/x)", "a->b");
	check_shown(NAMES_TIDY, 0, "a->b ([kernel.kallsyms])", "a->b");
	check_shown(NAMES_TIDY, 0, "JS:*a->b /s.js:1:1 (/tmp/perf-1.map)", "JS:*a->b /s.js:1:1");
}

static void test_annotations(void)
{
	check_shown(NAMES_TIDY, ANNOTATE_ALL, "f ([kernel.kallsyms])", "f_[k]");
	check_shown(NAMES_TIDY, ANNOTATE_ALL, "f ([nf_conntrack])", "f_[k]");
	check_shown(NAMES_TIDY, ANNOTATE_ALL, "f ([vdso])", "f");
	check_shown(NAMES_TIDY, ANNOTATE_ALL, "f (/bin/x)", "f");
	check_shown(NAMES_TIDY, ANNOTATE_ALL, "f (/tmp/perf-1.map)", "f_[j]");
	check_shown(NAMES_TIDY, ANNOTATE_ALL, "f->g (/tmp/perf-1.map)", "f_[j]|g_[i]");
	check_shown(NAMES_TIDY, ANNOTATE_ALL, "f (inlined)", "f_[i]");
	check_shown(NAMES_TIDY, ANNOTATE_ALL, "@0 ([unknown])", "[unknown]");
}

/* Each kind alone; none unless asked for. */
static void test_annotations_apart(void)
{
	check_shown(NAMES_TIDY, 0, "f ([kernel.kallsyms])", "f");
	check_shown(NAMES_TIDY, 0, "f->g (/tmp/perf-1.map)", "f|g");
	check_shown(NAMES_TIDY, FRAME_ANNOTATE_KERNEL, "f ([kernel.kallsyms])", "f_[k]");
	check_shown(NAMES_TIDY, FRAME_ANNOTATE_KERNEL, "f->g (/tmp/perf-1.map)", "f|g");
	check_shown(NAMES_TIDY, FRAME_ANNOTATE_JIT, "f->g (/tmp/perf-1.map)", "f_[j]|g");
	check_shown(NAMES_TIDY, FRAME_ANNOTATE_INLINE, "f->g (/tmp/perf-1.map)", "f|g_[i]");
	check_shown(NAMES_TIDY, FRAME_ANNOTATE_INLINE, "f ([kernel.kallsyms])", "f");
}

/* --- ids --------------------------------------------------------------------------------- */

static uint32_t only_id(FrameNames *names, uint32_t frame)
{
	uint32_t n;
	uint32_t id = *frame_names_ids(names, frame, &n);

	g_assert_cmpuint(n, ==, 1);
	return id;
}

/* Equal displays have equal ids, whatever perf printed. */
static void test_equal_displays(void)
{
	static const char *const frames[] = { "foo(int) (/bin/x)", "foo(char) (/bin/x)",
					      "bar (/bin/x)", NULL };
	g_autoptr(Store) store = store_of(frames);
	g_autoptr(FrameNames) tidy = frame_names_new(store, NAMES_TIDY, 0);
	g_autoptr(FrameNames) raw = frame_names_new(store, NAMES_RAW, 0);

	g_assert_cmpuint(only_id(tidy, 0), ==, only_id(tidy, 1));
	g_assert_cmpuint(only_id(tidy, 0), !=, only_id(tidy, 2));
	g_assert_cmpuint(only_id(raw, 0), !=, only_id(raw, 1));
	g_assert_cmpuint(frame_names_count(tidy), ==, 2);
}

static const char *const twins[] = { "f (/bin/b)", "f (/bin/a)", "f ([kernel.kallsyms])",
				     "f (/bin/b)", NULL };

static void test_by_class(void)
{
	g_autoptr(Store) store = store_of(twins);
	g_autoptr(FrameNames) names = frame_names_new(store, NAMES_TIDY, FRAME_NAMES_BY_CLASS);

	g_assert_cmpuint(only_id(names, 0), ==, only_id(names, 1));
	g_assert_cmpuint(only_id(names, 0), !=, only_id(names, 2));
	g_assert_cmpint(frame_names_get(names, only_id(names, 0)).class, ==, FRAME_CLASS_USER);
	g_assert_cmpint(frame_names_get(names, only_id(names, 2)).class, ==, FRAME_CLASS_KERNEL);
}

static void test_by_dso(void)
{
	g_autoptr(Store) store = store_of(twins);
	g_autoptr(FrameNames) names = frame_names_new(store, NAMES_TIDY, FRAME_NAMES_BY_DSO);

	g_assert_cmpuint(only_id(names, 0), !=, only_id(names, 1));
	g_assert_cmpuint(only_id(names, 0), !=, only_id(names, 2));
	g_assert_cmpuint(only_id(names, 1), !=, only_id(names, 2));
	check_text(frame_names_get(names, only_id(names, 1)).dso, "/bin/a");
}

/* Without the flags they are one; its class and DSO do not depend on which came first. */
static void test_settled(void)
{
	static const uint32_t orders[][3] = { { 0, 1, 2 }, { 2, 1, 0 }, { 1, 2, 0 } };

	for (size_t i = 0; i < G_N_ELEMENTS(orders); i++) {
		g_autoptr(Store) store = store_of(twins);
		g_autoptr(FrameNames) names = frame_names_new(store, NAMES_TIDY, 0);
		uint32_t id = only_id(names, orders[i][0]);

		g_assert_cmpuint(only_id(names, orders[i][1]), ==, id);
		g_assert_cmpuint(only_id(names, orders[i][2]), ==, id);
		g_assert_cmpint(frame_names_get(names, id).class, ==, FRAME_CLASS_KERNEL);
		check_text(frame_names_get(names, id).dso, "/bin/a");
	}
}

static void test_labels(void)
{
	g_autoptr(Store) store = store_of((const char *const[]){ "java (/bin/x)", NULL });
	g_autoptr(FrameNames) names = frame_names_new(store, NAMES_TIDY, FRAME_NAMES_BY_CLASS);
	uint32_t label = frame_names_label(names, TEXT("java"));

	g_assert_cmpuint(frame_names_label(names, TEXT("java")), ==, label);
	g_assert_cmpuint(only_id(names, 0), !=, label);
	g_assert_cmpint(frame_names_get(names, label).class, ==, FRAME_CLASS_NONE);
	check_text(frame_names_get(names, label).name, "java");
	check_text(frame_names_get(names, frame_names_label(names, TEXT(""))).name, "[unknown]");
}

/* Thousands of frames: ids stay what they are while more names are made. */
static void test_many(void)
{
	enum { N = 5000 };
	StoreBuilder *builder = store_builder_new();
	for (int i = 0; i < N; i++) {
		g_autofree char *frame =
			g_strdup_printf("f%d(%d)->g%d (/tmp/perf-1.map)", i % 100, i, i % 7);
		store_fixture_stack(builder, frame);
	}
	g_autoptr(Store) store = store_fixture_finish(builder);
	g_autoptr(FrameNames) names = frame_names_new(store, NAMES_TIDY, 0);

	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < N; i++) {
			g_autofree char *expected = g_strdup_printf("f%u|g%u", i % 100, i % 7);
			g_autofree char *result = shown(names, i);

			g_assert_cmpstr(result, ==, expected);
		}
	g_assert_cmpuint(frame_names_count(names), ==, 107);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/frame-name/class", test_class);
	g_test_add_func("/frame-name/tidy", test_tidy);
	g_test_add_func("/frame-name/raw", test_raw);
	g_test_add_func("/frame-name/unresolved", test_unresolved);
	g_test_add_func("/frame-name/addresses", test_addresses);
	g_test_add_func("/frame-name/addresses/merge", test_addresses_merge);
	g_test_add_func("/frame-name/never-empty", test_never_empty);
	g_test_add_func("/frame-name/final", test_final);
	g_test_add_func("/frame-name/inlined", test_inlined_parts);
	g_test_add_func("/frame-name/inlined/not-split", test_not_split);
	g_test_add_func("/frame-name/annotations", test_annotations);
	g_test_add_func("/frame-name/annotations/apart", test_annotations_apart);
	g_test_add_func("/frame-name/ids/equal-displays", test_equal_displays);
	g_test_add_func("/frame-name/ids/by-class", test_by_class);
	g_test_add_func("/frame-name/ids/by-dso", test_by_dso);
	g_test_add_func("/frame-name/ids/settled", test_settled);
	g_test_add_func("/frame-name/labels", test_labels);
	g_test_add_func("/frame-name/many", test_many);
	return g_test_run();
}
