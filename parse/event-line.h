/* SPDX-License-Identifier: MIT */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "store/store.h"

/*
 * The first line of a record of `perf script` (shared reference formats.md, 1.2 to 1.5):
 *
 *     [comm] [tid | pid/tid] [[cpu]] [misc] [tod] time: [period] [event:] [payload]
 *
 * It is read from the time outwards, since a thread's name can hold anything: digits, `[001]`,
 * even `2.000000:`. What remains on the left is the comm.
 */
typedef struct {
	Text comm;
	int32_t pid; /* ID_NONE: not printed */
	int32_t tid;
	bool has_tid;
	int32_t cpu;	 /* ID_NONE: not printed, or `[-01]` */
	int64_t time_ns; /* TIME_NONE: an untimed record */
	Text tod;	 /* time of the day (-F +tod), empty: not printed */
	uint64_t period;
	bool has_period;
	Text event;	  /* empty: not printed */
	Text payload;	  /* what follows the event, with its leading blanks */
	bool is_short_us; /* old simpleperf: the decimals are a number of µs */
} EventLine;

/* Lines with a time. False: this is no such line. */
bool event_line_parse(Text line, EventLine *event);

/* Lines without a time, `comm tid [cpu] period event:`. */
bool event_line_parse_untimed(Text line, EventLine *event);

/* Lines with neither time nor event, `comm tid [cpu]`: what stands before frames then. */
bool event_line_parse_bare(Text line, EventLine *event);
bool event_line_is_bare(Text line);

/* Bytes of a thread's name that the kernel keeps. */
#define MAX_COMM 15
