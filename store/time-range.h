/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/text.h"

/* Time is integer nanoseconds on the recording's own clock, everywhere. */
#define NS_PER_SECOND 1000000000ll
#define NS_PER_MS     1000000ll

/* A sample of which no time is known. */
#define TIME_NONE INT64_MIN

/* [begin_ns, end_ns): half-open, so that neighbours share no sample. Empty when end <= begin. */
typedef struct {
	int64_t begin_ns;
	int64_t end_ns;
} TimeRange;

/* a + b, or the nearest time there is. */
static inline int64_t time_add(int64_t a, int64_t b)
{
	int64_t sum;

	if (!__builtin_add_overflow(a, b, &sum))
		return sum;
	return b > 0 ? INT64_MAX : INT64_MIN + 1;
}

/* What the words of a range mean in one recording. */
typedef struct {
	int64_t zero_ns;  /* what `0` is, on the recording's clock */
	int64_t start_ns; /* the earliest timed sample */
	int64_t end_ns;	  /* one past the latest timed sample: what negative ends count from */
	bool has_wall;	  /* clock times can be told: wall time = clock time + wall_offset_ns */
	int64_t wall_offset_ns;
} TimeFrame;

/* What can be said of a time before the recording is known: whether it is one at all. */
extern const TimeFrame time_frame_any;

/* Duration such as `1.3` (seconds), `1500ms`, `20us`, `2m`, `1h20m`; never negative. */
bool duration_parse(const char *text, int64_t *ns, GError **error);

/*
 * `FROM..TO` or `FROM+DURATION` with the ends of the contract ("Time"): seconds or units, negative
 * from the end, `@` for the recording's clock, clock times (`14:03:22.5`, `2026-11-21T14:03:22`)
 * where the wall clock is known, either left out. `*is_reversed` tells that the ends stood the
 * other way round (they are returned in order).
 */
bool time_range_parse(const char *text, const TimeFrame *frame, TimeRange *range, bool *is_reversed,
		      GError **error);

/* One end or moment, as in a range: for --zero, --every-origin. */
bool time_moment_parse(const char *text, const TimeFrame *frame, int64_t *ns, GError **error);

/*
 * `A..B` of a period: fractions of it (`0.42..0.55`) or durations with units (`546ms..715ms`);
 * B may be smaller than A (the phase wraps). Ends are in [0, every_ns]; the same text gives the
 * same end, so that phases tile.
 */
bool phase_parse(const char *text, int64_t every_ns, int64_t *begin_ns, int64_t *end_ns,
		 GError **error);

/* Sorts `ranges`, joins those that overlap or touch, drops empty ones; returns how many remain. */
size_t time_ranges_normalize(TimeRange *ranges, size_t n);

/* "12.4" or "-0.05": `ns` as seconds with as many decimals as it needs (at most 9); g_free it. */
char *time_format_seconds(int64_t ns);
