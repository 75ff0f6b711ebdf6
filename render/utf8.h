/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "store/text.h"

/* What utf8_next() finds where the bytes are no UTF-8. */
#define UTF8_INVALID	 UINT32_MAX
#define UTF8_REPLACEMENT 0xfffdu

/* Reads the first character of `text` (not empty) and returns its length in bytes; a byte that
 * begins no valid character is UTF8_INVALID and 1 long. */
static inline size_t utf8_next(Text text, gunichar *character)
{
	unsigned char first = (unsigned char)text.data[0];
	if (first < 0x80) {
		*character = first;
		return 1;
	}
	*character = g_utf8_get_char_validated(text.data, (gssize)MIN(text.len, 4));
	if ((*character & 0x80000000u) == 0)
		return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
	*character = UTF8_INVALID;
	return 1;
}

/* Whether a character could move, hide or reorder what is drawn around it: C0, DEL, C1, line and
 * paragraph separators, bidi marks and overrides; also the noncharacters that XML forbids. */
static inline bool utf8_is_control(gunichar c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfffe ||
	       c == 0xffff;
}
