/* SPDX-License-Identifier: MIT */
/* What lies behind a cut is kept, and copied to the front of the next block: little, as a rule. */

#include "parse/block-reader.h"

#include <string.h>

#include "store/limits.h"

#define LONG_BYTES ((size_t)MAX_LINE_BYTES + 1)

void block_clear(Block *self)
{
	g_free(self->data);
	*self = (Block){ 0 };
}

void block_reader_init(BlockReader *self, Input *input, CutFunc cut, size_t block_bytes)
{
	*self = (BlockReader){
		.input = input, .cut = cut, .block_bytes = block_bytes, .begins_clean = true
	};
}

void block_reader_clear(BlockReader *self)
{
	block_clear(&self->rest);
}

static void reserve(Block *block, size_t n)
{
	if (n <= block->capacity)
		return;
	block->capacity = n;
	block->data = g_realloc(block->data, n);
}

/* Drops what belongs to the long line from the end of `block`, [begin, n). */
static void drop_long(BlockReader *self, Block *block, size_t begin)
{
	const char *feed = memchr(block->data + begin, '\n', block->n - begin);
	size_t end = feed != NULL ? (size_t)(feed - block->data) + 1 : block->n;

	memmove(block->data + begin, block->data + end, block->n - end);
	block->n -= end - begin;
	self->is_in_long = feed == NULL;
}

/* Reads until `block` holds `wanted` bytes, or all there is. */
static bool fill(BlockReader *self, Block *block, size_t wanted, GError **error)
{
	reserve(block, wanted + 1);
	while (block->n < wanted && !self->is_end) {
		gssize n =
			input_read(self->input, block->data + block->n, wanted - block->n, error);

		if (n < 0)
			return false;
		self->is_end = n == 0;
		self->n_bytes += (uint64_t)n;
		block->n += (size_t)n;
		if (self->is_in_long)
			drop_long(self, block, block->n - (size_t)n);
	}
	return true;
}

static void keep_rest(BlockReader *self, Block *block, size_t cut)
{
	reserve(&self->rest, block->n - cut);
	if (block->n > cut)
		memcpy(self->rest.data, block->data + cut, block->n - cut);
	self->rest.n = block->n - cut;
	block->n = cut;
}

/* Cuts `block`, which holds a line feed. */
static void cut(BlockReader *self, Block *block)
{
	const char *feed = memrchr(block->data, '\n', block->n);
	size_t n_lines = (size_t)(feed - block->data) + 1;
	size_t at = self->cut((Text){ block->data, n_lines });

	block->ends_clean = at > 0;
	keep_rest(self, block, at > 0 ? at : n_lines);
}

/* A line that is too long, of which enough is here to see that. */
static void cut_long(BlockReader *self, Block *block)
{
	block->n = LONG_BYTES;
	block->data[block->n++] = '\n';
	block->ends_clean = false;
	self->is_in_long = true;
}

bool block_reader_next(BlockReader *self, Block *block, GError **error)
{
	size_t wanted = self->block_bytes;

	block->n = 0;
	block->begins_clean = self->begins_clean;
	block->number = self->n_blocks++;
	reserve(block, MAX(self->rest.n, 1));
	if (self->rest.n > 0)
		memcpy(block->data, self->rest.data, self->rest.n);
	block->n = self->rest.n;
	self->rest.n = 0;
	for (;;) {
		if (!fill(self, block, wanted, error))
			return false;
		block->ends_clean = block->is_last = self->is_end;
		if (!self->is_end && memrchr(block->data, '\n', block->n) != NULL)
			cut(self, block);
		else if (block->n >= LONG_BYTES && !self->is_end)
			cut_long(self, block);
		else if (!self->is_end) {
			wanted = MAX(wanted * 2, block->n + 1);
			continue;
		}
		self->begins_clean = block->ends_clean;
		return true;
	}
}
