/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Borrowed bytes: not NUL-terminated, any byte value, valid as long as their owner says. */
typedef struct {
	const char *data;
	size_t len;
} Text;

#define TEXT(literal) ((Text){ (literal), sizeof(literal) - 1 })

static inline Text text_from(const char *string)
{
	return (Text){ string, strlen(string) };
}

static inline bool text_equal(Text a, Text b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

static inline bool text_starts(Text text, const char *prefix)
{
	size_t len = strlen(prefix);
	return text.len >= len && memcmp(text.data, prefix, len) == 0;
}

static inline bool text_ends(Text text, const char *suffix)
{
	size_t len = strlen(suffix);
	return text.len >= len && memcmp(text.data + text.len - len, suffix, len) == 0;
}

/* `text` without its first `n` bytes; `n` must not exceed its length. */
static inline Text text_skip(Text text, size_t n)
{
	return (Text){ text.data + n, text.len - n };
}

/* Bytewise order, a shorter text before a longer one that begins with it. */
static inline int text_compare(Text a, Text b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int order = n > 0 ? memcmp(a.data, b.data, n) : 0;
	return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

/* Position of `needle` in `text`, or -1. */
static inline ptrdiff_t text_find(Text text, const char *needle)
{
	const char *hit = memmem(text.data, text.len, needle, strlen(needle));
	return hit != NULL ? hit - text.data : -1;
}

static inline bool text_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Without the blanks and TABs at its end, or at its beginning. */
static inline Text text_trim_right(Text text)
{
	while (text.len > 0 && text_is_blank(text.data[text.len - 1]))
		text.len--;
	return text;
}

static inline Text text_trim_left(Text text)
{
	while (text.len > 0 && text_is_blank(text.data[0]))
		text = text_skip(text, 1);
	return text;
}

/* The ending of a noun that `n` stands before: "1 sample", "2 samples". */
static inline const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}
