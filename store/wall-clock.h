/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/text.h"

/*
 * What the recording's clock is in the time of the day (contract, "Wall clock"). Wall times are
 * nanoseconds since 1970-01-01 00:00 in the zone that is shown.
 */
typedef struct {
	bool is_known;
	int64_t offset_ns;  /* wall time = clock time + offset */
	char zone[16];	    /* "UTC", "local", "+02:00" */
	const char *source; /* "--wall-zero", "reference time", "tod" */
} WallClock;

/* `14:03:22.5`, `2026-11-21T14:03:22` (or a blank for the T). Without a date, `*has_date` is false
 * and the time is of 1970-01-01. */
bool wall_time_read(Text text, int64_t *wall_ns, bool *has_date);

/* `+02:00`, `-5`, `0`: as nanoseconds. */
bool utc_offset_read(Text text, int64_t *offset_ns);

/* "2026-11-21 14:03:22" and, without a date, "14:03:22"; with as many decimals as `digits` (0 to
 * 9). g_free() it. */
char *wall_time_format(int64_t wall_ns, bool with_date, int digits);
