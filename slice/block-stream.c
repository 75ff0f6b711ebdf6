/* SPDX-License-Identifier: MIT */
#include "slice/block-stream.h"

#include <string.h>

#include "store/store.h"

#define ONE_BYTE  192u /* distances below take one byte */
#define TWO_BYTES (63u * 256u)

void block_stream_byte(GByteArray *stream, uint8_t byte)
{
	g_byte_array_append(stream, &byte, 1);
}

void block_stream_varint(GByteArray *stream, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		block_stream_byte(stream, (uint8_t)(value | 0x80));
	block_stream_byte(stream, (uint8_t)value);
}

void block_stream_distance(GByteArray *low, GByteArray *high, uint32_t distance)
{
	uint32_t more = distance - ONE_BYTE;

	if (distance < ONE_BYTE) {
		block_stream_byte(low, (uint8_t)distance);
	} else if (more < TWO_BYTES) {
		block_stream_byte(low, (uint8_t)(ONE_BYTE + (more >> 8)));
		block_stream_byte(high, (uint8_t)more);
	} else {
		block_stream_byte(low, UINT8_MAX);
		block_stream_varint(high, distance);
	}
}

void numbers_init(Numbers *self, uint32_t n)
{
	self->number = g_new(uint32_t, n);
	memset(self->number, 0xff, n * sizeof(uint32_t));
	self->ids = g_array_new(FALSE, FALSE, sizeof(uint32_t));
}

uint32_t numbers_get(Numbers *self, uint32_t id)
{
	if (self->number[id] == ROW_NONE) {
		self->number[id] = self->ids->len;
		g_array_append_val(self->ids, id);
	}
	return self->number[id];
}

uint32_t *numbers_steal(Numbers *self, uint32_t *n)
{
	g_free(self->number);
	*n = self->ids->len;
	return (uint32_t *)(void *)g_array_free(self->ids, FALSE);
}
