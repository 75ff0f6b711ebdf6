/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <stdint.h>

/* Where the ticks of a time axis are and what they say. */

/* The smallest round number (1, 2, 5, 10, … ns to s; 1, 2, 5, 10, 20, 30 min; 1, 2, 3, 6, 12 h; 1,
 * 2, 5, … days) that is at least `min_ns`. */
int64_t time_axis_step(int64_t min_ns);

/* As that, but a multiple of `column_ns`, so that ticks stand at the edges of columns. */
int64_t time_axis_column_step(int64_t column_ns, int64_t min_ns);

/* A unit in which numbers up to `length_ns` are handy. */
typedef struct {
	const char *name; /* "ms" */
	int64_t ns;
} TimeUnit;

TimeUnit time_axis_unit(int64_t length_ns);

/* `ns` in `unit`, without its name: "200"; g_free() it. */
char *time_axis_number(int64_t ns, TimeUnit unit);

/* "1:30", "2:05:00", "-0:05": minutes and hours of whole seconds; g_free() it. */
char *time_axis_clock(int64_t ns);
