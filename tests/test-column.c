/* SPDX-License-Identifier: MIT */
/* Values of every width: found one by one, and many at once. */

#include "store/column.h"

#include <glib.h>

#define N 300

/* `n` values of `width` bits, each bit by itself: slow, and plainly what the header says. */
static void put_bits(uint8_t *data, uint64_t first, unsigned width, uint64_t value)
{
	for (unsigned bit = 0; bit < width; bit++)
		data[(first + bit) / 8] |= (uint8_t)((value >> bit & 1) << (first + bit) % 8);
}

static void check_width(unsigned width, GRand *random)
{
	uint64_t values[N], base = width < 64 ? g_rand_int(random) : 0;
	g_autofree uint8_t *data = g_malloc0(column_bytes(N, width) + COLUMN_PADDING);
	Column column = { data, N, base, (uint8_t)width };

	for (uint64_t i = 0; i < N; i++) {
		uint64_t any = (uint64_t)g_rand_int(random) << 32 | g_rand_int(random);

		values[i] = width > 0 ? any & column_mask((uint8_t)width) : 0;
		put_bits(data, i * width, width, values[i]);
	}
	for (uint64_t i = 0; i < N; i++)
		g_assert_cmpuint(column_get(&column, i), ==, base + values[i]);
	for (uint64_t first = 0; first < 20; first++) {
		uint32_t many[N];

		column_unpack(&column, first, N - first, many);
		for (uint64_t i = first; i < N; i++)
			g_assert_cmpuint(many[i - first], ==, (uint32_t)(base + values[i]));
	}
}

static void test_widths(void)
{
	g_autoptr(GRand) random = g_rand_new_with_seed(1);

	for (unsigned width = 0; width <= 64; width++)
		if (column_width_is_valid(width))
			check_width(width, random);
	for (unsigned width = COLUMN_MAX_PACKED + 1; width < 64; width++)
		g_assert_false(column_width_is_valid(width));
	g_assert_false(column_width_is_valid(65));
	g_assert_false(column_width_is_valid(UINT64_MAX));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/column/widths", test_widths);
	return g_test_run();
}
