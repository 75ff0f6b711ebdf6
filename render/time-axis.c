/* SPDX-License-Identifier: MIT */
/*
 * Round steps. Below a minute they are decimal; above, they are what a clock face has. Ticks of a
 * heat map stand at edges of columns; a column of odd length gets a round number of columns.
 */

#include "render/time-axis.h"

#include <inttypes.h>

#include "store/time-range.h"

#define MINUTE_NS (60 * NS_PER_SECOND)
#define DAY_NS	  (86400 * NS_PER_SECOND)

/* The smallest of 1, 2, 5, 10, 20, … times `unit` that is at least `min`. */
static int64_t decimal_step(int64_t unit, int64_t min)
{
	static const int64_t factors[] = { 1, 2, 5 };
	for (;;) {
		for (size_t i = 0; i < G_N_ELEMENTS(factors); i++) {
			int64_t step;
			if (__builtin_mul_overflow(unit, factors[i], &step))
				return INT64_MAX;
			if (step >= min)
				return step;
		}
		if (__builtin_mul_overflow(unit, (int64_t)10, &unit))
			return INT64_MAX;
	}
}

int64_t time_axis_step(int64_t min_ns)
{
	static const int64_t seconds[] = { 30,	 60,   120,   300,   600,   1200, 1800,
					   3600, 7200, 10800, 21600, 43200, 86400 };
	if (min_ns <= 20 * NS_PER_SECOND)
		return decimal_step(1, min_ns);
	for (size_t i = 0; i < G_N_ELEMENTS(seconds); i++) {
		if (seconds[i] * NS_PER_SECOND >= min_ns)
			return seconds[i] * NS_PER_SECOND;
	}
	return decimal_step(DAY_NS, min_ns);
}

int64_t time_axis_column_step(int64_t column_ns, int64_t min_ns)
{
	int64_t step = time_axis_step(MAX(min_ns, column_ns));
	for (int i = 0; i < 3 && step < INT64_MAX; i++) {
		if (step % column_ns == 0)
			return step;
		step = time_axis_step(step + 1);
	}
	return decimal_step(column_ns, min_ns);
}

TimeUnit time_axis_unit(int64_t length_ns)
{
	static const TimeUnit units[] = {
		{ "h", 60 * MINUTE_NS }, { "min", MINUTE_NS }, { "s", NS_PER_SECOND },
		{ "ms", NS_PER_MS },	 { "us", 1000 },       { "ns", 1 },
	};
	size_t i = 0;
	while (i < G_N_ELEMENTS(units) - 1 && length_ns / 2 < units[i].ns)
		i++;
	return units[i];
}

char *time_axis_number(int64_t ns, TimeUnit unit)
{
	return time_format_seconds(unit.ns >= NS_PER_SECOND ? ns / (unit.ns / NS_PER_SECOND)
							    : ns * (NS_PER_SECOND / unit.ns));
}

char *time_axis_clock(int64_t ns)
{
	uint64_t seconds = (ns < 0 ? -(uint64_t)ns : (uint64_t)ns) / NS_PER_SECOND;
	const char *sign = ns < 0 ? "-" : "";
	if (seconds < 3600)
		return g_strdup_printf("%s%" PRIu64 ":%02" PRIu64, sign, seconds / 60,
				       seconds % 60);
	return g_strdup_printf("%s%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, sign, seconds / 3600,
			       seconds / 60 % 60, seconds % 60);
}
