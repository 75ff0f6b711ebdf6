/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "parse/skips.h"
#include "store/builder.h"
#include "store/notes.h"

/* What was met in a `perf script` text: every line is in one of these, or among the skips. */
typedef struct {
	uint64_t lines, bytes;
	uint64_t records; /* samples begun */
	uint64_t frames;
	uint64_t flat;	  /* records without call chain, whose one frame is on their line */
	uint64_t side;	  /* side-band records */
	uint64_t header;  /* header lines and comments */
	uint64_t ignored; /* known lines that are of no use: registers, source lines, … */
	uint64_t blank;
	uint64_t lost;	     /* samples that perf says it lost */
	uint64_t truncated;  /* stacks cut at max_frames */
	uint64_t suspicious; /* places where records may be forged */
	uint64_t steps_back; /* records older than the one before */
	bool begins_at_zero; /* the first record has time 0 */
	bool has_loss;	     /* a message of perf's says that it lost samples */
	bool has_short_us;   /* times with fewer than 6 decimals */
	bool is_header_open; /* the header never ended */
} PerfCounts;

/* Adds what was met further on. */
void perf_counts_append(PerfCounts *self, const PerfCounts *next);

/* Adds them to the facts. */
void perf_counts_record(const PerfCounts *self, StoreBuilder *builder);

/* What people should know of them; `name` is the input's. */
void perf_counts_note(const PerfCounts *self, const char *name, uint32_t max_frames, Notes *notes);

/* Fails where the input holds no sample, or is mostly junk: why, as precisely as possible. */
bool perf_counts_check(const PerfCounts *self, const char *name, const Skips *skips,
		       GError **error);
