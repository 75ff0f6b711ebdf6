/* SPDX-License-Identifier: MIT */
/* Set operations on sorted ranges: each is one pass over what it takes. */

#include "store/time-set.h"

#include "store/limits.h"

static void append(GArray *set, int64_t begin_ns, int64_t end_ns)
{
	TimeRange range = { begin_ns, end_ns };

	if (begin_ns < end_ns)
		g_array_append_val(set, range);
}

static const TimeRange *range_at(const GArray *set, guint i)
{
	return &g_array_index(set, TimeRange, i);
}

GArray *time_set_all(void)
{
	GArray *set = g_array_new(FALSE, FALSE, sizeof(TimeRange));

	append(set, MIN_TIME_NS, MAX_TIME_NS);
	return set;
}

GArray *time_set_new(const TimeRange *ranges, size_t n)
{
	GArray *set = g_array_new(FALSE, FALSE, sizeof(TimeRange));

	g_array_append_vals(set, ranges, (guint)n);
	g_array_set_size(set,
			 (guint)time_ranges_normalize((TimeRange *)(void *)set->data, set->len));
	return set;
}

/* One `begin..end`; false if it is none, or empty. */
static bool parse_range(const char *word, TimeRange *range)
{
	char *end;

	range->begin_ns = g_ascii_strtoll(word, &end, 10);
	if (end == word || !g_str_has_prefix(end, ".."))
		return false;
	word = end + 2;
	range->end_ns = g_ascii_strtoll(word, &end, 10);
	return end != word && *end == '\0' && range->begin_ns < range->end_ns;
}

GArray *time_set_parse(Text text)
{
	g_autofree char *copy = g_strndup(text.len > 0 ? text.data : "", text.len);
	g_auto(GStrv) words = g_strsplit(copy, " ", -1);
	g_autoptr(GArray) ranges = g_array_new(FALSE, FALSE, sizeof(TimeRange));

	for (char **word = words; *word != NULL; word++) {
		TimeRange range;

		if (parse_range(*word, &range))
			g_array_append_val(ranges, range);
	}
	return time_set_new((const TimeRange *)(const void *)ranges->data, ranges->len);
}

GArray *time_set_intersect(const GArray *a, const GArray *b)
{
	GArray *set = g_array_new(FALSE, FALSE, sizeof(TimeRange));
	guint i = 0, k = 0;

	while (i < a->len && k < b->len) {
		const TimeRange *x = range_at(a, i), *y = range_at(b, k);

		append(set, MAX(x->begin_ns, y->begin_ns), MIN(x->end_ns, y->end_ns));
		if (x->end_ns < y->end_ns)
			i++;
		else
			k++;
	}
	return set;
}

GArray *time_set_complement(const GArray *set)
{
	GArray *rest = g_array_new(FALSE, FALSE, sizeof(TimeRange));
	int64_t begin_ns = MIN_TIME_NS;

	for (guint i = 0; i < set->len; i++) {
		append(rest, begin_ns, range_at(set, i)->begin_ns);
		begin_ns = range_at(set, i)->end_ns;
	}
	append(rest, begin_ns, MAX_TIME_NS);
	return rest;
}

static uint64_t length(const TimeRange *range)
{
	return (uint64_t)range->end_ns - (uint64_t)range->begin_ns;
}

uint64_t time_set_length(const GArray *set)
{
	uint64_t sum = 0;

	for (guint i = 0; i < set->len; i++)
		sum += length(range_at(set, i));
	return sum;
}

int64_t time_set_moment(const GArray *set, uint64_t offset_ns)
{
	for (guint i = 0; i < set->len; i++) {
		const TimeRange *range = range_at(set, i);

		if (offset_ns < length(range))
			return range->begin_ns + (int64_t)offset_ns;
		offset_ns -= length(range);
	}
	return range_at(set, set->len - 1)->end_ns;
}
