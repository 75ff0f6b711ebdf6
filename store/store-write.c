/* SPDX-License-Identifier: MIT */
/*
 * Writing a store front to back, so that it can go to a pipe as well. The columns are copied as
 * they are; only checksums are computed.
 */

#include "store/store-layout.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

typedef struct {
	const Store *store;
	StoreHeader header;
	StoreSectionEntry entries[N_SECTIONS];
	uint64_t *sums; /* header.n_blocks */
} Layout;

static void plan(Layout *self)
{
	const Store *store = self->store;
	StoreHeader *header = &self->header;
	uint64_t offset;

	memcpy(header->magic, STORE_MAGIC, STORE_MAGIC_LEN);
	header->version = STORE_VERSION;
	header->n_sections = N_SECTIONS;
	header->n_samples = store->n_samples;
	header->n_timed = store->n_timed;
	header->n_buckets = store->n_buckets;
	header->bucket_ns = store->bucket_ns;
	header->tick_ns = store->tick_ns;
	header->start_ns = store->start_ns;
	header->last_ns = store->last_ns;
	for (int i = 0; i < N_SECTIONS; i++)
		header->n_blocks +=
			store_section_blocks(store->columns[i].n, store->columns[i].width);
	header->index_bytes = sizeof(self->entries) + header->n_blocks * sizeof(uint64_t) +
			      header->n_buckets * sizeof(StoreBucket);
	offset = sizeof(*header) + header->index_bytes;
	for (int i = 0; i < N_SECTIONS; i++) {
		const Column *column = &store->columns[i];

		self->entries[i] =
			(StoreSectionEntry){ offset, column->n, column->base, column->width };
		offset += store_section_bytes(column->n, column->width);
	}
	header->file_bytes = offset;
}

/* One block of a section as it will stand in the file. */
typedef struct {
	const uint8_t *data; /* may be NULL when n_data is 0 */
	size_t n_data;
	size_t n_zero; /* padding after it */
} Block;

static Block block_of(const Column *column, uint64_t block)
{
	uint64_t n_data = column_bytes(column->n, column->width);
	uint64_t n_all = store_section_bytes(column->n, column->width);
	uint64_t begin = block * STORE_BLOCK, end = MIN(begin + STORE_BLOCK, n_all);
	uint64_t data_end = MIN(end, MAX(n_data, begin));

	return (Block){ column->data + (begin < n_data ? begin : 0), data_end - begin,
			end - data_end };
}

/* More than one block's padding: it can be cut by a block's end, and no longer. */
static const uint8_t zeros[COLUMN_PADDING + 8];

static uint64_t block_sum(const Block *block)
{
	XXH3_state_t state;

	XXH3_64bits_reset(&state);
	XXH3_64bits_update(&state, block->data, block->n_data);
	XXH3_64bits_update(&state, zeros, block->n_zero);
	return XXH3_64bits_digest(&state);
}

static void sum_blocks(Layout *self)
{
	uint64_t k = 0;

	for (int i = 0; i < N_SECTIONS; i++) {
		const Column *column = &self->store->columns[i];
		uint64_t n_blocks = store_section_blocks(column->n, column->width);

		for (uint64_t b = 0; b < n_blocks; b++) {
			Block block = block_of(column, b);
			self->sums[k++] = block_sum(&block);
		}
	}
}

static void sum_header(Layout *self)
{
	XXH3_state_t state;

	self->header.checksum = 0;
	XXH3_64bits_reset(&state);
	XXH3_64bits_update(&state, &self->header, sizeof(self->header));
	XXH3_64bits_update(&state, self->entries, sizeof(self->entries));
	XXH3_64bits_update(&state, self->sums, self->header.n_blocks * sizeof(uint64_t));
	XXH3_64bits_update(&state, self->store->buckets,
			   self->store->n_buckets * sizeof(StoreBucket));
	self->header.checksum = XXH3_64bits_digest(&state);
}

static void write_sections(const Store *store, FILE *out)
{
	for (int i = 0; i < N_SECTIONS; i++) {
		const Column *column = &store->columns[i];
		uint64_t n_blocks = store_section_blocks(column->n, column->width);

		for (uint64_t b = 0; b < n_blocks && !ferror(out); b++) {
			Block block = block_of(column, b);

			if (block.n_data > 0)
				fwrite(block.data, 1, block.n_data, out);
			fwrite(zeros, 1, block.n_zero, out);
		}
	}
}

bool store_write(const Store *self, FILE *out, GError **error)
{
	Layout layout = { .store = self };
	g_autofree uint64_t *sums = NULL;

	if (!store_verify(self, error))
		return false;
	plan(&layout);
	layout.sums = sums = g_new(uint64_t, layout.header.n_blocks);
	sum_blocks(&layout);
	sum_header(&layout);
	fwrite(&layout.header, sizeof(layout.header), 1, out);
	fwrite(layout.entries, sizeof(layout.entries), 1, out);
	fwrite(sums, sizeof(uint64_t), layout.header.n_blocks, out);
	if (self->n_buckets > 0)
		fwrite(self->buckets, sizeof(StoreBucket), self->n_buckets, out);
	write_sections(self, out);
	return true;
}
