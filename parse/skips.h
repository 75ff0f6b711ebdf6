/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdint.h>

#include "store/builder.h"

/* Why a line of input was not used. */
typedef enum {
	SKIP_UNRECOGNISED, /* no line that perf script prints */
	SKIP_ORPHAN_FRAME, /* a frame before any event line */
	SKIP_TOO_LONG,	   /* more than MAX_LINE_BYTES */
	SKIP_MESSAGE,	   /* a message of perf's, from `2>&1` */
	SKIP_NOT_FOLDED,   /* among folded stacks, a line without a weight at its end */
	N_SKIPS,
} SkipReason;

#define SKIP_EXAMPLES 5

/* Lines that were not used: how many, why, and where the first ones are. */
typedef struct {
	const char *file; /* borrowed */
	uint64_t counts[N_SKIPS];
	uint64_t first; /* line of the first that is no message of perf's; 0: none */
	SkipReason first_reason;
	uint32_t n_examples;
	struct {
		uint64_t line;
		SkipReason reason;
	} examples[SKIP_EXAMPLES];
} Skips;

/* "unrecognised", …: as facts and `info` name it. */
const char *skip_reason_name(SkipReason reason);

void skips_add(Skips *self, uint64_t line, SkipReason reason);
/* Adds those of the text behind; its lines are counted from `first_line` less. */
void skips_append(Skips *self, const Skips *next, uint64_t first_line);
uint64_t skips_total(const Skips *self);
/* Those that are a shortfall: perf's own messages are noise, all of the recording was read. */
uint64_t skips_shortfall(const Skips *self);

/* Adds them to the facts; examples of earlier inputs stay first. */
void skips_record(const Skips *self, StoreBuilder *builder, uint32_t *n_recorded);
