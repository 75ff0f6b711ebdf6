/* SPDX-License-Identifier: MIT */
/*
 * Decimal text of unsigned integers: the digits are made from the last to the first in a small
 * buffer. Fractions are counted in hundredths, so that no floating point and no locale can change
 * a byte of the output.
 */

#include "render/number.h"

#include <string.h>

/* Writes `value` to end just before `end`, with a comma every `group` digits (0: none). */
static char *digits_before(char *end, uint64_t value, unsigned group)
{
	unsigned n = 0;
	do {
		if (group > 0 && n > 0 && n % group == 0)
			*--end = ',';
		*--end = (char)('0' + value % 10);
		value /= 10;
		n++;
	} while (value > 0);
	return end;
}

static size_t format(char buffer[NUMBER_SIZE], uint64_t value, unsigned group)
{
	char text[NUMBER_SIZE];
	char *begin = digits_before(text + sizeof(text), value, group);
	size_t len = (size_t)(text + sizeof(text) - begin);
	memcpy(buffer, begin, len);
	buffer[len] = '\0';
	return len;
}

size_t number_format(char buffer[NUMBER_SIZE], uint64_t value)
{
	return format(buffer, value, 0);
}

size_t number_format_grouped(char buffer[NUMBER_SIZE], uint64_t value)
{
	return format(buffer, value, 3);
}

size_t number_format_hundredths(char buffer[NUMBER_SIZE], uint64_t hundredths)
{
	size_t len = format(buffer, hundredths / 100, 0);
	unsigned rest = (unsigned)(hundredths % 100);
	buffer[len++] = '.';
	buffer[len++] = (char)('0' + rest / 10);
	buffer[len++] = (char)('0' + rest % 10);
	buffer[len] = '\0';
	return len;
}

void number_write(FILE *out, uint64_t value)
{
	char buffer[NUMBER_SIZE];
	fwrite_unlocked(buffer, 1, number_format(buffer, value), out);
}

void number_write_grouped(FILE *out, uint64_t value)
{
	char buffer[NUMBER_SIZE];
	fwrite_unlocked(buffer, 1, number_format_grouped(buffer, value), out);
}

uint64_t number_percent(uint64_t part, uint64_t whole)
{
	/* Weights of a day of cycles need 57 bits: give up low bits of both before the product
	 * overflows; what is lost is far below a hundredth of a percent. */
	while (whole > UINT64_MAX / 20001) {
		whole >>= 1;
		part >>= 1;
	}
	return whole == 0 ? 0 : (part * 20000 + whole) / (2 * whole);
}
