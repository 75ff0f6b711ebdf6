/* SPDX-License-Identifier: MIT */
/*
 * Pieces of JSON against what Go's encoding/json prints, and numbers at the ends of their ranges.
 */

#include "render/json-writer.h"

#include <glib.h>
#include <stdlib.h>

#include "render/number.h"

static void check_string(Text text, const char *expected)
{
	char *result = NULL;
	size_t len;
	FILE *out = open_memstream(&result, &len);
	json_write_string(out, text);
	fclose(out);
	g_assert_cmpstr(result, ==, expected);
	free(result);
}

static void test_strings(void)
{
	check_string(TEXT(""), "\"\"");
	check_string(TEXT("plain"), "\"plain\"");
	check_string(TEXT("\"\\\b\f\n\r\t"), "\"\\\"\\\\\\b\\f\\n\\r\\t\"");
	check_string(TEXT("a\0b\x1b[0m\x7f"), "\"a\\u0000b\\u001b[0m\x7f\"");
	check_string(TEXT("</script>&"), "\"\\u003c/script\\u003e\\u0026\"");
	check_string(TEXT("\xe2\x80\xa8\xe2\x80\xa9"), "\"\\u2028\\u2029\"");
	check_string(TEXT("\xc3\xbc\xe6\x97\xa5\xf0\x9f\x94\xa5"),
		     "\"\xc3\xbc\xe6\x97\xa5\xf0\x9f\x94\xa5\"");
}

/* One replacement for each byte that begins no character, as in Go. */
static void test_invalid_utf8(void)
{
	check_string(TEXT("\xff"), "\"\\ufffd\"");
	check_string(TEXT("a\xe6\x97"), "\"a\\ufffd\\ufffd\"");
	check_string(TEXT("\xc0\x80"), "\"\\ufffd\\ufffd\"");
	check_string(TEXT("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\"");
	check_string(TEXT("\xf5\x80\x80\x80"), "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");
	check_string(TEXT("\xf4\x8f\xbf\xbf"), "\"\xf4\x8f\xbf\xbf\"");
}

static void check_ratio(int64_t numerator, int64_t denominator, const char *expected)
{
	char *result = NULL;
	size_t len;
	FILE *out = open_memstream(&result, &len);
	json_write_ratio(out, numerator, denominator);
	fclose(out);
	g_assert_cmpstr(result, ==, expected);
	free(result);
}

static void test_ratios(void)
{
	check_ratio(0, 7, "0");
	check_ratio(20, 1, "20");
	check_ratio(1000, 3, "333.333333");
	check_ratio(2, 3, "0.666667");
	check_ratio(-1, 8, "-0.125");
	check_ratio(1, 3000000, "0");
	check_ratio(-1, 3000000, "0");
	check_ratio(1, 2000000, "0.000001");
	check_ratio(1999999999, 1000000000, "2");
	check_ratio(1, 1000000, "0.000001");
	check_ratio(INT64_MAX, 1, "9223372036854775807");
	check_ratio(INT64_MIN, 1, "-9223372036854775808");
	check_ratio(INT64_MAX - 1, INT64_MAX, "1");
	check_ratio(INT64_MAX / 2, INT64_MAX, "0.5");
}

static void test_integers(void)
{
	char *result = NULL;
	size_t len;
	FILE *out = open_memstream(&result, &len);
	json_write_u64(out, 0);
	putc(' ', out);
	json_write_u64(out, UINT64_MAX);
	putc(' ', out);
	json_write_i64(out, INT64_MIN);
	putc(' ', out);
	json_write_i64(out, -7);
	fclose(out);
	g_assert_cmpstr(result, ==, "0 18446744073709551615 -9223372036854775808 -7");
	free(result);
}

static void test_grouping(void)
{
	char text[NUMBER_SIZE];
	g_assert_cmpuint(number_format_grouped(text, 999), ==, 3);
	g_assert_cmpstr(text, ==, "999");
	number_format_grouped(text, 1000);
	g_assert_cmpstr(text, ==, "1,000");
	g_assert_cmpuint(number_format_grouped(text, UINT64_MAX), ==, 26);
	g_assert_cmpstr(text, ==, "18,446,744,073,709,551,615");
	number_format_hundredths(text, 5);
	g_assert_cmpstr(text, ==, "0.05");
	number_format_hundredths(text, UINT64_MAX);
	g_assert_cmpstr(text, ==, "184467440737095516.15");
}

static void test_percent(void)
{
	g_assert_cmpuint(number_percent(0, 0), ==, 0);
	g_assert_cmpuint(number_percent(1, 3), ==, 3333);
	g_assert_cmpuint(number_percent(2, 3), ==, 6667);
	g_assert_cmpuint(number_percent(UINT64_MAX, UINT64_MAX), ==, 10000);
	g_assert_cmpuint(number_percent(UINT64_MAX / 4, UINT64_MAX), ==, 2500);
	g_assert_cmpuint(number_percent(UINT64_MAX / 20001, UINT64_MAX / 20001), ==, 10000);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/json-writer/strings", test_strings);
	g_test_add_func("/json-writer/invalid-utf8", test_invalid_utf8);
	g_test_add_func("/json-writer/ratios", test_ratios);
	g_test_add_func("/json-writer/integers", test_integers);
	g_test_add_func("/number/grouping", test_grouping);
	g_test_add_func("/number/percent", test_percent);
	return g_test_run();
}
