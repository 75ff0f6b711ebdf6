/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "parse/input.h"
#include "parse/perf-process.h"
#include "parse/skips.h"
#include "store/builder.h"
#include "store/notes.h"

/* What a parser is given. It emits samples to `builder`, counts in `skips` what it cannot use,
 * and says in `notes` what people should know. */
typedef struct {
	Input *input;
	StoreBuilder *builder;
	Skips *skips;
	Notes *notes;
	uint32_t max_frames;	  /* of a stack; more are cut at the root's side */
	const PerfSettings *perf; /* how to run it, for perf.data */
	guint n_threads;	  /* that parse, at most */
	size_t block_bytes;	  /* of the pieces they take; 0: as many as is best */
} ParseJob;

/* One input format: a row of formats[], defined at the foot of its own file. */
typedef struct {
	const char *name;
	const char *help;
	/* Whether an input that begins with `head` (at most INPUT_PEEK bytes) is of this format. */
	bool (*probe)(Text head);
	/* Reads it all. False: it cannot be read at all; single lines that cannot are counted. */
	bool (*parse)(ParseJob *job, GError **error);
} Format;

/* THE table, most specific first; the last row takes everything. Ends with NULL. */
extern const Format *const formats[];

extern const Format format_perf_script;
extern const Format format_perf_data;
extern const Format format_perf_stream;
extern const Format format_folded;
