/* SPDX-License-Identifier: MIT */
/*
 * Stores as bytes: what is written is read back the same; whatever was changed afterwards is
 * found; and stores whose checksums are right, but whose contents are nonsense, are refused, or
 * fail when walked, and are never read out of bounds (the sanitizers are watching).
 */

#include "store/store-file.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <glib/gstdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/append.h"
#include "store/error.h"
#include "store/store-layout.h"
#include "tests/store-fixture.h"

static const char *const small =
	"1.25     java    10/10 0 cycles:P 100 main;work (/bin/x);memcpy (/lib/libc.so)\n"
	"1.250001 java    10/11 1 cycles:P 120 main;work (/bin/x)\n"
	"1.9      swapper 0/0   3 cycles:P 90  do_idle ([kernel.kallsyms]);intel_idle\n"
	"2.75     java    10/10 - faults   -   main;@1f (/lib/libc.so)\n"
	"9        :-1     10/-1 0 faults   1   main;f (inlined)\n"
	"-        java    10/10 0 cycles:P 7   main\n";

static void check_damaged(const GError *error)
{
	g_assert_error(error, FLAMEBEAT_ERROR, FLAMEBEAT_ERROR_DAMAGED);
}

static GByteArray *bytes_of(const Store *store)
{
	char *data = NULL;
	size_t n = 0;
	g_autoptr(GError) error = NULL;
	FILE *out = open_memstream(&data, &n);

	g_assert_true(store_write(store, out, &error));
	g_assert_no_error(error);
	g_assert_cmpint(ferror(out), ==, 0);
	fclose(out);
	GByteArray *bytes = g_byte_array_sized_new((guint)n);
	g_byte_array_append(bytes, (const guint8 *)data, (guint)n);
	free(data);
	return bytes;
}

static GByteArray *small_bytes(void)
{
	g_autoptr(Store) store = store_fixture_new(small);

	return bytes_of(store);
}

/* A copy of exactly `n` bytes: reading past them is an error of the sanitizer's. */
static Store *open_copy(const guint8 *data, size_t n, GError **error)
{
	g_autoptr(GBytes) bytes = g_bytes_new(data, n);

	return store_open_bytes(bytes, "test.beat", error);
}

static Store *open_array(const GByteArray *bytes, GError **error)
{
	return open_copy(bytes->data, bytes->len, error);
}

/* --- walking ----------------------------------------------------------------------------- */

/* Samples a walk looks at: a store of few bytes can have billions that are all the same. */
#define WALK_LIMIT 20000

static bool walk_selection(const Store *store, const char *words, GError **error)
{
	g_auto(Query) query;
	g_autofree SampleBlock *block = g_new(SampleBlock, 1);
	uint64_t n = 0;

	query_init(&query);
	query_fixture(&query, words);
	g_autoptr(Selection) selection = selection_new(store, &query, NULL, error);
	if (selection == NULL)
		return false;
	do {
		if (!selection_next(selection, block, error))
			return false;
		for (size_t i = 0; i < block->n; i++) {
			g_assert_cmpuint(block->stack[i], <, store_n_stacks(store));
			g_assert_cmpuint(block->thread[i], <, store_n_threads(store));
		}
		n += block->n;
	} while (block->n > 0 && n < WALK_LIMIT);
	return true;
}

/* Every byte of every text, so that none of them lies outside. */
static unsigned sum_text(Text text)
{
	unsigned sum = 0;

	for (size_t i = 0; i < text.len; i++)
		sum += (unsigned char)text.data[i];
	return sum;
}

static unsigned walk_tables(const Store *store)
{
	unsigned sum = 0;

	for (uint32_t i = 0; i < store_n_frames(store); i++)
		sum += sum_text(store_frame(store, i).symbol) + sum_text(store_frame(store, i).dso);
	for (uint32_t i = 0; i < store_n_threads(store); i++)
		sum += sum_text(store_thread(store, i).comm);
	for (uint32_t i = 0; i < store_n_events(store); i++)
		sum += sum_text(store_event_name(store, i));
	for (uint32_t i = 0; i < store_n_facts(store); i++)
		sum += sum_text(store_fact_key(store, i)) + sum_text(store_fact_value(store, i));
	for (uint32_t i = 1; i < store_n_stacks(store); i++) {
		g_assert_cmpuint(store_stack_parent(store, i), <, i);
		g_assert_cmpuint(store_stack_frame(store, i), <, store_n_frames(store));
	}
	return sum;
}

/* As part of a recording of several inputs. */
static bool walk_append(const Store *store, GError **error)
{
	g_autoptr(StoreBuilder) builder = store_builder_new();

	if (store->n_samples > WALK_LIMIT)
		return true;
	if (!store_append(builder, store, 0, error))
		return false;
	g_autoptr(Store) copy = store_builder_finish(builder, NULL);
	g_assert_nonnull(copy);
	g_assert_cmpuint(copy->n_samples, ==, store->n_samples);
	return true;
}

/* Looks at everything that commands look at. */
static bool walk(const Store *store, GError **error)
{
	static const char *const queries[] = { "event=all idle=keep", "weight=period",
					       "range=0.2..-0.5 match=a",
					       "every=300ms phase=0..0.5",
					       "cpu=0-7 idle=only zero=first" };

	walk_tables(store);
	if (!walk_append(store, error))
		return false;
	for (size_t i = 0; i < G_N_ELEMENTS(queries); i++) {
		g_autoptr(GError) cause = NULL;

		if (walk_selection(store, queries[i], &cause))
			continue;
		/* "There is no time" is an answer, and no damage. */
		if (!g_error_matches(cause, FLAMEBEAT_ERROR, FLAMEBEAT_ERROR_DAMAGED))
			continue;
		g_propagate_error(error, g_steal_pointer(&cause));
		return false;
	}
	return true;
}

/* --- there and back ---------------------------------------------------------------------- */

static void check_same_texts(const Store *a, const Store *b)
{
	g_assert_cmpuint(store_n_frames(a), ==, store_n_frames(b));
	for (uint32_t i = 0; i < store_n_frames(a); i++) {
		StoreFrame x = store_frame(a, i), y = store_frame(b, i);

		g_assert_true(text_equal(x.symbol, y.symbol) && text_equal(x.dso, y.dso));
		g_assert_true(x.address == y.address && x.flags == y.flags);
	}
	g_assert_cmpuint(store_n_threads(a), ==, store_n_threads(b));
	for (uint32_t i = 0; i < store_n_threads(a); i++) {
		StoreThread x = store_thread(a, i), y = store_thread(b, i);

		g_assert_true(text_equal(x.comm, y.comm) && x.pid == y.pid && x.tid == y.tid);
	}
	g_assert_cmpuint(store_n_events(a), ==, store_n_events(b));
	for (uint32_t i = 0; i < store_n_events(a); i++)
		g_assert_true(text_equal(store_event_name(a, i), store_event_name(b, i)));
	g_assert_cmpuint(store_n_facts(a), ==, store_n_facts(b));
	for (uint32_t i = 0; i < store_n_facts(a); i++) {
		g_assert_true(text_equal(store_fact_key(a, i), store_fact_key(b, i)));
		g_assert_true(text_equal(store_fact_value(a, i), store_fact_value(b, i)));
	}
}

static void check_same(const Store *a, const Store *b)
{
	g_assert_cmpuint(a->n_samples, ==, b->n_samples);
	g_assert_cmpuint(a->n_timed, ==, b->n_timed);
	g_assert_cmpint(store_start_ns(a), ==, store_start_ns(b));
	g_assert_cmpint(store_last_ns(a), ==, store_last_ns(b));
	g_assert_cmpint(a->tick_ns, ==, b->tick_ns);
	g_assert_cmpuint(a->n_buckets, ==, b->n_buckets);
	for (uint64_t i = 0; i < a->n_timed; i++)
		g_assert_cmpint(store_time_ns(a, i, store_bucket_of(a, i)), ==,
				store_time_ns(b, i, store_bucket_of(b, i)));
	for (int section = 0; section < N_SECTIONS; section++) {
		const Column *x = &a->columns[section], *y = &b->columns[section];

		g_assert_cmpuint(x->n, ==, y->n);
		g_assert_cmpuint(x->width, ==, y->width);
		for (uint64_t i = 0; i < x->n; i++)
			g_assert_cmpuint(column_get(x, i), ==, column_get(y, i));
	}
	check_same_texts(a, b);
}

static void check_round_trip(const char *lines)
{
	g_autoptr(Store) store = store_fixture_new(lines);
	g_autoptr(GByteArray) bytes = bytes_of(store);
	g_autoptr(GError) error = NULL;
	g_autoptr(Store) opened = open_array(bytes, &error);

	g_assert_no_error(error);
	check_same(store, opened);
	g_assert_true(store_verify(opened, &error));
	g_assert_true(walk(opened, &error));
	g_assert_no_error(error);
	/* What was opened is written as it was. */
	g_autoptr(GByteArray) again = bytes_of(opened);
	g_assert_cmpmem(again->data, again->len, bytes->data, bytes->len);
}

static void test_round_trip(void)
{
	check_round_trip(small);
	check_round_trip("");
	check_round_trip("- a 1/1 0 c -\n");
	check_round_trip("-5 a 1/1 0 c 1 f\n");
	check_round_trip("1 a 1/1 0 c 18446744073709551614 f\n2 a 1/1 0 c 0 f\n");
}

/* Times up to the last that 64 bits hold: whether they are kept as such or not, what was written
 * can be opened. */
static void test_far_times(void)
{
	check_round_trip("1 a 1/1 0 c 1 f\n9223372035.5 a 1/1 0 c 1 f\n");
	check_round_trip("1 a 1/1 0 c 1 f\n9223372036.854775 a 1/1 0 c 1 f\n");
	check_round_trip("9223372036.854775807 a 1/1 0 c 1 f\n");
}

static void test_path(void)
{
	g_autoptr(GByteArray) bytes = small_bytes();
	g_autoptr(GError) error = NULL;
	g_autofree char *folder = g_dir_make_tmp("flamebeat-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(folder, "a.beat", NULL);

	g_assert_true(g_file_set_contents(path, (const char *)bytes->data, bytes->len, NULL));
	g_autoptr(Store) opened = store_open(path, &error);
	g_assert_no_error(error);
	g_autoptr(Store) store = store_fixture_new(small);
	check_same(store, opened);

	g_assert_true(g_file_set_contents(path, "", 0, NULL));
	g_assert_null(store_open(path, &error));
	g_assert_nonnull(strstr(error->message, path));
	g_clear_error(&error);
	g_unlink(path);
	g_assert_null(store_open(path, &error));
	g_assert_error(error, FLAMEBEAT_ERROR, FLAMEBEAT_ERROR_FAILED);
	g_clear_error(&error);
	g_assert_null(store_open(folder, &error));
	g_assert_nonnull(error);
	g_rmdir(folder);
}

/* Random stores, so that every width and many shapes have been there. */
static void test_round_trip_random(void)
{
	for (int round = 0; round < 60; round++) {
		g_autoptr(GString) lines = g_string_new(NULL);
		int n = g_test_rand_int_range(0, 60);
		int64_t spread = (int64_t)1 << g_test_rand_int_range(0, 31);

		for (int i = 0; i < n; i++)
			g_string_append_printf(
				lines, "%d.%09d t%d %d/%d %d e%d %" G_GUINT64_FORMAT " f%d;f%d\n",
				(int)(g_test_rand_int_range(0, G_MAXINT32) % spread),
				g_test_rand_int_range(0, 1000000) *
					(round % 2 ? 1000 : g_test_rand_int_range(1, 999)),
				i % 5, i % 3, i, g_test_rand_int_range(0, 1 << (round % 20 + 1)),
				i % 3,
				(uint64_t)g_test_rand_int_range(0, G_MAXINT32) << (round % 33),
				i % 7, i % 11);
		check_round_trip(lines->str);
	}
}

/* --- changed afterwards ------------------------------------------------------------------ */

static void test_every_truncation(void)
{
	g_autoptr(GByteArray) bytes = small_bytes();

	for (guint n = 0; n < bytes->len; n++) {
		g_autoptr(GError) error = NULL;

		g_assert_null(open_copy(bytes->data, n, &error));
		check_damaged(error);
	}
}

static void test_longer(void)
{
	g_autoptr(GByteArray) bytes = small_bytes();
	g_autoptr(GError) error = NULL;
	guint n = bytes->len;

	g_byte_array_set_size(bytes, n + 8);
	memset(bytes->data + n, 0, 8);
	for (guint more = 1; more <= 8; more++) {
		g_assert_null(open_copy(bytes->data, n + more, &error));
		check_damaged(error);
		g_clear_error(&error);
	}
}

/* Opening finds it, or verifying does; and no walk gives a result without either. */
static void test_every_byte(void)
{
	static const guint8 changes[] = { 0x01, 0x80, 0xff };
	g_autoptr(GByteArray) bytes = small_bytes();

	for (guint i = 0; i < bytes->len * G_N_ELEMENTS(changes); i++) {
		guint8 *byte = &bytes->data[i / G_N_ELEMENTS(changes)];
		guint8 before = *byte;
		g_autoptr(GError) error = NULL;

		*byte ^= changes[i % G_N_ELEMENTS(changes)];
		g_autoptr(Store) store = open_array(bytes, &error);
		*byte = before;
		if (store != NULL && store_verify(store, &error))
			g_error("a change of byte %ti was not found", byte - bytes->data);
		check_damaged(error);
		if (store != NULL) {
			g_autoptr(GError) walk_error = NULL;
			FILE *out = fopen("/dev/null", "w");

			g_assert_false(store_write(store, out, &walk_error));
			fclose(out);
			check_damaged(walk_error);
		}
	}
}

/* Reading touches: a walk over all samples meets every changed byte of their columns. */
static void test_walk_meets_changes(void)
{
	g_autoptr(GByteArray) bytes = small_bytes();
	const StoreSectionEntry *entries =
		(const StoreSectionEntry *)(bytes->data + sizeof(StoreHeader));

	for (int section = SECTION_TIME; section <= SECTION_PERIOD; section++) {
		g_autoptr(GError) error = NULL, append_error = NULL;
		uint64_t at = entries[section].offset;

		g_assert_cmpuint(entries[section].width, >, 0);
		bytes->data[at] ^= 1;
		g_autoptr(Store) store = open_array(bytes, &error);
		bytes->data[at] ^= 1;
		g_assert_no_error(error);
		g_assert_false(walk(store, &error));
		check_damaged(error);
		g_assert_nonnull(strstr(error->message, store_section_name((StoreSection)section)));
		g_autoptr(StoreBuilder) builder = store_builder_new();
		g_assert_false(store_append(builder, store, 0, &append_error));
		check_damaged(append_error);
	}
}

/* --- blocks ------------------------------------------------------------------------------ */

/* 300,000 samples whose stacks take 4 bytes each: that column is two blocks. */
#define N_MANY 300000

static GByteArray *large_bytes(void)
{
	StoreBuilder *builder = store_builder_new();
	const StoreThread thread = { TEXT("a"), 1, 1 };
	const StoreFrame f = { TEXT("f"), TEXT(""), 0, 0, TEXT("") };
	uint32_t frame = store_builder_frame(builder, &f), stack = 0;
	Sample sample = { .thread = store_builder_thread(builder, &thread), .cpu = ID_NONE };

	sample.event = store_builder_event(builder, TEXT("c"));
	for (int i = 0; i < 70000; i++) /* more than 2 bytes count: 3 each */
		stack = store_builder_stack(builder, stack, frame);
	for (int i = 0; i < N_MANY; i++) {
		sample.time_ns = (int64_t)i * 10 * NS_PER_MS;
		sample.stack = i % 2 ? stack : 0;
		/* Periods of 4 bytes. */
		sample.has_period = true;
		sample.period = i % 2 ? 1u << 31 : 0;
		g_assert_true(store_builder_add(builder, &sample));
	}
	g_autoptr(Store) store = store_fixture_finish(builder);
	return bytes_of(store);
}

static void test_blocks(void)
{
	g_autoptr(GByteArray) bytes = large_bytes();
	const StoreSectionEntry *entry =
		(const StoreSectionEntry *)(bytes->data + sizeof(StoreHeader)) + SECTION_PERIOD;
	uint64_t per_block = STORE_BLOCK * 8ull / entry->width;
	g_autoptr(GError) error = NULL;

	g_assert_cmpuint(column_bytes(entry->n, entry->width), >, STORE_BLOCK);
	bytes->data[entry->offset + STORE_BLOCK + 100] ^= 0x10; /* in the second block */
	g_autoptr(Store) store = open_array(bytes, &error);
	g_assert_no_error(error);
	g_assert_true(store_touch(store, SECTION_PERIOD, 0, per_block, &error));
	g_assert_true(store_touch(store, SECTION_PERIOD, per_block - 1, 1, &error));
	g_assert_true(store_touch(store, SECTION_PERIOD, per_block + 5, 0, &error));
	g_assert_no_error(error);
	g_assert_false(store_touch(store, SECTION_PERIOD, per_block - 1, 2, &error));
	check_damaged(error);
	g_clear_error(&error);
	g_assert_false(store_touch(store, SECTION_PERIOD, N_MANY - 1, 1, &error));
	check_damaged(error);
	g_clear_error(&error);
	/* It is not forgotten: asking again gives the same answer. */
	g_assert_false(store_touch(store, SECTION_PERIOD, N_MANY - 1, 1, &error));
	g_clear_error(&error);
	g_assert_true(store_touch(store, SECTION_TIME, 0, N_MANY, &error));
	g_assert_no_error(error);
}

/* What lies before the damage can still be used, as nothing of it was read. */
static void test_blocks_by_range(void)
{
	g_autoptr(GByteArray) bytes = large_bytes();
	const StoreSectionEntry *entry =
		(const StoreSectionEntry *)(bytes->data + sizeof(StoreHeader)) + SECTION_PERIOD;
	g_autoptr(GError) error = NULL;

	bytes->data[entry->offset + STORE_BLOCK + 100] ^= 0x10;
	g_autoptr(Store) store = open_array(bytes, &error);
	g_assert_true(walk_selection(store, "range=0..10", &error));
	g_assert_no_error(error);
	/* Nor is a column that has no say. */
	g_assert_true(walk_selection(store, "range=2990..2995", &error));
	g_assert_no_error(error);
	g_assert_false(walk_selection(store, "range=2990..2995 weight=period", &error));
	check_damaged(error);
}

/* --- right checksums, wrong contents ----------------------------------------------------- */

static StoreHeader *header_of(GByteArray *bytes)
{
	return (StoreHeader *)bytes->data;
}

static StoreSectionEntry *entry_of(GByteArray *bytes, int section)
{
	return (StoreSectionEntry *)(bytes->data + sizeof(StoreHeader)) + section;
}

static StoreBucket *buckets_of(GByteArray *bytes)
{
	return (StoreBucket *)(bytes->data + sizeof(StoreHeader) +
			       N_SECTIONS * sizeof(StoreSectionEntry) +
			       header_of(bytes)->n_blocks * sizeof(uint64_t));
}

/* Computes the checksums anew, as store-layout.h describes them, as far as the bytes reach. */
static void reseal(GByteArray *bytes)
{
	StoreHeader *header = header_of(bytes);
	uint64_t *sums = (uint64_t *)(bytes->data + sizeof(*header) +
				      N_SECTIONS * sizeof(StoreSectionEntry));
	uint64_t k = 0, n_index = MIN(header->index_bytes, bytes->len - sizeof(*header));

	for (int i = 0; i < N_SECTIONS; i++) {
		const StoreSectionEntry *entry = entry_of(bytes, i);
		uint64_t n;

		if (__builtin_mul_overflow(entry->n, entry->width, &n) || n / 8 > bytes->len ||
		    entry->offset > bytes->len ||
		    store_section_bytes(entry->n, entry->width) > bytes->len - entry->offset)
			break;
		n = store_section_bytes(entry->n, entry->width);
		for (uint64_t begin = 0; begin < n && k < header->n_blocks; begin += STORE_BLOCK) {
			if ((uint8_t *)&sums[k + 1] > bytes->data + bytes->len)
				break;
			sums[k++] = XXH3_64bits(bytes->data + entry->offset + begin,
						MIN(STORE_BLOCK, n - begin));
		}
	}
	header->checksum = 0;
	header->checksum = XXH3_64bits(bytes->data, sizeof(*header) + n_index);
}

/* The test's own sealing is right: it changes nothing of what the program wrote. */
static void test_reseal(void)
{
	g_autoptr(GByteArray) bytes = small_bytes(), again = small_bytes();

	reseal(again);
	g_assert_cmpmem(bytes->data, bytes->len, again->data, again->len);
}

/* Refused when opened, or damaged when walked. */
static void check_refused(GByteArray *bytes, const char *what)
{
	g_autoptr(GError) error = NULL;

	reseal(bytes);
	g_autoptr(Store) store = open_array(bytes, &error);
	if (store != NULL && walk(store, &error))
		g_error("%s: taken for a good store", what);
	check_damaged(error);
}

/* Sets value `i` of a section; where it does not fit the bits of a value, all of them grow. */
static void poke(GByteArray *bytes, int section, uint64_t i, uint64_t raw)
{
	StoreSectionEntry *entry = entry_of(bytes, section);
	uint64_t fitting = MIN(raw, column_mask((uint8_t)entry->width));

	g_assert_cmpuint(entry->width, >, 0);
	g_assert_cmpuint(i, <, entry->n);
	entry->base += raw - fitting;
	for (uint64_t bit = 0; bit < entry->width; bit++) {
		uint64_t at = i * entry->width + bit;
		uint8_t *byte = &bytes->data[entry->offset + at / 8];

		*byte = (uint8_t)((*byte & ~(1u << at % 8)) | (fitting >> bit & 1) << at % 8);
	}
}

/* Ids that are not there, one past the last and far away, in every column that holds ids. */
static void test_ids_out_of_range(void)
{
	static const int sections[] = {
		SECTION_STACK,	    SECTION_THREAD,	  SECTION_EVENT,       SECTION_FRAME_SYMBOL,
		SECTION_FRAME_DSO,  SECTION_STACK_PARENT, SECTION_STACK_FRAME, SECTION_THREAD_COMM,
		SECTION_EVENT_NAME, SECTION_FACT_KEY,	  SECTION_FACT_VALUE,
	};

	for (size_t i = 0; i < G_N_ELEMENTS(sections); i++) {
		g_autoptr(GByteArray) far = small_bytes(), bases = small_bytes();
		const char *name = store_section_name((StoreSection)sections[i]);

		poke(far, sections[i], entry_of(far, sections[i])->n - 1, UINT64_MAX);
		check_refused(far, name);
		entry_of(bases, sections[i])->base = UINT64_MAX - 3;
		check_refused(bases, name);
	}
}

/* The first id that is not there. */
static void test_ids_just_out_of_range(void)
{
	static const int columns[][2] = {
		{ SECTION_STACK, SECTION_STACK_PARENT },
		{ SECTION_THREAD, SECTION_THREAD_COMM },
		{ SECTION_EVENT, SECTION_EVENT_NAME },
		{ SECTION_STACK_FRAME, SECTION_FRAME_SYMBOL },
		{ SECTION_FRAME_SYMBOL, SECTION_STRING_OFFSET },
		{ SECTION_THREAD_COMM, SECTION_STRING_OFFSET },
		{ SECTION_FACT_VALUE, SECTION_STRING_OFFSET },
	};

	for (size_t i = 0; i < G_N_ELEMENTS(columns); i++) {
		g_autoptr(GByteArray) bytes = small_bytes();
		const StoreSectionEntry *entry = entry_of(bytes, columns[i][0]);
		uint64_t n = entry_of(bytes, columns[i][1])->n;

		/* Of strings there is one less than there are offsets. */
		n -= columns[i][1] == SECTION_STRING_OFFSET;
		poke(bytes, columns[i][0], entry->n - 1, n - entry->base);
		check_refused(bytes, store_section_name((StoreSection)columns[i][0]));
	}
}

/* Nothing has a cgroup here: the column has no bytes, and one value for all. */
static void test_cgroup_out_of_range(void)
{
	g_autoptr(GByteArray) bytes = small_bytes();

	g_assert_cmpuint(entry_of(bytes, SECTION_CGROUP)->width, ==, 0);
	entry_of(bytes, SECTION_CGROUP)->base = entry_of(bytes, SECTION_STRING_OFFSET)->n - 1;
	check_refused(bytes, "a cgroup that is no string");
}

/* A parent must be below: a stack that is its own parent would be walked for ever. */
static void test_parents(void)
{
	g_autoptr(GByteArray) own = small_bytes(), above = small_bytes(), root = small_bytes();

	poke(own, SECTION_STACK_PARENT, 2, 2 - entry_of(own, SECTION_STACK_PARENT)->base);
	check_refused(own, "a stack that is its own parent");
	poke(above, SECTION_STACK_PARENT, 1, 3 - entry_of(above, SECTION_STACK_PARENT)->base);
	check_refused(above, "a parent above its stack");
	poke(root, SECTION_STACK_PARENT, 0, 1 - entry_of(root, SECTION_STACK_PARENT)->base);
	check_refused(root, "an empty stack with a parent");
}

static void test_string_offsets(void)
{
	g_autoptr(GByteArray) down = small_bytes(), beyond = small_bytes(), first = small_bytes();
	uint64_t n = entry_of(beyond, SECTION_STRING_OFFSET)->n;
	uint64_t n_bytes = entry_of(beyond, SECTION_STRING_BYTES)->n;

	poke(down, SECTION_STRING_OFFSET, 3, 0);
	check_refused(down, "a string that ends before it begins");
	poke(beyond, SECTION_STRING_OFFSET, n - 1, n_bytes + 1);
	check_refused(beyond, "a string that ends beyond the bytes");
	poke(first, SECTION_STRING_OFFSET, 0, 1);
	check_refused(first, "strings that do not begin at 0");
}

/* Widths, lengths and places that do not fit. */
static void test_shapes(void)
{
	for (int section = 0; section < N_SECTIONS; section++) {
		g_autoptr(GByteArray) wide = small_bytes(), narrow = small_bytes();
		g_autoptr(GByteArray) more = small_bytes(), most = small_bytes();
		g_autoptr(GByteArray) fewer = small_bytes(), moved = small_bytes();
		const char *name = store_section_name((StoreSection)section);

		entry_of(wide, section)->width = 58;
		check_refused(wide, name);
		entry_of(narrow, section)->width = UINT64_MAX;
		check_refused(narrow, name);
		entry_of(more, section)->n++;
		/* Bytes of no string, an event of no sample: they harm nobody. */
		if (section != SECTION_STRING_BYTES && section != SECTION_EVENT_NAME)
			check_refused(more, name);
		entry_of(most, section)->n = UINT64_MAX / 8;
		check_refused(most, name);
		entry_of(fewer, section)->n--;
		check_refused(fewer, name);
		entry_of(moved, section)->offset += 8;
		check_refused(moved, name);
	}
}

static void test_huge_counts(void)
{
	static const uint64_t counts[] = { 7, 1u << 31, UINT32_MAX, (uint64_t)1 << 32, UINT64_MAX };

	for (size_t i = 0; i < G_N_ELEMENTS(counts); i++) {
		g_autoptr(GByteArray) samples = small_bytes(), timed = small_bytes();
		g_autoptr(GByteArray) buckets = small_bytes(), blocks = small_bytes();
		g_autoptr(GByteArray) index = small_bytes(), file = small_bytes();

		header_of(samples)->n_samples = counts[i];
		check_refused(samples, "n_samples");
		header_of(timed)->n_timed = counts[i];
		check_refused(timed, "n_timed");
		header_of(buckets)->n_buckets = counts[i];
		check_refused(buckets, "n_buckets");
		header_of(blocks)->n_blocks = counts[i];
		check_refused(blocks, "n_blocks");
		header_of(index)->index_bytes = counts[i];
		check_refused(index, "index_bytes");
		header_of(file)->file_bytes = counts[i];
		check_refused(file, "file_bytes");
	}
}

/* More rows than the file has bytes, all the same: nothing may be reserved for them. */
static void test_constant_tables(void)
{
	static const int tables[][2] = { { SECTION_EVENT_NAME, SECTION_EVENT_NAME },
					 { SECTION_THREAD_COMM, SECTION_THREAD_TID },
					 { SECTION_FRAME_SYMBOL, SECTION_FRAME_FLAGS } };

	for (size_t i = 0; i < G_N_ELEMENTS(tables); i++) {
		g_autoptr(Store) store = store_fixture_new("1 a 1/1 0 c 1 f\n");
		g_autoptr(GByteArray) bytes = bytes_of(store);

		for (int section = tables[i][0]; section <= tables[i][1]; section++) {
			g_assert_cmpuint(entry_of(bytes, section)->width, ==, 0);
			entry_of(bytes, section)->n = UINT32_MAX;
		}
		check_refused(bytes, "4 billion equal rows");
	}
}

static void test_buckets(void)
{
	static const int64_t numbers[] = { INT64_MAX, INT64_MIN, INT64_MAX / 500000000 + 1 };

	for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++) {
		g_autoptr(GByteArray) bytes = small_bytes();

		buckets_of(bytes)[numbers[i] < 0 ? 0 : header_of(bytes)->n_buckets - 1].number =
			numbers[i];
		check_refused(bytes, "a bucket at the end of time");
	}
	g_autoptr(GByteArray) first = small_bytes(), beyond = small_bytes(), order = small_bytes();
	buckets_of(first)[0].first = 1;
	check_refused(first, "samples before the first bucket");
	buckets_of(beyond)[1].first = 1000;
	check_refused(beyond, "a bucket beyond the samples");
	buckets_of(order)[1].number = buckets_of(order)[0].number;
	check_refused(order, "two buckets of one number");
}

static void test_header_fields(void)
{
	g_autoptr(GByteArray) newer = small_bytes(), older = small_bytes();
	g_autoptr(GByteArray) length = small_bytes(), negative = small_bytes();
	g_autoptr(GByteArray) tick = small_bytes(), reversed = small_bytes();
	g_autoptr(GError) error = NULL;

	header_of(older)->version = 0;
	check_refused(older, "version 0");
	header_of(length)->bucket_ns = 0;
	check_refused(length, "buckets of no length");
	header_of(negative)->bucket_ns = -500000000;
	check_refused(negative, "buckets of negative length");
	header_of(tick)->tick_ns = 0;
	check_refused(tick, "ticks of no length");
	header_of(reversed)->start_ns = header_of(reversed)->last_ns + 1;
	check_refused(reversed, "a start after the end");
	/* A newer version is said to be one. */
	header_of(newer)->version = STORE_VERSION + 1;
	reseal(newer);
	g_assert_null(open_array(newer, &error));
	check_damaged(error);
	g_assert_nonnull(strstr(error->message, "newer"));
}

/* Seals, opens and walks; whatever comes of it. */
static void try_out(GByteArray *bytes)
{
	g_autoptr(GError) error = NULL;

	reseal(bytes);
	g_autoptr(Store) store = open_array(bytes, &error);
	if (store != NULL && walk(store, &error))
		return;
	check_damaged(error);
}

/* Times beyond the bucket and the recording, and beyond what 64 bits hold. */
static void test_times(void)
{
	static const uint64_t bases[] = { 1000000, INT64_MAX, UINT64_MAX, INT64_MAX / 1000 };
	g_autoptr(GByteArray) wraps = small_bytes();

	for (size_t i = 0; i < G_N_ELEMENTS(bases); i++) {
		g_autoptr(GByteArray) bytes = small_bytes();

		entry_of(bytes, SECTION_TIME)->base = bases[i];
		check_refused(bytes, "times beyond the recording");
	}
	entry_of(wraps, SECTION_TIME)->base = (uint64_t)1 << 62; /* times 1000 it is 0 again */
	try_out(wraps);
}

static void test_tick(void)
{
	static const int64_t ticks[] = { INT64_MAX, (int64_t)1 << 50, -1 };

	for (size_t i = 0; i < G_N_ELEMENTS(ticks); i++) {
		g_autoptr(GByteArray) bytes = small_bytes();

		header_of(bytes)->tick_ns = ticks[i];
		check_refused(bytes, "a tick of years");
	}
}

/* Ends of the recording at the ends of the clock: an answer or an error, no overflow. */
static void test_ends_of_the_clock(void)
{
	static const int64_t ends[][2] = { { INT64_MIN, INT64_MAX },
					   { 0, INT64_MAX },
					   { INT64_MIN, 0 },
					   { INT64_MIN, INT64_MIN },
					   { INT64_MAX, INT64_MAX } };

	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		g_autoptr(GByteArray) bytes = small_bytes();

		header_of(bytes)->start_ns = ends[i][0];
		header_of(bytes)->last_ns = ends[i][1];
		try_out(bytes);
	}
}

/* CPU numbers of more than 31 bits are no CPUs. */
static void test_cpus(void)
{
	static const uint64_t bases[] = { (uint64_t)1 << 31, (uint64_t)1 << 32, UINT64_MAX };

	for (size_t i = 0; i < G_N_ELEMENTS(bases); i++) {
		g_autoptr(GByteArray) bytes = small_bytes();

		entry_of(bytes, SECTION_CPU)->base = bases[i];
		try_out(bytes);
	}
}

/* --- any bytes --------------------------------------------------------------------------- */

/* Numbers that break arithmetic, or any. */
static uint64_t odd_number(void)
{
	static const uint64_t odd[] = { 0,	    1,	       2,	   3,	       7,
					8,	    9,	       255,	   256,	       INT32_MAX,
					UINT32_MAX, INT64_MAX, UINT64_MAX, 1ull << 31, 1ull << 32,
					1ull << 62, 1ull << 63 };

	if (g_test_rand_bit())
		return odd[g_test_rand_int_range(0, G_N_ELEMENTS(odd))];
	return (uint64_t)g_test_rand_int() << 32 | (uint32_t)g_test_rand_int();
}

/* Anywhere in header, index and sections, sealed again: an answer or an error, nothing else. */
static void test_random_changes(void)
{
	g_autoptr(GByteArray) good = small_bytes();

	for (int round = 0; round < 8000; round++) {
		g_autoptr(GByteArray) bytes = g_byte_array_sized_new(good->len);

		g_byte_array_append(bytes, good->data, good->len);
		for (int i = g_test_rand_int_range(1, 4); i > 0; i--) {
			uint64_t number = odd_number();
			guint at = (guint)g_test_rand_int_range(1, (gint32)good->len / 8) * 8;
			guint n = g_test_rand_bit() ? 8 : (guint)g_test_rand_int_range(1, 8);

			memcpy(bytes->data + at, &number, MIN(n, bytes->len - at));
		}
		try_out(bytes);
	}
}

/* No bytes of ours at all. */
static void test_random_bytes(void)
{
	for (int round = 0; round < 3000; round++) {
		guint8 bytes[1024];
		size_t n = (size_t)g_test_rand_int_range(0, sizeof(bytes));
		g_autoptr(GError) error = NULL;

		for (size_t i = 0; i < n; i++)
			bytes[i] = (guint8)g_test_rand_int();
		if (n >= STORE_MAGIC_LEN)
			memcpy(bytes, STORE_MAGIC, STORE_MAGIC_LEN);
		g_assert_null(open_copy(bytes, n, &error));
		check_damaged(error);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/store-file/round-trip", test_round_trip);
	g_test_add_func("/store-file/round-trip/far-times", test_far_times);
	g_test_add_func("/store-file/round-trip/path", test_path);
	g_test_add_func("/store-file/round-trip/random", test_round_trip_random);
	g_test_add_func("/store-file/changed/truncated", test_every_truncation);
	g_test_add_func("/store-file/changed/longer", test_longer);
	g_test_add_func("/store-file/changed/every-byte", test_every_byte);
	g_test_add_func("/store-file/changed/walk", test_walk_meets_changes);
	g_test_add_func("/store-file/blocks", test_blocks);
	g_test_add_func("/store-file/blocks/by-range", test_blocks_by_range);
	g_test_add_func("/store-file/crafted/reseal", test_reseal);
	g_test_add_func("/store-file/crafted/ids", test_ids_out_of_range);
	g_test_add_func("/store-file/crafted/ids-just", test_ids_just_out_of_range);
	g_test_add_func("/store-file/crafted/cgroup", test_cgroup_out_of_range);
	g_test_add_func("/store-file/crafted/parents", test_parents);
	g_test_add_func("/store-file/crafted/string-offsets", test_string_offsets);
	g_test_add_func("/store-file/crafted/shapes", test_shapes);
	g_test_add_func("/store-file/crafted/huge-counts", test_huge_counts);
	g_test_add_func("/store-file/crafted/constant-tables", test_constant_tables);
	g_test_add_func("/store-file/crafted/buckets", test_buckets);
	g_test_add_func("/store-file/crafted/header", test_header_fields);
	g_test_add_func("/store-file/crafted/times", test_times);
	g_test_add_func("/store-file/crafted/tick", test_tick);
	g_test_add_func("/store-file/crafted/ends-of-the-clock", test_ends_of_the_clock);
	g_test_add_func("/store-file/crafted/cpus", test_cpus);
	g_test_add_func("/store-file/crafted/random", test_random_changes);
	g_test_add_func("/store-file/random-bytes", test_random_bytes);
	return g_test_run();
}
