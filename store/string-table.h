/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "store/array.h"
#include "store/id-index.h"
#include "store/text.h"

/* Distinct texts, each with a 32-bit id in order of arrival; id 0 is the empty text. */
typedef struct {
	ARRAY_OF(char) bytes;
	ARRAY_OF(uint64_t) ends; /* of text i in `bytes`; it begins where text i - 1 ends */
	IdIndex index;
	uint64_t seed;
} StringTable;

/* False when out of memory. */
bool string_table_init(StringTable *self);
void string_table_clear(StringTable *self);

/* Id of `text`, ROW_NONE when out of memory or past MAX_STRING_BYTES. */
uint32_t string_table_add(StringTable *self, Text text);

/* Id of `text` if it is there, else ROW_NONE. */
uint32_t string_table_find(const StringTable *self, Text text);

/* Valid until the next addition. */
Text string_table_get(const StringTable *self, uint32_t id);
