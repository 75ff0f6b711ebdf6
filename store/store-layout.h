/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "store/store-file.h"

/*
 * The bytes of a `*.beat` file, version 2 (docs/store-format.md). Little endian. In this order,
 * without gaps:
 *
 *   StoreHeader
 *   the index: N_SECTIONS StoreSectionEntry, then a checksum (XXH3, 64 bits) of each block of each
 *     section, then n_buckets StoreBucket
 *   the sections, in the order of StoreSection, each column_bytes(), COLUMN_PADDING zero bytes
 *     and zeros up to a multiple of 8
 *
 * In version 1 widths were given in bytes, and the rest was the same.
 *
 * Blocks are STORE_BLOCK bytes of a section, its padding included; the last may be shorter.
 */
#define STORE_VERSION 2
#define STORE_BLOCK   (1u << 20)

typedef struct {
	char magic[STORE_MAGIC_LEN];
	uint32_t version;
	uint32_t n_sections;
	uint64_t file_bytes;
	uint64_t index_bytes;
	uint64_t n_samples;
	uint64_t n_timed;
	uint64_t n_buckets;
	uint64_t n_blocks;
	int64_t bucket_ns;
	int64_t tick_ns;
	int64_t start_ns;
	int64_t last_ns;
	uint64_t reserved;
	uint64_t checksum; /* XXH3 of header and index, with this field 0 */
} StoreHeader;

typedef struct {
	uint64_t offset; /* of the section, from the beginning of the file */
	uint64_t n;
	uint64_t base;
	uint64_t width; /* bits of a value */
} StoreSectionEntry;

G_STATIC_ASSERT(sizeof(StoreHeader) == 112);
G_STATIC_ASSERT(sizeof(StoreSectionEntry) == 32);
G_STATIC_ASSERT(sizeof(StoreBucket) == 16);
G_STATIC_ASSERT(G_BYTE_ORDER == G_LITTLE_ENDIAN); /* the index is used in place */

/* Bytes of a section with its padding. Callers have checked that n * width does not overflow. */
static inline uint64_t store_section_bytes(uint64_t n, uint64_t width)
{
	return (column_bytes(n, width) + COLUMN_PADDING + 7) & ~7ull;
}

static inline uint64_t store_section_blocks(uint64_t n, uint64_t width)
{
	return (store_section_bytes(n, width) + STORE_BLOCK - 1) / STORE_BLOCK;
}
