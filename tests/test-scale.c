/* SPDX-License-Identifier: MIT */
/* Scales: their ends, that they never fall, that legends and cells agree, and the percentile. */

#include "heatmap/scale.h"

#include <glib.h>
#include <stdlib.h>

static const uint64_t tops[] = { 1,
				 2,
				 3,
				 7,
				 199,
				 200,
				 201,
				 1000,
				 123457,
				 UINT64_MAX / 201,
				 1ull << 57,
				 1ull << 63,
				 UINT64_MAX - 1,
				 UINT64_MAX };

static Scale scale_of(ScaleKind kind, uint64_t top)
{
	return (Scale){ .kind = kind, .top = top, .max = top };
}

static void check_ends(ScaleKind kind)
{
	for (size_t i = 0; i < G_N_ELEMENTS(tops); i++) {
		Scale scale = scale_of(kind, tops[i]);
		g_assert_cmpuint(scale_level(&scale, 0), ==, 0);
		g_assert_cmpuint(scale_level(&scale, 1), >=, 1);
		g_assert_cmpuint(scale_level(&scale, 1), <=, SCALE_LEVELS);
		g_assert_cmpuint(scale_level(&scale, tops[i]), ==, SCALE_LEVELS);
		g_assert_cmpuint(scale_level(&scale, UINT64_MAX), ==, SCALE_LEVELS);
	}
}

static void test_ends(void)
{
	check_ends(SCALE_LINEAR);
	check_ends(SCALE_LOG);
	check_ends(SCALE_CLIP);
}

static void test_never_falls(void)
{
	for (int kind = SCALE_LINEAR; kind <= SCALE_CLIP; kind++) {
		for (size_t i = 0; i < G_N_ELEMENTS(tops); i++) {
			Scale scale = scale_of((ScaleKind)kind, tops[i]);
			uint64_t step = MAX(tops[i] / 5000, 1), value = 0;
			uint32_t previous = 0;
			for (; value < tops[i] - step; value += step) {
				g_assert_cmpuint(scale_level(&scale, value), >=, previous);
				previous = scale_level(&scale, value);
			}
		}
	}
}

/* Level n of SCALE_LEVELS ends at n / SCALE_LEVELS of the largest. */
static void test_linear(void)
{
	Scale scale = scale_of(SCALE_LINEAR, 1000);
	for (uint64_t value = 1; value <= 1000; value++)
		g_assert_cmpuint(scale_level(&scale, value), ==, (value + 4) / 5);
	scale = scale_of(SCALE_LINEAR, 4);
	g_assert_cmpuint(scale_level(&scale, 1), ==, 50);
	g_assert_cmpuint(scale_level(&scale, 3), ==, 150);
}

/* log(1 + 9) is half of log(1 + 99). */
static void test_log(void)
{
	Scale scale = scale_of(SCALE_LOG, 99);
	g_assert_cmpuint(scale_level(&scale, 8), <, SCALE_LEVELS / 2);
	g_assert_cmpuint(scale_level(&scale, 9), >=, SCALE_LEVELS / 2);
	g_assert_cmpuint(scale_level(&scale, 9), <=, SCALE_LEVELS / 2 + 1);
}

/* What a legend writes at a level is the first value that is drawn like it. */
static void test_value_inverts_level(void)
{
	for (int kind = SCALE_LINEAR; kind <= SCALE_LOG; kind++) {
		for (size_t i = 0; i < G_N_ELEMENTS(tops); i++) {
			Scale scale = scale_of((ScaleKind)kind, tops[i]);
			for (uint32_t level = 1; level <= SCALE_LEVELS; level++) {
				uint64_t value = scale_value(&scale, level);
				g_assert_cmpuint(scale_level(&scale, value), >=, level);
				if (value > 1)
					g_assert_cmpuint(scale_level(&scale, value - 1), <, level);
			}
		}
	}
}

static int compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
	return (left > right) - (left < right);
}

static uint64_t percentile(const uint64_t *cells, size_t n)
{
	g_autofree uint64_t *sorted = g_new(uint64_t, n + 1);
	size_t n_nonzero = 0;
	for (size_t i = 0; i < n; i++) {
		if (cells[i] > 0)
			sorted[n_nonzero++] = cells[i];
	}
	qsort(sorted, n_nonzero, sizeof(*sorted), compare);
	for (size_t i = 0; i < n_nonzero; i++) {
		if ((i + 1) * 100 >= n_nonzero * 99)
			return sorted[i];
	}
	return 1;
}

static void test_clip(void)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(3);
	for (uint32_t n = 1; n < 400; n += 7) {
		g_autofree uint64_t *cells = g_new(uint64_t, n);
		Heatmap map = { .n_columns = n, .n_rows = 1, .cells = cells };
		for (uint32_t i = 0; i < n; i++) {
			uint64_t bits = (uint64_t)g_rand_int(random) << 32 | g_rand_int(random);
			cells[i] = bits >> g_rand_int_range(random, 0, 64);
			if (g_rand_boolean(random))
				cells[i] = 0;
			map.max = MAX(map.max, cells[i]);
		}
		Scale scale = scale_new(SCALE_CLIP, &map);
		g_assert_cmpuint(scale.top, ==, percentile(cells, n));
		g_assert_cmpuint(scale.max, ==, map.max);
		g_assert_cmpuint(scale_level(&scale, map.max), ==, map.max > 0 ? SCALE_LEVELS : 0);
	}
}

/* One outlier takes the colours of all others away unless it is clipped. */
static void test_outlier(void)
{
	uint64_t cells[200];
	Heatmap map = { .n_columns = 200, .n_rows = 1, .cells = cells, .max = 1000 };
	for (size_t i = 0; i < 200; i++)
		cells[i] = 1 + i % 4;
	cells[17] = 1000;
	Scale linear = scale_new(SCALE_LINEAR, &map), clip = scale_new(SCALE_CLIP, &map);
	g_assert_cmpuint(scale_level(&linear, 4), ==, 1);
	g_assert_cmpuint(clip.top, ==, 4);
	g_assert_cmpuint(scale_level(&clip, 3), ==, 150);
}

static void test_empty(void)
{
	uint64_t cells[4] = { 0 };
	Heatmap map = { .n_columns = 2, .n_rows = 2, .cells = cells };
	for (int kind = SCALE_LINEAR; kind <= SCALE_CLIP; kind++) {
		Scale scale = scale_new((ScaleKind)kind, &map);
		g_assert_cmpuint(scale.top, ==, 1);
		g_assert_cmpuint(scale_level(&scale, 0), ==, 0);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/heatmap/scale/ends", test_ends);
	g_test_add_func("/heatmap/scale/never-falls", test_never_falls);
	g_test_add_func("/heatmap/scale/linear", test_linear);
	g_test_add_func("/heatmap/scale/log", test_log);
	g_test_add_func("/heatmap/scale/value-inverts-level", test_value_inverts_level);
	g_test_add_func("/heatmap/scale/clip", test_clip);
	g_test_add_func("/heatmap/scale/outlier", test_outlier);
	g_test_add_func("/heatmap/scale/empty", test_empty);
	return g_test_run();
}
