/* SPDX-License-Identifier: MIT */
/* heatmap/segments-split.h: segments of counts that are several. */

#include "heatmap/segments.h"

#include <glib.h>

#define N 8000

typedef struct {
	uint32_t counts[N];
	float expected[N];
	GArray *found;
} Fixture;

static void set_up(Fixture *self, gconstpointer data)
{
	self->found = g_array_new(FALSE, FALSE, sizeof(Segment));
	for (size_t i = 0; i < N; i++)
		self->expected[i] = (float)*(const double *)data;
}

static void tear_down(Fixture *self, gconstpointer data)
{
	g_array_unref(self->found);
}

static void fill(Fixture *self, size_t begin, size_t end, uint32_t count)
{
	for (size_t i = begin; i < end; i++)
		self->counts[i] = count;
}

static void search(Fixture *self)
{
	SegmentSearch search = { .counts = self->counts,
				 .expected = self->expected,
				 .n = N,
				 .min_score = segments_min_score(N, 0.005),
				 .max_length = N };

	segments_find(&search, self->found);
}

static void assert_segment(const Fixture *self, guint i, size_t begin, size_t end)
{
	const Segment *segment = &g_array_index(self->found, Segment, i);

	g_assert_cmpuint(self->found->len, >, i);
	g_assert_cmpuint(segment->begin, ==, begin);
	g_assert_cmpuint(segment->end, ==, end);
}

static void test_nothing(Fixture *self, gconstpointer data)
{
	fill(self, 0, N, 2);
	search(self);
	g_assert_cmpuint(self->found->len, ==, 0);
}

/* Five buckets of one sample each, 65 apart, and few samples between: five, not one. */
static void test_weak_beats_close_to_each_other(Fixture *self, gconstpointer data)
{
	for (size_t beat = 0; beat < 5; beat++) {
		fill(self, 1000 + 70 * beat, 1005 + 70 * beat, 1);
		self->counts[1005 + 70 * beat + 30] = 1;
	}
	search(self);
	g_assert_cmpuint(self->found->len, ==, 5);
	for (guint i = 0; i < 5; i++)
		assert_segment(self, i, 1000 + 70 * i, 1005 + 70 * i);
}

static void test_stall_in_a_long_spike(Fixture *self, gconstpointer data)
{
	fill(self, 0, N, 2);
	fill(self, 2000, 2100, 9);
	fill(self, 2050, 2053, 2);
	search(self);
	g_assert_cmpuint(self->found->len, ==, 1);
	assert_segment(self, 0, 2000, 2100);
}

static void test_steps_are_one(Fixture *self, gconstpointer data)
{
	fill(self, 0, N, 2);
	fill(self, 2000, 2030, 20);
	fill(self, 2030, 2060, 8);
	fill(self, 2060, 2090, 20);
	search(self);
	g_assert_cmpuint(self->found->len, ==, 1);
	assert_segment(self, 0, 2000, 2090);
}

/* Counts of Poisson's, of the same mean throughout: splitting is no chance more than rarely. */
static void test_noise_within_a_long_spike(Fixture *self, gconstpointer data)
{
	guint n_split = 0;

	for (guint32 seed = 0; seed < 50; seed++) {
		g_autoptr(GRand) random = g_rand_new_with_seed(seed);

		for (size_t i = 0; i < N; i++) {
			uint32_t mean = i >= 1000 && i < 7000 ? 6 : 2;

			self->counts[i] = 0;
			for (uint32_t trial = 0; trial < 50 * mean; trial++)
				self->counts[i] += g_rand_int_range(random, 0, 50) == 0;
		}
		g_array_set_size(self->found, 0);
		search(self);
		n_split += self->found->len != 1;
	}
	g_assert_cmpuint(n_split, <=, 2);
}

int main(int argc, char **argv)
{
	static const double busy = 2, quiet = 0.02;

	g_test_init(&argc, &argv, NULL);
	g_test_add("/segments-split/nothing", Fixture, &busy, set_up, test_nothing, tear_down);
	g_test_add("/segments-split/weak-beats-close-to-each-other", Fixture, &quiet, set_up,
		   test_weak_beats_close_to_each_other, tear_down);
	g_test_add("/segments-split/stall-in-a-long-spike", Fixture, &busy, set_up,
		   test_stall_in_a_long_spike, tear_down);
	g_test_add("/segments-split/steps-are-one", Fixture, &busy, set_up, test_steps_are_one,
		   tear_down);
	g_test_add("/segments-split/noise-within-a-long-spike", Fixture, &busy, set_up,
		   test_noise_within_a_long_spike, tear_down);
	return g_test_run();
}
