/* SPDX-License-Identifier: MIT */
/* All bytes in one growing block, so that a table is two arrays in a file. */

#include "store/string-table.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "store/limits.h"

bool string_table_init(StringTable *self)
{
	memset(self, 0, sizeof(*self));
	self->seed = id_index_seed();
	return string_table_add(self, TEXT("")) == 0;
}

void string_table_clear(StringTable *self)
{
	array_clear(&self->bytes);
	array_clear(&self->ends);
	id_index_clear(&self->index);
}

Text string_table_get(const StringTable *self, uint32_t id)
{
	uint64_t begin = id > 0 ? self->ends.data[id - 1] : 0;

	/* `bytes.data` is NULL while only the empty text is there. */
	return (Text){ self->bytes.data != NULL ? self->bytes.data + begin : "",
		       self->ends.data[id] - begin };
}

static bool equals(const void *table, uint32_t id, const void *key)
{
	return text_equal(string_table_get(table, id), *(const Text *)key);
}

static bool append(StringTable *self, Text text)
{
	if (self->bytes.n + text.len > MAX_STRING_BYTES || self->ends.n >= MAX_TABLE_IDS)
		return false;
	if (!array_reserve(&self->bytes, text.len) || !array_reserve(&self->ends, 1))
		return false;
	if (text.len > 0)
		memcpy(self->bytes.data + self->bytes.n, text.data, text.len);
	self->bytes.n += text.len;
	return array_push(&self->ends, self->bytes.n);
}

uint32_t string_table_add(StringTable *self, Text text)
{
	uint64_t hash = XXH3_64bits_withSeed(text.data, text.len, self->seed);
	IdSlot *slot;

	if (!id_index_reserve(&self->index))
		return ROW_NONE;
	slot = id_index_slot(&self->index, hash, equals, self, &text);
	if (slot->id != ROW_NONE)
		return slot->id;
	if (!append(self, text))
		return ROW_NONE;
	id_index_put(&self->index, slot, hash, (uint32_t)(self->ends.n - 1));
	return (uint32_t)(self->ends.n - 1);
}

uint32_t string_table_find(const StringTable *self, Text text)
{
	uint64_t hash = XXH3_64bits_withSeed(text.data, text.len, self->seed);

	return id_index_slot(&self->index, hash, equals, self, &text)->id;
}
