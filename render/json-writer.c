/* SPDX-License-Identifier: MIT */
/*
 * JSON text piece by piece. Strings come out as Go's encoding/json writes them, so that our files
 * can be compared with burn's byte by byte: < > & are escaped (a string is then inert within HTML),
 * U+2028/9 too (within JavaScript), and every invalid byte is a U+FFFD. What needs no escape is
 * written in runs.
 */

#include "render/json-writer.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "render/number.h"
#include "render/utf8.h"

static bool is_plain(gunichar c)
{
	return c >= 0x20 && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&' &&
	       c != 0x2028 && c != 0x2029 && c != UTF8_INVALID;
}

static void write_escape(FILE *out, gunichar c)
{
	static const char from[] = "\"\\\b\f\n\r\t";
	static const char to[] = "\"\\bfnrt";
	const char *known = c != 0 && c < 0x80 ? strchr(from, (int)c) : NULL;
	if (known != NULL)
		fprintf(out, "\\%c", to[known - from]);
	else
		fprintf(out, "\\u%04x", c == UTF8_INVALID ? UTF8_REPLACEMENT : c);
}

void json_write_string(FILE *out, Text text)
{
	size_t run = 0;
	putc_unlocked('"', out);
	while (run < text.len) {
		gunichar c;
		size_t len = utf8_next(text_skip(text, run), &c);
		if (is_plain(c)) {
			run += len;
			continue;
		}
		fwrite_unlocked(text.data, 1, run, out);
		write_escape(out, c);
		text = text_skip(text, run + len);
		run = 0;
	}
	fwrite_unlocked(text.data, 1, text.len, out);
	putc_unlocked('"', out);
}

void json_write_cstring(FILE *out, const char *string)
{
	json_write_string(out, text_from(string));
}

void json_write_u64(FILE *out, uint64_t value)
{
	number_write(out, value);
}

/* |value|, also of the smallest one, whose negative is no int64_t. */
static uint64_t magnitude(int64_t value)
{
	return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

void json_write_i64(FILE *out, int64_t value)
{
	if (value < 0)
		putc_unlocked('-', out);
	number_write(out, magnitude(value));
}

void json_write_double(FILE *out, double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];
	if (!isfinite(value)) {
		fputs_unlocked("null", out);
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		char format[] = { '%', '.', '1', (char)('0' + digits - 10), 'g', '\0' };
		g_ascii_formatd(text, sizeof(text), format, value);
		if (g_ascii_strtod(text, NULL) == value)
			break;
	}
	fputs_unlocked(value == 0 ? "0" : text, out);
}

/* One step of long division: the next decimal of *rest / denominator, *rest < denominator. Ten
 * times the rest may need more than 64 bits, so it is summed up modulo the denominator. */
static uint32_t next_decimal(uint64_t *rest, uint64_t denominator)
{
	uint64_t sum = 0;
	uint32_t decimal = 0;
	for (int i = 0; i < 10; i++) {
		sum += *rest;
		if (sum >= denominator) {
			sum -= denominator;
			decimal++;
		}
	}
	*rest = sum;
	return decimal;
}

#define RATIO_PLACES 6
#define RATIO_ONE    1000000u

void json_write_ratio(FILE *out, int64_t numerator, int64_t denominator)
{
	uint64_t divisor = (uint64_t)denominator;
	uint64_t whole = magnitude(numerator) / divisor, rest = magnitude(numerator) % divisor;
	uint32_t fraction = 0;
	for (int i = 0; i < RATIO_PLACES; i++)
		fraction = fraction * 10 + next_decimal(&rest, divisor);
	fraction += rest >= divisor - rest;
	whole += fraction / RATIO_ONE;
	fraction %= RATIO_ONE;
	if (numerator < 0 && (whole > 0 || fraction > 0))
		putc_unlocked('-', out);
	number_write(out, whole);
	if (fraction == 0)
		return;
	char places[RATIO_PLACES + 2];
	snprintf(places, sizeof(places), ".%06u", fraction);
	size_t len = RATIO_PLACES + 1;
	while (places[len - 1] == '0')
		len--;
	fwrite_unlocked(places, 1, len, out);
}
