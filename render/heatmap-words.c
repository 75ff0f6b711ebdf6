/* SPDX-License-Identifier: MIT */
/*
 * Texts of the heat map. Durations are written in the largest unit that they are a multiple of (or
 * that they exceed), with as many decimals as they need, by integer arithmetic.
 */

#include "render/heatmap-words.h"

#include <inttypes.h>
#include <math.h>

#include "heatmap/shade.h"

#include "render/number.h"

static const struct {
	const char *name;
	int64_t ns;
	bool is_whole; /* only for multiples of it */
} duration_units[] = {
	{ "h", 3600 * NS_PER_SECOND, true },
	{ "min", 60 * NS_PER_SECOND, true },
	{ "s", NS_PER_SECOND, false },
	{ "ms", NS_PER_MS, false },
	{ "us", 1000, false },
	{ "ns", 1, false },
};

char *words_duration(int64_t ns)
{
	size_t i = 0;
	while (i < G_N_ELEMENTS(duration_units) - 1 &&
	       (ns < duration_units[i].ns ||
		(duration_units[i].is_whole && ns % duration_units[i].ns != 0)))
		i++;
	int64_t unit_ns = duration_units[i].ns;
	/* Scaled so that one unit is a second, for its decimals. */
	int64_t scaled = unit_ns >= NS_PER_SECOND ? ns / (unit_ns / NS_PER_SECOND)
						  : ns * (NS_PER_SECOND / unit_ns);
	g_autofree char *number = time_format_seconds(scaled);
	return g_strdup_printf("%s %s", number, duration_units[i].name);
}

char *words_weight(uint64_t weight)
{
	char buffer[NUMBER_SIZE];
	if (weight < 100000) {
		number_format_grouped(buffer, weight);
		return g_strdup(buffer);
	}
	uint64_t unit = 1000;
	const char *suffix = "kMGTPE";
	while (suffix[1] != '\0' && weight / unit >= 1000) {
		unit *= 1000;
		suffix++;
	}
	uint64_t whole = weight / unit, hundredths = weight % unit / (unit / 100);
	int decimals = whole >= 100 ? 0 : whole >= 10 ? 1 : 2;
	if (decimals == 0)
		return g_strdup_printf("%" PRIu64 "%c", whole, *suffix);
	return g_strdup_printf("%" PRIu64 ".%0*" PRIu64 "%c", whole, decimals,
			       decimals == 1 ? hundredths / 10 : hundredths, *suffix);
}

static char *words_percent(const Scale *scale, uint64_t value)
{
	double percent = (double)value * 100 / SHADE_CAPACITY;
	bool is_clipped = value == scale->top && scale->max > scale->top;
	return g_strdup_printf(percent > 0 && percent < 1 ? "%.1f %%%s" : "%.0f %%%s", percent,
			       is_clipped ? "+" : "");
}

char *words_scale(const Scale *scale, uint64_t value)
{
	if (scale->kind == SCALE_CAPACITY)
		return words_percent(scale, value);
	if (scale->kind == SCALE_SURPRISE)
		return g_strdup_printf("%+.0f", round(shade_z((uint32_t)value)) + 0.0);
	bool is_clipped = value == scale->top && scale->max > scale->top;
	g_autofree char *number = words_weight(value);
	return g_strconcat(number, is_clipped ? "+" : "", NULL);
}

char *words_capacity(const Heatmap *heatmap)
{
	const Sampling *sampling = &heatmap->sampling;
	bool is_single = heatmap->by == HEATMAP_BY_CPU || heatmap->by == HEATMAP_BY_THREAD;
	g_autofree char *peak = g_strdup(heatmap->cell == CELL_PEAK ? " in its busiest 20 ms" : "");
	if (is_single)
		return g_strdup_printf("of one CPU at %.4g Hz%s", sampling->hz, peak);
	return g_strdup_printf("of %u CPU%s at %.4g Hz%s", sampling->n_cpus,
			       sampling->n_cpus == 1 ? "" : "s", sampling->hz, peak);
}

char *words_surprise(const Heatmap *heatmap)
{
	return g_strdup_printf("standard deviations from what the %s",
			       heatmap->by == HEATMAP_BY_TIME
				       ? "column lets expect, bands along rows pooled"
				       : "row and column let expect");
}

/* `ns` / `n`, rounded to four digits where it is no whole number of nanoseconds. */
static int64_t divide_roughly(int64_t ns, uint32_t n)
{
	int64_t part = ns / n, unit = 1;
	if (ns % n == 0)
		return part;
	while (part / unit >= 10000)
		unit *= 10;
	return (part + unit / 2) / unit * unit;
}

char *words_cell(const Heatmap *heatmap, const char *unit)
{
	g_autofree char *column = words_duration(heatmap->column_ns);
	g_autofree char *length = NULL;
	if (heatmap->by == HEATMAP_BY_TIME) {
		g_autofree char *row =
			words_duration(divide_roughly(heatmap->column_ns, heatmap->n_rows));
		length = g_strdup_printf("%s / %u = %s", column, heatmap->n_rows, row);
	}
	return g_strdup_printf(heatmap->cell == CELL_PEAK
				       ? "%s in the busiest 20 ms of each cell (%s)"
				       : "%s per cell (%s)",
			       unit != NULL ? unit : "samples", length != NULL ? length : column);
}

char *words_column(const Heatmap *heatmap)
{
	g_autofree char *column = words_duration(heatmap->column_ns);
	g_autofree char *rows =
		heatmap->has_auto_rows
			? g_strdup_printf("; %u rows, each of whole sampling ticks at %.4g Hz",
					  heatmap->n_rows, heatmap->sampling.hz)
			: g_strdup("");
	return g_strdup_printf("one column is %s%s%s", column,
			       heatmap->is_auto_column ? " (chosen automatically)" : "", rows);
}

const char *words_rows(const Heatmap *heatmap)
{
	static const char *const names[] = {
		[HEATMAP_BY_TIME] = "time within each column",
		[HEATMAP_BY_CPU] = "CPUs",
		[HEATMAP_BY_THREAD] = "threads, the busiest on top",
		[HEATMAP_BY_COMM] = "thread names, the busiest on top",
		[HEATMAP_BY_POOL] = "thread pools, the busiest on top",
		[HEATMAP_BY_FUNCTION] =
			"functions that stand out around the onset, the earliest on top",
		[HEATMAP_BY_PROCESS] = "processes, the busiest on top",
	};
	if (heatmap->by == HEATMAP_BY_TIME && heatmap->column_ns == NS_PER_SECOND)
		return "time within each second";
	return names[heatmap->by];
}

int64_t words_relative(int64_t time_ns, int64_t zero_ns)
{
	int64_t difference;
	if (__builtin_sub_overflow(time_ns, zero_ns, &difference))
		return time_ns < zero_ns ? INT64_MIN : INT64_MAX;
	return difference;
}

char *words_range(TimeRange range, int64_t zero_ns)
{
	bool is_relative = range.begin_ns >= zero_ns;
	g_autofree char *begin = time_format_seconds(
		is_relative ? words_relative(range.begin_ns, zero_ns) : range.begin_ns);
	g_autofree char *end = time_format_seconds(
		is_relative ? words_relative(range.end_ns, zero_ns) : range.end_ns);
	return g_strdup_printf("%s%s..%s", is_relative ? "" : "@", begin, end);
}
