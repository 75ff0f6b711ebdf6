/* SPDX-License-Identifier: MIT */
/*
 * Where the symbol ends and the DSO begins: both can hold blanks and parentheses, so the offset,
 * if printed, decides; else matching parentheses from the end.
 */

#include "parse/frame-line.h"

#include <glib.h>

/* Length of a `+0x` and hexadecimal digits that `text` ends in, or 0. */
static size_t offset_length(Text text)
{
	size_t i = text.len;

	while (i > 0 && g_ascii_isxdigit(text.data[i - 1]))
		i--;
	if (i == text.len || i < 3 || memcmp(text.data + i - 3, "+0x", 3) != 0)
		return 0;
	return text.len - (i - 3);
}

static Text without_offset(Text text)
{
	text.len -= offset_length(text);
	return text;
}

/* Position of the last ` (` that an offset stands right before, or -1. */
static ptrdiff_t after_offset(Text text)
{
	for (size_t i = text.len; i-- > 4;)
		if (text.data[i] == '(' && text.data[i - 1] == ' ' &&
		    offset_length((Text){ text.data, i - 1 }) > 0)
			return (ptrdiff_t)i - 1;
	return -1;
}

/* Position of the ` (` that the last `)` closes; where parentheses do not match, of the last. */
static ptrdiff_t by_matching(Text text)
{
	int depth = 0;

	for (size_t i = text.len; i-- > 0;) {
		if (text.data[i] == ')')
			depth++;
		if (text.data[i] == '(' && --depth == 0) {
			if (i > 0 && text.data[i - 1] == ' ')
				return (ptrdiff_t)i - 1;
			break;
		}
	}
	for (size_t i = text.len; i-- > 1;)
		if (text.data[i] == '(' && text.data[i - 1] == ' ')
			return (ptrdiff_t)i - 1;
	return text.len > 0 && text.data[0] == '(' ? 0 : -1;
}

/* What -F +dsoff appends within the parentheses. */
static Text without_dso_offset(Text dso)
{
	return dso.len > offset_length(dso) ? without_offset(dso) : dso;
}

void frame_line_split(Text text, FrameLine *frame)
{
	ptrdiff_t at;

	text = text_trim_right(text);
	frame->dso = (Text){ text.data, 0 };
	frame->is_inlined = text_ends(text, " (inlined)");
	if (frame->is_inlined) {
		text.len -= strlen(" (inlined)");
		frame->symbol = without_offset(text_trim_right(text));
		return;
	}
	if (!text_ends(text, ")")) {
		frame->symbol = without_offset(text);
		return;
	}
	at = after_offset(text);
	if (at < 0 && text_starts(text, "[unknown] ("))
		at = (ptrdiff_t)strlen("[unknown]");
	if (at < 0)
		at = by_matching(text);
	if (at < 0) {
		frame->symbol = without_offset(text);
		return;
	}
	frame->symbol = without_offset(text_trim_right((Text){ text.data, (size_t)at }));
	frame->dso = text_skip(text, (size_t)at + (text.data[at] == ' ' ? 2 : 1));
	frame->dso.len--;
	frame->dso = without_dso_offset(frame->dso);
}

bool frame_line_parse(Text line, FrameLine *frame)
{
	size_t n = 0;

	while (line.len > 0 && text_is_blank(line.data[0]))
		line = text_skip(line, 1);
	frame->ip = 0;
	while (n < line.len && n < 17 && g_ascii_isxdigit(line.data[n]))
		frame->ip = frame->ip << 4 | (uint64_t)g_ascii_xdigit_value(line.data[n++]);
	if (n == 0 || n > 16 || (n < line.len && !text_is_blank(line.data[n])))
		return false;
	line = text_skip(line, n < line.len ? n + 1 : n);
	frame_line_split(line, frame);
	if (text_equal(frame->symbol, TEXT("[unknown]")))
		frame->symbol.len = 0;
	return true;
}
