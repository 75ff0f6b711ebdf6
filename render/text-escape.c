/* SPDX-License-Identifier: MIT */
/*
 * Hostile names made fit for drawing, terminals and XML. All three walk the text a character at a
 * time (a byte, where the bytes are no UTF-8) and agree on what may not go through: see
 * utf8_is_control(). Nothing is ever dropped, so that two different names rarely look the same.
 */

#include "render/text-escape.h"

#include <glib.h>

#include "render/utf8.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

char *text_to_utf8(Text text, size_t max_bytes)
{
	GString *result = g_string_sized_new(text.len);
	while (text.len > 0) {
		gunichar c;
		size_t len = utf8_next(text, &c);
		bool is_bad = c == UTF8_INVALID || utf8_is_control(c);
		Text piece = is_bad ? TEXT(REPLACEMENT) : (Text){ text.data, len };
		if (max_bytes > 0 && result->len + piece.len > max_bytes)
			break;
		g_string_append_len(result, piece.data, (gssize)piece.len);
		text = text_skip(text, len);
	}
	return g_string_free(result, FALSE);
}

char *text_to_terminal(Text text)
{
	GString *result = g_string_sized_new(text.len);
	while (text.len > 0) {
		gunichar c;
		size_t len = utf8_next(text, &c);
		if (c != UTF8_INVALID && !utf8_is_control(c)) {
			g_string_append_len(result, text.data, (gssize)len);
		} else {
			for (size_t i = 0; i < len; i++)
				g_string_append_printf(result, "\\x%02x", text.data[i] & 0xff);
		}
		text = text_skip(text, len);
	}
	return g_string_free(result, FALSE);
}

/* What stands for `c` in XML, or NULL where `c` may stand for itself. */
static const char *xml_escape(gunichar c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return c == UTF8_INVALID || utf8_is_control(c) ? REPLACEMENT : NULL;
	}
}

void xml_write_text(FILE *out, Text text)
{
	size_t run = 0;
	while (run < text.len) {
		gunichar c;
		size_t len = utf8_next(text_skip(text, run), &c);
		const char *escape = xml_escape(c);
		if (escape == NULL) {
			run += len;
			continue;
		}
		fwrite_unlocked(text.data, 1, run, out);
		fputs_unlocked(escape, out);
		text = text_skip(text, run + len);
		run = 0;
	}
	fwrite_unlocked(text.data, 1, text.len, out);
}

void csv_write_field(FILE *out, Text text)
{
	g_autofree char *valid = text_to_utf8(text, 0);
	if (strpbrk(valid, ",\"\r\n") == NULL) {
		fputs(valid, out);
		return;
	}
	fputc('"', out);
	for (const char *c = valid; *c != '\0'; c++) {
		if (*c == '"')
			fputc('"', out);
		fputc(*c, out);
	}
	fputc('"', out);
}
