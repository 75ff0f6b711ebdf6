/* SPDX-License-Identifier: MIT */
/* Told by position, since a payload can hold anything. */

#include "parse/payload.h"

#include <glib.h>

#define ADDRESS_COLUMNS 16

/* Where the last address stands that may begin a frame, with the blank before it. */
static bool find_frame(Text payload, Text *frame)
{
	for (size_t i = payload.len; i-- > 0;) {
		Text rest = text_skip(payload, i);
		FrameLine line;

		if (rest.len < ADDRESS_COLUMNS + 2 || rest.data[0] != ' ' ||
		    (i > 1 && payload.data[i - 1] != ')'))
			continue;
		if (rest.data[ADDRESS_COLUMNS + 1] == ' ' &&
		    g_ascii_isxdigit(rest.data[ADDRESS_COLUMNS]) &&
		    frame_line_parse((Text){ rest.data, ADDRESS_COLUMNS + 1 }, &line)) {
			*frame = text_skip(rest, 1);
			return true;
		}
	}
	return false;
}

static Text without_trailer(Text frame)
{
	static const char *const trailers[] = { ") =>", ") ABI:", ") 0x", ") ilen:", ") insn:" };

	for (size_t i = 0; i < G_N_ELEMENTS(trailers); i++) {
		ptrdiff_t at = text_find(frame, trailers[i]);

		if (at >= 0)
			frame.len = (size_t)at + 1;
	}
	return frame;
}

bool payload_frame(Text payload, FrameLine *frame)
{
	Text text;

	return find_frame(payload, &text) && frame_line_parse(without_trailer(text), frame);
}

Text payload_take_cgroup(Text *payload)
{
	Text rest = text_trim_left(*payload), cgroup = { rest.data, 0 };

	if (rest.len == payload->len || !text_starts(rest, "/"))
		return cgroup;
	while (cgroup.len < rest.len && rest.data[cgroup.len] != ' ')
		cgroup.len++;
	rest = text_skip(rest, cgroup.len);
	if (rest.len > 1 && rest.data[1] != ' ' && !g_ascii_isxdigit(rest.data[1]))
		return (Text){ rest.data, 0 };
	*payload = rest;
	return cgroup;
}
