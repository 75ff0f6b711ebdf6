/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>

#include "store/builder.h"

/*
 * The lines that `perf script --header` prints (shared reference formats.md, 1.11). A block runs
 * from one `# ========` to the next, and all of it is header: a command line with newlines puts
 * lines into it that do not begin with `#`. In pipe mode the facts follow after the block.
 */
typedef struct {
	bool is_open; /* inside a block */
} PerfHeader;

/* Whether `line` belongs to the header by itself: inside a block, or one of its two marks. */
bool perf_header_take(PerfHeader *self, Text line);

/* A line that begins with `#`, in a block or, as in pipe mode, outside: a fact, or a comment. */
void perf_header_comment(Text line, StoreBuilder *builder);

/* Numbers that the header's event lines tell (facts); 0 where unknown. */
#define FACT_SAMPLE_FREQUENCY "sample_freq"
#define FACT_SAMPLE_PERIOD    "sample_period"
