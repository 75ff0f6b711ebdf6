/* SPDX-License-Identifier: MIT */
/* Coverage: the recording less its holes, of chosen ranges, of a phase. */

#include "store/covered-time.h"

#include "tests/store-fixture.h"

/* Ten samples a second from 10 s to 14 s and from 74 s to 78 s: a hole of 60.1 s. */
static Store *store_with_hole(void)
{
	g_autoptr(GString) lines = g_string_new(NULL);

	for (int i = 0; i < 80; i++) {
		int64_t tenths = i < 40 ? 100 + i : 700 + i;

		g_string_append_printf(lines,
				       "%" G_GINT64_FORMAT ".%d app 1/1 0 cpu-clock 1 main\n",
				       tenths / 10, (int)(tenths % 10));
	}
	return store_fixture_new(lines->str);
}

static uint64_t covered_ms(const Store *store, const char *words)
{
	g_autoptr(Selection) selection = selection_fixture(store, words, NULL);

	return covered_time_of(store, selection) / NS_PER_MS;
}

static void test_holes(void)
{
	g_autoptr(Store) store = store_with_hole();
	g_autoptr(GArray) covered = covered_time(store);

	g_assert_cmpuint(covered->len, ==, 2);
	g_assert_cmpuint(time_set_length(covered), ==, store_fact_count(store, FACT_COVERED_NS));
	g_assert_cmpuint(covered_ms(store, ""), ==, 3900 + 3900);
}

static void test_ranges(void)
{
	g_autoptr(Store) store = store_with_hole();

	g_assert_cmpuint(covered_ms(store, "range=1..2"), ==, 1000);
	g_assert_cmpuint(covered_ms(store, "range=3..65"), ==, 900 + 1000);
	g_assert_cmpuint(covered_ms(store, "range=5..60"), ==, 0);
	g_assert_cmpuint(covered_ms(store, "range=0..1 range=0.5..1.5"), ==, 1500);
}

/* A phase of a quarter, which a stretch of time meets in whole and in part. */
static void test_phase(void)
{
	g_autoptr(Store) store = store_with_hole();

	g_assert_cmpuint(covered_ms(store, "range=0..2 every=0.4 phase=0.25..0.5"), ==, 500);
	g_assert_cmpuint(covered_ms(store, "range=0..0.15 every=0.4 phase=0.25..0.5"), ==, 50);
	g_assert_cmpuint(covered_ms(store, "range=0..2 every=0.4 phase=0.75..0.25"), ==, 1000);
	g_assert_cmpuint(covered_ms(store, "range=0.35..0.45 every=0.4 phase=0.75..0.25"), ==, 100);
	/* Together the phases are the whole. */
	g_assert_cmpuint(covered_ms(store, "every=0.7 phase=0..0.3 every-origin=3") +
				 covered_ms(store, "every=0.7 phase=0.3..1 every-origin=3"),
			 ==, 7800);
}

static void test_untimed(void)
{
	g_autoptr(Store) store = store_fixture_new("- app 1/1 0 cpu-clock 1 main\n");

	g_assert_cmpuint(covered_ms(store, ""), ==, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/covered-time/holes", test_holes);
	g_test_add_func("/covered-time/ranges", test_ranges);
	g_test_add_func("/covered-time/phase", test_phase);
	g_test_add_func("/covered-time/untimed", test_untimed);
	return g_test_run();
}
