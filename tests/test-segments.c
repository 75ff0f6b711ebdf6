/* SPDX-License-Identifier: MIT */
/* Segments of counts that stand out. */

#include "heatmap/segments.h"

#include <glib.h>

#define N_BUCKETS 1000

/* Counts of 4 where 4 are expected, but `special` in [begin, end). */
static GArray *find_in(const uint32_t *counts, const float *expected, bool is_lack,
		       size_t max_length)
{
	GArray *found = g_array_new(FALSE, FALSE, sizeof(Segment));
	SegmentSearch search = { .counts = counts,
				 .expected = expected,
				 .n = N_BUCKETS,
				 .is_lack = is_lack,
				 .min_score = segments_min_score(N_BUCKETS, 0.1),
				 .max_length = max_length };

	segments_find(&search, found);
	return found;
}

typedef struct {
	uint32_t counts[N_BUCKETS];
	float expected[N_BUCKETS];
} Series;

static void flat(Series *self)
{
	for (size_t i = 0; i < N_BUCKETS; i++) {
		self->counts[i] = 3 + i % 3;
		self->expected[i] = 4;
	}
}

static void put(Series *self, size_t begin, size_t end, uint32_t count)
{
	for (size_t i = begin; i < end; i++)
		self->counts[i] = count;
}

static void check(const GArray *found, guint i, size_t begin, size_t end)
{
	const Segment *segment = &g_array_index(found, Segment, i);

	g_assert_cmpuint(i, <, found->len);
	g_assert_cmpuint(segment->begin, ==, begin);
	g_assert_cmpuint(segment->end, ==, end);
}

static void test_none(void)
{
	Series series;
	g_autoptr(GArray) found = NULL;

	flat(&series);
	found = find_in(series.counts, series.expected, false, N_BUCKETS);
	g_assert_cmpuint(found->len, ==, 0);
}

static void test_lengths(void)
{
	Series series;
	g_autoptr(GArray) found = NULL;

	flat(&series);
	put(&series, 100, 102, 20);
	put(&series, 300, 700, 9);
	put(&series, 800, 801, 40);
	found = find_in(series.counts, series.expected, false, N_BUCKETS);
	g_assert_cmpuint(found->len, ==, 3);
	check(found, 0, 100, 102);
	check(found, 1, 300, 700);
	check(found, 2, 800, 801);
	g_assert_cmpfloat(g_array_index(found, Segment, 1).samples, ==, 3600);
	g_assert_cmpfloat(g_array_index(found, Segment, 1).expected, ==, 1600);
}

/* A gap of nothing between two spikes keeps them apart; a brief one does not. */
static void test_gaps(void)
{
	Series series;
	g_autoptr(GArray) found = NULL;

	flat(&series);
	put(&series, 100, 150, 14);
	put(&series, 170, 200, 14);
	put(&series, 500, 550, 14);
	put(&series, 551, 600, 14);
	found = find_in(series.counts, series.expected, false, N_BUCKETS);
	g_assert_cmpuint(found->len, ==, 3);
	check(found, 0, 100, 150);
	check(found, 1, 170, 200);
	check(found, 2, 500, 600);
}

static void test_lack(void)
{
	Series series;
	g_autoptr(GArray) found = NULL;

	flat(&series);
	put(&series, 400, 420, 0);
	put(&series, 600, 610, 40);
	found = find_in(series.counts, series.expected, true, N_BUCKETS);
	g_assert_cmpuint(found->len, ==, 1);
	check(found, 0, 400, 420);
}

static void test_limits(void)
{
	Series series;
	g_autoptr(GArray) found = NULL, cut = NULL;

	flat(&series);
	put(&series, 300, 400, 14);
	found = find_in(series.counts, series.expected, false, 99);
	g_assert_cmpuint(found->len, ==, 0);
	/* Nothing reaches over what is not covered. */
	series.expected[350] = 0;
	series.counts[350] = 0;
	cut = find_in(series.counts, series.expected, false, 99);
	g_assert_cmpuint(cut->len, ==, 2);
	check(cut, 0, 300, 350);
	check(cut, 1, 351, 400);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/segments/none", test_none);
	g_test_add_func("/segments/lengths", test_lengths);
	g_test_add_func("/segments/gaps", test_gaps);
	g_test_add_func("/segments/lack", test_lack);
	g_test_add_func("/segments/limits", test_limits);
	return g_test_run();
}
