/* SPDX-License-Identifier: MIT */
/* What is asked of each form of output. */

#include "tests/fuzz/fuzz.h"

#include <jansson.h>
#include <string.h>

static void check_json(Text text)
{
	json_error_t cause;
	json_t *json = json_loadb(text.data, text.len,
				  JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL | JSON_ALLOW_NUL |
					  JSON_REJECT_DUPLICATES,
				  &cause);

	if (json == NULL)
		g_error("not JSON: line %d: %s", cause.line, cause.text);
	json_decref(json);
}

static void check_svg(Text text)
{
	static const GMarkupParser nothing = { 0 };
	GMarkupParseContext *context = g_markup_parse_context_new(&nothing, 0, NULL, NULL);
	g_autoptr(GError) error = NULL;

	if (!g_markup_parse_context_parse(context, text.data, (gssize)text.len, &error) ||
	    !g_markup_parse_context_end_parse(context, &error))
		g_error("not XML: %s", error->message);
	g_markup_parse_context_free(context);
}

/* Every line is `stack weight`; they ascend, and no stack is there twice. */
static void check_folded(Text text)
{
	Text last_line = { NULL, 0 }, last_stack = { NULL, 0 };

	for (const char *at = text.data, *end = at + text.len; at < end;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *blank;
		Text line, stack;

		g_assert_nonnull(newline);
		blank = memrchr(at, ' ', (size_t)(newline - at));
		g_assert_true(blank != NULL && blank > at && blank + 1 < newline);
		g_assert_true(strspn(blank + 1, "0123456789") == (size_t)(newline - blank - 1));
		line = (Text){ at, (size_t)(newline - at) };
		stack = (Text){ at, (size_t)(blank - at) };
		if (last_line.data != NULL)
			g_assert_true(text_compare(last_line, line) < 0 &&
				      !text_equal(last_stack, stack));
		last_line = line;
		last_stack = stack;
		at = newline + 1;
	}
}

/* Text for people is UTF-8 without controls but line feeds and, where asked for, colours. */
static void check_terminal(Text text, bool is_colour)
{
	g_assert_true(g_utf8_validate(text.data, (gssize)text.len, NULL));
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.data[i];

		g_assert_true(c == '\n' || (c == 0x1b && is_colour) || (c >= 0x20 && c != 0x7f));
	}
}

static void check_html(Text text)
{
	g_assert_true(g_utf8_validate(text.data, (gssize)text.len, NULL));
	g_assert_true(text_starts(text, "<!DOCTYPE html>") || text_starts(text, "<!doctype html>"));
}

static bool is_json(const char *format)
{
	static const char *const names[] = { "json", "flamescope", "flat", NULL };

	return g_strv_contains(names, format);
}

void fuzz_check_output(const char *data, size_t size, const char *format, bool is_colour)
{
	Text text = { data, size };

	if (is_json(format))
		check_json(text);
	else if (g_str_equal(format, "svg"))
		check_svg(text);
	else if (g_str_equal(format, "html"))
		check_html(text);
	else if (g_str_equal(format, "folded"))
		check_folded(text);
	else if (g_str_equal(format, "tree") || g_str_equal(format, "term"))
		check_terminal(text, is_colour);
	else
		g_assert_true(g_str_equal(format, "png") && size > 8 &&
			      memcmp(data, "\x89PNG\r\n\x1a\n", 8) == 0);
}
