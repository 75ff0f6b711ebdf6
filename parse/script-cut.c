/* SPDX-License-Identifier: MIT */
/* Lines of the text by themselves, and where it can be cut between two of them. */

#include "parse/script-parser.h"

#include "store/limits.h"

bool script_line_is_blank(Text line)
{
	for (size_t i = 0; i < line.len; i++)
		if (line.data[i] != ' ' && line.data[i] != '\t' && line.data[i] != '\r')
			return false;
	return true;
}

Text script_line_trim(Text line)
{
	line.len -= line.len > 0 && line.data[line.len - 1] == '\r';
	return line;
}

bool script_line_is_tab_trailer(Text line)
{
	const char *tab;

	if (text_starts(line, "\t\t") || text_starts(line, "\t["))
		return true;
	tab = memchr(line.data + 1, '\t', line.len - 1);
	return tab != NULL && tab - line.data == 17;
}

bool script_line_is_unindented_frame(Text line)
{
	size_t n = 0;

	while (n < line.len && g_ascii_isxdigit(line.data[n]))
		n++;
	return text_ends(line, ")") || n >= 8;
}

bool script_line_is_trailer(Text line)
{
	static const char *const beginnings[] = { "ABI:", "0x", "ilen:", "insn:", "IPC:", "BPF " };
	Text text = text_trim_left(line);

	for (size_t i = 0; i < G_N_ELEMENTS(beginnings); i++)
		if (text_starts(text, beginnings[i]))
			return true;
	return false;
}

bool script_line_is_srcline(Text line)
{
	return text_starts(line, "  ") && line.len > 2 && !text_is_blank(line.data[2]);
}

/* Whether a record begins with `line`, whatever was before. */
static bool begins_record(Text line)
{
	EventLine event;

	return line.data[0] != '\t' && line.data[0] != '#' && event_line_parse(line, &event) &&
	       event.has_tid && event.event.len > 0;
}

size_t script_last_cut(Text block)
{
	const char *feed = memrchr(block.data, '\n', block.len);
	size_t end = feed != NULL ? (size_t)(feed - block.data) + 1 : 0;

	while (end > 0) {
		const char *before = memrchr(block.data, '\n', end - 1);
		size_t begin = before != NULL ? (size_t)(before - block.data) + 1 : 0;
		Text line = { block.data + begin, end - 1 - begin };

		if (line.len <= MAX_LINE_BYTES && script_line_is_blank(line))
			return end;
		if (begin > 0 && line.len <= MAX_LINE_BYTES &&
		    begins_record(script_line_trim(line)))
			return begin;
		end = begin;
	}
	return 0;
}
