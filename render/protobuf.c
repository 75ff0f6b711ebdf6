/* SPDX-License-Identifier: MIT */
#include "render/protobuf.h"

enum { WIRE_VARINT = 0, WIRE_LENGTH = 2 };

void protobuf_put_varint(GByteArray *message, uint64_t value)
{
	guint8 bytes[10];
	guint n = 0;

	do {
		bytes[n] = (guint8)(value & 0x7f);
		value >>= 7;
		bytes[n++] |= value != 0 ? 0x80 : 0;
	} while (value != 0);
	g_byte_array_append(message, bytes, n);
}

void protobuf_put_number(GByteArray *message, uint32_t field, uint64_t value)
{
	if (value == 0)
		return;
	protobuf_put_varint(message, field << 3 | WIRE_VARINT);
	protobuf_put_varint(message, value);
}

void protobuf_put_bytes(GByteArray *message, uint32_t field, const void *data, size_t n)
{
	protobuf_put_varint(message, field << 3 | WIRE_LENGTH);
	protobuf_put_varint(message, n);
	g_byte_array_append(message, data, (guint)n);
}

void protobuf_put_message(GByteArray *message, uint32_t field, const GByteArray *part)
{
	protobuf_put_bytes(message, field, part->data, part->len);
}
