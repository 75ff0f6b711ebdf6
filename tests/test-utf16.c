/* SPDX-License-Identifier: MIT */
/* UTF-16 as a stream: whatever the cuts, what GLib makes of the whole; and what is no character. */

#include "parse/utf16.h"

/* `n` bytes, handed over `step` at a time. */
static char *decode(const char *bytes, size_t n, size_t step, uint64_t *n_bad)
{
	Text rest = { bytes, n };
	GString *text = g_string_new(NULL);
	Utf16 utf16;

	g_assert_true(utf16_begin(&utf16, &rest));
	for (; rest.len > 0; rest = text_skip(rest, MIN(step, rest.len)))
		utf16_decode(&utf16, (Text){ rest.data, MIN(step, rest.len) }, text);
	utf16_finish(&utf16, text);
	*n_bad = utf16.n_bad;
	return g_string_free(text, FALSE);
}

static void check(const char *bytes, size_t n, const char *expected, uint64_t expected_bad)
{
	for (size_t step = 1; step <= 5; step++) {
		uint64_t n_bad;
		g_autofree char *text = decode(bytes, n, step, &n_bad);

		g_assert_cmpstr(text, ==, expected);
		g_assert_cmpuint(n_bad, ==, expected_bad);
	}
}

#define check_bytes(bytes, expected, n_bad) check(bytes, sizeof(bytes) - 1, expected, n_bad)

static void test_orders(void)
{
	check_bytes("\xff\xfe"
		    "a\0\xe9\0\xac\x20\x0a\0",
		    "a\xc3\xa9\xe2\x82\xac\n", 0);
	check_bytes("\xfe\xff"
		    "\0a\0\xe9\x20\xac\0\x0a",
		    "a\xc3\xa9\xe2\x82\xac\n", 0);
	check_bytes("\xff\xfe", "", 0);
	check_bytes("\xff\xfe"
		    "\x3d\xd8\x25\xdd",
		    "\xf0\x9f\x94\xa5", 0);
}

static void test_broken(void)
{
	check_bytes("\xff\xfe"
		    "a\0b",
		    "a\xef\xbf\xbd", 1); /* half a unit */
	check_bytes("\xff\xfe"
		    "\x3d\xd8",
		    "\xef\xbf\xbd", 1); /* no partner */
	check_bytes("\xff\xfe"
		    "\x3d\xd8"
		    "a\0",
		    "\xef\xbf\xbd"
		    "a",
		    1); /* another's */
	check_bytes("\xff\xfe"
		    "\x25\xdd"
		    "a\0",
		    "\xef\xbf\xbd"
		    "a",
		    1); /* low alone */
	check_bytes("\xff\xfe"
		    "\x3d\xd8\x3d\xd8\x25\xdd",
		    "\xef\xbf\xbd\xf0\x9f\x94\xa5", 1);
}

static void test_none(void)
{
	static const char *const texts[] = { "", "\xff", "a\0b\0",
					     ("\xef\xbb\xbf"
					      "a") };
	Utf16 utf16;

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		Text text = text_from(texts[i]);

		g_assert_false(utf16_begin(&utf16, &text));
	}
}

static void test_random(void)
{
	for (int round = 0; round < 200; round++) {
		g_autoptr(GString) text = g_string_new(NULL);
		g_autofree gunichar2 *units = NULL;
		g_autofree char *bytes = NULL;
		glong n_units;

		for (int i = 0; i < 50; i++) {
			gunichar c = (gunichar)g_test_rand_int_range(1, 0x10ffff);

			if (c < 0xd800 || c > 0xdfff)
				g_string_append_unichar(text, c);
		}
		units = g_utf8_to_utf16(text->str, -1, NULL, &n_units, NULL);
		bytes = g_malloc((gsize)n_units * 2 + 2);
		memcpy(bytes, "\xff\xfe", 2);
		for (glong i = 0; i < n_units; i++) {
			bytes[2 + 2 * i] = (char)(units[i] & 0xff);
			bytes[3 + 2 * i] = (char)(units[i] >> 8);
		}
		check(bytes, (gsize)n_units * 2 + 2, text->str, 0);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/utf16/orders", test_orders);
	g_test_add_func("/utf16/broken", test_broken);
	g_test_add_func("/utf16/none", test_none);
	g_test_add_func("/utf16/random", test_random);
	return g_test_run();
}
