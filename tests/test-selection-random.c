/* SPDX-License-Identifier: MIT */
/*
 * Random recordings and queries: what a selection counts is what a plain loop over the samples
 * counts, and parts that tile the time add up to the whole.
 */

#include "store/selection.h"

#include "tests/store-fixture.h"

typedef struct {
	int64_t ms;
	int tid, cpu, event, leaf;
	uint64_t period;
} Row;

enum { N_ROWS = 400, MS = 5000 };

static const char *const leaves[] = { "alpha", "beta", "gamma", "do_idle" };

static Store *random_store(Row *rows)
{
	StoreBuilder *builder = store_builder_new();

	for (int i = 0; i < N_ROWS; i++) {
		rows[i] = (Row){ .ms = g_test_rand_int_range(0, MS),
				 .tid = g_test_rand_int_range(0, 4),
				 .cpu = g_test_rand_int_range(0, 4),
				 .event = g_test_rand_int_range(0, 3),
				 .leaf = g_test_rand_int_range(0, 4),
				 .period = (uint64_t)g_test_rand_int_range(0, 1000) };
		g_autofree char *line = g_strdup_printf(
			"%d.%03d %s %d/%d %d e%d %d root;%s\n", (int)(rows[i].ms / 1000),
			(int)(rows[i].ms % 1000), rows[i].tid == 0 ? "swapper" : "t", rows[i].tid,
			rows[i].tid, rows[i].cpu, rows[i].event, (int)rows[i].period,
			leaves[rows[i].leaf]);

		store_fixture_add(builder, line);
	}
	/* The earliest sample is of event 0, and at 0. */
	rows[N_ROWS] = (Row){ 0, 1, 0, 0, 0, 1 };
	store_fixture_add(builder, "0 t 1/1 0 e0 1 root;alpha\n");
	return store_fixture_finish(builder);
}

typedef struct {
	int64_t begin, end, every, phase_begin, phase_end;
	int tid, cpu, event, leaf, idle; /* -1: any */
} Wish;

static Wish random_wish(void)
{
	int64_t every = g_test_rand_int_range(1, 2000);

	return (Wish){ .begin = g_test_rand_int_range(0, MS),
		       .end = g_test_rand_int_range(0, MS + 1),
		       .every = every,
		       .phase_begin = g_test_rand_int_range(0, (gint32)every + 1),
		       .phase_end = g_test_rand_int_range(0, (gint32)every + 1),
		       .tid = g_test_rand_int_range(-1, 4),
		       .cpu = g_test_rand_int_range(-1, 4),
		       .event = g_test_rand_int_range(-1, 3),
		       .leaf = g_test_rand_int_range(-1, 4),
		       .idle = g_test_rand_int_range(0, 3) };
}

static bool wishes(const Wish *wish, const Row *row)
{
	int64_t from = MIN(wish->begin, wish->end), to = MAX(wish->begin, wish->end);
	int64_t phase = row->ms % wish->every;
	bool in_phase = wish->phase_begin <= wish->phase_end
				? phase >= wish->phase_begin && phase < wish->phase_end
				: phase >= wish->phase_begin || phase < wish->phase_end;
	bool idle = row->tid == 0 && row->leaf == 3;

	return row->ms >= from && row->ms < to && in_phase &&
	       (wish->tid < 0 || row->tid == wish->tid) &&
	       (wish->cpu < 0 || row->cpu == wish->cpu) &&
	       (wish->event < 0 || row->event == wish->event) &&
	       (wish->leaf < 0 || row->leaf == wish->leaf) &&
	       (wish->idle == IDLE_KEEP || idle == (wish->idle == IDLE_ONLY));
}

static char *words_of(const Wish *wish)
{
	static const char *const idle[] = { "drop", "keep", "only" };
	GString *words = g_string_new("weight=period");

	g_string_append_printf(words, " range=%dms..%dms every=%dms phase=%dms..%dms idle=%s",
			       (int)wish->begin, (int)wish->end, (int)wish->every,
			       (int)wish->phase_begin, (int)wish->phase_end, idle[wish->idle]);
	if (wish->event >= 0)
		g_string_append_printf(words, " event=e%d", wish->event);
	else
		g_string_append(words, " event=all");
	if (wish->tid >= 0)
		g_string_append_printf(words, " tid=%d", wish->tid);
	if (wish->cpu >= 0)
		g_string_append_printf(words, " cpu=%d", wish->cpu);
	if (wish->leaf >= 0)
		g_string_append_printf(words, " match=%s", leaves[wish->leaf]);
	return g_string_free(words, FALSE);
}

static void test_random(void)
{
	Row rows[N_ROWS + 1];

	for (int round = 0; round < 10; round++) {
		g_autoptr(Store) store = random_store(rows);

		for (int i = 0; i < 100; i++) {
			Wish wish = random_wish();
			g_autofree char *words = words_of(&wish);
			SelectionCounts counts = counts_fixture(store, words);
			uint64_t samples = 0, weight = 0;

			for (int k = 0; k <= N_ROWS; k++)
				if (wishes(&wish, &rows[k])) {
					samples++;
					weight += rows[k].period;
				}
			g_test_message("%s", words);
			g_assert_cmpuint(counts.samples, ==, samples);
			g_assert_cmpuint(counts.weight, ==, weight);
		}
	}
}

/* Ranges that tile the recording, and phases that tile a period, add up to the whole. */
static void test_tiles(void)
{
	Row rows[N_ROWS + 1];
	g_autoptr(Store) store = random_store(rows);
	uint64_t whole = counts_fixture(store, "weight=period").weight;

	for (int round = 0; round < 20; round++) {
		int step = g_test_rand_int_range(1, 900), every = g_test_rand_int_range(1, 3000000);
		uint64_t sum = 0;

		for (int ms = 0; ms < MS; ms += step) {
			g_autofree char *words = g_strdup_printf("weight=period range=%dms+%dms",
								 ms, MIN(step, MS - ms));
			sum += counts_fixture(store, words).weight;
		}
		g_assert_cmpuint(sum, ==, whole);
		sum = 0;
		for (int part = 0; part < 7; part++) {
			g_autofree char *words = g_strdup_printf(
				"weight=period every=%dus phase=%d.%03d..%d.%03d", every, 0,
				part * 1000 / 7, part == 6, part == 6 ? 0 : (part + 1) * 1000 / 7);
			sum += counts_fixture(store, words).weight;
		}
		g_assert_cmpuint(sum, ==, whole);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/selection-random/counts", test_random);
	g_test_add_func("/selection-random/tiles", test_tiles);
	return g_test_run();
}
