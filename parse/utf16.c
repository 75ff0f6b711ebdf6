/* SPDX-License-Identifier: MIT */
/* Unit by unit: the Unicode Standard, 3.9, D91; RFC 2781. */

#include "parse/utf16.h"

#define REPLACEMENT 0xfffd

bool utf16_begin(Utf16 *self, Text *head)
{
	bool is_big = text_starts(*head, "\xfe\xff");

	if (!is_big && !text_starts(*head, "\xff\xfe"))
		return false;
	*self = (Utf16){ .is_big = is_big };
	*head = text_skip(*head, 2);
	return true;
}

static void append_bad(Utf16 *self, GString *text)
{
	g_string_append_unichar(text, REPLACEMENT);
	self->n_bad++;
}

static void take_unit(Utf16 *self, uint32_t unit, GString *text)
{
	bool is_low = unit >= 0xdc00 && unit <= 0xdfff;

	if (self->high != 0 && is_low) {
		g_string_append_unichar(text,
					0x10000 + ((self->high - 0xd800) << 10) + (unit - 0xdc00));
		self->high = 0;
		return;
	}
	if (self->high != 0)
		append_bad(self, text);
	self->high = unit >= 0xd800 && unit <= 0xdbff ? unit : 0;
	if (is_low)
		append_bad(self, text);
	else if (unit < 0x80)
		g_string_append_c(text, (char)unit);
	else if (self->high == 0)
		g_string_append_unichar(text, unit);
}

void utf16_decode(Utf16 *self, Text bytes, GString *text)
{
	for (size_t i = 0; i < bytes.len; i++) {
		uint8_t byte = (uint8_t)bytes.data[i];

		if (self->has_half)
			take_unit(self,
				  self->is_big ? (uint32_t)self->half << 8 | byte
					       : (uint32_t)byte << 8 | self->half,
				  text);
		self->half = byte;
		self->has_half = !self->has_half;
	}
}

void utf16_finish(Utf16 *self, GString *text)
{
	if (self->high != 0 || self->has_half)
		append_bad(self, text);
	self->high = 0;
	self->has_half = false;
}
