/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "slice/call-tree.h"
#include "store/query.h"
#include "store/store.h"

/*
 * A selection packed so tightly that it can travel inside a page: samples are kept by blocks of
 * time within which their order is dropped. Stacks are numbered by how often they occur, and the
 * threads of each stack likewise; a block is the ascending stack numbers of its samples, as
 * distances, and for each which of the stack's threads it was. Order that need not be kept saves
 * log2(n!) bits a block, and what remains is mostly small bytes, which deflate packs well.
 * docs/page-format.md describes the streams.
 */

/* What was counted of one event. */
typedef struct {
	char *name; /* as displayed */
	uint64_t n_samples;
	uint64_t n_blocks;  /* that are not empty */
	GByteArray *gaps;   /* block numbers, as distances */
	GByteArray *counts; /* samples of each */
	GByteArray *low;    /* distances of stack numbers: first bytes */
	GByteArray *high;   /* and the others */
	GByteArray *who;    /* which of the stack's threads */
} BlockEvent;

typedef struct {
	int64_t block_ns;
	int64_t zero_ns;
	int64_t first_block;	/* gaps count from here; block 0 begins at zero */
	SelectionCounts counts; /* of the default event */
	GPtrArray *events;	/* of BlockEvent; the default first */
	FrameNames *names;	/* of displays */
	uint32_t n_pairs;
	uint32_t n_nodes;   /* of the tree of stacks; node 0 is the empty stack */
	uint32_t n_threads; /* that occur */
	uint32_t *threads;  /* store threads, by number */
	uint32_t n_stacks;
	GByteArray *stack_nodes;   /* by stack number */
	GByteArray *stack_threads; /* how many threads each has */
	GByteArray *pair_threads;  /* these threads, one stack after the other */
	GByteArray *node_parents;  /* as distances: a parent comes before its children */
	GByteArray *node_displays;
	uint32_t *displays; /* display ids that occur, by number */
	uint32_t n_displays;
} Blocks;

#define DEFAULT_BLOCK_NS (20 * NS_PER_MS)

/* `query` chooses the samples; where it names no event all of them are kept, each for itself.
 * Fails where the recording has no times, or where a sample does not count as one. */
Blocks *blocks_new(const Store *store, const Query *query, int64_t block_ns, Notes *notes,
		   GError **error);
void blocks_free(Blocks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Blocks, blocks_free)
