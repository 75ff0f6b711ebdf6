/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parse/input.h"
#include "store/text.h"

/* A piece of an input: whole lines (the input's last may lack its line feed). */
typedef struct {
	char *data;
	size_t n, capacity;
	bool begins_clean, ends_clean; /* at a cut, or an end of the input */
	bool is_last;		       /* nothing follows */
	uint64_t number;	       /* from 0 */
} Block;

void block_clear(Block *self);

/* The last place in `text` (whole lines) where it can be cut; 0: there is none. */
typedef size_t (*CutFunc)(Text text);

/* Cuts an input into blocks, with bounded memory. */
typedef struct {
	Input *input;
	CutFunc cut;
	size_t block_bytes; /* wanted; a line that is longer makes its block longer */
	Block rest;	    /* read, and not given out yet */
	uint64_t n_blocks;
	uint64_t n_bytes;  /* read so far */
	bool is_end;	   /* of the input */
	bool is_in_long;   /* within a line whose beginning was given out */
	bool begins_clean; /* the next block */
} BlockReader;

void block_reader_init(BlockReader *self, Input *input, CutFunc cut, size_t block_bytes);
void block_reader_clear(BlockReader *self);

/*
 * The next piece, in `block`, whose memory is used again; `block->n` is 0 at the end. Of a line
 * longer than MAX_LINE_BYTES only one byte more than that is given, as a line. False with `error`
 * where reading failed.
 */
bool block_reader_next(BlockReader *self, Block *block, GError **error);
