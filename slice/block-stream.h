/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdint.h>

/* What slice/blocks.c writes its streams with. */

void block_stream_byte(GByteArray *stream, uint8_t byte);

/* LEB128. */
void block_stream_varint(GByteArray *stream, uint64_t value);

/* Mostly one byte of `low`; more goes to `high` (docs/page-format.md). */
void block_stream_distance(GByteArray *low, GByteArray *high, uint32_t distance);

/* Numbers for ids, in the order they are asked for. */
typedef struct {
	uint32_t *number; /* by id */
	GArray *ids;	  /* of uint32_t */
} Numbers;

/* For ids below `n`. */
void numbers_init(Numbers *self, uint32_t n);
uint32_t numbers_get(Numbers *self, uint32_t id);
/* The `*n` ids by number, g_free'd by the caller; ends the use of `self`. */
uint32_t *numbers_steal(Numbers *self, uint32_t *n);
