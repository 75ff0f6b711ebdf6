/* SPDX-License-Identifier: MIT */
/*
 * Hostile names on their way to pictures, terminals and XML, and labels cut from them.
 */

#include "render/text-escape.h"

#include <glib.h>
#include <stdlib.h>

#include "render/label.h"

#define BAD "\xef\xbf\xbd"

static void check_utf8(Text text, size_t max_bytes, const char *expected)
{
	g_autofree char *result = text_to_utf8(text, max_bytes);
	g_assert_cmpstr(result, ==, expected);
	g_assert_true(g_utf8_validate(result, -1, NULL));
}

static void test_utf8(void)
{
	check_utf8(TEXT("plain \xc3\xbc"), 0, "plain \xc3\xbc");
	check_utf8(TEXT("a\0b\nc\x7f"), 0, "a" BAD "b" BAD "c" BAD);
	check_utf8(TEXT("\xff\xc3"), 0, BAD BAD);
	check_utf8(TEXT("\xc2\x85"), 0, BAD);			   /* C1: next line */
	check_utf8(TEXT("\xe2\x80\xaegpj.exe"), 0, BAD "gpj.exe"); /* right-to-left override */
	check_utf8(TEXT("\xe2\x80\xa8\xe2\x81\xa6\xe2\x80\x8f"), 0, BAD BAD BAD);
	check_utf8(TEXT("\xef\xbf\xbf"), 0, BAD); /* U+FFFF */
}

static void test_utf8_cut(void)
{
	check_utf8(TEXT("abc"), 2, "ab");
	check_utf8(TEXT("a\xc3\xbc"), 2, "a");
	check_utf8(TEXT("a\xc3\xbc"), 3, "a\xc3\xbc");
	check_utf8(TEXT("a\xff"), 3, "a");
}

static void check_terminal(Text text, const char *expected)
{
	g_autofree char *result = text_to_terminal(text);
	g_assert_cmpstr(result, ==, expected);
}

static void test_terminal(void)
{
	check_terminal(TEXT("\033[31mred\033]0;title\007"), "\\x1b[31mred\\x1b]0;title\\x07");
	check_terminal(TEXT("\xc2\x9b"
			    "31m"),
		       "\\xc2\\x9b31m");
	check_terminal(TEXT("\x9b"
			    "31m"),
		       "\\x9b31m");
	check_terminal(TEXT("\xe2\x80\xae"), "\\xe2\\x80\\xae");
	check_terminal(TEXT("line\r\n\t"), "line\\x0d\\x0a\\x09");
	check_terminal(TEXT("\xe6\x97\xa5"), "\xe6\x97\xa5");
}

static void test_xml(void)
{
	char *result = NULL;
	size_t len;
	FILE *out = open_memstream(&result, &len);
	xml_write_text(out, TEXT("<a href=\"x\">&amp;'</a>]]>\1\n\xff\xe2\x80\xae\xc3\xbc"));
	fclose(out);
	g_assert_cmpstr(result, ==,
			"&lt;a href=&quot;x&quot;&gt;&amp;amp;&#39;&lt;/a&gt;]]&gt;" BAD BAD BAD BAD
			"\xc3\xbc");
	free(result);
}

static void check_label(Text name, double width, const char *expected)
{
	Label label = label_fit(name, width);
	g_autofree char *text = g_strndup(label.text.data, label.text.len);
	g_autofree char *shown = g_strconcat(text, label.is_cut ? LABEL_CUT : "", NULL);
	g_assert_cmpstr(shown, ==, expected);
}

static void test_labels(void)
{
	check_label(TEXT("main"), 100, "main");
	check_label(TEXT("main"), 5, "");
	check_label(TEXT("main"), 0, "");
	check_label(TEXT("main"), -3, "");
	check_label(TEXT("schedule_timeout"), 70, "schedule..");
	check_label(TEXT("vfs_read_[k]"), 100, "vfs_read");
	check_label(TEXT("_[k]"), 100, "_[k]");
	check_label(TEXT("odd_[x]"), 100, "odd_[x]");
	check_label(TEXT("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e"), 34, "\xe6\x97\xa5\xe6\x9c\xac..");
	check_label(TEXT("\xff\xff\xff"), 30, "\xff..");
}

/* Whatever the width, no more is promised than fits, and a wider frame never shows less. */
static void test_label_widths(void)
{
	const Text name = TEXT("std::vector<W\xc3\xbcrfel>::push_back(\xe6\x97\xa5)");
	size_t last = 0;
	for (int width = 0; width < 400; width++) {
		Label label = label_fit(name, width);
		double used = label_width(label.text, LABEL_FONT_PX) +
			      (label.is_cut ? label_width(TEXT(LABEL_CUT), LABEL_FONT_PX) : 0);
		g_assert_cmpfloat(used, <=, MAX(width, 0) + 1e-9);
		g_assert_cmpuint(label.text.len, >=, last);
		g_assert_true(g_utf8_validate_len(label.text.data, label.text.len, NULL));
		last = label.text.len;
	}
	g_assert_cmpuint(last, ==, name.len);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/text-escape/utf8", test_utf8);
	g_test_add_func("/text-escape/utf8-cut", test_utf8_cut);
	g_test_add_func("/text-escape/terminal", test_terminal);
	g_test_add_func("/text-escape/xml", test_xml);
	g_test_add_func("/label/fit", test_labels);
	g_test_add_func("/label/widths", test_label_widths);
	return g_test_run();
}
